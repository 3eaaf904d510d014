//! Reads every dialog of one file, passes it to the collector, and locates issues.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::issues::LocatedIssue;
use super::issues::{known_id, locate, not_read, of_file, syntax};
use super::{ByteProgress, Collector, LineCounter, ScanReport, ScannedDialog};
use crate::corpus::{Contents, CorpusFile, JudgementMet};
use crate::dialog::Issue;
use crate::format::FileFormat;
use crate::json::{Parser, Piece};
use crate::shell::FoundPath;

/// Dialogs are read in batches of about this many bytes: large enough to share between threads, small
/// enough to stay in the cache of one core.
pub const BATCH: u64 = 512 << 10;

/// Batches that are read before their results are joined. The results of one round are in memory together.
pub const JOINED: usize = 128;

/// A scan of several files: all that they share.
pub struct Scan<F> {
    /// Returns the collector for a path.
    pub start: F,
    pub progress: ByteProgress,
    pub memory: BatchMemory,
}

/// The parsers and buffers of batches that were read. Batches use them again, because the kernel takes longer
/// to map fresh memory than to read into memory that is in the cache.
#[derive(Default)]
pub struct BatchMemory {
    free: Mutex<Vec<(Parser, Vec<u8>)>>,
}

impl BatchMemory {
    pub fn take(&self) -> (Parser, Vec<u8>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop().unwrap_or_default()
    }

    pub fn give_back(&self, parser: Parser, buffer: Vec<u8>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push((parser, buffer));
    }
}

impl<F> Scan<F> {
    /// True if the other files keep all cores busy while one core reads a file of this size in bytes, whose
    /// results fit in memory.
    pub fn is_small(&self, size: u64) -> bool {
        let others = self.progress.total / (4 * rayon::current_num_threads() as u64);
        size <= others.min(BATCH * JOINED as u64)
    }
}

/// Reads the dialogs of an open file, apart from those that were `read` in the pass that indexed it.
///
/// # Errors
/// If it cannot be read; the reason as text.
pub fn examine_file<G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    file: &CorpusFile,
    scan: &Scan<F>,
    read: Vec<ReadBatch<G>>,
) -> Result<ScanReport<G>, String> {
    read_rest(found, file, scan, read).map_err(|error| not_read(&error))
}

fn read_rest<G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    file: &CorpusFile,
    scan: &Scan<F>,
    read: Vec<ReadBatch<G>>,
) -> io::Result<ScanReport<G>> {
    let mut report = ScanReport::new(found, (scan.start)(found.path()));
    let mut all = BatchReport { findings: of_file(file)?, ..BatchReport::default() };
    match &file.index().contents {
        Contents::Dialogs(usual) => {
            report.family = Some(usual.name());
            let format = FileFormat::new(usual, file.index().formats.clone());
            let mut batches = batches(&file.index().pieces, read);
            while !batches.is_empty() {
                let round = batches.par_drain(..batches.len().min(JOINED));
                let read = round.map(|batch| match batch {
                    FileBatch::Read(read) => Ok(read),
                    FileBatch::Unread(pieces) => read_batch(found, file, &format, pieces, scan),
                });
                for read in read.collect::<io::Result<Vec<_>>>()? {
                    report.gathered.join(read.gathered);
                    all.append(read.report);
                }
            }
        }
        Contents::Ontology(name) => {
            report.family = Some("ontology");
            report.note = Some(name);
        }
        Contents::Judgements => report.family = Some("judgements"),
        Contents::Nothing | Contents::Unknown(_) => {}
    }
    report.gathered.end_of_file(file)?;
    let BatchReport { findings, others, excluded, judgements } = all;
    let report = ScanReport { other_families: others, excluded, judgements, ..report };
    Ok(report.with(locate(file.source(), findings)?))
}

/// Adjacent dialogs of a file, by their positions in the file.
enum FileBatch<G> {
    Read(ReadBatch<G>),
    Unread(Range<usize>),
}

/// Returns all dialogs in order: the batches that were read, and between them batches of about [`BATCH`] bytes.
fn batches<G>(pieces: &[Piece], read: Vec<ReadBatch<G>>) -> Vec<FileBatch<G>> {
    let mut batches = Vec::new();
    let mut first = 0;
    let mut read = read.into_iter().peekable();
    while first < pieces.len() {
        if let Some(read) = read.next_if(|read| read.pieces.start == first) {
            first = read.pieces.end;
            batches.push(FileBatch::Read(read));
            continue;
        }
        let end = read.peek().map_or(pieces.len(), |read| read.pieces.start);
        let last = (first..end).find(|i| pieces[*i].end - pieces[first].start >= BATCH);
        let next = last.map_or(end, |last| last + 1);
        batches.push(FileBatch::Unread(first..next));
        first = next;
    }
    batches
}

