//! All turns of a dialog are by the same speaker.
//!
//! A dialog takes two. Where one side is missing, turns were lost, or all of them were given to one
//! speaker when the corpus was converted.
//!
//! A dialog of a single turn is left alone.
//!
//! There is no fix: who said what has to be decided by somebody.
//!
//! ```text bad
//! user: two for Dune
//! user: at which theater?
//! ```
//!
//! ```text good
//! user: two for Dune
//! assistant: at which theater?
//! ```

use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "one-speaker-dialog",
    severity: Severity::Warning,
    on: true,
    source: include_str!("one_speaker_dialog.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // What a detector says of turns does not say who spoke.
    let [first, second @ ..] = &subject.dialog.turns[..] else {
        return;
    };
    let alone = |other: &crate::dialog::Turn| other.speaker == first.speaker;
    if subject.format.is_companion() || second.is_empty() || !second.iter().all(alone) {
        return;
    }
    let speaker = &first.speaker.name;
    if !speaker.is_empty() {
        let count = subject.dialog.turns.len();
        found.add(
            subject.spot(),
            format!("all {count} turns are by {}", quoted(speaker)),
        );
    }
}
