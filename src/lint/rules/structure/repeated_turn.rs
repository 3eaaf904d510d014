//! Two consecutive turns of one speaker have the same text.
//!
//! A turn that was duplicated when the corpus was collected or converted breaks the alternation of
//! speakers, and counts twice in training and in every statistic.
//!
//! The comparison ignores whitespace at the edges of a turn. People do say "hello?" twice, so a
//! text of one or two words is reported only if the speakers alternate in the rest of the dialog.
//!
//! There is no fix, because only a person can tell which of the two turns has the right labels.
//!
//! ```text bad
//! user: two tickets for Dune please
//! user: two tickets for Dune please
//! assistant: at which theater?
//! ```
//!
//! ```text good
//! user: two tickets for Dune please
//! assistant: two tickets for Dune please
//! user: yes
//! user: at seven
//! assistant: hello?
//! assistant: hello?
//! ```

use std::cell::LazyCell;

use crate::dialog::{Dialog, Turn};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::is_blank;

pub static RULE: Rule = Rule {
    name: "repeated-turn",
    severity: Severity::Warning,
    on: true,
    source: include_str!("repeated_turn.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let turns = &subject.dialog.turns;
    let takes_turns = LazyCell::new(|| takes_turns(subject.dialog));
    for (position, pair) in (1..).zip(turns.windows(2)) {
        if is_repeated(&pair[0], &pair[1])
            && (pair[1].text.split_whitespace().nth(2).is_some() || *takes_turns)
        {
            let message = format!("this turn repeats turn {}", position - 1);
            found.add(subject.location_of(position), message);
        }
    }
}

fn is_repeated(first: &Turn, second: &Turn) -> bool {
    let (one, other) = (first.text.trim_matches(is_blank), second.text.trim_matches(is_blank));
    first.speaker == second.speaker && one == other && !other.is_empty()
}

/// True if the speakers alternate, apart from repeated turns.
fn takes_turns(dialog: &Dialog) -> bool {
    let fits =
        |pair: &[Turn]| pair[0].speaker != pair[1].speaker || is_repeated(&pair[0], &pair[1]);
    dialog.turns.len() > 3 && dialog.turns.windows(2).all(fits)
}
