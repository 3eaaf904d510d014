//! The file system operations that saving and journals need, as a trait, so that tests can make any of
//! them fail or end the program there.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use twox_hash::XxHash3_64;

use super::access::{AccessLoss, imitate};
use super::disk::{Identity, open_regular};
use super::paths::folder_of;
use super::private;

/// Write access to a file system. Reads are left out because a failed read changes nothing.
pub trait Fs {
    /// Returns the file that `path` names, with symbolic links followed.
    ///
    /// # Errors
    /// If there is none.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns the identity of the file at `path`.
    ///
    /// # Errors
    /// If there is no such file, or its metadata cannot be read.
    fn identify(&self, path: &Path) -> io::Result<Identity>;

    /// Returns true if the file at `path` has other names (hard links).
    fn is_linked(&self, path: &Path) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            path.metadata().is_ok_and(|metadata| metadata.nlink() > 1)
        }
        #[cfg(not(unix))]
        {
            let _ = path;
            false
        }
    }

    /// Checks that this user may write to the file at `path`, which renaming over it would not check, and
    /// blocks other saves of it until the returned handle is dropped.
    ///
    /// # Errors
    /// If the file cannot be written, or is not a regular file.
    fn hold(&self, path: &Path) -> io::Result<File>;

    /// Makes a folder that survives a power failure; otherwise like [`Fs::make_folder`].
    ///
    /// # Errors
    /// If the folder cannot be made, or cannot be synced.
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        self.make_folder(folder)?;
        self.sync_folder(folder_of(folder))
    }

    /// Creates a file in `folder`, named `prefix` and a random part, and locked by this process.
    /// Dropping it removes it.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile>;

    /// Opens or creates the file at `path` for appending. Only this user can read it.
    ///
    /// # Errors
    /// If it cannot be written, or is not a regular file.
    fn append(&self, path: &Path) -> io::Result<File>;

    /// Removes a file.
    ///
    /// # Errors
    /// If it is still there.
    fn remove(&self, path: &Path) -> io::Result<()> {
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Makes a folder and its parents, unless they exist.
    ///
    /// # Errors
    /// If the folder cannot be made.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// Makes a folder that only this user can read; otherwise like [`Fs::make_folder`].
    ///
    /// # Errors
    /// If the folder cannot be made.
    fn make_private_folder(&self, path: &Path) -> io::Result<()>;

    /// Creates a file with the permissions of the user's umask, for new content; [`Fs::create`] is for
    /// copies of files that may be private.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create_public(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        self.create(folder, prefix)
    }

    /// Sets the owner of `file`, its group, or both.
    ///
    /// # Errors
    /// If the system does not allow it.
    fn give(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()>;

    /// Copies the permissions of the file at `path` to `file`, and the owner where allowed. Returns what
    /// could not be copied.
    ///
    /// # Errors
    /// If the permissions cannot be set.
    fn imitate(&self, file: &File, path: &Path) -> io::Result<AccessLoss> {
        imitate(file, path, &|user, group| self.give(file, user, group))
    }

    /// Writes `bytes` to `file`.
    ///
    /// # Errors
    /// If not all bytes could be written.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Waits until everything written to `file` is on the disk. Must not be retried after an error: the
    /// kernel then marks the pages clean whether or not they were written.
    ///
    /// # Errors
    /// If the sync fails.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Replaces the file at `path` with `file`.
    ///
    /// # Errors
    /// If that fails; the file at `path` is unchanged then, and `file` is removed.
    fn replace(&self, file: NamedTempFile, path: &Path) -> io::Result<()>;

    /// Waits until the names in `folder` are on the disk.
    ///
    /// # Errors
    /// If the sync fails.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes files in `folder` that [`Fs::create`] made with `prefix` and that no process has locked.
    fn sweep(&self, folder: &Path, prefix: &str);
}

/// Returns the prefix of the temporary files that replace the file at `path`. It is short, however long
/// the file's name is.
pub fn temporary_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let hash = XxHash3_64::oneshot(name.as_encoded_bytes());
    format!(".turnwise-{hash:016x}-")
}

fn temporary(builder: &mut tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    let file = builder.suffix(SUFFIX).tempfile_in(folder)?;
    // The lock marks the file as in use. Where locks do not work, sweeping does not either.
    let _ = file.as_file().try_lock();
    Ok(file)
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFs;

const SUFFIX: &str = ".tmp";

impl Fs for RealFs {
    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        path.canonicalize()
    }

    fn identify(&self, path: &Path) -> io::Result<Identity> {
        path.metadata().map(|metadata| Identity::of(&metadata))
    }

    fn hold(&self, path: &Path) -> io::Result<File> {
        let file = open_regular(path, File::options().append(true))?;
        // Where the file system has no locks, saving goes on without one.
        let _ = file.lock();
        Ok(file)
    }

    fn create(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        temporary(tempfile::Builder::new().prefix(prefix), folder)
    }

    fn append(&self, path: &Path) -> io::Result<File> {
        private::open(path, File::options().append(true).create(true))
    }

    fn make_private_folder(&self, path: &Path) -> io::Result<()> {
        private::make_folder(path)
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }

    fn create_public(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        temporary(builder.prefix(prefix), folder)
    }

    fn give(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()> {
        #[cfg(unix)]
        std::os::unix::fs::fchown(file, user, group)?;
        Ok(())
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        file.write_all(bytes)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn replace(&self, file: NamedTempFile, path: &Path) -> io::Result<()> {
        file.persist(path).map(drop).map_err(|error| error.error)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        #[cfg(unix)]
        File::open(folder)?.sync_all()?;
        Ok(())
    }

    fn sweep(&self, folder: &Path, prefix: &str) {
        let Ok(entries) = folder.read_dir() else {
            return;
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let stale = name.starts_with(prefix)
                && name.ends_with(SUFFIX)
                && open_regular(&entry.path(), File::options().read(true))
                    .is_ok_and(|file| file.try_lock().is_ok());
            if stale {
                let _ = std::fs::remove_file(entry.path());
            }
        }
    }
}
