//! A turn is by somebody who is neither the user nor the system.
//!
//! Programs that read the corpus tell the two sides apart by the speaker's name, and drop or misread
//! turns with another one. Most often it is misspelled. Names that are known are `user` and `u`,
//! `assistant`, `system` and `s`, in capitals or not.
//!
//! There is no fix: who spoke has to be decided by somebody.
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
use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "unknown-speaker",
    severity: Severity::Warning,
    on: true,
    source: include_str!("unknown_speaker.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.format.is_companion() {
        return;
    }
    for (position, turn) in subject.turns() {
        if turn.speaker.role != Role::Other {
            continue;
        }
        let name = &turn.speaker.name;
        // Where the name is missing or is no text, schema says so.
        if name.is_empty()
            && subject
                .issues
                .iter()
                .any(|issue| issue.turn == Some(position))
        {
            continue;
        }
        let message = format!("{} is neither the user nor the system", quoted(name));
        found.add(subject.spot_of(position), message);
    }
}
