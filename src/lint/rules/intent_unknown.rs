//! An intent of the user that the corpus does not use.
//!
//! Intents are a short closed list; another name is a slip, or an intent of another corpus.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": ["BUY_MOVIE_TICKET"],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": ["BUY_MOVIE_TICKETS"],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```

use super::call_value::unlisted;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "intent-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("intent_unknown.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.intents;
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        for intent in turn
            .intents
            .iter()
            .filter(|intent| !known.contains(&***intent))
        {
            let what = format!("\"{intent}\" is no intent of {}", subject.ontology.title);
            let spot = subject.spot_of(number);
            unlisted(subject, spot, (intent, known), what, found);
        }
    }
}
