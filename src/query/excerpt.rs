//! The text around a hit, for lists of hits.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::Hit;
use crate::dialog::Dialog;

/// The most graphemes before and after a hit.
const BEFORE: usize = 16;
const AFTER: usize = 96;

/// A hit with the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitExcerpt {
    /// Position of the turn.
    pub turn: usize,
    /// The beginning of the turn, the text around the hit, or the call.
    pub text: Box<str>,
    /// The range of the hit in `text`, in bytes; may be empty.
    pub hit: Range<usize>,
}

impl HitExcerpt {
    /// The excerpt for a hit in a dialog.
    pub fn of(dialog: &Dialog, hit: &Hit) -> Self {
        let turn = dialog.turns.get(hit.turn);
        let called = hit.call.and_then(|call| turn?.calls.get(call));
        let (text, hit_in_text) = match (called, turn) {
            (Some(call), _) => (format!("↳ {}", call.name), 0..0),
            (None, Some(turn)) => around(&turn.text, &hit.bytes),
            (None, None) => (String::new(), 0..0),
        };
        Self {
            turn: hit.turn,
            text: text.into_boxed_str(),
            hit: hit_in_text,
        }
    }
}

/// The text around a range, cut between words, and the range in it. All ranges are in bytes.
fn around(text: &str, hit: &Range<usize>) -> (String, Range<usize>) {
    let before = &text[..hit.start];
    let start = match before.grapheme_indices(true).rev().nth(BEFORE) {
        None => 0,
        Some((cut, _)) => before[cut..].find(' ').map_or(cut, |space| cut + space + 1),
    };
    let after = &text[hit.end..];
    let end = match after.grapheme_indices(true).nth(AFTER) {
        None => text.len(),
        Some((cut, _)) => hit.end + after[..cut].rfind(' ').unwrap_or(cut),
    };
    let sign = if start > 0 { "…" } else { "" };
    let shift = |byte: usize| byte - start + sign.len();
    let end_sign = if end < text.len() { "…" } else { "" };
    let excerpt = [sign, &text[start..end], end_sign].concat();
    (excerpt, shift(hit.start)..shift(hit.end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_are_cut_between_words() {
        let text = "one two three four five six seven eight nine ten";
        let at = text.find("seven").unwrap();
        let (excerpt, hit) = around(text, &(at..at + 5));
        assert_eq!(excerpt, "…four five six seven eight nine ten");
        assert_eq!(&excerpt[hit], "seven");
        let long = "ä".repeat(300);
        let (excerpt, hit) = around(&long, &(200..202));
        assert_eq!(excerpt.chars().count(), 17 + 1 + 96 + 2);
        assert_eq!(&excerpt[hit], "ä");
        assert_eq!(around("", &(0..0)), (String::new(), 0..0));
    }
}
