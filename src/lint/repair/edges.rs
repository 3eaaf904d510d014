//! Moves the edges of a segment to word boundaries.

use std::ops::{Range, RangeInclusive};

use super::punctuation::without_punctuation;
use crate::lint::facts::whitespace::trim;
use crate::lint::facts::{Mention, Subject};
use crate::text::{Direction, SpanEdge, inside_word, is_joint, outside_word};

/// True if `range` (bytes of `text`) starts or ends inside a word.
pub fn cuts_word(text: &str, range: &Range<usize>) -> bool {
    inside_word(text, range.start, SpanEdge::Start) || inside_word(text, range.end, SpanEdge::End)
}

/// Ranges near `range` (bytes of the turn) that cut no word and have no whitespace or punctuation at
/// their edges, the most likely first: the nearest one, or one slightly further away whose text is also
/// labelled elsewhere in the dialog.
///
/// A cut word is usually included as a whole. It is excluded if the covered part is less than half of the
/// rest, or if the word joins values and does not end one.
pub fn tidied(
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    range: &Range<usize>,
) -> Vec<Range<usize>> {
    let text = mention.said;
    let mut near: Vec<Range<usize>> = Vec::new();
    let trimmed = trim(text, range.clone());
    for start in places(text, trimmed.start, SpanEdge::Start) {
        for end in places(text, trimmed.end, SpanEdge::End) {
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

/// Returns the text of a segment after the first correction of [`tidied`], if its edges are off; None if the
/// segment is not valid or the correction finds nothing.
pub fn meant<'a>(subject: &Subject<'_>, mention: &Mention<'a>) -> Option<&'a str> {
    let bytes = mention.bytes.clone().filter(|_| mention.is_valid)?;
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

/// Returns the intended places of an edge at `at`, the more likely one first.
fn places(text: &str, at: usize, edge: SpanEdge) -> Vec<usize> {
    let (outward, inward) = match edge {
        SpanEdge::Start => (Direction::Back, Direction::Forward),
        SpanEdge::End => (Direction::Forward, Direction::Back),
    };
    let outward = outside_word(text, at, edge, outward);
    let inward = outside_word(text, at, edge, inward);
    if outward == inward {
        return vec![at];
    }
    let word = &text[outward.min(inward)..outward.max(inward)];
    // Only at the end: "The Roxie" may well start with such a word.
    let joins = edge == SpanEdge::End && is_joint(word);
    // Part of a number, an abbreviation or a compound cannot be left out.
    let letters = word.chars().all(char::is_alphabetic);
    let compound = if edge == SpanEdge::End {
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

/// Returns a letter, a digit, an arrow or an emoji.
fn is_telling(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..)
}

/// The largest total distance of both edges, in bytes, that counts as a slip of the hand.
const SLIP: usize = 6;
/// How much further away a value known from another segment may be, in bytes.
const HARDLY: usize = 2;

/// Ranges that have the text of another segment of the dialog, and edges that are together at most `most`
/// bytes away from those of `range`; the nearest range first.
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
    // At equal distance, prefer a text that the dialog has labelled elsewhere.
    found.sort_by_key(|(slip, known, place)| (*slip, *known, place.start));
    found.into_iter().map(|(_, _, place)| place).collect()
}

/// Returns the places that are not further from `at` than `most`.
fn near(at: usize, most: usize) -> RangeInclusive<usize> {
    at.saturating_sub(most)..=at + most
}

fn slip(a: &Range<usize>, b: &Range<usize>) -> usize {
    a.start.abs_diff(b.start) + a.end.abs_diff(b.end)
}
