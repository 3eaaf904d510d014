//! Reads the files of judgements beside corpora: those in the folder `judgements` next to each corpus file.

use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::disk::read_side_file;
use crate::compare::CONFLICTS;
use crate::corpus::{JUDGEMENTS_FOLDER, JudgementLines, JudgementMet, JudgementStore};
use crate::dialog::Dialog;
use crate::votes::vote_log::{log_id, stem};

/// The ending of its files.
const ENDING: &str = "jsonl";
/// The largest file of judgements that is read, in bytes.
pub const LARGEST_JUDGEMENTS: u64 = 256 << 20;

/// The judgements of the dialogs of a folder.
#[derive(Debug, Default)]
pub struct JudgementFolder {
    pub store: JudgementStore,
    /// Its files, in the order of their names.
    pub files: Vec<PathBuf>,
    /// The numbers of lines of files that are not judgements; files without any are left out.
    pub broken: Vec<(PathBuf, usize)>,
}

/// The judgements of the dialogs of a file.
#[derive(Clone, Debug, Default)]
pub struct JudgementsHere {
    /// None if they were not read, or there are none.
    pub folder: Option<Arc<JudgementFolder>>,
    /// The absolute path of the file.
    path: String,
}

impl JudgementsHere {
    /// Returns those of the file at `path` among the judgements of its folder.
    pub fn of(folder: Arc<JudgementFolder>, path: &Path) -> Self {
        Self {
            folder: Some(folder),
            path: absolute(path)
                .unwrap_or_else(|_| path.to_owned())
                .display()
                .to_string(),
        }
    }

    /// Attaches its judgements to the dialog at `position`; returns those that belong to it.
    pub fn attach(&self, dialog: &mut Dialog, position: usize) -> Vec<JudgementMet> {
        match &self.folder {
            Some(folder) => {
                let id = log_id(dialog, stem(&self.path), position).into_owned();
                folder.store.attach(dialog, &self.path, &id)
            }
            None => Vec::new(),
        }
    }
}

/// True if a file is in the place of files of judgements, and no list of conflicts in one.
pub fn is_judgements_file(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|folder| folder == JUDGEMENTS_FOLDER)
        && !path.to_string_lossy().ends_with(CONFLICTS)
        && path.extension().is_some_and(|ending| ending == ENDING)
}

impl JudgementFolder {
    /// Reads the files of a folder; None if there are none. Returns those that cannot be read, too, and why.
    pub fn read(folder: &Path) -> Option<(Self, Vec<(PathBuf, io::Error)>)> {
        let entries = folder.read_dir().ok()?.flatten();
        let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
        let is_hidden = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            name.as_encoded_bytes().starts_with(b".")
        };
        files.retain(|path| is_judgements_file(path) && !is_hidden(path) && !path.is_dir());
        files.sort();
        let (mut read, mut unreadable) = (Self::default(), Vec::new());
        for (number, path) in files.iter().enumerate() {
            let lines = match read_side_file(path, LARGEST_JUDGEMENTS) {
                Ok(text) => JudgementLines::read(&text),
                Err(error) => {
                    unreadable.push((path.clone(), error));
                    continue;
                }
            };
            if !lines.broken.is_empty() {
                read.broken.push((path.clone(), lines.broken.len()));
            }
            read.store.add(number, lines);
        }
        read.files = files;
        (!read.files.is_empty()).then_some((read, unreadable))
    }
}
