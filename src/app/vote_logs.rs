//! Vote logs: votes on dialogs whose formats cannot hold them, one log per dialog in a folder
//! beside the corpus.
//!
//! A log is an open file like others, with vote edits, revisions and a journal of its own. It is
//! not in the list of dialogs; its votes are shown on the turns of its dialog. The first vote
//! creates it in memory, and saving writes it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{Files, LoadState, OpenFile};
use super::msg::{Bytes, DialogId};
use super::{App, Effect};
use crate::corpus::{CorpusFile, index_all};
use crate::dialog::{Dialog, Edit, EditKind};
use crate::format::{Format, log_name, log_name_apart, log_text};
use crate::query::DialogSummary;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{attach, base, belonging, log_id, says_the_same, stem};

/// A file with votes on a dialog of another file, or one to be created for them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteLog {
    pub place: PathBuf,
    /// It is not on disk yet.
    pub new: bool,
    /// It belongs to a dialog of an open corpus, or was opened only because it might.
    pub linked: bool,
    /// The id of its dialog, once it is read.
    id: Option<String>,
    /// Its dialog, once that is known.
    of: Option<DialogId>,
    /// Its initial text is in the journal.
    told: bool,
}

/// All vote logs and their places.
#[derive(Clone, Debug, Default)]
pub struct VoteLogs {
    /// The folder of logs for each corpus file.
    pub folders: Vec<PathBuf>,
    /// Log files by the id of their dialog.
    by_id: HashMap<String, Vec<u32>>,
    /// Log files by their dialog, once that is known.
    of: HashMap<DialogId, Vec<u32>>,
    /// Their paths in lower case, as some file systems ignore case.
    places: HashSet<String>,
    /// The group names of the open corpora in logs, once requested.
    groups: Option<HashSet<String>>,
}

impl VoteLogs {
    /// Returns the files with votes on a dialog.
    pub fn of(&self, at: DialogId) -> impl Iterator<Item = usize> {
        let files = self.of.get(&at).into_iter().flatten();
        files.map(|file| *file as usize)
    }
}

impl VoteLog {
    fn at(place: PathBuf, new: bool, linked: bool) -> Self {
        Self {
            place,
            new,
            linked,
            id: None,
            of: None,
            told: false,
        }
    }
}

impl OpenFile {
    /// Returns true if it holds votes on a dialog of another open file.
    pub fn is_log(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.linked)
    }

    /// Returns true if votes on its dialogs go to logs beside it.
    pub fn may_have_logs(&self) -> bool {
        let format = self.format();
        format.is_some_and(|format| !format.has_votes() && !format.is_companion())
    }
}

impl Files {
    /// Notes that a file is where logs of open files are; `named` if the user named it.
    pub fn expect_log(&mut self, file: usize, place: PathBuf, new: bool, named: bool) {
        self.logs.groups = None;
        self.logs.places.insert(lower(&place));
        if let Some(open) = self.get_mut(file) {
            open.log = Some(VoteLog::at(place, new, !named));
        }
    }

    /// Returns true if a file is not on disk yet.
    pub fn is_new(&self, file: usize) -> bool {
        self.get(file)
            .is_some_and(|open| open.gone || open.log.as_ref().is_some_and(|log| log.new))
    }

    /// Notes that a new file is on disk now.
    pub(super) fn is_there(&mut self, file: usize) {
        if let Some(log) = self.get_mut(file).and_then(|open| open.log.as_mut()) {
            log.new = false;
        }
    }

    /// Returns the path of a log.
    pub fn place(&self, file: usize) -> Option<&Path> {
        Some(&self.get(file)?.log.as_ref()?.place)
    }

    /// Returns true if files that may be logs are not read yet.
    fn expects_logs(&self) -> bool {
        let mut files = self.all().iter();
        files.any(|file| file.log.is_some() && file.is_unread())
    }

    /// Registers a file that was read as a vote log, if it is one of an open corpus.
    pub(super) fn register_log(&mut self, file: usize) {
        let at = DialogId::first_of(file);
        let expected = self.get(file).is_some_and(|open| open.log.is_some());
        if !expected || !self.format(at).is_some_and(<dyn Format>::has_votes) {
            return;
        }
        let Ok(Some((dialog, _))) = self.own_dialog(at) else {
            return;
        };
        let groups = self.logs.groups.take();
        let groups: HashSet<String> = groups.unwrap_or_else(|| {
            let corpora = self.all().iter().filter(|open| open.log.is_none());
            corpora.map(|open| base(&open.name).to_owned()).collect()
        });
        let linked = groups.contains(group_of(&dialog));
        self.logs.groups = Some(groups);
        if let Some(log) = self.get_mut(file).and_then(|open| open.log.as_mut()) {
            log.linked |= linked;
            log.id = Some(dialog.id.clone());
        }
        let files = self.logs.by_id.entry(dialog.id).or_default();
        if !files.contains(&at.file) {
            files.push(at.file);
        }
    }

