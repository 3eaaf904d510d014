//! A user intent is not in the ontology of its corpus.
//!
//! The list of intents is short and fixed, so another name is a typo or an intent of another
//! corpus.
//!
//! The fix is the intended intent: safe if only capitalization or separators differ, unsafe if
//! letters differ, manual if several are equally close.
//!
//! The rule does not apply to dialogs without an ontology that lists intents.
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

use crate::dialog::{Edit, Short};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::rules::names;
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "intent-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("intent_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let known = &subject.ontology.intents;
    if known.is_empty() {
        return;
    }
    for (number, turn) in subject.turns() {
        let intents = turn.intents.iter().enumerate();
        for (place, intent) in intents.filter(|(_, intent)| !known.contains(&***intent)) {
            let location = subject.location_of(number);
            let message = names::message("intent", intent, subject.ontology);
            let near = near(intent, known.iter().map(String::as_str));
            names::unknown(subject.ontology, location, message, &near, found, |right| {
                let mut intents: Vec<_> = turn.intents.iter().map(Short::to_string).collect();
                right.clone_into(&mut intents[place]);
                Some(Edit::SetIntents { turn: number, intents })
            });
        }
    }
}
