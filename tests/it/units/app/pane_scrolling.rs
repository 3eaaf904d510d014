//! Tests of `src/app/pane/scrolling.rs`.

use turnwise::app::pane::scrolling::*;

/// The heights of blocks, and how often one was requested.
struct Heights(Vec<usize>, usize);

impl Blocks for Heights {
    type Block = usize;

    fn below(&mut self, block: usize) -> Option<usize> {
        Some(block + 1).filter(|below| *below < self.0.len())
    }

    fn above(&mut self, block: usize) -> Option<usize> {
        block.checked_sub(1)
    }

    fn height(&mut self, block: usize) -> usize {
        self.1 += 1;
        self.0[block]
    }
}

#[test]
fn a_walk_goes_from_line_to_line() {
    let mut heights = Heights(vec![2, 0, 1, 3, 0], 0);
    let lines: Vec<_> = [(0, 0), (0, 1), (2, 0), (3, 0), (3, 1), (3, 2)]
        .map(|(block, line)| LinePosition { block, line })
        .into();
    for (number, from) in lines.iter().enumerate() {
        for by in -9..9 {
            let to = number.saturating_add_signed(by).min(lines.len() - 1);
            assert_eq!(heights.walk(*from, by), lines[to], "{from:?} {by}");
        }
        assert_eq!(heights.page(*from, 9), lines[number..]);
        assert_eq!(heights.page(*from, 1), lines[number..=number]);
    }
}

/// Only the blocks that are passed are measured, however many there are.
#[test]
fn blocks_outside_the_window_are_not_measured() {
    let asked = |count: usize| {
        let mut heights = Heights(vec![2; count], 0);
        let middle = LinePosition::start(count / 2);
        heights.walk(middle, 50);
        heights.walk(middle, -50);
        heights.page(middle, 50);
        heights.1
    };
    assert_eq!(asked(1_000), asked(100_000));
    assert!(asked(1_000) < 200, "{}", asked(1_000));
}
