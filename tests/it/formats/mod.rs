//! The families one by one: detected by shape, read though broken, edited or refused.

mod acts;
mod chats;
mod detection;
mod in_strings;
mod look_alikes;
mod memory;
pub mod mutated;
mod parts;
mod reasoning;
mod refusals;
mod together;

use turnwise::dialog::{Dialog, Edit, EditError, Issue, UnreadParts};
use turnwise::format::{EditedBatch, Family, edit, named};
use turnwise::json::{Escapes, Parser};

fn read(family: &str, text: &str) -> (Dialog, Vec<Issue>) {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).expect(text);
    format(family).read(tree)
}

/// The dialog in `text`, with which nothing is wrong.
fn clean(family: &str, text: &str) -> Dialog {
    let (dialog, issues) = read(family, text);
    assert!(issues.is_empty(), "{issues:?}\n{text}");
    dialog
}

/// The names of what is not read in a dialog.
pub fn unread(dialog: &Dialog) -> String {
    let mut all = UnreadParts::default();
    all.add_dialog(dialog);
    all.names()
}

fn format(family: &str) -> &'static Family {
    named(family).expect(family)
}

fn edited(family: &str, text: &str, change: &str) -> Result<EditedBatch, EditError> {
    let change: Edit = serde_json::from_str(change).expect(change);
    edit(format(family), text, Escapes::default(), &change)
}
