//! Finds and reads schemes of questions.

use std::path::{Path, PathBuf};

use super::disk::{LARGEST_DATA, is_there, read_side_text};
use super::fs::folder_of;
use crate::judging::{FILE, Scheme};

/// Reads the scheme in a file; without a name of its own, it has that of the file.
///
/// # Errors
/// If the file cannot be read, or is not a scheme; the reason names the line.
pub fn read_scheme(path: &Path) -> Result<Scheme, String> {
    let text = read_side_text(path, LARGEST_DATA).map_err(|error| error.to_string())?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Scheme::read(&text, &stem).map_err(|error| error.to_string())
}

/// Returns the scheme that `given` names: a bundled one, or a file.
///
/// # Errors
/// If there is none, or it cannot be used.
pub fn scheme_named(given: &str) -> Result<Scheme, String> {
    match Scheme::bundled(given) {
        Some(scheme) if !is_there(Path::new(given)) => Ok(scheme),
        _ => read_scheme(Path::new(given)).map_err(|why| format!("{given}: {why}")),
    }
}

/// Returns the path of the scheme beside `file`: in its folder, or in the nearest one above that has one.
pub fn scheme_beside(file: &Path) -> Option<PathBuf> {
    let folder = folder_of(file).canonicalize().ok()?;
    let paths = folder.ancestors().map(|folder| folder.join(FILE));
    paths.into_iter().find(|path| is_there(path))
}
