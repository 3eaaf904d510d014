//! A slot of the dialogue state is missing from the next state.
//!
//! A state grows: what the user said holds until another value, or `dontcare`, replaces it. In the
//! simulated dialogues, no slot ever disappears. In `MultiWOZ` and ConvLab-3, which list every slot in every
//! state, a slot that had a value is empty instead; this is a note, as users change their minds. In SGD and
//! corpora of your own, a user who turns to something else, such as a second payment after the first, starts
//! with an empty state: if the intent changes, and more slots of the service are gone than stay as they were,
//! nothing is reported.
//!
//! The rule does not apply to a format of your own whose `[state]` does not say `cumulative = true`, nor to
//! families whose states are not read; `turnwise formats` lists what is.
//!
//! The fix is unsafe. If the next state has the value under another name, it renames one of the two
//! slots, so that both have the name under which the value was mentioned more often. Otherwise it
//! adds the slot with its old value to every state that lacks it; in corpora that list every way in which a
//! value was said, with the list of the next state that has the slot, if what is new in it was said by then. If it renames, adding is a second
//! fix, which is manual.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
//!    "user_acts": [], "user_intents": [], "dialogue_state": [],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [], "user_intents": [], "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "ouija", "tokens": ["ouija"],
//!      "slots": [{"slot": "movie", "start": 0, "exclusive_end": 1}]}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "for two ?", "tokens": ["for", "two", "?"], "slots": []},
//!    "user_acts": [], "user_intents": [],
//!    "dialogue_state": [{"slot": "movie", "value": "ouija"}],
//!    "user_utterance": {"text": "yes", "tokens": ["yes"], "slots": []}}]}
//! ```

use std::cell::LazyCell;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::slot_value::{rename_state, set_state};
use crate::dialog::{Content, Edit, EditValue, Short, StateSlot, Turn};
use crate::lint::engine::{Applicability, Check, Diagnostic, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::slot_lookup::StateSlots;
use crate::lint::facts::transcript::lower;
use crate::lint::repair::shown;

pub static RULE: Rule = Rule {
    name: "state-lost-slot",
    severity: Severity::Warning,
    on: true,
    source: include_str!("state_lost_slot.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !subject.format.keeps_state() {
        return;
    }
    let ontology = subject.ontology;
    let mut before: &[StateSlot] = &[];
    let mut intents: &[Short] = &[];
    let mut since = 0;
    for (number, turn) in subject.turns() {
        let Some(state) = &turn.state else {
            continue;
        };
        // In SGD, "NONE" means that the user wants nothing else.
        let is_new = |intent: &Short| intent != "NONE" && !intents.contains(intent);
        let has_other_intents = subject.format.is_described() && turn.intents.iter().any(is_new);
        let emptied = LazyCell::new(|| has_other_intents.then(|| emptied(before, turn, state)));
        let (known, now) = (StateSlots::new(before), StateSlots::new(state));
        // The slots that unknown names are most likely meant to be.
        let meant: LazyCell<HashSet<&str>, _> = LazyCell::new(|| {
            let unknown = state.iter().filter(|s| !ontology.knows_slot(&s.slot));
            let near = unknown.filter_map(|s| Some(ontology.slots_near(&s.slot).first()?.name));
            near.collect()
        });
        // A state without any slot may be about another service, unless one slot is all that it had.
        let is_gone = state.is_empty()
            && subject.format.is_described()
            && (before.len() > 1 || (turn.intents.len(), intents.len()) != (1, 1));
        for lost in before {
            let value = lost.value.as_str();
            // In some corpora every slot is always there, and empty until it has a value.
            let held = now.first(&lost.slot);
            let is_empty = held.is_some_and(|held| held.value.as_str().is_empty());
            // A slot with an unknown name should not be there, and slot-unknown reports a slot whose name
            // is now misspelled.
            if says_nothing(value)
                || held.is_some() && !is_empty
                || is_empty && !matches!(lost.value, Content::Text(_))
                || !ontology.knows_slot(&lost.slot)
                || meant.contains(lost.slot.as_str())
                || is_of_other_service(subject, state, &lost.slot)
                || is_gone && lost.slot.contains('.')
                || emptied.as_ref().is_some_and(|all| all.contains(service_of(&lost.slot)))
            {
                continue;
            }
            let (missing, most) =
                if is_empty { ("empty", Severity::Note) } else { ("missing", Severity::Error) };
            let shown = shown(&lost.value);
            let message = format!("{} was {shown}, but is {missing} here", lost.slot);
            let diagnostic = found.add_at_most(most, subject.location_of(number), message);
            if !is_empty {
                offer_name(subject, &known, state, lost, diagnostic);
            }
            let right =
                if is_empty { &lost.value } else { restored(subject, since + 1, number, lost) };
            let shown = self::shown(right);
            let Some(said) = EditValue::of(right) else {
                continue;
            };
            let mut edits = set_state(subject, number, &lost.slot, |held| {
                let is_lost = held.is_none_or(|held| held.as_str().is_empty());
                is_lost.then(|| said.clone())
            });
            // Where no slot of the service is, there is no place for it.
            let is_here = |edit: &Edit| {
                let Edit::SetState { turn, .. } = edit else {
                    return true;
                };
                let state = subject.dialog.turns[*turn].state.as_deref();
                let is_declared = subject.format.is_described();
                state.is_some_and(|state| {
                    let is_elsewhere = is_declared && state.is_empty()
                        || is_of_other_service(subject, state, &lost.slot);
                    *turn == number || !is_elsewhere
                })
            };
            let here = edits.iter().take_while(|edit| is_here(edit)).count();
            edits.truncate(here);
            let title = format!("restore {} {shown}", lost.slot);
            let applicability = if diagnostic.fixes.is_empty() {
                Applicability::Unsafe
            } else {
                Applicability::Display
            };
            diagnostic.fix(title, applicability, edits);
        }
        (before, since) = (state, number);
        intents = &turn.intents;
    }
}

/// Returns the service of a slot that is called `service.slot`; empty for other slots.
fn service_of(slot: &str) -> &str {
    slot.split_once('.').map_or("", |(service, _)| service)
}

/// Returns the services of which a state has lost more slots than it keeps as they were. Slots that an act of
/// the turn mentions do not count as kept.
fn emptied<'s>(before: &'s [StateSlot], turn: &Turn, state: &[StateSlot]) -> HashSet<&'s str> {
    let now = StateSlots::new(state);
    let acts = turn.acts.iter().flat_map(|act| &act.slots);
    let said: HashSet<&str> = acts.map(|said| said.slot.as_str()).collect();
    // The slots kept of each service, less those lost.
    let mut kept: HashMap<&str, isize> = HashMap::new();
    for old in before {
        let service = service_of(&old.slot);
        let own = old.slot.strip_prefix(service).unwrap_or_default();
        let is_mentioned = said.contains(own.trim_start_matches('.'));
        let more = match now.first(&old.slot) {
            None => -1,
            Some(held) => isize::from(held.value == old.value && !is_mentioned),
        };
        *kept.entry(service).or_default() += more;
    }
    let emptied = kept.into_iter().filter(|(_, kept)| *kept < 0);
    emptied.map(|(service, _)| service).collect()
}

