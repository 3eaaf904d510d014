//! Explains in words what is wrong with a file or one of its dialogs, and where.

use std::io;

use super::file::{CorpusFile, ReadError};
use super::index::{Arrangement, Contents};
use super::source::positions;
use crate::dialog::Dialog;
use crate::json::{Parser, decode};

/// Returns the reason why a file has no dialogs; None if it has some.
pub fn no_dialogs(file: &CorpusFile) -> Option<String> {
    no_corpus(file).or_else(|| match &file.index().contents {
        Contents::Dialogs(_) | Contents::Ontology(_) | Contents::Judgements => None,
        Contents::Nothing => broken(file),
        Contents::Unknown(unknown) => {
            let why = broken(file).or_else(|| first_broken(file));
            Some(why.unwrap_or_else(|| unknown.to_string()))
        }
    })
}

/// Returns the reason why a readable file has no dialogs; None if it has some, or cannot be read.
pub fn no_corpus(file: &CorpusFile) -> Option<String> {
    let index = file.index();
    match &index.contents {
        Contents::Ontology(name) => Some(format!("this is a {name}, not a corpus")),
        Contents::Judgements => Some("these are judgements, not a corpus".to_owned()),
        Contents::Nothing if index.error.is_none() => {
            Some("there are no dialogs in this file".to_owned())
        }
        _ => None,
    }
}

/// True if a file has no byte, or is an empty list.
pub fn is_empty(file: &CorpusFile) -> bool {
    let index = file.index();
    let is_list = matches!(index.contents, Contents::Nothing) && index.error.is_none();
    is_list || file.source().is_empty()
}

/// Returns the names of the members beside the dialogs of a file, or lists of them, that hold something: nothing in them is
/// read.
///
/// # Errors
/// If the file cannot be read.
pub fn unread_members(file: &CorpusFile) -> io::Result<Vec<String>> {
    let index = file.index();
    let lists = match &index.arrangement {
        Arrangement::Members(lists) => lists.as_slice(),
        Arrangement::Keyed => &[],
        _ => return Ok(Vec::new()),
    };
    let mut names = Vec::new();
    for piece in &index.others {
        let end = piece.end.saturating_add(BEHIND_KEY).min(file.source().len());
        let bytes = file.source().bytes(piece.start..end.min(piece.start + LONGEST_KEY))?;
        let key = (piece.end - piece.start) as usize;
        let (Some(key), Some(behind)) = (bytes.get(1..key.saturating_sub(1)), bytes.get(key..))
        else {
            continue;
        };
        let behind = behind.trim_ascii_start();
        // Values are pieces, too.
        let Some(value) = behind.strip_prefix(b":") else {
            continue;
        };
        let value = value.trim_ascii_start();
        // The object with the lists of dialogs is not a piece of its own.
        let start = piece.start + (bytes.len() - value.len()) as u64;
        let is_open =
            value.starts_with(b"{") && index.others.iter().all(|other| other.start != start);
        let is_nothing =
            [&b"null"[..], b"\"\"", b"[]", b"{}"].iter().any(|none| value.starts_with(none));
        let name = decode(&String::from_utf8_lossy(key)).into_owned();
        if !is_nothing && !is_open && lists.iter().all(|list| list.key != name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// The bytes behind a key in which its value begins.
const BEHIND_KEY: u64 = 64;

/// The most bytes of a key to read.
const LONGEST_KEY: u64 = 1 << 10;

/// Returns the error that breaks a whole file, with its position; None if there is none.
pub fn broken(file: &CorpusFile) -> Option<String> {
    let (at, kind) = file.index().error?;
    Some(placed(file, at, &kind.to_string()))
}

/// Returns a dialog of a file.
///
/// # Errors
/// The reason why there is none.
pub fn dialog(file: &CorpusFile, position: usize) -> Result<Dialog, String> {
    if let Some(why) = no_dialogs(file) {
        return Err(why);
    }
    match file.dialog(position) {
        Ok(Some((dialog, _))) => Ok(dialog),
        Ok(None) => Err("there are no dialogs in this file".to_owned()),
        Err(error) => Err(unreadable(file, position, &error)),
    }
}

/// Returns the reason why a dialog cannot be read.
pub fn unreadable(file: &CorpusFile, position: usize, error: &ReadError) -> String {
    match error {
        ReadError::Io(_) => error.to_string(),
        ReadError::Syntax(syntax) => {
            let at = file.index().pieces[position].start + syntax.at as u64;
            placed(file, at, &error.to_string())
        }
    }
}

/// Returns the error in the first dialog. It explains more than an unknown family if no dialog parses.
fn first_broken(file: &CorpusFile) -> Option<String> {
    file.index().pieces.first()?;
    let bytes = file.bytes(0).ok()?;
    let error = Parser::new().parse_piece(&bytes).err()?;
    Some(unreadable(file, 0, &error.into()))
}

fn placed(file: &CorpusFile, at: u64, what: &str) -> String {
    match positions(file.source(), &[at]) {
        Ok(positions) => format!("{what}, at {}", positions[0]),
        Err(_) => what.to_owned(),
    }
}
