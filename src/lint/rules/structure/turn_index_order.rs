//! Turn indices are not consecutive.
//!
//! A missing, repeated or out-of-order index means that turns were lost, duplicated or reordered,
//! or that turns were edited without updating their indices. References by index, such as those of
//! API calls and breakdown labels, then point to the wrong turn.
//!
//! Indices may start at any number, and each gap is reported once. The turns of simulated dialogues
//! have no indices and are not checked. A detector may leave turns unlabelled, so in its output
//! only repeated indices are reported.
//!
//! There is no fix, because only a person can tell whether the turn or its index is wrong.
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

use foldhash::{HashSet, HashSetExt as _};

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "turn-index-order",
    severity: Severity::Warning,
    on: true,
    source: include_str!("turn_index_order.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if matches!(subject.format.name(), "sim" | "sim-gen") {
        return;
    }
    if subject.format.is_companion() {
        return labelled_twice(subject, found);
    }
    // The index that should come next, and an alternative: after an unexpected index, counting may go
    // on from it or from where it was before.
    let mut expected: Option<(u64, u64)> = None;
    for (position, turn) in subject.turns() {
        // Subagents count their own turns.
        if subject.dialog.branches.of_turn(position).is_some() {
            continue;
        }
        let Some(index) = turn.index.map(u64::from) else {
            expected = expected.map(|(next, _)| (next + 1, next + 1));
            continue;
        };
        match expected {
            Some((next, other)) if index != next && index != other => {
                let message = format!("turn index is {index}, expected {next}");
                found.add(subject.location_of(position), message);
                expected = Some((next + 1, index + 1));
            }
            _ => expected = Some((index + 1, index + 1)),
        }
    }
}

/// A detector may leave turns out, but labels none twice.
fn labelled_twice(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut seen = HashSet::new();
    for (position, turn) in subject.turns() {
        if let Some(index) = turn.index.filter(|index| !seen.insert(*index)) {
            let message = format!("turn {index} is labelled twice");
            found.add(subject.location_of(position), message);
        }
    }
}
