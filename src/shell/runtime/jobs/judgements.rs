//! Votes and gold labels in other files than the dialogs they are about.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::read::{Asked, read_dialog, read_for};
use crate::dialog::Dialog;
use crate::query::{Prefilter, Query};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{
    attach, base, belonging, closeness, keys_for, keys_of, log_id, may_be_on, stem,
};
use crate::workspace::{DialogId, Files, OpenFile, OpenJudgements, Snapshot};

/// The files to read.
pub struct JudgementScope {
    /// Logs of votes with their folders.
    logs: Vec<(PathBuf, Snapshot)>,
    owners: LogOwners,
    /// Files of gold labels with their folders.
    gold: Vec<(PathBuf, Snapshot)>,
    /// The folder of gold labels of each file that has one.
    gold_folders: HashMap<u32, PathBuf>,
    judgements: OpenJudgements,
}

/// The dialogs of vote logs, by the keys under which they may be found.
type Logs = HashMap<String, Vec<Arc<LoggedDialog>>>;

/// The dialog of a vote log in a folder.
struct LoggedDialog {
    folder: PathBuf,
    dialog: Dialog,
}

/// The files that logs may be about.
#[derive(Clone)]
struct LogOwners {
    /// The folder of the logs of each file.
    folders: HashMap<u32, Arc<Path>>,
    /// The names of all files.
    names: HashSet<String>,
}

impl LogOwners {
    fn may_own(&self, file: &JudgedFile<'_>, log: &LoggedDialog) -> bool {
        let folder = self.folders.get(&file.number);
        folder.is_none_or(|folder| **folder == *log.folder)
            && may_be_on(file.name, &log.dialog, |name| self.names.contains(name))
    }
}

/// The votes and gold labels that were read.
pub struct Judgements {
    logs: Logs,
    owners: LogOwners,
    /// The gold labels, by folder and id of the dialog.
    gold: HashMap<(PathBuf, String), Dialog>,
    gold_folders: HashMap<u32, PathBuf>,
    judgements: OpenJudgements,
}

/// A file of dialogs, by its number and name.
pub struct JudgedFile<'f> {
    pub number: u32,
    pub name: &'f str,
    pub snapshot: &'f Snapshot,
}

impl JudgementScope {
    pub fn new(files: &Files) -> Self {
        let logs = || {
            let all = 0..files.len();
            all.filter(|file| files.get(*file).is_some_and(OpenFile::is_log))
        };
        let folder_of_gold = |file: usize| {
            let log = files.get(file)?.log.as_ref().filter(|log| log.is_gold())?;
            log.place.parent().map(Path::to_owned)
        };
        let gold = logs().filter_map(|file| Some((folder_of_gold(file)?, files.snapshot(file)?)));
        let gold = gold.collect();
        let logs = logs().filter(|file| folder_of_gold(*file).is_none());
        let logs: Vec<_> = logs
            .filter_map(|file| {
                let folder = files.place(file).and_then(Path::parent);
                Some((folder.unwrap_or(Path::new("")).to_owned(), files.snapshot(file)?))
            })
            .collect();
        let folder = |file: usize| Some((file as u32, files.gold_folder(file)?));
        // Without logs nobody asks for the files that they may be about.
        let owners = || files.shown().filter(|_| !logs.is_empty());
        let owner = |file: usize| Some((file as u32, files.logs.folders.get(file)?.clone()));
        let name = |file: usize| Some(base(&files.get(file)?.name).to_owned());
        let owners = LogOwners {
            folders: owners().filter_map(owner).collect(),
            names: owners().filter_map(name).collect(),
        };
        Self {
            logs,
            owners,
            gold,
            gold_folders: files.shown().filter_map(folder).collect(),
            judgements: files.logs.judgements.clone(),
        }
    }

    /// Returns whether there are no such files.
    pub fn is_empty(&self) -> bool {
        self.logs.is_empty() && self.gold.is_empty() && self.judgements.is_empty()
    }

    /// Returns whether some log may have a comment, or a judgement a note, that a search for texts finds.
    pub fn may_hit(&self, texts: &Prefilter) -> bool {
        if self.judgements.notes().any(|note| texts.may_hit(note.as_bytes())) {
            return true;
        }
        let mut buffer = Vec::new();
        let mut may_hit = |log: &Snapshot, position| {
            log.read(position, &mut buffer).is_ok() && texts.may_hit(&buffer)
        };
        let mut logs = self.logs.iter();
        logs.any(|(_, log)| (0..log.pieces.len()).any(|position| may_hit(log, position)))
    }

