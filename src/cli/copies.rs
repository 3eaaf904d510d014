//! Opens the copies of a corpus that are compared: files, or files as git has them.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::CommandOutcome;
use super::errors::{OrStop as _, complain, file_error, file_issues};
use super::options::{ExcludedOption, InputOptions};
use super::scan::unreadable;
use super::style::shown;
use crate::corpus::{Bytes, CorpusFile, explain};
use crate::format::Formats;
use crate::shell::{
    DiskFile, ExcludedHere, FoundPath, at_revision, files_at_revision, files_of, have_same_bytes,
    is_there, may_be_corpus, open_source, write_text,
};
use crate::workspace::OwnFile;

/// Copies of one file.
pub struct SameFile {
    /// In the order of the copies.
    pub paths: Vec<PathBuf>,
    /// The name in all folders, if folders are compared.
    pub name: Option<PathBuf>,
}

/// The files of one name in folders that are copies of each other.
pub struct NamedFile {
    /// The name below each folder.
    pub name: PathBuf,
    /// In the order of the folders; None in one that lacks it.
    pub paths: Vec<Option<PathBuf>>,
}

/// Returns the files to compare: the copies, or those of one name if they are folders. Reports files that a folder
/// lacks.
pub fn same_files(
    copies: &[PathBuf],
    input: &InputOptions,
    outcome: &mut CommandOutcome,
) -> Vec<SameFile> {
    let Some(named) = named_files(copies, input, outcome) else {
        return vec![SameFile { paths: copies.to_vec(), name: None }];
    };
    let mut files = Vec::new();
    for NamedFile { name, paths } in named {
        let found: Vec<_> = paths.iter().flatten().cloned().collect();
        if found.len() == copies.len() {
            files.push(SameFile { paths: found, name: Some(name) });
        } else {
            *outcome = (*outcome).max(CommandOutcome::Issues);
            let with = copies.iter().zip(&paths).filter(|(_, path)| path.is_some());
            let with: Vec<_> = with.map(|(folder, _)| shown(folder)).collect();
            complain(format_args!("only in {}: {}", with.join(", "), shown(&name)));
        }
    }
    files
}

/// Returns the files of the copies by their names, in order; None if not all copies are folders. Reports what cannot be
/// read below them.
pub fn named_files(
    copies: &[PathBuf],
    input: &InputOptions,
    outcome: &mut CommandOutcome,
) -> Option<Vec<NamedFile>> {
    let mut names = |folder: &PathBuf| -> Option<BTreeSet<PathBuf>> {
        if let Some(files) = files_in_git(folder) {
            return Some(files.into_iter().collect());
        }
        let found = folder.is_dir().then(|| input.find(std::slice::from_ref(folder)))?;
        for problem in &found {
            if let Some(error) = problem.error() {
                file_error(&problem.path, error);
                *outcome = CommandOutcome::Unusable;
            }
        }
        let found = files_of(&found);
        let names = found.iter().filter_map(|path| path.strip_prefix(folder).ok());
        Some(names.map(Path::to_owned).collect())
    };
    let by_folder = copies.iter().map(&mut names).collect::<Option<Vec<_>>>()?;
    let all: BTreeSet<_> = by_folder.iter().flatten().collect();
    let named = all.into_iter().map(|name| {
        let in_folders = copies.iter().zip(&by_folder);
        let path = |(folder, names): (&PathBuf, &BTreeSet<PathBuf>)| {
            names.contains(name).then(|| folder.join(name))
        };
        NamedFile { name: name.clone(), paths: in_folders.map(path).collect() }
    });
    Some(named.collect())
}

/// Opens a copy: a file on the disk, or else `REV:PATH`. Reports why that fails, or what of it cannot be read.
/// Computes its hash if it is to be saved.
pub fn open_copy(
    path: &Path,
    input: &InputOptions,
    hash: bool,
    outcome: &mut CommandOutcome,
) -> Option<CorpusFile> {
    let file = open_mergeable(path, input, hash, outcome)?;
    let read = explain::no_corpus(&file).map_or(Ok(file), Err);
    read.or_report(path, outcome)
}

/// As [`open_copy`]; it may be of a file of judgements.
pub fn open_mergeable(
    path: &Path,
    input: &InputOptions,
    hash: bool,
    outcome: &mut CommandOutcome,
) -> Option<CorpusFile> {
    let file = open_named(path, path, input, hash).or_report(path, outcome)?;
    let why = explain::no_corpus(&file).filter(|_| !file.holds_judgements());
    let file = why.map_or(Ok(file), Err).or_report(path, outcome)?;
    *outcome = (*outcome).max(file_issues(path, &unreadable(&file)));
    Some(file)
}

/// Opens the file from which copies come as [`open_mergeable`] does. One that is empty, or that its revision does not have,
/// has no dialogs: the copies were begun apart.
pub fn open_base(
    path: &Path,
    input: &InputOptions,
    outcome: &mut CommandOutcome,
) -> Option<CorpusFile> {
    let is_missing = match in_git(path) {
        Some((revision, file)) => at_revision(file, revision).is_ok_and(|found| found.is_none()),
        None => false,
    };
    if is_missing {
        return no_base(path, input);
    }
    match open_named(path, path, input, false) {
        Ok(file) if explain::is_empty(&file) => Some(file),
        _ => open_mergeable(path, input, false, outcome),
    }
}

