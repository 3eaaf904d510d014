//! The open corpus files, their dialogs' summaries, and their states.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

mod codes;
mod duplicate_ids;
mod editing;
mod gold;
mod judgements;
mod loading;
mod pairs;
mod recovered;
mod summaries;
mod vote_logs;

pub use codes::{Code, OwnJudgement};
pub use judgements::OpenJudgements;
pub use pairs::{OtherSide, make_pair};
use summaries::ReadLast;

use super::DialogId;
use super::LintContext;
use super::edit_lock::{EditLocks, LockOutcome};
use super::{Doubt, EditHistory, JournalEntry, Snapshot, VoteLog, VoteLogs};
use crate::corpus::{Bytes, Contents, CorpusFile, Index, ReadError};
use crate::dialog::{Dialog, Issue};
use crate::format::{Family, Formats};
use crate::json::Position;
use crate::query::DialogSummary;
use crate::text::grouped;
use crate::votes::vote_log::{base, log_id, stem};

/// The loading state of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadState {
    /// Not read yet.
    Waiting,
    /// `read` of its bytes are read.
    Reading {
        read: u64,
    },
    Ready,
    /// Being saved; it cannot be edited until that is done.
    Saving,
    /// A list of labels or APIs for other corpora, with this title; it has no dialogs.
    Ontology(&'static str),
    /// It cannot be read, or is not a corpus; contains the reason.
    Failed(String),
}

/// Whether another program has changed a file since it was read, and whether the user knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outdated {
    No,
    /// Changed; reported as soon as the user reads the file.
    Unreported,
    Reported,
    /// Deleted from the disk, and reported.
    Missing,
}

/// A file named on the command line, or found in a folder named there.
pub struct OpenFile {
    /// Its name on the screen: the path below the folder it was found in, or as the user named it.
    pub name: String,
    pub state: LoadState,
    /// The result of the last attempt to lock it; None before the first.
    lock: Option<LockOutcome>,
    outdated: Outdated,
    /// Deleted from the disk; the next save writes a new file.
    pub(crate) gone: bool,
    /// Shared with background jobs, which read it as it was when they began.
    pub(crate) corpus: Option<Arc<CorpusFile>>,
    pub(crate) summaries: Vec<Option<Arc<DialogSummary>>>,
    /// The vote log it is, if it holds votes on another file's dialogs.
    pub(crate) log: Option<VoteLog>,
    /// Its path, if it appeared after the start.
    appeared: Option<PathBuf>,
    /// Edits that earlier runs left in its journal.
    left: RecoveredJournal,
}

/// A file that has appeared in a folder that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppearedFile {
    pub name: String,
    pub path: PathBuf,
    /// The folders for votes on it, for its gold labels and for its judgements.
    pub votes: Arc<Path>,
    pub gold: Arc<Path>,
    pub judgements: Arc<Path>,
}

/// The content of a file's journal from earlier sessions.
#[derive(Default)]
struct RecoveredJournal {
    /// The history of saved edits and the entries of unsaved ones, until the file is read.
    past: Option<(EditHistory, Vec<JournalEntry>)>,
    /// The unsaved entries of the last session and the history they follow, until the user decides
    /// whether to restore them.
    offered: Option<(EditHistory, Vec<JournalEntry>)>,
    /// Why they may not fit, until the user decides.
    doubt: Option<Doubt>,
}

/// All open files.
#[derive(Default)]
pub struct Files {
    /// Locks files before they are edited; None if nobody else can edit them.
    pub locks: Option<Arc<dyn EditLocks>>,
    /// The rules and ontologies that dialogs are checked with; None until they are read.
    pub rules: Option<Arc<LintContext>>,
    files: Vec<OpenFile>,
    /// Number of files that are not read to their ends.
    unread: usize,
    /// Files with unsaved edits.
    modified: BTreeSet<usize>,
    /// Files with recovered edits about which the user has not decided yet.
    undecided: BTreeSet<usize>,
    /// A file with unsaved edits from the last run was read, and the user has not been asked about them yet.
    pub(crate) unasked: bool,
    /// At least one dialog has a problem.
    found: bool,
    /// A long dialog as it was read last: answers to it change elsewhere.
    read_last: Option<ReadLast>,
    /// Vote logs of dialogs whose formats hold no votes.
    pub logs: VoteLogs,
}

