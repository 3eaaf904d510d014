//! An act says a value, and no slot of its utterance covers it.
//!
//! In the simulated dialogues every value of an act is a slot of the utterance that says it, to the
//! letter; the one exception is `dontcare`, which nobody says. Where a slot covers something else, its
//! edges slipped, or the utterance or the act was changed without the other. An act with a value and no
//! name of a slot is found too.
//!
//! The fix moves the slot to where the utterance says the value, or adds one there (unsafe).
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "system_acts": [{"type": "OFFER", "slot": "movie", "value": "doctor who"}],
//!   "system_utterance": {"text": "how about doctor who", "tokens": ["how", "about", "doctor", "who"],
//!     "slots": [{"slot": "movie", "start": 1, "exclusive_end": 3}]},
//!   "user_utterance": {"text": "no", "tokens": ["no"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "system_acts": [{"type": "OFFER", "slot": "movie", "value": "doctor who"}],
//!   "system_utterance": {"text": "how about doctor who", "tokens": ["how", "about", "doctor", "who"],
//!     "slots": [{"slot": "movie", "start": 2, "exclusive_end": 4}]},
//!   "user_utterance": {"text": "no", "tokens": ["no"], "slots": []}}]}
//! ```

use super::slot_value::{cover, is_open, says};
use crate::lint::{Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "act-value-without-slot",
    severity: Severity::Warning,
    on: true,
    source: include_str!("act_value_without_slot.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::Tokens {
        return;
    }
    for (number, turn) in subject.turns() {
        for act in &turn.acts {
            for said in &act.slots {
                let Some(value) = &said.value else {
                    continue;
                };
                let (value, name) = (value.as_str(), &act.name);
                let spot = subject.spot_at(number, act.at);
                if said.slot.is_empty() {
                    found.add(
                        spot,
                        format!("{name} says \"{value}\", but not of which slot"),
                    );
                    continue;
                }
                let mut mentions = subject.mentions_of(number).iter();
                let covers = |m: &_| says(m, &said.slot, value);
                if is_open(value) || mentions.any(covers) {
                    continue;
                }
                let slot = &said.slot;
                let message = format!("{name} says {slot} \"{value}\", which no slot here covers");
                let diagnostic = found.add(spot, message);
                cover(subject, (number, turn), (slot, value), diagnostic);
            }
        }
    }
}