/// Returns the base of copies of `name` that were begun apart: an empty file.
pub fn no_base(name: &Path, input: &InputOptions) -> Option<CorpusFile> {
    open_source(Vec::new(), &formats_of(name, input), false).ok()
}

/// Opens a copy of the file `name`, whose formats apply. An empty one may hold judgements that were withdrawn.
///
/// # Errors
/// If it cannot be read.
pub fn open_named(
    path: &Path,
    name: &Path,
    input: &InputOptions,
    hash: bool,
) -> io::Result<CorpusFile> {
    let formats = formats_of(name, input);
    let mut file = open_source(source_of(path)?, &formats, hash).map_err(io::Error::other)?;
    let name = in_git(name).map_or(name, |(_, name)| name);
    if file.source().is_empty() && OwnFile::Judgements.is_at(name) {
        file.become_judgements();
    }
    Ok(file)
}

/// Returns the dialogs of a copy that are excluded. Reports why that is not known.
pub fn excluded_in(
    path: &Path,
    input: &InputOptions,
    with: ExcludedOption,
    outcome: &mut CommandOutcome,
) -> ExcludedHere {
    let path = in_git(path).map_or(path, |(_, path)| path);
    let mut excluded = ExcludedHere::default();
    for found in input.find_included(&[path.to_owned()], with) {
        if let Some(error) = found.error() {
            file_error(&found.path, error);
            *outcome = CommandOutcome::Unusable;
        } else if found.is_file() {
            excluded = found.excluded;
        }
    }
    excluded
}

/// True if both are files on the disk with the same bytes.
pub fn are_equal(paths: [&Path; 2]) -> bool {
    if paths.iter().any(|path| in_git(path).is_some()) {
        return false;
    }
    have_same_bytes(paths)
}

/// A copy of a corpus on the disk.
pub struct CopyOnDisk {
    pub path: PathBuf,
    /// The copy of what Git has, removed in the end.
    _temporary: Option<TempDir>,
}

/// Returns a file or folder, or what Git has as `REV:PATH` with all that is beside it there.
///
/// # Errors
/// If Git cannot be run, does not know the revision, or has no such file in it.
pub fn on_disk(name: &Path) -> io::Result<CopyOnDisk> {
    let Some((revision, path)) = in_git(name) else {
        return Ok(CopyOnDisk { path: name.to_owned(), _temporary: None });
    };
    let folder = tempfile::tempdir()?;
    let base = path.file_name().unwrap_or("corpus".as_ref());
    let copy = folder.path().join(base);
    let files = files_at_revision(path, revision).filter(|files| !files.is_empty());
    let files = files.unwrap_or_else(|| vec![PathBuf::new()]);
    for file in files {
        // Of a file, there is nothing below it.
        let below = |whole: &Path| match file.file_name() {
            Some(_) => whole.join(&file),
            None => whole.to_owned(),
        };
        let (from, to) = (below(path), below(&copy));
        let found = at_revision(&from, revision)?;
        let none = || io::Error::other(format!("{revision} has no such file"));
        write_text(&to, &found.ok_or_else(none)?, &[], false).map_err(io::Error::other)?;
    }
    Ok(CopyOnDisk { path: copy, _temporary: Some(folder) })
}

/// The parts of `REV:PATH`, unless it is the path of a file on the disk.
fn in_git(name: &Path) -> Option<(&str, &Path)> {
    let (revision, path) = name.to_str()?.split_once(':')?;
    let is_named = !revision.is_empty() && !path.is_empty();
    (is_named && !is_there(name)).then_some((revision, Path::new(path)))
}

/// Returns the corpora in the folder that is named as `REV:PATH`; None if it is another copy.
fn files_in_git(name: &Path) -> Option<Vec<PathBuf>> {
    let (revision, folder) = in_git(name)?;
    let mut files = files_at_revision(folder, revision)?;
    files.retain(|file| may_be_corpus(file, file.iter().count() > 1));
    Some(files)
}

fn source_of(path: &Path) -> io::Result<Bytes> {
    let Some((revision, file)) = in_git(path) else {
        return Ok(DiskFile::open(path)?.into());
    };
    let found = at_revision(file, revision)?;
    let none = || io::Error::other(format!("{revision} has no such file"));
    Ok(found.ok_or_else(none)?.into())
}

/// Returns the formats that apply to a file, or to the one of this name where git has it.
fn formats_of(path: &Path, input: &InputOptions) -> Formats {
    let path = in_git(path).map_or(path, |(_, path)| path);
    let found = input.find(&[path.to_owned()]).into_iter();
    let mut files = found.filter(FoundPath::is_file);
    files.next().map(|file| file.formats).unwrap_or_default()
}
