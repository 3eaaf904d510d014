//! A call has an argument that its API does not accept.
//!
//! Either the name of the argument is misspelled, or the call is for another API. Numbered
//! arguments (`name.movie_2`) are accepted.
//!
//! If the ontology was collected from only part of its corpus, a name that resembles no known one
//! is reported as a note.
//!
//! The fix is the intended name: safe if only capitalization or separators differ or the typo is a
//! known one, unsafe if letters differ, manual if several are equally close.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 0, "args": {"name.gender": "horror"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"}}]}]}
//! ```

use crate::dialog::CallPart;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::rules::names::{is_checked, unknown_value};

pub static RULE: Rule = Rule {
    name: "api-unknown-argument",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_argument.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api else {
            continue;
        };
        let fields = call.arguments.fields();
        for field in fields.iter().filter(|field| !api.takes(&field.name)) {
            let known = api.required.iter().chain(&api.optional);
            unknown_value(subject, call, CallPart::Arguments, field, known, found);
        }
    }
}
