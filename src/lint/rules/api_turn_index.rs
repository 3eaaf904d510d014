//! A call says it belongs to another turn than the one it stands in.
//!
//! The index of a call repeats that of its utterance. Where they differ, the call or the utterance was
//! moved by hand, and nobody can tell to which turn the call belongs.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 4, "args": {"name.genre": "horror"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 4, "speaker": "user", "text": "any horror?", "apis": [
//!     {"name": "find_movies", "index": 4, "args": {"name.genre": "horror"}}]}]}
//! ```

use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "api-turn-index",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_turn_index.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        let index = call.of.fields.iter().find(|field| field.name == "index");
        let (Some(index), Some(own)) = (index, subject.dialog.turns[call.turn].index) else {
            continue;
        };
        let said: Option<u32> = index.content.as_str().parse().ok();
        if let Some(said) = said.filter(|said| *said != own) {
            let name = &call.of.name;
            let message = format!("{name} says it is of turn {said}, but stands in turn {own}");
            found.add(subject.spot_at(call.turn, index.at), message);
        }
    }
}
