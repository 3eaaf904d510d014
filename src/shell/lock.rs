//! Who edits a file: one process at a time.
//!
//! The lock is on a file of its own in the user's state folder, as saving replaces the corpus file.
//! It goes with the process that holds it, however that ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};

/// What came of asking for a file.
#[derive(Debug)]
pub enum Asked {
    /// It is this process's, as long as this is kept.
    Ours(File),
    /// The process with this id has it.
    Taken(String),
    /// Nobody can tell, as nothing can be written down here.
    Unknown,
}

/// Asks for the corpus file of which `journal` is the journal.
pub fn ask_for(journal: &Path) -> Asked {
    let path: PathBuf = journal.with_extension("lock");
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let open = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let (Ok(()), Ok(mut file)) = (folder, open) else {
        return Asked::Unknown;
    };
    match file.try_lock() {
        Ok(()) => {
            let _ = file.set_len(0);
            let _ = write!(file, "{}", std::process::id());
            Asked::Ours(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut holder = String::new();
            let _ = file.read_to_string(&mut holder);
            Asked::Taken(holder)
        }
        Err(TryLockError::Error(_)) => Asked::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_it_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("state/x.jsonl");
        let first = ask_for(&journal);
        assert!(matches!(first, Asked::Ours(_)));
        let own = std::process::id().to_string();
        assert!(matches!(ask_for(&journal), Asked::Taken(id) if id == own));
        drop(first);
        assert!(matches!(ask_for(&journal), Asked::Ours(_)));
    }
}