    /// Returns the log of a dialog and its contents.
    fn find_log(&self, at: DialogId, dialog: &Dialog) -> Option<(DialogId, Dialog)> {
        if self.logs.by_id.is_empty() {
            return None;
        }
        let open = self.get(at.file as usize)?;
        let id = log_id(dialog, stem(&open.name), at.dialog as usize);
        let files = self.logs.by_id.get(id.as_ref())?.iter();
        let logs = files.filter_map(|file| {
            let at = DialogId::first_of(*file as usize);
            Some((at, self.own_dialog(at).ok()??.0))
        });
        let own = |(_, log): &(DialogId, Dialog)| !self.is_of_another(at, dialog, log);
        belonging(dialog, &open.name, logs.filter(own))
    }

    /// Returns true if a log with the id of `dialog` has the exact text of another dialog in the
    /// file with that id.
    fn is_of_another(&self, at: DialogId, dialog: &Dialog, log: &Dialog) -> bool {
        if dialog.id.is_empty() || says_the_same(dialog, log) {
            return false;
        }
        let twins = self.summaries(Some(at.file)).filter(|(other, outline)| {
            *other != at && outline.is_some_and(|outline| outline.id == dialog.id)
        });
        let mut read = twins.filter_map(|(other, _)| self.own_dialog(other).ok()?);
        read.any(|(other, _)| says_the_same(&other, log))
    }

    /// Returns the name of a log that no longer fits the dialog at `at`; None if some log does.
    pub(super) fn stale_log(&self, at: DialogId) -> Option<&str> {
        let open = self
            .get(at.file as usize)
            .filter(|open| open.may_have_logs() && !self.logs.by_id.is_empty())?;
        let (dialog, _) = self.own_dialog(at).ok()??;
        let id = log_id(&dialog, stem(&open.name), at.dialog as usize);
        let files = self.logs.by_id.get(id.as_ref())?;
        if self.find_log(at, &dialog).is_some() {
            return None;
        }
        let is_its = |log: &Dialog| {
            group_of(log) == base(&open.name) && !self.is_of_another(at, &dialog, log)
        };
        let file = files.iter().find(|file| {
            let (file, dialog) = (**file, 0);
            let log = self.own_dialog(DialogId { file, dialog }).ok().flatten();
            log.is_some_and(|(log, _)| is_its(&log))
        });
        Some(&self.get(*file? as usize)?.name)
    }

    fn are_ids_known(&self, file: u32) -> bool {
        let mut outlines = self.summaries(Some(file));
        outlines.all(|(_, outline)| outline.is_some())
    }

    fn say_the_same(&self, at: DialogId, log: DialogId) -> bool {
        let read = |at| Some(self.own_dialog(at).ok()??.0);
        let both = read(at).zip(read(log));
        both.is_some_and(|(dialog, log)| says_the_same(&dialog, &log))
    }

    /// Adds the votes in its log to a dialog's turns.
    pub(super) fn add_votes(&self, at: DialogId, dialog: &mut Dialog) {
        let judged = self
            .get(at.file as usize)
            .is_some_and(OpenFile::may_have_logs);
        let log = judged.then(|| self.find_log(at, dialog)).flatten();
        if let Some((_, log)) = log {
            attach(dialog, log);
        }
    }

    /// Returns the log of a dialog, if it has one.
    pub fn log_of(&self, at: DialogId) -> Option<DialogId> {
        if self.logs.by_id.is_empty() || !self.get(at.file as usize)?.may_have_logs() {
            return None;
        }
        let (dialog, _) = self.own_dialog(at).ok()??;
        Some(self.find_log(at, &dialog)?.0)
    }

    /// Returns the dialog of a log, as far as is known; any other dialog itself.
    pub fn judged_in(&self, at: DialogId) -> DialogId {
        let log = self
            .get(at.file as usize)
            .and_then(|open| open.log.as_ref());
        log.filter(|log| log.linked)
            .and_then(|log| log.of)
            .unwrap_or(at)
    }

    /// Remembers the dialog of a log.
    pub(super) fn link(&mut self, at: DialogId) {
        if let Some(file) = self.log_of(at).map(|log| log.file)
            && let Some(log) = self
                .get_mut(file as usize)
                .and_then(|open| open.log.as_mut())
        {
            let before = log.of.replace(at);
            log.linked = true;
            if before != Some(at) {
                let others = before.and_then(|before| self.logs.of.get_mut(&before));
                if let Some(others) = others {
                    others.retain(|other| *other != file);
                }
                self.logs.of.entry(at).or_default().push(file);
            }
        }
    }

    /// Matches logs with the dialogs whose ids are known; returns true if a new one was found.
    pub(super) fn find_judged(&mut self, files: impl Iterator<Item = usize>) -> bool {
        let mut unknown: HashMap<&str, Vec<DialogId>> = HashMap::new();
        for file in files {
            let log = self.get(file).and_then(|open| open.log.as_ref());
            let log = log.filter(|log| log.linked && log.of.is_none());
            if let Some(id) = log.and_then(|log| log.id.as_deref()) {
                unknown
                    .entry(id)
                    .or_default()
                    .push(DialogId::first_of(file));
            }
        }
        if unknown.is_empty() {
            return false;
        }
        let logs_of = |(at, outline): (DialogId, Option<&DialogSummary>)| {
            let logs = unknown.get(outline?.id.as_str())?;
            Some(logs.iter().map(move |log| (at, *log)))
        };
        let may_belong: Vec<_> = self.summaries(None).filter_map(logs_of).flatten().collect();
        let mut found = false;
        for (at, log) in may_belong {
            if self.judged_in(log) == log && self.log_of(at) == Some(log) {
                self.link(at);
                found = true;
            }
        }
        found
    }

