//! The numbers of the turns do not count on.
//!
//! A number that is missing, repeated or out of order says that turns were lost, doubled or mixed up,
//! or that they were edited and their numbers were not. Whatever names turns by number (calls,
//! breakdown labels) then names the wrong one.
//!
//! Counting may begin anywhere. Where it jumps, the jump is told once. The turns of the simulated
//! dialogues have no numbers, and a detector need not have judged every turn.
//!
//! There is no fix: whether the turn or its number is wrong has to be decided by somebody.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": "two for Dune"},
//!   {"index": 2, "speaker": "ASSISTANT", "text": "at which theater?"}]}
//! ```
//!
//! ```text good
//! user: two for Dune
//! assistant: at which theater?
//! ```

use std::collections::HashSet;

use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "turn-index-order",
    severity: Severity::Warning,
    on: true,
    source: include_str!("turn_index_order.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if matches!(subject.format.name(), "sim" | "sim-gen") {
        return;
    }
    if subject.format.is_companion() {
        return labelled_twice(subject, found);
    }
    // The number that is expected, and another one that would do: behind a number that does not fit,
    // counting may go on from it or as if it were not there.
    let mut expected: Option<(u64, u64)> = None;
    for (position, turn) in subject.turns() {
        let Some(index) = turn.index.map(u64::from) else {
            expected = expected.map(|(next, _)| (next + 1, next + 1));
            continue;
        };
        match expected {
            Some((next, other)) if index != next && index != other => {
                let message = format!("this turn has number {index}, but {next} comes next");
                found.add(subject.spot_of(position), message);
                expected = Some((next + 1, index + 1));
            }
            _ => expected = Some((index + 1, index + 1)),
        }
    }
}

/// Labels leave turns out, but none has two.
fn labelled_twice(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for (position, turn) in subject.turns() {
        if let Some(index) = turn.index.filter(|index| !seen.insert(*index)) {
            let message = format!("turn {index} is labelled twice");
            found.add(subject.spot_of(position), message);
        }
    }
}
