//! Which fixes to apply, and how.

use crate::dialog::{Dialog, Edit, Issue};
use crate::format::Family;
use crate::json::{Escapes, Tree};
use crate::lint::engine::{Applicability, Diagnostic, DialogPlace, Linter};
use crate::lint::facts::ParsedDialog;

/// Options for fixing dialogs.
pub struct FixOptions<'a> {
    /// Its rules count when the effect of a fix is checked; what it ignores is not fixed.
    pub linter: &'a Linter,
    pub format: &'static Family,
    pub place: DialogPlace<'a>,
    /// The least applicability of the fixes to apply.
    pub at_least: Applicability,
    /// How the file escapes characters.
    pub escapes: Escapes,
}

impl FixOptions<'_> {
    /// Returns a dialog that was read from `tree`.
    pub fn parsed<'t>(
        &self,
        tree: Tree<'t>,
        dialog: &'t Dialog,
        issues: &'t [Issue],
    ) -> ParsedDialog<'t> {
        ParsedDialog { dialog, issues, format: self.format, tree }
    }
}

/// Returns the edits of the problem's fix, if it may be applied.
pub fn takes<'d>(diagnostic: &'d Diagnostic, with: &FixOptions<'_>) -> Option<&'d [Edit]> {
    let first = diagnostic.fixes.first()?;
    (first.applicability >= with.at_least).then_some(&first.edits)
}
