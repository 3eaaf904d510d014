//! Which fixes to apply, and how.

use crate::dialog::Edit;
use crate::format::Format;
use crate::json::Escapes;
use crate::lint::engine::{Applicability, Diagnostic, Ignores, Selection};
use crate::ontology::Ontology;

/// Options for fixing dialogs.
pub struct FixOptions<'a> {
    pub format: &'static dyn Format,
    pub ontology: &'a Ontology,
    /// The rules that count when the effect of a fix is checked.
    pub selection: &'a Selection,
    /// The least applicability of the fixes to apply.
    pub at_least: Applicability,
    /// How the file escapes characters.
    pub escapes: Escapes,
    /// Ignored problems, which are not fixed.
    pub ignored: Option<IgnoreFilter<'a>>,
}

/// The ignored problems of one dialog.
#[derive(Clone, Copy)]
pub struct IgnoreFilter<'a> {
    pub ignores: &'a Ignores,
    /// The path, as for [`Ignores::part`].
    pub file: &'a str,
    /// Position of the dialog in its file.
    pub position: usize,
}

/// The edits of the problem's fix, if it may be applied.
pub fn takes<'d>(diagnostic: &'d Diagnostic, with: &FixOptions<'_>) -> Option<&'d [Edit]> {
    let first = diagnostic.fixes.first()?;
    (first.applicability >= with.at_least).then_some(&first.edits)
}
