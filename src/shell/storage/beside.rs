//! Finds files beside corpora and above them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::disk::is_there;
use super::paths::folder_of;

/// Returns the paths in a folder that are `wanted`, by name; none if it cannot be read. Hidden files are not wanted.
pub fn files_in(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let is_hidden = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    };
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.retain(|path| wanted(path) && !is_hidden(path));
    files.sort();
    files
}

/// True for a file with this extension.
pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|own| own == extension)
}

/// Returns the folders of files, each once; most files share one with others.
pub fn folders_of<'p>(files: impl Iterator<Item = &'p Path>) -> impl Iterator<Item = &'p Path> {
    let mut known = HashSet::new();
    files.map(folder_of).filter(move |folder| known.insert(*folder))
}

/// Returns the nearest file of one of these names in the folder of `path`, or in a folder above it, that `is_it`; of those
/// in one folder, the first name goes first. Links are followed, of a file that is not there those of its folder.
pub fn nearest(path: &Path, names: &[&str], is_it: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = path.canonicalize().or_else(|_| folder_of(path).canonicalize()).ok()?;
    let folders = path.ancestors().filter(|folder| folder.is_dir());
    let mut files = folders.flat_map(|folder| names.iter().map(|name| folder.join(name)));
    files.find(|file| is_there(file) && is_it(file))
}
