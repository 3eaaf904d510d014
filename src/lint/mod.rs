//! Rules that find problems in well-formed dialogs, and the fixes for them.
//!
//! A rule is one file in `rules/` and one line in [`RULES`]. Its doc comment is its manual page, with
//! examples that a test runs. A rule reports a [`Diagnostic`] for each problem. A [`Fix`] consists of the
//! same [`crate::dialog::Edit`]s that the keyboard makes.
//!
//! This layer knows dialogs and formats, but not the screen or the disk.

mod call;
mod call_fix;
mod diagnostic;
mod duplicate_ids;
mod first_occurrence;
mod fix;
mod ignores;
pub mod labels;
mod lookup;
mod meaning;
pub mod overlap;
pub mod repair;
mod return_values;
mod rule;
mod rules;
mod selection;
mod slot_lookup;
pub mod slots;
pub mod span_fault;
mod subject;
mod transcript;
mod value;
mod vocabulary;

pub use call::{Call, Values};
pub use diagnostic::{Applicability, Diagnostic, DiagnosticKey, Fix, Location, Severity};
pub use duplicate_ids::{KnownDialog, duplicates, text_hash};
pub use fix::{
    FixOptions, FixPreview, FixedDialog, IgnoreFilter, SkipReason, SkippedFix, at_once, fix,
    fix_previews,
};
pub use ignores::{BadIgnoreLine, IGNORES_FILE, IgnoreEntry, Ignores, quoted};
pub use rule::{Check, Findings, Rule};
pub use rules::{RULES, file_name, labels_file, named};
pub use selection::{Selection, UnknownRule};
pub use subject::{Mention, Subject, ontology_of};
pub use transcript::LowercaseTranscript;

/// All problems that the selected rules find in a dialog, in the order of its text.
pub fn lint(subject: &Subject<'_>, selection: &Selection) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (rule, severity) in selection.rules() {
        if let Check::Dialog(check) = rule.check {
            check(subject, &mut Findings::new(rule, severity, &mut found));
        }
    }
    // If several start at one place, the most severe one comes first.
    found.sort_by_key(|d| (d.spot.turn, d.spot.at.start, std::cmp::Reverse(d.severity)));
    found
}
