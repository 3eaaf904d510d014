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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_that_touch_a_row_are_found_by_where_they_begin() {
        let ranges = Ranges::new([8..12, 0..30, 2..4, 12..14, 6..6].into_iter());
        let touching = |row: Range<usize>| ranges.touching(&row);
        assert_eq!(touching(12..13), [(0..30, 1), (12..14, 3)]);
        assert_eq!(touching(0..2), [(0..30, 1)]);
        assert_eq!(touching(5..9), [(0..30, 1), (8..12, 0)]);
        assert!(touching(30..40).is_empty());
        assert!(Ranges::default().touching(&(0..9)).is_empty());
        assert!(ranges.overlap());
        assert!(!Ranges::new([4..8, 0..4, 2..2].into_iter()).overlap());
    }

    #[test]
    fn a_long_stretch_hides_none_of_many() {
        let words = (0..5_000).map(|i| 5 * i..5 * i + 4);
        let ranges = Ranges::new(std::iter::once(0..25_000).chain(words));
        for row in [0..20, 12_340..12_380, 24_980..25_000] {
            let numbers: Vec<_> = ranges.touching(&row).into_iter().map(|(_, i)| i).collect();
            let first = 1 + row.start / 5;
            let expected: Vec<_> = std::iter::once(0).chain(first..first + row.len() / 5).collect();
            assert_eq!(numbers, expected);
        }
    }
}
