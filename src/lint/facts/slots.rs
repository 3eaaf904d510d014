//! Compares the slots of simulated dialogues with the acts and states that have their values.
//!
//! These dialogues hold every value three times: in the tokens that a slot covers, in an act, and in the
//! state. In sim-M and sim-R, each value that a slot covers is also in an act or a state of the dialog. If
//! one of the three is wrong, the other two show which one, and the right value.

use super::mention::Mention;
use super::subject::Subject;
use super::tokens::{covered, is_broken, tokens, words};
use crate::dialog::{Content, Role, Span, Turn};
use crate::ontology::Ontology;

/// True for the value by which the user leaves a slot open, such as `dontcare` or `do n't care`. Nobody says it
/// literally.
pub fn is_open(value: &str) -> bool {
    let letters = value.chars().filter(|c| c.is_alphanumeric());
    let letters = letters.map(|c| c.to_ascii_lowercase());
    ["dontcare", "donotcare"].iter().any(|open| letters.clone().eq(open.chars()))
}

/// True if a segment is of `slot` and covers exactly `value`. If the tokens differ from the text, it is
/// enough that it does so in one of them; tokens-text-mismatch reports the difference.
pub fn says(subject: &Subject<'_>, mention: &Mention<'_>, slot: &str, value: &str) -> bool {
    if mention.label() != slot {
        return false;
    }
    let turn = &subject.dialog.turns[mention.turn];
    if mention.text() == value || turn.tokens.is_empty() {
        return mention.text() == value;
    }
    let Some(span) = mention.of.span.filter(|_| subject.tokens_differ(mention.turn)) else {
        return false;
    };
    covered(&tokens(turn), span).as_deref() == Some(value)
        || covered(&words(turn), span).as_deref() == Some(value)
}

/// True if a segment of a turn [`says`] the value.
pub fn is_covered(subject: &Subject<'_>, number: usize, slot: &str, value: &str) -> bool {
    let mut own = subject.mentions_of(number).iter();
    own.any(|mention| says(subject, mention, slot, value))
}

/// Returns the spans at which the tokens of a turn are `value`.
pub fn places(subject: &Subject<'_>, number: usize, value: &str) -> Vec<Span> {
    let turn = &subject.dialog.turns[number];
    let words: Vec<&str> = value.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let is_here = |start: &usize| {
        let tokens = turn.tokens.get(*start..*start + words.len());
        tokens.is_some_and(|tokens| tokens.iter().eq(&words))
    };
    let span = |start: usize| Span { start: start as u32, end: (start + words.len()) as u32 };
    (0..turn.tokens.len()).filter(is_here).map(span).collect()
}

/// Returns the spans of `value` that no segment of `slot` covers yet.
pub fn free_places(subject: &Subject<'_>, number: usize, slot: &str, value: &str) -> Vec<Span> {
    let own = subject.mentions_of(number);
    let taken = |place: &Span| own.iter().any(|m| m.label() == slot && m.of.span == Some(*place));
    let mut places = places(subject, number, value);
    places.retain(|place| !taken(place));
    places
}

/// Values that the acts of a turn, or the state after it, have for `slot`.
pub fn values_of<'t>(turn: &'t Turn, slot: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
    let said = turn.acts.iter().flat_map(|act| &act.slots);
    let said = said.filter(move |said| said.slot == slot);
    let said = said.filter_map(|said| said.value.as_ref());
    let state = turn.state.iter().flatten().filter(move |s| s.slot == slot);
    said.chain(state.map(|state| &state.value)).map(Content::as_str)
}

/// The most acts of a turn that are looked at: real turns have a few.
const ACTS: usize = 512;

/// Values that the acts of a turn have for a label, which is their slot, or their name and slot, as in
/// `Hotel-Inform.Area`.
pub fn act_values<'t>(turn: &'t Turn, label: &'t str) -> impl Iterator<Item = &'t str> + use<'t> {
    let acts = turn.acts.iter().take(ACTS);
    let said = acts.flat_map(move |act| {
        let slot = label.strip_prefix(act.name.as_str());
        let slot = slot.and_then(|rest| rest.strip_prefix('.'));
        let slot = slot.unwrap_or(label);
        act.slots.iter().filter(move |said| said.slot == slot)
    });
    said.filter_map(|said| said.value.as_ref()).map(Content::as_str)
}

/// True if an act of a turn, or the state after it, has `value` for `slot`.
pub fn has_value(subject: &Subject<'_>, number: usize, slot: &str, value: &str) -> bool {
    values_of(&subject.dialog.turns[number], slot).any(|other| other == value)
}

/// True if the text of a segment is not a value of its slot. A system turn has all values in its acts;
/// a value of a user turn may be anywhere in the dialog.
pub fn is_stray(subject: &Subject<'_>, mention: &Mention<'_>) -> bool {
    let (slot, text) = (mention.label(), mention.text());
    let turn = &subject.dialog.turns[mention.turn];
    match turn.speaker.role {
        Role::User => subject.times_said(slot, text) == 0,
        _ => !has_value(subject, mention.turn, slot, text),
    }
}

/// How far the edges of a span are from `place`, in tokens. A reversed span is swapped first.
pub fn distance(span: Span, place: Span) -> u32 {
    let (start, end) = (span.start.min(span.end), span.start.max(span.end));
    start.abs_diff(place.start) + end.abs_diff(place.end)
}

/// True if the ontology does not have `slot`, and `meant` is the name nearest to it.
pub fn is_misspelt(ontology: &Ontology, slot: &str, meant: &str) -> bool {
    let near = || ontology.labels_near(slot);
    !ontology.knows_label(slot) && near().first().is_some_and(|near| near.name == meant)
}

/// True if the value is missing only because of a problem that is reported for a segment of the turn: it
/// is empty, extends past the tokens, or its name is misspelled.
pub fn segment_confirms(subject: &Subject<'_>, number: usize, slot: &str, value: &str) -> bool {
    let turn = &subject.dialog.turns[number];
    subject.mentions_of(number).iter().any(|mention| {
        let label = mention.label();
        label == slot && is_broken(turn, mention)
            || mention.text() == value && is_misspelt(subject.ontology, label, slot)
    })
}
