//! The parts of a turn: segments in order, calls as lines, votes.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::dialog::{ApiCall, Breakdown, Dialog, Field, Payload, Turn};
use crate::format::embedded;
use crate::votes::Tally;

/// A segment with its place in the text.
pub struct DrawnSegment {
    /// Half-open, in bytes of the text.
    pub bytes: Range<usize>,
    pub label: String,
    /// The number of its colour, from 0.
    pub colour: usize,
}

/// The number of colours of labels.
pub const COLOURS: usize = 6;

/// The colours of the labels of a dialog, by their order in it.
pub struct LabelColours<'d>(BTreeMap<&'d str, usize>);

impl<'d> LabelColours<'d> {
    pub fn of(dialog: &'d Dialog) -> Self {
        let mut colours = BTreeMap::new();
        let segments = dialog.turns.iter().flat_map(|turn| &turn.segments);
        for label in segments.filter_map(|segment| segment.labels.first()) {
            let next = colours.len() % COLOURS;
            colours.entry(label.name.as_str()).or_insert(next);
        }
        Self(colours)
    }

    /// Returns the segments of a turn that have a place in its text, in the order of the text.
    pub fn segments(&self, dialog: &Dialog, turn: &Turn) -> Vec<DrawnSegment> {
        let spans = turn.spans(dialog.units);
        let drawn = |segment: &crate::dialog::Segment| {
            let bytes = spans.bytes_of(segment.span?);
            let labels: Vec<_> = segment.labels.iter().map(|label| label.name.as_str()).collect();
            let colour = labels.first().and_then(|label| self.0.get(label));
            Some(DrawnSegment {
                bytes,
                colour: colour.copied().unwrap_or_default(),
                label: labels.join(", "),
            })
        };
        let mut all: Vec<_> = turn.segments.iter().filter_map(drawn).collect();
        all.retain(|segment| !segment.bytes.is_empty());
        all.sort_by_key(|segment| (segment.bytes.start, std::cmp::Reverse(segment.bytes.end)));
        all
    }
}

/// Returns a call as one line.
pub fn call_line(call: &ApiCall) -> String {
    let arguments = call.arguments.as_ref().map(payload_line).unwrap_or_default();
    format!("{}({arguments})", call.name)
}

/// Returns arguments or an answer as one line.
pub fn payload_line(payload: &Payload) -> String {
    match payload {
        Payload::Fields(fields) => {
            let field =
                |field: &Field| format!("{}={}", field.name, embedded::shown(&field.content));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        Payload::Embedded { text, .. } | Payload::Text { text, .. } => text.to_string(),
    }
}

/// Returns the votes for O, T and X; None without votes.
pub fn votes(turn: &Turn) -> Option<[u32; 3]> {
    let tally = Tally::of(&turn.votes);
    (tally.total() > 0).then(|| Breakdown::ALL.map(|label| tally.count(label)))
}
