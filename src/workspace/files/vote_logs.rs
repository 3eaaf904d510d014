//! Vote logs: votes on dialogs whose format has none, a log for each dialog, in a folder next to the
//! corpus.
//!
//! A log is an open file like others: it takes the usual vote edits and has its own journal. The dialog
//! list leaves it out, and its votes appear on the turns of its dialog. The first vote creates it in memory,
//! the first save on the disk.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::{Files, LoadState, OpenFile};
use crate::corpus::{Bytes, CorpusFile, index_all};
use crate::dialog::{Dialog, Edit};
use crate::format::{Family, gold_text, log_name, log_name_apart, log_text};
use crate::query::DialogSummary;
use crate::votes::VotesBy;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{
    attach, base, belonging, closeness, growth, id_of, keys_for, keys_of, log_id, may_be_on,
    says_the_same, stem,
};
use crate::workspace::{DialogId, FoundLog, NewFile, OwnFile, VoteLog};

impl OpenFile {
    /// Returns true if it holds votes on a dialog of another open file.
    pub fn is_log(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log.linked)
    }

    /// True if votes on its dialogs go into logs next to it.
    pub fn may_have_logs(&self) -> bool {
        let format = self.format();
        format.is_some_and(|format| !format.has_votes() && !format.is_companion())
    }
}

impl Files {
    /// Adds a file from the folder of another file's logs.
    pub fn expect_log(&mut self, found: FoundLog) {
        self.logs.groups = None;
        self.logs.places.insert(lower(&found.place));
        if let Some(open) = self.get_mut(found.file) {
            let linked = !found.named
                || matches!(OwnFile::at(&found.place), Some(OwnFile::Gold | OwnFile::Judgements));
            open.log = Some(VoteLog { new: found.new, linked, ..VoteLog::begun_at(found.place) });
        }
    }

    /// True if a file is not on the disk yet.
    pub fn is_new(&self, file: usize) -> bool {
        self.get(file).is_some_and(|open| open.gone || open.log.as_ref().is_some_and(|log| log.new))
    }

    /// Marks a file as present on the disk.
    pub(crate) fn mark_as_present(&mut self, file: usize) {
        if let Some(log) = self.get_mut(file).and_then(|open| open.log.as_mut()) {
            log.new = false;
        }
    }

    /// Returns the path of a log on the disk, or its future path.
    pub fn place(&self, file: usize) -> Option<&Path> {
        Some(&self.get(file)?.log.as_ref()?.place)
    }

    /// Returns true if files that may be logs are not read yet.
    pub(crate) fn expects_logs(&self) -> bool {
        let mut files = self.all().iter();
        files.any(|file| file.log.is_some() && file.is_unread())
    }

    /// Handles a file that was just read: registers it if it is a log of an open corpus.
    pub(crate) fn register_log(&mut self, file: usize) {
        let at = DialogId::first_of(file);
        if self.is_judgements(file) {
            return self.read_judgements(file);
        }
        if self.register_gold(file) {
            return;
        }
        let expected = self.get(file).is_some_and(|open| open.log.is_some());
        if !expected || !self.format(at).is_some_and(Family::has_votes) {
            return;
        }
        let Some(dialog) = self.read_own(at) else {
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
            log.keys = keys_of(&dialog.id, group_of(&dialog));
        }
        self.count_votes(file);
        self.logs.keys.add(keys_of(&dialog.id, group_of(&dialog)), at.file);
    }

    /// Counts the votes in a file, if it is a log.
    pub(super) fn count_votes(&mut self, file: usize) {
        if self.get(file).is_none_or(|open| open.log.is_none()) {
            return;
        }
        let dialog = self.read_own(DialogId::first_of(file));
        let votes = dialog.as_ref().map(VotesBy::of).unwrap_or_default();
        if let Some(log) = self.get_mut(file).and_then(|open| open.log.as_mut()) {
            log.votes = votes;
        }
    }

    /// Returns the number of votes of an annotator, or of all, on a dialog in logs beside its file.
    pub(crate) fn votes_in_logs(&self, at: DialogId, annotator: Option<&str>) -> u32 {
        let logs = self.logs.of(at);
        let logs = logs.filter_map(|file| self.get(file)?.log.as_ref());
        logs.map(|log| log.votes.count(annotator)).sum()
    }

