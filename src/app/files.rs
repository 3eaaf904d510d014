//! The open corpus files and what is known of their dialogs.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

mod duplicate_ids;
mod editing;
mod loading;
mod prefetch;
mod recovered;
mod snapshot;
mod summaries;

pub use prefetch::Prefetched;
pub use snapshot::Snapshot;
pub use summaries::{DialogAnalysis, summary_of};

use prefetch::PrefetchTarget;
use recovered::RecoveredJournal;

use super::edit_lock::{LockOutcome, LockProvider, VoteLogLock};
use super::msg::{Bytes, DialogId};
use super::problems::LintContext;
use super::vote_logs::{VoteLog, VoteLogs};
use crate::corpus::{Contents, CorpusFile, Index, ReadError};
use crate::dialog::{Dialog, Issue};
use crate::format::Format;
use crate::json::Position;
use crate::query::DialogSummary;
use crate::text::grouped;

/// How far the program is with a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadState {
    /// Not looked at yet.
    Waiting,
    /// So many of its bytes are read.
    Reading {
        read: u64,
    },
    Ready,
    /// It is being written; until that is done it is not edited.
    Saving,
    /// Labels or calls that corpora beside it use; there is nothing in it to be read as dialogs.
    Ontology(&'static str),
    /// It cannot be read, or is no corpus.
    Failed(String),
}

/// Whether another program has changed a file since it was read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outdated {
    No,
    /// It is told as soon as somebody reads it.
    Untold,
    Told,
    /// There is none on the disk any more, which was told.
    Missing,
}

/// A file on the command line, or in a folder there.
pub struct OpenFile {
    /// As it is shown: below the folder it was found in, or as named.
    pub name: String,
    pub state: LoadState,
    /// No other process may edit the file.
    ours: bool,
    outdated: Outdated,
    /// It is not on the disk any more, and is to be written as a new one.
    pub(super) gone: bool,
    pub(super) corpus: Option<CorpusFile<Bytes>>,
    pub(super) outlines: Vec<Option<DialogSummary>>,
    /// What it is to another file, if it holds votes on dialogs of that.
    pub(super) log: Option<VoteLog>,
    /// What earlier runs have left in its journal.
    left: RecoveredJournal,
}

/// All open files.
#[derive(Default)]
pub struct Files {
    /// Whom files are asked for before they are edited; None if nobody else can edit them.
    pub holds: Option<Arc<dyn LockProvider>>,
    /// What is looked for in dialogs; None until it is read.
    pub rules: Option<Arc<LintContext>>,
    files: Vec<OpenFile>,
    /// How many of them are not read to their ends.
    unread: usize,
    /// Those that have unsaved edits.
    modified: BTreeSet<usize>,
    /// Those of which it is to be decided what becomes of the last run's edits.
    undecided: BTreeSet<usize>,
    /// Those whose journals a newer version of the program wrote.
    newer: BTreeSet<usize>,
    /// A dialog that may be asked for next.
    next: Option<PrefetchTarget>,
    /// What the last run had not saved of a file that was read meanwhile is still to be asked about.
    pub(super) unasked: bool,
    /// The rules have found something in some dialog.
    found: bool,
    /// Votes on dialogs whose families hold none.
    pub logs: VoteLogs,
}

impl Files {
    pub fn new(names: Vec<String>) -> Self {
        Self {
            holds: None,
            rules: None,
            unread: names.len(),
            modified: BTreeSet::new(),
            undecided: BTreeSet::new(),
            newer: BTreeSet::new(),
            files: names.into_iter().map(OpenFile::named).collect(),
            next: None,
            unasked: false,
            found: false,
            logs: VoteLogs::default(),
        }
    }

    pub(super) fn push(&mut self, file: OpenFile) {
        self.files.push(file);
    }

    pub fn len(&self) -> usize {
        self.files.len()
    }

    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub fn all(&self) -> &[OpenFile] {
        &self.files
    }

    pub fn get(&self, file: usize) -> Option<&OpenFile> {
        self.files.get(file)
    }

    /// The name of a file, as it is shown; empty if there is no such file.
    pub fn name(&self, file: usize) -> &str {
        self.get(file).map_or("", |open| &open.name)
    }

    pub(super) fn get_mut(&mut self, file: usize) -> Option<&mut OpenFile> {
        self.files.get_mut(file)
    }

    /// Changes a file's text, how far it is read, or what is offered of it.
    fn change<R>(&mut self, file: usize, change: impl FnOnce(&mut OpenFile) -> R) -> Option<R> {
        let open = self.files.get_mut(file)?;
        let before = usize::from(open.is_unread());
        let result = change(open);
        self.unread = self.unread + usize::from(open.is_unread()) - before;
        let modified = open.corpus.as_ref().is_some_and(CorpusFile::is_modified);
        for (files, is_one) in [
            (&mut self.modified, modified),
            (&mut self.undecided, open.left.offered.is_some()),
            (&mut self.newer, open.left.newer),
        ] {
            if is_one {
                files.insert(file);
            } else {
                files.remove(&file);
            }
        }
        Some(result)
    }

