//! Marks under a line of text: one lane for each stretch that would overlap another.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::display::{is_plain, visible, width};

/// Where the mark of a stretch stands in its lane, in columns of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// Position of the stretch in the list that was given.
    pub item: usize,
    pub start: usize,
    pub width: usize,
    /// The stretch begins in this row.
    pub begins: bool,
    /// It ends in this row.
    pub ends: bool,
}

/// Lanes to stand under `row`, bytes of `text`. Each of `stretches` is a range of bytes; it goes to
/// the first lane in which there is room for it and for `tail` more columns behind it.
pub fn lanes(
    text: &str,
    row: &Range<usize>,
    stretches: &[Range<usize>],
    tail: impl Fn(usize) -> usize,
) -> Vec<Vec<Placed>> {
    let shown = &text[row.clone()];
    let column = |byte: usize| width(&visible(&shown[..byte]));
    let mut lanes: Vec<(usize, Vec<Placed>)> = Vec::new();
    let mut order: Vec<_> = (0..stretches.len()).collect();
    order.sort_by_key(|&item| stretches[item].start);
    for item in order {
        let stretch = &stretches[item];
        let (from, to) = (stretch.start.max(row.start), stretch.end.min(row.end));
        if from >= to {
            continue;
        }
        let seen = seen(shown, from - row.start..to - row.start);
        let (start, end) = (column(seen.start), column(seen.end));
        let placed = Placed {
            item,
            start,
            width: (end - start).max(1),
            begins: stretch.start >= row.start,
            ends: stretch.end <= row.end,
        };
        let used = start + placed.width + tail(item);
        match lanes.iter_mut().find(|(free, _)| *free <= start) {
            Some((free, lane)) => {
                lane.push(placed);
                *free = used + 1;
            }
            None => lanes.push((used + 1, vec![placed])),
        }
    }
    lanes.into_iter().map(|(_, lane)| lane).collect()
}

/// The bytes of the graphemes that a stretch covers or cuts: half of one cannot be seen.
fn seen(text: &str, stretch: Range<usize>) -> Range<usize> {
    if is_plain(text) {
        return stretch;
    }
    let mut seen = stretch.clone();
    for (start, grapheme) in text.grapheme_indices(true) {
        let end = start + grapheme.len();
        if (start..end).contains(&stretch.start) {
            seen.start = start;
        }
        if start < stretch.end && stretch.end < end {
            seen.end = end;
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(
        text: &str,
        row: Range<usize>,
        stretches: &[Range<usize>],
    ) -> Vec<Vec<(usize, usize, usize)>> {
        let place = |p: Placed| (p.item, p.start, p.width);
        let lane = |lane: Vec<Placed>| lane.into_iter().map(place).collect();
        lanes(text, &row, stretches, |_| 1)
            .into_iter()
            .map(lane)
            .collect()
    }

    #[test]
    fn overlapping_stretches_have_lanes_of_their_own() {
        let text = "two for Dune at seven";
        assert_eq!(
            places(text, 0..21, &[0..3, 4..12, 8..12, 16..21]),
            [vec![(0, 0, 3), (2, 8, 4), (3, 16, 5)], vec![(1, 4, 8)]]
        );
    }

    #[test]
    fn a_stretch_within_a_grapheme_stands_under_all_of_it() {
        let text = "a👩‍👩 b";
        let [second, joiner] = [8, 5];
        assert_eq!(places(text, 0..14, &[second..12]), [vec![(0, 1, 2)]]);
        assert_eq!(places(text, 0..14, &[joiner..14]), [vec![(0, 1, 4)]]);
        assert_eq!(places(text, 0..14, &[0..joiner]), [vec![(0, 0, 3)]]);
    }

    #[test]
    fn a_stretch_goes_on_in_the_next_row() {
        let text = "one two three";
        let first = lanes(text, &(0..7), &[4..13], |_| 1);
        assert!(first[0][0].begins && !first[0][0].ends);
        let second = lanes(text, &(8..13), &[4..13], |_| 1);
        assert!(!second[0][0].begins && second[0][0].ends);
        assert_eq!((second[0][0].start, second[0][0].width), (0, 5));
    }
}
