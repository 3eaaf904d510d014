//! The open corpus files and what is known about their dialogs.

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

/// The load state of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadState {
    /// Not read yet.
    Waiting,
    /// Being read: `read` of its bytes so far.
    Reading {
        read: u64,
    },
    Ready,
    /// Being saved; not editable until that is done.
    Saving,
    /// Labels or calls for the corpora beside it, with no dialogs.
    Ontology(&'static str),
    /// It cannot be read, or is not a corpus; with the reason.
    Failed(String),
}

/// Whether another program has changed a file since it was read, and whether the user knows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outdated {
    No,
    /// It has changed; to be reported when the user opens it.
    Untold,
    Told,
    /// It was deleted, and that was reported.
    Missing,
}

/// A file from the command line, or from a folder there.
pub struct OpenFile {
    /// The name to show: the path below the folder it was found in, or as given.
    pub name: String,
    pub state: LoadState,
    /// This process holds the edit lock.
    ours: bool,
    outdated: Outdated,
    /// It was deleted, and saving creates it again.
    pub(super) gone: bool,
    pub(super) corpus: Option<CorpusFile<Bytes>>,
    pub(super) outlines: Vec<Option<DialogSummary>>,
    /// The file whose dialogs it judges, if it is a vote log.
    pub(super) log: Option<VoteLog>,
    /// What earlier runs have left in its journal.
    left: RecoveredJournal,
}

/// All open files.
#[derive(Default)]
pub struct Files {
    /// Locks files before they are edited; None if no other process can edit them.
    pub holds: Option<Arc<dyn LockProvider>>,
    /// Rules and their settings; None until they are read.
    pub rules: Option<Arc<LintContext>>,
    files: Vec<OpenFile>,
    /// Number of files that are not fully read.
    unread: usize,
    /// Files with unsaved edits.
    modified: BTreeSet<usize>,
    /// Files whose recovered edits the user has not decided about.
    undecided: BTreeSet<usize>,
    /// Files whose journals a newer version of the program wrote.
    newer: BTreeSet<usize>,
    /// The dialog to prefetch.
    next: Option<PrefetchTarget>,
    /// A file with recovered edits was read meanwhile; the user is still to be asked about it.
    pub(super) unasked: bool,
    /// Some dialog has problems.
    found: bool,
    /// Votes on dialogs whose formats cannot hold votes.
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

    /// Returns the name of a file as shown; empty if there is no such file.
    pub fn name(&self, file: usize) -> &str {
        self.get(file).map_or("", |open| &open.name)
    }

    pub(super) fn get_mut(&mut self, file: usize) -> Option<&mut OpenFile> {
        self.files.get_mut(file)
    }

    /// Changes a file and updates the counts that depend on its text, load state or journal.
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

    /// Like [`Files::change`], for the corpus of a file that is open.
    fn change_corpus<R>(
        &mut self,
        file: usize,
        change: impl FnOnce(&mut CorpusFile<Bytes>) -> R,
    ) -> Option<R> {
        self.change(file, |open| open.corpus.as_mut().map(change))?
    }

    /// Returns the numbers of the files to list: all but logs of other files' dialogs.
    pub fn shown(&self) -> impl Iterator<Item = usize> {
        let files = self.files.iter().enumerate();
        files
            .filter(|(_, open)| !open.is_log())
            .map(|(number, _)| number)
    }

    /// Returns the number of dialogs known so far in all files.
    pub fn dialogs(&self) -> usize {
        self.shown().map(|file| self.files[file].dialogs()).sum()
    }

    /// Returns how much of the files is read, in percent of their bytes; None if all is.
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

