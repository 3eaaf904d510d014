//! The list of conflicts beside a merged file.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::beside::{files_in, folders_of};
use super::disk::{as_text, read_named_file};
use super::paths::folder_of;
use super::save::write_text;
use crate::compare::CONFLICTS;
use crate::text::visible;

/// Returns the path of the list of a file's conflicts.
pub fn conflicts_of(path: &Path) -> PathBuf {
    let mut name: OsString = path.to_owned().into();
    name.push(CONFLICTS);
    name.into()
}

/// Returns the positions of the files (display names and paths) beside which there is a list of conflicts.
pub fn files_with_conflicts(files: &[(String, PathBuf)]) -> Vec<usize> {
    let is_list = |path: &Path| path.as_os_str().as_encoded_bytes().ends_with(CONFLICTS.as_bytes());
    let folders = folders_of(files.iter().map(|(_, path)| path.as_path()));
    let lists: HashSet<_> = folders.flat_map(|folder| files_in(folder, is_list)).collect();
    let has_list = |path: &Path| {
        let list = conflicts_of(path);
        let name = list.file_name().unwrap_or_default();
        // Hidden files are not listed.
        lists.contains(&folder_of(path).join(name))
            || name.as_encoded_bytes().starts_with(b".") && list.symlink_metadata().is_ok()
    };
    let all = files.iter().enumerate();
    all.filter(|(_, (_, path))| has_list(path)).map(|(at, _)| at).collect()
}

/// The most bytes of a list.
const LARGEST: u64 = 1 << 30;

/// Returns the text of the list beside a file; nothing if there is none.
///
/// # Errors
/// If it cannot be read.
pub fn read_conflicts(path: &Path) -> io::Result<String> {
    match read_named_file(&conflicts_of(path), LARGEST).and_then(as_text) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read,
    }
}

/// Writes the list beside the file at `path`, or removes it if it is empty. Who may not read all files in `about` may not
/// read it.
///
/// # Errors
/// Why it was not, in words.
pub fn write_conflicts(path: &Path, about: &[PathBuf], text: &str) -> Result<(), String> {
    let list = conflicts_of(path);
    if text.is_empty() {
        return match fs::remove_file(list) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.to_string()),
            _ => Ok(()),
        };
    }
    let written = write_text(&list, text.as_bytes(), about, true);
    written.map(|_| ()).map_err(|error| error.to_string())
}

/// Writes what is left of the list beside the file at `path`, as long as it has the text `on_disk`.
///
/// # Errors
/// Why it was not, in words that name it.
pub fn keep_conflicts(path: &Path, on_disk: &str, text: &str) -> Result<(), String> {
    let list = conflicts_of(path);
    let name = list.file_name().unwrap_or_default().to_string_lossy();
    let name = visible(&name);
    match read_named_file(&list, LARGEST).and_then(as_text) {
        Ok(now) if now == on_disk => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound && on_disk.is_empty() => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(format!("{name}: {error}"));
        }
        _ => {
            return Err(format!("{name} has changed on disk and was not overwritten"));
        }
    }
    write_conflicts(path, &[path.to_owned()], text)
        .map_err(|why| format!("{name} was not written: {why}"))
}
