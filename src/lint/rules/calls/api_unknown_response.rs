//! A response contains a field that its API does not return.
//!
//! Either the name of the field is misspelled, or the response belongs to another call. Numbered
//! fields (`time.showing_2`) are accepted.
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
//!     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"},
//!      "response": {"time.showing_1": "The Lodger"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"},
//!      "response": {"name.movie_1": "The Lodger"}}]}]}
//! ```

use crate::dialog::CallPart;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::rules::names::{is_checked, unknown_value};

pub static RULE: Rule = Rule {
    name: "api-unknown-response",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_response.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api.filter(|api| !api.responses.is_empty()) else {
            continue;
        };
        let fields = call.response.fields();
        for field in fields.iter().filter(|field| !api.answers(&field.name)) {
            let known = api.responses.iter();
            unknown_value(subject, call, CallPart::Response, field, known, found);
        }
    }
}
