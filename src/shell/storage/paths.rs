//! Paths: the folder of a file, the path with links followed, which identifies a file and its journal, and where files beside
//! a corpus may be.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{MAIN_SEPARATOR, Path, PathBuf, absolute};

/// Returns the folder of a file.
pub fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Returns the folder of a file as its path has it, with the last separator: faster than finding its parent, where there are
/// many thousands of paths.
pub fn folder_part(path: &Path) -> &[u8] {
    let path = path.as_os_str().as_encoded_bytes();
    let end = memchr::memrchr2(b'/', MAIN_SEPARATOR as u8, path);
    &path[..end.map_or(0, |end| end + 1)]
}

/// Returns the path of a file with links followed, whether or not it exists.
pub fn real_path(path: &Path) -> PathBuf {
    let whole = absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |folder: &Path| Some((folder.to_owned(), folder.canonicalize().ok()?));
    match whole.ancestors().find_map(real) {
        Some((folder, real)) => match whole.strip_prefix(&folder) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => whole,
    }
}

/// Returns where a side file of a corpus is written: at `path`, or where links lead from there within the folder of the
/// corpus. A path elsewhere is one that the user has chosen, as with `--votes`; its links stay in its own folder.
///
/// # Errors
/// If a link leads out of the folder, or to nothing.
pub fn side_path(corpus: &Path, path: &Path) -> io::Result<PathBuf> {
    let (corpus, path) = (absolute(corpus)?, absolute(path)?);
    let named = folder_of(&corpus);
    let real = real_path(named);
    let folders = [named, real.as_path()];
    let folder = folders.into_iter().find(|folder| path.starts_with(folder));
    let folder = folder.unwrap_or(folder_of(&path));
    let around = real_path(folder);
    let mut below: Vec<&Path> = path.ancestors().take_while(|part| *part != folder).collect();
    below.reverse();
    for part in below {
        let Ok(target) = part.read_link() else {
            continue;
        };
        let why = match part.canonicalize() {
            Ok(real) if real.starts_with(&around) => continue,
            Ok(_) => "which is outside the folder of the corpus".to_owned(),
            Err(error) => format!("which cannot be followed: {error}"),
        };
        let link = part.strip_prefix(folder).unwrap_or(part).display();
        return Err(io::Error::other(format!(
            "`{link}` is a link to {}, {why}; replace the link with a file or folder",
            target.display()
        )));
    }
    Ok(real_path(&path))
}

/// Finds the real paths of many files, most of them in a few folders; resolves each folder once.
#[derive(Default)]
pub struct RealPaths {
    folders: HashMap<OsString, PathBuf>,
}

impl RealPaths {
    /// Returns [`real_path`] of `path`.
    pub fn of(&mut self, path: &Path) -> PathBuf {
        let is_link = path.symlink_metadata().map_or(true, |m| m.is_symlink());
        match (path.parent(), path.file_name()) {
            (Some(folder), Some(name)) if !is_link => self.folder(folder).join(name),
            _ => real_path(path),
        }
    }

    /// Returns the real path of a folder; the empty path is the current folder.
    pub fn folder(&mut self, folder: &Path) -> &Path {
        let name = folder.as_os_str();
        if !self.folders.contains_key(name) {
            let here = Path::new(".");
            let real = self.real(if name.is_empty() { here } else { folder });
            self.folders.insert(name.to_owned(), real);
        }
        &self.folders[name]
    }

    fn real(&mut self, folder: &Path) -> PathBuf {
        match (folder.parent(), folder.file_name()) {
            // One that does not exist is in the folder around it.
            (Some(around), Some(name)) if folder.symlink_metadata().is_err() => {
                self.folder(around).join(name)
            }
            _ => real_path(folder),
        }
    }
}
