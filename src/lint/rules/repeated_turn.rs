//! A speaker says the same turn twice in a row.
//!
//! A turn that was doubled when the corpus was collected or converted breaks the order of speaking,
//! and counts twice in training and in every statistic.
//!
//! That one of them has a blank more at an edge makes no other turn of it.
//!
//! People do say "hello?" twice. A text of one or two words is told only where the speakers take turns
//! through all the rest of the dialog.
//!
//! There is no fix: which of the two carries the right labels has to be decided by somebody.
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
use crate::lint::repair::is_blank;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "repeated-turn",
    severity: Severity::Warning,
    on: true,
    source: include_str!("repeated_turn.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let turns = &subject.dialog.turns;
    let takes_turns = LazyCell::new(|| takes_turns(subject.dialog));
    for (position, pair) in (1..).zip(turns.windows(2)) {
        if is_repeated(&pair[0], &pair[1])
            && (pair[1].text.split_whitespace().nth(2).is_some() || *takes_turns)
        {
            let message = format!("this turn repeats turn {}", position - 1);
            found.add(subject.spot_of(position), message);
        }
    }
}

fn is_repeated(first: &Turn, second: &Turn) -> bool {
    let (one, other) = (
        first.text.trim_matches(is_blank),
        second.text.trim_matches(is_blank),
    );
    first.speaker == second.speaker && one == other && !other.is_empty()
}

/// True if nobody speaks twice in a row but to repeat what was said.
fn takes_turns(dialog: &Dialog) -> bool {
    let fits =
        |pair: &[Turn]| pair[0].speaker != pair[1].speaker || is_repeated(&pair[0], &pair[1]);
    dialog.turns.len() > 3 && dialog.turns.windows(2).all(fits)
}
