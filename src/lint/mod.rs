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
mod first_said;
mod fix;
mod ignores;
pub mod labels;
mod lookup;
mod meaning;
pub mod meeting;
pub mod misplaced;
pub mod repair;
mod returned;
mod rule;
mod rules;
mod said;
mod selection;
mod slot_lookup;
pub mod slots;
mod subject;
mod twins;
mod value;
mod vocabulary;

pub use call::{Call, Values};
pub use diagnostic::{Applicability, Diagnostic, Fix, Key, Severity, Spot};
pub use fix::{Fixed, Fixing, LetBe, Repair, Unmade, Why, fix, repairs};
pub use ignores::{BadLine, IGNORES_FILE, Ignored, Ignores, quoted};
pub use rule::{Findings, Look, Rule};
pub use rules::{RULES, file_name, labels_file, named};
pub use said::Said;
pub use selection::{Selection, Unknown};
pub use subject::{Mention, Subject, ontology_of};
pub use twins::{Known, said, twins};

/// All problems that the selected rules find in a dialog, in the order of its text.
pub fn lint(subject: &Subject<'_>, selection: &Selection) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for (rule, severity) in selection.rules() {
        if let Look::Dialog(check) = rule.check {
            check(subject, &mut Findings::new(rule, severity, &mut found));
        }
    }
    // If several start at one place, the most severe one comes first.
    found.sort_by_key(|d| (d.spot.turn, d.spot.at.start, std::cmp::Reverse(d.severity)));
    found
}
