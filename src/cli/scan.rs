//! Reads corpus files for all commands.
//!
//! [`examine`] reads every dialog of many files on all cores and passes them to a [`Collector`].
//! [`open_reported`] opens one file for a command that reads it in its own way. Both report unreadable
//! files and dialogs in the same words and positions.

mod file;
mod issues;
mod one_pass;

pub use issues::{
    LocatedIssue, broken_dialog, open_reported, print_issue, read_standard_input, unreadable,
};

use std::collections::{BTreeSet, HashMap};
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use super::CommandOutcome;
use super::errors::{self, complain};
use crate::corpus::{CorpusFile, JudgementMet, ScanPass, ScanProgress};
use crate::dialog::{Dialog, Issue};
use crate::format::{self, Family};
use crate::json::{Position, Tree};
use crate::lint::ParsedDialog;
use crate::shell::{FoundPath, JudgementFiles, Origin, open_with};
use crate::text::counted;
use file::{BatchMemory, Scan, examine_file};
use issues::standard_input;
use one_pass::{OnePass, PassBatches};

/// Collects data from the dialogs of a file.
///
/// A file is read in parts, on several cores; each part is collected separately and then joined to the
/// one before.
pub trait Collector: Send {
    /// Whether format issues of dialogs are reported.
    const FORM: bool = true;

    /// Whether joined parts are printed, so that large results need never be in memory together.
    const PRINTS: bool = false;

    /// Whether the bytes of files are hashed.
    const HASHES: bool = false;

    /// True if excluded dialogs are read too.
    fn reads_excluded(&self) -> bool {
        false
    }

    /// True if the dialog with these bytes need not be read.
    fn skips(&self, _: &[u8]) -> bool {
        false
    }

    /// Adds a dialog.
    fn dialog(&mut self, read: ScannedDialog<'_, '_>);

    /// Adds a dialog that cannot be read.
    fn broken(&mut self) {}

    /// Called at the end of a part.
    fn end_of_part(&mut self, _: &mut LineCounter<'_>) {}

    /// Adds the data of the part that follows this one.
    fn join(&mut self, later: Self);

    /// Called when all parts of `file` are joined.
    ///
    /// # Errors
    /// If more of the file is needed and cannot be read.
    fn end_of_file(&mut self, _: &CorpusFile) -> io::Result<()> {
        Ok(())
    }
}

/// The dialogs that only add to those of other files: gold labels, and the labels of a detector.
#[derive(Default)]
pub struct Companions(pub Vec<Dialog>);

impl Collector for Companions {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if read.format.is_companion() {
            self.0.push(read.dialog);
        }
    }

    fn join(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

/// A dialog and its position.
pub struct ScannedDialog<'r, 'b> {
    /// Its position in its file.
    pub position: usize,
    /// Byte offset in the file at which it begins.
    pub start: u64,
    pub dialog: Dialog,
    /// It is excluded.
    pub excluded: bool,
    /// Format issues.
    pub issues: &'r [Issue],
    pub tree: Tree<'r>,
    pub format: &'static Family,
    pub lines: &'r mut LineCounter<'b>,
}

impl ScannedDialog<'_, '_> {
    /// Returns the dialog as a linter takes it.
    pub fn parsed(&self) -> ParsedDialog<'_> {
        ParsedDialog {
            dialog: &self.dialog,
            issues: self.issues,
            format: self.format,
            tree: self.tree,
        }
    }
}

/// The results for one file.
pub struct ScanReport<G> {
    /// Path for messages, as the user named it or as it was found.
    pub file: String,
    pub path: PathBuf,
    /// The folder it was found in, unless the user named the file itself.
    pub below: Option<Arc<Path>>,
    pub family: Option<&'static str>,
    /// The families of dialogs that are of another one.
    pub other_families: BTreeSet<&'static str>,
    /// The kind of a valid file that is not a corpus.
    pub note: Option<&'static str>,
    pub gathered: G,
    pub issues: Vec<LocatedIssue>,
    /// The number of excluded dialogs, which were left out.
    pub excluded: usize,
    /// The judgements that belong to its dialogs, and whether they fit; those of excluded ones, too.
    pub judgements: Vec<JudgementMet>,
    pub outcome: CommandOutcome,
}

impl<G> ScanReport<G> {
    /// Returns the report of a file that has not been read.
    fn new(found: &FoundPath, gathered: G) -> Self {
        let (path, below) = (&found.path, found.below().cloned());
        Self {
            file: path.display().to_string(),
            path: path.clone(),
            below,
            family: None,
            other_families: BTreeSet::new(),
            note: None,
            gathered,
            issues: Vec::new(),
            excluded: 0,
            judgements: Vec::new(),
            outcome: CommandOutcome::Clean,
        }
    }

