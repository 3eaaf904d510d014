//! Reads the dialogs of a file in the pass that finds them, so that its bytes are copied from the disk once and
//! parsed while they are in the cache.
//!
//! The results count only if the finished index has the same dialogs of the same family. Otherwise the file is
//! read again, by its index.

use std::path::Path;

use super::file::{BATCH, Batch, BatchReport, Scan, dialogs};
use super::{Collector, FoundPath};
use crate::corpus::{Contents, Index, ScanProgress, beginning};
use crate::format::{FileFormat, Formats};
use crate::json::{Parser, Piece};

/// The most bytes to keep of a file whose dialogs do not end.
const KEPT: usize = 8 * BATCH as usize;

/// The dialogs that were read so far while a file is indexed.
pub struct OnePass<'s, G, F> {
    found: &'s FoundPath,
    formats: &'s Formats,
    scan: &'s Scan<F>,
    parser: Parser,
    /// The bytes of the file from offset `start` on, as far as it was read.
    buffer: Vec<u8>,
    start: u64,
    /// The family of the dialogs; None before the first batch.
    format: Option<FileFormat>,
    /// The dialogs that were parsed.
    pieces: Vec<Piece>,
    batches: Vec<(G, BatchReport)>,
    /// True if the dialogs are only known at the end of the file.
    is_given_up: bool,
}

impl<'s, G: Collector, F: Fn(&Path) -> G + Sync> OnePass<'s, G, F> {
    pub fn new(found: &'s FoundPath, formats: &'s Formats, scan: &'s Scan<F>) -> Self {
        let (parser, mut buffer) = scan.memory.take();
        buffer.clear();
        Self {
            found,
            formats,
            scan,
            parser,
            buffer,
            start: 0,
            format: None,
            pieces: Vec::new(),
            batches: Vec::new(),
            is_given_up: false,
        }
    }

    /// Takes the bytes that were read last, and parses a batch of dialogs as soon as there is one.
    pub fn advance(&mut self, progress: ScanProgress<'_>) {
        if self.is_given_up {
            return;
        }
        self.buffer.extend_from_slice(progress.chunk);
        let new = progress.pieces.get(self.pieces.len()..).unwrap_or_default();
        let is_batch = match new {
            [first, .., last] => last.end - first.start >= BATCH,
            _ => false,
        };
        if is_batch {
            if self.format.is_none() {
                self.format = self.first_family(new);
            }
            self.read(new);
        }
        self.is_given_up |= self.buffer.len() > KEPT;
    }

    /// Returns the family of the first dialogs, which are in the buffer.
    fn first_family(&self, pieces: &[Piece]) -> Option<FileFormat> {
        let index = beginning(&self.buffer, self.formats, pieces).ok()??;
        match index.contents {
            Contents::Dialogs(usual) => Some(FileFormat::new(usual, index.formats)),
            _ => None,
        }
    }

    /// Parses dialogs, which follow those that were parsed before.
    fn read(&mut self, pieces: &[Piece]) {
        let (Some(format), [first, ..]) = (&self.format, pieces) else {
            self.is_given_up = true;
            return;
        };
        let end = pieces[pieces.len() - 1].end;
        let bytes = first.start.checked_sub(self.start).and_then(|from| {
            let until = end - self.start;
            self.buffer.get(from as usize..until as usize)
        });
        let Some(bytes) = bytes else {
            self.is_given_up = true;
            return;
        };
        let batch = Batch {
            bytes,
            pieces,
            first: self.pieces.len(),
        };
        let mut gathered = (self.scan.start)(self.found.path());
        let report = dialogs(&batch, format, &mut self.parser, &mut gathered);
        self.scan.progress.advance(end - first.start);
        self.batches.push((gathered, report));
        self.pieces.extend_from_slice(pieces);
        self.buffer.drain(..(end - self.start) as usize);
        self.start = end;
    }

    /// Parses the rest of the dialogs. Returns the batches; None if the dialogs are not those of the index.
    pub fn finish(mut self, index: &Index) -> Option<Vec<(G, BatchReport)>> {
        if let Contents::Dialogs(usual) = index.contents {
            let of_index = FileFormat::new(usual, index.formats.clone());
            let format = self.format.get_or_insert(of_index);
            let is_same =
                std::ptr::addr_eq(format.usual, usual) && format.usual.name() == usual.name();
            self.is_given_up |= !is_same || !index.pieces.starts_with(&self.pieces);
        }
        let rest = index.pieces.get(self.pieces.len()..).unwrap_or_default();
        if !self.is_given_up && !rest.is_empty() {
            self.read(rest);
        }
        self.scan.memory.give_back((self.parser, self.buffer));
        (!self.is_given_up).then_some(self.batches)
    }
}
