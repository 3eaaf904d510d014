//! Marks under a line of text: one lane for each stretch that would overlap another.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
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
    let mut lanes: Vec<Vec<Placed>> = Vec::new();
    // Lanes that are taken, by the column up to which they are, and those that are free: stretches come
    // from left to right, and a lane that is free stays free until one is put there.
    let mut taken: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
    let mut free: BinaryHeap<Reverse<usize>> = BinaryHeap::new();
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
        while let Some(Reverse((until, lane))) = taken.peek().copied()
            && until <= start
        {
            taken.pop();
            free.push(Reverse(lane));
        }
        let lane = free.pop().map_or(lanes.len(), |Reverse(lane)| lane);
        if lane == lanes.len() {
            lanes.push(Vec::new());
        }
        let used = start + placed.width + tail(item);
        taken.push(Reverse((used + 1, lane)));
        lanes[lane].push(placed);
    }
    lanes
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

    /// The first lane with room is taken, also one that an earlier stretch has left.
    #[test]
    fn lanes_are_used_again_from_the_first_one() {
        let text = "0123456789012345678901234567890123456789";
        let stretches = [0..2, 0..4, 0..6, 4..6, 8..20, 9..12, 21..24];
        assert_eq!(
            places(text, 0..40, &stretches),
            [
                vec![(0, 0, 2), (3, 4, 2), (4, 8, 12)],
                vec![(1, 0, 4), (5, 9, 3), (6, 21, 3)],
                vec![(2, 0, 6)]
            ]
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
