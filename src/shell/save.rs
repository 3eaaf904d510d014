//! Saving: the old file or the new one, whole, whatever happens.
//!
//! The new text is streamed to a temporary file in the same folder, brought to the disk, and renamed
//! over the old one; then the folder is brought to the disk. Before the rename it is certain that
//! the file at the path is still the one that was read: same device, inode, size and time, and the
//! bytes that were copied hash to what was hashed when it was opened.
//!
//! # Why
//! Writing in place loses a file when the connection drops; a copy first and writing in place then
//! loses it when both are cut short. Rename is the one atomic step file systems offer, and only
//! what was synced before it survives a power failure. A failed sync is never tried again: what the
//! kernel did not write it has by then forgotten.
//!
//! The price is a file with several names: the new one has this name alone, and others keep the old text,
//! which is said. Writing in place for their sake would give up what is promised for all.

use std::io;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_128;

use super::access::{AccessLoss, OwnerChange};
use super::disk::Identity;
use super::edit_lock::taken_by;
use super::fs::{Fs, RealFs, folder_of, temporary_prefix};
use super::journal::journal_of;
use super::open::OpenedFile;
use crate::corpus::{CorpusFile, FilePart, Source};

/// What a save did.
#[derive(Debug)]
pub struct SaveReport {
    /// The file that was written, links followed.
    pub path: PathBuf,
    pub bytes: u64,
    /// Why it is not known whether the new name survives a power failure, if it is not.
    pub doubt: Option<io::Error>,
    /// The old file has other names, hard links, under which it stays as it was.
    pub linked: bool,
}

/// Why nothing was saved. The file is as it was.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    #[error("the file has changed on disk since it was read; nothing was written")]
    ChangedOnDisk,
    #[error("the file is not there any more; nothing was written")]
    FileDeleted,
    #[error("the file is being edited by process {0}; nothing was written")]
    Taken(String),
    #[error("the file's {0} cannot be kept; nothing was written")]
    AccessLoss(AccessLoss),
    #[error("the file was opened without its hash and cannot be saved")]
    NotHashed,
    #[error("{0}: the file is there already")]
    Exists(PathBuf),
    #[error("{what} failed, nothing was changed: {error}")]
    Io {
        what: &'static str,
        error: io::Error,
    },
}

fn failed(what: &'static str) -> impl Fn(io::Error) -> SaveError {
    move |error| SaveError::Io { what, error }
}

/// Bytes copied at once.
const CHUNK: usize = 1 << 20;

/// As [`save`], unless another process edits the file, which is known by the user's state folder. `change`
/// says whether its owner may be another one then.
///
/// # Errors
/// As [`save`], and if another process does.
pub fn save_alone(
    fs: &dyn Fs,
    opened: &OpenedFile,
    state: Option<&Path>,
    change: OwnerChange,
) -> Result<SaveReport, SaveError> {
    let holder = state.and_then(|state| taken_by(&journal_of(state, &opened.path)));
    if let Some(holder) = holder {
        return Err(SaveError::Taken(holder));
    }
    let OpenedFile {
        path,
        identity,
        file,
    } = opened;
    save_in_place(fs, path, *identity, file, (change, &|_| ()))
}

/// Saves a file with its edits in its own place.
///
/// # Errors
/// If it is not certain that the new file is whole and replaces what was read, or if it would not keep
/// the owner, group, mode and access list.
pub fn save(fs: &dyn Fs, opened: &OpenedFile) -> Result<SaveReport, SaveError> {
    save_alone(fs, opened, None, OwnerChange::Refuse)
}

/// As [`save`], a file that was read from `path` when it had `identity`. `change` says whether its owner may
/// be another one then; `announce` is told the hash that the file will have, when all is ready and just
/// before it has.
///
/// # Errors
/// As [`save`].
pub fn save_in_place<S: Source>(
    fs: &dyn Fs,
    path: &Path,
    identity: Identity,
    file: &CorpusFile<S>,
    (change, announce): (OwnerChange, &dyn Fn(u128)),
) -> Result<SaveReport, SaveError> {
    let or_gone = |what| {
        move |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => SaveError::FileDeleted,
            _ => failed(what)(error),
        }
    };
    let path = fs.resolve(path).map_err(or_gone("finding the file"))?;
    let check = || match fs.identify(&path) {
        Ok(now) if now == identity => Ok(()),
        Ok(_) => Err(SaveError::ChangedOnDisk),
        Err(error) => Err(or_gone("looking at the file")(error)),
    };
    // Two programs that read the same file and save it at the same time: the second one waits here,
    // and then finds that the file is another one.
    let _held = fs
        .hold(&path)
        .map_err(or_gone("opening the file for writing"))?;
    check()?;
    let linked = fs.is_linked(&path);
    let ready = |hash| {
        announce(hash);
        check()
    };
    let saved = write(fs, file, &path, Some((&path, change)), &ready)?;
    Ok(SaveReport { linked, ..saved })
}

/// Saves a file with its edits under another name, with the permissions of the original. What is there
/// already is replaced if `overwrite` says so.
///
/// # Errors
/// As [`save`], and if something is there, which stays as it is.
pub fn save_as(
    fs: &dyn Fs,
    opened: &OpenedFile,
    path: &Path,
    overwrite: bool,
) -> Result<SaveReport, SaveError> {
    let vacant = || is_vacant(path, overwrite);
    vacant()?;
    let like = (opened.path.as_path(), OwnerChange::Allow);
    write(fs, &opened.file, path, Some(like), &|_| vacant())
}

/// # Errors
/// If there is something at `path` that may not be replaced.
fn is_vacant(path: &Path, overwrite: bool) -> Result<(), SaveError> {
    match path.symlink_metadata() {
        Ok(_) if !overwrite => Err(SaveError::Exists(path.to_owned())),
        _ => Ok(()),
    }
}

