//! Votes and gold labels in other files than the dialogs they are about.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::files::{JobDialog, JobFile, JobFiles, See};
use crate::dialog::Dialog;
use crate::json::Parser;
use crate::query::{Prefilter, Query};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{
    attach, base, belonging, closeness, keys_for, keys_of, log_id, may_be_on, stem,
};
use crate::workspace::{Files, OpenFile, OpenJudgements, Snapshot};

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
struct LogOwners {
    /// The folder of the logs of each file.
    folders: HashMap<u32, Arc<Path>>,
    /// The names of all files.
    names: HashSet<String>,
}

impl LogOwners {
    fn may_own(&self, file: &JobFile, log: &LoggedDialog) -> bool {
        let folder = self.folders.get(&file.number);
        folder.is_none_or(|folder| **folder == *log.folder)
            && may_be_on(file.base(), &log.dialog, |name| self.names.contains(name))
    }
}

/// The votes and gold labels that were read.
pub struct Judgements<'s> {
    scope: &'s JudgementScope,
    logs: Logs,
    /// The gold labels, by folder and id of the dialog.
    gold: HashMap<(&'s Path, String), Dialog>,
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
    pub fn read(&self) -> Judgements<'_> {
        let mut buffer = Vec::new();
        let mut read = |snapshot: &Snapshot, position| {
            snapshot.read(position, &mut buffer).ok()?;
            let mut parser = Parser::new();
            let tree = parser.parse_piece(&buffer).ok()?;
            Some(snapshot.format.of(tree.root()).read(tree).0)
        };
        let mut logs = Logs::new();
        for (folder, snapshot) in &self.logs {
            for dialog in (0..snapshot.pieces.len()).filter_map(|at| read(snapshot, at)) {
                let keys = keys_of(&dialog.id, group_of(&dialog));
                let folder = folder.clone();
                let logged = Arc::new(LoggedDialog { folder, dialog });
                for key in keys {
                    logs.entry(key).or_default().push(logged.clone());
                }
            }
        }
        let labels = self.gold.iter().filter_map(|(folder, snapshot)| {
            let labels = read(snapshot, 0)?;
            Some(((folder.as_path(), labels.id.clone()), labels))
        });
        let gold = labels.collect();
        Judgements { scope: self, logs, gold }
    }
}

impl Judgements<'_> {
    /// Passes each dialog of a file to `see`, with its votes and gold labels; those with votes in logs come last. Returns
    /// the number of dialogs that were edited since they were logged; their votes are not added.
    pub fn each(
        &self,
        files: &JobFiles,
        file: &JobFile,
        query: Option<&Query>,
        see: See<'_>,
    ) -> ControlFlow<(), usize> {
        // Dialogs that may have votes in logs; matching waits until all are read.
        let mut logged = Vec::new();
        let mut buffer = Vec::new();
        for position in file.positions() {
            let at = file.at(position);
            let Some(mut read) = files.read(file, position, query, None, &mut buffer) else {
                see(at, None)?;
                continue;
            };
            let dialog = &mut read.dialog;
            let stem = stem(&file.name);
            let id = log_id(dialog, stem, position).into_owned();
            if let Some(folder) = self.scope.gold_folders.get(&file.number)
                && let Some(labels) = self.gold.get(&(folder.as_path(), id))
            {
                dialog.attach_gold(labels);
            }
            self.scope.judgements.add(at, file.base(), dialog);
            self.scope.judgements.leave_out(dialog);
            let may_have_log = !file.snapshot.format.usual.has_votes()
                && keys_for(&dialog.id, stem, position)
                    .any(|key| self.logs.contains_key(key.as_ref()));
            if may_have_log {
                logged.push(read);
            } else {
                see(at, Some(read))?;
            }
        }
        let outgrown = self.add_votes(&mut logged, file);
        logged.into_iter().try_for_each(|read| see(read.at, Some(read)))?;
        ControlFlow::Continue(outgrown)
    }

    /// Adds the votes in logs to the dialogs of a file. Returns the number of dialogs that
    /// were edited since they were logged; their votes are not shown.
    fn add_votes(&self, dialogs: &mut [JobDialog<'_>], file: &JobFile) -> usize {
        let mut found = Vec::new();
        let mut outgrown = 0;
        let mut with_id: HashMap<&str, Vec<&JobDialog<'_>>> = HashMap::new();
        for read in dialogs.iter() {
            with_id.entry(&read.dialog.id).or_default().push(read);
        }
        for (number, JobDialog { at, dialog, .. }) in dialogs.iter().enumerate() {
            let keys = keys_for(&dialog.id, stem(&file.name), at.dialog as usize);
            let own = keys.filter_map(|key| self.logs.get(key.as_ref()));
            let own = own.flatten().filter(|log| self.scope.owners.may_own(file, log));
            let own = own.map(|log| &log.dialog);
            let with_same_id = || {
                let all = with_id[dialog.id.as_str()].iter();
                all.filter(|other| other.at != *at)
            };
            // A log that is closer to another dialog with the same id belongs to that one.
            let own = own.filter(|log| {
                let close = closeness(dialog, log);
                !with_same_id().any(|other| closeness(&other.dialog, log) > close)
            });
            let own: Vec<_> = own.collect();
            let logs = own.iter().map(|log| ((), (*log).clone()));
            match belonging(dialog, &file.name, logs) {
                Some(((), log)) => found.push((number, log)),
                None if own.iter().any(|log| group_of(log) == file.base()) => outgrown += 1,
                None => {}
            }
        }
        for (number, log) in found {
            let dialog = &mut dialogs[number].dialog;
            attach(dialog, log);
            self.scope.judgements.leave_out(dialog);
        }
        outgrown
    }
}
