//! An act has a value that no slot of its utterance covers.
//!
//! In the simulated dialogues, every value of an act is, to the letter, the text of a slot in its
//! utterance. The only exception is `dontcare`, which nobody says. If a slot covers something else,
//! its edges are wrong, or the utterance or the act was changed without the other. An act with a
//! value but no slot name is reported too.
//!
//! The fixes move a slot that covers no value to the text of the act's value, rename the slot on
//! that text, or add one. If the rest of the dialog has the value under the name of that slot, the
//! fix renames the slot of the act instead. If the utterance does not contain the value, the fix
//! sets the value to the text that the slot covers. All are unsafe, or manual if two choices are
//! equally likely.
//!
//! The rule applies only to families whose segments count words and whose values are words of the dialog. In
//! `MultiWOZ`, SGD and ConvLab-3, acts may have other words.
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

use std::cmp::Ordering;

use super::slot_value::{cover, has_sound_tokens, misnamed, set_act_slot};
use crate::dialog::{Act, EditValue};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::slots::{self, is_covered, is_open, is_stray, segment_confirms};
use crate::lint::facts::{Mention, Subject};

pub static RULE: Rule = Rule {
    name: "act-value-without-slot",
    severity: Severity::Warning,
    on: true,
    source: include_str!("act_value_without_slot.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.dialog.units.is_tokens() || !subject.format.has_literal_values() {
        return;
    }
    for (number, turn) in subject.turns() {
        for (place, act) in turn.acts.iter().enumerate() {
            let at = (number, place);
            for (place, said) in act.slots.iter().enumerate() {
                let Some(value) = &said.value else {
                    continue;
                };
                let (value, name, slot) = (value.as_str(), &act.name, said.slot.as_str());
                let location = subject.location_at(number, act.at);
                if slot.is_empty() {
                    let message = format!("{name} has the value \"{value}\", but no slot");
                    offer_name(subject, at, (act, place), value, found.add(location, message));
                    continue;
                }
                if is_open(value)
                    || is_covered(subject, number, slot, value)
                    || segment_confirms(subject, number, slot, value)
                    // slot-unknown reports its name.
                    || !subject.ontology.knows_label(slot)
                {
                    continue;
                }
                let message =
                    format!("{name} has {slot} \"{value}\", which no slot of the utterance covers");
                let diagnostic = found.add(location, message);
                offer(subject, at, (act, place), (slot, value), diagnostic);
            }
        }
    }
}

/// Offers fixes for the slot at `place` of an act, whose value no slot of the utterance covers.
fn offer(
    subject: &Subject<'_>,
    at: (usize, usize),
    (act, place): (&Act, usize),
    (slot, value): (&str, &str),
    diagnostic: &mut Diagnostic,
) {
    let other = misnamed(subject, at.0, slot, value);
    let rename = |diagnostic: &mut Diagnostic, applicability| {
        let Some((mention, _)) = other else {
            return;
        };
        let label = mention.label();
        let edit = set_act_slot(at, act, place, |slot| label.clone_into(&mut slot.slot));
        let title = format!("change to {label} \"{value}\"");
        diagnostic.fix(title, applicability, edit.into_iter().collect());
    };
    let by_dialog = other.map(|(_, which)| which);
    if by_dialog == Some(Ordering::Greater) {
        rename(diagnostic, Applicability::Unsafe);
    }
    cover(subject, at.0, slot, value, diagnostic);
    if by_dialog == Some(Ordering::Equal) {
        rename(diagnostic, Applicability::Display);
    }
    let own = subject.mentions_of(at.0).iter();
    let mut strays = own.filter(|m| m.label() == slot && is_stray(subject, m));
    let is_unsaid =
        has_sound_tokens(subject, at.0) && slots::places(subject, at.0, value).is_empty();
    if let (true, Some(stray), None) = (is_unsaid, strays.next(), strays.next()) {
        let text = stray.text();
        let edit = set_act_slot(at, act, place, |slot| {
            slot.value = Some(EditValue::Text(text.to_owned()));
        });
        let title = format!("change to \"{text}\"");
        diagnostic.fix(title, Applicability::Unsafe, edit.into_iter().collect());
    }
}

/// Offers to give an act without a slot name the name of the only slot of the turn that covers its
/// value.
fn offer_name(
    subject: &Subject<'_>,
    at: (usize, usize),
    (act, place): (&Act, usize),
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    let own = subject.mentions_of(at.0).iter();
    let mut names: Vec<_> = own.filter(|m| m.text() == value).map(Mention::label).collect();
    names.dedup();
    if let [name] = names[..] {
        let edit = set_act_slot(at, act, place, |slot| name.clone_into(&mut slot.slot));
        let title = format!("set the slot to {name}");
        diagnostic.fix(title, Applicability::Unsafe, edit.into_iter().collect());
    }
}