/// Writes a new file. One that is there already is replaced if `overwrite` says so.
///
/// # Errors
/// If it is there, or cannot be written; it is then as it was.
pub fn write_new(
    fs: &dyn Fs,
    path: &Path,
    text: &[u8],
    overwrite: bool,
) -> Result<SaveReport, SaveError> {
    let vacant = || is_vacant(path, overwrite);
    vacant()?;
    put(fs, path, None, &all_of(fs, text), &|_| vacant())
}

/// Writes a text in the place of the file at `path`, with its permissions, or as a new file.
///
/// # Errors
/// If it cannot be written; the file is then as it was.
pub fn put_text(fs: &dyn Fs, path: &Path, text: &[u8]) -> Result<SaveReport, SaveError> {
    let like = path.exists().then_some((path, OwnerChange::Allow));
    put(fs, path, like, &all_of(fs, text), &|_| Ok(()))
}

/// A text as the content of a file; its hash is not asked for.
fn all_of(
    fs: &dyn Fs,
    text: &[u8],
) -> impl Fn(&mut std::fs::File) -> Result<(u64, u128), SaveError> {
    move |target| {
        fs.write(target, text)
            .map_err(failed("writing the new file"))?;
        Ok((text.len() as u64, 0))
    }
}

/// Writes a file that was begun in memory for the first time, and its folder if that is not there.
/// `announce` is told the hash that it will have, as by [`save_in_place`].
///
/// # Errors
/// As [`save`], and if somebody else has put a file there meanwhile, which stays as it is.
pub fn save_new<S: Source>(
    fs: &dyn Fs,
    path: &Path,
    file: &CorpusFile<S>,
    announce: &dyn Fn(u128),
) -> Result<SaveReport, SaveError> {
    if let Some(folder) = path.parent() {
        fs.create_folder(folder)
            .map_err(failed("making the folder"))?;
    }
    let vacant = || is_vacant(path, false);
    vacant()?;
    let ready = |hash| {
        announce(hash);
        vacant()
    };
    write(fs, file, path, None, &ready)
}

fn write<S: Source>(
    fs: &dyn Fs,
    file: &CorpusFile<S>,
    path: &Path,
    like: Option<OwnerModel<'_>>,
    check: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Result<SaveReport, SaveError> {
    let hash = file.index().hash.ok_or(SaveError::NotHashed)?;
    let content = |target: &mut std::fs::File| {
        let (bytes, copied, new) = copy(fs, file, target)?;
        if copied == hash {
            Ok((bytes, new))
        } else {
            Err(SaveError::ChangedOnDisk)
        }
    };
    put(fs, path, like, &content, check)
}

/// A file whose owner, group, mode and access list the new one is to have, and what to do if it cannot.
type OwnerModel<'p> = (&'p Path, OwnerChange);

type Content<'c> = dyn Fn(&mut std::fs::File) -> Result<(u64, u128), SaveError> + 'c;

/// Puts what `content` writes, and returns the length and the hash of, in the place of the file at
/// `path`. `check` is the last to say whether it may be, and is told the hash.
fn put(
    fs: &dyn Fs,
    path: &Path,
    like: Option<OwnerModel<'_>>,
    content: &Content<'_>,
    check: &dyn Fn(u128) -> Result<(), SaveError>,
) -> Result<SaveReport, SaveError> {
    let (folder, prefix) = (folder_of(path), temporary_prefix(path));
    fs.sweep(folder, &prefix);
    let temporary = match like {
        Some(_) => fs.create(folder, &prefix),
        None => fs.create_public(folder, &prefix),
    };
    let mut temporary = temporary.map_err(failed("making a temporary file"))?;
    if let Some((like, change)) = like {
        let loss = fs.imitate(temporary.as_file(), like);
        let loss = loss.map_err(failed("setting permissions"))?;
        if change == OwnerChange::Refuse && !loss.is_nothing() {
            return Err(SaveError::AccessLoss(loss));
        }
    }
    let (bytes, hash) = content(temporary.as_file_mut())?;
    fs.sync(temporary.as_file())
        .map_err(failed("bringing the file to the disk"))?;
    check(hash)?;
    fs.replace(temporary, path)
        .map_err(failed("renaming the new file"))?;
    let doubt = fs.sync_folder(folder).err();
    Ok(SaveReport {
        path: path.to_owned(),
        bytes,
        doubt,
        linked: false,
    })
}

/// Removes what a save of the file at `path` has left that was cut off.
pub fn sweep(path: &Path) {
    if let Ok(path) = RealFs.resolve(path) {
        RealFs.sweep(folder_of(&path), &temporary_prefix(&path));
    }
}

/// Streams the parts of `file` into `target`; the number of bytes written, the hash of all bytes of
/// the source, of which the replaced ones are read for that alone, and the hash of what was written.
fn copy<S: Source>(
    fs: &dyn Fs,
    file: &CorpusFile<S>,
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
            // A file that shrank under us is a file that has changed.
            file.source()
                .read_at(at, chunk)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => SaveError::ChangedOnDisk,
                    _ => failed("reading the old file")(error),
                })?;
            hasher.write(chunk);
            if new.is_none() {
                fs.write(target, chunk)
                    .map_err(failed("writing the new file"))?;
                new_hasher.write(chunk);
                written += chunk.len() as u64;
            }
            at += chunk.len() as u64;
        }
        if let Some(text) = new {
            fs.write(target, text.as_bytes())
                .map_err(failed("writing the new file"))?;
            new_hasher.write(text.as_bytes());
            written += text.len() as u64;
        }
    }
    Ok((written, hasher.finish_128(), new_hasher.finish_128()))
}
