//! A line of a session has the id of an earlier one.
//!
//! Programs write the history again, for example after it was shortened. A line that says the same as the earlier one
//! is read once, and reported as a note, a run of such lines once. If it says something else, both are turns, and
//! one of them has the wrong id or was changed.
//!
//! There is no fix, because lines of sessions name each other.
//!
//! ```json bad
//! {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
//! {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is low tide?"}}
//! ```
//!
//! ```json good
//! {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
//! {"type": "assistant", "sessionId": "s", "uuid": "e2", "message": {"role": "assistant", "content": "at two"}}
//! ```

use crate::dialog::LineAgain;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::{Location, Subject};
use crate::text::counted;

pub static RULE: Rule = Rule {
    name: "line-repeated",
    severity: Severity::Warning,
    on: true,
    source: include_str!("line_repeated.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let goes_on = |one: &LineAgain, next: &LineAgain| {
        one.turn.is_none() && next.turn.is_none() && next.first == one.first + 1
    };
    for run in subject.dialog.lines.again.chunk_by(goes_on) {
        let LineAgain { at, first, turn } = run[0];
        let location = Location { turn, at, ..Location::default() };
        match (turn, run.len()) {
            (Some(_), _) => {
                let message =
                    format!("has the id of the line of turn {first}, and says something else");
                found.add(location, message);
            }
            (None, 1) => {
                let message = format!("repeats the line of turn {first}, and is read once");
                found.add_at_most(Severity::Note, location, message);
            }
            (None, count) => {
                let lines = counted(count, "line");
                let message = format!(
                    "{lines} from here on repeat those from turn {first} on, and are read once"
                );
                found.add_at_most(Severity::Note, location, message);
            }
        }
    }
}
