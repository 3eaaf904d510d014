//! Files and folders that only the user can read, whatever the umask: journals, locks, sessions and
//! exported edits quote corpora, which may be private.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::disk::open_regular;
use super::fs::{Fs as _, RealFs, replace_private};
use super::paths::folder_of;
use super::same::holds;

/// Makes a folder for this user alone, and its missing parents.
///
/// # Errors
/// If the folder cannot be made.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens a file with `options`, which may create it, for this user alone.
///
/// # Errors
/// If it cannot be opened, or is not a regular file.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    open_regular(path, options)
}

/// Replaces the file at `path` with one for this user alone, and makes its folder if needed.
///
/// # Errors
/// If it cannot be written; the old file is unchanged then.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    make_folder(folder_of(path))?;
    replace_private(&RealFs, path, text.as_bytes()).map(drop)
}

/// Writes a new file for this user alone under the first of the paths `path(1)`, `path(2)`… that is free, unless an earlier
/// one has this text. Returns its path.
///
/// # Errors
/// If it cannot be written.
pub fn keep(path: impl Fn(u64) -> PathBuf, text: &[u8]) -> io::Result<PathBuf> {
    for path in (1..).map(path) {
        match open(&path, File::options().write(true).create_new(true)) {
            Ok(mut file) => {
                if let Err(error) = file.write_all(text).and_then(|()| file.sync_all()) {
                    let _ = fs::remove_file(path);
                    return Err(error);
                }
                let _ = RealFs.sync_folder(folder_of(&path));
                return Ok(path);
            }
            Err(error) if path.symlink_metadata().is_err() => return Err(error),
            Err(_) if holds(&path, |out| out.write_all(text)) => return Ok(path),
            Err(_) => {}
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Removes other users' access to the state folder, and so to all that is in it, if it is this user's. Does not follow
/// links.
#[cfg(unix)]
pub fn close_state(state: &Path) {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let Ok(metadata) = state.symlink_metadata() else { return };
    let ours = metadata.uid() == rustix::process::geteuid().as_raw();
    if ours && metadata.is_dir() && metadata.mode() & 0o077 != 0 {
        let _ = fs::set_permissions(state, fs::Permissions::from_mode(0o700));
    }
}

#[cfg(not(unix))]
pub fn close_state(_: &Path) {}
