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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Edit;
    use crate::dialog::apply::tests::{dialog, quotes};
    use crate::text::Splitting;

    #[test]
    fn places_are_those_after_the_edit() {
        let before = dialog("two for Dune Part Two at seven", &[(0, 3), (8, 21), (25, 30)]);
        for text in [
            "two for Dune Part Two at seven",
            "zwei für Dune Part Two at seven pm",
            "two for Dune Part at seven",
            "two for Dune Two at 7",
            "",
        ] {
            let places = before.turns[0].places_in(text, Units::CodePoints);
            let shown = places.iter().filter_map(|place| match place {
                NewPlace::At(bytes) | NewPlace::Left(bytes) => Some(&text[bytes.clone()]),
                NewPlace::Lost | NewPlace::Unknown => None,
            });
            let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop: true, shrink: true };
            let after = edit.apply(&before).expect("dropped");
            let meant = quotes(&after).into_iter().map(|(covered, _)| covered);
            assert_eq!(shown.collect::<Vec<_>>(), meant.collect::<Vec<_>>());
        }
    }

    #[test]
    fn segments_without_a_place_are_cut_lost_or_unknown() {
        let mut before = dialog("two for Dune Part Two", &[(0, 3), (4, 7), (8, 21)]);
        before.turns[0].segments[1].span = None;
        let places = before.turns[0].places_in("2 for Dune", Units::CodePoints);
        assert_eq!(places, [NewPlace::Lost, NewPlace::Unknown, NewPlace::Left(6..10)]);
    }

    #[test]
    fn tokens_are_placed_in_a_text_with_any_spaces() {
        let mut before = dialog("two for dune", &[(0, 1), (2, 3)]);
        before.turns[0].tokens = tokens_of("two for dune", Units::Tokens(Splitting::Spaces));
        let places =
            before.turns[0].places_in("so ,  two for dune", Units::Tokens(Splitting::Spaces));
        assert_eq!(places, [NewPlace::At(6..9), NewPlace::At(14..18)]);
    }
}
