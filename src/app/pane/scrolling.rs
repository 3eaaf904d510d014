//! Scrolling through blocks of lines, far more than fit on a screen: heights are computed only for
//! the blocks that the window passes.

/// A line: its block, and its number in that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinePosition<B> {
    pub block: B,
    pub line: usize,
}

impl<B> LinePosition<B> {
    /// Returns the first line of a block.
    pub fn start(block: B) -> Self {
        Self { block, line: 0 }
    }
}

/// Blocks of lines one below the other; there is at least one.
pub trait Blocks {
    type Block: Copy + Ord;

    /// Returns the block below; None below the last one.
    fn below(&mut self, block: Self::Block) -> Option<Self::Block>;

    /// Returns the block above; None above the first one.
    fn above(&mut self, block: Self::Block) -> Option<Self::Block>;

    /// Returns the number of lines of a block; may be 0.
    fn height(&mut self, block: Self::Block) -> usize;

    /// Returns the place `by` lines from `from`, or the first or last one.
    fn walk(&mut self, from: LinePosition<Self::Block>, by: isize) -> LinePosition<Self::Block> {
        let (mut at, mut left) = (from, by.unsigned_abs());
        loop {
            let room =
                if by < 0 { at.line } else { self.height(at.block).saturating_sub(at.line + 1) };
            let step = left.min(room);
            at.line = at.line.saturating_add_signed(step as isize * by.signum());
            left -= step;
            if left == 0 {
                return at;
            }
            match self.next_with_lines(at.block, by < 0) {
                Some(block) => {
                    let last = self.height(block) - 1;
                    let line = if by < 0 { last } else { 0 };
                    at = LinePosition { block, line };
                }
                None => return at,
            }
            left -= 1;
        }
    }

    /// Returns the nearest block above or below that has lines.
    fn next_with_lines(&mut self, from: Self::Block, above: bool) -> Option<Self::Block> {
        let mut block = from;
        loop {
            block = if above { self.above(block)? } else { self.below(block)? };
            if self.height(block) > 0 {
                return Some(block);
            }
        }
    }

    /// Returns the places of `rows` lines from `from` on, or as many as there are.
    fn page(
        &mut self,
        from: LinePosition<Self::Block>,
        rows: usize,
    ) -> Vec<LinePosition<Self::Block>> {
        let mut places = Vec::with_capacity(rows);
        let (mut block, mut first) = (Some(from.block), from.line);
        while let Some(here) = block.filter(|_| places.len() < rows) {
            let lines = first..self.height(here);
            let shown = lines.take(rows - places.len());
            places.extend(shown.map(|line| LinePosition { block: here, line }));
            (block, first) = (self.below(here), 0);
        }
        places
    }
}
