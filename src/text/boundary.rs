//! Places in a text where a caret can stand: between graphemes, and at the edges of words.
//!
//! Offsets are code points. A word is what Unicode's word segmentation (UAX #29) makes one, if there
//! is a letter or a digit in it.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::offsets::count;

/// How far a caret goes at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Grapheme,
    /// To where a word begins.
    WordStart,
    /// To where a word ends.
    WordEnd,
    /// To the end, or the beginning.
    All,
}

/// The place `step` before or behind offset `at` of `text`.
pub fn boundary(text: &str, at: usize, step: Step, forward: bool) -> usize {
    let places = match step {
        Step::All => return if forward { count(text) } else { 0 },
        Step::Grapheme => graphemes(text),
        Step::WordStart => words(text).map(|(at, _)| at.start).collect(),
        Step::WordEnd => words(text).map(|(at, _)| at.end).collect(),
    };
    if forward {
        let next = places.iter().find(|place| **place > at);
        next.copied().unwrap_or_else(|| count(text))
    } else {
        let before = places.iter().rev().find(|place| **place < at);
        before.copied().unwrap_or(0)
    }
}

/// Every offset between two graphemes, with both ends.
fn graphemes(text: &str) -> Vec<usize> {
    let mut at = 0;
    let ends = text.graphemes(true).map(|grapheme| {
        at += count(grapheme);
        at
    });
    std::iter::once(0).chain(ends).collect()
}

/// Every word and where it stands.
pub fn words(text: &str) -> impl Iterator<Item = (Range<usize>, &str)> {
    let mut end = 0;
    let pieces = text.split_word_bounds().map(move |piece| {
        let start = end;
        end += count(piece);
        (start..end, piece)
    });
    pieces.filter(|(_, piece)| piece.chars().any(char::is_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every place that is reached from the beginning, step by step.
    fn walk(text: &str, step: Step) -> Vec<usize> {
        let mut at = 0;
        let mut places = Vec::new();
        while at < count(text) {
            at = boundary(text, at, step, true);
            places.push(at);
        }
        let mut back = vec![at];
        while at > 0 {
            at = boundary(text, at, step, false);
            back.push(at);
        }
        back.reverse();
        assert_eq!(back[1..], places[..], "{text}");
        places
    }

    #[test]
    fn carets_stand_between_graphemes() {
        assert_eq!(walk("ab", Step::Grapheme), [1, 2]);
        assert_eq!(walk("a👨‍👩‍👧e\u{301}世", Step::Grapheme), [1, 6, 8, 9]);
        assert_eq!(walk("שלום", Step::Grapheme), [1, 2, 3, 4]);
    }

    #[test]
    fn words_begin_and_end() {
        let text = "at AMC 16:";
        let forward = |at, step| boundary(text, at, step, true);
        assert_eq!(
            [forward(0, Step::WordEnd), forward(2, Step::WordEnd)],
            [2, 6]
        );
        assert_eq!(
            [forward(0, Step::WordStart), forward(7, Step::WordStart)],
            [3, 10]
        );
        let back = |at, step| boundary(text, at, step, false);
        assert_eq!([back(10, Step::WordEnd), back(9, Step::WordEnd)], [9, 6]);
        assert_eq!(
            [back(10, Step::WordStart), back(1, Step::WordStart)],
            [7, 0]
        );
        assert_eq!(back(1, Step::All), 0);
    }
}
