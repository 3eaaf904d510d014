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
use turnwise::format::{EditOutcome, Family, edit};
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

fn edited(format: &'static Family, text: &str, change: &Edit) -> Result<EditOutcome, EditError> {
    edit(format, text, Escapes::default(), change)
}
