//! The change of a dialog that a format writes, and the style of what is new in it.

use std::collections::HashMap;

use crate::dialog::{Dialog, EditError};
use crate::json::Escapes;

/// The slots of a corpus, as `domain.slot`, and whether the values of each are a closed list.
pub type SlotKinds = HashMap<String, bool>;

/// The habits of a file, and of the files beside it, that new text in one of its dialogs follows.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileStyle<'f> {
    pub escapes: Escapes,
    /// From the ontology beside the file.
    pub slots: Option<&'f SlotKinds>,
}

impl From<Escapes> for FileStyle<'_> {
    fn from(escapes: Escapes) -> Self {
        Self { escapes, slots: None }
    }
}

/// A dialog before and after edits.
pub struct EditedDialog<'a> {
    pub before: &'a Dialog,
    pub after: &'a Dialog,
    /// The only turn that differs; None if others may, too.
    pub turn: Option<usize>,
    /// The slots of the corpus, if an ontology lists them.
    pub slots: Option<&'a SlotKinds>,
}

pub fn not_editable(what: &'static str, reason: &impl ToString) -> EditError {
    EditError::NotEditable { what, reason: reason.to_string() }
}