    /// Returns the format of a dialog's file; None if it has none or is not known yet.
    pub fn format(&self, at: DialogId) -> Option<&'static dyn Format> {
        self.get(at.file as usize)?.format()
    }

    /// Returns a dialog with its votes, from the file or its log, and its format errors.
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

    /// Like [`Files::dialog`], without the votes in logs.
    pub(super) fn own_dialog(
        &self,
        at: DialogId,
    ) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        match self.corpus(at).filter(|_| self.has_dialog(at)) {
            Some(corpus) => corpus.dialog(at.dialog as usize),
            None => Ok(None),
        }
    }

    /// Returns the JSON text of a dialog.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn text(&self, at: DialogId) -> Result<String, ReadError> {
        match self.corpus(at).filter(|_| self.has_dialog(at)) {
            Some(corpus) => corpus.text(at.dialog as usize),
            None => Err(io::Error::from(io::ErrorKind::NotFound).into()),
        }
    }

    /// Checks whether a file can be edited, as far as is known without I/O.
    ///
    /// # Errors
    /// Returns the reason if it cannot.
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

    /// Takes the edit lock of a file, unless this process holds it already.
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
            // The user knows and has decided to continue with the old text.
            LockOutcome::Changed if open.outdated == Outdated::Told => LockOutcome::Ours,
            hold => hold,
        }
    }

    /// Returns true for a file that has dialogs but is malformed.
    pub fn is_broken(&self, file: usize) -> bool {
        let corpus = self.get(file).and_then(OpenFile::corpus);
        corpus.is_some_and(|corpus| corpus.index().error.is_some())
    }

    /// Returns what is wrong with a malformed file.
    pub fn broken(&self, file: usize) -> Option<String> {
        let open = self.get(file)?;
        let index = open.corpus()?.index();
        let (name, why) = (&open.name, broken(index)?);
        Some(format!(
            "{name} is malformed, {why}: the readable part is shown and cannot be edited"
        ))
    }

    /// Returns true for a file that could not be read.
    pub fn has_failed(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| matches!(open.state, LoadState::Failed(_)))
    }

    /// Returns the number of files that could not be read completely.
    pub fn unread(&self) -> u64 {
        let files = self.files.iter().enumerate();
        let unread = |(file, open): &(usize, &OpenFile)| {
            matches!(open.state, LoadState::Failed(_)) || self.is_broken(*file)
        };
        files.filter(unread).count() as u64
    }

    /// Returns true if another program has changed a file and that was reported.
    pub fn is_outdated(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.outdated == Outdated::Told)
    }

    pub fn set_outdated(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.outdated = Outdated::Told;
        }
    }

    /// Notes that another program has changed a file; to be reported when the user opens it.
    pub(super) fn set_unreported(&mut self, file: usize) {
        if let Some(open) = self.files.get_mut(file) {
            open.outdated = Outdated::Untold;
        }
    }

    /// Returns true if another program has changed a file and that was not reported.
    pub(super) fn is_unreported(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.outdated == Outdated::Untold)
    }

    /// Notes that a file was deleted. Returns true if that is to be reported.
    pub(super) fn set_missing(&mut self, file: usize) -> bool {
        let there = |open: &&mut OpenFile| open.outdated != Outdated::Missing;
        let open = self.files.get_mut(file).filter(there);
        open.map(|open| open.outdated = Outdated::Missing).is_some()
    }

    /// Sets whether saving a file creates it, because it was deleted.
    pub(super) fn set_deleted(&mut self, file: usize, gone: bool) {
        if let Some(open) = self.files.get_mut(file) {
            open.gone = gone;
        }
    }

    pub fn set_state(&mut self, file: usize, state: LoadState) {
        self.change(file, |open| open.state = state);
    }

    /// Takes over a saved file's new bytes and index.
    pub fn saved(&mut self, file: usize, bytes: Bytes, index: Index) {
        self.is_there(file);
        self.set_deleted(file, false);
        self.change_corpus(file, |corpus| corpus.rebase(bytes, index));
        self.set_state(file, LoadState::Ready);
    }

    /// Returns true if a file has dialogs, as far as is known.
    pub fn is_listed(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| open.format().is_some())
    }
}

impl OpenFile {
    /// A file that was not read yet.
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

    /// Returns the number of dialogs found so far.
    pub fn dialogs(&self) -> usize {
        self.outlines.len()
    }

    /// Returns true if it is not fully read.
    pub fn is_unread(&self) -> bool {
        matches!(self.state, LoadState::Waiting | LoadState::Reading { .. })
    }

    /// Returns true if it is fully read and has no dialogs.
    pub fn has_no_dialogs(&self) -> bool {
        matches!(self.state, LoadState::Failed(_) | LoadState::Ontology(_))
    }

    /// Returns its corpus; None before it is read.
    pub fn corpus(&self) -> Option<&CorpusFile<Bytes>> {
        self.corpus.as_ref()
    }

    /// Returns the format of its dialogs; None if it has none or is not known yet.
    pub fn format(&self) -> Option<&'static dyn Format> {
        self.corpus.as_ref()?.format()
    }

    /// Sets the load state of a fully read file from its contents.
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

/// Returns where and how a file is malformed.
fn broken(index: &Index) -> Option<String> {
    let (_, kind) = index.error?;
    let Position { line, column } = index.broken_at.unwrap_or_default();
    let (line, column) = (grouped(line), grouped(column));
    Some(format!("line {line}, column {column}: {kind}"))
}
