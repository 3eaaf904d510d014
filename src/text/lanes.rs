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
    pub fn within(&self, row: &Range<usize>) -> Vec<usize> {
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
