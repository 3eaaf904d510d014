//! Converts the spans of a turn to places in its text.

use std::ops::Range;

use super::model::{Segment, Short, Span, Turn};
use crate::text::{CodePoints, Units};

/// A turn in which many spans are looked up: each takes as long, however long the turn is.
#[derive(Clone, Debug)]
pub struct TurnSpans<'t> {
    turn: &'t Turn,
    units: Units,
    points: CodePoints<'t>,
    /// Bytes of each token, where tokens are counted.
    tokens: Vec<Range<usize>>,
}

impl Turn {
    /// Looks up spans that count `units`.
    pub fn spans(&self, units: Units) -> TurnSpans<'_> {
        let (points, tokens) = match units {
            Units::CodePoints => (CodePoints::new(&self.text), Vec::new()),
            Units::Tokens => (CodePoints::new(""), self.places_of_tokens()),
        };
        TurnSpans {
            turn: self,
            units,
            points,
            tokens,
        }
    }

    /// The bytes of each token, which are looked up one after another in the text.
    fn places_of_tokens(&self) -> Vec<Range<usize>> {
        let mut at = 0;
        let place = |token: &Short| {
            // A token that the text does not say has no place in it.
            let found = self.text[at..].find(token.as_str());
            let start = found.map_or(at, |i| at + i);
            at = found.map_or(at, |_| start + token.len());
            start..at
        };
        self.tokens.iter().map(place).collect()
    }
}

impl TurnSpans<'_> {
    /// As [`Turn::bytes_of`].
    pub fn bytes_of(&self, span: Span) -> Range<usize> {
        let range = span.range();
        let end = self.turn.text.len();
        match self.units {
            Units::CodePoints => {
                let byte = |at| self.points.byte_of(at).unwrap_or(end);
                let start = byte(range.start);
                start..byte(range.end).max(start)
            }
            Units::Tokens => {
                let start = self
                    .tokens
                    .get(range.start)
                    .map_or(end, |place| place.start);
                let last = range.end.checked_sub(1).and_then(|i| self.tokens.get(i));
                start..last.map_or(end, |place| place.end).max(start)
            }
        }
    }

    /// As [`Turn::covered`].
    pub fn covered(&self, span: Span) -> Option<Short> {
        match self.units {
            Units::CodePoints => {
                let bytes = self.points.range(span.start as usize, span.end as usize)?;
                Some(self.turn.text[bytes].into())
            }
            Units::Tokens => self.turn.covered(span, self.units),
        }
    }

    /// True if the numbers of `segment` lie beyond the text, or do not cover what it quotes.
    pub fn is_misquoted(&self, segment: &Segment) -> bool {
        let Some(span) = segment.span else {
            return false;
        };
        match (self.covered(span), &segment.quote) {
            (Some(covered), Some(quote)) => covered != *quote,
            (covered, _) => covered.is_none(),
        }
    }
}