    /// Returns true for files of dialogs that annotators vote on.
    pub fn is_log(&self) -> bool {
        let format = self.family.and_then(format::named);
        format.is_some_and(Family::has_votes)
    }

    /// Returns true for logs with votes, and for unreadable files. Other formats in a folder are ignored.
    pub fn may_hold_votes(&self) -> bool {
        self.is_log() || self.family.is_none() || self.outcome == CommandOutcome::Unusable
    }

    fn with(self, issues: Vec<LocatedIssue>) -> Self {
        Self { outcome: issues::worst(&issues), issues, ..self }
    }
}

/// Reads files in order, each with the collector that `start` returns for its path. Shows a progress bar
/// on standard error if it takes long. Empty standard input has no report.
pub fn examine<G: Collector>(
    found: &[FoundPath],
    start: impl Fn(&Path) -> G + Sync,
) -> Vec<ScanReport<G>> {
    examine_each(found, start, |_| {})
}

/// The files whose results are in memory together, if they are taken out of their reports.
const AT_ONCE: usize = 256;

/// As [`examine`]; `each` may take what was gathered out of the report of each file, in order.
pub fn examine_each<G: Collector>(
    found: &[FoundPath],
    start: impl Fn(&Path) -> G + Sync,
    mut each: impl FnMut(&mut ScanReport<G>),
) -> Vec<ScanReport<G>> {
    let scan = Scan { start, progress: ByteProgress::over(found), memory: BatchMemory::default() };
    let mut reports = Vec::new();
    for found in found.chunks(AT_ONCE) {
        let first = reports.len();
        reports.par_extend(found.par_iter().filter_map(|found| read_one(found, &scan)));
        reports[first..].iter_mut().for_each(&mut each);
    }
    scan.progress.finish();
    reports
}

/// Returns the worst outcome of `reports`.
pub fn worst<'r, G: 'r>(reports: impl IntoIterator<Item = &'r ScanReport<G>>) -> CommandOutcome {
    let outcomes = reports.into_iter().map(|report| report.outcome);
    outcomes.max().unwrap_or_default()
}

/// Says how many excluded dialogs were left out, if any.
pub fn report_excluded(left_out: usize) {
    if left_out > 0 {
        complain(format_args!(
            "{} left out; --with-excluded reads them too",
            counted(left_out, "excluded dialog")
        ));
    }
}

/// Prints the issues of files, and how many dialogs were left out; returns the worst outcome.
pub fn report_issues<G>(reports: &[ScanReport<G>]) -> CommandOutcome {
    for report in reports {
        errors::file_issues(&report.path, &report.issues);
    }
    report_excluded(reports.iter().map(|report| report.excluded).sum());
    worst(reports)
}

/// Reads a file, or the standard input; returns None if it holds nothing that `scan` asks for.
fn read_one<G: Collector, F: Fn(&Path) -> G + Sync>(
    found: &FoundPath,
    scan: &Scan<F>,
) -> Option<ScanReport<G>> {
    let FoundPath { path, origin, formats, .. } = found;
    let read = match origin {
        Origin::Problem(error) => Err(error.to_string()),
        Origin::Stdin => match standard_input(found) {
            // A pipe may have nothing to pass on.
            Ok(opened) if opened.file.index().is_blank() => return None,
            Ok(opened) => examine_file(found, &opened.file, scan, Vec::new()),
            Err(error) => Err(error.to_string()),
        },
        Origin::Named | Origin::Below(_) => {
            let batches = PassBatches::default();
            let opened = rayon::in_place_scope(|scope| {
                let mut one_pass = OnePass::new(found, formats, scan, &batches, scope);
                let mut progress = |progress: ScanProgress<'_>| {
                    one_pass.advance(progress);
                    ControlFlow::Continue(())
                };
                let mut pass = ScanPass { formats, hash: G::HASHES, progress: &mut progress };
                let opened = open_with(path, &mut pass);
                opened.map(|opened| (one_pass.finish(opened.file.index()), opened.file))
            });
            let opened = opened.map_err(|error| error.to_string());
            opened.and_then(|(counts, file)| {
                let read = if counts { batches.in_order() } else { Vec::new() };
                examine_file(found, &file, scan, read)
            })
        }
    };
    Some(read.unwrap_or_else(|why| {
        ScanReport::new(found, (scan.start)(path)).with(vec![LocatedIssue::unreadable(why)])
    }))
}

