//! Aligns the turns of two copies of a dialog: by speaker and text, which may be the response to a call, those without a
//! text by their calls, and where these differ, by likeness.

use std::borrow::Cow;
use std::collections::HashMap;

use similar::DiffTag;

use super::elements::call_id;
use super::list::Element as _;
use super::pairs::Pairs;
use crate::dialog::{ApiCall, Payload, Short, Turn};
use crate::text::{diff, words};

/// The most turns of a changed stretch whose texts are compared word by word with all others; in a longer one, equal
/// turns are paired first, and then turns by speaker.
const MOST: usize = 64;

/// A turn, and what it says: its text, or the texts that are responses to the calls of other turns.
struct Said<'t> {
    turn: &'t Turn,
    text: Cow<'t, str>,
}

/// Returns what each turn of a dialog says.
fn said(turns: &[Turn]) -> Vec<Said<'_>> {
    let calls = turns.iter().flat_map(|turn| &turn.calls);
    let responses = calls.filter_map(|call| {
        let text = call.response.as_ref().and_then(Payload::text)?;
        Some((call.response_place()?.start, text.as_str()))
    });
    let mut responses: Vec<_> = responses.collect();
    responses.sort_unstable();
    let one = |turn| Said { turn, text: spoken(turn, &responses) };
    turns.iter().map(one).collect()
}

/// Returns the text of a turn, or of those responses that lie in it; these are in order, each with its place.
fn spoken<'t>(turn: &'t Turn, responses: &[(u32, &'t str)]) -> Cow<'t, str> {
    if !turn.text.is_empty() || !turn.calls.is_empty() {
        return Cow::Borrowed(&turn.text);
    }
    let first = responses.partition_point(|(start, _)| *start < turn.at.start);
    let own = responses[first..].iter().take_while(|(start, _)| *start < turn.at.end);
    own.map(|(_, text)| *text).collect()
}

/// Pairs the turns of two copies. Pairs do not cross: of two turns in one copy the first is also the first in the
/// other.
pub fn aligned(old: &[Turn], new: &[Turn]) -> Pairs {
    let (old, new) = (&said(old)[..], &said(new)[..]);
    let (old_keys, new_keys) = (keys(old), keys(new));
    let mut pairs = Pairs::default();
    let same = old_keys.iter().zip(&new_keys);
    let first = same.take_while(|(one, other)| one == other).count();
    let same = old_keys[first..].iter().rev().zip(new_keys[first..].iter().rev());
    let last = same.take_while(|(one, other)| one == other).count();
    let (before, after) = (first..old.len() - last, first..new.len() - last);
    pairs.both.extend((0..first).zip(0..first));
    if before.len() <= MOST && after.len() <= MOST {
        likely(old, before.clone(), new, after.clone(), &mut pairs);
    } else {
        let (old_keys, new_keys) = (&old_keys[before.clone()], &new_keys[after.clone()]);
        for change in diff(old_keys, new_keys) {
            let (tag, one, other) = change.as_tag_tuple();
            let (one, other) =
                (first + one.start..first + one.end, first + other.start..first + other.end);
            if tag == DiffTag::Equal {
                pairs.both.extend(one.zip(other));
            } else {
                likely(old, one, new, other, &mut pairs);
            }
        }
    }
    pairs.both.extend((before.end..old.len()).zip(after.end..new.len()));
    pairs
}

/// As [`aligned`], but a turn that is elsewhere in the new copy as it was has been moved: these pairs may cross.
pub fn aligned_or_moved(old: &[Turn], new: &[Turn]) -> Pairs {
    let mut pairs = aligned(old, new);
    let (before, after) = (said(old), said(new));
    let (removed, added) = (std::mem::take(&mut pairs.removed), std::mem::take(&mut pairs.added));
    let was: Vec<_> = removed.iter().map(|at| key(&before[*at])).collect();
    let is: Vec<_> = added.iter().map(|at| key(&after[*at])).collect();
    let moved = unique_in_both(&was, &is).into_iter();
    let moved = moved.filter(|(one, _)| was[*one].says_something());
    pairs.both.extend(moved.map(|(one, other)| (removed[one], added[other])));
    pairs.both.sort_unstable();
    pairs.removed = removed;
    pairs.removed.retain(|one| pairs.both.iter().all(|(moved, _)| moved != one));
    pairs.added = added;
    pairs.added.retain(|one| pairs.both.iter().all(|(_, moved)| moved != one));
    pairs
}

/// By what a turn is known.
#[derive(PartialEq, Eq, Hash)]
struct TurnKey<'t> {
    speaker: &'t Short,
    text: Cow<'t, str>,
    /// Those of a turn without a text.
    calls: Vec<String>,
}

impl TurnKey<'_> {
    fn says_something(&self) -> bool {
        !self.text.is_empty() || !self.calls.is_empty()
    }
}

