//! Tests of `src/app/pane/transcript/ranges.rs`.

use std::ops::Range;
use turnwise::app::pane::transcript::ranges::*;

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
