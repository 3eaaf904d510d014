//! The response to a call has a name that its API does not answer with.
//!
//! Either the name slipped, or it is the response to another call. Numbers of one of several
//! (`time.showing_2`) are all right.
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

use super::names::unknown_value;
use crate::dialog::Part;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "api-unknown-response",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_response.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        let Some(api) = call.api.filter(|api| !api.responses.is_empty()) else {
            continue;
        };
        let fields = call.response.fields();
        for field in fields.iter().filter(|field| !api.answers(&field.name)) {
            let known = api.responses.iter();
            unknown_value(subject, call, Part::Response, (field, known), found);
        }
    }
}
