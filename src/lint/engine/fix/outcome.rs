//! The outcome of fixing a dialog: the edits, and the fixes that were skipped.

use crate::dialog::{Edit, EditError};
use crate::lint::engine::Diagnostic;

/// A fixed dialog.
///
/// Every problem with a fix that could be applied, including those that other fixes revealed, is counted
/// in `repaired` or listed in `skipped`.
#[derive(Debug, Default)]
pub struct FixedDialog {
    /// All edits in order; `done` has their problems.
    pub edits: Vec<Edit>,
    pub done: Vec<Diagnostic>,
    /// The text of the dialog afterwards; None if nothing changed.
    pub text: Option<String>,
    /// The number of times the rules were run on the dialog.
    pub runs: usize,
    /// The number of problems that are gone. One fix may remove several.
    pub repaired: usize,
    /// The number of problems to fix that were found only after another fix.
    pub uncovered: usize,
    /// The problems to fix that remain.
    pub skipped: Vec<SkippedFix>,
    /// All problems that remain.
    pub left: Vec<Diagnostic>,
}

/// A skipped fix.
#[derive(Clone, Debug)]
pub struct SkippedFix {
    pub problem: Diagnostic,
    pub why: SkipReason,
}

/// The reason why a fix was skipped.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SkipReason {
    #[error("{0}")]
    Refused(#[from] EditError),
    #[error("the problem would remain")]
    Stays,
    /// The rule and the message of a problem.
    #[error("it would cause: {1} [{0}]")]
    Brings(&'static str, String),
    #[error("it needs review after the other fixes")]
    Lost,
}
