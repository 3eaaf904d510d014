//! A turn is only a placeholder for a deleted turn.
//!
//! Some releases replace a turn that had to be removed with text such as `(deleted)`. Nobody said
//! that, but a model trained on it will.
//!
//! There is no fix, because only a person can decide whether to remove the turn, the exchange or
//! the dialog.
//!
//! ```text bad
//! user: two for Dune
//! assistant: (deleted)
//! ```
//!
//! ```text good
//! user: two for Dune
//! assistant: your old booking was deleted
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "deleted-turn",
    severity: Severity::Warning,
    on: true,
    source: include_str!("deleted_turn.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        let text = turn.text.trim();
        if is_placeholder(text) {
            let message = format!("{} is a placeholder for a deleted turn", quoted(text));
            found.add(subject.location_of(position), message);
        }
    }
}

fn is_placeholder(text: &str) -> bool {
    let bracketed = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let pairs = [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}'), ('*', '*')];
    // A longer text cannot be one.
    if text.len() > 20 {
        return false;
    }
    let word = pairs.iter().find_map(|&(open, close)| bracketed(open, close));
    let words = ["deleted", "removed", "redacted", "deleted turn"];
    word.is_some_and(|word| words.iter().any(|w| word.trim().eq_ignore_ascii_case(w)))
}
