//! Edges of a segment brought to where words begin and end.

use std::ops::{Range, RangeInclusive};

use super::punctuation::without_punctuation;
use super::trim;
use super::words::{Edge, inside_word, is_joint, outside_word};
use crate::lint::{Mention, Subject};

/// True if `range` (bytes of `text`) begins or ends inside of a word.
pub fn cuts_word(text: &str, range: &Range<usize>) -> bool {
    inside_word(text, range.start, Edge::Start) || inside_word(text, range.end, Edge::End)
}

/// Stretches near `range` (bytes of the turn) that cut no word and have no blanks or punctuation at
/// their edges, the most likely first: the nearest, or one hardly further that the dialog has labelled
/// elsewhere too.
///
/// What is in reach of a slip of the hand is the rest of a word, so that is taken in; a piece of a
/// word is left out where it is less than half of the rest, or where the word is one that joins values
/// and ends none.
pub fn tidied(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: &Range<usize>,
) -> Vec<Range<usize>> {
    let text = mention.said;
    let mut near: Vec<Range<usize>> = Vec::new();
    let trimmed = trim(text, range.clone());
    for start in places(text, trimmed.start, Edge::Start) {
        for end in places(text, trimmed.end, Edge::End) {
            near.extend(tidy(subject, mention, start..end));
        }
    }
    let least = near.first().map_or(SLIP, |place| slip(place, range));
    let mut found = known_nearby(subject, mention, range, (least + HARDLY).min(SLIP));
    for place in near {
        if !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

/// What a segment says, with its edges where [`tidied`] would first bring them if they are off; None if
/// its numbers are wrong, or that is nothing.
pub fn meant<'a>(subject: &Subject<'_>, mention: &Mention<'a>) -> Option<&'a str> {
    let bytes = mention.bytes.clone().filter(|_| mention.sound)?;
    let said = mention.said;
    let is_off = trim(said, bytes.clone()) != bytes
        || cuts_word(said, &bytes)
        || without_punctuation(subject, mention, bytes.clone()).is_some();
    if !is_off {
        return said.get(bytes);
    }
    let place = tidied(subject, mention, &bytes).into_iter().next()?;
    said.get(place)
}

/// Where an edge at `at` may be meant to be, the likelier place first.
fn places(text: &str, at: usize, edge: Edge) -> Vec<usize> {
    let forward = edge == Edge::End;
    let outward = outside_word(text, at, edge, forward);
    let inward = outside_word(text, at, edge, !forward);
    if outward == inward {
        return vec![at];
    }
    let word = &text[outward.min(inward)..outward.max(inward)];
    // "The Roxie" may well begin with such a word.
    let joins = forward && is_joint(word);
    // Of a number, an abbreviation or a compound, no piece is a value by itself.
    let letters = word.chars().all(char::is_alphabetic);
    let compound = if forward {
        text[..inward].ends_with('-')
    } else {
        text[inward..].starts_with('-')
    };
    let less = inward.abs_diff(at) * 2 < outward.abs_diff(at);
    if joins || (letters && less && !compound) {
        vec![inward, outward]
    } else {
        vec![outward, inward]
    }
}

fn tidy(subject: &Subject<'_>, mention: &Mention<'_>, range: Range<usize>) -> Option<Range<usize>> {
    if range.start >= range.end {
        return None;
    }
    let range = trim(mention.said, range);
    let range = without_punctuation(subject, mention, range.clone()).unwrap_or(range);
    let named = mention.said[range.clone()].contains(is_telling);
    (named && !cuts_word(mention.said, &range)).then_some(range)
}

/// A letter, a digit, an arrow or an emoji.
fn is_telling(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..)
}

/// How far both edges of a segment may be off together, in bytes, to take it for a slip of the hand.
const SLIP: usize = 6;
/// How much further a value may be that is known from elsewhere.
const HARDLY: usize = 2;

/// Stretches that say what another segment of the dialog stands on, with edges that are together not
/// further from those of `range` than `most`; the nearest first.
fn known_nearby(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: &Range<usize>,
    most: usize,
) -> Vec<Range<usize>> {
    let said = mention.said;
    let mut found = Vec::new();
    for start in near(range.start, most) {
        let left = most - start.abs_diff(range.start);
        for end in near(range.end, left).filter(|end| start < *end) {
            let place = start..end;
            let Some(value) = said.get(place.clone()).filter(|_| place != *range) else {
                continue;
            };
            let known = subject.other_with_text(mention, value);
            if known.is_some() && tidy(subject, mention, place.clone()).as_ref() == Some(&place) {
                found.push((slip(&place, range), known, place));
            }
        }
    }
    // Of those that are as near, what the dialog has labelled first.
    found.sort_by_key(|(slip, known, place)| (*slip, *known, place.start));
    found.into_iter().map(|(_, _, place)| place).collect()
}

/// The places that are not further from `at` than `most`.
fn near(at: usize, most: usize) -> RangeInclusive<usize> {
    at.saturating_sub(most)..=at + most
}

fn slip(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.start.abs_diff(b.start) + a.end.abs_diff(b.end)
}
