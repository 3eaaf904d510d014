//! The speaker of a turn is neither the user nor the system.
//!
//! Programs that read the corpus distinguish the two sides by the speaker's name, and drop or
//! misread turns with any other name. Most often the name is misspelled. The known names, in any
//! case, are `user` and `u`, `assistant`, `system` and `s`.
//!
//! There is no fix, because only a person can tell who spoke.
//!
//! ```text bad
//! user: two for Dune
//! asistant: at which theater?
//! ```
//!
//! ```text good
//! user: two for Dune
//! assistant: at which theater?
//! ```

use crate::dialog::Role;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "unknown-speaker",
    severity: Severity::Warning,
    on: true,
    source: include_str!("unknown_speaker.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // chat-role-unknown checks the roles of chats.
    if subject.format.is_companion() || subject.is_chat() {
        return;
    }
    for (position, turn) in subject.turns() {
        if turn.speaker.role != Role::Other || subject.format.may_speak(&turn.speaker.name) {
            continue;
        }
        let name = &turn.speaker.name;
        // If the name is missing or is not a string, schema reports it.
        if name.is_empty() && subject.issues.iter().any(|issue| issue.turn == Some(position)) {
            continue;
        }
        let message = format!("speaker {} is neither the user nor the system", quoted(name));
        found.add(subject.location_of(position), message);
    }
}
