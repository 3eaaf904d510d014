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

/// A turn, or the turns of an exchange, which is one element of the JSON and is aligned as a whole.
struct Unit<'t> {
    /// The position of its first turn.
    first: usize,
    said: Vec<Said<'t>>,
}

/// Returns the units of two copies. Turns are aligned one by one if only one of both has exchanges.
fn units<'t>(copies: [&'t [Turn]; 2]) -> [Vec<Unit<'t>>; 2] {
    let have_exchanges = copies.iter().all(|turns| turns.iter().any(|turn| turn.exchange.end > 0));
    copies.map(|turns| {
        let mut units: Vec<Unit<'t>> = Vec::new();
        for (first, said) in said(turns).into_iter().enumerate() {
            match units.last_mut() {
                Some(last) if have_exchanges && last.said[0].turn.is_in_exchange_of(said.turn) => {
                    last.said.push(said);
                }
                _ => units.push(Unit { first, said: vec![said] }),
            }
        }
        units
    })
}

/// Returns the pairs of turns of pairs of units.
fn of_units([old, new]: [&[Unit<'_>]; 2], units: &Pairs) -> Pairs {
    let mut pairs = Pairs::default();
    for &(one, other) in &units.both {
        let (one, other) = (&old[one], &new[other]);
        let found = Pairs::likely_in_order(one.said.len(), other.said.len(), |row, column| {
            u32::from(have_one_speaker(one, row, other, column))
        });
        let at = |(row, column)| (one.first + row, other.first + column);
        pairs.both.extend(found.both.into_iter().map(at));
        pairs.removed.extend(found.removed.into_iter().map(|row| one.first + row));
        pairs.added.extend(found.added.into_iter().map(|column| other.first + column));
    }
    let turns = |unit: &Unit<'_>| unit.first..unit.first + unit.said.len();
    pairs.removed.extend(units.removed.iter().flat_map(|at| turns(&old[*at])));
    pairs.added.extend(units.added.iter().flat_map(|at| turns(&new[*at])));
    pairs.both.sort_unstable();
    pairs.removed.sort_unstable();
    pairs.added.sort_unstable();
    pairs
}

/// True if two turns of paired units are of one speaker. Of units of one turn each, the speaker may have changed.
fn have_one_speaker(one: &Unit<'_>, row: usize, other: &Unit<'_>, column: usize) -> bool {
    let is_one_turn = one.said.len() == 1 && other.said.len() == 1;
    is_one_turn || one.said[row].turn.speaker.name == other.said[column].turn.speaker.name
}

/// Pairs the turns of two copies. Pairs do not cross: of two turns in one copy the first is also the first in the
/// other.
pub fn aligned(old: &[Turn], new: &[Turn]) -> Pairs {
    let [old, new] = &units([old, new]);
    of_units([old, new], &aligned_units(old, new))
}

fn aligned_units(old: &[Unit<'_>], new: &[Unit<'_>]) -> Pairs {
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
    let [old, new] = &units([old, new]);
    let mut pairs = aligned_units(old, new);
    let (removed, added) = (std::mem::take(&mut pairs.removed), std::mem::take(&mut pairs.added));
    let was: Vec<_> = removed.iter().map(|at| key(&old[*at])).collect();
    let is: Vec<_> = added.iter().map(|at| key(&new[*at])).collect();
    let moved = unique_in_both(&was, &is).into_iter();
    let moved = moved.filter(|(one, _)| was[*one].iter().any(TurnKey::says_something));
    pairs.both.extend(moved.map(|(one, other)| (removed[one], added[other])));
    pairs.both.sort_unstable();
    pairs.removed = removed;
    pairs.removed.retain(|one| pairs.both.iter().all(|(moved, _)| moved != one));
    pairs.added = added;
    pairs.added.retain(|one| pairs.both.iter().all(|(_, moved)| moved != one));
    of_units([old, new], &pairs)
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
fn turn_key<'t>(Said { turn, text }: &Said<'t>) -> TurnKey<'t> {
    let call = |call: &ApiCall| match call_id(call) {
        Some(id) => id.to_owned(),
        None => call.said(),
    };
    let calls = turn.calls.iter().filter(|_| text.is_empty());
    TurnKey { speaker: &turn.speaker.name, text: text.clone(), calls: calls.map(call).collect() }
}

fn key<'t>(unit: &Unit<'t>) -> Vec<TurnKey<'t>> {
    unit.said.iter().map(turn_key).collect()
}

fn keys<'t>(all: &[Unit<'t>]) -> Vec<Vec<TurnKey<'t>>> {
    all.iter().map(key).collect()
}

/// Pairs the units of a stretch in which no text is that of the other copy, so that as much as possible is alike.
fn likely(
    old: &[Unit<'_>],
    before: std::ops::Range<usize>,
    new: &[Unit<'_>],
    after: std::ops::Range<usize>,
    pairs: &mut Pairs,
) {
    let (rows, columns) = (before.len(), after.len());
    let is_small = rows <= MOST && columns <= MOST;
    let same = unique_in_both(&keys(&old[before.clone()]), &keys(&new[after.clone()]));
    let likeness = |row: usize, column: usize| {
        let (one, other) = (&old[before.start + row], &new[after.start + column]);
        // One that is there as it was has not become another one, however like it is.
        if same.get(&row).is_some_and(|same| *same != column)
            || same.iter().any(|(was, is)| *is == column && *was != row)
        {
            0
        } else if is_small {
            likeness_of_units(one, other)
        } else {
            u32::from(one.said[0].turn.speaker.name == other.said[0].turn.speaker.name)
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

/// Returns which unit of a stretch is which of another one, of those that are in both once.
fn unique_in_both<K: Eq>(old: &[K], new: &[K]) -> HashMap<usize, usize> {
    let is_once = |all: &[K], one: &K| all.iter().filter(|other| *other == one).count() == 1;
    let once = old.iter().enumerate().filter(|(_, one)| is_once(old, one));
    once.filter(|(_, one)| is_once(new, one))
        .filter_map(|(at, one)| Some((at, new.iter().position(|other| other == one)?)))
        .collect()
}

/// Returns how alike the turns of two units are; 0 if they are different ones.
fn likeness_of_units(one: &Unit<'_>, other: &Unit<'_>) -> u32 {
    let all = |(row, own)| {
        let others = other.said.iter().enumerate();
        let of_one = others.filter(move |(column, _)| have_one_speaker(one, row, other, *column));
        of_one.map(move |(_, said)| likeness(own, said))
    };
    one.said.iter().enumerate().flat_map(all).sum()
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
