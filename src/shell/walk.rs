//! The files that paths on the command line stand for.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::real_path::RealPaths;
use crate::lint::IGNORES_FILE;

/// Files in a folder that may hold dialogs. Their family is told by what is in them.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// A file, or why there is none.
#[derive(Debug)]
pub enum Found {
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

/// The files that `paths` stand for: a file itself, a folder every file in it and below that ends in
/// `.json`, `.jsonl` or `.ndjson`, in the order of their names, but for what says which problems are let
/// be. Hidden files and folders are passed over, links to folders are not followed. A file that is
/// reached in several ways counts once.
pub fn find_files(paths: &[PathBuf]) -> Vec<Found> {
    let stand_for = |path: &PathBuf| {
        if path.is_dir() {
            below(path)
        } else {
            vec![named(path)]
        }
    };
    let (mut seen, mut real) = (HashSet::new(), RealPaths::default());
    let mut found: Vec<_> = paths.iter().flat_map(stand_for).collect();
    found.retain(|found| match found {
        Found::File { path, .. } => seen.insert(real.of(path)),
        Found::Problem { .. } => true,
    });
    found
}

/// The paths of those that are files.
pub fn files_of(found: &[Found]) -> Vec<PathBuf> {
    let path = |found: &Found| match found {
        Found::File { path, .. } => Some(path.clone()),
        Found::Problem { .. } => None,
    };
    found.iter().filter_map(path).collect()
}

fn named(path: &Path) -> Found {
    Found::File {
        path: path.to_owned(),
        below: None,
    }
}

fn below(folder: &Path) -> Vec<Found> {
    let visible = |entry: &DirEntry| {
        entry.depth() == 0 || !entry.file_name().to_string_lossy().starts_with('.')
    };
    let entries = WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .filter_entry(visible);
    let mut found: Vec<_> = entries.filter_map(|entry| file_of(entry, folder)).collect();
    if found.is_empty() {
        let error = io::Error::other("no .json, .jsonl or .ndjson file in this folder");
        found.push(Found::Problem {
            path: folder.to_owned(),
            error,
        });
    }
    found
}

fn file_of(entry: walkdir::Result<DirEntry>, folder: &Path) -> Option<Found> {
    match entry {
        Ok(entry) => {
            let ending = entry
                .path()
                .extension()
                .and_then(|e| e.to_str())
                .unwrap_or_default();
            let wanted = ENDINGS.iter().any(|e| e.eq_ignore_ascii_case(ending));
            let folder = Some(folder.to_owned());
            let file = || Found::File {
                path: entry.path().to_owned(),
                below: folder,
            };
            // What is written beside corpora is no corpus.
            let side = entry.file_name() == IGNORES_FILE;
            let is_folder = || {
                if entry.path_is_symlink() {
                    entry.path().is_dir()
                } else {
                    entry.file_type().is_dir()
                }
            };
            (wanted && !side && !is_folder()).then(file)
        }
        Err(error) => {
            let path = error.path().unwrap_or(folder).to_owned();
            let error = error.into_io_error();
            let error = error.unwrap_or_else(|| io::Error::other("a loop of links"));
            Some(Found::Problem { path, error })
        }
    }
}
