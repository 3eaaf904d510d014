//! The labelled spans of a turn that can be written, in bytes and code points.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ops::Range;

use super::export_format::ExportedDialog;
use super::left_out::{LeftOut, TurnPart};
use crate::dialog::{Places, Span, Turn};
use crate::text::{CodePoints, Units};

/// One label of a segment. A segment with several labels has one for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledSpan<'t> {
    /// Position of the segment in its turn.
    pub segment: usize,
    pub label: &'t str,
    pub bytes: Range<usize>,
    /// In code points, half-open.
    pub start: usize,
    pub end: usize,
}

/// The places of one turn's segments.
pub struct SpanPlaces<'t> {
    turn: &'t Turn,
    units: Units,
    places: Places,
    points: CodePoints<'t>,
}

/// The place of a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanPlace {
    pub bytes: Range<usize>,
    /// In code points, half-open.
    pub start: usize,
    pub end: usize,
}

impl<'t> SpanPlaces<'t> {
    pub fn new(turn: &'t Turn, units: Units) -> Self {
        Self { turn, units, places: turn.places(units), points: CodePoints::new(&turn.text) }
    }

    /// Returns the place of a segment; None if it has none inside the text.
    pub fn of(&self, segment: usize) -> Option<SpanPlace> {
        self.of_span(self.turn.segments.get(segment)?.span?)
    }

    /// Returns the place of a span; None if it has none inside the text.
    pub fn of_span(&self, span: Span) -> Option<SpanPlace> {
        let (start, end) = (span.start as usize, span.end as usize);
        if start > end || end > self.places.count() {
            return None;
        }
        let bytes = self.places.bytes_of(span);
        let (start, end) = match self.units {
            Units::CodePoints => (start, end),
            Units::Tokens(_) => (self.points.before(bytes.start), self.points.before(bytes.end)),
        };
        Some(SpanPlace { bytes, start, end })
    }

    /// Returns the offsets of a segment in code points or, if they are outside the text, as the corpus has them; None
    /// if it has none.
    pub fn written(&self, segment: usize) -> Option<(usize, usize)> {
        let span = self.turn.segments.get(segment)?.span?;
        Some(match self.of(segment) {
            Some(found) => (found.start, found.end),
            None => (span.start as usize, span.end as usize),
        })
    }
}

/// Returns the labelled spans of a turn in the order of its text, the longer one first; counts the segments that
/// have no place in the text or no label.
pub fn spans<'t>(turn: &'t Turn, units: Units, left_out: &mut LeftOut) -> Vec<LabelledSpan<'t>> {
    let places = SpanPlaces::new(turn, units);
    let mut spans = Vec::new();
    for (number, segment) in turn.segments.iter().enumerate() {
        let Some(place) = places.of(number) else {
            left_out.one(match segment.span {
                Some(_) => ["segment outside its text", "segments outside their text"],
                None => ["segment without offsets", "segments without offsets"],
            });
            continue;
        };
        if place.bytes.is_empty() {
            left_out.one(["empty segment", "empty segments"]);
            continue;
        }
        let names = segment.labels.iter().map(|label| label.name.as_str());
        let mut names: Vec<_> = names.filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            left_out.one(["segment without a label", "segments without a label"]);
        }
        let all = names.len();
        let mut seen = HashSet::new();
        names.retain(|name| seen.insert(*name));
        left_out.several(["repeated label", "repeated labels"], all - names.len());
        spans.extend(names.into_iter().map(|label| LabelledSpan {
            segment: number,
            label,
            bytes: place.bytes.clone(),
            start: place.start,
            end: place.end,
        }));
    }
    spans.sort_by_key(|span| (span.start, Reverse(span.end)));
    spans
}

/// Returns the turns to write with their positions and labelled spans, without those whose text is empty, as `is_empty`
/// says; counts what formats of labelled text leave out.
pub fn labelled_turns<'d>(
    dialog: &ExportedDialog<'d>,
    is_empty: fn(&str) -> bool,
    left_out: &mut LeftOut,
) -> Vec<(usize, &'d Turn, Vec<LabelledSpan<'d>>)> {
    left_out.dialog_fields(dialog.dialog);
    left_out.judgements(dialog.dialog);
    let mut labelled = Vec::new();
    for (number, turn) in dialog.turns() {
        left_out.parts(turn, &TurnPart::BESIDE_SEGMENTS);
        let spans = spans(turn, dialog.dialog.units, left_out);
        if is_empty(&turn.text) {
            left_out.one(["turn without text", "turns without text"]);
        } else {
            labelled.push((number, turn, spans));
        }
    }
    labelled
}