impl Files {
    pub fn new(names: Vec<String>) -> Self {
        Self {
            locks: None,
            rules: None,
            unread: names.len(),
            modified: BTreeSet::new(),
            undecided: BTreeSet::new(),
            files: names.into_iter().map(OpenFile::named).collect(),
            unasked: false,
            found: false,
            read_last: None,
            logs: VoteLogs::default(),
        }
    }

    pub(crate) fn push(&mut self, file: OpenFile) {
        self.files.push(file);
    }

    /// Adds a file that has appeared, and returns its number; None if it is known.
    pub(crate) fn add(&mut self, new: AppearedFile) -> Option<usize> {
        let is_it = |open: &OpenFile| open.appeared.as_ref() == Some(&new.path);
        if self.files.iter().any(is_it) {
            return None;
        }
        let file = self.files.len();
        let logs = &mut self.logs;
        for (folders, own) in [
            (&mut logs.folders, new.votes),
            (&mut logs.gold_folders, new.gold),
            (&mut logs.judgements.folders, new.judgements),
        ] {
            // Logs have no folders of their own.
            folders.resize(file, Arc::from(Path::new("")));
            folders.push(own);
        }
        if let Some(groups) = &mut logs.groups {
            groups.insert(base(&new.name).to_owned());
        }
        let appeared = Some(new.path);
        self.unread += 1;
        self.push(OpenFile { appeared, ..OpenFile::named(new.name) });
        Some(file)
    }

    /// Returns the paths of files that were not there at the start.
    pub fn later_paths(&self) -> impl Iterator<Item = &Path> {
        (0..self.len()).filter_map(|file| self.later_path(file))
    }

    /// Returns the path of a file that was not there at the start: a log, or one that appeared.
    pub fn later_path(&self, file: usize) -> Option<&Path> {
        let appeared = || self.get(file)?.appeared.as_deref();
        self.place(file).or_else(appeared)
    }

    /// Returns a snapshot of a file; None if it is not read yet, or cannot be.
    pub fn snapshot(&self, file: usize) -> Option<Snapshot> {
        let corpus = self.get(file)?.corpus.clone()?;
        let (format, rules) = (corpus.file_format()?, self.rules.clone());
        Some(Snapshot { corpus, format, rules, file: file as u32 })
    }

    /// Returns the files as they are now, for a background job to read.
    #[must_use]
    pub fn to_read(&self) -> Self {
        let file = |open: &OpenFile| OpenFile {
            state: open.state.clone(),
            corpus: open.corpus.clone(),
            summaries: open.summaries.clone(),
            log: open.log.clone(),
            ..OpenFile::named(open.name.clone())
        };
        let files = self.files.iter().map(file).collect();
        Self { files, rules: self.rules.clone(), logs: self.logs.clone(), ..Self::default() }
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

    /// Returns a file's name on the screen; empty if there is no such file.
    pub fn name(&self, file: usize) -> &str {
        self.get(file).map_or("", |open| &open.name)
    }

    pub(crate) fn get_mut(&mut self, file: usize) -> Option<&mut OpenFile> {
        self.files.get_mut(file)
    }

    /// Changes a file, and keeps the counts and sets of [`Files`] in step with it.
    fn change<R>(&mut self, file: usize, change: impl FnOnce(&mut OpenFile) -> R) -> Option<R> {
        let open = self.files.get_mut(file)?;
        let before = usize::from(open.is_unread());
        let result = change(open);
        self.unread = self.unread + usize::from(open.is_unread()) - before;
        let modified = open.corpus.as_deref().is_some_and(CorpusFile::is_modified);
        for (files, is_one) in
            [(&mut self.modified, modified), (&mut self.undecided, open.left.offered.is_some())]
        {
            if is_one {
                files.insert(file);
            } else {
                files.remove(&file);
            }
        }
        Some(result)
    }

    /// As [`Files::change`], for the corpus of a file; None if it is not read.
    fn change_corpus<R>(
        &mut self,
        file: usize,
        change: impl FnOnce(&mut CorpusFile) -> R,
    ) -> Option<R> {
        let before = self.text_of_judgements(file);
        let result =
            self.change(file, |open| open.corpus.as_mut().map(Arc::make_mut).map(change))?;
        self.count_votes(file);
        if let Some(before) = before {
            self.update_judgements(file, &before);
        }
        result
    }

    /// Returns the numbers of all files except vote logs of other files' dialogs.
    pub fn shown(&self) -> impl Iterator<Item = usize> {
        let files = self.files.iter().enumerate();
        files.filter(|(_, open)| !open.is_log()).map(|(number, _)| number)
    }

    /// Returns a test for files of labels of other dialogs, as detectors write them, which are neither listed nor searched
    /// as long as a file with dialogs of its own is open.
    pub fn hidden_companions(&self) -> impl Fn(&OpenFile) -> bool {
        let is_companion = |file: &OpenFile| file.format().is_some_and(Family::is_companion);
        let has_others =
            self.files.iter().any(|file| file.format().is_some() && !is_companion(file));
        move |file| has_others && is_companion(file)
    }

    /// Returns the formats with which a file was read.
    pub fn formats(&self, file: usize) -> Formats {
        let corpus = self.get(file).and_then(OpenFile::corpus);
        corpus.map(|corpus| corpus.index().formats.clone()).unwrap_or_default()
    }

    /// Returns the number of dialogs known so far, in all files.
    pub fn dialogs(&self) -> usize {
        self.shown().map(|file| self.files[file].dialogs()).sum()
    }

    /// Returns how much is read, in percent: bytes of a single file, or files of several; None if all is.
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
        self.get(at.file as usize).is_some_and(|f| (at.dialog as usize) < f.dialogs())
    }

