//! Finds logs that hold votes on dialogs of other files, in a folder next to each corpus, and gold labels
//! beside the logs.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::beside::files_in;
use super::journal::begun_in;
use super::paths::{RealPaths, folder_of, folder_part};
use crate::compare::CONFLICTS;
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::dialog::Dialog;
use crate::format::GOLD_FOLDER;
use crate::votes::group_by::group_of;
use crate::workspace::{FoundLog, OwnFile};

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
    // What the files in each folder are; there are few such folders beside the files.
    let mut kinds: BTreeMap<PathBuf, OwnFile> = BTreeMap::new();
    let mut places: [Vec<Arc<Path>>; 3] = Default::default();
    let mut real = RealPaths::default();
    let own = [
        (votes, OwnFile::Votes),
        (Path::new(GOLD_FOLDER), OwnFile::Gold),
        (Path::new(JUDGEMENTS_FOLDER), OwnFile::Judgements),
    ];
    // Files of one folder are adjacent.
    let are_beside = |one: &Path, other: &Path| folder_part(one) == folder_part(other);
    for of_folder in files.chunk_by(|(_, one), (_, other)| are_beside(one, other)) {
        let folder = of_folder[0].1.parent().unwrap_or(Path::new(""));
        for ((name, kind), places) in own.into_iter().zip(&mut places) {
            // A link in its place is not followed: the files there must not leave the folder of the corpus.
            let path = folder.join(name);
            let beside = match path.file_name() {
                Some(name) => real.folder(folder_of(&path)).join(name),
                None => real.folder(&path).to_owned(),
            };
            let shared: Arc<Path> = Arc::from(beside.as_path());
            places.extend(of_folder.iter().map(|_| Arc::clone(&shared)));
            if kind == OwnFile::Votes {
                kinds.insert(beside.join(GOLD_FOLDER), OwnFile::Gold);
            }
            kinds.insert(beside, kind);
        }
    }
    let has_end = |path: &Path, kind: OwnFile| {
        let [_, end] = kind.folder_and_end();
        let name = path.to_string_lossy();
        name.ends_with(end) && !name.ends_with(CONFLICTS)
    };
    let is_log = |path: &Path| {
        let kind = path.parent().and_then(|folder| kinds.get(folder));
        kind.is_some_and(|kind| has_end(path, *kind))
    };
    // Without such a folder no file needs to be looked at; there may be ten thousand of them.
    let is_any = kinds.keys().any(|folder| folder.is_dir());
    let may_be_log = |path: &Path| is_any && own.iter().any(|(_, kind)| has_end(path, *kind));
    let mut logs = Vec::new();
    for (file, (_, path)) in files.iter().enumerate().filter(|(_, (_, path))| may_be_log(path)) {
        let place = real.of(path);
        if is_log(&place) {
            logs.push((file, place, false));
        }
    }
    let known: BTreeSet<PathBuf> = logs.iter().map(|(_, place, _)| place.clone()).collect();
    let there =
        kinds.keys().flat_map(|folder| files_in(folder, |path| is_log(path) && path.is_file()));
    let found = there.filter(|path| !known.contains(path)).map(|path| (path, false));
    let folders: Vec<_> = kinds.keys().cloned().collect();
    let begun = state.map_or_else(Vec::new, |state| begun_in(state, &folders));
    let mut beside = Vec::new();
    for (place, new) in found.chain(begun.into_iter().map(|path| (path, true))) {
        let folder = place.parent().and_then(Path::file_name);
        let name = format!("{}/{}", shown(folder), shown(place.file_name()));
        logs.push((files.len() + beside.len(), place.clone(), new));
        beside.push((name, place));
    }
    let found = |(file, place, new)| FoundLog { file, place, new, named: file < files.len() };
    let logs = logs.into_iter().map(found).collect();
    let [folders, gold, judgements] = places;
    FoundLogs { folders, gold, judgements, logs, files: beside }
}

fn shown(part: Option<&OsStr>) -> Cow<'_, str> {
    part.unwrap_or_default().to_string_lossy()
}
