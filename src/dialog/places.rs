//! Looks up the bytes and the texts that many spans of one turn cover.

use std::ops::Range;

use super::model::{Segment, Short, Span, Turn};
use crate::text::Units;

/// The place of each unit of a turn's text, so that a lookup does not read the text from its start.
#[derive(Clone, Debug)]
pub struct Places {
    units: UnitBytes,
    /// Length of the text in bytes.
    end: usize,
}

#[derive(Clone, Debug)]
enum UnitBytes {
    /// Each code point is one byte.
    Ascii,
    /// The first byte of each code point.
    CodePoints(Vec<u32>),
    /// The byte range of each token.
    Tokens(Vec<Range<usize>>),
}

impl Turn {
    /// Returns the places of the units of its text. Tokens are searched for one after another.
    pub fn places(&self, units: Units) -> Places {
        let text = &self.text;
        let found = match units {
            Units::CodePoints if text.is_ascii() => UnitBytes::Ascii,
            Units::CodePoints => {
                let starts = text.char_indices().map(|(byte, _)| byte as u32);
                UnitBytes::CodePoints(starts.collect())
            }
            Units::Tokens(_) => {
                let mut at = 0;
                let place = |token: &Short| {
                    // A token that does not occur in the text has no place in it.
                    let found = text[at..].find(token.as_str());
                    let start = found.map_or(at, |i| at + i);
                    at = found.map_or(at, |_| start + token.len());
                    start..at
                };
                UnitBytes::Tokens(self.tokens.iter().map(place).collect())
            }
        };
        Places { units: found, end: text.len() }
    }
}

impl Places {
    /// Returns the number of units.
    pub fn count(&self) -> usize {
        match &self.units {
            UnitBytes::Ascii => self.end,
            UnitBytes::CodePoints(starts) => starts.len(),
            UnitBytes::Tokens(tokens) => tokens.len(),
        }
    }

    /// Returns the bytes of the text that `span` covers, cut at the end of the text.
    pub fn bytes_of(&self, span: Span) -> Range<usize> {
        let Range { start, end } = span.range();
        let (start, end) = match &self.units {
            UnitBytes::Ascii => (start.min(self.end), end.min(self.end)),
            UnitBytes::CodePoints(starts) => {
                let byte = |at: usize| starts.get(at).map_or(self.end, |byte| *byte as usize);
                (byte(start), byte(end))
            }
            UnitBytes::Tokens(tokens) => {
                let last = end.checked_sub(1).and_then(|last| tokens.get(last));
                let start = tokens.get(start).map_or(self.end, |token| token.start);
                (start, last.map_or(self.end, |token| token.end))
            }
        };
        start..end.max(start)
    }

    /// Returns the units that a range of bytes touches; None if it touches none.
    pub fn span_around(&self, bytes: &Range<usize>) -> Option<Span> {
        let touched = match &self.units {
            UnitBytes::Ascii | UnitBytes::CodePoints(_) => self.span_of(bytes),
            UnitBytes::Tokens(tokens) => {
                let touches =
                    |token: &Range<usize>| token.start < bytes.end && bytes.start < token.end;
                let first = tokens.iter().position(touches)?;
                let last = tokens.iter().rposition(touches)?;
                Some(Span { start: first as u32, end: last as u32 + 1 })
            }
        };
        touched.filter(|span| span.start < span.end)
    }

    /// Returns the units that a range of bytes covers; None if it cuts a token.
    pub fn span_of(&self, bytes: &Range<usize>) -> Option<Span> {
        let (start, end) = match &self.units {
            UnitBytes::Ascii => (bytes.start, bytes.end),
            UnitBytes::CodePoints(starts) => {
                let unit = |at: usize| starts.partition_point(|start| (*start as usize) < at);
                (unit(bytes.start), unit(bytes.end))
            }
            UnitBytes::Tokens(tokens) => {
                let first = tokens.iter().position(|token| token.start == bytes.start)?;
                let mut last = tokens[first..].iter();
                (first, first + last.position(|token| token.end == bytes.end)? + 1)
            }
        };
        Some(Span { start: start as u32, end: end as u32 })
    }
}

/// A turn for many lookups of spans: each takes the same time, however long the turn is.
#[derive(Clone, Debug)]
pub struct TurnSpans<'t> {
    turn: &'t Turn,
    units: Units,
    places: Places,
}

impl Turn {
    /// Prepares lookups of spans that count `units`.
    pub fn spans(&self, units: Units) -> TurnSpans<'_> {
        TurnSpans { turn: self, units, places: self.places(units) }
    }
}

impl TurnSpans<'_> {
    /// Like [`Turn::bytes_of`].
    pub fn bytes_of(&self, span: Span) -> Range<usize> {
        self.places.bytes_of(span)
    }

    /// Like [`Turn::covered`].
    pub fn covered(&self, span: Span) -> Option<Short> {
        let Range { start, end } = span.range();
        match self.units {
            Units::CodePoints if start <= end && end <= self.places.count() => {
                Some(self.turn.text[self.bytes_of(span)].into())
            }
            Units::CodePoints => None,
            Units::Tokens(_) => self.turn.covered(span, self.units),
        }
    }

    /// True if the offsets of `segment` lie outside the text, or do not cover the text it quotes.
    pub fn is_misquoted(&self, segment: &Segment) -> bool {
        let Some(span) = segment.span else {
            return false;
        };
        match (self.covered(span), segment.exact_quote()) {
            (Some(covered), Some(quote)) => covered != quote,
            (covered, _) => covered.is_none(),
        }
    }
}
