//! Finds the files that paths on the command line refer to.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use walkdir::{DirEntry, WalkDir};

use super::compressed::Compression;
use super::formats::FormatFinder;
use super::ignores_file::{SideFileError, matched_path, read_side_files};
use super::judgement_files::{JudgementFiles, JudgementsHere, VoteLogFolder, absolute_name};
use super::paths::{RealPaths, folder_of, folder_part};
use crate::compare::CONFLICTS;
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::format::Formats;
use crate::judging::ASSIGNMENTS_FOLDER;
use crate::lint::{DialogPlace, IGNORES_FILE, Ignores};
use crate::workspace::{OwnFile, VOTES_FOLDER};

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
    let is_list =
        is_nested && path.parent().is_some_and(|folder| folder.ends_with(ASSIGNMENTS_FOLDER));
    let name = &path.as_os_str().as_encoded_bytes()[folder.len()..];
    // Claude Code keeps these beside its sessions.
    let is_about_sessions =
        name == SESSIONS_INDEX || name.starts_with(AGENT) && name.ends_with(ABOUT_AGENT);
    name == IGNORES_FILE.as_bytes()
        || is_list
        || is_about_sessions
        || name.ends_with(CONFLICTS.as_bytes())
}

/// A file, or the reason there is none.
#[derive(Debug)]
pub struct FoundPath {
    /// Its path; of standard input, that in messages and records.
    pub path: PathBuf,
    pub origin: Origin,
    /// Those that apply to it; for standard input, to a file of this path.
    pub formats: Formats,
    pub excluded: ExcludedHere,
    /// None, unless they were read.
    pub judgements: JudgementsHere,
}

/// How a file was found.
#[derive(Debug)]
pub enum Origin {
    /// It was named itself.
    Named,
    /// It is in or below this folder, which was named.
    Below(Arc<Path>),
    Stdin,
    /// There is no such file that can be read.
    Problem(io::Error),
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
    fn new(path: PathBuf, origin: Origin) -> Self {
        Self {
            path,
            origin,
            formats: Formats::default(),
            excluded: ExcludedHere::default(),
            judgements: JudgementsHere::default(),
        }
    }

