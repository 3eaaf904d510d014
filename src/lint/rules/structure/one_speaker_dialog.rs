//! All turns of a dialog have the same speaker.
//!
//! A dialog needs two speakers. If one is missing, either their turns were lost, or a conversion
//! assigned all turns to one speaker. Dialogs with a single turn are not reported.
//!
//! In chats, questions may be without answers, and an answer without its request: that is not reported either.
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

use crate::dialog::{Role, Turn};
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
    // Questions may be without answers, and an answer without its request.
    let is_known = |turn: &Turn| matches!(turn.speaker.role, Role::User | Role::System);
    let has_tools = subject.format.declares_apis();
    if (subject.is_chat() || has_tools) && subject.dialog.turns.iter().all(is_known) {
        return;
    }
    // A detector's output does not say who spoke.
    let [first, second @ ..] = &subject.dialog.turns[..] else {
        return;
    };
    let alone = |other: &Turn| other.speaker == first.speaker;
    if subject.format.is_companion() || second.is_empty() || !second.iter().all(alone) {
        return;
    }
    let speaker = &first.speaker.name;
    if !speaker.is_empty() {
        let count = subject.dialog.turns.len();
        found.add(subject.location(), format!("all {count} turns are by {}", quoted(speaker)));
    }
}
