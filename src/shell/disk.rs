//! Opening and reading files on the disk: only regular ones, without waiting for any, small ones as a
//! whole and corpora as a source of bytes; and what tells whether a file is still the same.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::corpus::Source;

/// What a file on disk is known by. Equal identities do not prove equal contents, but unequal ones
/// prove that somebody touched the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    device: u64,
    inode: u64,
    size: u64,
    modified: Option<SystemTime>,
}

impl Identity {
    pub fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        let (device, inode) = {
            use std::os::unix::fs::MetadataExt as _;
            (metadata.dev(), metadata.ino())
        };
        #[cfg(not(unix))]
        let (device, inode) = (0, 0);
        Self {
            device,
            inode,
            size: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// Largest file of data beside corpora that is read: ontologies, ignored problems, a detector's labels.
pub const LARGEST_DATA: u64 = 16 << 20;
/// Largest file of the user's own that is read: settings, keymaps, themes, sessions.
pub const LARGEST_SETTINGS: u64 = 1 << 20;

/// Opens a regular file in the way that `options` say. A pipe is not waited for, and a device not even
/// opened: opening one may already do something.
///
/// # Errors
/// If it cannot be opened, or is something else: what it is.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if let Ok(metadata) = std::fs::metadata(path) {
        if metadata.is_dir() {
            // Of a folder it matters whether it could be looked into.
            std::fs::read_dir(path)?;
        }
        check_regular(&metadata)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // It may become a pipe after the look at it.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    check_regular(&file.metadata()?)?;
    Ok(file)
}

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = kind_of(metadata);
    Err(io::Error::other(format!(
        "this is {what}, not a regular file"
    )))
}

/// Reads all of a file that is no corpus. Whatever reads such a file reads it here.
///
/// # Errors
/// If it cannot be read, is no regular file, or has more than `most` bytes, a multiple of 1 MiB.
pub fn read_side_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path, File::options().read(true))?;
    read_at_most(file, most)
}

/// As [`read_side_file`], a text.
///
/// # Errors
/// As [`read_side_file`], and if it is not UTF-8.
pub fn read_side_text(path: &Path, most: u64) -> io::Result<String> {
    as_text(read_side_file(path, most)?)
}

/// As [`read_side_file`], of a file that the user named: a shell may have opened it and pass on a pipe, as
/// for `turnwise apply <(command)`.
///
/// # Errors
/// As [`read_side_file`].
pub fn read_named_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    if path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd") {
        return read_at_most(File::open(path)?, most);
    }
    read_side_file(path, most)
}

/// Reads `source` to its end.
///
/// # Errors
/// If it cannot be read, or has more than `most` bytes, a multiple of 1 MiB.
pub fn read_at_most(source: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let limit = most >> 20;
        let why = format!("it is larger than {limit} MiB, the most that is read of such a file");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// # Errors
/// If the bytes are not UTF-8.
pub fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// True if something is called `path`, whatever it is; a link that leads nowhere is nothing.
pub fn is_there(path: &Path) -> bool {
    match path.metadata() {
        Ok(_) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        // A loop of links is something, and a name that no file can have is not.
        Err(_) => path.symlink_metadata().is_ok(),
    }
}

/// A regular file, open for reading at any offset.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    len: u64,
}

impl DiskFile {
    /// Opens `path`, which must be a regular file: waiting for what a pipe may deliver is not
    /// reading a corpus.
    ///
    /// # Errors
    /// If it cannot be opened, or is something else.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path, File::options().read(true))?;
        let len = file.metadata()?.len();
        Ok(Self { file, len })
    }

    /// # Errors
    /// If the file's metadata cannot be read.
    pub fn identity(&self) -> io::Result<Identity> {
        self.file.metadata().map(|metadata| Identity::of(&metadata))
    }
}

/// Says in words what it means that a file ends before what was once read from it.
fn shorter(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        let why = "the file is shorter than it was: another program has changed it";
        return io::Error::new(io::ErrorKind::UnexpectedEof, why);
    }
    error
}

/// What is no regular file, in words.
pub fn kind_of(metadata: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = metadata.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if metadata.is_dir() {
        "a folder"
    } else {
        "something special"
    }
}

/// How a file is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenMode {
    /// Open: whatever happens to its name, it can be read on.
    Open,
    /// By its path: of many files, only few can be open at once.
    Path,
}

/// A regular file that is held in one of two ways.
#[derive(Debug)]
pub enum CorpusSource {
    Open(Arc<DiskFile>),
    Path {
        path: PathBuf,
        identity: Option<Identity>,
        len: u64,
    },
}

impl DiskFile {
    /// This file, at `path`, held in a way.
    pub fn held(self: &Arc<Self>, path: &Path, held: OpenMode) -> CorpusSource {
        match held {
            OpenMode::Open => CorpusSource::Open(Arc::clone(self)),
            OpenMode::Path => CorpusSource::Path {
                path: path.to_owned(),
                identity: self.identity().ok(),
                len: self.len,
            },
        }
    }
}

impl Source for CorpusSource {
    fn len(&self) -> u64 {
        match self {
            Self::Open(file) => file.len(),
            Self::Path { len, .. } => *len,
        }
    }

    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        match self {
            Self::Open(file) => file.read_at(at, buffer),
            Self::Path { path, identity, .. } => {
                let file = DiskFile::open(path)?;
                if file.identity().ok() != *identity {
                    return Err(io::Error::other("the file was changed by another program"));
                }
                file.read_at(at, buffer)
            }
        }
    }
}

impl Source for DiskFile {
    fn len(&self) -> u64 {
        self.len
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::os::unix::fs::FileExt as _;
        self.file.read_exact_at(buffer, at).map_err(shorter)
    }

    #[cfg(windows)]
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<()> {
        use std::os::windows::fs::FileExt as _;
        let mut filled = 0;
        while filled < buffer.len() {
            match self
                .file
                .seek_read(&mut buffer[filled..], at + filled as u64)?
            {
                0 => return Err(shorter(io::ErrorKind::UnexpectedEof.into())),
                more => filled += more,
            }
        }
        Ok(())
    }
}
