//! Assigns marks under a line of text to lanes, so that the marks in a lane do not overlap.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::display::{is_plain, visible, width};

/// The place of a mark in its lane, in columns of the row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneMark {
    /// Index of the stretch in the given list.
    pub item: usize,
    pub start: usize,
    pub width: usize,
    /// True if the stretch starts in this row.
    pub begins: bool,
    /// True if it ends in this row.
    pub ends: bool,
}

/// Stretches of a text, indexed so that those in a row are found without checking all others.
#[derive(Clone, Debug)]
pub struct IntervalIndex<'s> {
    all: &'s [Range<usize>],
    /// Indexes of the stretches, ordered by start.
    order: Vec<usize>,
    /// A binary tree over `order`: the root is node 1, the children of node `n` are `2n` and `2n + 1`.
    /// Each node has the greatest end of the stretches below it.
    ends: Vec<usize>,
}

impl<'s> IntervalIndex<'s> {
    /// Returns each of `all` is a byte range.
    pub fn new(all: &'s [Range<usize>]) -> Self {
        let mut order: Vec<_> = (0..all.len()).collect();
        order.sort_by_key(|&item| all[item].start);
        let leaves = all.len().next_power_of_two();
        let mut ends = vec![0; 2 * leaves];
        for (leaf, item) in order.iter().enumerate() {
            ends[leaves + leaf] = all[*item].end;
        }
        for node in (1..leaves).rev() {
            ends[node] = ends[2 * node].max(ends[2 * node + 1]);
        }
        Self { all, order, ends }
    }

    /// Returns the indexes of the stretches that share a byte with `row`, ordered by start.
    fn within(&self, row: &Range<usize>) -> Vec<usize> {
        let behind = self.order.partition_point(|&item| self.all[item].start < row.end);
        let leaves = self.ends.len() / 2;
        let mut found = Vec::new();
        // Nodes with the number of leaves below them, the leftmost on top.
        let mut open = vec![(1, leaves)];
        while let Some((node, below)) = open.pop() {
            let first = node * below - leaves;
            if self.ends[node] <= row.start || first >= behind {
                continue;
            }
            match below {
                1 => found.push(self.order[first]),
                _ => open.extend([(2 * node + 1, below / 2), (2 * node, below / 2)]),
            }
        }
        found.retain(|&item| !self.all[item].is_empty());
        found
    }

    /// Like [`lanes`], for many rows of one text.
    pub fn lanes(
        &self,
        text: &str,
        row: &Range<usize>,
        tail: impl Fn(usize) -> usize,
    ) -> Vec<Vec<LaneMark>> {
        let shown = &text[row.clone()];
        let column = |byte: usize| width(&visible(&shown[..byte]));
        let mut lanes: Vec<Vec<LaneMark>> = Vec::new();
        // Lanes with room now, and for the others the column from which on they have room.
        let mut free: BTreeSet<usize> = BTreeSet::new();
        let mut used: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        for item in self.within(row) {
            let stretch = &self.all[item];
            let (from, to) = (stretch.start.max(row.start), stretch.end.min(row.end));
            let seen = seen(shown, from - row.start..to - row.start);
            let (start, end) = (column(seen.start), column(seen.end));
            while let Some(Reverse((_, lane))) =
                used.peek().filter(|Reverse((from, _))| *from <= start)
            {
                free.insert(*lane);
                used.pop();
            }
            let lane = free.pop_first().unwrap_or(lanes.len());
            if lane == lanes.len() {
                lanes.push(Vec::new());
            }
            let placed = LaneMark {
                item,
                start,
                width: (end - start).max(1),
                begins: stretch.start >= row.start,
                ends: stretch.end <= row.end,
            };
            used.push(Reverse((start + placed.width + tail(item) + 1, lane)));
            lanes[lane].push(placed);
        }
        lanes
    }
}

/// Returns the lanes under `row`, a byte range of `text`. Each of `stretches` is a byte range; it goes to the
/// first lane with room for it and for `tail` more columns after it.
pub fn lanes(
    text: &str,
    row: &Range<usize>,
    stretches: &[Range<usize>],
    tail: impl Fn(usize) -> usize,
) -> Vec<Vec<LaneMark>> {
    IntervalIndex::new(stretches).lanes(text, row, tail)
}

/// Returns the bytes of the graphemes that a stretch covers or cuts, because half a grapheme cannot be shown.
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
        let place = |p: LaneMark| (p.item, p.start, p.width);
        let lane = |lane: Vec<LaneMark>| lane.into_iter().map(place).collect();
        lanes(text, &row, stretches, |_| 1).into_iter().map(lane).collect()
    }

    #[test]
    fn overlapping_stretches_have_lanes_of_their_own() {
        let text = "two for Dune at seven";
        assert_eq!(
            places(text, 0..21, &[0..3, 4..12, 8..12, 16..21]),
            [vec![(0, 0, 3), (2, 8, 4), (3, 16, 5)], vec![(1, 4, 8)]]
        );
    }

    /// A stretch takes the first lane with room, even one that an earlier stretch has left.
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
    fn stretches_of_a_row_are_found_among_many() {
        let text = "a".repeat(500);
        let all: Vec<_> = (0..500).map(|i| i * 7 % 500..(i * 7 % 500 + i % 11).min(500)).collect();
        let stretches = IntervalIndex::new(&all);
        for row in [0..10, 95..200, 490..500, 499..500] {
            let mut meant: Vec<_> = (0..all.len())
                .filter(|&i| all[i].start.max(row.start) < all[i].end.min(row.end))
                .collect();
            meant.sort_by_key(|&i| all[i].start);
            assert_eq!(stretches.within(&row), meant, "{row:?}");
            let lanes = stretches.lanes(&text, &row, |_| 1);
            let mut placed: Vec<_> = lanes.iter().flatten().map(|p| p.item).collect();
            placed.sort_unstable();
            meant.sort_unstable();
            assert_eq!(placed, meant);
            // Each is in the first lane that had room for it.
            for (number, lane) in lanes.iter().enumerate() {
                for placed in lane {
                    let has_room = |lane: &Vec<LaneMark>| {
                        let before = lane.iter().filter(|p| {
                            (all[p.item].start, p.item) < (all[placed.item].start, placed.item)
                        });
                        before.map(|p| p.start + p.width + 2).max() <= Some(placed.start)
                    };
                    assert!(!lanes[..number].iter().any(has_room));
                }
            }
        }
    }

    #[test]
    fn a_span_within_a_grapheme_is_drawn_under_all_of_it() {
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