    pub fn corpus(&self, at: DialogId) -> Option<&CorpusFile> {
        self.get(at.file as usize)?.corpus.as_deref()
    }

    /// Returns the format of a dialog, or that of its file if it has not been analysed; None if the file
    /// has no dialogs or is not read yet.
    pub fn format(&self, at: DialogId) -> Option<&'static Family> {
        let other = self.summary(at).and_then(|summary| summary.other_family);
        other.or_else(|| self.get(at.file as usize)?.format())
    }

    /// Returns a dialog and its format errors, with its votes from the file itself or from a vote log, as far as they are
    /// shown.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn dialog(&self, at: DialogId) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let mut read = self.judged_dialog(at)?;
        if let Some((dialog, _)) = &mut read {
            dialog.keep_answers_of(&self.logs.judgements.only);
        }
        Ok(read)
    }

    /// As [`Files::dialog`], with all votes.
    pub(super) fn judged_dialog(
        &self,
        at: DialogId,
    ) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let mut read = self.own_dialog(at)?;
        if let Some((dialog, _)) = &mut read {
            self.add_answers(at, dialog);
        }
        Ok(read)
    }

    /// Adds what other files have of a dialog: votes, gold labels, its other side, judgements. Returns the file with the log
    /// of votes that does not fit it, if there is one.
    pub fn add_answers(&self, at: DialogId, dialog: &mut Dialog) -> Option<u32> {
        let stale = self.add_votes(at, dialog);
        self.add_gold(at, dialog);
        self.add_sides(at, dialog);
        self.add_judgements(at, dialog);
        stale
    }

    /// Returns what [`Files::own_dialog`] reads; None also if it cannot be read.
    pub(crate) fn read_own(&self, at: DialogId) -> Option<Dialog> {
        self.own_dialog(at).ok()?.map(|(dialog, _)| dialog)
    }

    /// As [`Files::dialog`], without the votes of vote logs.
    pub(crate) fn own_dialog(
        &self,
        at: DialogId,
    ) -> Result<Option<(Dialog, Vec<Issue>)>, ReadError> {
        let Some(corpus) = self.corpus(at).filter(|_| self.has_dialog(at)) else {
            return Ok(None);
        };
        if let Some(last) = self.read_last.as_ref().filter(|last| last.at == at)
            && let Some(format) = corpus.file_format()
            && last.is_of(&corpus.text(at.dialog as usize)?, &format)
        {
            return Ok(Some((last.analysis.dialog.clone(), last.analysis.issues.clone())));
        }
        corpus.dialog(at.dialog as usize)
    }

    /// Returns the id under which a dialog is judged.
    pub fn judged_id(&self, at: DialogId, dialog: &Dialog) -> String {
        let stem = stem(self.name(at.file as usize));
        log_id(dialog, stem, at.dialog as usize).into_owned()
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

    /// Checks whether the state of a file allows edits.
    ///
    /// # Errors
    /// The reason why it does not, for the status line.
    pub fn check_editable(&self, file: usize) -> Result<(), String> {
        let open = self.get(file).ok_or("there is no such file")?;
        match &open.state {
            LoadState::Ready => Ok(()),
            LoadState::Saving => {
                Err(format!("{} is being saved; try again in a moment", open.name))
            }
            LoadState::Waiting | LoadState::Reading { .. } => {
                Err(format!("{} is still being read; try again in a moment", open.name))
            }
            LoadState::Ontology(name) => Err(format!("{} is a {name}", open.name)),
            LoadState::Failed(reason) => Err(reason.clone()),
        }
    }

    /// Returns the hash of the first bytes of a log that is not on the disk yet; None for any other file.
    pub fn begun_hash(&self, file: usize) -> Option<u128> {
        let open = self.get(file)?;
        open.log.as_ref().filter(|log| log.new)?;
        open.corpus.as_ref()?.index().hash
    }

    /// Returns the corpora whose votes, gold labels or judgements go into the folder of the file at `path`; logs of other
    /// dialogs are in the same list.
    pub fn corpora_beside<'f>(&'f self, path: &'f Path) -> impl Iterator<Item = usize> + 'f {
        let logs = &self.logs;
        let all = [&logs.folders, &logs.gold_folders, &logs.judgements.folders];
        let all = all.into_iter().flat_map(|folders| folders.iter().enumerate());
        // Gold labels may be in a folder below that of the logs.
        let mut above = path.ancestors().skip(1).take(2);
        let above = [above.next(), above.next()];
        let is_here = move |folder: &Path| folder != "" && above.contains(&Some(folder));
        all.filter(move |(_, folder)| is_here(folder)).map(|(file, _)| file)
    }

    /// Takes over the result of trying to lock a file. Returns [`LockOutcome::Ours`] instead of
    /// [`LockOutcome::Changed`] if the user knows of the change, and has decided to keep the old text.
    pub(crate) fn set_lock(&mut self, file: usize, outcome: LockOutcome) -> LockOutcome {
        let Some(open) = self.files.get_mut(file) else {
            return outcome;
        };
        // `Past` has a whole history, which is kept elsewhere.
        open.lock = Some(if outcome.is_ours() { LockOutcome::Ours } else { outcome.clone() });
        match outcome {
            LockOutcome::Changed { .. } if open.outdated == Outdated::Reported => LockOutcome::Ours,
            outcome => outcome,
        }
    }

    /// Returns whether this process holds the edit lock of a file, or why not; None if nobody has asked for it,
    /// or it was released.
    pub(crate) fn lock_outcome(&self, file: usize) -> Option<&LockOutcome> {
        match self.get(file).filter(|_| self.locks.is_some()) {
            Some(open) => open.lock.as_ref(),
            None => Some(&LockOutcome::Ours),
        }
    }

    /// True if a file has dialogs, but also a JSON error, or is damaged.
    pub fn is_broken(&self, file: usize) -> bool {
        let corpus = self.get(file).and_then(OpenFile::corpus);
        corpus.is_some_and(|corpus| {
            corpus.index().error.is_some() || !corpus.source().damage().is_empty()
        })
    }

    /// Returns a message about what of a file cannot be read: all of it, or what follows a JSON error.
    pub fn unreadable(&self, file: usize) -> Option<String> {
        match &self.get(file)?.state {
            LoadState::Failed(reason) => {
                Some(format!("{} cannot be read: {reason}", self.name(file)))
            }
            _ => self.broken(file),
        }
    }

    /// Returns a message about the JSON error or the damage of a file that has dialogs.
    pub fn broken(&self, file: usize) -> Option<String> {
        let open = self.get(file)?;
        let corpus = open.corpus()?;
        let damage = corpus.source().damage();
        let damage = (!damage.is_empty()).then(|| damage.join("; "));
        let (name, why) = (&open.name, broken(corpus.index()).or(damage)?);
        Some(format!(
            "{name} is malformed ({why}); the readable part is shown and cannot be edited"
        ))
    }

    /// True if a file could not be read.
    pub fn has_failed(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| matches!(open.state, LoadState::Failed(_)))
    }

    /// True if a file is read again without a question when it changes: it has no unsaved edits and is the session of an
    /// agent, the judgements of others, or could not be read, as it may be only begun.
    pub fn is_followed(&self, file: usize) -> bool {
        let may_grow = self.get(file).is_some_and(OpenFile::may_grow);
        (may_grow || self.is_judgements(file) || self.has_failed(file)) && !self.is_modified(file)
    }

    /// Returns the number of files that could not be read, or not to their ends.
    pub fn unread(&self) -> u64 {
        let files = self.files.iter().enumerate();
        let unread = |(file, open): &(usize, &OpenFile)| {
            matches!(open.state, LoadState::Failed(_)) || self.is_broken(*file)
        };
        files.filter(unread).count() as u64
    }

    /// Returns whether another program has changed a file since it was read, and whether the user knows.
    pub fn outdated(&self, file: usize) -> Outdated {
        self.get(file).map_or(Outdated::No, |open| open.outdated)
    }

    /// Notes what another program has done to a file. Returns false if that is noted already.
    pub(crate) fn set_outdated(&mut self, file: usize, how: Outdated) -> bool {
        let open = self.files.get_mut(file).filter(|open| open.outdated != how);
        open.map(|open| open.outdated = how).is_some()
    }

    /// Sets whether a file was deleted, so that the next save writes a new one.
    pub(crate) fn set_deleted(&mut self, file: usize, gone: bool) {
        if let Some(open) = self.files.get_mut(file) {
            open.gone = gone;
        }
    }

    pub fn set_state(&mut self, file: usize, state: LoadState) {
        self.change(file, |open| open.state = state);
    }

    /// Takes over the bytes and the index of a file that was saved.
    pub(super) fn saved(&mut self, file: usize, bytes: Bytes, index: Index) {
        self.mark_as_present(file);
        self.set_deleted(file, false);
        let index = self.index_of_kind(file, index);
        self.change_corpus(file, |corpus| corpus.rebase(bytes, index));
        self.set_state(file, LoadState::Ready);
    }

    /// True if a file is known to have dialogs.
    pub fn is_listed(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| open.format().is_some())
    }
}

