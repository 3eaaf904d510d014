//! Finds the files that paths on the command line refer to.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf, is_separator};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::compressed::Compression;
use super::formats::FormatFinder;
use super::ignores_file::{SideFileError, matched_path, read_side_files};
use super::judgement_files::{
    JudgementFiles, JudgementsHere, VOTES_FOLDER, VoteLogFolder, absolute_name,
};
use super::paths::{RealPaths, folder_of, folder_part, real_path};
use crate::compare::CONFLICTS;
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::format::{Formats, GOLD_FOLDER, JUDGEMENTS_END, LABELS_END, LOG_END};
use crate::judging::ASSIGNMENTS_FOLDER;
use crate::lint::{DialogPlace, IGNORES_FILE, Ignores};

/// Endings of files in a folder that may be corpora, besides those that descriptions name. Their format is detected
/// from the content.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// True if a file in a folder is read as a corpus, going by its name; `is_nested` in a folder of that.
pub fn may_be_corpus(path: &Path, is_nested: bool) -> bool {
    let is_hidden = |part: &OsStr| part.as_encoded_bytes().starts_with(b".");
    has_ending(path) && !is_beside_corpora(path, is_nested) && !path.iter().any(is_hidden)
}

fn has_ending(path: &Path) -> bool {
    let is_one = |ending: &OsStr| ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one));
    // Most have one; there may be ten thousand of them.
    if path.extension().is_some_and(is_one) {
        return true;
    }
    let of_packed = |stem: &OsStr| Path::new(stem).extension().is_some_and(is_one);
    match Compression::of_name(path) {
        Some(Compression::Eval) => true,
        Some(_) => path.file_stem().is_some_and(of_packed),
        None => false,
    }
}

/// Names of files without dialogs that programs keep beside the sessions of agents, and how others begin and end.
const SESSIONS_INDEX: &[u8] = b"sessions-index.json";
const AGENT: &[u8] = b"agent-";
const ABOUT_AGENT: &[u8] = b".meta.json";

/// True for the ignores file, for lists of assigned dialogs and of conflicts, and for what programs keep beside sessions,
/// which are not corpora.
fn is_beside_corpora(path: &Path, is_nested: bool) -> bool {
    let folder = folder_part(path);
    let is_list = is_nested && is_in(path, ASSIGNMENTS_FOLDER, "");
    let name = &path.as_os_str().as_encoded_bytes()[folder.len()..];
    // Claude Code keeps these beside its sessions.
    let is_about_sessions =
        name == SESSIONS_INDEX || name.starts_with(AGENT) && name.ends_with(ABOUT_AGENT);
    name == IGNORES_FILE.as_bytes()
        || is_list
        || is_about_sessions
        || name.ends_with(CONFLICTS.as_bytes())
}

/// True for a file in a folder of this name whose own name has this ending.
fn is_in(path: &Path, folder: &str, ending: &str) -> bool {
    let part = folder_part(path);
    let mut names = part.rsplit(|byte| is_separator(char::from(*byte)));
    let parent = names.find(|name| !name.is_empty());
    parent == Some(folder.as_bytes())
        && path.as_os_str().as_encoded_bytes().ends_with(ending.as_bytes())
}

/// Folders beside corpora, each with the ending of the files that the program writes into it.
const OWN_FILES: [(&str, &str); 3] =
    [(VOTES_FOLDER, LOG_END), (GOLD_FOLDER, LABELS_END), (JUDGEMENTS_FOLDER, JUDGEMENTS_END)];

/// A file, or the reason there is none.
#[derive(Debug)]
pub enum FoundPath {
    /// A file; `below` is the folder it was found in, unless it was named itself. `formats` are those that
    /// apply to it.
    File {
        path: PathBuf,
        below: Option<Arc<Path>>,
        formats: Formats,
        excluded: ExcludedHere,
        judgements: JudgementsHere,
    },
    /// Standard input. `name` is its path in messages and records; the `formats` of a file
    /// of that name apply.
    Stdin {
        name: PathBuf,
        formats: Formats,
        excluded: ExcludedHere,
        judgements: JudgementsHere,
    },
    Problem {
        path: PathBuf,
        error: io::Error,
    },
}

/// The dialogs of a file that are excluded.
#[derive(Clone, Debug, Default)]
pub struct ExcludedHere {
    /// None if no dialog is excluded in any file.
    ignores: Option<Arc<Ignores>>,
    /// The path of the file as ignores files match it.
    path: String,
}

