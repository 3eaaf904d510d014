//! Marks under a line of text: one lane for each segment that would overlap another.

use std::ops::Range;

use crate::dialog::{Span, Turn};
use crate::text::{Units, visible, width};

/// The bytes of `turn`'s text that `span` covers, as far as it lies in the text. Tokens are looked
/// up one after another in the text.
pub fn bytes_of(turn: &Turn, span: Span, units: Units) -> Range<usize> {
    let range = span.range();
    match units {
        Units::CodePoints => {
            let byte = |at| crate::text::byte_of(&turn.text, at).unwrap_or(turn.text.len());
            let start = byte(range.start);
            start..byte(range.end).max(start)
        }
        Units::Tokens => {
            let mut at = 0;
            let mut places = turn.tokens.iter().map(|token| {
                let found = turn.text[at..].find(token.as_str()).map_or(at, |i| at + i);
                at = (found + token.len()).min(turn.text.len());
                found..at
            });
            let places: Vec<_> = places.by_ref().collect();
            let end = turn.text.len();
            let start = places.get(range.start).map_or(end, |place| place.start);
            let last = range.end.checked_sub(1).and_then(|i| places.get(i));
            start..last.map_or(end, |place| place.end).max(start)
        }
    }
}

/// Rows of marks to stand under `row`, bytes of `text`. Each of `segments` is its bytes; it is drawn
/// as `└──┘` with its number behind, in the first lane in which there is room.
pub fn lanes(text: &str, row: &Range<usize>, segments: &[Range<usize>]) -> Vec<String> {
    let column = |byte: usize| width(&visible(&text[row.start..byte]));
    let mut lanes: Vec<String> = Vec::new();
    for (number, segment) in segments.iter().enumerate() {
        let (start, end) = (segment.start.max(row.start), segment.end.min(row.end));
        if start >= end {
            continue;
        }
        let (from, to) = (column(start), column(end));
        let begins = segment.start >= row.start;
        let ends = segment.end <= row.end;
        let mark = bracket(to - from, begins, ends) + &number.to_string();
        let lane = lanes
            .iter_mut()
            .find(|lane| lane.chars().count() < from || from == 0 && lane.is_empty());
        match lane {
            Some(lane) => {
                let gap = from - lane.chars().count();
                lane.extend(std::iter::repeat_n(' ', gap));
                lane.push_str(&mark);
            }
            None => lanes.push(" ".repeat(from) + &mark),
        }
    }
    lanes
}

fn bracket(wide: usize, begins: bool, ends: bool) -> String {
    let (left, right) = (if begins { '└' } else { '─' }, if ends { '┘' } else { '─' });
    match wide {
        0 | 1 => "│".to_owned(),
        _ => format!("{left}{}{right}", "─".repeat(wide - 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_segments_have_lanes_of_their_own() {
        let text = "two for Dune at seven";
        let drawn = lanes(text, &(0..21), &[0..3, 4..12, 8..12, 16..21]);
        assert_eq!(drawn, ["└─┘0    └──┘2   └───┘3", "    └──────┘1"]);
    }

    #[test]
    fn a_segment_goes_on_in_the_next_row() {
        let text = "one two three";
        assert_eq!(lanes(text, &(0..7), &[4..13]), ["    └──0"]);
        assert_eq!(lanes(text, &(8..13), &[4..13]), ["────┘0"]);
    }
}
