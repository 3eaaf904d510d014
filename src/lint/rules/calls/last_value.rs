//! The value that an argument of a call should have, according to the dialog.

use crate::dialog::{Content, EditValue, Extent, Field, Role};
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Call, Subject};
use crate::lint::repair::meant;
use crate::ontology::{near, without_number};

/// Returns the value that was mentioned or returned last under this name before the call; None if there are
/// several.
pub fn last_value(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    if name == "attribute" {
        // The only argument whose value is the name of a returned field.
        let mut returned = call.response.fields().iter().map(|f| f.name.as_str());
        let name = returned.next()?;
        return Some(without_number(name).unwrap_or(name).to_owned());
    }
    let mut said = subject.labelled(name, call.turn).rev();
    if let Some((place, last)) = said.next() {
        return subject.last_said(name, place, || {
            let mut same_turn = said.take_while(|(_, m)| m.turn == last.turn);
            let value = without_punctuation(meant(subject, last)?);
            let is_same = |m| meant(subject, m).map(without_punctuation) == Some(value);
            same_turn.all(|(_, m)| is_same(m)).then(|| value.to_owned())
        });
    }
    let (call, field) = subject.returned().last(name, subject.place_of(call))?;
    match &subject.calls()[call].response.fields()[field].content {
        Content::Text(text) => Some(text.to_string()),
        Content::Raw(_) => None,
    }
}

/// Returns the value that was returned last under this name before the call, if no other was at that time.
pub fn only_returned(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    let (from, _) = subject.returned().last(name, subject.place_of(call))?;
    let fields = subject.calls()[from].response.fields().iter();
    let mut values = fields.filter(|field| is_of(field, name));
    match (&values.next()?.content, values.next()) {
        (Content::Text(text), None) => Some(text.to_string()),
        _ => None,
    }
}

/// Returns the text that the last call before this one has for an argument.
pub fn last_argument<'s>(subject: &'s Subject<'_>, call: &Call<'_>, name: &str) -> Option<&'s str> {
    let before = subject.calls().get(..subject.place_of(call))?;
    let fields = before.iter().rev().flat_map(|call| call.arguments.fields());
    let mut own = fields.filter(|field| field.name == name);
    match &own.next()?.content {
        Content::Text(text) => Some(text),
        Content::Raw(_) => None,
    }
}

/// Returns the text of a segment without the punctuation that edges often include.
fn without_punctuation(text: &str) -> &str {
    text.trim_end_matches(['.', ':', ',', '!', '?'])
}

/// True if a field is named `name`, or `name` with a number.
pub fn is_of(field: &Field, name: &str) -> bool {
    field.name == name || without_number(&field.name) == Some(name)
}

/// The most ids that are compared: among more, a resemblance means little.
const CHOICE: usize = 1000;

/// Returns the id under this name that `value` was probably meant to be, among those that earlier calls returned: the
/// only one that resembles it, or the one that is named at the call, if the former is not.
pub fn similar_id<'s>(
    subject: &'s Subject<'_>,
    call: &Call<'_>,
    name: &str,
    value: &str,
) -> Option<&'s str> {
    let place = subject.place_of(call);
    let returned = subject.returned().ids(name, place, CHOICE)?;
    let near = near(value, returned.iter().copied());
    // For `sugar-free-vanilla-012`, somebody may have typed only the number, or changed the name a little.
    let number = number_of(value);
    let is_renamed = |id: &str| {
        let mut words = words_of(value);
        number.is_some()
            && number_of(id) == number
            && words.any(|own| words_of(id).any(|w| w == own))
    };
    let ending = returned.iter().copied();
    let ending = ending.filter(|id| id.ends_with(value) || is_renamed(id));
    let mut meant = near.iter().map(|n| n.name).chain(ending);
    let first = meant.next()?;
    let only = meant.all(|other| other == first).then_some(first)?;
    let said = lower(asked_at(subject, call));
    // The place of the first word of an id that was uttered: "vanilla" is `vanilla-sweetener-011` rather than
    // `sf-vanilla-sweetener-012`.
    let named = |id: &str| {
        let mut words = words_of(id).filter(|word| said.contains(lower(word).as_str()));
        words.next().and_then(|word| id.find(word))
    };
    if named(only).is_some() {
        return Some(only);
    }
    let others = returned.iter().copied();
    let mut others: Vec<_> = others.filter_map(|id| Some((named(id)?, id))).collect();
    others.sort_unstable();
    match others[..] {
        [] => Some(only),
        [(_, one)] => Some(one),
        [(first, one), (second, _), ..] => (first < second).then_some(one),
    }
}

/// Returns the words of an id that somebody may say: `vanilla` and `sweetener` of `vanilla-sweetener-011`.
fn words_of(id: &str) -> impl Iterator<Item = &str> {
    let parts = id.split(|c: char| !c.is_alphabetic());
    parts.filter(|part| part.chars().count() > 3)
}

/// Returns what the user said last, up to a call.
fn asked_at<'s>(subject: &'s Subject<'_>, call: &Call<'_>) -> &'s str {
    let turns = subject.dialog.turns.get(..=call.turn).unwrap_or_default();
    let mut by_user = turns.iter().rev().filter(|turn| turn.speaker.role == Role::User);
    by_user.next().map_or("", |turn| &turn.text)
}

/// Returns the number after the last hyphen of an id.
fn number_of(id: &str) -> Option<&str> {
    let (_, number) = id.rsplit_once('-')?;
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    (digits && number.len() > 2).then_some(number)
}

/// Returns the value that the dialog had last for a slot with the name of an argument: its canonical form in an act,
/// otherwise the first value in the state.
pub fn value_of_dialog(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    let declared = Some(subject.format).filter(|format| format.is_described())?;
    let turns = subject.dialog.turns.get(..=call.turn)?.iter().rev();
    let is_before = |at: Extent| at.start < call.of.at.start;
    let acts = turns.clone().flat_map(|turn| turn.acts.iter().rev());
    let mut acts = acts.filter(|act| {
        is_before(act.at) && act.slots.iter().any(|said| said.slot == name && said.value.is_some())
    });
    let canonical = acts.find_map(|act| {
        let element = subject.tree.value_at(act.at.start)?;
        declared.canonical_value(element)
    });
    let of_state = || {
        let states = turns.filter_map(|turn| turn.state.as_ref()).flatten();
        let mut own = states.filter(|slot| {
            let rest = slot.slot.strip_suffix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        });
        match EditValue::of(&own.next()?.value)? {
            EditValue::Several(values) => values.into_iter().next(),
            one => Some(one),
        }
    };
    let state = || of_state().map(|value| value.content().as_str().to_owned());
    canonical.map(Into::into).or_else(state)
}