/// Reads a batch of the dialogs of an indexed file.
fn read_batch<G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    file: &CorpusFile,
    format: &FileFormat,
    batch: Range<usize>,
    scan: &Scan<F>,
) -> io::Result<ReadBatch<G>> {
    let first = batch.start;
    let pieces = &file.index().pieces[batch];
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end);
    let (mut parser, mut buffer) = scan.memory.take();
    buffer.resize((end - start) as usize, 0);
    file.source().read_at(start, &mut buffer)?;
    let batch = Batch { bytes: &buffer, pieces, first };
    let read = read_dialogs(found, format, &batch, &mut parser, scan);
    scan.memory.give_back(parser, buffer);
    Ok(read)
}

/// Reads a batch of dialogs with a collector of its own.
pub fn read_dialogs<G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    format: &FileFormat,
    batch: &Batch<'_>,
    parser: &mut Parser,
    scan: &Scan<F>,
) -> ReadBatch<G> {
    let mut gathered = (scan.start)(found.path());
    let report = dialogs(batch, format, found, parser, &mut gathered);
    scan.progress.advance(batch.bytes.len() as u64);
    ReadBatch { pieces: batch.first..batch.first + batch.pieces.len(), gathered, report }
}

/// The results of reading a batch of dialogs.
pub struct ReadBatch<G> {
    /// The positions of the dialogs in the file.
    pub pieces: Range<usize>,
    gathered: G,
    report: BatchReport,
}

impl<G: Collector> ReadBatch<G> {
    /// Adds the results of the batch that follows this one.
    pub fn join(&mut self, later: Self) {
        self.pieces.end = later.pieces.end;
        self.gathered.join(later.gathered);
        self.report.append(later.report);
    }
}

/// Adjacent dialogs of a file, at least one.
pub struct Batch<'b> {
    /// The bytes of the file from the first dialog to the end of the last one.
    pub bytes: &'b [u8],
    pub pieces: &'b [Piece],
    /// The position of the first one in the file.
    pub first: usize,
}

/// The issues and the families of a batch of dialogs.
#[derive(Default)]
struct BatchReport {
    findings: Vec<LocatedIssue>,
    /// The families of its dialogs that are not the usual one of the file.
    others: BTreeSet<&'static str>,
    /// The number of excluded dialogs, which were left out.
    excluded: usize,
    /// The judgements that belong to its dialogs.
    judgements: Vec<JudgementMet>,
}

impl BatchReport {
    /// Adds those of the batch that follows this one.
    fn append(&mut self, mut later: Self) {
        self.findings.append(&mut later.findings);
        self.others.append(&mut later.others);
        self.excluded += later.excluded;
        self.judgements.append(&mut later.judgements);
    }
}

/// Parses a batch of dialogs.
fn dialogs<G: Collector>(
    batch: &Batch<'_>,
    formats: &FileFormat,
    found: &FoundPath,
    parser: &mut Parser,
    gathered: &mut G,
) -> BatchReport {
    let (excluded, judgements) = (&found.excluded, &found.judgements);
    let start = batch.pieces[0].start;
    let mut report = BatchReport::default();
    let mut lines = LineCounter::new(batch.bytes, start);
    for (piece, position) in batch.pieces.iter().zip(batch.first..) {
        let bytes = &batch.bytes[(piece.start - start) as usize..(piece.end - start) as usize];
        if gathered.skips(bytes) {
            continue;
        }
        let tree = match parser.parse_piece(bytes) {
            Ok(tree) => tree,
            Err(error) => {
                gathered.broken();
                report.findings.push(LocatedIssue {
                    dialog_id: known_id(formats, bytes),
                    ..syntax(bytes, piece.start, Some(position), error)
                });
                continue;
            }
        };
        let format = formats.of(tree.root());
        if format.name() != formats.usual.name() {
            report.others.insert(format.name());
        }
        let (mut dialog, issues) = format.read(tree);
        report.judgements.extend(judgements.attach(&mut dialog, position));
        let is_excluded = excluded.has(position, &dialog.id);
        if is_excluded && !gathered.reads_excluded() {
            report.excluded += 1;
            continue;
        }
        if G::FORM {
            let form = issues.iter().map(|issue| form(piece, position, &dialog.id, issue));
            report.findings.extend(form);
        }
        gathered.dialog(ScannedDialog {
            position,
            start: piece.start,
            dialog,
            excluded: is_excluded,
            issues: &issues,
            tree,
            format,
            lines: &mut lines,
        });
    }
    gathered.end_of_part(&mut lines);
    report
}

fn form(piece: &Piece, dialog: usize, id: &str, issue: &Issue) -> LocatedIssue {
    let at = piece.start + u64::from(issue.at.start);
    LocatedIssue {
        dialog: Some(dialog),
        dialog_id: Some(id.into()).filter(|_| !id.is_empty()),
        turn: issue.turn,
        ..LocatedIssue::at(at, issue.problem.code(), issue.problem.to_string())
    }
}
