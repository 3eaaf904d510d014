//! The few operations that saving and journals are made of, as a trait, so that a test can let any one
//! of them fail, or the program die at it.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use twox_hash::XxHash3_64;

use super::access::{AccessLoss, imitate};
use super::disk::{Identity, open_regular};
use super::private;

/// Writing to a file system. Reading is not part of it: a failed read changes nothing.
pub trait Fs {
    /// The file that `path` names, symbolic links followed.
    ///
    /// # Errors
    /// If there is none.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// # Errors
    /// If there is no such file, or it may not be looked at.
    fn identify(&self, path: &Path) -> io::Result<Identity>;

    /// True if the file at `path` has other names.
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

    /// Checks that this user may write to the file at `path`, which renaming over it would not, and
    /// keeps other saves of it waiting until what is returned is dropped.
    ///
    /// # Errors
    /// If not, or if it is no regular file.
    fn hold(&self, path: &Path) -> io::Result<File>;

    /// As [`Fs::make_folder`], and lets a new one survive a power failure.
    ///
    /// # Errors
    /// If it cannot be made, or is not known to be on the disk.
    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        if folder.is_dir() {
            return Ok(());
        }
        self.make_folder(folder)?;
        folder
            .parent()
            .map_or(Ok(()), |above| self.sync_folder(above))
    }

    /// A new file in `folder`, named `prefix` and something random, locked by this process. It is
    /// removed if it is dropped.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile>;

    /// The file at `path`, to be written at its end; a new one if there is none. It is this user's alone.
    ///
    /// # Errors
    /// If it may not be written, or is no regular file.
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

    /// Makes a folder, and those above it, unless it is there.
    ///
    /// # Errors
    /// If it is not there then.
    fn make_folder(&self, path: &Path) -> io::Result<()>;

    /// As [`Fs::make_folder`], for this user alone.
    ///
    /// # Errors
    /// If it is not there then.
    fn make_private_folder(&self, path: &Path) -> io::Result<()>;

    /// As [`Fs::create`], a file that may be read by whom the user's mask lets, for what is new and no
    /// copy of a file that may be private.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create_public(&self, folder: &Path, prefix: &str) -> io::Result<NamedTempFile> {
        self.create(folder, prefix)
    }

    /// Gives `file` to a user, a group, or both.
    ///
    /// # Errors
    /// If the system does not allow it.
    fn give(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()>;

    /// Gives `file` the permissions, and where that is allowed the owner, of the file at `path`; what of
    /// them it has not got then.
    ///
    /// # Errors
    /// If its permissions cannot be set.
    fn imitate(&self, file: &File, path: &Path) -> io::Result<AccessLoss> {
        imitate(file, path, &|user, group| self.give(file, user, group))
    }

    /// # Errors
    /// If not all bytes could be written.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<()>;

    /// Waits until everything written to `file` is on the disk. Never to be tried again after an
    /// error: the pages are then marked clean whether or not they were written.
    ///
    /// # Errors
    /// If it is not known to be there.
    fn sync(&self, file: &File) -> io::Result<()>;

    /// Puts `file` in the place of the file at `path`.
    ///
    /// # Errors
    /// If it cannot be; the file at `path` is then as it was, and `file` removed.
    fn replace(&self, file: NamedTempFile, path: &Path) -> io::Result<()>;

    /// Waits until the names in `folder` are on the disk.
    ///
    /// # Errors
    /// If they are not known to be there.
    fn sync_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes files in `folder` that [`Fs::create`] made with `prefix` and no process holds.
    fn sweep(&self, folder: &Path, prefix: &str);
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// What the names of temporary files begin with that are to be put in the place of the file at `path`.
/// However long its name is, theirs are short.
pub fn temporary_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let hash = XxHash3_64::oneshot(name.as_encoded_bytes());
    format!(".turnwise-{hash:016x}-")
}

fn temporary(builder: &mut tempfile::Builder<'_, '_>, folder: &Path) -> io::Result<NamedTempFile> {
    let file = builder.suffix(SUFFIX).tempfile_in(folder)?;
    // The lock says that the file is in use; where locks do not work, sweeping does not either.
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
        // Where a file system knows no locks, saving is as safe as it can be without.
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
