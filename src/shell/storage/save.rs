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

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use twox_hash::XxHash3_128;

use super::access::{AccessLoss, OwnerChange, imitate, restrict};
use super::compressed::Compression;
use super::disk::Identity;
use super::edit_lock::taken_by;
use super::fs::{
    Fs, Readers, RealFs, create_beside, create_folder, hold, put_in_place, sweep, temporary_prefix,
};
use super::journal::journal_of;
use super::open::OpenedFile;
use super::paths::{folder_of, side_path};
use crate::corpus::{CorpusFile, FilePart};
use crate::workspace::{OwnFile, holder_name};

/// The result of a save.
#[derive(Debug)]
pub struct SaveReport {
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
        "without the quotes that these edits remove, turnwise could not tell the unit of other spans, and would misread them; nothing was written"
    )]
    OtherUnit,
    #[error(
        "the file is compressed and therefore read-only; unpack it before editing; nothing was written"
    )]
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

pub fn failed(what: &'static str) -> impl Fn(io::Error) -> SaveError {
    move |error| SaveError::Io { what, error }
}

/// Bytes copied at once.
const CHUNK: usize = 1 << 20;

/// The state of a path, which stays until the new file is put there.
#[derive(Clone, Copy, Debug)]
pub enum Expect {
    Nothing,
    /// The file that was read, perhaps by way of a link.
    File(Identity),
    /// Nothing, or a file or link that can go.
    Anything,
}

/// Content to save.
#[derive(Clone, Copy)]
pub enum Content<'c> {
    /// A corpus with its edits.
    Corpus(&'c CorpusFile),
    Text(&'c [u8]),
}

/// A place to save something.
pub struct Save<'s> {
    pub path: &'s Path,
    pub expect: Expect,
    /// A file that the new one is a copy of. It has the permissions of that, or those of the file that it replaces as far as
    /// nobody may read it who may not read that.
    pub like: Option<&'s Path>,
    /// Whether the new file may lack some permissions of the one that it is like or replaces.
    pub change: OwnerChange,
    /// The corpora that a side file is about, the first of which it is beside. Nobody may read it who may not read them all.
    pub about: &'s [PathBuf],
    /// The user's state folder, if nobody else may hold the edit lock of the file.
    pub state: Option<&'s Path>,
    /// Called with the hash of the new file when all is ready, just before it is put there; can still refuse.
    pub ready: &'s dyn Fn(u128) -> Result<(), SaveError>,
}

impl Expect {
    /// Returns what is at a path now.
    pub fn now(path: &Path) -> Self {
        path.metadata().map_or(Self::Nothing, |there| Self::File(Identity::of(&there)))
    }

    fn check(self, path: &Path) -> Result<(), SaveError> {
        match self {
            Self::Nothing if path.symlink_metadata().is_ok() => {
                Err(SaveError::Exists(path.to_owned()))
            }
            Self::Nothing | Self::Anything => Ok(()),
            Self::File(identity) => match path.metadata() {
                Ok(now) if Identity::of(&now) == identity => Ok(()),
                Ok(_) => Err(SaveError::ChangedOnDisk),
                Err(error) => Err(or_gone("checking the file")(error)),
            },
        }
    }
}

fn or_gone(what: &'static str) -> impl Fn(io::Error) -> SaveError {
    move |error| match error.kind() {
        io::ErrorKind::NotFound => SaveError::FileDeleted,
        _ => failed(what)(error),
    }
}

impl<'s> Save<'s> {
    /// Returns the save of a file that is like no other and about none.
    pub fn at(path: &'s Path, expect: Expect) -> Self {
        let (like, change, about) = (None, OwnerChange::Allow, &[]);
        Self { path, expect, like, change, about, state: None, ready: &|_| Ok(()) }
    }

    /// Returns the save of a file where it was read, if it can keep its permissions.
    pub fn of(opened: &'s OpenedFile) -> Self {
        let expect = opened.identity.map_or(Expect::Nothing, Expect::File);
        Self { change: OwnerChange::Refuse, ..Self::at(&opened.path, expect) }
    }

