//! A call has an argument that its API does not take.
//!
//! Either the name slipped, or the call is another one. Numbers of one of several (`name.movie_2`) are
//! all right.
//!
//! The fix is the name that is meant: safe where only capitals or separators differ or the slip is a
//! known one, unsafe where letters differ, for display where several are equally near.
//!
//! Where an ontology was gathered from a part of its corpus, a name that resembles none it has is only
//! worth a look.
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

use super::names::unknown_value;
use crate::dialog::Part;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "api-unknown-argument",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_argument.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        let Some(api) = call.api else {
            continue;
        };
        let fields = call.arguments.fields();
        for field in fields.iter().filter(|field| !api.takes(&field.name)) {
            let known = api.required.iter().chain(&api.optional);
            unknown_value(subject, call, Part::Arguments, (field, known), found);
        }
    }
}