impl ExcludedHere {
    /// True if the dialog with this id at `position` is excluded.
    pub fn has(&self, position: usize, id: &str) -> bool {
        let file = &self.path;
        self.ignores
            .as_ref()
            .is_some_and(|ignores| ignores.excluding(DialogPlace { file, position }, id).is_some())
    }
}

/// The path that means standard input.
pub const STDIN: &str = "-";

impl FoundPath {
    pub fn path(&self) -> &Path {
        match self {
            Self::File { path, .. } | Self::Problem { path, .. } => path,
            Self::Stdin { name, .. } => name,
        }
    }

    /// True for a file that the program writes beside corpora, such as a log of votes: not one itself, unless it or
    /// its folder is named.
    pub fn is_own(&self) -> bool {
        let Self::File { path, below: Some(below), .. } = self else {
            return false;
        };
        let is_one = OWN_FILES.iter().any(|(folder, ending)| is_in(path, folder, ending));
        is_one && path.parent() != Some(below)
    }

    /// Returns true for standard input.
    pub fn is_stdin(&self) -> bool {
        matches!(self, Self::Stdin { .. })
    }

    /// Returns the formats that apply to it.
    pub fn formats(&self) -> Formats {
        match self {
            Self::File { formats, .. } | Self::Stdin { formats, .. } => formats.clone(),
            Self::Problem { .. } => Formats::default(),
        }
    }

    /// Returns its excluded dialogs.
    pub fn excluded(&self) -> ExcludedHere {
        match self {
            Self::File { excluded, .. } | Self::Stdin { excluded, .. } => excluded.clone(),
            Self::Problem { .. } => ExcludedHere::default(),
        }
    }

    /// Returns its judgements, which are none unless they were read.
    pub fn judgements(&self) -> JudgementsHere {
        match self {
            Self::File { judgements, .. } | Self::Stdin { judgements, .. } => judgements.clone(),
            Self::Problem { .. } => JudgementsHere::default(),
        }
    }

    /// Returns true for a description of a format that cannot be used.
    pub fn is_description(&self) -> bool {
        let is_toml = |name: &str| name.contains(".toml");
        let is_problem = matches!(self, Self::Problem { .. });
        let name = self.path().file_name().and_then(|name| name.to_str());
        is_problem && name.is_some_and(is_toml)
    }
}

/// Returns the files of `paths`: a file itself; for a folder, every file in and below it that ends in
/// `.json`, `.jsonl` or `.ndjson` or has a name that a description gives, in order of name, except the ignores file and
/// lists of assigned dialogs and of conflicts. Skips hidden files and folders, and does not follow links to folders. A
/// file reached in several ways counts once. Descriptions
/// of formats that apply to these files and cannot be used are problems.
pub fn find_files(paths: &[PathBuf]) -> Vec<FoundPath> {
    find_files_of(paths, Path::new(STDIN), None)
}

/// As [`find_files`], without the files that the program writes beside corpora. Standard input, which the path `-` means,
/// is called `name`. If a `family` is named, all dialogs are of it; files to which no format of this name applies are
/// problems.
pub fn find_corpora(paths: &[PathBuf], name: &Path, family: Option<&str>) -> Vec<FoundPath> {
    let mut found = find_files_of(paths, name, family);
    leave_out_own(&mut found);
    found
}

/// Leaves out the files that the program writes beside corpora, unless there are no others.
pub fn leave_out_own(found: &mut Vec<FoundPath>) {
    if !found.iter().all(FoundPath::is_own) {
        found.retain(|file| !file.is_own());
    }
}