    /// As [`Files::change`], of a file that is open.
    fn change_corpus<R>(
        &mut self,
        file: usize,
        change: impl FnOnce(&mut CorpusFile<Bytes>) -> R,
    ) -> Option<R> {
        self.change(file, |open| open.corpus.as_mut().map(change))?
    }

    /// Numbers of the files that are read by themselves: all but logs of dialogs of others.
    pub fn shown(&self) -> impl Iterator<Item = usize> {
        let files = self.files.iter().enumerate();
        files
            .filter(|(_, open)| !open.is_log())
            .map(|(number, _)| number)
    }

    /// Dialogs known so far, in all files.
    pub fn dialogs(&self) -> usize {
        self.shown().map(|file| self.files[file].dialogs()).sum()
    }

    /// The share of files' bytes that are read, in percent; None if all are.
    pub fn progress(&self) -> Option<u64> {
        if self.unread == 0 {
            return None;
        }
        if let [only] = self.files.as_slice() {
            let total = only.corpus.as_ref().map_or(0, |c| c.index().total);
            return match only.state {
                LoadState::Reading { read } if total > 0 => Some(read * 100 / total),
                _ => Some(0),
            };
        }
        let done = self.files.len() - self.unread;
        Some((done * 100 / self.files.len()) as u64)
    }

    pub fn has_dialog(&self, at: DialogId) -> bool {
        self.get(at.file as usize)
            .is_some_and(|f| (at.dialog as usize) < f.dialogs())
    }

    pub fn corpus(&self, at: DialogId) -> Option<&CorpusFile<Bytes>> {
        self.get(at.file as usize)?.corpus.as_ref()
    }

    /// The family of a dialog's file; None if it has none, or nothing is known of it yet.
    pub fn format(&self, at: DialogId) -> Option<&'static dyn Format> {
        self.get(at.file as usize)?.format()
    }

    /// A dialog with the votes on it, wherever these stand, and what is wrong with its form.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn dialog(&self, at: DialogId) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let mut read = self.own_dialog(at)?;
        if let Some((dialog, _)) = &mut read {
            self.add_votes(at, dialog);
        }
        Ok(read)
    }

    /// As [`Files::dialog`], as its own file says it.
    pub(super) fn own_dialog(
        &self,
        at: DialogId,
    ) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        match self.corpus(at).filter(|_| self.has_dialog(at)) {
            Some(corpus) => corpus.dialog(at.dialog as usize),
            None => Ok(None),
        }
    }

    /// The JSON text of a dialog.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn text(&self, at: DialogId) -> Result<String, ReadError> {
        match self.corpus(at).filter(|_| self.has_dialog(at)) {
            Some(corpus) => corpus.text(at.dialog as usize),
            None => Err(io::Error::from(io::ErrorKind::NotFound).into()),
        }
    }

    /// Whether a file can be edited, for what is known here; if not, why.
    ///
    /// # Errors
    /// The reason.
    pub fn may_edit(&self, file: usize) -> Result<(), String> {
        let open = self.get(file).ok_or("there is no such file")?;
        match &open.state {
            LoadState::Ready => Ok(()),
            LoadState::Saving => Err(format!("{} is being saved; a moment, please", open.name)),
            LoadState::Waiting | LoadState::Reading { .. } => Err(format!(
                "{} is still being read; a moment, please",
                open.name
            )),
            LoadState::Ontology(name) => Err(format!("{} is a {name}", open.name)),
            LoadState::Failed(reason) => Err(reason.clone()),
        }
    }

    /// Asks for a file, if it is not this process's already.
    pub fn lock(&mut self, file: usize) -> LockOutcome {
        let Some((open, holds)) = self.files.get_mut(file).zip(self.holds.as_ref()) else {
            return LockOutcome::Ours;
        };
        if open.ours {
            return LockOutcome::Ours;
        }
        let log = open.log.as_ref();
        let hash = || open.corpus.as_ref()?.index().hash;
        let hold = holds.hold(
            file,
            log.map(|log| VoteLogLock {
                place: &log.place,
                hash: hash().filter(|_| log.new),
            }),
        );
        open.ours = hold.is_ours();
        match hold {
            // It was said, and the old text was to be gone on with.
            LockOutcome::Changed if open.outdated == Outdated::Told => LockOutcome::Ours,
            hold => hold,
        }
    }

    /// True of a file that has dialogs and is broken all the same.
    pub fn is_broken(&self, file: usize) -> bool {
        let corpus = self.get(file).and_then(OpenFile::corpus);
        corpus.is_some_and(|corpus| corpus.index().error.is_some())
    }

    /// What is wrong with such a file.
    pub fn broken(&self, file: usize) -> Option<String> {
        let open = self.get(file)?;
        let index = open.corpus()?.index();
        let (name, why) = (&open.name, broken(index)?);
        Some(format!(
            "{name} is broken, {why}: what could be read is shown, and cannot be edited"
        ))
    }

    /// True of a file that could not be read.
    pub fn has_failed(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| matches!(open.state, LoadState::Failed(_)))
    }

    /// Files that could not be read, or not to their ends.
    pub fn unread(&self) -> u64 {
        let files = self.files.iter().enumerate();
        let unread = |(file, open): &(usize, &OpenFile)| {
            matches!(open.state, LoadState::Failed(_)) || self.is_broken(*file)
        };
        files.filter(unread).count() as u64
    }

    /// True if it was told that another program has changed a file since it was read.
    pub fn is_outdated(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.outdated == Outdated::Told)
    }

    pub fn set_outdated(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.outdated = Outdated::Told;
        }
    }

    /// Another program has changed a file that nobody reads at present: it is told later.
    pub(super) fn set_unreported(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.outdated = Outdated::Untold;
        }
    }

    /// True if another program has changed a file and nobody was told.
    pub(super) fn is_unreported(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.outdated == Outdated::Untold)
    }

    /// A file is not on the disk any more. True if that is to be told.
    pub(super) fn set_missing(&mut self, file: usize) -> bool {
        let there = |open: &&mut OpenFile| open.outdated != Outdated::Missing;
        let open = self.files.get_mut(file).filter(there);
        open.map(|open| open.outdated = Outdated::Missing).is_some()
    }

    /// Whether a file is to be written as a new one, as it is not on the disk any more.
    pub(super) fn set_deleted(&mut self, file: usize, gone: bool) {
        if let Some(open) = self.files.get_mut(file) {
            open.gone = gone;
        }
    }

    pub fn set_state(&mut self, file: usize, state: LoadState) {
        self.change(file, |open| open.state = state);
    }

    /// A file was saved, and is this now.
    pub fn saved(&mut self, file: usize, bytes: Bytes, index: Index) {
        self.is_there(file);
        self.set_deleted(file, false);
        self.change_corpus(file, |corpus| corpus.rebase(bytes, index));
        self.set_state(file, LoadState::Ready);
    }

    /// True if a file has dialogs, as far as is known.
    pub fn is_listed(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| open.format().is_some())
    }
}

