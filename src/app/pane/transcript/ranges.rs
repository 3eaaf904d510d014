//! Finds the ranges of a text that touch a row, among up to a hundred thousand.

use std::ops::Range;

/// Ranges of bytes, sorted by their starts.
#[derive(Debug, Default)]
pub struct Ranges {
    /// Each range, with its position in the original list.
    sorted: Vec<(Range<usize>, usize)>,
    /// The greatest end of each `GROUP` of ranges, to skip groups that end before a row.
    reach: Vec<usize>,
}

const GROUP: usize = 256;

impl Ranges {
    pub fn new(ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut sorted: Vec<_> = ranges.zip(0..).collect();
        sorted.sort_by_key(|(range, _)| range.start);
        let reach = sorted.chunks(GROUP).map(|group| {
            let ends = group.iter().map(|(range, _)| range.end);
            ends.max().unwrap_or_default()
        });
        Self { reach: reach.collect(), sorted }
    }

    /// Returns the ranges that share bytes with `row`, sorted by their starts, each with its position.
    pub fn touching(&self, row: &Range<usize>) -> Vec<(Range<usize>, usize)> {
        let end = self.sorted.partition_point(|(range, _)| range.start < row.end);
        let groups = self.sorted[..end].chunks(GROUP).zip(&self.reach);
        let near = groups.filter(|(_, reach)| **reach > row.start);
        let all = near.flat_map(|(group, _)| group);
        all.filter(|(range, _)| range.end > row.start && !range.is_empty()).cloned().collect()
    }

    /// Returns whether any two of them share bytes.
    pub fn overlap(&self) -> bool {
        let mut reach = 0;
        self.sorted.iter().any(|(range, _)| {
            let overlaps = range.start < reach && !range.is_empty();
            reach = reach.max(range.end);
            overlaps
        })
    }
}
