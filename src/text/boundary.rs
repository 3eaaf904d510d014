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
pub fn word_edges(text: &str, edge: SpanEdge) -> impl Iterator<Item = usize> {
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
