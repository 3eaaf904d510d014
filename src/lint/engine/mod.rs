//! Runs rules on dialogs, applies fixes, and knows which problems somebody ignored.
//!
//! It works with any table of rules and knows none by name.

mod fix;
mod ignores;
mod linter;
mod rule;

pub use fix::{
    FixOptions, FixPreview, FixedDialog, RenderedChange, SkipReason, SkippedFix, at_once,
    edit_preview, fix, fix_previews, rendered_changes,
};
pub use ignores::{
    BadIgnoreLine, DialogPlace, ExcludedDialog, IGNORES_FILE, IgnoreEntry, Ignores, IgnoresLine,
    quoted,
};
pub use linter::{LintResult, Linter, Selection, UnknownRule};
pub(crate) use rule::rules;
pub use rule::{
    Applicability, Check, Diagnostic, DiagnosticKey, Findings, Fix, Rule, SelectedRule, Severity,
};
