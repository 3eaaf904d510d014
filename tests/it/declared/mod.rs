//! Formats declared in TOML: their text, what they read, and what they write.

mod added;
mod any_edits;
mod asides;
mod bundled;
mod chats;
mod draft_rows;
mod draft_shapes;
mod drafts;
mod edits;
mod hostile;
mod lines;
mod lists;
mod manual;
mod renamed;
mod sessions;
mod sides;
mod state;
mod strict;

use turnwise::dialog::{Dialog, Edit, EditError};
use turnwise::format::{EditedBatch, Family, edit};
use turnwise::json::{Escapes, Parser};

/// The format of a description.
fn declared(text: &str) -> &'static Family {
    Family::read_from(text, None).unwrap_or_else(|error| panic!("{error}\n{text}")).keep()
}

/// The dialog in `text`, which fits the format's types.
fn read(format: &'static Family, text: &str) -> Dialog {
    let mut parser = Parser::new();
    let (dialog, issues) = format.read(parser.parse_piece_str(text).unwrap());
    assert!(issues.is_empty(), "{issues:?}");
    dialog
}

/// The dialog, even if values are not of the type of their place.
fn read_any(format: &'static Family, text: &str) -> Dialog {
    let mut parser = Parser::new();
    format.read(parser.parse_piece_str(text).unwrap()).0
}

/// Returns the faults of the dialog in `text`.
fn issues(format: &'static Family, text: &str) -> Vec<String> {
    let mut parser = Parser::new();
    let (_, issues) = format.read(parser.parse_piece_str(text).unwrap());
    issues.iter().map(|issue| issue.problem.to_string()).collect()
}

fn set_text(turn: usize, text: &str) -> Edit {
    Edit::SetText { turn, text: text.to_owned(), drop: false, shrink: false }
}

fn edited(format: &'static Family, text: &str, change: &Edit) -> Result<EditedBatch, EditError> {
    edit(format, text, Escapes::default(), change)
}
