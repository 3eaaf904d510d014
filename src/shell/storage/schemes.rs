//! Finds and reads schemes of questions.

use std::path::Path;

use super::beside::nearest;
use super::disk::{LARGEST_DATA, is_there, read_side_text};
use super::formats::PROJECT;
use super::paths::folder_of;
use crate::judging::{FILE, Scheme, SchemeTest};

/// Reads the scheme in a file; without a name of its own, it has that of the file.
///
/// # Errors
/// If the file cannot be read, or is not a scheme, or fails the test; the reason names the file and the line.
pub fn read_scheme(path: &Path, test: Option<&SchemeTest<'_>>) -> Result<Scheme, String> {
    read(path, test).map_err(|why| format!("{}: {why}", path.display()))
}

/// As [`read_scheme`]; the reason does not name the file.
fn read(path: &Path, test: Option<&SchemeTest<'_>>) -> Result<Scheme, String> {
    let text = read_side_text(path, LARGEST_DATA).map_err(|error| error.to_string())?;
    if is_project(path) {
        let scheme = Scheme::in_project(&text, test).map_err(|error| error.to_string())?;
        return scheme.ok_or_else(|| "it has no `[[question]]`".to_owned());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Scheme::tested(&text, &stem, test).map_err(|error| error.to_string())
}

fn is_project(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == PROJECT)
}

/// Returns the scheme that `given` names: a bundled one, or a file.
///
/// # Errors
/// If there is none, or it cannot be used, as [`read_scheme`].
pub fn scheme_named(given: &str, test: Option<&SchemeTest<'_>>) -> Result<Scheme, String> {
    match Scheme::bundled(given) {
        Some(scheme) if !is_there(Path::new(given)) => Ok(scheme),
        _ => read_scheme(Path::new(given), test),
    }
}

/// Returns the scheme beside `file`: in its folder, or in the nearest one above that has one. A project file with
/// questions is a scheme, unless there is another one beside it.
///
/// # Errors
/// As [`read_scheme`].
pub fn scheme_beside(file: &Path, test: Option<&SchemeTest<'_>>) -> Result<Option<Scheme>, String> {
    let is_scheme = |path: &Path| !is_project(path) || has_questions(path);
    let path = nearest(folder_of(file), &[FILE, PROJECT], is_scheme);
    path.map(|path| read_scheme(&path, test)).transpose()
}

/// True for a project file with questions, also if they cannot be used.
fn has_questions(path: &Path) -> bool {
    let text = read_side_text(path, LARGEST_DATA).unwrap_or_default();
    let mut lines = text.lines().map(|line| line.replace(char::is_whitespace, ""));
    lines.any(|line| line.starts_with("[[question]]") || line.starts_with("question=["))
}
