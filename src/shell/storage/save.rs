//! Saves files: whatever happens, the disk holds the whole old file or the whole new one.
//!
//! The new text is streamed to a temporary file in the same folder, synced, and renamed over the old
//! one; then the folder is synced. Before the rename, the file at the path is checked to be the one that
//! was read: same device, inode, size and time, and a hash of the copied bytes that equals the one
//! computed when it was opened.
//!
//! # Why
//! Writing in place loses a file when the connection drops; copying first and then writing in place
//! loses it when both are cut short. Rename is the one atomic step that file systems offer, and only
//! data synced before it survives a power failure. A failed sync is never retried: by then the kernel
//! has dropped what it did not write.
//!
//! The price: for a file with hard links, the new text has this name alone and the other names keep the
//! old text, which is reported. Writing in place for their sake would give up the guarantee for all.

use std::io;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_128;

use super::access::{AccessLoss, OwnerChange, imitate, restrict};
use super::compressed::Compression;
use super::discover::folder_of_corpus;
use super::disk::Identity;
use super::edit_lock::taken_by;
use super::fs::{Fs, Readers, create_folder, hold, sweep, temporary_prefix};
use super::journal::journal_of;
use super::open::OpenedFile;
use super::paths::{folder_of, side_path};
use crate::corpus::{CorpusFile, FilePart};
use crate::workspace::holder_name;

/// The result of a save.
#[derive(Debug)]
pub struct SaveReport {
    /// The file that was written, with links followed.
    pub path: PathBuf,
    pub bytes: u64,
    /// The hash of the new text, if it is known.
    pub hash: Option<u128>,
    /// The error of the last sync, if it failed: the new name may then not survive a power failure.
    pub doubt: Option<io::Error>,
    /// The file has hard links under other names, which keep the old text.
    pub linked: bool,
}

/// Why nothing was saved. The file is unchanged.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("the file has changed on disk since it was read; nothing was written")]
    ChangedOnDisk,
    #[error("the file no longer exists; nothing was written")]
    FileDeleted,
    #[error("the file is being edited by {}; nothing was written", holder_name(.0))]
    Taken(String),
    #[error("the file's {0} cannot be kept; nothing was written")]
    AccessLoss(AccessLoss),
    #[error(
        "the edits take away the quotes that show what its spans count, and other spans would be read as other \
         words; nothing was written"
    )]
    OtherUnit,
    #[error("the file is compressed and only read; unpack it to edit it; nothing was written")]
    Compressed,
    #[error("the file was opened without its hash and cannot be saved")]
    NotHashed,
    #[error("{0}; nothing was written")]
    LinkOut(io::Error),
    #[error("{0}: the file already exists")]
    Exists(PathBuf),
    #[error("{what} failed, nothing was changed: {error}")]
    Io { what: &'static str, error: io::Error },
}

pub(super) fn failed(what: &'static str) -> impl Fn(io::Error) -> SaveError {
    move |error| SaveError::Io { what, error }
}

/// Bytes copied at once.
const CHUNK: usize = 1 << 20;

/// Saves like [`save`], unless another process holds the edit lock in the user's state folder. `change`
/// says whether the owner may change. Nobody may read a new file who may not read all files in `about`.
///
/// # Errors
/// Those of [`save`], and if another process edits the file.
pub fn save_alone(
    fs: &dyn Fs,
    opened: &OpenedFile,
    state: Option<&Path>,
    change: OwnerChange,
    about: &[PathBuf],
) -> Result<SaveReport, SaveError> {
    is_free(state, &opened.path)?;
    let OpenedFile { path, identity, file } = opened;
    match identity {
        Some(identity) => save_over(fs, path, *identity, file, change, about, &|_| ()),
        None => save_new(fs, path, file, about, &|_| ()),
    }
}

/// # Errors
/// If another process holds the edit lock of the file at `path`.
fn is_free(state: Option<&Path>, path: &Path) -> Result<(), SaveError> {
    let holder = state.and_then(|state| taken_by(&journal_of(state, path)));
    holder.map_or(Ok(()), |holder| Err(SaveError::Taken(holder)))
}

/// Saves a file with its edits to the path it was read from, by replacing the file there.
///
/// # Errors
/// If it is not certain that the new file is whole and replaces what was read, or if it would not keep
/// the owner, group, mode and access list.
pub fn save(fs: &dyn Fs, opened: &OpenedFile) -> Result<SaveReport, SaveError> {
    save_alone(fs, opened, None, OwnerChange::Refuse, &[])
}