/// As [`find_corpora`], with the files that the program writes beside corpora.
pub fn find_files_of(paths: &[PathBuf], name: &Path, family: Option<&str>) -> Vec<FoundPath> {
    let mut finder = FormatFinder::of_family(family.map(str::to_owned));
    // With the real path of those that are not at their place below a folder.
    let found_under = |path: &PathBuf| {
        if path == Path::new(STDIN) {
            let stdin = FoundPath::Stdin {
                name: name.to_owned(),
                formats: Formats::default(),
                excluded: ExcludedHere::default(),
                judgements: JudgementsHere::default(),
            };
            vec![(stdin, Some(path.clone()))]
        } else if path.is_dir() {
            below(path, &mut finder)
        } else {
            vec![(named(path), Some(real_path(path)))]
        }
    };
    let mut all: Vec<_> = paths.iter().flat_map(found_under).collect();
    // Below one folder without links, none is there twice.
    if paths.len() > 1 || all.iter().any(|(_, real)| real.is_some()) {
        let (mut places, mut seen) = (RealPaths::default(), HashSet::new());
        all.retain_mut(|(file, real)| {
            let real = real.take().unwrap_or_else(|| {
                let path = file.path();
                let name = path.file_name().unwrap_or_default();
                places.folder(folder_of(path)).join(name)
            });
            matches!(file, FoundPath::Problem { .. }) || seen.insert(real.into_os_string())
        });
    }
    let mut found: Vec<_> = all.into_iter().map(|(file, _)| file).collect();
    // Those of one folder are in a row.
    let mut last: Option<(Vec<u8>, Formats)> = None;
    for file in &mut found {
        let (FoundPath::File { path, formats, .. } | FoundPath::Stdin { name: path, formats, .. }) =
            file
        else {
            continue;
        };
        let folder = folder_part(path);
        if let Some((_, own)) = last.as_ref().filter(|(last, _)| *last == folder) {
            *formats = own.clone();
            continue;
        }
        match finder.of_corpus(path) {
            Ok(own) => {
                last = Some((folder.to_owned(), own.clone()));
                *formats = own;
            }
            Err(error) => *file = FoundPath::Problem { path: path.clone(), error },
        }
    }
    let wrong = finder.wrong.into_iter();
    found.extend(wrong.map(|(path, error)| FoundPath::Problem { path, error }));
    found
}

/// Leaves out the dialogs that ignores files beside these files or above them exclude. An ignores file that
/// cannot be used is a problem.
pub fn leave_out_excluded(found: &mut Vec<FoundPath>) {
    let ignores = match read_side_files(files_of(found).iter().map(PathBuf::as_path)) {
        Ok(ignores) if ignores.excluded.is_empty() => return,
        Ok(ignores) => Arc::new(ignores),
        Err(SideFileError { path, why }) => {
            let error = io::Error::other(why);
            found.push(FoundPath::Problem { path, error });
            return;
        }
    };
    for file in found {
        let (FoundPath::File { path, excluded, .. }
        | FoundPath::Stdin { name: path, excluded, .. }) = file
        else {
            continue;
        };
        *excluded = ExcludedHere { ignores: Some(Arc::clone(&ignores)), path: matched_path(path) };
    }
}

/// Reads the judgements beside the files, once for each folder. Files of judgements that cannot be read are
/// problems. Returns those with lines that are not judgements, and how many there are; files that were `found`
/// themselves have both reported when they are opened.
pub fn read_judgements(found: &mut Vec<FoundPath>) -> Vec<(PathBuf, usize)> {
    let mut folders: HashMap<PathBuf, usize> = HashMap::new();
    let known: HashSet<PathBuf> = found.iter().map(|found| found.path().to_owned()).collect();
    let (mut all, mut problems) = (JudgementFiles::default(), Vec::new());
    for path in files_of(found) {
        let next = folders.len();
        let folder = folders.entry(folder_of(&path).join(JUDGEMENTS_FOLDER));
        let number = *folder.or_insert_with_key(|folder| {
            problems.extend(all.read(next, folder));
            next
        });
        all.store.add_corpus(number, absolute_name(&path));
    }
    let all = Arc::new(all);
    for file in found.iter_mut().filter(|_| !all.files.is_empty()) {
        if let FoundPath::File { path, judgements, .. }
        | FoundPath::Stdin { name: path, judgements, .. } = file
            && let Some(number) = folders.get(&folder_of(path).join(JUDGEMENTS_FOLDER))
        {
            judgements.add(Arc::clone(&all), *number, path);
        }
    }
    add_problems(found, problems);
    let mut broken = all.broken.clone();
    broken.retain(|(path, _)| !known.contains(path));
    broken.sort();
    broken
}

