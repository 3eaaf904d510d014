//! Finds logs that hold votes on dialogs of other files, in a folder next to each corpus, and gold labels
//! beside the logs.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::beside::files_in;
use super::journal::begun_in;
use super::paths::{RealPaths, folder_of, folder_part};
use crate::compare::CONFLICTS;
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::dialog::Dialog;
use crate::format::{GOLD_FOLDER, JUDGEMENTS_END, LABELS_END, LOG_END};
use crate::votes::group_by::group_of;
use crate::workspace::FoundLog;

/// True if a dialog is a log of votes on a dialog of another file: of the file that it names, in its folder or in the
/// folder above.
pub fn is_on_another_file(path: &Path, log: &Dialog) -> bool {
    let judged = group_of(log);
    let mut folders = path.ancestors().skip(1).take(2);
    !judged.is_empty()
        && folders.any(|folder| {
            let other = folder.join(judged);
            other != path && other.is_file()
        })
}

/// The logs beside corpus files, and where new ones go.
#[derive(Debug, PartialEq, Eq)]
pub struct FoundLogs {
    /// The folder of the logs for each file.
    pub folders: Vec<Arc<Path>>,
    /// The folder of the gold labels beside each file.
    pub gold: Vec<Arc<Path>>,
    /// The folder of the judgements beside each file.
    pub judgements: Vec<Arc<Path>>,
    pub logs: Vec<FoundLog>,
    /// Their display names and paths, except of those among the files; their numbers follow those of the files.
    pub files: Vec<(String, PathBuf)>,
}

/// Finds the logs in the folder `votes` next to each of `files` (display names and paths), and the
/// gold labels beside the logs.
pub fn find_logs(files: &[(String, PathBuf)], votes: &Path, state: Option<&Path>) -> FoundLogs {
    // Sets of folders, of which there are few beside the files.
    let (mut all, mut of_gold, mut of_judgements) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut real = RealPaths::default();
    let mut folders: Vec<Arc<Path>> = Vec::with_capacity(files.len());
    let mut gold: Vec<Arc<Path>> = Vec::with_capacity(files.len());
    let mut judgements: Vec<Arc<Path>> = Vec::with_capacity(files.len());
    // Files of one folder are adjacent.
    let are_beside = |one: &Path, other: &Path| folder_part(one) == folder_part(other);
    for of_folder in files.chunk_by(|(_, one), (_, other)| are_beside(one, other)) {
        let folder = of_folder[0].1.parent().unwrap_or(Path::new(""));
        let mut beside = |name: &Path, places: &mut Vec<Arc<Path>>| {
            // A link in its place is not followed: the files there must not leave the folder of the corpus.
            let path = folder.join(name);
            let beside = match path.file_name() {
                Some(name) => real.folder(folder_of(&path)).join(name),
                None => real.folder(&path).to_owned(),
            };
            let shared: Arc<Path> = Arc::from(beside.as_path());
            places.extend(of_folder.iter().map(|_| Arc::clone(&shared)));
            beside
        };
        let logs = beside(votes, &mut folders);
        of_gold.insert(logs.join(GOLD_FOLDER));
        all.insert(logs);
        of_gold.insert(beside(Path::new(GOLD_FOLDER), &mut gold));
        of_judgements.insert(beside(Path::new(JUDGEMENTS_FOLDER), &mut judgements));
    }
    let mut logs = Vec::new();
    let is_log = |path: &Path| {
        let in_folder = |folders: &BTreeSet<PathBuf>| {
            let folder = path.parent();
            folder.is_some_and(|folder| folders.contains(folder))
        };
        let name = path.to_string_lossy();
        name.ends_with(LOG_END) && in_folder(&all)
            || name.ends_with(LABELS_END) && in_folder(&of_gold)
            || name.ends_with(JUDGEMENTS_END)
                && !name.ends_with(CONFLICTS)
                && in_folder(&of_judgements)
    };
    let ends = |path: &Path| {
        let name = path.to_string_lossy();
        [LOG_END, LABELS_END, JUDGEMENTS_END].iter().any(|end| name.ends_with(end))
    };
    let everywhere: BTreeSet<&PathBuf> = all.iter().chain(&of_gold).chain(&of_judgements).collect();
    // Without such a folder no file needs to be looked at; there may be ten thousand of them.
    let is_any = everywhere.iter().any(|folder| folder.is_dir());
    let may_be_log = |(_, (_, path)): &(usize, &(String, PathBuf))| is_any && ends(path);
    for (file, (_, path)) in files.iter().enumerate().filter(may_be_log) {
        let place = real.of(path);
        if is_log(&place) {
            logs.push((file, place, false));
        }
    }
    let known: BTreeSet<PathBuf> = logs.iter().map(|(_, place, _)| place.clone()).collect();
    let there = everywhere
        .iter()
        .flat_map(|folder| files_in(folder, |path| is_log(path) && path.is_file()));
    let there: Vec<_> = there.filter(|path| !known.contains(path)).collect();
    let all: Vec<_> = everywhere.into_iter().cloned().collect();
    let begun = state.map_or_else(Vec::new, |state| begun_in(state, &all));
    let mut beside = Vec::new();
    let found = there.into_iter().map(|path| (path, false));
    for (place, new) in found.chain(begun.into_iter().map(|path| (path, true))) {
        let folder = place.parent().and_then(Path::file_name);
        let name = format!("{}/{}", shown(folder), shown(place.file_name()));
        logs.push((files.len() + beside.len(), place.clone(), new));
        beside.push((name, place));
    }
    let found = |(file, place, new)| FoundLog { file, place, new, named: file < files.len() };
    FoundLogs {
        folders,
        gold,
        judgements,
        logs: logs.into_iter().map(found).collect(),
        files: beside,
    }
}

fn shown(part: Option<&OsStr>) -> Cow<'_, str> {
    part.unwrap_or_default().to_string_lossy()
}