impl OpenFile {
    /// A file that was not looked at yet.
    pub(super) fn named(name: String) -> Self {
        Self {
            name,
            state: LoadState::Waiting,
            ours: false,
            outdated: Outdated::No,
            gone: false,
            corpus: None,
            outlines: Vec::new(),
            log: None,
            left: RecoveredJournal::default(),
        }
    }

    /// Number of dialogs found so far.
    pub fn dialogs(&self) -> usize {
        self.outlines.len()
    }

    /// True if it was not read to its end yet.
    pub fn is_unread(&self) -> bool {
        matches!(self.state, LoadState::Waiting | LoadState::Reading { .. })
    }

    /// True if it is read and there are no dialogs in it.
    pub fn has_no_dialogs(&self) -> bool {
        matches!(self.state, LoadState::Failed(_) | LoadState::Ontology(_))
    }

    /// What is known of its bytes; None before it is read.
    pub fn corpus(&self) -> Option<&CorpusFile<Bytes>> {
        self.corpus.as_ref()
    }

    /// The family of its dialogs; None if it has none, or nothing is known of it yet.
    pub fn format(&self) -> Option<&'static dyn Format> {
        self.corpus.as_ref()?.format()
    }

    /// The file is read to its end; is there anything in it?
    fn settle(&mut self) {
        self.state = LoadState::Ready;
        let Some(index) = self.corpus.as_ref().map(CorpusFile::index) else {
            return;
        };
        let nothing = match (&index.contents, broken(index)) {
            (Contents::Dialogs(_), _) => return,
            (_, Some(broken)) => broken,
            (Contents::Nothing, None) => "an empty list".to_owned(),
            (Contents::Ontology(name), None) => {
                self.state = LoadState::Ontology(name);
                self.outlines.clear();
                return;
            }
            (Contents::Unknown(unknown), None) => unknown.to_string(),
        };
        self.state = LoadState::Failed(nothing);
        self.outlines.clear();
    }
}

/// Where and how a file is broken, for people.
fn broken(index: &Index) -> Option<String> {
    let (_, kind) = index.error?;
    let Position { line, column } = index.broken_at.unwrap_or_default();
    let (line, column) = (grouped(line), grouped(column));
    Some(format!("line {line}, column {column}: {kind}"))
}
