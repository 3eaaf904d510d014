//! Edits that do not fit their file any more, kept as records that `turnwise apply` reads.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::text::counted;

/// Writes records into a new file in the state folder `state`, named after the corpus file at `path`.
///
/// # Errors
/// If it cannot be written.
pub fn keep(state: &Path, path: &Path, records: &[String]) -> io::Result<PathBuf> {
    let folder = state.join("kept");
    fs::create_dir_all(&folder)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    for number in 1.. {
        let kept = folder.join(format!("{stem}-{number}.edits.jsonl"));
        match OpenOptions::new().write(true).create_new(true).open(&kept) {
            Ok(mut file) => {
                file.write_all(format!("{}\n", records.join("\n")).as_bytes())?;
                file.sync_all()?;
                return Ok(kept);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// What is told of the outcome.
pub fn told(count: usize, kept: &io::Result<PathBuf>) -> String {
    let edits = counted(count, "edit");
    match kept {
        Ok(path) => format!(
            "{edits} kept in {}; `turnwise apply` reads them",
            path.display()
        ),
        Err(error) => format!("{edits} that do not fit could not be kept: {error}"),
    }
}
