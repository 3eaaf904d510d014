//! A dialog has no turns.
//!
//! There is nothing to learn from an empty dialog, but every statistic counts it. Most often its
//! turns were lost when the corpus was filtered or converted.
//!
//! There is no fix: rules do not delete dialogs.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": []}
//! ```
//!
//! ```text good
//! user: two for Dune
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "empty-dialog",
    severity: Severity::Warning,
    on: true,
    source: include_str!("empty_dialog.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // If the list of turns is missing or is not a list, schema reports it.
    if subject.dialog.turns.is_empty() && subject.issues.is_empty() {
        found.add(subject.location(), "the dialog has no turns");
    }
}
