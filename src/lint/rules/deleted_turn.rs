//! A placeholder stands where a turn was deleted.
//!
//! Some releases keep the place of a turn that had to go and write `(deleted)` into it. Nobody said
//! that, and a model that is trained on it will.
//!
//! There is no fix: whether the turn, the exchange or the dialog goes has to be decided by somebody.
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

use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "deleted-turn",
    severity: Severity::Warning,
    on: true,
    source: include_str!("deleted_turn.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        let text = turn.text.trim();
        if is_placeholder(text) {
            let message = format!(
                "{} is a placeholder for a turn that was deleted",
                quoted(text)
            );
            found.add(subject.spot_of(position), message);
        }
    }
}

fn is_placeholder(text: &str) -> bool {
    let bracketed = |open, close| text.strip_prefix(open)?.strip_suffix(close);
    let pairs = [('(', ')'), ('[', ']'), ('<', '>'), ('{', '}'), ('*', '*')];
    // No text that is longer can be one.
    if text.len() > 20 {
        return false;
    }
    let word = pairs
        .iter()
        .find_map(|&(open, close)| bracketed(open, close));
    let words = ["deleted", "removed", "redacted", "deleted turn"];
    word.is_some_and(|word| words.iter().any(|w| word.trim().eq_ignore_ascii_case(w)))
}