    /// True if somebody with this id has voted, or answered a question, in what is read of the open files.
    pub fn has_answers_of(&self, annotator: &str) -> bool {
        let mut summaries = self.summaries(None);
        let mut logs = self.all().iter().filter_map(|open| open.log.as_ref());
        self.logs.judgements.has_any_by(annotator)
            || logs.any(|log| log.votes.count(Some(annotator)) > 0)
            || summaries.any(|(_, summary)| {
                summary.is_some_and(|summary| summary.votes.count(Some(annotator)) > 0)
            })
    }

    /// Returns the log of a dialog, and its content.
    fn find_log(&self, at: DialogId, dialog: &Dialog) -> Option<(DialogId, Dialog)> {
        if self.logs.keys.is_empty() {
            return None;
        }
        let open = self.get(at.file as usize)?;
        let files = self.logs.keys.under(dialog, &open.name, at.dialog as usize);
        let logs = files.filter_map(|file| {
            let at = DialogId::first_of(file as usize);
            Some((at, self.read_own(at)?))
        });
        let own = |(from, log): &(DialogId, Dialog)| {
            self.is_beside(at, *from)
                && may_be_on(&open.name, log, |name| self.may_have(name, &log.id))
                && !self.is_of_another(at, dialog, log)
        };
        belonging(dialog, &open.name, logs.filter(own))
    }

    /// True if a log is in the folder for logs of the file of a dialog.
    fn is_beside(&self, at: DialogId, log: DialogId) -> bool {
        let folder = self.logs.folders.get(at.file as usize);
        let place = self.place(log.file as usize).and_then(Path::parent);
        folder.is_none_or(|folder| place == Some(folder))
    }

    /// True if an open corpus has this name, unless it is known to have no dialog with this id: another one may have got
    /// its name.
    fn may_have(&self, name: &str, id: &str) -> bool {
        let groups = self.logs.groups.as_ref();
        if groups.is_some_and(|groups| !groups.contains(name)) {
            return false;
        }
        let mut files = self.all().iter().enumerate();
        files.any(|(file, open)| {
            let has_id = |(at, summary): (DialogId, Option<&DialogSummary>)| {
                let position = at.dialog as usize;
                summary.is_none_or(|of| id_of(&of.id, stem(&open.name), position) == id)
            };
            let has_name = open.log.is_none() && base(&open.name) == name;
            has_name && (open.is_unread() || self.summaries(Some(file as u32)).any(has_id))
        })
    }

    /// True if another dialog of the same file with the same id is closer to a log than `dialog`.
    fn is_of_another(&self, at: DialogId, dialog: &Dialog, log: &Dialog) -> bool {
        if dialog.id.is_empty() || says_the_same(dialog, log) {
            return false;
        }
        let own = closeness(dialog, log);
        let duplicates = self.summaries(Some(at.file)).filter(|(other, summary)| {
            *other != at && summary.is_some_and(|summary| summary.id == dialog.id)
        });
        let mut read = duplicates.filter_map(|(other, _)| self.read_own(other));
        read.any(|other| closeness(&other, log) > own)
    }

    /// Returns the name of a log of the dialog at `at` that does not fit its text; None if one fits.
    pub(crate) fn stale_log(&self, at: DialogId) -> Option<&str> {
        let mut dialog = self.read_own(at)?;
        let stale = self.add_votes(at, &mut dialog)?;
        Some(self.name(stale as usize))
    }

    /// Returns the file with a log of a dialog that does not fit its text.
    fn outgrown(&self, at: DialogId, dialog: &Dialog) -> Option<u32> {
        let name = self.name(at.file as usize);
        let is_its =
            |log: &Dialog| group_of(log) == base(name) && !self.is_of_another(at, dialog, log);
        let mut files = self.logs.keys.under(dialog, name, at.dialog as usize);
        files.find(|file| {
            let log = self.read_own(DialogId { file: *file, dialog: 0 });
            log.is_some_and(|log| is_its(&log))
        })
    }

    pub(crate) fn are_ids_known(&self, file: u32) -> bool {
        let mut summaries = self.summaries(Some(file));
        summaries.all(|(_, summary)| summary.is_some())
    }

    pub(crate) fn say_the_same(&self, at: DialogId, log: DialogId) -> bool {
        let both = self.read_own(at).zip(self.read_own(log));
        both.is_some_and(|(dialog, log)| says_the_same(&dialog, &log))
    }

