//! Compares the slots of simulated dialogues with the acts and states that have their values.
//!
//! These dialogues hold every value three times: in the tokens that a slot covers, in an act, and in the
//! state. In sim-M and sim-R, each value that a slot covers is also in an act or a state of the dialog. If
//! one of the three is wrong, the other two show which one, and the right value.

use crate::dialog::{Content, Role, Short, Span, StateSlot, Turn};
use crate::lint::facts::subject::{Mention, Subject};
use crate::ontology::{Ontology, letters};
use crate::text::Units;

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
    let Some(span) = mention.of.span.filter(|_| tokens_differ(turn)) else {
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
        Role::User => times_said(subject, slot, text) == 0,
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

/// True if the tokens of a turn differ from its text.
pub fn tokens_differ(turn: &Turn) -> bool {
    first_difference(turn).is_some()
}

/// True if a text is a value, or one of several between bars.
fn has_alternative(text: &str, value: &str) -> bool {
    text == value || text.split('|').any(|part| part == value)
}

/// True if `value` was mentioned for a slot up to the end of turn `until`: by an act, by the text of a
/// slot or, in a corpus without slots, by any utterance.
pub fn is_mentioned(subject: &Subject<'_>, until: usize, slot: &str, value: &str) -> bool {
    let turns = || &subject.dialog.turns[..=until];
    let mut acts = turns().iter().flat_map(|turn| &turn.acts).flat_map(|act| &act.slots);
    let is_value = |said: &Content| has_alternative(said.as_str(), value);
    if acts.any(|said| said.slot == slot && said.value.as_ref().is_some_and(is_value)) {
        return true;
    }
    let mut mentions = subject.mentions().iter().take_while(|mention| mention.turn <= until);
    if mentions.any(|mention| says(subject, mention, slot, value)) {
        return true;
    }
    // Spaces and punctuation between letters make no difference. A value without letters is in every text.
    let wanted = letters(value);
    subject.dialog.units == Units::CodePoints
        && turns().iter().any(|turn| letters(&turn.text).contains(&wanted))
}

/// Returns the number of acts and states of the dialog that have `value` for `slot`.
pub fn times_said(subject: &Subject<'_>, slot: &str, value: &str) -> usize {
    let all = subject.turns().flat_map(|(_, turn)| values_of(turn, slot));
    all.filter(|said| has_alternative(said, value)).count()
}

/// The slots of a state, by name.
#[derive(Clone, Copy)]
pub struct StateSlots<'t>(pub &'t [StateSlot]);

impl<'t> StateSlots<'t> {
    fn named(self, name: &str) -> impl Iterator<Item = &'t StateSlot> {
        self.0.iter().filter(move |slot| slot.slot == name)
    }

    /// Returns the first slot with this name.
    pub fn first(self, name: &str) -> Option<&'t StateSlot> {
        self.named(name).next()
    }

    /// True if a slot with this name has the value.
    pub fn has(self, name: &str, value: &str) -> bool {
        self.named(name).any(|slot| slot.value.as_str() == value)
    }

    /// True if there is more than one slot with this name.
    pub fn has_several(self, name: &str) -> bool {
        self.named(name).nth(1).is_some()
    }
}

/// Returns the tokens of a turn.
pub fn tokens(turn: &Turn) -> Vec<&str> {
    turn.tokens.iter().map(Short::as_str).collect()
}

/// Returns the tokens that a turn should have: its text split at whitespace.
pub fn words(turn: &Turn) -> Vec<&str> {
    turn.text.split_whitespace().collect()
}

/// Returns the text that `span` covers of `tokens`; None if it is empty or extends past them.
pub fn covered(tokens: &[&str], span: Span) -> Option<String> {
    let covered = tokens.get(span.range())?;
    (!covered.is_empty()).then(|| covered.join(" "))
}

/// Position of the first token that differs from the text; the number of tokens if the text continues
/// after them; None if both agree.
pub fn first_difference(turn: &Turn) -> Option<usize> {
    let mut rest = turn.text.as_str();
    for (place, token) in turn.tokens.iter().enumerate() {
        match rest.trim_start().strip_prefix(token.as_str()) {
            Some(after) => rest = after,
            None => return Some(place),
        }
    }
    (!rest.trim_start().is_empty()).then_some(turn.tokens.len())
}

/// True if a segment of a turn is empty or extends past the tokens, which other rules report.
pub fn is_broken(turn: &Turn, mention: &Mention<'_>) -> bool {
    let length = turn.tokens.len();
    let valid = |span: Span| span.start < span.end && span.end as usize <= length;
    mention.of.span.is_some_and(|span| !valid(span))
}