/// Saves a file that was read from `path` when it had `identity`. `change` says whether the owner may
/// change; who may not read all files in `about` may no longer read it. `announce` is called with the file's new hash when
/// all is ready, just before the file is replaced.
///
/// # Errors
/// Those of [`save`].
pub fn save_over(
    fs: &dyn Fs,
    path: &Path,
    identity: Identity,
    file: &CorpusFile,
    change: OwnerChange,
    about: &[PathBuf],
    announce: &dyn Fn(u128),
) -> Result<SaveReport, SaveError> {
    let or_gone = |what| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => SaveError::FileDeleted,
            _ => failed(what)(error),
        }
    };
    stays_beside(about, path)?;
    let path = path.canonicalize().map_err(or_gone("finding the file"))?;
    let check = || match path.metadata() {
        Ok(now) if Identity::of(&now) == identity => Ok(()),
        Ok(_) => Err(SaveError::ChangedOnDisk),
        Err(error) => Err(or_gone("checking the file")(error)),
    };
    // If two programs read the same file and save it at the same time, the second one waits here, and
    // then finds that the file has changed.
    let _held = hold(&path).map_err(or_gone("opening the file for writing"))?;
    check()?;
    let linked = is_linked(&path);
    let ready = |hash| {
        announce(hash);
        check()
    };
    let permissions = Permissions { like: Some((&path, change)), about };
    let saved = write(fs, file, &path, permissions, &ready)?;
    Ok(SaveReport { linked, ..saved })
}

/// Saves a file with its edits under another name, with the permissions of the original. Replaces an
/// existing file only with `overwrite`, and unless another process holds its edit lock.
///
/// # Errors
/// Those of [`save_alone`], and if there is a file that may not be replaced.
pub fn save_as(
    fs: &dyn Fs,
    opened: &OpenedFile,
    path: &Path,
    state: Option<&Path>,
    overwrite: bool,
) -> Result<SaveReport, SaveError> {
    let vacant = || is_vacant(path, overwrite);
    vacant()?;
    is_free(state, path)?;
    let like = Some((opened.path.as_path(), OwnerChange::Allow));
    write(fs, &opened.file, path, Permissions { like, about: &[] }, &|_| vacant())
}

