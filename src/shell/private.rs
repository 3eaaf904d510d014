//! Files and folders that nobody but the user may read, whatever the user's mask says: journals, locks,
//! sessions and kept edits quote corpora, which may be private.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use super::disk::open_regular;
use super::fs::{Fs as _, RealFs, folder_of, temporary_prefix};

/// Makes a folder for this user alone, and those above it that are not there.
///
/// # Errors
/// If it is not there then.
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

/// Opens a file for this user alone in the way that `options` say, which may be to make it.
///
/// # Errors
/// If it cannot be opened, or is no regular file.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    let file = open_regular(path, options)?;
    // It may be there already.
    close_to_others(&file.metadata()?, 0o600, |permissions| {
        file.set_permissions(permissions)
    });
    Ok(file)
}

/// Puts a file for this user alone in the place of the one at `path`; its folder is made if need be.
///
/// # Errors
/// If it cannot be written; the old one is then as it was.
pub fn write(path: &Path, text: &str) -> io::Result<()> {
    let (folder, prefix) = (folder_of(path), temporary_prefix(path));
    make_folder(folder)?;
    RealFs.sweep(folder, &prefix);
    let mut file = RealFs.create(folder, &prefix)?;
    file.write_all(text.as_bytes())?;
    RealFs.replace(file, path)
}

/// Closes the state folder and those in it to others, and the files in those that were open. Nothing else
/// is touched: what belongs to somebody else, or what a link leads to.
pub fn close_state(state: &Path) {
    for folder in [
        state.to_owned(),
        state.join("journals"),
        state.join("kept"),
        state.join("sessions"),
    ] {
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

/// True if others could do something with what is at `path`, which they cannot any more. What a link
/// leads to is left alone.
fn close_path(path: &Path, mode: u32) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| {
        !metadata.is_symlink()
            && close_to_others(&metadata, mode, |permissions| {
                fs::set_permissions(path, permissions)
            })
    })
}

/// Takes permissions away that are not in `mode`, if the file is this user's; true if there were any.
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
