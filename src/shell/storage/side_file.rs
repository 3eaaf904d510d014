//! Files that the program writes beside a corpus without being told their paths: votes, gold labels, judgements,
//! assignments, and lists of conflicts and of ignored problems.
//!
//! # Why
//! A folder may come from somebody else, and archives and git keep links. Through one, lines that the folder chooses would
//! end in any file of the user.

use std::fs::File;
use std::io;
use std::path::Path;

use super::access::restrict;
use super::disk::open_regular;
use super::edit_lock::unsaved_in;
use super::fs::{RealFs, create_folder};
use super::journal::journal_of;
use super::paths::{folder_of, side_path};
use super::user::UserFolders;

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