const PATIENCE: Duration = Duration::from_millis(500);

/// Counts the bytes that many threads have read.
struct ByteProgress {
    bar: ProgressBar,
    /// The size of all files in bytes.
    total: u64,
    since: Instant,
    shown: AtomicBool,
}

impl ByteProgress {
    fn over(files: &[FoundPath]) -> Self {
        let size = |found: &FoundPath| found.path.metadata().map_or(0, |metadata| metadata.len());
        let bytes = files.iter().filter(|found| found.is_file()).map(size).sum();
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, total: bytes, since: Instant::now(), shown: AtomicBool::new(false) }
    }

    fn advance(&self, bytes: u64) {
        self.bar.inc(bytes);
        if self.since.elapsed() > PATIENCE && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The judgements that belong to dialogs that were read.
pub struct JudgementsRead {
    pub all: Arc<JudgementFiles>,
    /// By their numbers in the store: whether they fit their dialog.
    pub met: HashMap<usize, bool>,
}

impl JudgementsRead {
    /// Returns those beside the files that were `found`; None if there are none.
    pub fn of<G>(found: &[FoundPath], reports: &[ScanReport<G>]) -> Option<Self> {
        let all = found.iter().find_map(|found| found.judgements.all.clone())?;
        let (mut met, mut sides) = (HashMap::new(), HashMap::new());
        for judgement in reports.iter().flat_map(|report| &report.judgements) {
            let known = if judgement.is_other_side { &mut sides } else { &mut met };
            *known.entry(judgement.number).or_default() |= judgement.fits;
        }
        // A judgement of a pair fits if both its dialogs are unchanged.
        for (number, fits) in &mut met {
            let is_missing = || all.store.pairs_with_corpus(*number);
            *fits &= sides.get(number).copied().unwrap_or_else(|| !is_missing());
        }
        Some(Self { all, met })
    }
}

/// Counts lines and columns in a buffer, going forward.
pub struct LineCounter<'b> {
    buffer: &'b [u8],
    /// Offset of the buffer in the file.
    start: u64,
    /// Number of bytes counted.
    done: usize,
    position: Position,
}

impl<'b> LineCounter<'b> {
    pub fn new(buffer: &'b [u8], start: u64) -> Self {
        Self { buffer, start, done: 0, position: Position::default() }
    }

    /// Returns the byte range of the file that the buffer holds.
    pub fn covers(&self) -> Range<u64> {
        self.start..self.start + self.buffer.len() as u64
    }

    /// Returns the position of an offset in the file, relative to the start of the part. Offsets must be
    /// requested in ascending order.
    pub fn until(&mut self, offset: u64) -> Position {
        let until = ((offset - self.start) as usize).min(self.buffer.len());
        self.position.advance(&self.buffer[self.done..until.max(self.done)]);
        self.done = until.max(self.done);
        self.position
    }
}
