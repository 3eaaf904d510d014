//! A dialogue act is not in the ontology of its corpus.
//!
//! The list of acts is short and fixed, so another name is a typo, and models learn one act too
//! many.
//!
//! If the ontology was collected from only part of its corpus, an act that resembles no known one
//! is reported as a note.
//!
//! The fix is the intended act: safe if only capitalization or separators differ, unsafe if letters
//! differ, manual if several are equally close.
//!
//! The rule does not apply to dialogs without an ontology that lists acts.
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

use super::slot_value::slots_of;
use crate::dialog::Edit;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::rules::names;
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "act-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("act_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let (ontology, known) = (subject.ontology, &subject.ontology.acts);
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        let acts = turn.acts.iter().enumerate();
        for (place, act) in acts.filter(|(_, act)| !ontology.knows_act(&act.name)) {
            let location = subject.location_at(number, act.at);
            let message = names::message("act", &act.name, subject.ontology);
            let near = near(&act.name, known.iter().map(String::as_str));
            names::unknown(subject.ontology, location, message, &near, found, |right| {
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