    /// Returns the edits that add the turns to the log of the dialog at `at` by which that has grown since.
    pub(crate) fn growth_since(&self, at: DialogId, log: DialogId) -> Vec<Edit> {
        let both = self.read_own(at).zip(self.read_own(log));
        both.map_or_else(Vec::new, |(dialog, log)| growth(&dialog, &log))
    }

    /// Adds the votes in the log of a dialog to its turns. Returns the file with a log that does not fit, if none does.
    pub(super) fn add_votes(&self, at: DialogId, dialog: &mut Dialog) -> Option<u32> {
        if self.logs.keys.is_empty() || !self.get(at.file as usize)?.may_have_logs() {
            return None;
        }
        match self.find_log(at, dialog) {
            Some((_, log)) => {
                attach(dialog, log);
                None
            }
            None => self.outgrown(at, dialog),
        }
    }

    /// Returns the log of a dialog, if it has one.
    pub fn log_of(&self, at: DialogId) -> Option<DialogId> {
        if self.logs.keys.is_empty() || !self.get(at.file as usize)?.may_have_logs() {
            return None;
        }
        let dialog = self.read_own(at)?;
        Some(self.find_log(at, &dialog)?.0)
    }

    /// Returns the log of a dialog as far as it is known, without reading the dialog.
    pub fn linked_log(&self, at: DialogId) -> Option<DialogId> {
        let is_log = |file: &usize| {
            let log = self.get(*file).and_then(|open| open.log.as_ref());
            log.is_some_and(|log| !log.is_gold())
        };
        self.logs.of(at).find(is_log).map(DialogId::first_of)
    }

    /// Returns the dialog of a log, as far as it is known; for any other dialog, the dialog itself.
    pub fn judged_in(&self, at: DialogId) -> DialogId {
        let log = self.get(at.file as usize).and_then(|open| open.log.as_ref());
        log.filter(|log| log.linked).and_then(|log| log.of).unwrap_or(at)
    }

    /// Stores which dialog a log belongs to. Returns true if the log was taken for a corpus until now, which is listed.
    pub(crate) fn link(&mut self, at: DialogId) -> bool {
        let mut was_listed = false;
        for log in [self.log_of(at), self.gold_of(at)].into_iter().flatten() {
            let open = self.get(log.file as usize);
            was_listed |= open.is_some_and(|open| !open.is_log());
            self.link_file(at, log.file);
        }
        was_listed
    }

