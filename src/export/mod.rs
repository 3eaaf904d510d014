//! Writes dialogs in formats that other programs read.
//!
//! An export is one file with one type that implements [`Export`], and one line in [`EXPORTS`]. It
//! turns a dialog into a text; the caller stores it.
//!
//! This layer knows dialogs, but not files or screens.

mod labels;

use crate::dialog::Dialog;

/// An output format for dialogs.
pub trait Export: Sync {
    /// The name on the command line, short and stable.
    fn name(&self) -> &'static str;

    /// A description of the output, in one line.
    fn writes(&self) -> &'static str;

    /// The ending of the file name, after the dialog's id.
    fn ending(&self) -> &'static str;

    /// The text for one dialog.
    ///
    /// # Errors
    /// If the dialog lacks required data.
    fn text(&self, dialog: &Dialog) -> Result<String, ExportError>;
}

/// Why a dialog cannot be exported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    #[error("its turns have no detector labels")]
    Labels,
    #[error("turn {turn} has no {what}")]
    InTurn { turn: usize, what: &'static str },
}

/// Every export.
pub static EXPORTS: &[&dyn Export] = &[&labels::Labels];

/// The export named `name`.
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
