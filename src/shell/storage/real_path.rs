//! Absolute paths with links followed, which identify files and their journals.

use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Returns the path of a file with links followed, whether or not it exists.
pub fn real_path(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let real = |folder: &Path| Some((folder.to_owned(), folder.canonicalize().ok()?));
    match absolute.ancestors().find_map(real) {
        Some((folder, real)) => match absolute.strip_prefix(&folder) {
            Ok(rest) if !rest.as_os_str().is_empty() => real.join(rest),
            _ => real,
        },
        None => absolute,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn many_paths_are_what_each_is() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("data")).unwrap();
        std::fs::write(at("data/a.json"), "").unwrap();
        symlink(at("data"), at("link")).unwrap();
        symlink(at("data/a.json"), at("data/b.json")).unwrap();
        symlink(at("nowhere"), at("data/c.json")).unwrap();
        let mut paths = RealPaths::default();
        for name in ["data/a.json", "link/a.json", "link/b.json", "data/c.json", "data/d.json"] {
            assert_eq!(paths.of(&at(name)), real_path(&at(name)), "{name}");
        }
        assert_eq!(paths.of(&at("link/b.json")), paths.of(&at("data/a.json")));
        assert_eq!(paths.folder(Path::new("")), real_path(Path::new(".")));
        for name in ["data/votes", "link/votes", "link/no/votes", "data/../votes"] {
            let place = at(name);
            assert_eq!(paths.folder(&place), real_path(&place), "{name}");
        }
    }
}
