//! Lines and columns of a part of a file, counted while it is in memory.

use std::ops::Range;

use crate::json::Position;

/// Counts lines and columns in a buffer, forward.
pub struct LineCounter<'b> {
    buffer: &'b [u8],
    /// Where the buffer begins in the file.
    start: u64,
    /// How much of it is counted.
    done: usize,
    position: Position,
}

impl<'b> LineCounter<'b> {
    pub fn new(buffer: &'b [u8], start: u64) -> Self {
        Self {
            buffer,
            start,
            done: 0,
            position: Position::default(),
        }
    }

    /// The bytes of the file that the part is.
    pub fn covers(&self) -> Range<u64> {
        self.start..self.start + self.buffer.len() as u64
    }

    /// The position of an offset of the file, counted from the beginning of the part. The offset must
    /// not lie before the one asked for last.
    pub fn until(&mut self, offset: u64) -> Position {
        let until = ((offset - self.start) as usize).min(self.buffer.len());
        self.position
            .advance(&self.buffer[self.done..until.max(self.done)]);
        self.done = until.max(self.done);
        self.position
    }
}
