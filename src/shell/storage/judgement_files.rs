//! Reads the files of judgements beside corpora: those in the folder `judgements` next to each corpus file, and logs of
//! votes in the folder `votes`.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;

use super::beside::files_in;
use super::disk::read_side_file;
use super::open::{OpenedFile, open};
use crate::corpus::{JudgementLines, JudgementMet, JudgementStore, explain};
use crate::dialog::Dialog;
use crate::format::{Formats, LOG_END};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{
    LogKeys, attach, belonging, keys_for, keys_of, log_id, may_be_on, stem,
};
use crate::workspace::OwnFile;

/// The largest file of judgements that is read, in bytes.
pub const LARGEST_JUDGEMENTS: u64 = 256 << 20;

/// The judgements beside some corpora.
#[derive(Debug, Default)]
pub struct JudgementFiles {
    pub store: JudgementStore,
    /// Their files, by folder and name.
    pub files: Vec<PathBuf>,
    /// The numbers of lines of files that are not judgements; files without any are left out.
    pub broken: Vec<(PathBuf, usize)>,
}

/// The judgements of the dialogs of a file.
#[derive(Clone, Debug, Default)]
pub struct JudgementsHere {
    /// Those of all files that were found; None if they were not read, or there are none.
    pub all: Option<Arc<JudgementFiles>>,
    /// The number of its folder there.
    folder: usize,
    /// The logs of votes; None if they were not read, or there are none.
    logs: Option<Arc<VoteLogFolder>>,
    /// The absolute path of the file.
    path: String,
}

impl JudgementsHere {
    /// Adds those of the file at `path` among `all`; its folder has this number there.
    pub fn add(&mut self, all: Arc<JudgementFiles>, folder: usize, path: &Path) {
        (self.all, self.folder) = (Some(all), folder);
        self.path = absolute_name(path);
    }

    /// Adds those of the file at `path` among the votes of its folder.
    pub fn add_votes(&mut self, logs: Arc<VoteLogFolder>, path: &Path) {
        self.logs = Some(logs);
        self.path = absolute_name(path);
    }

    /// Attaches its judgements and votes to the dialog at `position`; returns the judgements that belong to it.
    pub fn attach(&self, dialog: &mut Dialog, position: usize) -> Vec<JudgementMet> {
        if let Some(logs) = &self.logs {
            logs.attach(dialog, &self.path, position);
        }
        match &self.all {
            Some(all) => {
                let id = log_id(dialog, stem(&self.path), position).into_owned();
                all.store.attach(dialog, self.folder, &self.path, &id)
            }
            None => Vec::new(),
        }
    }
}

/// Returns the absolute path of a file.
pub fn absolute_name(path: &Path) -> String {
    let absolute = absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
}

/// The logs of votes on the dialogs of a folder.
#[derive(Debug)]
pub struct VoteLogFolder {
    /// Their dialogs, each with its number in `about`.
    logs: Vec<Dialog>,
    /// Their numbers by the keys under which they may be found.
    keys: LogKeys,
    /// The names of files that they are about, as far as these files are there.
    there: HashSet<String>,
    /// The folder of these files.
    corpora: PathBuf,
    /// The ids of the dialogs of those that were asked for; None for one that cannot be read.
    ids: Mutex<HashMap<String, Option<HashSet<String>>>>,
    /// The files with votes on a dialog of a file, and the name of that.
    pub about: Vec<(PathBuf, String)>,
}

impl VoteLogFolder {
    /// Reads the logs in a folder; None if there are none. Returns the files that are not logs, too, and why.
    pub fn read(folder: &Path) -> (Option<Self>, Vec<(PathBuf, io::Error)>) {
        let paths = files_in(folder, |path| path.to_string_lossy().ends_with(LOG_END));
        let (mut logs, mut keys) = (Vec::new(), LogKeys::default());
        let (mut about, mut unreadable) = (Vec::new(), Vec::new());
        let mut dialogs: HashMap<_, PathBuf> = HashMap::new();
        for path in paths {
            let opened = open(&path, &Formats::default(), false);
            let read = opened.map_err(|error| error.to_string());
            match read.and_then(|opened| explain::dialog(&opened.file, 0)) {
                Ok(log) => {
                    let dialog = (log.id.clone(), group_of(&log).to_owned());
                    if let Some(first) = dialogs.get(&dialog) {
                        unreadable.push((path, second_log(first)));
                        continue;
                    }
                    dialogs.insert(dialog, path.clone());
                    keys.add(keys_of(&log.id, group_of(&log)), logs.len() as u32);
                    about.push((path, group_of(&log).to_owned()));
                    logs.push(log);
                }
                Err(why) => unreadable.push((path, io::Error::other(why))),
            }
        }
        let corpora = folder.parent().unwrap_or(Path::new(""));
        let names: HashSet<String> = about.iter().map(|(_, name)| name.clone()).collect();
        let is_there = |name: &String| !name.is_empty() && corpora.join(name).is_file();
        let there = names.into_iter().filter(is_there).collect();
        let corpora = corpora.to_owned();
        let read = Self { logs, keys, there, corpora, ids: Mutex::default(), about };
        ((!read.logs.is_empty()).then_some(read), unreadable)
    }

