//! A dialogue act that the corpus does not use.
//!
//! Acts are a short closed list; another name is a slip, and whoever learns acts from the corpus gets
//! one too many.
//!
//! Where an ontology was gathered from a part of its corpus, an act that resembles none it has is only
//! worth a look.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [{"type": "INFROM"}], "user_intents": [],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [{"type": "INFORM"}], "user_intents": [],
//!   "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 3}]}}]}
//! ```

use super::call_value::unlisted;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "act-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("act_unknown.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.acts;
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        for act in turn.acts.iter().filter(|act| !known.contains(&*act.name)) {
            let what = format!("\"{}\" is no act of {}", act.name, subject.ontology.title);
            let spot = subject.spot_at(number, act.at);
            unlisted(subject, spot, (&act.name, known), what, found);
        }
    }
}
