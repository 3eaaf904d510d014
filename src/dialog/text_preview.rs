//! Shows where the segments of a turn will be while its text is typed.

use std::ops::Range;

use super::apply_text::tokens_of;
use super::model::{Span, Turn};
use crate::text::{MappedSpan, Units};

/// The place of a segment in a new text of its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NewPlace {
    /// It covers these bytes of the new text.
    At(Range<usize>),
    /// The new text cuts it; these bytes are left of it.
    Left(Range<usize>),
    /// The new text cuts it, and nothing is left of it.
    Lost,
    /// Its edges cannot be read, so no place can be computed.
    Unknown,
}

impl Turn {
    /// Returns the place of each segment if the turn's text becomes `text`, as `Edit::SetText` moves them.
    pub fn places_in(&self, text: &str, units: Units) -> Vec<NewPlace> {
        let whole = self.moved_by(text, false, units);
        let left = if whole.contains(&Some(MappedSpan::Cut)) {
            self.moved_by(text, true, units)
        } else {
            whole.clone()
        };
        let changed =
            Turn { text: text.to_owned(), tokens: tokens_of(text, units), ..Turn::default() };
        let places = changed.places(units);
        let bytes = |range: Range<usize>| {
            let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
            let (start, end) = (offset(range.start), offset(range.end));
            places.bytes_of(Span { start, end })
        };
        let place = |((segment, whole), left)| match (segment, whole, left) {
            (None, Some(_), _) => NewPlace::Unknown,
            (None, None, _) => NewPlace::At(0..0),
            (Some(span), None, _) => NewPlace::At(places.bytes_of(span)),
            (_, Some(MappedSpan::To(range)), _) => NewPlace::At(bytes(range)),
            (_, _, Some(MappedSpan::To(range))) => NewPlace::Left(bytes(range)),
            _ => NewPlace::Lost,
        };
        let spans = self.segments.iter().map(|segment| segment.span);
        spans.zip(whole).zip(left).map(place).collect()
    }
}
