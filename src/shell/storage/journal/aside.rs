//! Sets journals aside next to their original paths, under new names.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::shell::storage::fs::{Fs as _, RealFs};
use crate::shell::storage::paths::folder_of;
use crate::shell::storage::same::holds;

/// Copies the bytes of a damaged journal to a file `….damaged-N`, unless one with the same bytes exists.
/// Returns its path.
///
/// # Errors
/// If the copy cannot be written.
pub fn keep_damaged(journal: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let name = journal.file_name().unwrap_or_default().to_string_lossy();
    for number in 1.. {
        let path = journal.with_file_name(format!("{name}.damaged-{number}"));
        match options.open(&path) {
            Ok(mut file) => {
                let written = file.write_all(bytes).and_then(|()| file.sync_all());
                if let Err(error) = written {
                    let _ = fs::remove_file(path);
                    return Err(error);
                }
                let _ = RealFs.sync_folder(folder_of(&path));
                return Ok(path);
            }
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) if holds(&path, |out| out.write_all(bytes)) => return Ok(path),
            Err(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
