//! A call names an API that is not in the ontology of its corpus.
//!
//! No such API exists, so a model trained on the call learns to call nothing.
//!
//! If the ontology was collected from only part of its corpus, a name that resembles no known one
//! is reported as a note.
//!
//! The fix is the intended name: safe if only capitalization or separators differ, unsafe if
//! letters differ, manual if several are equally close.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movie", "index": 0, "args": {"name.genre": "horror"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 0, "args": {"name.genre": "horror"}}]}]}
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::{Call, Subject};
use crate::lint::rules::names::{self, is_checked};
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "api-unknown-name",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_name.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let ontology = subject.ontology;
    if !is_checked(subject) {
        return;
    }
    let unknown = |call: &&Call<'_>| call.is_unknown();
    for call in subject.calls().iter().filter(unknown) {
        let name = &call.of.name;
        let message = names::message("API", name, ontology);
        let near = near(name, ontology.apis.keys().map(String::as_str));
        names::unknown(ontology, call.location(), message, &near, found, |right| {
            Some(call.set_api(right))
        });
    }
}
