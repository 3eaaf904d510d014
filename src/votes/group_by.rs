//! The system that a dialog is with, and the corpus file that a log is about.

use crate::dialog::{Content, Dialog};

/// Returns the `group-id` of a log; empty if it is missing or not a string.
pub fn group_of(log: &Dialog) -> &str {
    let group = log.fields.iter().find(|field| field.name == "group-id");
    match group.map(|field| &field.content) {
        Some(Content::Text(group)) => group,
        _ => "",
    }
}

/// The most words of a system's name: ids of sessions have more, of which no part names a system.
const WORDS: usize = 3;

/// Returns the system of a dialog: its `group-id` if that is not empty, else the part of the id before its last
/// number (`iris_00014`, `CIC0003`, `gpt4_0001`) if its words are few and begin with letters, else the name of the folder.
pub fn system_of<'d>(dialog: &'d Dialog, folder: &'d str) -> &'d str {
    let group = group_of(dialog);
    if !group.is_empty() {
        return group;
    }
    // A suffix after the number, as in `iris_00014-b`, is not part of the name either.
    let end = dialog.id.rfind(|c: char| c.is_ascii_digit());
    let name = &dialog.id[..end.map_or(0, |end| end + 1)];
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let separators = ['_', '-', '.', ' '];
    let name = name.trim_end_matches(separators);
    let words = || name.split(separators);
    let is_name =
        words().count() <= WORDS && words().all(|word| word.starts_with(char::is_alphabetic));
    if is_name { name } else { folder }
}