    /// Reads the files.
    pub fn read(&self) -> Judgements {
        let mut buffer = Vec::new();
        let mut logs = Logs::new();
        for (folder, snapshot) in &self.logs {
            for position in 0..snapshot.pieces.len() {
                if let Some(dialog) = read_dialog(snapshot, position, &mut buffer) {
                    let keys = keys_of(&dialog.id, group_of(&dialog));
                    let folder = folder.clone();
                    let logged = Arc::new(LoggedDialog { folder, dialog });
                    for key in keys {
                        logs.entry(key).or_default().push(logged.clone());
                    }
                }
            }
        }
        let mut gold = HashMap::new();
        for (folder, snapshot) in &self.gold {
            if let Some(labels) = read_dialog(snapshot, 0, &mut buffer) {
                gold.insert((folder.clone(), labels.id.clone()), labels);
            }
        }
        Judgements {
            logs,
            owners: self.owners.clone(),
            gold,
            gold_folders: self.gold_folders.clone(),
            judgements: self.judgements.clone(),
        }
    }
}

impl Judgements {
    /// Passes each dialog of a file to `each`, with its votes and gold labels, until that says to stop;
    /// dialogs with votes in logs come last. Returns the number of dialogs that were edited since they
    /// were logged; their votes are not added.
    pub fn each_dialog(
        &self,
        file: &JudgedFile<'_>,
        query: Option<&Query>,
        each: &mut dyn FnMut(DialogId, Dialog, Asked) -> ControlFlow<()>,
    ) -> usize {
        let JudgedFile { number, name, snapshot } = *file;
        let at = |position: usize| DialogId::new(number as usize, position);
        let stem = stem(name);
        // Dialogs that may have votes in logs; matching waits until all are read.
        let (mut logged, mut asked_of_logged) = (Vec::new(), Vec::new());
        let mut buffer = Vec::new();
        for position in 0..snapshot.pieces.len() {
            let Some((mut dialog, asked)) = read_for(query, snapshot, at(position), &mut buffer)
            else {
                continue;
            };
            let id = log_id(&dialog, stem, position).into_owned();
            self.attach_gold(&mut dialog, number, &id);
            self.judgements.add(at(position), name, &mut dialog);
            let may_have_log = keys_for(&dialog.id, stem, position)
                .any(|key| self.logs.contains_key(key.as_ref()));
            if !snapshot.format.usual.has_votes() && may_have_log {
                logged.push((position, dialog));
                asked_of_logged.push(asked);
            } else if each(at(position), dialog, asked).is_break() {
                return 0;
            }
        }
        let outgrown = self.add_votes(&mut logged, file);
        for ((position, dialog), asked) in logged.into_iter().zip(asked_of_logged) {
            if each(at(position), dialog, asked).is_break() {
                break;
            }
        }
        outgrown
    }

    fn attach_gold(&self, dialog: &mut Dialog, file: u32, id: &str) {
        if let Some(folder) = self.gold_folders.get(&file)
            && let Some(labels) = self.gold.get(&(folder.clone(), id.to_owned()))
        {
            dialog.attach_gold(labels);
        }
    }

    /// Adds the votes in logs to the dialogs of a file. Returns the number of dialogs that
    /// were edited since they were logged; their votes are not shown.
    fn add_votes(&self, dialogs: &mut [(usize, Dialog)], file: &JudgedFile<'_>) -> usize {
        let (name, stem) = (file.name, stem(file.name));
        let mut found = Vec::new();
        let mut outgrown = 0;
        let mut with_id: HashMap<&str, Vec<&(usize, Dialog)>> = HashMap::new();
        for place in dialogs.iter() {
            with_id.entry(&place.1.id).or_default().push(place);
        }
        for (number, (position, dialog)) in dialogs.iter().enumerate() {
            let keys = keys_for(&dialog.id, stem, *position);
            let own = keys.filter_map(|key| self.logs.get(key.as_ref()));
            let own = own.flatten().filter(|log| self.owners.may_own(file, log));
            let own = own.map(|log| &log.dialog);
            let with_same_id = || {
                let all = with_id[dialog.id.as_str()].iter();
                all.filter(|(at, _)| at != position)
            };
            // A log that is closer to another dialog with the same id belongs to that one.
            let own = own.filter(|log| {
                let close = closeness(dialog, log);
                !with_same_id().any(|(_, other)| closeness(other, log) > close)
            });
            let own: Vec<_> = own.collect();
            let logs = own.iter().map(|log| ((), (*log).clone()));
            match belonging(dialog, name, logs) {
                Some(((), log)) => found.push((number, log)),
                None if own.iter().any(|log| group_of(log) == base(name)) => outgrown += 1,
                None => {}
            }
        }
        for (number, log) in found {
            attach(&mut dialogs[number].1, log);
        }
        outgrown
    }
}
