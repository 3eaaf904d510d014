//! Gold labels: what an adjudicator decided for the turns of a dialog, a file for each dialog in the folder
//! `gold` beside the logs.
//!
//! Like a vote log, such a file is an open file with a journal of its own; the dialog list
//! leaves it out, and its labels appear on the turns of its dialog. The first label creates it in memory,
//! the first save on the disk.

use std::path::PathBuf;

use super::Files;
use super::vote_logs::lower;
use crate::dialog::{Dialog, EditKind};
use crate::format::{Family, gold_name, gold_text};
use crate::votes::vote_log::{log_id, stem};
use crate::workspace::{DialogId, VoteLog};

impl Files {
    /// Registers a file that was just read, if it holds gold labels.
    pub(super) fn register_gold(&mut self, file: usize) -> bool {
        let at = DialogId::first_of(file);
        let log = self.get(file).and_then(|open| open.log.as_ref());
        let Some(log) = log.filter(|log| log.is_gold()) else {
            return false;
        };
        let folder = log.place.parent().map(PathBuf::from).unwrap_or_default();
        let has_gold = |format: &'static Family| format.has().contains(&EditKind::Gold);
        if !self.format(at).is_some_and(has_gold) {
            return true;
        }
        if let Some(labels) = self.read_own(at) {
            if let Some(log) = self.get_mut(file).and_then(|open| open.log.as_mut()) {
                log.keys = vec![labels.id.clone()];
            }
            self.logs.gold.entry((folder, labels.id)).or_insert(at.file);
        }
        true
    }

    /// Returns the folder of the gold labels of a file's dialogs and the id that they use for `dialog`.
    fn gold_key(&self, at: DialogId, dialog: &Dialog) -> Option<(PathBuf, String)> {
        let file = at.file as usize;
        let open = self.get(file).filter(|open| !open.is_log())?;
        let id = log_id(dialog, stem(&open.name), at.dialog as usize);
        Some((self.gold_folder(file)?, id.into_owned()))
    }

    /// Returns the folder of the gold labels of a file's dialogs: beside its logs, or beside the file if it
    /// is a log.
    pub fn gold_folder(&self, file: usize) -> Option<PathBuf> {
        let format = self.get(file)?.format()?;
        if format.is_companion() {
            return None;
        }
        if format.has_votes() {
            let folder = self.logs.gold_folders.get(file);
            return folder.map(|folder| folder.to_path_buf());
        }
        let logs = self.logs.folders.get(file)?;
        Some(logs.join(crate::format::GOLD_FOLDER))
    }

    fn find_gold(&self, at: DialogId, dialog: &Dialog) -> Option<DialogId> {
        if self.logs.gold.is_empty() {
            return None;
        }
        let file = self.logs.gold.get(&self.gold_key(at, dialog)?)?;
        Some(DialogId::first_of(*file as usize))
    }

    /// Returns the file of the gold labels of a dialog, if it has one.
    pub(crate) fn gold_of(&self, at: DialogId) -> Option<DialogId> {
        if self.logs.gold.is_empty() {
            return None;
        }
        let dialog = self.read_own(at)?;
        self.find_gold(at, &dialog)
    }

    /// True if a dialog has a vote log, or gold labels.
    pub fn has_log(&self, at: DialogId) -> bool {
        self.log_of(at).is_some() || self.gold_of(at).is_some()
    }

    /// Adds the gold labels of a dialog to its turns.
    pub(crate) fn add_gold(&self, at: DialogId, dialog: &mut Dialog) {
        let labels = self.find_gold(at, dialog).and_then(|labels| self.read_own(labels));
        if let Some(labels) = labels {
            dialog.attach_gold(&labels);
        }
    }

    /// Returns the file for the gold labels of a dialog; creates it in memory if there is none.
    ///
    /// # Errors
    /// If the folder for it is not known, the dialog cannot be read, or another dialog has its id.
    pub(crate) fn gold_to_edit(&mut self, at: DialogId) -> Result<DialogId, String> {
        let read = self.own_dialog(at).map_err(|error| error.to_string())?;
        let (dialog, _) = read.ok_or("the dialog does not exist")?;
        let (folder, id) = self
            .gold_key(at, &dialog)
            .ok_or("no folder is known for gold labels of this corpus")?;
        let known = self.logs.gold.get(&(folder.clone(), id.clone()));
        let known = known.map(|file| DialogId::first_of(*file as usize));
        if let Some(known) = known.filter(|known| self.judged_in(*known) == at) {
            return Ok(known);
        }
        let mut same = self.summaries(None).filter(|(other, summary)| {
            *other != at && summary.is_some_and(|summary| summary.id.as_str() == id)
        });
        let folder_of = |other: DialogId| self.gold_folder(other.file as usize);
        if same.any(|(other, _)| folder_of(other).as_ref() == Some(&folder)) {
            return Err(format!(
                "two dialogs here have the id {id:?}; gold labels need unique ids, so give each dialog its own"
            ));
        }
        drop(same);
        if let Some(known) = known {
            return Ok(known);
        }
        let name = gold_name(&id);
        let place = folder.join(&name);
        if self.logs.places.contains(&lower(&place)) {
            return Err(format!(
                "gold/{name} holds other labels, not those of {id:?}; move that file away first"
            ));
        }
        let log = VoteLog { of: Some(at), keys: vec![id.clone()], ..VoteLog::begun_at(place) };
        let file = self.begin(format!("gold/{name}"), log, gold_text(&id).into_bytes())?;
        self.logs.gold.insert((folder, id), file.file);
        Ok(file)
    }
}
