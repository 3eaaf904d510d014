//! The trait for sources of bytes, and the lines and columns of byte offsets in them.

use std::fmt;
use std::io::{self, Write};
use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::json::{Piece, Position};

/// Bytes that can be read at any offset, like those of an open file.
pub trait Source: Send + Sync {
    /// Length in bytes.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns what of a damaged file is not among the bytes, and why; empty if it is whole.
    fn damage(&self) -> &[String] {
        &[]
    }

    /// False if a link has led to it that leaves its folder: its text may be a secret, which messages do not quote.
    fn is_quoted(&self) -> bool {
        true
    }

    /// Fills `buffer` with the bytes from offset `at` on.
    ///
    /// # Errors
    /// If they cannot be read, or the source ends before.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()>;

    /// Returns the bytes in a range.
    ///
    /// # Errors
    /// Those of [`Source::read_at`].
    fn bytes(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        self.read_at(range.start, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the bytes of a piece.
    ///
    /// # Errors
    /// Those of [`Source::read_at`].
    fn piece(&self, Piece { start, end }: Piece) -> io::Result<Vec<u8>> {
        self.bytes(start..end)
    }
}

/// The bytes of an open file, wherever they are stored.
#[derive(Clone)]
pub struct Bytes(Arc<dyn Source>);

impl<S: Source + 'static> From<S> for Bytes {
    fn from(source: S) -> Self {
        Self(Arc::new(source))
    }
}

impl Deref for Bytes {
    type Target = dyn Source;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

impl Source for Vec<u8> {
    fn len(&self) -> u64 {
        self.as_slice().len() as u64
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).unwrap_or(usize::MAX);
        let bytes = self.get(from..).and_then(|rest| rest.get(..buffer.len()));
        buffer.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }
}

/// The number of bytes to read at once: as many as stay in the cache of one core.
pub(super) const CHUNK: usize = 256 << 10;

/// Returns the positions of `offsets`, which must be sorted; reads the source once, up to the last offset.
///
/// # Errors
/// If the source cannot be read.
pub fn positions(source: &dyn Source, offsets: &[u64]) -> io::Result<Vec<Position>> {
    let mut position = Position::default();
    let mut at = 0;
    let mut found = Vec::with_capacity(offsets.len());
    for &offset in offsets {
        let offset = offset.min(source.len());
        advance(source, &mut position, at..offset)?;
        at = at.max(offset);
        found.push(position);
    }
    Ok(found)
}

/// Writes a range of the source, in bytes.
///
/// # Errors
/// If the source cannot be read, or `out` cannot be written.
pub fn write_range(source: &dyn Source, range: Range<u64>, out: &mut dyn Write) -> io::Result<()> {
    each_chunk(source, range, |_, chunk| out.write_all(chunk))
}

/// Moves `position` from the start of the range `past` of the source to its end.
///
/// # Errors
/// If the source cannot be read.
pub fn advance(source: &dyn Source, position: &mut Position, past: Range<u64>) -> io::Result<()> {
    each_chunk(source, past, |at, chunk| {
        // A byte order mark is not a character of the text.
        let mark = if at == 0 && chunk.starts_with(crate::json::BOM) { 3 } else { 0 };
        position.advance(&chunk[mark..]);
        Ok(())
    })
}

/// Visits the bytes of a range of the source in order, a chunk at a time, with the place of each.
///
/// # Errors
/// If the source cannot be read, or those of `visit`.
pub(super) fn each_chunk(
    source: &dyn Source,
    range: Range<u64>,
    mut visit: impl FnMut(u64, &[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK.min((range.end.saturating_sub(range.start)) as usize)];
    let mut at = range.start;
    while at < range.end {
        let chunk = &mut buffer[..(range.end - at).min(CHUNK as u64) as usize];
        source.read_at(at, chunk)?;
        visit(at, chunk)?;
        at += chunk.len() as u64;
    }
    Ok(())
}
