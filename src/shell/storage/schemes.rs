//! Finds and reads schemes of questions, and adds bundled questions to them.

use std::path::{Path, PathBuf};

use super::beside::nearest;
use super::disk::{LARGEST_DATA, is_there, read_side_text};
use super::formats::PROJECT;
use super::fs::hold;
use super::paths::{folder_of, side_path};
use super::save::write_text;
use crate::judging::{BUNDLED, FILE, Scheme, SchemeTest};

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
    read_text(path, &text, test)
}

/// Reads the text of the scheme at `path`.
fn read_text(path: &Path, text: &str, test: Option<&SchemeTest<'_>>) -> Result<Scheme, String> {
    if is_project(path) {
        let scheme = Scheme::in_project(text, test).map_err(|error| error.to_string())?;
        return scheme.ok_or_else(|| "it has no `[[question]]`".to_owned());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Scheme::tested(text, &stem, test).map_err(|error| error.to_string())
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
    path_beside(file).map(|path| read_scheme(&path, test)).transpose()
}

fn path_beside(file: &Path) -> Option<PathBuf> {
    let is_scheme = |path: &Path| !is_project(path) || has_questions(path);
    nearest(folder_of(file), &[FILE, PROJECT], is_scheme)
}

/// True for a project file with questions, also if they cannot be used.
fn has_questions(path: &Path) -> bool {
    let text = read_side_text(path, LARGEST_DATA).unwrap_or_default();
    let mut lines = text.lines().map(|line| line.replace(char::is_whitespace, ""));
    lines.any(|line| line.starts_with("[[question]]") || line.starts_with("question=["))
}

/// Adds the questions of a bundled scheme to the one beside `file`, or writes them into a new file in `root`, the folder that
/// was opened. Returns the path, and all questions there.
///
/// # Errors
/// If the file cannot be read or written, or its questions and these cannot be asked together; it is unchanged then.
pub fn add_questions(
    name: &str,
    file: &Path,
    root: Option<&Path>,
    test: &SchemeTest<'_>,
) -> Result<(PathBuf, Scheme), String> {
    let new = BUNDLED.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text);
    let known = path_beside(file);
    let is_new = known.is_none();
    let path = known.unwrap_or_else(|| {
        let opened = root.filter(|root| file.starts_with(root) && root.is_dir());
        opened.unwrap_or_else(|| folder_of(file)).join(FILE)
    });
    let place = |error: &dyn ToString| format!("{}: {}", path.display(), error.to_string());
    let side = side_path(&path, &path).map_err(|error| place(&error))?;
    let (_held, text) = if is_new {
        (None, new.to_owned())
    } else {
        // Blocks other writers until this is done.
        let held = hold(&side).map_err(|error| place(&error))?;
        let text = read_side_text(&path, LARGEST_DATA).map_err(|error| place(&error))?;
        let questions = new.find("[[question]]").map_or("", |start| &new[start..]);
        (Some(held), format!("{}\n\n{questions}", text.trim_end()))
    };
    let scheme = read_text(&path, &text, Some(test)).map_err(|error| place(&error))?;
    let saved = write_text(&side, text.as_bytes(), &[file.to_owned()], !is_new);
    saved.map_err(|error| place(&error))?;
    Ok((path, scheme))
}
