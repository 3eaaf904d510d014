//! Files and folders that only the user can read, whatever the umask: journals, locks, sessions and
//! exported edits quote corpora, which may be private.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

use super::disk::open_regular;
use super::fs::{RealFs, replace_private};
use super::paths::folder_of;

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

/// Opens a file for this user alone with `options`, which may create it.
///
/// # Errors
/// If it cannot be opened, or is not a regular file.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    let file = open_regular(path, options)?;
    // It may have existed with wider permissions.
    close_to_others(&file.metadata()?, 0o600, |permissions| file.set_permissions(permissions));
    Ok(file)
}

/// Replaces the file at `path` with one for this user alone, and makes its folder if needed.
///
/// # Errors
/// If it cannot be written; the old file is unchanged then.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    make_folder(folder_of(path))?;
    replace_private(&RealFs, path, text.as_bytes()).map(drop)
}

/// Removes other users' access to the state folder and its subfolders, and to the files in any subfolder
/// that they could open. Does not touch link targets or files of other users.
pub fn close_state(state: &Path) {
    for folder in
        [state.to_owned(), state.join("journals"), state.join("kept"), state.join("sessions")]
    {
        if !close_path(&folder, 0o700) {
            continue;
        }
        for entry in folder.read_dir().into_iter().flatten().flatten() {
            if entry.file_type().is_ok_and(|kind| kind.is_file()) {
                close_path(&entry.path(), 0o600);
            }
        }
    }
}

/// Removes other users' access to `path`; returns true if they had any. Does not follow links.
fn close_path(path: &Path, mode: u32) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| {
        !metadata.is_symlink()
            && close_to_others(&metadata, mode, |permissions| {
                fs::set_permissions(path, permissions)
            })
    })
}

/// Removes permissions not in `mode` if the file is this user's; returns true if there were any.
#[cfg(unix)]
fn close_to_others(
    metadata: &fs::Metadata,
    mode: u32,
    set: impl FnOnce(fs::Permissions) -> io::Result<()>,
) -> bool {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    let ours = metadata.uid() == rustix::process::geteuid().as_raw();
    let (old, new) = (metadata.mode(), metadata.mode() & (0o7000 | mode));
    ours && old & 0o777 != new & 0o777 && set(fs::Permissions::from_mode(new)).is_ok()
}

#[cfg(not(unix))]
fn close_to_others(
    _: &fs::Metadata,
    _: u32,
    _: impl FnOnce(fs::Permissions) -> io::Result<()>,
) -> bool {
    false
}
