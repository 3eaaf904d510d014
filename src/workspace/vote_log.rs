//! Vote logs: files with the votes, or the gold labels, on dialogs of other files.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::DialogId;
use super::files::OpenJudgements;
use crate::compare::CONFLICTS;
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::format::{GOLD_FOLDER, JUDGEMENTS_END, LABELS_END, LOG_END};
use crate::votes::VotesBy;
use crate::votes::vote_log::LogKeys;

/// A vote log: an open file with the votes on a dialog of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoteLog {
    pub place: PathBuf,
    /// It is not on disk yet.
    pub new: bool,
    /// True if it is a log of a dialog of an open corpus; false if it was opened only because it
    /// might be.
    pub linked: bool,
    /// The keys under which it may be found, once it is read.
    pub(crate) keys: Vec<String>,
    /// Its dialog, once known.
    pub(crate) of: Option<DialogId>,
    pub(crate) votes: VotesBy,
    /// True if its journal has the text with which it begins.
    pub(crate) journaled: bool,
}

/// A file in the folder for votes on a corpus.
#[derive(Debug, PartialEq, Eq)]
pub struct FoundLog {
    /// Its number among all files.
    pub file: usize,
    pub place: PathBuf,
    /// An earlier run created it in memory and ended before saving it.
    pub new: bool,
    /// The command line names it.
    pub named: bool,
}

/// All vote logs, and their places.
#[derive(Clone, Debug, Default)]
pub struct VoteLogs {
    /// The folder of logs for each corpus file.
    pub folders: Vec<Arc<Path>>,
    /// The files of logs by the keys under which they may be found.
    pub(crate) keys: LogKeys,
    /// Logs by their dialog, once known.
    pub(crate) of: HashMap<DialogId, Vec<u32>>,
    /// The paths of the logs in lower case: some file systems ignore case.
    pub(crate) places: HashSet<String>,
    /// The folder of gold labels for each corpus file.
    pub gold_folders: Vec<Arc<Path>>,
    /// Files of gold labels, by their folder and the id of their dialog.
    pub(crate) gold: HashMap<(PathBuf, String), u32>,
    /// The judgements of all annotators.
    pub judgements: OpenJudgements,
    /// The names by which logs refer to the open corpora; computed when first needed.
    pub(crate) groups: Option<HashSet<String>>,
}

impl VoteLogs {
    /// Files that hold votes on a dialog.
    pub fn of(&self, at: DialogId) -> impl Iterator<Item = usize> {
        let files = self.of.get(&at).into_iter().flatten();
        files.map(|file| *file as usize)
    }
}

impl VoteLog {
    /// True if it holds gold labels instead of votes.
    pub fn is_gold(&self) -> bool {
        OwnFile::Gold.is_at(&self.place)
    }

    /// True if it holds judgements.
    pub fn is_judgements(&self) -> bool {
        OwnFile::Judgements.is_at(&self.place)
    }

    /// Returns the log of a dialog of an open corpus that is not on disk yet.
    pub(crate) fn begun_at(place: PathBuf) -> Self {
        Self {
            place,
            new: true,
            linked: true,
            keys: Vec::new(),
            of: None,
            votes: VotesBy::default(),
            journaled: false,
        }
    }
}

/// The files that the program writes beside corpora.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnFile {
    Votes,
    Gold,
    Judgements,
}

/// The folder of vote logs beside a corpus, unless a setting names another one.
pub const VOTES_FOLDER: &str = "votes";

impl OwnFile {
    /// Returns the name of the folder that such files are in, and how their names end.
    pub fn folder_and_end(self) -> [&'static str; 2] {
        match self {
            Self::Votes => [VOTES_FOLDER, LOG_END],
            Self::Gold => [GOLD_FOLDER, LABELS_END],
            Self::Judgements => [JUDGEMENTS_FOLDER, JUDGEMENTS_END],
        }
    }

    /// Returns the kind of the file at a path, if it and its folder are named like one.
    pub fn at(path: &Path) -> Option<Self> {
        let name = path.file_name()?.as_encoded_bytes();
        let folder = path.parent()?.file_name()?;
        let mut all = [Self::Votes, Self::Gold, Self::Judgements].into_iter();
        let own = all.find(|own| {
            let [own_folder, end] = own.folder_and_end();
            folder == own_folder && name.ends_with(end.as_bytes())
        });
        own.filter(|_| !name.ends_with(CONFLICTS.as_bytes()))
    }

    pub fn is_at(self, path: &Path) -> bool {
        Self::at(path) == Some(self)
    }

    /// Returns the folder of the corpus that a file like this is beside; None for other files.
    pub fn corpus_folder(path: &Path) -> Option<&Path> {
        let folder = path.parent()?;
        match Self::at(path)? {
            // Gold labels of a corpus without votes are in the folder of its logs.
            Self::Gold if folder.parent()?.ends_with(VOTES_FOLDER) => folder.parent()?.parent(),
            _ => folder.parent(),
        }
    }
}
