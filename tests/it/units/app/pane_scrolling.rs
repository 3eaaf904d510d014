//! Tests of `src/app/pane/scrolling.rs`.

use turnwise::app::pane::scrolling::*;

/// The heights of blocks.
struct Heights(Vec<usize>);

impl Blocks for Heights {
    type Block = usize;

    fn below(&mut self, block: usize) -> Option<usize> {
        Some(block + 1).filter(|below| *below < self.0.len())
    }

    fn above(&mut self, block: usize) -> Option<usize> {
        block.checked_sub(1)
    }

    fn height(&mut self, block: usize) -> usize {
        self.0[block]
    }
}

#[test]
fn a_walk_goes_from_line_to_line() {
    let mut heights = Heights(vec![2, 0, 1, 3, 0]);
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