/// True for a value of a slot that was never filled.
fn says_nothing(value: &str) -> bool {
    value.is_empty() || value.eq_ignore_ascii_case("not mentioned")
}

/// True if a slot is called `service.slot` and the state is about other services only: the states of
/// several services take turns.
fn is_of_other_service(subject: &Subject<'_>, state: &[StateSlot], slot: &str) -> bool {
    let Some((service, _)) = slot.split_once('.') else {
        return false;
    };
    let is_same = |other: &StateSlot| other.slot.split_once('.').is_some_and(|(s, _)| s == service);
    subject.format.is_described() && !state.is_empty() && !state.iter().any(is_same)
}

/// Returns the value to restore: that of the next state with the slot if its other values were mentioned since
/// the state before, otherwise the old one. Some corpora list every way in which a value was said.
fn restored<'s>(
    subject: &'s Subject<'_>,
    since: usize,
    number: usize,
    lost: &'s StateSlot,
) -> &'s Content {
    let later = subject.dialog.turns.get(number..).unwrap_or_default().iter();
    let mut states = later.filter_map(|turn| turn.state.as_ref());
    let next = states.find_map(|state| state.iter().find(|slot| slot.slot == lost.slot));
    let Some(next) = next.map(|next| &next.value).filter(|next| **next != lost.value) else {
        return &lost.value;
    };
    let values = |content: &Content| match EditValue::of(content) {
        Some(EditValue::Several(values)) => values.iter().map(EditValue::content).collect(),
        _ => vec![content.clone()],
    };
    let old = values(&lost.value);
    let mut new = values(next).into_iter().filter(|value| !old.contains(value));
    let was_mentioned = |value: Content| {
        let value = lower(value.as_str());
        (since..=number).any(|turn| subject.said().in_turn(turn).contains(&*value))
    };
    if new.all(was_mentioned) { next } else { &lost.value }
}

/// Offers to use one name for a slot whose value the new state has under another name.
fn offer_name(
    subject: &Subject<'_>,
    known: &StateSlots<'_>,
    state: &[StateSlot],
    lost: &StateSlot,
    diagnostic: &mut Diagnostic,
) {
    // A state keeps each service apart, so that a slot cannot go from one to another.
    let service = service_of(&lost.slot);
    let own = state.iter().filter(|s| service_of(&s.slot) == service);
    let mut same = own.filter(|s| s.value == lost.value);
    let Some(new) = same.find(|s| known.first(&s.slot).is_none()) else {
        return;
    };
    let value = lost.value.as_str();
    let times = |slot: &StateSlot| subject.times_said(&slot.slot, value);
    let (wrong, right) = if times(new) > times(lost) { (lost, new) } else { (new, lost) };
    let edits = rename_state(subject, &wrong.slot, &lost.value, &right.slot);
    let title = format!("rename {} to {}", wrong.slot, right.slot);
    diagnostic.fix(title, Applicability::Unsafe, edits);
}
