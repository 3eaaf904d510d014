//! Compares a file on disk with the text that a save would write.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::disk::DiskFile;
use crate::corpus::{CorpusFile, FilePart, Source};

/// Bytes compared at once.
const CHUNK: u64 = 1 << 20;

/// Returns true if the file at `path` can be read and already holds exactly what saving `file` would
/// write.
pub fn is_saved_as(file: &CorpusFile, path: &Path) -> bool {
    let there = DiskFile::open(path);
    there.is_ok_and(|there| compare(file, &there).unwrap_or(false))
}

fn compare(file: &CorpusFile, there: &DiskFile) -> io::Result<bool> {
    let mut at = 0;
    for part in file.parts() {
        let len = match &part {
            FilePart::Kept(range) => range.end - range.start,
            FilePart::New { text, .. } => text.len() as u64,
        };
        if at + len > there.len() {
            return Ok(false);
        }
        let same = match part {
            FilePart::Kept(range) => same_ranges(file.source(), range, there, at)?,
            FilePart::New { text, .. } => read(there, at..at + len)? == text.as_bytes(),
        };
        if !same {
            return Ok(false);
        }
        at += len;
    }
    Ok(at == there.len())
}

/// Returns true if `range` of `source` equals the bytes of `there` from `at` on.
fn same_ranges(
    source: &dyn Source,
    range: Range<u64>,
    there: &DiskFile,
    mut at: u64,
) -> io::Result<bool> {
    let mut from = range.start;
    while from < range.end {
        let len = CHUNK.min(range.end - from);
        if read(source, from..from + len)? != read(there, at..at + len)? {
            return Ok(false);
        }
        (from, at) = (from + len, at + len);
    }
    Ok(true)
}

fn read(source: &dyn Source, range: Range<u64>) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (range.end - range.start) as usize];
    source.read_at(range.start, &mut bytes)?;
    Ok(bytes)
}
