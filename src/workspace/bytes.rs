//! The bytes of an open file, wherever they are stored.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::corpus::Source;

/// The bytes of an open file.
#[derive(Clone)]
pub struct Bytes(pub Arc<dyn Source>);

impl Source for Bytes {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.0.read_at(at, buffer)
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.0.len())
    }
}
