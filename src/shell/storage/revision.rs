//! Reads a file as it was in an earlier Git revision.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

use super::fs::folder_of;

/// Returns the content of the file at `path` in `revision`, as a temporary file; None if that revision has
/// no such file.
///
/// # Errors
/// If Git cannot be run, or does not know the revision.
pub fn at_revision(path: &Path, revision: &str) -> io::Result<Option<NamedTempFile>> {
    // Of a link, Git has only the path to which it leads.
    let path = &path.canonicalize()?;
    let commit = format!("{revision}^{{commit}}");
    let known = git(
        path,
        &[
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &commit,
        ],
    )
    .stdout(Stdio::null())
    .status()
    .map_err(|error| io::Error::new(error.kind(), format!("git cannot be run: {error}")))?;
    if !known.success() {
        let why = format!("{revision:?} is not a revision in a Git repository with this file");
        return Err(io::Error::other(why));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let file = tempfile::Builder::new().suffix(".json").tempfile()?;
    let object = format!("{revision}:./{name}");
    let shown = git(path, &["cat-file", "blob", &object])
        .stdout(file.reopen()?)
        .status()?;
    Ok(shown.success().then_some(file))
}

/// Returns a quiet command of Git in the folder of `path`.
fn git(path: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder_of(path)).args(arguments);
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}
