//! Dialogs written out in forms that other programs read.
//!
//! An export is one file with one type that implements [`Export`], and one line in [`EXPORTS`]. It
//! turns a dialog into a text; where that is kept is for others.
//!
//! This layer knows dialogs. It does not know files or screens.

mod labels;

use crate::dialog::Dialog;

/// A form that dialogs are written in.
pub trait Export: Sync {
    /// Short and stable, for the command line.
    fn name(&self) -> &'static str;

    /// What is written, in one line.
    fn writes(&self) -> &'static str;

    /// What follows the dialog's id in the name of its file.
    fn ending(&self) -> &'static str;

    /// The text for one dialog.
    ///
    /// # Errors
    /// If the dialog lacks what is to be written.
    fn text(&self, dialog: &Dialog) -> Result<String, Lacking>;
}

/// Why a dialog cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lacking {
    #[error("no detector has labelled its turns")]
    Labels,
    #[error("turn {turn} has no {what}")]
    InTurn { turn: usize, what: &'static str },
}

/// Every export.
pub static EXPORTS: &[&dyn Export] = &[&labels::Labels];

/// The export called `name`.
pub fn named(name: &str) -> Option<&'static dyn Export> {
    EXPORTS.iter().copied().find(|export| export.name() == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_everything_is_documented() {
        let mut names: Vec<_> = EXPORTS.iter().map(|export| export.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), EXPORTS.len());
        for export in EXPORTS {
            assert!(export.writes().len() > 10 && export.ending().starts_with('.'));
            assert!(named(export.name()).is_some());
        }
    }
}