    /// Creates the log of a dialog in memory.
    ///
    /// # Errors
    /// If its folder is not known, or the dialog cannot be read.
    fn begin_log(&mut self, at: DialogId) -> Result<DialogId, String> {
        let open = self.get(at.file as usize).ok_or("there is no such file")?;
        let folder = self.logs.folders.get(at.file as usize);
        let folder = folder
            .ok_or("the votes folder of this corpus is not known")?
            .clone();
        let (group, stem) = (base(&open.name).to_owned(), stem(&open.name).to_owned());
        let read = self.own_dialog(at).map_err(|error| error.to_string())?;
        let (dialog, _) = read.ok_or("this dialog no longer exists")?;
        let id = log_id(&dialog, &stem, at.dialog as usize).into_owned();
        let taken = |name: &str| self.logs.places.contains(&lower(&folder.join(name)));
        let apart =
            |number: usize| log_name_apart(&id, &format!("{group}\n{}\n{number}", at.dialog));
        let name = std::iter::once(log_name(&id)).chain((0..).map(apart));
        let name = name
            .into_iter()
            .find(|name| !taken(name))
            .unwrap_or_default();
        let text = log_text(&dialog, &id, &group).into_bytes();
        let index = index_all(&text, true).map_err(|error| error.to_string())?;
        let file = self.len();
        let mut log = VoteLog::at(folder.join(&name), true, true);
        (log.of, log.id) = (Some(at), Some(id.clone()));
        self.logs.places.insert(lower(&log.place));
        let parent = folder.file_name().unwrap_or_default().to_string_lossy();
        let mut open = OpenFile::named(format!("{parent}/{name}"));
        open.corpus = Some(CorpusFile::new(Bytes(Arc::new(text)), index));
        open.outlines = vec![None];
        (open.log, open.state) = (Some(log), LoadState::Ready);
        self.push(open);
        self.logs.of.entry(at).or_default().push(file as u32);
        self.logs.by_id.entry(id).or_default().push(file as u32);
        Ok(DialogId::first_of(file))
    }

    /// Returns the effect that journals the initial text of a new log; None if that is done.
    fn beginning(&mut self, log: DialogId) -> Option<Effect> {
        let file = log.file as usize;
        let open = self.get_mut(file)?;
        let state = open.log.as_mut().filter(|log| log.new && !log.told)?;
        state.told = true;
        let name = state.place.file_name()?.to_string_lossy().into_owned();
        let text = open.corpus()?.bytes(0).ok()?;
        let mut text = String::from_utf8(text).ok()?;
        text.push('\n');
        Some(Effect::JournalBegins { file, name, text })
    }
}

/// Returns a path in lower case.
fn lower(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}

impl App {
    /// Returns the dialog to edit in place of `at`: itself, or the log with its votes, which is
    /// created if needed. Returns None and reports why if it cannot be edited now.
    pub(super) fn edited_at(
        &mut self,
        at: DialogId,
        edit: &Edit,
    ) -> Option<(DialogId, Option<Effect>)> {
        let open = self.files.get(at.file as usize);
        let in_log = edit.about() == EditKind::Votes && open.is_some_and(OpenFile::may_have_logs);
        if !in_log {
            return self.may_edit(at).then_some((at, None));
        }
        let log = match self.log_to_edit(at) {
            Ok(log) => log,
            Err(why) => {
                self.complain(why);
                return None;
            }
        };
        if !self.may_edit(log) {
            return None;
        }
        self.files.link(at);
        let began = self.files.beginning(log);
        Some((log, began))
    }

    /// Returns the log for the votes on the dialog at `at`. The dialog's own file is only read, so
    /// another process may edit it.
    fn log_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        self.files.may_edit(at.file as usize)?;
        if self.files.expects_logs() {
            return Err("votes on this corpus are still being read; a moment, please".to_owned());
        }
        match self.files.log_of(at) {
            // It may belong to another dialog with the same id that is not known yet.
            Some(log)
                if !self.files.are_ids_known(at.file) && !self.files.say_the_same(at, log) =>
            {
                Err("the ids of this corpus are still being read; a moment, please".to_owned())
            }
            Some(log) => Ok(log),
            None => self.files.begin_log(at),
        }
    }

    /// Returns the logs of a file's dialogs that have unsaved votes.
    pub(super) fn unsaved_logs(&self, of: usize) -> Vec<usize> {
        let logs = self.files.modified().filter(|file| {
            let open = self.files.get(*file);
            open.is_some_and(OpenFile::is_log)
                && self.files.judged_in(DialogId::first_of(*file)).file as usize == of
        });
        logs.collect()
    }
}
