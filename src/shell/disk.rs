//! An open file as a source of bytes, and what tells whether it is still the same file.

use std::fs::{File, Metadata};
use std::io;
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
        let metadata = std::fs::metadata(path)?;
        if metadata.is_dir() {
            // Of a folder it matters whether it could be looked into.
            std::fs::read_dir(path)?;
        }
        if !metadata.is_file() {
            let what = kind_of(&metadata);
            return Err(io::Error::other(format!(
                "this is {what}, not a regular file"
            )));
        }
        let file = File::open(path)?;
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

fn kind_of(metadata: &Metadata) -> &'static str {
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
pub enum Held {
    /// Open: whatever happens to its name, it can be read on.
    Open,
    /// By its path: of many files, only few can be open at once.
    Path,
}

/// A regular file that is held in one of two ways.
#[derive(Debug)]
pub enum HeldFile {
    Open(Arc<DiskFile>),
    Path {
        path: PathBuf,
        identity: Option<Identity>,
        len: u64,
    },
}

impl DiskFile {
    /// This file, at `path`, held in a way.
    pub fn held(self: &Arc<Self>, path: &Path, held: Held) -> HeldFile {
        match held {
            Held::Open => HeldFile::Open(Arc::clone(self)),
            Held::Path => HeldFile::Path {
                path: path.to_owned(),
                identity: self.identity().ok(),
                len: self.len,
            },
        }
    }
}

impl Source for HeldFile {
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
