//! Reads every dialog of one file, passes it to the collector, and locates issues.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use super::lines::LineCounter;
use super::progress::ByteProgress;
use super::unreadable::{OffsetIssue, known_id, locate, not_read, of_file, syntax};
use super::{Collector, ScanReport, ScannedDialog};
use crate::corpus::{Contents, CorpusFile, Source};
use crate::dialog::Issue;
use crate::format::FileFormat;
use crate::json::{Parser, Piece};
use crate::shell::FoundPath;

/// Dialogs are read in batches of about this many bytes: large enough to share between threads, small
/// enough to stay in the cache of one core.
const BATCH: u64 = 512 << 10;

/// Batches that are read before their results are joined. The results of one round are in memory together.
const JOINED: usize = 128;

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
    fn take(&self) -> (Parser, Vec<u8>) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.pop().unwrap_or_default()
    }

    fn give_back(&self, memory: (Parser, Vec<u8>)) {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(memory);
    }
}

/// Reads the dialogs of an open file.
///
/// # Errors
/// If it cannot be read; the reason as text.
pub fn examine_file<S: Source, G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    file: &CorpusFile<S>,
    scan: &Scan<F>,
) -> Result<ScanReport<G>, String> {
    read(found, file, scan).map_err(|error| not_read(&error))
}

fn read<S: Source, G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    file: &CorpusFile<S>,
    scan: &Scan<F>,
) -> io::Result<ScanReport<G>> {
    let mut report = ScanReport::new(found, (scan.start)(found.path()));
    let mut findings = of_file(file)?;
    match &file.index().contents {
        Contents::Dialogs(usual) => {
            report.family = Some(usual.name());
            let format = FileFormat::new(*usual, file.index().formats.clone());
            let batches = batches(&file.index().pieces);
            for batches in batches.chunks(JOINED) {
                let read: Vec<_> = batches
                    .par_iter()
                    .map(|batch| {
                        let mut gathered = (scan.start)(found.path());
                        let mut memory = scan.memory.take();
                        let read =
                            dialogs(file, &format, batch.clone(), &mut memory, &mut gathered)?;
                        scan.memory.give_back(memory);
                        scan.progress.advance(read.bytes);
                        Ok((gathered, read))
                    })
                    .collect::<io::Result<_>>()?;
                for (gathered, mut read) in read {
                    report.gathered.join(gathered);
                    findings.append(&mut read.findings);
                    report.other_families.append(&mut read.others);
                }
            }
        }
        Contents::Ontology(name) => {
            report.family = Some("ontology");
            report.note = Some(name);
        }
        Contents::Nothing | Contents::Unknown(_) => {}
    }
    report.gathered.end_of_file(file)?;
    let issues = locate(file.source(), findings)?;
    Ok(report.with(issues))
}

/// Returns runs of adjacent pieces of about [`BATCH`] bytes each.
fn batches(pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let mut first = 0;
    for i in 0..pieces.len() {
        if pieces[i].end - pieces[first].start >= BATCH || i + 1 == pieces.len() {
            batches.push(first..i + 1);
            first = i + 1;
        }
    }
    batches
}

/// The issues, the families and the size of a batch of dialogs.
struct BatchReport {
    findings: Vec<OffsetIssue>,
    /// The families of its dialogs that are not the usual one of the file.
    others: BTreeSet<&'static str>,
    bytes: u64,
}

/// Reads a batch of dialogs.
fn dialogs<S: Source, G: Collector>(
    file: &CorpusFile<S>,
    formats: &FileFormat,
    batch: Range<usize>,
    (parser, buffer): &mut (Parser, Vec<u8>),
    gathered: &mut G,
) -> io::Result<BatchReport> {
    let pieces = &file.index().pieces[batch.clone()];
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end);
    buffer.resize((end - start) as usize, 0);
    file.source().read_at(start, buffer)?;
    let (mut findings, mut others) = (Vec::new(), BTreeSet::new());
    let mut lines = LineCounter::new(buffer, start);
    for (piece, position) in pieces.iter().zip(batch) {
        let bytes = &buffer[(piece.start - start) as usize..(piece.end - start) as usize];
        if gathered.skips(bytes) {
            continue;
        }
        let tree = match parser.parse_piece(bytes) {
            Ok(tree) => tree,
            Err(error) => {
                gathered.broken();
                findings.push(OffsetIssue {
                    dialog_id: known_id(formats, bytes),
                    ..syntax(bytes, piece.start, Some(position), error)
                });
                continue;
            }
        };
        let format = formats.of(tree.root());
        if format.name() != formats.usual.name() {
            others.insert(format.name());
        }
        let (dialog, issues) = format.read(tree);
        if G::FORM {
            let form = issues
                .iter()
                .map(|issue| form(piece, (position, &dialog.id), issue));
            findings.extend(form);
        }
        gathered.dialog(ScannedDialog {
            position,
            start: piece.start,
            dialog,
            issues: &issues,
            tree,
            format,
            lines: &mut lines,
        });
    }
    gathered.end_of_part(&mut lines);
    Ok(BatchReport {
        findings,
        others,
        bytes: end - start,
    })
}

fn form(piece: &Piece, (dialog, id): (usize, &str), issue: &Issue) -> OffsetIssue {
    OffsetIssue {
        at: piece.start + u64::from(issue.at.start),
        dialog: Some(dialog),
        dialog_id: Some(id.into()).filter(|_| !id.is_empty()),
        turn: issue.turn,
        code: issue.problem.code(),
        message: issue.problem.to_string(),
        excerpt: None,
    }
}
