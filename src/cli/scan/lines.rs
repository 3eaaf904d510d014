//! Counts lines and columns in a part of a file while it is in memory.

use std::ops::Range;

use crate::json::Position;

/// Counts lines and columns in a buffer, going forward.
pub struct LineCounter<'b> {
    buffer: &'b [u8],
    /// Offset of the buffer in the file.
    start: u64,
    /// Number of bytes counted.
    done: usize,
    position: Position,
}

impl<'b> LineCounter<'b> {
    pub fn new(buffer: &'b [u8], start: u64) -> Self {
        Self { buffer, start, done: 0, position: Position::default() }
    }

    /// Returns the byte range of the file that the buffer holds.
    pub fn covers(&self) -> Range<u64> {
        self.start..self.start + self.buffer.len() as u64
    }

    /// Returns the position of an offset in the file, relative to the start of the part. Offsets must be
    /// requested in ascending order.
    pub fn until(&mut self, offset: u64) -> Position {
        let until = ((offset - self.start) as usize).min(self.buffer.len());
        self.position.advance(&self.buffer[self.done..until.max(self.done)]);
        self.done = until.max(self.done);
        self.position
    }
}
