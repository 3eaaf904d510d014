//! Finds and reads schemes of questions, and adds bundled questions to them.

use std::path::{Path, PathBuf};

use super::beside::nearest;
use super::disk::{LARGEST_DATA, is_there, read_side_text};
use super::formats::PROJECT;
use super::paths::folder_of;
use super::side_file::{change_side_text, nearest_or_new};
use crate::json::BadText;
use crate::judging::{BUNDLED, FILE, Scheme, SchemeTest};

/// Reads the scheme in a file; without a name of its own, it has that of the file.
///
/// # Errors
/// If the file cannot be read, or is not a scheme, or fails the test; the reason names the file and the line.
pub fn read_scheme(path: &Path, test: Option<&SchemeTest<'_>>) -> Result<Scheme, String> {
    read(path, test).map_err(|wrong| wrong.in_file(path))
}

/// As [`read_scheme`]; the reason does not name the file.
fn read(path: &Path, test: Option<&SchemeTest<'_>>) -> Result<Scheme, BadText> {
    let text = read_side_text(path, LARGEST_DATA).map_err(|error| BadText::whole(&error))?;
    read_text(path, &text, test)
}

/// Reads the text of the scheme at `path`.
fn read_text(path: &Path, text: &str, test: Option<&SchemeTest<'_>>) -> Result<Scheme, BadText> {
    if is_project(path) {
        let scheme = Scheme::in_project(text, test)?;
        return scheme.ok_or_else(|| BadText::whole("it has no `[[question]]`"));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    Scheme::tested(text, &stem, test)
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
    let path = nearest(folder_of(file), &[FILE, PROJECT], is_scheme);
    path.map(|path| read_scheme(&path, test)).transpose()
}

fn is_scheme(path: &Path) -> bool {
    !is_project(path) || has_questions(path)
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
    let (_, new) = BUNDLED
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| format!("unknown scheme {name:?}"))?;
    let path = nearest_or_new(file, &[FILE, PROJECT], root, is_scheme);
    let mut scheme = Scheme::default();
    change_side_text(&path, file, |text| {
        let questions = new.find("[[question]]").map_or("", |start| &new[start..]);
        let text = match text.trim_end() {
            "" => (*new).to_owned(),
            known => {
                // A mistake of the file is not one of these questions.
                read_text(&path, text, Some(test))?;
                format!("{known}\n\n{questions}")
            }
        };
        scheme = read_text(&path, &text, Some(test)).map_err(|wrong| {
            BadText::whole(&format!("with the new questions, {}", wrong.reason))
        })?;
        Ok(text)
    })?;
    Ok((path, scheme))
}
