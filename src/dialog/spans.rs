//! Looks up the texts that many spans of one turn cover.

use std::ops::Range;

use super::model::{Segment, Short, Span, Turn};
use super::places::Places;
use crate::text::Units;

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
        TurnSpans {
            turn: self,
            units,
            places: self.places(units),
        }
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
        match (self.covered(span), &segment.quote) {
            (Some(covered), Some(quote)) => covered != *quote,
            (covered, _) => covered.is_none(),
        }
    }
}
