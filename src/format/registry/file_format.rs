//! The families of one file: usually a single one, but each dialog is read as what it is.

use crate::format::{Family, Formats};
use crate::json::{Parser, Value};

/// The family of a file, and the formats that dialogs of another family may have.
#[derive(Clone, Debug)]
pub struct FileFormat {
    /// The family of the first dialog.
    pub usual: &'static Family,
    formats: Formats,
}

impl FileFormat {
    pub fn new(usual: &'static Family, formats: Formats) -> Self {
        Self { usual, formats }
    }

    /// Returns the family of the dialog `root`: the usual one if the dialog has its signs or those of no other
    /// family.
    pub fn of(&self, root: Value<'_>) -> &'static Family {
        let usual = self.usual;
        // Companions add to the dialogs of another file, and a file whose lines are turns has one family.
        let is_only = usual.is_companion() || usual.lines_are_turns();
        if is_only || usual.signs(root).iter().all(|sign| sign.present) {
            return usual;
        }
        let other = self.formats.find(root);
        let other = other.ok().filter(|other| !other.is_companion());
        other.unwrap_or(usual)
    }

    /// False if the dialog `before`, alone in a file, is recognized, and `after` is not, or as of another family.
    pub fn is_still(&self, before: Value<'_>, after: Value<'_>) -> bool {
        let name = |root| self.formats.find(root).ok().map(Family::name);
        name(before).is_none_or(|before| name(after) == Some(before))
    }

    /// Like [`Self::of`], for the text of a dialog; the usual family if it is not JSON.
    pub fn of_text(&self, text: &str) -> &'static Family {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text);
        tree.map_or(self.usual, |tree| self.of(tree.root()))
    }
}
