//! Reads the dialogs of a file in the pass that finds them, so that its bytes are copied from the disk once and
//! parsed while they are in the cache. Cores that would wait for a large file take part.
//!
//! The results count only if the finished index has the same dialogs of the same family. Dialogs that the pass
//! left out are read by the index.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rayon::Scope;

use super::file::{BATCH, Batch, JOINED, ReadBatch, Scan, read_dialogs};
use super::{Collector, FoundPath};
use crate::corpus::{Contents, Index, ScanProgress, beginning};
use crate::format::{FileFormat, Formats};
use crate::json::Piece;

/// The most bytes to keep of a file whose dialogs do not end.
const KEPT: usize = 8 * BATCH as usize;

/// The batches that were read while a file is indexed.
pub struct PassBatches<G> {
    read: Mutex<Vec<ReadBatch<G>>>,
    /// The number of batches that other cores have taken and not read yet.
    pending: AtomicUsize,
}

impl<G> Default for PassBatches<G> {
    fn default() -> Self {
        Self { read: Mutex::default(), pending: AtomicUsize::new(0) }
    }
}

impl<G: Collector> PassBatches<G> {
    /// Adds a batch. Neighbours are joined at once, so that the results of a large file need not wait for its end,
    /// unless joined parts are printed, which begins with the first.
    fn add(&self, batch: ReadBatch<G>) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let at = read.partition_point(|other| other.pieces.start < batch.pieces.start);
        read.insert(at, batch);
        if G::PRINTS {
            return;
        }
        for first in [Some(at), at.checked_sub(1)].into_iter().flatten() {
            if let [one, next, ..] = &read[first..]
                && one.pieces.end == next.pieces.start
            {
                let next = read.remove(first + 1);
                read[first].join(next);
            }
        }
    }

    /// Returns the batches in the order of the file.
    pub fn in_order(self) -> Vec<ReadBatch<G>> {
        let read = self.read.into_inner();
        read.unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads dialogs of a file that is being indexed.
pub struct OnePass<'p, 's, G, F> {
    found: &'s FoundPath,
    formats: &'s Formats,
    scan: &'s Scan<F>,
    batches: &'s PassBatches<G>,
    /// The scope of the batches that other cores read.
    scope: &'p Scope<'s>,
    /// True if other files keep the other cores busy.
    is_small: bool,
    /// True if this core reads dialogs when the others have enough to do.
    reads_here: bool,
    /// The bytes of the file from offset `start` on, as far as it was read.
    buffer: Vec<u8>,
    start: u64,
    /// The family of the dialogs; None before the first batch.
    format: Option<FileFormat>,
    /// The dialogs that were read, or left out.
    pieces: Vec<Piece>,
    /// The number of batches that were read, or are being read.
    taken: usize,
    /// True if the pass leaves out all dialogs that follow.
    is_over: bool,
}

impl<'p, 's, G: Collector, F: Fn(&Path) -> G + Sync> OnePass<'p, 's, G, F> {
    pub fn new(
        found: &'s FoundPath,
        formats: &'s Formats,
        scan: &'s Scan<F>,
        batches: &'s PassBatches<G>,
        scope: &'p Scope<'s>,
    ) -> Self {
        let size = found.path().metadata().map_or(0, |data| data.len());
        let is_small = scan.is_small(size);
        Self {
            found,
            formats,
            scan,
            batches,
            scope,
            is_small,
            reads_here: is_small || !G::PRINTS,
            buffer: Vec::new(),
            start: 0,
            format: None,
            pieces: Vec::new(),
            taken: 0,
            is_over: false,
        }
    }

    /// Takes the bytes that were read last, and reads a batch of dialogs as soon as there is one.
    pub fn advance(&mut self, progress: ScanProgress<'_>) {
        let before = progress.read - progress.chunk.len() as u64;
        // A pass may begin again.
        self.is_over |= self.start + self.buffer.len() as u64 != before;
        if self.is_over {
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
            self.take(new);
        }
        self.is_over |= self.buffer.len() > KEPT || !self.reads_here && self.taken >= JOINED;
    }

    /// Returns the family of the first dialogs, which are in the buffer.
    fn first_family(&self, pieces: &[Piece]) -> Option<FileFormat> {
        let index = beginning(&self.buffer, self.formats, pieces).ok()??;
        match index.contents {
            Contents::Dialogs(usual) => Some(FileFormat::new(usual, index.formats)),
            _ => None,
        }
    }

    /// Reads dialogs, which follow those that were found before, or leaves them out.
    fn take(&mut self, pieces: &[Piece]) {
        let (Some(format), [first, .., last]) = (self.format.clone(), pieces) else {
            self.is_over = true;
            return;
        };
        let range = first.start.checked_sub(self.start);
        let range = range.map(|from| from as usize..(last.end - self.start) as usize);
        let Some(range) = range.filter(|range| range.end <= self.buffer.len()) else {
            self.is_over = true;
            return;
        };
        let others = rayon::current_num_threads() - 1;
        let is_shared = !self.is_small && self.batches.pending.load(Ordering::Relaxed) < 2 * others;
        if is_shared || self.reads_here {
            self.taken += 1;
            self.read(format, pieces.to_vec(), range, is_shared);
        } else {
            self.buffer.drain(..range.end);
        }
        self.pieces.extend_from_slice(pieces);
        self.start = last.end;
    }

    /// Reads dialogs, whose bytes are in this range of the buffer, on another core if `is_shared`. Keeps the bytes
    /// that follow them.
    fn read(
        &mut self,
        format: FileFormat,
        pieces: Vec<Piece>,
        range: Range<usize>,
        is_shared: bool,
    ) {
        let (found, scan, batches) = (self.found, self.scan, self.batches);
        let first = self.pieces.len();
        let (mut parser, mut next) = scan.memory.take();
        next.clear();
        next.extend_from_slice(&self.buffer[range.end..]);
        let buffer = std::mem::replace(&mut self.buffer, next);
        let work = move || {
            let batch = Batch { bytes: &buffer[range], pieces: &pieces, first };
            let read = read_dialogs(found, &format, &batch, &mut parser, scan);
            scan.memory.give_back(parser, buffer);
            batches.add(read);
        };
        if is_shared {
            batches.pending.fetch_add(1, Ordering::Relaxed);
            self.scope.spawn(move |_| {
                work();
                batches.pending.fetch_sub(1, Ordering::Relaxed);
            });
        } else {
            work();
        }
    }

    /// Reads the rest of the dialogs. Returns false if what was read does not count.
    pub fn finish(mut self, index: &Index) -> bool {
        let Contents::Dialogs(usual) = index.contents else {
            return false;
        };
        let of_index = FileFormat::new(usual, index.formats.clone());
        let format = self.format.get_or_insert(of_index);
        let is_same = std::ptr::addr_eq(format.usual, usual) && format.usual.name() == usual.name();
        let rest = index.pieces.strip_prefix(self.pieces.as_slice());
        let Some(rest) = rest.filter(|_| is_same) else {
            return false;
        };
        if !self.is_over && !rest.is_empty() {
            (self.is_small, self.reads_here) = (true, true);
            self.take(rest);
        }
        true
    }
}
