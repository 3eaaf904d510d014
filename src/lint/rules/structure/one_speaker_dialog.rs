//! All turns of a dialog have the same speaker.
//!
//! A dialog needs two speakers. If one is missing, either their turns were lost, or a conversion
//! assigned all turns to one speaker. Dialogs with a single turn are not reported.
//!
//! There is no fix, because only a person can tell who said what.
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

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "one-speaker-dialog",
    severity: Severity::Warning,
    on: true,
    source: include_str!("one_speaker_dialog.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // A detector's output does not say who spoke.
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
        found.add(subject.location(), format!("all {count} turns are by {}", quoted(speaker)));
    }
}
