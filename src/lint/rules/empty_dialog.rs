//! A dialog has no turns.
//!
//! Nobody says anything in it, so there is nothing to learn from it; most often its turns were lost
//! when the corpus was filtered or converted. It still counts as a dialog in every statistic.
//!
//! There is no fix: dialogs are not deleted by rules.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": []}
//! ```
//!
//! ```text good
//! user: two for Dune
//! ```

use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "empty-dialog",
    severity: Severity::Warning,
    on: true,
    source: include_str!("empty_dialog.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // Where the list of turns is missing or is no list, schema says so.
    if subject.dialog.turns.is_empty() && subject.issues.is_empty() {
        found.add(subject.spot(), "the dialog has no turns");
    }
}
