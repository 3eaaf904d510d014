//! Locks files for the program, which asks before each edit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::corpus::{Bytes, Index};
use crate::shell::runtime::loading::Reading;
use crate::shell::runtime::save_job;
use crate::shell::storage::edit_lock::FileLocks;
use crate::workspace::{EditLocks, Files, LockOutcome, OpenFile};

/// The locks of the files that are browsed, and what is shared to read these again.
pub struct Locks {
    pub locks: Arc<FileLocks>,
    /// The files that were there at the start.
    pub paths: Arc<[PathBuf]>,
    pub reading: Reading,
}

impl EditLocks for Locks {
    fn hold(&self, files: &Files, file: usize) -> LockOutcome {
        let beside = |path: &Path| corpora_of(files, &self.paths, path).next();
        self.locks.hold(file, files.later_path(file), files.begun_hash(file), &beside)
    }

    fn release(&self, file: usize) {
        self.locks.release(file);
    }

    fn read_again(&self, files: &Files, file: usize) -> Result<(Bytes, Index), String> {
        let path = path_of(files, &self.paths, file).ok_or("the file has no path")?;
        let corpus = files.get(file).and_then(OpenFile::corpus);
        let formats = corpus.map(|corpus| corpus.index().formats.clone()).unwrap_or_default();
        save_job::read_again(file, &path, &formats, &self.reading)
    }
}

/// Returns the paths of the corpora whose votes, gold labels or judgements go into the folder of the file at `path`.
pub fn corpora_of<'f>(
    files: &'f Files,
    paths: &'f [PathBuf],
    path: &'f Path,
) -> impl Iterator<Item = PathBuf> + 'f {
    let corpora = files.corpora_beside(path).filter_map(|file| path_of(files, paths, file));
    corpora.filter(move |other| other != path && other.exists())
}

/// Returns the path of a file that was opened, `paths` if it was there at the start.
pub fn path_of(files: &Files, paths: &[PathBuf], file: usize) -> Option<PathBuf> {
    let later = || files.later_path(file).map(Path::to_owned);
    paths.get(file).cloned().or_else(later)
}
