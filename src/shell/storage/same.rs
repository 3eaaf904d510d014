//! Compares a file on the disk with bytes that would replace it.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use super::disk::open_regular;
use crate::corpus::CorpusFile;

/// Returns true if the file at `path` can be read and already holds exactly what saving `file` would write.
pub fn is_saved_as(file: &CorpusFile, path: &Path) -> bool {
    holds(path, |out| file.write_to(out))
}

/// Returns true if both files can be read and have the same bytes.
pub fn have_same_bytes([one, other]: [&Path; 2]) -> bool {
    let read = open_regular(other, File::options().read(true));
    read.is_ok_and(|mut read| holds(one, |out| io::copy(&mut read, out).map(drop)))
}

/// Returns true if the file at `path` has exactly the bytes that `write` writes.
pub fn holds(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> bool {
    let Ok(there) = open_regular(path, File::options().read(true)) else {
        return false;
    };
    let mut there = Comparison { there, buffer: Vec::new() };
    write(&mut there).is_ok() && there.there.read(&mut [0]).is_ok_and(|more| more == 0)
}

/// Takes bytes as long as they are those of a file.
struct Comparison {
    there: File,
    buffer: Vec<u8>,
}

impl Write for Comparison {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.resize(bytes.len(), 0);
        self.there.read_exact(&mut self.buffer)?;
        if self.buffer == bytes {
            Ok(bytes.len())
        } else {
            Err(io::Error::other("other bytes are there"))
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
