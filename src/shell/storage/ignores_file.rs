//! Finds, reads and changes the files next to corpora that list ignored problems and excluded dialogs.
//!
//! An ignores file applies to its folder and everything below. It is read again before each change, so
//! that colleagues' changes stay, and replaced as a whole.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::beside::folders_of;
use super::disk::{LARGEST_DATA, is_there, read_side_text};
use super::paths::{RealPaths, folder_of, real_path};
use super::side_file::{change_side_text, nearest_or_new};
use crate::app::IgnoresChange;
use crate::json::BadText;
use crate::lint::{IGNORES_FILE, Ignores, IgnoresLine};

/// Why an ignores file cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct SideFileError {
    pub path: PathBuf,
    pub why: String,
}

/// Returns the path of a corpus file as ignores files match it: absolute, with links followed, whether or
/// not the file exists.
pub fn matched_path(path: &Path) -> String {
    real_path(path).display().to_string()
}

/// Returns [`matched_path`] of many files.
pub fn matched_paths(paths: &[PathBuf]) -> Vec<String> {
    let mut real = RealPaths::default();
    let matched = |path: &PathBuf| real.of(path).display().to_string();
    paths.iter().map(matched).collect()
}

/// Returns the problems ignored and the dialogs excluded in `files`, by the ignores files in their folders and the folders above.
///
/// # Errors
/// If an ignores file cannot be read or has an invalid line.
pub fn read_side_files<'p>(
    files: impl Iterator<Item = &'p Path>,
) -> Result<Ignores, SideFileError> {
    let mut seen = HashSet::new();
    let mut ignores = Ignores::default();
    for folder in folders_of(files) {
        let Ok(folder) = folder.canonicalize() else {
            continue;
        };
        for folder in folder.ancestors() {
            if !seen.insert(folder.to_owned()) {
                // The folders above are known as well.
                break;
            }
            let path = folder.join(IGNORES_FILE);
            if is_there(&path) {
                ignores.extend(read(&path)?);
            }
        }
    }
    Ok(ignores)
}

/// Ignores a problem of a file or excludes a dialog, or takes that back, in the nearest ignores file, or in a new one in
/// `root`, the folder that was opened. A file without a line is removed.
///
/// # Errors
/// If the ignores file cannot be read or written, or has an invalid line; it is unchanged then.
pub fn change(
    file: &Path,
    root: Option<&Path>,
    line: &IgnoresLine,
    change: IgnoresChange,
) -> Result<(), String> {
    let path = match change {
        IgnoresChange::Remove => Path::new(&line.of().beside).join(IGNORES_FILE),
        IgnoresChange::Add => nearest_or_new(file, &[IGNORES_FILE], root, |_| true),
    };
    change_side_text(&path, file, |text| {
        // A file with a wrong line stays as it is.
        Ignores::read(text).map_err(|error| BadText::whole(&error))?;
        match change {
            IgnoresChange::Add => {
                let mut line = line.clone();
                line.of_mut().file = below(file, folder_of(&path));
                Ok(line.added_to(text))
            }
            IgnoresChange::Remove => line
                .removed_from(text)
                .ok_or_else(|| BadText::whole("the file no longer has this line")),
        }
    })
}

/// Reads an ignores file.
fn read(path: &Path) -> Result<Ignores, SideFileError> {
    let place =
        |error: &dyn ToString| SideFileError { path: path.to_owned(), why: error.to_string() };
    let text = read_side_text(path, LARGEST_DATA).map_err(|error| place(&error))?;
    let ignores = Ignores::read(&text).map_err(|error| place(&error))?;
    let folder = folder_of(path).display().to_string();
    Ok(ignores.in_folder(&folder))
}

/// Returns a path relative to a folder above it, with `/` between names.
fn below(file: &Path, folder: &Path) -> String {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let short = file.strip_prefix(&folder).ok();
    let short = short.or_else(|| file.file_name().map(Path::new));
    let names = short.unwrap_or(&file).components();
    let names: Vec<_> = names.map(|name| name.as_os_str().to_string_lossy()).collect();
    names.join("/")
}
