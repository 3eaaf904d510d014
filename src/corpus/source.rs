//! The trait for sources of bytes.

use std::io;
use std::sync::Arc;

/// Bytes that can be read at any offset, like those of an open file.
pub trait Source: Send + Sync {
    /// Length in bytes.
    fn len(&self) -> u64;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buffer` with the bytes from offset `at` on.
    ///
    /// # Errors
    /// If they cannot be read, or the source ends before.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()>;
}

impl<S: Source + ?Sized> Source for Arc<S> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        (**self).read_at(at, buffer)
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
