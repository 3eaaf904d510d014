//! Runs rules on dialogs, applies fixes, and knows which problems somebody ignored.
//!
//! It works with any table of rules and knows none by name.

mod diagnostic;
mod fix;
mod ignores;
mod linter;
mod rule;
mod selection;

pub use diagnostic::{Applicability, Diagnostic, DiagnosticKey, Fix, Severity};
pub use fix::{
    FixOptions, FixPreview, FixedDialog, RenderedChange, SkipReason, SkippedFix, at_once,
    edit_preview, fix, fix_previews, rendered_changes,
};
pub use ignores::{
    BadIgnoreLine, DialogPlace, ExcludedDialog, IGNORES_FILE, IgnoreEntry, Ignores, IgnoresLine,
    quoted,
};
pub use linter::{LintResult, Linter};
pub(in crate::lint) use rule::rules;
pub use rule::{Check, Findings, Rule, SelectedRule};
pub use selection::{Selection, UnknownRule};