/// Returns by what a turn is known: its speaker and what it says, and its calls if it says nothing.
fn key<'t>(Said { turn, text }: &Said<'t>) -> TurnKey<'t> {
    let call = |call: &ApiCall| match call_id(call) {
        Some(id) => id.to_owned(),
        None => call.said(),
    };
    let calls = turn.calls.iter().filter(|_| text.is_empty());
    TurnKey { speaker: &turn.speaker.name, text: text.clone(), calls: calls.map(call).collect() }
}

fn keys<'t>(all: &[Said<'t>]) -> Vec<TurnKey<'t>> {
    all.iter().map(key).collect()
}

/// Pairs the turns of a stretch in which no text is that of the other copy, so that as much as possible is alike.
fn likely(
    old: &[Said<'_>],
    before: std::ops::Range<usize>,
    new: &[Said<'_>],
    after: std::ops::Range<usize>,
    pairs: &mut Pairs,
) {
    let (rows, columns) = (before.len(), after.len());
    let is_small = rows <= MOST && columns <= MOST;
    let same = unique_in_both(&keys(&old[before.clone()]), &keys(&new[after.clone()]));
    let likeness = |row: usize, column: usize| {
        let (one, other) = (&old[before.start + row], &new[after.start + column]);
        // A turn that is there as it was has not become another one, however like it is.
        if same.get(&row).is_some_and(|same| *same != column)
            || same.iter().any(|(was, is)| *is == column && *was != row)
        {
            0
        } else if is_small {
            likeness(one, other)
        } else {
            u32::from(one.turn.speaker.name == other.turn.speaker.name)
        }
    };
    let found = Pairs::likely_in_order(rows, columns, likeness);
    let at = |(one, other)| (before.start + one, after.start + other);
    pairs.both.extend(found.both.into_iter().map(at));
    let removed = found.removed.into_iter().map(|one| before.start + one);
    pairs.removed.extend(removed);
    let added = found.added.into_iter().map(|other| after.start + other);
    pairs.added.extend(added);
}

/// Returns which turn of a stretch is which of another one, of those that are in both once.
fn unique_in_both(old: &[TurnKey<'_>], new: &[TurnKey<'_>]) -> HashMap<usize, usize> {
    let is_once = |all: &[_], one: &_| all.iter().filter(|other| *other == one).count() == 1;
    let once = old.iter().enumerate().filter(|(_, one)| is_once(old, one));
    once.filter(|(_, one)| is_once(new, one))
        .filter_map(|(at, one)| Some((at, new.iter().position(|other| other == one)?)))
        .collect()
}

/// Returns how alike two turns are; 0 if they are different turns. Of those that are as much alike, the number decides.
fn likeness(one: &Said<'_>, other: &Said<'_>) -> u32 {
    let has_index = one.turn.index.is_some() && one.turn.index == other.turn.index;
    match likeness_of_words(one, other) {
        0 => 0,
        alike => 2 * alike + u32::from(has_index),
    }
}

fn likeness_of_words(
    Said { turn: one, text }: &Said<'_>,
    Said { turn: other, text: new }: &Said<'_>,
) -> u32 {
    let has_speaker = one.speaker.name == other.speaker.name;
    let has_calls = !one.calls.is_empty() && one.calls == other.calls;
    if text == new && (has_speaker || !text.is_empty() || has_calls) {
        return 200 + u32::from(has_speaker);
    }
    // A value that is not an object may be in place of a turn.
    let is_unread = |turn: &Turn, text: &str| turn.speaker.name.is_empty() && text.is_empty();
    if is_unread(one, text) || is_unread(other, new) {
        return 1;
    }
    if text.is_empty() && new.is_empty() {
        return 1 + share_of_fields(one, other);
    }
    let share = share(&words_of(text), &words_of(new));
    match has_speaker {
        true if share >= 30 => 100 + share,
        true if has_calls => 100,
        // Between the same neighbours: another text was probably written.
        true => 1 + share.max(share_of_fields(one, other)),
        false if share >= 60 => share,
        _ => 0,
    }
}

/// Returns how much of two lists is in both, in percent.
fn share<T: PartialEq>(one: &[T], other: &[T]) -> u32 {
    let shared = one.iter().filter(|of| other.contains(of)).count();
    (100 * shared / one.len().max(other.len()).max(1)) as u32
}

/// As [`share`], of the fields, such as the time and the kind of an event.
fn share_of_fields(one: &Turn, other: &Turn) -> u32 {
    share(&one.fields, &other.fields)
}

fn words_of(text: &str) -> Vec<String> {
    let words = words(text).map(|(_, word)| word.to_lowercase());
    words.take(512).collect()
}