    fn link_file(&mut self, at: DialogId, file: u32) {
        if let Some(log) = self.get_mut(file as usize).and_then(|open| open.log.as_mut()) {
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

    /// Returns the logs that name no open file, as those of a file that was renamed.
    pub(crate) fn unlinked_logs(&self) -> impl Iterator<Item = usize> {
        let is_unlinked = |open: &OpenFile| {
            let log = open.log.as_ref();
            log.is_some_and(|log| !log.linked && log.of.is_none() && !log.keys.is_empty())
        };
        let files = self.all().iter().enumerate();
        files.filter(move |(_, open)| is_unlinked(open)).map(|(number, _)| number)
    }

    /// Links logs to their dialogs among those with known ids; true if it found a new one.
    pub(crate) fn find_judged(&mut self, files: impl Iterator<Item = usize>) -> bool {
        let mut unknown: HashMap<&str, Vec<DialogId>> = HashMap::new();
        for file in files {
            let log = self.get(file).and_then(|open| open.log.as_ref());
            let log = log.filter(|log| log.of.is_none());
            for key in log.into_iter().flat_map(|log| &log.keys) {
                let logs = unknown.entry(key).or_default();
                logs.push(DialogId::first_of(file));
            }
        }
        if unknown.is_empty() {
            return false;
        }
        let logs_of = |(at, summary): (DialogId, Option<&DialogSummary>)| {
            let name = &self.get(at.file as usize)?.name;
            let keys = keys_for(&summary?.id, stem(name), at.dialog as usize);
            let logs = keys.filter_map(|key| unknown.get(key.as_ref())).flatten();
            Some(logs.map(|log| (at, *log)).collect::<Vec<_>>())
        };
        let may_belong: Vec<_> = self.summaries(None).filter_map(logs_of).flatten().collect();
        let mut found = false;
        for (at, log) in may_belong {
            let has_log = self.log_of(at) == Some(log) || self.gold_of(at) == Some(log);
            if self.judged_in(log) == log && has_log {
                self.link(at);
                found = true;
            }
        }
        found
    }

    /// Creates the log of a dialog that has none, in memory.
    ///
    /// # Errors
    /// If the folder for it is not known, or the dialog cannot be read.
    pub(crate) fn begin_log(&mut self, at: DialogId) -> Result<DialogId, String> {
        let folder = self.logs.folders.get(at.file as usize);
        let folder = folder.ok_or("no folder is known for votes on this corpus")?.clone();
        let EmptyLog { id, group, text } = self.empty_log(at)?;
        let text = text.into_bytes();
        let taken = |name: &str| self.logs.places.contains(&lower(&folder.join(name)));
        let apart =
            |number: usize| log_name_apart(&id, &format!("{group}\n{}\n{number}", at.dialog));
        let name = std::iter::once(log_name(&id)).chain((0..).map(apart));
        let name = name.into_iter().find(|name| !taken(name)).unwrap_or_default();
        let parent = folder.file_name().unwrap_or_default().to_string_lossy();
        let keys = keys_of(&id, &group);
        let log =
            VoteLog { of: Some(at), keys: keys.clone(), ..VoteLog::begun_at(folder.join(&name)) };
        let file = self.begin(format!("{parent}/{name}"), log, text)?;
        self.logs.keys.add(keys, file.file);
        Ok(file)
    }

    /// Adds a file of answers that is not on the disk yet, and returns its dialog.
    ///
    /// # Errors
    /// If its text cannot be read.
    pub(super) fn begin(
        &mut self,
        name: String,
        log: VoteLog,
        text: Vec<u8>,
    ) -> Result<DialogId, String> {
        let index = index_all(&text, true).map_err(|error| error.to_string())?;
        let file = self.len();
        let at = DialogId::first_of(file);
        self.logs.places.insert(lower(&log.place));
        if let Some(of) = log.of {
            self.logs.of.entry(of).or_default().push(at.file);
        }
        let mut open = OpenFile::named(name);
        // Judgements are of dialogs that other files have.
        open.summaries = if log.is_judgements() { Vec::new() } else { vec![None] };
        (open.log, open.state) = (Some(log), LoadState::Ready);
        self.push(open);
        let index = self.index_of_kind(file, index);
        if let Some(open) = self.get_mut(file) {
            open.corpus = Some(Arc::new(CorpusFile::new(Bytes::from(text), index)));
        }
        Ok(at)
    }

    /// Returns the log of a dialog without votes.
    ///
    /// # Errors
    /// If the dialog cannot be read.
    fn empty_log(&self, at: DialogId) -> Result<EmptyLog, String> {
        let open = self.get(at.file as usize).ok_or("no such file")?;
        let read = self.own_dialog(at).map_err(|error| error.to_string())?;
        let (dialog, _) = read.ok_or("the dialog does not exist")?;
        let id = log_id(&dialog, stem(&open.name), at.dialog as usize).into_owned();
        let group = base(&open.name).to_owned();
        let text = log_text(&dialog, &id, &group);
        Ok(EmptyLog { id, group, text })
    }

    /// Returns the text with which the journal of a log, of gold labels or of judgements begins: with it the next run can
    /// create the file, if it is not there then. None if it is journaled already.
    pub(crate) fn beginning(&mut self, log: DialogId) -> Option<NewFile> {
        let file = log.file as usize;
        let open = self.get(file)?;
        let state = open.log.as_ref().filter(|log| !log.journaled)?;
        let name = state.place.file_name()?.to_string_lossy().into_owned();
        let mut text = if state.is_judgements() {
            String::new()
        } else if state.new {
            String::from_utf8(open.corpus()?.bytes(0).ok()?).ok()?
        } else if state.is_gold() {
            gold_text(state.keys.first()?)
        } else {
            self.empty_log(state.of?).ok()?.text
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        self.get_mut(file)?.log.as_mut()?.journaled = true;
        Some(NewFile { name, text })
    }
}

/// A log without votes: its text, its dialog's id, and the file that it names.
struct EmptyLog {
    id: String,
    group: String,
    text: String,
}

/// Returns a path in lower case.
pub(super) fn lower(path: &Path) -> String {
    path.to_string_lossy().to_lowercase()
}