/// Saves a file with its edits at `path`, which may be a link to a file. A new file gets the permissions of the file at
/// `like`, of which it may be a copy in memory. The file's index has a hash. `ready` is called with the new file's hash
/// just before that is put there, and can still refuse.
///
/// # Errors
/// Those of [`save_alone`], and if there is something else than a file at `path`, or a file that may not be written.
pub fn save_like(
    fs: &dyn Fs,
    file: &CorpusFile,
    like: &Path,
    path: &Path,
    state: Option<&Path>,
    ready: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Result<SaveReport, SaveError> {
    is_free(state, path)?;
    let is_there = path.symlink_metadata().is_ok();
    let path = if is_there {
        path.canonicalize().map_err(failed("finding the file"))?
    } else {
        path.to_owned()
    };
    let held = is_there.then(|| hold(&path)).transpose();
    let _held = held.map_err(failed("opening the file for writing"))?;
    let like = if is_there { &path } else { like };
    let like = like.exists().then_some((like, OwnerChange::Allow));
    write(fs, file, &path, Permissions { like, about: &[] }, ready)
}

/// # Errors
/// If a file that is about others, the first of which it is beside, is not where it seems to be.
fn stays_beside(about: &[PathBuf], path: &Path) -> Result<(), SaveError> {
    let beside = || folder_of_corpus(path).map(|folder| folder.join("corpus"));
    let place = about.first().cloned().or_else(beside).map(|corpus| side_path(&corpus, path));
    place.transpose().map(drop).map_err(SaveError::LinkOut)
}

/// # Errors
/// If a file exists at `path` that may not be replaced.
fn is_vacant(path: &Path, overwrite: bool) -> Result<(), SaveError> {
    match path.symlink_metadata() {
        Ok(_) if !overwrite => Err(SaveError::Exists(path.to_owned())),
        _ => Ok(()),
    }
}

/// Writes a text to a file, keeping the permissions of an existing one, which is replaced only with `overwrite`. Nobody
/// may read it who may not read all files in `about`.
///
/// # Errors
/// If the file exists, or cannot be written; it is unchanged then.
pub fn put_text(
    fs: &dyn Fs,
    path: &Path,
    text: &[u8],
    about: &[PathBuf],
    overwrite: bool,
) -> Result<SaveReport, SaveError> {
    let vacant = || is_vacant(path, overwrite);
    vacant()?;
    let like = path.exists().then_some((path, OwnerChange::Allow));
    put(fs, path, Permissions { like, about }, &all_of(fs, text), &|_| vacant())
}

/// Returns a writer of the whole text.
fn all_of(
    fs: &dyn Fs,
    text: &[u8],
) -> impl Fn(&mut std::fs::File) -> Result<(u64, u128), SaveError> {
    move |target| {
        fs.write(target, text).map_err(failed("writing the new file"))?;
        Ok((text.len() as u64, XxHash3_128::oneshot(text)))
    }
}

/// Writes a file that was created in memory for the first time, and its folder if needed. Nobody may read it who
/// may not read all files in `about`. `announce` is called with its hash, as in [`save_over`].
///
/// # Errors
/// Those of [`save`], and if another program has put a file there meanwhile, which stays as it is.
pub fn save_new(
    fs: &dyn Fs,
    path: &Path,
    file: &CorpusFile,
    about: &[PathBuf],
    announce: &dyn Fn(u128),
) -> Result<SaveReport, SaveError> {
    stays_beside(about, path)?;
    if let Some(folder) = path.parent() {
        create_folder(fs, folder).map_err(failed("making the folder"))?;
    }
    let vacant = || is_vacant(path, false);
    vacant()?;
    let ready = |hash| {
        announce(hash);
        vacant()
    };
    write(fs, file, path, Permissions { like: None, about }, &ready)
}

fn write(
    fs: &dyn Fs,
    file: &CorpusFile,
    path: &Path,
    permissions: Permissions<'_>,
    check: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Result<SaveReport, SaveError> {
    if Compression::of_name(path).is_some() {
        return Err(SaveError::Compressed);
    }
    let hash = file.index().hash.ok_or(SaveError::NotHashed)?;
    if !file.keeps_unit() {
        return Err(SaveError::OtherUnit);
    }
    let content = |target: &mut std::fs::File| {
        let (bytes, copied, new) = copy(fs, file, target)?;
        if copied == hash { Ok((bytes, new)) } else { Err(SaveError::ChangedOnDisk) }
    };
    put(fs, path, permissions, &content, check)
}

/// The owner, group, mode and access list of a written file.
#[derive(Clone, Copy, Default)]
struct Permissions<'p> {
    /// Those of this file, and what to do if the new one cannot have them; None for those of the user's new files.
    like: Option<(&'p Path, OwnerChange)>,
    /// None for those who may not read one of these files.
    about: &'p [PathBuf],
}

type Content<'c> = dyn Fn(&mut std::fs::File) -> Result<(u64, u128), SaveError> + 'c;

/// Replaces the file at `path` with the output of `content`, which returns its length and hash. `check`
/// is called last, with the hash, and can still refuse.
fn put(
    fs: &dyn Fs,
    path: &Path,
    permissions: Permissions<'_>,
    content: &Content<'_>,
    check: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Result<SaveReport, SaveError> {
    let (folder, prefix) = (folder_of(path), temporary_prefix(path));
    sweep(folder, &prefix);
    let readers = permissions.like.map_or(Readers::Umask, |_| Readers::User);
    let mut temporary =
        fs.create(folder, &prefix, readers).map_err(failed("creating a temporary file"))?;
    if let Some((like, change)) = permissions.like {
        let loss = imitate(temporary.as_file(), like, &|user, group| {
            fs.give(temporary.as_file(), user, group)
        });
        let loss = loss.map_err(failed("setting permissions"))?;
        if change == OwnerChange::Refuse && !loss.is_nothing() {
            return Err(SaveError::AccessLoss(loss));
        }
    }
    for file in permissions.about.iter().filter(|file| file.exists()) {
        restrict(temporary.as_file(), file).map_err(failed("setting permissions"))?;
    }
    let (bytes, hash) = content(temporary.as_file_mut())?;
    fs.sync(temporary.as_file()).map_err(failed("syncing the file"))?;
    check(hash)?;
    fs.replace(temporary, path).map_err(failed("renaming the new file"))?;
    let doubt = fs.sync_folder(folder).err();
    Ok(SaveReport { path: path.to_owned(), bytes, hash: Some(hash), doubt, linked: false })
}

/// Removes temporary files of an interrupted save of the file at `path`.
pub fn sweep_beside(path: &Path) {
    if let Ok(path) = path.canonicalize() {
        sweep(folder_of(&path), &temporary_prefix(&path));
    }
}

/// Returns true if the file at `path` has other names (hard links).
fn is_linked(path: &Path) -> bool {
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

/// Streams the parts of `file` into `target`. Returns the number of bytes written, the hash of the
/// source (replaced parts are read for that alone), and the hash of the output.
fn copy(
    fs: &dyn Fs,
    file: &CorpusFile,
    target: &mut std::fs::File,
) -> Result<(u64, u128, u128), SaveError> {
    let (mut hasher, mut new_hasher) = (XxHash3_128::new(), XxHash3_128::new());
    let mut buffer = vec![0; CHUNK];
    let mut written = 0;
    for part in file.parts() {
        let (range, new) = match part {
            FilePart::Kept(range) => (range, None),
            FilePart::New { text, instead } => (instead, Some(text)),
        };
        let mut at = range.start;
        while at < range.end {
            let chunk = &mut buffer[..(range.end - at).min(CHUNK as u64) as usize];
            // A file that shrank was changed by another program.
            file.source().read_at(at, chunk).map_err(|error| match error.kind() {
                io::ErrorKind::UnexpectedEof => SaveError::ChangedOnDisk,
                _ => failed("reading the old file")(error),
            })?;
            hasher.write(chunk);
            if new.is_none() {
                fs.write(target, chunk).map_err(failed("writing the new file"))?;
                new_hasher.write(chunk);
                written += chunk.len() as u64;
            }
            at += chunk.len() as u64;
        }
        if let Some(text) = new {
            fs.write(target, text.as_bytes()).map_err(failed("writing the new file"))?;
            new_hasher.write(text.as_bytes());
            written += text.len() as u64;
        }
    }
    Ok((written, hasher.finish_128(), new_hasher.finish_128()))
}
