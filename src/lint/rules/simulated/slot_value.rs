//! Fixes shared by the rules on slots and their values: move a slot to a value, rename a misnamed
//! slot, change acts and states.

use std::cmp::Ordering;

use foldhash::HashSet;

use crate::dialog::{Act, ActSlot, Content, Edit, EditValue, SlotValue, Span, StateSlot};
use crate::lint::engine::{Applicability, Diagnostic};
use crate::lint::facts::slots::{distance, free_places, has_value, is_stray, places};
use crate::lint::facts::tokens::first_difference;
use crate::lint::facts::{Mention, Subject};
use crate::text::Units;

/// Offers to make a slot of the turn cover `value`. A slot of this name that covers no value of its own
/// moves there (the nearest one), or a slot there with another name is renamed. If there is neither, and
/// the turn has the value once, an overlapping slot moves there, or a new slot is added.
pub fn cover(
    subject: &Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
    diagnostic: &mut Diagnostic,
) {
    // If the tokens differ from the text, their positions mean nothing.
    if !has_sound_tokens(subject, number) {
        return;
    }
    let free = free_places(subject, number, slot, value);
    let own = || subject.mentions_of(number).iter();
    let strays = own().filter(|m| m.label() == slot && is_stray(subject, m));
    if let Some((mention, place, applicability)) = nearest(strays, &free) {
        move_to(diagnostic, mention, place, applicability);
    } else if let Some((mention, which)) = misnamed(subject, number, slot, value) {
        let applicability = match which {
            Ordering::Less => Applicability::Unsafe,
            _ => Applicability::Display,
        };
        let edit = Edit::SetLabels {
            turn: number,
            segment: mention.segment,
            labels: vec![slot.to_owned()],
        };
        let title = format!("rename the slot here from {} to {slot}", mention.label());
        diagnostic.fix(title, applicability, vec![edit]);
    } else if let [place] = free[..] {
        let mut overlapping = own().filter(|m| {
            let span = m.of.span;
            m.label() == slot && span.is_some_and(|s| s.start < place.end && place.start < s.end)
        });
        match overlapping.next() {
            Some(mention) => move_to(diagnostic, mention, place, Applicability::Unsafe),
            None => {
                let Span { start, end } = place;
                let labels = vec![slot.to_owned()];
                let edit = Edit::AddSegment { turn: number, start, end, labels };
                let title = format!("add slot {slot} at {place}");
                diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

/// True if the dialog counts tokens, and those of the turn agree with its text.
pub fn has_sound_tokens(subject: &Subject<'_>, number: usize) -> bool {
    let turn = &subject.dialog.turns[number];
    subject.dialog.units.is_tokens() && first_difference(turn).is_none()
}

/// Returns the segment nearest to one of `places`, with that place. The fix is unsafe, or manual if another
/// place is equally near.
fn nearest<'m, 'a: 'm>(
    mentions: impl Iterator<Item = &'m Mention<'a>>,
    places: &[Span],
) -> Option<(&'m Mention<'a>, Span, Applicability)> {
    let spans = mentions.filter_map(|m| Some((m, m.of.span?)));
    let mut pairs: Vec<_> = spans
        .flat_map(|(m, span)| {
            let place = move |place: &Span| (distance(span, *place), m, *place);
            places.iter().map(place)
        })
        .collect();
    pairs.sort_by_key(|(distance, ..)| *distance);
    let (distance, mention, place) = *pairs.first()?;
    let sure = pairs.get(1).is_none_or(|(other, _, at)| *other > distance || *at == place);
    let applicability = if sure { Applicability::Unsafe } else { Applicability::Display };
    Some((mention, place, applicability))
}

fn move_to(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    place: Span,
    applicability: Applicability,
) {
    let edit = Edit::SetSpan {
        turn: mention.turn,
        segment: mention.segment,
        start: place.start,
        end: place.end,
    };
    let title = format!("move slot {} to {place}", mention.label());
    diagnostic.fix(title, applicability, vec![edit]);
}

/// Returns the segment that covers exactly the value that an act or the state of the turn has for `slot`, but has
/// the name of another slot, for which neither of them has this value. Also returns which name is right
/// according to the rest of the dialog: the segment's (greater), `slot` (less), or undecided (equal).
pub fn misnamed<'s>(
    subject: &'s Subject<'_>,
    number: usize,
    slot: &str,
    value: &str,
) -> Option<(&'s Mention<'s>, Ordering)> {
    let free: HashSet<Span> = places(subject, number, value).into_iter().collect();
    if free.is_empty() {
        return None;
    }
    let mut own = subject.mentions_of(number).iter();
    let mention = own.find(|m| {
        let label = m.label();
        let is_free = m.of.span.is_some_and(|span| free.contains(&span));
        label != slot && is_free && !has_value(subject, number, label, value)
    })?;
    if !subject.ontology.knows_label(mention.label()) {
        return Some((mention, Ordering::Less));
    }
    // The act or state in question does not count.
    let here = subject.times_said(slot, value).saturating_sub(1);
    let there = subject.times_said(mention.label(), value);
    Some((mention, there.cmp(&here)))
}

/// Edits of a slot in the state of turn `from` and in the following states, up to the first for whose
/// value `change` returns None, or which has the slot twice.
pub fn set_state(
    subject: &Subject<'_>,
    from: usize,
    slot: &str,
    change: impl Fn(Option<&Content>) -> Option<EditValue>,
) -> Vec<Edit> {
    let states = subject.turns().skip(from);
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let changed = states.map_while(|(turn, state)| {
        let mut held = state.iter().filter(|s| s.slot == slot).map(|s| &s.value);
        let value = change(held.next())?;
        held.next().is_none().then(|| Edit::SetState { turn, slot: slot.to_owned(), value })
    });
    changed.collect()
}

/// Edits that rename a slot to `to` in every state that has it once, with this value, and has no slot
/// `to`.
pub fn rename_state(subject: &Subject<'_>, slot: &str, value: &Content, to: &str) -> Vec<Edit> {
    let states = subject.turns();
    let states = states.filter_map(|(turn, of)| Some((turn, of.state.as_ref()?)));
    let meant = states.filter(|(_, state)| {
        let mut own = state.iter().filter(|s| s.slot == slot);
        let has = own.next().is_some_and(|s| s.value == *value);
        has && own.next().is_none() && !state.iter().any(|s| s.slot == to)
    });
    meant
        .map(|(turn, _)| Edit::RenameState { turn, slot: slot.to_owned(), to: to.to_owned() })
        .collect()
}

/// Returns the slots of an act as an edit writes them; None if a value is a list or an object.
pub fn slots_of(act: &Act) -> Option<Vec<SlotValue>> {
    let slot = |said: &ActSlot| {
        let value = match &said.value {
            None => None,
            Some(value) => match EditValue::of(value)? {
                EditValue::Several(_) => return None,
                one => Some(one),
            },
        };
        let slot = said.slot.to_string();
        Some(SlotValue { slot, value })
    };
    act.slots.iter().map(slot).collect()
}

/// Returns the edit that changes one slot of an act.
pub fn set_act_slot(
    (turn, act): (usize, usize),
    of: &Act,
    slot: usize,
    change: impl FnOnce(&mut SlotValue),
) -> Option<Edit> {
    let mut slots = slots_of(of)?;
    change(slots.get_mut(slot)?);
    Some(Edit::SetAct { turn, act, name: of.name.to_string(), slots })
}

/// True if a state has a slot of this name more than once.
pub fn is_repeated(state: &[StateSlot], slot: &str) -> bool {
    state.iter().filter(|s| s.slot == slot).nth(1).is_some()
}

/// True if `value` was mentioned for a slot up to the end of turn `until`: by an act, by the text of a
/// slot or, in a corpus without slots, by any utterance.
pub fn is_mentioned(subject: &Subject<'_>, until: usize, slot: &str, value: &str) -> bool {
    let is_until = |turn: Option<usize>| turn.is_some_and(|turn| turn <= until);
    is_until(subject.first_said(slot, value))
        || subject.dialog.units == Units::CodePoints && is_until(subject.first_in_letters(value))
}
