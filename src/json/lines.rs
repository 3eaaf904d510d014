//! Cuts a file into lines, each a piece without the whitespace around it.
//!
//! Every line is a piece, whatever it contains, so a broken line does not affect the others.

use super::scan_result::Piece;

/// Cuts bytes at line feeds. The bytes are fed in order.
#[derive(Default)]
pub struct LineSplitter {
    /// Offset of the first byte of the current line that is not whitespace.
    start: Option<u64>,
    /// Offset after the last such byte.
    end: u64,
}

impl LineSplitter {
    /// Takes the bytes at offset `at` and appends the lines that end in them to `pieces`.
    pub fn feed(&mut self, bytes: &[u8], at: u64, pieces: &mut Vec<Piece>) {
        let mut from = 0;
        for newline in memchr::memchr_iter(b'\n', bytes) {
            self.part(&bytes[from..newline], at + from as u64);
            pieces.extend(self.finish());
            from = newline + 1;
        }
        self.part(&bytes[from..], at + from as u64);
    }

    /// Ends the current line.
    pub fn finish(&mut self) -> Option<Piece> {
        self.start.take().map(|start| Piece { start, end: self.end })
    }

    fn part(&mut self, bytes: &[u8], at: u64) {
        let filled = |b: &u8| !matches!(b, b' ' | b'\t' | b'\r');
        let Some(first) = bytes.iter().position(filled) else {
            return;
        };
        self.start.get_or_insert(at + first as u64);
        if let Some(last) = bytes.iter().rposition(filled) {
            self.end = at + last as u64 + 1;
        }
    }
}
