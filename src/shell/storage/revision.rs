//! Runs Git, and reads files as they were in its revisions.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::paths::folder_of;

/// Returns the content of the file at `path` in `revision`; None if that revision has no such file.
///
/// # Errors
/// If Git cannot be run, does not know the revision, or lacks the bytes of the file.
pub fn at_revision(path: &Path, revision: &str) -> io::Result<Option<Vec<u8>>> {
    let path = &git_path(path);
    let commit = format!("{revision}^{{commit}}");
    let known = git(&path.folder)
        .args(["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| io::Error::new(error.kind(), format!("git cannot be run: {error}")))?;
    if !known.success() {
        let why = format!("{revision:?} is not a revision in a Git repository with this file");
        return Err(io::Error::other(why));
    }
    git_blob(&path.folder, &path.in_revision(revision))
}

/// Returns the paths of the files in the folder at `path` in `revision`, from that folder; None if that revision has no
/// such folder.
pub fn files_at_revision(path: &Path, revision: &str) -> Option<Vec<PathBuf>> {
    let path = git_path(path);
    let folder = path.in_revision(revision);
    let listed = git(&path.folder).args(["ls-tree", "-r", "-z", "--name-only", &folder]).output();
    let listed = listed.ok().filter(|ran| ran.status.success())?;
    let names = String::from_utf8_lossy(&listed.stdout).into_owned();
    let names = names.split('\0').filter(|name| !name.is_empty());
    Some(names.map(PathBuf::from).collect())
}

/// A path as Git is asked for it: the folder in which Git runs, and the rest.
struct GitPath {
    folder: PathBuf,
    rest: PathBuf,
}

impl GitPath {
    fn in_revision(&self, revision: &str) -> String {
        format!("{revision}:./{}", self.rest.display())
    }
}

/// Returns a path for Git. A file may be there in a revision alone, with its folders.
fn git_path(path: &Path) -> GitPath {
    // Of a link, Git has only the path to which it leads.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    // Git knows nothing above the top of a repository.
    let mut folder = if path.join(".git").exists() { path.as_path() } else { folder_of(&path) };
    while !folder.is_dir() && folder != folder_of(folder) {
        folder = folder_of(folder);
    }
    GitPath {
        folder: folder.to_owned(),
        rest: path.strip_prefix(folder).unwrap_or(&path).to_owned(),
    }
}

/// Returns what git prints.
///
/// # Errors
/// What it complains about, if it fails.
pub fn git_output(arguments: &[&str]) -> Result<String, String> {
    git_output_in(Path::new("."), arguments)
}

/// Returns what git prints in a folder.
///
/// # Errors
/// What it complains about, if it fails.
pub fn git_output_in(folder: &Path, arguments: &[&str]) -> Result<String, String> {
    let ran = git(folder).args(arguments).output();
    let ran = ran.map_err(|error| format!("git cannot be run: {error}"))?;
    if ran.status.success() {
        return Ok(String::from_utf8_lossy(&ran.stdout).trim_end_matches('\n').to_owned());
    }
    let why = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
    Err(if why.is_empty() { "git failed".to_owned() } else { why })
}

/// Returns the bytes of a file in the repository of a folder, named as `COMMIT:PATH` with the path from the top of the
/// repository; None if git has no such file.
///
/// # Errors
/// If git cannot be run, or the clone is a partial one and lacks the bytes of the file.
pub fn git_blob(folder: &Path, name: &str) -> io::Result<Option<Vec<u8>>> {
    let ran = git(folder).args(["cat-file", "blob", name]).output()?;
    if ran.status.success() {
        return Ok(Some(ran.stdout));
    }
    if git(folder).args(["rev-parse", "--quiet", "--verify", name]).output()?.status.success() {
        let why = format!("this clone lacks `{name}`; `git fetch` or `git show` may download it");
        return Err(io::Error::other(why));
    }
    Ok(None)
}

/// Returns a command of Git in a folder. Settings of that clone, which may be somebody else's, neither run programs nor
/// add to what is printed; so what a partial clone lacks is not fetched.
pub fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).stdin(Stdio::null());
    command.args(["-c", "log.showSignature=false", "-c", "core.fsmonitor=false"]);
    command.env("GIT_NO_LAZY_FETCH", "1");
    command
}
