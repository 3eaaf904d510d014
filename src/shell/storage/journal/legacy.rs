//! Reads the lines of journals of version 3: after the checksum, each has its number and the hash that the file had
//! when it was last saved.

use super::lines::{JournalLine, whole};

/// The version.
pub const FORM: u64 = 3;

/// Returns the line with this number, counted from 1 behind the first line, if `line` is it.
pub fn line(line: &[u8], number: u64) -> Option<JournalLine> {
    let (_, text) = whole(line, FORM)?;
    let mut parts = text.splitn(3, ' ');
    let is_next = parts.next()?.parse() == Ok(number);
    parts.next().filter(|_| is_next)?;
    JournalLine::read(parts.next()?)
}
