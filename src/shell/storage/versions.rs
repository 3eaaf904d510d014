//! The versions of a file that Git has.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::fs::folder_of;
use super::open::open_source;
use super::revision::{git_blob, git_output_in};
use crate::compare::FileVersion;
use crate::corpus::{CorpusFile, Source};
use crate::format::Formats;

/// Returns the versions of a file, the latest first: as it is here, then those of the commits that changed it.
///
/// # Errors
/// If Git is not there, or does not know the file.
pub fn file_versions(file: &Path) -> Result<Vec<FileVersion>, String> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let format = "--format=%x01%h%x00%an%x00%ad%x00";
    let log = git_output_in(
        folder_of(file),
        &[
            "log",
            "--follow",
            "--name-only",
            "-z",
            "--date=short",
            format,
            "--",
            &name,
        ],
    )?;
    let commits = log.split('\u{1}').filter(|commit| !commit.is_empty());
    let version = |commit: &str| {
        let mut fields = commit.split('\0').map(str::trim);
        let mut next = || fields.next().unwrap_or_default().to_owned();
        let (commit, author, date) = (next(), next(), next());
        let path = fields.find(|field| !field.is_empty()).unwrap_or_default();
        FileVersion {
            commit,
            author,
            date,
            path: path.to_owned(),
        }
    };
    let commits: Vec<_> = commits.map(version).collect();
    if commits.is_empty() {
        return Err(format!("git has no commit with {}", file.display()));
    }
    Ok([FileVersion::default()]
        .into_iter()
        .chain(commits)
        .collect())
}

/// Reads a version of a file whose dialogs have these formats; None if it is not a corpus, or not there.
///
/// # Errors
/// If it cannot be opened.
pub fn read_version(
    file: &Path,
    version: &FileVersion,
    formats: &Formats,
) -> io::Result<Option<CorpusFile<Arc<dyn Source>>>> {
    let spec = format!("{}:{}", version.commit, version.path);
    let Ok(Some(bytes)) = git_blob(folder_of(file), &spec) else {
        return Ok(None);
    };
    let source: Arc<dyn Source> = Arc::new(bytes);
    let file = open_source(source, formats, false).map_err(io::Error::other)?;
    Ok(file.format().is_some().then_some(file))
}
