//! The file system operations that saving and journals need, as a trait, so that tests can make any of
//! them fail or end the program there.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;
use twox_hash::XxHash3_64;

use super::disk::open_regular;
use super::paths::folder_of;
use super::private;

/// Changes to a file system. Reads are left out because a failed read changes nothing.
pub trait Fs {
    /// Makes a folder and its parents, unless they exist.
    ///
    /// # Errors
    /// If the folder cannot be made.
    fn make_folder(&self, path: &Path, readers: Readers) -> io::Result<()>;

    /// Creates a file in `folder`, named `prefix` and a random part, and locked by this process.
    /// Dropping it removes it.
    ///
    /// # Errors
    /// If it cannot be made.
    fn create(&self, folder: &Path, prefix: &str, readers: Readers) -> io::Result<NamedTempFile>;

    /// Opens or creates the file at `path` for appending. Only this user can read it.
    ///
    /// # Errors
    /// If it cannot be written, or is not a regular file.
    fn append(&self, path: &Path) -> io::Result<File>;

    /// Sets the owner of `file`, its group, or both.
    ///
    /// # Errors
    /// If the system does not allow it.
    fn give(&self, file: &File, user: Option<u32>, group: Option<u32>) -> io::Result<()>;

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
}

/// The people who may read a new file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// This user alone: it may be a copy of something private.
    User,
    /// Those whom the user's umask allows.
    Umask,
}

/// Makes a folder that survives a power failure, unless it exists.
///
/// # Errors
/// If the folder cannot be made, or cannot be synced.
pub fn create_folder(fs: &dyn Fs, folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    fs.make_folder(folder, Readers::Umask)?;
    fs.sync_folder(folder_of(folder))
}

/// Checks that this user may write to the file at `path`, which renaming over it would not check, and
/// blocks other saves of it until the returned handle is dropped.
///
/// # Errors
/// If the file cannot be written, or is not a regular file.
pub fn hold(path: &Path) -> io::Result<File> {
    let file = open_regular(path, File::options().append(true))?;
    // Where the file system has no locks, saving goes on without one.
    let _ = file.lock();
    Ok(file)
}

/// Removes files in `folder` that [`Fs::create`] made with `prefix` and that no process has locked.
pub fn sweep(folder: &Path, prefix: &str) {
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

/// Creates a file that is to replace the one at `path`, and removes those that interrupted saves of it have left.
///
/// # Errors
/// If it cannot be made.
pub fn create_beside(fs: &dyn Fs, path: &Path, readers: Readers) -> io::Result<NamedTempFile> {
    let (folder, prefix) = (folder_of(path), temporary_prefix(path));
    sweep(folder, &prefix);
    fs.create(folder, &prefix, readers)
}

/// Puts a file into its place. Returns the error of the last sync: the name may then not survive a power failure.
///
/// # Errors
/// If that fails; the old file is unchanged then.
pub fn put_in_place(
    fs: &dyn Fs,
    file: NamedTempFile,
    path: &Path,
) -> io::Result<Option<io::Error>> {
    fs.replace(file, path)?;
    Ok(fs.sync_folder(folder_of(path)).err())
}

/// Replaces the file at `path` with one that only this user can read, in a folder that is there. Returns it, open; its
/// name survives a power failure only if the folder could be synced.
///
/// # Errors
/// If it cannot be written; the old file is unchanged then.
pub fn replace_private(fs: &dyn Fs, path: &Path, text: &[u8]) -> io::Result<File> {
    let mut temporary = create_beside(fs, path, Readers::User)?;
    fs.write(temporary.as_file_mut(), text)?;
    fs.sync(temporary.as_file())?;
    let file = temporary.as_file().try_clone()?;
    put_in_place(fs, temporary, path)?;
    Ok(file)
}

/// Returns the prefix of the temporary files that replace the file at `path`. It is short, however long
/// the file's name is.
pub fn temporary_prefix(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    let hash = XxHash3_64::oneshot(name.as_encoded_bytes());
    format!(".turnwise-{hash:016x}-")
}

/// The file system of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFs;

const SUFFIX: &str = ".tmp";

impl Fs for RealFs {
    fn make_folder(&self, path: &Path, readers: Readers) -> io::Result<()> {
        match readers {
            Readers::User => private::make_folder(path),
            Readers::Umask => std::fs::create_dir_all(path),
        }
    }

    fn create(&self, folder: &Path, prefix: &str, readers: Readers) -> io::Result<NamedTempFile> {
        let mut builder = tempfile::Builder::new();
        #[cfg(unix)]
        if readers == Readers::Umask {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        #[cfg(not(unix))]
        let _ = readers;
        let file = builder.prefix(prefix).suffix(SUFFIX).tempfile_in(folder)?;
        // The lock marks the file as in use. Where locks do not work, sweeping does not either.
        let _ = file.as_file().try_lock();
        Ok(file)
    }

    fn append(&self, path: &Path) -> io::Result<File> {
        private::open(path, File::options().append(true).create(true))
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
}