    fn problem(path: PathBuf, error: io::Error) -> Self {
        Self::new(path, Origin::Problem(error))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the folder that it was found in, unless it was named itself.
    pub fn below(&self) -> Option<&Arc<Path>> {
        match &self.origin {
            Origin::Below(folder) => Some(folder),
            _ => None,
        }
    }

    /// Returns why there is no such file.
    pub fn error(&self) -> Option<&io::Error> {
        match &self.origin {
            Origin::Problem(error) => Some(error),
            _ => None,
        }
    }

    /// True for a file, and false for standard input.
    pub fn is_file(&self) -> bool {
        matches!(self.origin, Origin::Named | Origin::Below(_))
    }

    /// Returns true for standard input.
    pub fn is_stdin(&self) -> bool {
        matches!(self.origin, Origin::Stdin)
    }

    /// True for a file that the program writes beside corpora, such as a log of votes: not one itself, unless it or
    /// its folder is named.
    pub fn is_own(&self) -> bool {
        let below = self.below().filter(|_| OwnFile::at(&self.path).is_some());
        below.is_some_and(|below| self.path.parent() != Some(below))
    }

    /// Returns true for a description of a format that cannot be used.
    pub fn is_description(&self) -> bool {
        let name = self.path.file_name().and_then(|name| name.to_str());
        self.error().is_some() && name.is_some_and(|name| name.contains(".toml"))
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
    // Below one folder without links, none is there twice.
    let mut may_be_twice = paths.len() > 1;
    let found_under = |path: &PathBuf| {
        if path == Path::new(STDIN) {
            vec![FoundPath::new(name.to_owned(), Origin::Stdin)]
        } else if path.is_dir() {
            below(path, &mut finder, &mut may_be_twice)
        } else {
            vec![FoundPath::new(path.clone(), Origin::Named)]
        }
    };
    let mut found: Vec<_> = paths.iter().flat_map(found_under).collect();
    if may_be_twice {
        let (mut real, mut seen) = (RealPaths::default(), HashSet::new());
        found.retain(|file| {
            let place = if file.is_stdin() { STDIN.into() } else { real.of(&file.path) };
            file.error().is_some() || seen.insert(place)
        });
    }
    // Those of one folder are in a row.
    let mut last: Option<(Vec<u8>, Formats)> = None;
    for file in found.iter_mut().filter(|file| file.error().is_none()) {
        let folder = folder_part(&file.path);
        if let Some((_, own)) = last.as_ref().filter(|(last, _)| *last == folder) {
            file.formats = own.clone();
            continue;
        }
        match finder.of_corpus(&file.path) {
            Ok(own) => {
                last = Some((folder.to_owned(), own.clone()));
                file.formats = own;
            }
            Err(error) => file.origin = Origin::Problem(error),
        }
    }
    let wrong = finder.wrong.into_iter();
    found.extend(wrong.map(|(path, error)| FoundPath::problem(path, error)));
    found
}

/// Leaves out the dialogs that ignores files beside these files or above them exclude. An ignores file that
/// cannot be used is a problem.
pub fn leave_out_excluded(found: &mut Vec<FoundPath>) {
    let ignores = match read_side_files(files_of(found).iter().map(PathBuf::as_path)) {
        Ok(ignores) if ignores.excluded.is_empty() => return,
        Ok(ignores) => Arc::new(ignores),
        Err(SideFileError { path, why }) => {
            found.push(FoundPath::problem(path, io::Error::other(why)));
            return;
        }
    };
    for file in found.iter_mut().filter(|file| file.error().is_none()) {
        let (ignores, path) = (Some(Arc::clone(&ignores)), matched_path(&file.path));
        file.excluded = ExcludedHere { ignores, path };
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
        if file.error().is_none()
            && let Some(number) = folders.get(&folder_of(&file.path).join(JUDGEMENTS_FOLDER))
        {
            file.judgements.add(Arc::clone(&all), *number, &file.path);
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
    for file in found.iter_mut().filter(|file| file.is_file()) {
        let FoundPath { path, formats, judgements, .. } = file;
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
    found.retain(|file| file.below().is_none() || !logs.contains(&file.path));
}

/// Adds files beside those that were `found`, each with the reason why it cannot be read. One that was found itself is
/// reported when it is opened.
fn add_problems(found: &mut Vec<FoundPath>, mut problems: Vec<(PathBuf, io::Error)>) {
    if !problems.is_empty() {
        let known: HashSet<PathBuf> = files_of(found).into_iter().collect();
        problems.retain(|(path, _)| !known.contains(path));
        found.extend(problems.into_iter().map(|(path, error)| FoundPath::problem(path, error)));
    }
}

/// Returns the paths of the files among `found`, and the name of standard input if it is among them.
pub fn files_of(found: &[FoundPath]) -> Vec<PathBuf> {
    let is_read = found.iter().filter(|found| found.error().is_none());
    is_read.map(|found| found.path.clone()).collect()
}

/// The most entries of a folder that [`has_corpora`] reads.
const PROBED: usize = 10_000;

/// True if there are files in or below a folder that may be corpora, among its first entries.
pub fn has_corpora(folder: &Path) -> bool {
    let mut entries =
        WalkDir::new(folder).into_iter().filter_entry(is_visible).take(PROBED).flatten();
    entries.any(|entry| {
        let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
        entry.file_type().is_file() && may_be_corpus(path, entry.depth() > 1)
    })
}

/// True unless an entry is hidden.
fn is_visible(entry: &DirEntry) -> bool {
    entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
}

/// Returns the files in and below a folder. Sets `has_links` if some of them are links.
fn below(folder: &Path, finder: &mut FormatFinder, has_links: &mut bool) -> Vec<FoundPath> {
    // Those that are compared are in one folder, so their paths have the order of their names.
    let in_order =
        |one: &DirEntry, other: &DirEntry| one.path().as_os_str().cmp(other.path().as_os_str());
    let entries = WalkDir::new(folder).sort_by(in_order).into_iter();
    let shared = Arc::from(folder);
    let file = |entry| file_of(entry, &shared, finder, has_links);
    let mut found: Vec<_> = entries.filter_entry(is_visible).filter_map(file).collect();
    if found.is_empty() {
        let error = io::Error::other("no .json, .jsonl or .ndjson file in this folder");
        found.push(FoundPath::problem(folder.to_owned(), error));
    }
    found
}

/// Checks whether an entry at or below a folder is wanted.
fn file_of(
    entry: walkdir::Result<DirEntry>,
    folder: &Arc<Path>,
    finder: &mut FormatFinder,
    has_links: &mut bool,
) -> Option<FoundPath> {
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
            *has_links |= is_link;
            Some(FoundPath::new(entry.into_path(), Origin::Below(Arc::clone(folder))))
        }
        Err(error) => {
            let path = error.path().map_or_else(|| folder.to_path_buf(), Path::to_owned);
            let error = error.into_io_error();
            let error = error.unwrap_or_else(|| io::Error::other("links form a loop"));
            Some(FoundPath::problem(path, error))
        }
    }
}