    /// Writes the file, in a folder that is made if needed. The corpus that is saved was opened with its hash.
    ///
    /// # Errors
    /// If it is not certain that the new file is whole and replaces what is expected; that is unchanged then.
    pub fn put(&self, fs: &dyn Fs, content: Content<'_>) -> Result<SaveReport, SaveError> {
        let Self { path, expect, .. } = *self;
        if let Some(by) = self.state.and_then(|state| taken_by(&journal_of(state, path))) {
            return Err(SaveError::Taken(by));
        }
        let beside = || OwnFile::corpus_folder(path).map(|folder| folder.join("corpus"));
        let corpus = self.about.first().cloned().or_else(beside);
        let place = corpus.map(|corpus| side_path(&corpus, path));
        let place = place.unwrap_or_else(|| Ok(path.to_owned())).map_err(SaveError::LinkOut)?;
        let is_there = matches!(expect, Expect::File(_));
        let path = &if is_there {
            place.canonicalize().map_err(or_gone("finding the file"))?
        } else {
            create_folder(fs, folder_of(&place)).map_err(failed("making the folder"))?;
            place
        };
        // If two programs read the same file and save it at the same time, the second one waits here, and
        // then finds that the file has changed.
        let held = is_there.then(|| hold(path)).transpose();
        let _held = held.map_err(or_gone("opening the file for writing"))?;
        expect.check(path)?;
        let linked = is_there && is_linked(path);
        content.check(path)?;
        let (own, like) = (path.exists().then_some(path.as_path()), self.like);
        let like = like.filter(|like| like.exists());
        let readers = own.or(like).map_or(Readers::Umask, |_| Readers::User);
        let mut temporary =
            create_beside(fs, path, readers).map_err(failed("creating a temporary file"))?;
        if let Some(like) = own.or(like) {
            let give = |user, group| fs.give(temporary.as_file(), user, group);
            let loss = imitate(temporary.as_file(), like, &give);
            let loss = loss.map_err(failed("setting permissions"))?;
            if self.change == OwnerChange::Refuse && !loss.is_nothing() {
                return Err(SaveError::AccessLoss(loss));
            }
        }
        let about = self.about.iter().map(PathBuf::as_path).filter(|file| file.exists());
        for file in about.chain(like.filter(|_| own.is_some())) {
            restrict(temporary.as_file(), file).map_err(failed("setting permissions"))?;
        }
        let hash = content.write(fs, temporary.as_file_mut())?;
        fs.sync(temporary.as_file()).map_err(failed("syncing the file"))?;
        (self.ready)(hash)?;
        expect.check(path)?;
        let doubt = put_in_place(fs, temporary, path).map_err(failed("renaming the new file"))?;
        Ok(SaveReport { hash: Some(hash), doubt, linked })
    }
}

impl Content<'_> {
    fn check(self, path: &Path) -> Result<(), SaveError> {
        match self {
            Self::Corpus(_) if Compression::of_name(path).is_some() => Err(SaveError::Compressed),
            Self::Corpus(file) if file.index().hash.is_none() => Err(SaveError::NotHashed),
            Self::Corpus(file) if !file.keeps_unit() => Err(SaveError::OtherUnit),
            Self::Corpus(_) | Self::Text(_) => Ok(()),
        }
    }

    /// Writes it to a file; returns its hash.
    fn write(self, fs: &dyn Fs, target: &mut File) -> Result<u128, SaveError> {
        match self {
            Self::Text(text) => {
                fs.write(target, text).map_err(failed("writing the new file"))?;
                Ok(XxHash3_128::oneshot(text))
            }
            Self::Corpus(file) => match copy(fs, file, target)? {
                [copied, new] if file.index().hash == Some(copied) => Ok(new),
                _ => Err(SaveError::ChangedOnDisk),
            },
        }
    }
}

/// Writes a text to a file, and makes its folder if needed. Replaces an existing file only with `overwrite`. A side file
/// has the corpora that it is `about`, the first of which it is beside; any other file has none.
///
/// # Errors
/// If it cannot be written, or a link leads out of the folder of the corpus, or to nothing; the file is unchanged then.
pub fn write_text(
    path: &Path,
    text: &[u8],
    about: &[PathBuf],
    overwrite: bool,
) -> Result<SaveReport, SaveError> {
    let expect = if overwrite { Expect::Anything } else { Expect::Nothing };
    Save { about, ..Save::at(path, expect) }.put(&RealFs, Content::Text(text))
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

/// Streams the parts of `file` into `target`. Returns the hash of the source (replaced parts are read for that alone),
/// and that of the output.
fn copy(fs: &dyn Fs, file: &CorpusFile, target: &mut File) -> Result<[u128; 2], SaveError> {
    let (mut hasher, mut new_hasher) = (XxHash3_128::new(), XxHash3_128::new());
    let mut buffer = vec![0; CHUNK];
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
            }
            at += chunk.len() as u64;
        }
        if let Some(text) = new {
            fs.write(target, text.as_bytes()).map_err(failed("writing the new file"))?;
            new_hasher.write(text.as_bytes());
        }
    }
    Ok([hasher.finish_128(), new_hasher.finish_128()])
}
