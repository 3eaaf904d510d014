//! The index of a call differs from that of its turn.
//!
//! A call repeats the index of its utterance. If the two differ, the call or the utterance was
//! moved by hand, and it is unclear to which turn the call belongs.
//!
//! There is no fix, because only a person can tell which index is right.
//!
//! The rule applies to Taskmaster-3, where calls repeat the index of their turn.
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

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "api-turn-index",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_turn_index.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.is_chat() {
        return;
    }
    for call in subject.calls() {
        let index = call.of.fields.iter().find(|field| field.name == "index");
        let (Some(index), Some(own)) = (index, subject.dialog.turns[call.turn].index) else {
            continue;
        };
        let said: Option<u32> = index.content.as_str().parse().ok();
        if let Some(said) = said.filter(|said| *said != own) {
            let name = &call.of.name;
            let message = format!("{name} has index {said}, but its turn has index {own}");
            found.add(subject.location_at(call.turn, index.at), message);
        }
    }
}
