//! A call of an API that the corpus's ontology does not have.
//!
//! No such API can be called, so whatever is trained on it learns to call nothing.
//!
//! The fix is the name that is meant: safe where only capitals or separators differ, unsafe where
//! letters differ, for display where several are equally near.
//!
//! Where an ontology was gathered from a part of its corpus, a name that resembles none it has is only
//! worth a look.
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

use super::names;
use crate::lint::{Call, Findings, Look, Rule, Severity, Subject};
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "api-unknown-name",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_unknown_name.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let ontology = subject.ontology;
    if ontology.apis.is_empty() {
        return;
    }
    let unknown = |call: &&Call<'_>| call.is_unknown();
    for call in subject.calls().iter().filter(unknown) {
        let name = &call.of.name;
        let message = format!("\"{name}\" is no API of {}", ontology.title);
        let near = near(name, ontology.apis.keys().map(String::as_str));
        names::unknown(ontology, (call.spot(), message), &near, found, |right| {
            Some(call.set_api(right))
        });
    }
}
