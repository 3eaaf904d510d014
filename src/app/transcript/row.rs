//! One row of what is said, cut where segments and search hits begin and end.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::line::{Ink, Run};
use crate::text::visible;

/// A segment in the text.
#[derive(Clone, Debug)]
pub struct Stretch {
    pub bytes: Range<usize>,
    pub ink: Ink,
    pub selected: bool,
}

/// The pieces of `row`, bytes of `text`. Of segments that overlap, the one chosen shows its ink, or
/// else the one that begins last; the lanes below show them all.
pub fn text_row(
    text: &str,
    row: &Range<usize>,
    stretches: &[Stretch],
    hits: &[Range<usize>],
) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let plain = stretches
        .iter()
        .all(|s| s.bytes.end <= row.start || s.bytes.start >= row.end)
        && hits
            .iter()
            .all(|hit| hit.end <= row.start || hit.start >= row.end);
    if plain {
        let text = visible(&text[row.clone()]).into_owned();
        return vec![Run {
            text,
            ..Run::default()
        }];
    }
    for (offset, grapheme) in text[row.clone()].grapheme_indices(true) {
        let bytes = row.start + offset..row.start + offset + grapheme.len();
        let covers = |range: &Range<usize>| range.start < bytes.end && bytes.start < range.end;
        let over = stretches.iter().filter(|s| covers(&s.bytes));
        let front = over.max_by_key(|s| (s.selected, s.bytes.start));
        let run = Run {
            text: visible(grapheme).into_owned(),
            ink: front.map_or(Ink::Plain, |s| s.ink),
            hit: hits.iter().any(covers),
            selected: front.is_some_and(|s| s.selected),
        };
        match runs.last_mut() {
            Some(last)
                if (last.ink, last.hit, last.selected) == (run.ink, run.hit, run.selected) =>
            {
                last.text.push_str(&run.text);
            }
            _ => runs.push(run),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chosen_segment_is_in_front() {
        let stretch = |bytes, selected| Stretch {
            bytes,
            ink: Ink::Label(1),
            selected,
        };
        let stretches = [stretch(0..7, true), stretch(4..7, false)];
        let runs = text_row("two for Dune", &(0..12), &stretches, &[8..12]);
        let shown: Vec<_> = runs
            .iter()
            .map(|r| (r.text.as_str(), r.selected, r.hit))
            .collect();
        assert_eq!(
            shown,
            [
                ("two for", true, false),
                (" ", false, false),
                ("Dune", false, true)
            ]
        );
    }
}