impl OpenFile {
    /// Returns a file that is not read yet.
    pub(crate) fn named(name: String) -> Self {
        Self {
            name,
            state: LoadState::Waiting,
            lock: None,
            outdated: Outdated::No,
            gone: false,
            corpus: None,
            summaries: Vec::new(),
            log: None,
            appeared: None,
            left: RecoveredJournal::default(),
        }
    }

    /// Returns the number of dialogs found so far.
    pub fn dialogs(&self) -> usize {
        self.summaries.len()
    }

    /// True if it is not read to its end yet.
    pub fn is_unread(&self) -> bool {
        matches!(self.state, LoadState::Waiting | LoadState::Reading { .. })
    }

    /// True if it is read and has no dialogs.
    pub fn has_no_dialogs(&self) -> bool {
        matches!(self.state, LoadState::Failed(_) | LoadState::Ontology(_))
    }

    /// Returns its bytes and index; None before it is read.
    pub fn corpus(&self) -> Option<&CorpusFile> {
        self.corpus.as_deref()
    }

    /// Returns the format of its dialogs; None if it has none or is not read yet.
    pub fn format(&self) -> Option<&'static Family> {
        self.corpus.as_ref()?.format()
    }

    /// True if it is a session of an agent. Chats with tools are others.
    pub fn is_session(&self) -> bool {
        let format = self.format();
        format.is_some_and(|format| format.chat().is_none() && format.is_session())
    }

    /// True if a program may be writing it: a session, or a chat, such as in the log of an evaluation.
    pub fn may_grow(&self) -> bool {
        self.format().is_some_and(Family::is_session)
    }

    /// Sets the state of a file that is read to its end: ready, or why it has no dialogs.
    fn settle(&mut self) {
        self.state = LoadState::Ready;
        let Some(index) = self.corpus.as_deref().map(CorpusFile::index) else {
            return;
        };
        let nothing = match (&index.contents, broken(index)) {
            (Contents::Dialogs(_), _) => return,
            (Contents::Judgements, _) => return self.summaries.clear(),
            (_, Some(broken)) => broken,
            (Contents::Nothing, None) => "an empty list".to_owned(),
            (Contents::Ontology(name), None) => {
                self.state = LoadState::Ontology(name);
                self.summaries.clear();
                return;
            }
            (Contents::Unknown(unknown), None) => unknown.to_string(),
        };
        self.state = LoadState::Failed(nothing);
        self.summaries.clear();
    }
}

/// Describes the JSON error of a file: its line, its column and its kind.
fn broken(index: &Index) -> Option<String> {
    let (_, kind) = index.error?;
    let Position { line, column } = index.broken_at.unwrap_or_default();
    let (line, column) = (grouped(line), grouped(column));
    Some(format!("line {line}, column {column}: {kind}"))
}
