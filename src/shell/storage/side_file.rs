//! Files that the program writes beside a corpus without being told their paths: votes, gold labels, judgements,
//! questions, assignments, and lists of conflicts and of ignored problems.
//!
//! # Why
//! A folder may come from somebody else, and archives and git keep links. Through one, lines that the folder chooses would
//! end in any file of the user.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::access::restrict;
use super::beside::nearest;
use super::disk::{LARGEST_DATA, is_there, open_regular, read_side_text};
use super::edit_lock::unsaved_in;
use super::fs::{RealFs, create_folder, hold};
use super::journal::journal_of;
use super::paths::{folder_of, side_path};
use super::save::write_text;
use super::user::UserFolders;
use crate::json::BadText;

/// Opens a side file of a corpus to read it and add to it, or makes it; with the rights that [`write_text`](super::save::write_text) gives it.
///
/// # Errors
/// If a link leads out of the folder of the corpus, or to nothing, and if it cannot be opened, is not a regular file, or somebody has unsaved edits of it.
pub fn open_side_file(path: &Path, corpus: &Path) -> io::Result<File> {
    let place = side_path(corpus, path)?;
    let state = UserFolders::find().state;
    if let Some(why) = state.and_then(|state| unsaved_in(&journal_of(&state, &place))) {
        return Err(io::Error::other(why));
    }
    create_folder(&RealFs, folder_of(&place))?;
    let file = open_regular(&place, File::options().read(true).append(true).create(true))?;
    if corpus.exists() {
        restrict(&file, corpus)?;
    }
    Ok(file)
}

/// Returns the nearest file of one of these names beside `file` or above it that `is_it`, or else the place of a new one of the
/// first name: in `root`, the folder that was opened, if `file` is in it.
pub fn nearest_or_new(
    file: &Path,
    names: &[&str],
    root: Option<&Path>,
    is_it: impl Fn(&Path) -> bool,
) -> PathBuf {
    nearest(folder_of(file), names, is_it).unwrap_or_else(|| {
        let opened = root.filter(|root| file.starts_with(root) && root.is_dir());
        opened.unwrap_or_else(|| folder_of(file)).join(names[0])
    })
}

/// Changes the text of the side file at `path`, which is about the corpus file `about`; that of a missing file is empty, and
/// a file whose text becomes empty is removed. The text is read again before, so that colleagues' changes stay.
///
/// # Errors
/// The reason with the path, if it cannot be read or written or `change` refuses; the file is unchanged then.
pub fn change_side_text(
    path: &Path,
    about: &Path,
    change: impl FnOnce(&str) -> Result<String, BadText>,
) -> Result<(), String> {
    let place = |error: &dyn ToString| format!("{}: {}", path.display(), error.to_string());
    let side = side_path(path, path).map_err(|error| place(&error))?;
    let is_there = is_there(path);
    // Blocks other writers until this is done.
    let _held = is_there.then(|| hold(&side)).transpose().map_err(|error| place(&error))?;
    let text = if is_there { read_side_text(path, LARGEST_DATA) } else { Ok(String::new()) };
    let text = text.map_err(|error| place(&error))?;
    let text = change(&text).map_err(|wrong| wrong.in_file(path))?;
    if text.is_empty() {
        return std::fs::remove_file(&side).map_err(|error| place(&error));
    }
    let saved = write_text(&side, text.as_bytes(), &[about.to_owned()], is_there);
    saved.map(drop).map_err(|error| place(&error))
}
