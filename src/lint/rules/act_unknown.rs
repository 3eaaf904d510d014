//! A dialogue act that the corpus does not use.
//!
//! Acts are a short closed list; another name is a slip, and whoever learns acts from the corpus gets
//! one too many.
//!
//! The fix is the act that is meant: safe where only capitals or separators differ, unsafe where
//! letters differ, for display where several are equally near.
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

use super::names;
use super::slot_value::slots_of;
use crate::dialog::Edit;
use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::ontology::near;

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
        let acts = turn.acts.iter().enumerate();
        for (place, act) in acts.filter(|(_, act)| !known.contains(&*act.name)) {
            let spot = subject.spot_at(number, act.at);
            let message = format!("\"{}\" is no act of {}", act.name, subject.ontology.title);
            let near = near(&act.name, known.iter().map(String::as_str));
            names::unknown(subject.ontology, (spot, message), &near, found, |right| {
                Some(Edit::SetAct {
                    turn: number,
                    act: place,
                    name: right.to_owned(),
                    slots: slots_of(act)?,
                })
            });
        }
    }
}
