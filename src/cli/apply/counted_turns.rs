//! Files beside a corpus that count the turns of its dialogs: votes in logs, and gold labels. A turn that they count
//! is neither added nor removed.

use std::path::{Path, PathBuf};

use crate::cli::style::shown;
use crate::corpus::CorpusFile;
use crate::dialog::{Dialog, Edit, EditError};
use crate::format::{Family, Formats};
use crate::shell::{find_logs, open};
use crate::votes::vote_log::{belonging, log_id, may_be_on, stem};
use crate::workspace::VOTES_FOLDER;

/// The files beside a corpus file with votes or gold labels, read on first use.
pub struct CountedTurns {
    path: PathBuf,
    read: Option<Vec<(PathBuf, Dialog)>>,
}

impl CountedTurns {
    /// Returns those beside the file at `path`.
    pub fn beside(path: &Path) -> Self {
        Self { path: path.to_owned(), read: None }
    }

    /// Returns why the turns of dialog `position` cannot move by `edit`, if they cannot.
    pub fn why_not(&mut self, file: &CorpusFile, position: usize, edit: &Edit) -> Option<String> {
        let (dialog, _) = file.dialog(position).ok()??;
        let has_votes = file.format().is_some_and(Family::has_votes);
        let name = self.path.file_name()?.to_string_lossy().into_owned();
        let id = log_id(&dialog, stem(&name), position).into_owned();
        let path = self.path.clone();
        let files = self.read.get_or_insert_with(|| read(&path));
        let own = files.iter().filter(|(_, other)| other.id == id);
        let is_there = |other: &str| path.with_file_name(other).is_file();
        let is_judged = |log: &Dialog| {
            log.turns.iter().any(|turn| !turn.votes.is_empty()) && may_be_on(&name, log, is_there)
        };
        let logs = own.clone().filter(|(_, log)| !has_votes && is_judged(log));
        let logs = logs.map(|(path, log)| (path, log.clone()));
        if let Some((path, _)) = belonging(&dialog, &name, logs) {
            let path = shown(path);
            let reason = format!(
                "{path} has votes on this dialog, turn by turn; withdraw them or move it away first"
            );
            return Some(EditError::of_turns(edit, reason).to_string());
        }
        let mut gold = own.filter(|(_, labels)| {
            let mut dialog = dialog.clone();
            dialog.attach_gold(labels);
            let mut behind = dialog.turns.iter().skip(edit.turn());
            behind.any(|turn| turn.gold.is_some())
        });
        gold.next().map(|(path, _)| {
            let path = shown(path);
            let reason = format!(
                "{path} has gold labels of this turn or later ones by their numbers; remove them first"
            );
            EditError::of_turns(edit, reason).to_string()
        })
    }
}

/// Reads the logs and gold labels beside a file.
fn read(path: &Path) -> Vec<(PathBuf, Dialog)> {
    let files = [(String::new(), path.to_owned())];
    let found = find_logs(&files, Path::new(VOTES_FOLDER), None);
    let beside = found.logs.into_iter().filter(|log| log.place != path && !log.named);
    let read = |place: PathBuf| {
        let opened = open(&place, &Formats::default(), false).ok()?;
        let (dialog, _) = opened.file.dialog(0).ok()??;
        Some((place, dialog))
    };
    beside.filter_map(|log| read(log.place)).collect()
}
