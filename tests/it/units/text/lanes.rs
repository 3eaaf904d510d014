//! Tests of `src/text/lanes.rs`.

use std::ops::Range;
use turnwise::text::*;

fn places(
    text: &str,
    row: Range<usize>,
    stretches: &[Range<usize>],
) -> Vec<Vec<(usize, usize, usize)>> {
    let place = |p: LaneMark| (p.item, p.start, p.width);
    let lane = |lane: Vec<LaneMark>| lane.into_iter().map(place).collect();
    lanes(text, &row, stretches, |_| 1).into_iter().map(lane).collect()
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
