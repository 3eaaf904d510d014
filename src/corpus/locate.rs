//! Converts byte offsets of a source that is not in memory to lines and columns.

use std::io;
use std::ops::Range;

use super::source::Source;
use crate::json::Position;

const CHUNK: usize = 256 << 10;

/// The positions of `offsets`, which must be sorted; reads the source once, up to the last offset.
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

/// Moves `position` from the start of the range `past` of the source to its end.
///
/// # Errors
/// If the source cannot be read.
pub fn advance(source: &dyn Source, position: &mut Position, past: Range<u64>) -> io::Result<()> {
    let mut buffer = vec![0; CHUNK.min((past.end.saturating_sub(past.start)) as usize)];
    let mut at = past.start;
    while at < past.end {
        let chunk = &mut buffer[..(past.end - at).min(CHUNK as u64) as usize];
        source.read_at(at, chunk)?;
        // A byte order mark is not a character of the text.
        let mark = if at == 0 && chunk.starts_with(crate::json::BOM) {
            3
        } else {
            0
        };
        position.advance(&chunk[mark..]);
        at += chunk.len() as u64;
    }
    Ok(())
}