    /// Attaches the votes on a dialog without votes, which is at this position in the file `name`.
    fn attach(&self, dialog: &mut Dialog, name: &str, position: usize) {
        if dialog.turns.iter().all(|turn| turn.votes.is_empty())
            && let Some((_, log)) = self.log_of(dialog, name, position)
        {
            attach(dialog, log);
        }
    }

    /// Returns the log of a dialog, and its number in `about`.
    fn log_of(&self, dialog: &Dialog, name: &str, position: usize) -> Option<(usize, Dialog)> {
        let numbers = self.keys.under(dialog, name, position).map(|number| number as usize);
        let logs = numbers.map(|number| (number, &self.logs[number]));
        let own = logs.filter(|(_, log)| {
            let is_there =
                |other: &str| self.there.contains(other) && self.may_have(other, &log.id);
            may_be_on(name, log, is_there)
        });
        let own = own.map(|(number, log)| (number, log.clone()));
        belonging(dialog, name, own)
    }

    /// True unless a file that was read has no dialog with this id: another one may have got its name.
    fn may_have(&self, name: &str, id: &str) -> bool {
        let mut all = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        let ids = all.entry(name.to_owned()).or_insert_with(|| ids_in(&self.corpora.join(name)));
        ids.as_ref().is_none_or(|ids| ids.contains(id))
    }

    /// Returns the logs of dialogs of the file at `path`, which had another name when it was judged.
    pub fn logs_of_renamed(&self, path: &Path, formats: &Formats) -> Vec<PathBuf> {
        let is_lost = |log: usize| {
            let (_, name) = &self.about[log];
            !name.is_empty() && !self.there.contains(name)
        };
        let lost: HashSet<&str> = self.keys.keys(|log| is_lost(log as usize)).collect();
        let opened = (!lost.is_empty()).then(|| open(path, formats, false).ok());
        let Some(OpenedFile { file, .. }) = opened.flatten() else {
            return Vec::new();
        };
        let name = absolute_name(path);
        let of_dialog = |position: usize| {
            // Few dialogs have the id of a lost log in their text, or its place.
            let text = file.bytes(position).ok()?;
            let has = |key: &&str| memmem::find(&text, key.as_bytes()).is_some();
            let mut places = keys_for("", "", position);
            if !places.any(|key| lost.contains(key.as_ref())) && !lost.iter().any(has) {
                return None;
            }
            let dialog = file.dialog_at(position)?;
            let (log, _) = self.log_of(&dialog, &name, position)?;
            is_lost(log).then(|| self.about[log].0.clone())
        };
        (0..file.index().pieces.len()).filter_map(of_dialog).collect()
    }
}

/// Why a log is not read whose dialog has another one, such as a copy that a program has made to settle a conflict.
fn second_log(first: &Path) -> io::Error {
    let name = first.file_name().unwrap_or_default().display();
    io::Error::other(format!(
        "is a second log of the dialog in `{name}`, so turnwise does not read it; merge it into that log"
    ))
}

/// Returns the ids under which the dialogs of a file are judged; None if it cannot be read without descriptions of the user.
fn ids_in(path: &Path) -> Option<HashSet<String>> {
    let file = open(path, &Formats::default(), false).ok()?.file;
    file.format()?;
    let name = absolute_name(path);
    let all = 0..file.index().pieces.len();
    let ids = all.filter_map(|position| {
        let dialog = file.dialog_at(position)?;
        Some(log_id(&dialog, stem(&name), position).into_owned())
    });
    Some(ids.collect())
}

impl JudgementFiles {
    /// Adds the files of the folder with this number. Returns those that cannot be read, and why.
    pub fn read(&mut self, number: usize, folder: &Path) -> Vec<(PathBuf, io::Error)> {
        let files = files_in(folder, |path| OwnFile::Judgements.is_at(path) && !path.is_dir());
        let mut unreadable = Vec::new();
        for path in files {
            match read_side_file(&path, LARGEST_JUDGEMENTS).map(|text| JudgementLines::read(&text))
            {
                Ok(lines) => {
                    if !lines.broken.is_empty() {
                        self.broken.push((path.clone(), lines.broken.len()));
                    }
                    self.store.add(self.files.len(), number, lines);
                }
                Err(error) => unreadable.push((path.clone(), error)),
            }
            self.files.push(path);
        }
        unreadable
    }
}