/// Reads the votes beside the files, once for each folder. The logs that hold them are not among the files then,
/// unless they were named. Files that are not logs are problems.
pub fn read_votes(found: &mut Vec<FoundPath>) {
    let mut folders: HashMap<PathBuf, Option<Arc<VoteLogFolder>>> = HashMap::new();
    let (mut logs, mut problems) = (HashSet::new(), Vec::new());
    for file in found.iter_mut() {
        let FoundPath::File { path, formats, judgements, .. } = file else {
            continue;
        };
        let folder = folders.entry(folder_of(path).join(VOTES_FOLDER));
        let folder = folder.or_insert_with_key(|folder| {
            let (folder, unreadable) = VoteLogFolder::read(folder);
            problems.extend(unreadable);
            folder.map(Arc::new)
        });
        if let Some(folder) = folder {
            let own = folder.about.iter();
            let own = own.filter(|(_, about)| path.ends_with(about));
            logs.extend(own.map(|(log, _)| log.clone()));
            logs.extend(folder.logs_of_renamed(path, formats));
            judgements.add_votes(Arc::clone(folder), path);
        }
    }
    add_problems(found, problems);
    found.retain(|file| {
        !matches!(file, FoundPath::File { below: Some(_), .. }) || !logs.contains(file.path())
    });
}

/// Adds files beside those that were `found`, each with the reason why it cannot be read. One that was found itself is
/// reported when it is opened.
fn add_problems(found: &mut Vec<FoundPath>, mut problems: Vec<(PathBuf, io::Error)>) {
    if !problems.is_empty() {
        let known: HashSet<PathBuf> = files_of(found).into_iter().collect();
        problems.retain(|(path, _)| !known.contains(path));
        let problem = |(path, error)| FoundPath::Problem { path, error };
        found.extend(problems.into_iter().map(problem));
    }
}

/// Returns the paths of the files among `found`, and the name of standard input if it is among them.
pub fn files_of(found: &[FoundPath]) -> Vec<PathBuf> {
    let path = |found: &FoundPath| match found {
        FoundPath::File { path, .. } | FoundPath::Stdin { name: path, .. } => Some(path.clone()),
        FoundPath::Problem { .. } => None,
    };
    found.iter().filter_map(path).collect()
}

fn named(path: &Path) -> FoundPath {
    FoundPath::File {
        path: path.to_owned(),
        below: None,
        formats: Formats::default(),
        excluded: ExcludedHere::default(),
        judgements: JudgementsHere::default(),
    }
}

/// Returns the files in and below a folder; links, each with its real path.
fn below(folder: &Path, finder: &mut FormatFinder) -> Vec<(FoundPath, Option<PathBuf>)> {
    let visible = |entry: &DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    // Those that are compared are in one folder, so their paths have the order of their names.
    let in_order =
        |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let entries = WalkDir::new(folder).sort_by(in_order).into_iter();
    let shared = Arc::from(folder);
    let file = |entry| file_of(entry, &shared, finder);
    let mut found: Vec<_> = entries.filter_entry(visible).filter_map(file).collect();
    if found.is_empty() {
        let error = io::Error::other("no .json, .jsonl or .ndjson file in this folder");
        let path = folder.to_owned();
        found.push((FoundPath::Problem { path, error }, None));
    }
    found
}

/// Checks whether an entry at or below a folder is wanted.
fn file_of(
    entry: walkdir::Result<DirEntry>,
    folder: &Arc<Path>,
    finder: &mut FormatFinder,
) -> Option<(FoundPath, Option<PathBuf>)> {
    match entry {
        Ok(entry) => {
            let path = entry.path();
            let wanted = has_ending(path);
            let is_nested = entry.depth() > 1;
            let side = is_beside_corpora(path, is_nested);
            let is_link = entry.path_is_symlink();
            let is_folder = || entry.file_type().is_dir() || is_link && path.is_dir();
            if side || is_folder() || !wanted && !finder.names(path) {
                return None;
            }
            // There are no links between the folder and a file below it.
            let real = is_link.then(|| real_path(path));
            let file = FoundPath::File {
                path: entry.into_path(),
                below: Some(Arc::clone(folder)),
                formats: Formats::default(),
                excluded: ExcludedHere::default(),
                judgements: JudgementsHere::default(),
            };
            Some((file, real))
        }
        Err(error) => {
            let path = error.path().map_or_else(|| folder.to_path_buf(), Path::to_owned);
            let error = error.into_io_error();
            let error = error.unwrap_or_else(|| io::Error::other("a loop of links"));
            Some((FoundPath::Problem { path, error }, None))
        }
    }
}
