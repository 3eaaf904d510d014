//! The files that paths on the command line stand for.

use std::collections::HashSet;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf, is_separator};

use walkdir::{DirEntry, WalkDir};

use super::real_path::real_path;
use crate::lint::IGNORES_FILE;

/// Files in a folder that may hold dialogs. Their family is told by what is in them.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// A file, or why there is none.
#[derive(Debug)]
pub enum FoundPath {
    /// A file, and the folder it was found in if it was not named itself.
    File {
        path: PathBuf,
        below: Option<PathBuf>,
    },
    Problem {
        path: PathBuf,
        error: io::Error,
    },
}

impl FoundPath {
    pub fn path(&self) -> &Path {
        match self {
            Self::File { path, .. } | Self::Problem { path, .. } => path,
        }
    }
}

/// The files that `paths` stand for: a file itself, a folder every file in it and below that ends in
/// `.json`, `.jsonl` or `.ndjson`, in the order of their names, but for what says which problems are let
/// be. Hidden files and folders are passed over, links to folders are not followed. A file that is
/// reached in several ways counts once.
pub fn find_files(paths: &[PathBuf]) -> Vec<FoundPath> {
    let stand_for = |path: &PathBuf| {
        if path.is_dir() {
            below(path)
        } else {
            vec![(named(path), real_path(path))]
        }
    };
    let mut seen: HashSet<OsString> = HashSet::new();
    let mut found = Vec::new();
    for (file, real) in paths.iter().flat_map(stand_for) {
        if matches!(file, FoundPath::Problem { .. }) || seen.insert(real.into_os_string()) {
            found.push(file);
        }
    }
    found
}

/// The paths of those that are files.
pub fn files_of(found: &[FoundPath]) -> Vec<PathBuf> {
    let path = |found: &FoundPath| match found {
        FoundPath::File { path, .. } => Some(path.clone()),
        FoundPath::Problem { .. } => None,
    };
    found.iter().filter_map(path).collect()
}

fn named(path: &Path) -> FoundPath {
    FoundPath::File {
        path: path.to_owned(),
        below: None,
    }
}

/// The files in a folder and below, each with its absolute path with links followed.
fn below(folder: &Path) -> Vec<(FoundPath, PathBuf)> {
    let visible = |entry: &DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let entries = WalkDir::new(folder).into_iter().filter_entry(visible);
    let real = real_path(folder);
    let file = |entry| file_of(entry, folder, &real);
    let mut found: Vec<_> = entries.filter_map(file).collect();
    found.sort_by(|(one, _), (other, _)| names(one.path()).cmp(names(other.path())));
    if found.is_empty() {
        let error = io::Error::other("no .json, .jsonl or .ndjson file in this folder");
        let path = folder.to_owned();
        found.push((FoundPath::Problem { path, error }, real));
    }
    found
}

/// What the paths below one folder are sorted by: the names in them, as `Path` sorts, but without cutting
/// each path into its names.
fn names(path: &Path) -> impl Iterator<Item = u8> {
    let bytes = path.as_os_str().as_encoded_bytes().iter();
    bytes.map(|byte| {
        if is_separator(char::from(*byte)) {
            0
        } else {
            *byte
        }
    })
}

/// What an entry of a folder or below is, if it is wanted; `real` is the folder's path with links followed.
fn file_of(
    entry: walkdir::Result<DirEntry>,
    folder: &Path,
    real: &Path,
) -> Option<(FoundPath, PathBuf)> {
    match entry {
        Ok(entry) => {
            let path = entry.path();
            let ending = path.extension().and_then(|e| e.to_str());
            let ending = ending.unwrap_or_default();
            let wanted = ENDINGS.iter().any(|e| e.eq_ignore_ascii_case(ending));
            // What is written beside corpora is no corpus.
            let side = entry.file_name() == IGNORES_FILE;
            let is_link = entry.path_is_symlink();
            let is_folder = || entry.file_type().is_dir() || is_link && path.is_dir();
            if !wanted || side || is_folder() {
                return None;
            }
            // Between the folder and a file below it are no links.
            let below = path.strip_prefix(folder).ok().filter(|_| !is_link);
            let real = below.map_or_else(|| real_path(path), |below| real.join(below));
            let file = FoundPath::File {
                path: path.to_owned(),
                below: Some(folder.to_owned()),
            };
            Some((file, real))
        }
        Err(error) => {
            let path = error.path().unwrap_or(folder).to_owned();
            let error = error.into_io_error();
            let error = error.unwrap_or_else(|| io::Error::other("a loop of links"));
            let real = path.clone();
            Some((FoundPath::Problem { path, error }, real))
        }
    }
}
