//! The places in a text where a caret can be: between graphemes, and at the edges of words.
//!
//! Offsets are code points. A word is a segment of Unicode's word segmentation (UAX #29) that contains a
//! letter or a digit. For the caret, it extends to all of `9:10`, `$12` and `a.m.`, so that it ends where
//! the rules let a segment end.

use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::offsets::{byte_of, count};
use super::words::{SpanEdge, outside_word};

/// A direction in a text, or in a list of places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    Forward,
    Back,
}

impl Direction {
    pub fn is_forward(self) -> bool {
        self == Self::Forward
    }
}

/// A movement of the caret.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    Grapheme,
    /// To the start of a word.
    WordStart,
    /// To the end of a word.
    WordEnd,
    /// To the start or the end of the text.
    All,
}

/// Returns the offset one `step` before or after offset `at` of `text`. Reads only the nearby text, because texts
/// can be long.
pub fn boundary(text: &str, at: usize, step: Motion, direction: Direction) -> usize {
    match step {
        Motion::All if direction.is_forward() => count(text),
        Motion::All => 0,
        Motion::Grapheme => grapheme(text, at, direction),
        Motion::WordStart => word_edge(text, at, direction, SpanEdge::Start),
        Motion::WordEnd => word_edge(text, at, direction, SpanEdge::End),
    }
}

/// Returns the nearest `edge` of a word before or after offset `at`. Without one, the start of no word is at the end
/// of the text and the end of no word at its start; otherwise `at`, so that a segment that grows takes in
/// no punctuation beyond the last word.
fn word_edge(text: &str, at: usize, direction: Direction, edge: SpanEdge) -> usize {
    let byte = byte_of(text, at).unwrap_or(text.len());
    let edges = |from: usize| {
        let before = at - count(&text[from..byte]);
        word_edges(&text[from..], edge).map(move |at| before + at)
    };
    if direction.is_forward() {
        let mut edges = edges(word_start(text, byte));
        let next = edges.find(|next| *next > at);
        return next.unwrap_or_else(|| match edge {
            SpanEdge::Start => count(text),
            SpanEdge::End => at,
        });
    }
    let mut from = byte;
    loop {
        from = word_start(text, from);
        let before = edges(from).take_while(|before| *before < at).last();
        match before {
            Some(before) => return before,
            None if from == 0 && edge == SpanEdge::Start => return at,
            None if from == 0 => return 0,
            None => from -= 1,
        }
    }
}

/// Returns the edges of the words, in order; several words of Unicode may share one, such as those of `9:10`.
fn word_edges(text: &str, edge: SpanEdge) -> impl Iterator<Item = usize> {
    let (mut byte, mut at) = (0, 0);
    let pieces = text.split_word_bound_indices();
    let words = pieces.filter(|(_, piece)| piece.chars().any(char::is_alphanumeric));
    let edges = words.map(move |(start, piece)| match edge {
        SpanEdge::Start => outside_word(text, start, edge, Direction::Back),
        SpanEdge::End => outside_word(text, start + piece.len(), edge, Direction::Forward),
    });
    edges.map(move |next| {
        at += count(&text[byte..next]);
        byte = next;
        at
    })
}

/// Returns the last byte, up to `byte`, at which a word certainly begins: a letter or digit after a space. The
/// beginning of the text if there is none.
pub fn word_start(text: &str, byte: usize) -> usize {
    let bytes = text.as_bytes();
    let mut pairs = bytes[..text.len().min(byte + 1)].windows(2);
    let begins = |pair: &[u8]| pair[0] == b' ' && pair[1].is_ascii_alphanumeric();
    pairs.rposition(begins).map_or(0, |space| space + 1)
}

/// Returns the grapheme boundary before or after offset `at`.
fn grapheme(text: &str, at: usize, direction: Direction) -> usize {
    let byte = byte_of(text, at).unwrap_or(text.len());
    let mut cursor = GraphemeCursor::new(byte, text.len(), true);
    // The cursor has the whole text, so this cannot fail.
    if direction.is_forward() {
        let next = cursor.next_boundary(text, 0).ok().flatten();
        at + next.map_or(0, |next| count(&text[byte..next]))
    } else {
        let before = cursor.prev_boundary(text, 0).ok().flatten();
        at - before.map_or(0, |before| count(&text[before..byte]))
    }
}

/// Returns every word with its range.
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
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    /// Returns every place that is reached from the beginning, step by step.
    fn walk(text: &str, step: Motion) -> Vec<usize> {
        let mut at = 0;
        let mut places = Vec::new();
        while at < count(text) {
            at = boundary(text, at, step, Direction::Forward);
            places.push(at);
        }
        let mut back = vec![at];
        while at > 0 {
            at = boundary(text, at, step, Direction::Back);
            back.push(at);
        }
        back.reverse();
        assert_eq!(back[1..], places[..], "{text}");
        places
    }

    #[test]
    fn carets_stay_between_graphemes() {
        assert_eq!(walk("ab", Motion::Grapheme), [1, 2]);
        assert_eq!(walk("a👨‍👩‍👧e\u{301}世", Motion::Grapheme), [1, 6, 8, 9]);
        assert_eq!(walk("שלום", Motion::Grapheme), [1, 2, 3, 4]);
    }

    /// Returns every offset between two graphemes, with both ends.
    fn graphemes(text: &str) -> Vec<usize> {
        let mut at = 0;
        let ends = text.graphemes(true).map(|grapheme| {
            at += count(grapheme);
            at
        });
        std::iter::once(0).chain(ends).collect()
    }

    proptest! {
        #[test]
        fn edges_of_words_are_found_from_everywhere(
            text in "[ab1 .:$'\u{301}\u{200d}é世👨🇩🇪\n]{0,16}",
        ) {
            let end = count(&text);
            for at in 0..=end {
                for (step, edge) in
                    [(Motion::WordStart, SpanEdge::Start), (Motion::WordEnd, SpanEdge::End)]
                {
                    let edges: Vec<_> = word_edges(&text, edge).collect();
                    prop_assert!(edges.is_sorted());
                    let next = edges.iter().find(|edge| **edge > at).copied();
                    let before = edges.iter().rev().find(|edge| **edge < at).copied();
                    let (last, first) = match edge {
                        SpanEdge::Start => (end, at),
                        SpanEdge::End => (at, 0),
                    };
                    prop_assert_eq!(boundary(&text, at, step, Direction::Forward), next.unwrap_or(last));
                    prop_assert_eq!(boundary(&text, at, step, Direction::Back), before.unwrap_or(first));
                }
            }
        }

        #[test]
        fn graphemes_are_found_from_everywhere(
            text in "[a\u{301}\u{200d}👨👩🏽🇩🇪한\u{1161}\u{11a8}क\u{94d}ष\r\n\u{e0067}]{0,12}",
        ) {
            let places = graphemes(&text);
            let end = count(&text);
            for at in 0..=end {
                let next = places.iter().find(|place| **place > at).copied();
                let before = places.iter().rev().find(|place| **place < at).copied();
                prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Forward), next.unwrap_or(end));
                prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Back), before.unwrap_or(0));
            }
        }
    }

    #[test]
    fn a_time_a_name_and_an_abbreviation_are_one_word() {
        let text = "9:10 O'Neil 7 a.m. $12.50, 4th";
        let ends = [4, 11, 13, 18, 25, 30];
        assert_eq!(word_edges(text, SpanEdge::End).collect::<BTreeSet<_>>(), ends.into());
        let starts = [0, 5, 12, 14, 19, 27];
        assert_eq!(word_edges(text, SpanEdge::Start).collect::<BTreeSet<_>>(), starts.into());
        assert_eq!(boundary(text, 0, Motion::WordEnd, Direction::Forward), 4);
        assert_eq!(boundary(text, 18, Motion::WordStart, Direction::Back), 14);
    }

    #[test]
    fn words_begin_and_end() {
        let text = "at AMC 16:";
        let forward = |at, step| boundary(text, at, step, Direction::Forward);
        assert_eq!([forward(0, Motion::WordEnd), forward(2, Motion::WordEnd)], [2, 6]);
        assert_eq!([forward(0, Motion::WordStart), forward(7, Motion::WordStart)], [3, 10]);
        let back = |at, step| boundary(text, at, step, Direction::Back);
        assert_eq!([back(10, Motion::WordEnd), back(9, Motion::WordEnd)], [9, 6]);
        assert_eq!([back(10, Motion::WordStart), back(1, Motion::WordStart)], [7, 0]);
        assert_eq!(back(1, Motion::All), 0);
    }
}
