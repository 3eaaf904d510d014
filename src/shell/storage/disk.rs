//! Opens and reads regular files without waiting for pipes: small files as a whole, corpora as byte
//! sources. Also detects whether a file has changed.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use super::compressed::{Compression, UnpackedText};
use super::paths::side_path;
use crate::corpus::Source;

/// Metadata that identifies a version of a file. Equal identities do not prove equal contents; different
/// ones prove that the file was touched.
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
        Self { device, inode, size: metadata.len(), modified: metadata.modified().ok() }
    }

    /// Returns true if both are of one file, whatever was written to it in between. On systems other than
    /// Unix, always returns true.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }
}

/// Largest data file next to a corpus that is read: ontologies, ignored problems, a detector's labels.
pub const LARGEST_DATA: u64 = 16 << 20;
/// Largest file of the user's that is read: settings, keymaps, themes, sessions.
pub const LARGEST_SETTINGS: u64 = 1 << 20;

/// Opens a regular file with `options`. Does not wait for pipes, and does not open devices, because
/// opening one may have side effects.
///
/// # Errors
/// If the file cannot be opened or is not a regular file; the error names its kind.
pub fn open_regular(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    if let Ok(metadata) = std::fs::metadata(path) {
        if metadata.is_dir() {
            // For a folder, reports a permission error first.
            std::fs::read_dir(path)?;
        }
        check_regular(&metadata)?;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        // The file may be replaced by a pipe after the check.
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
    Err(io::Error::other(format!("this is {what}, not a regular file")))
}

/// Reads a whole file that is not a corpus. All such files are read here.
///
/// # Errors
/// If the file cannot be read, is not a regular file, or has more than `most` bytes (a multiple of 1
/// MiB).
pub fn read_side_file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let file = open_regular(path, File::options().read(true))?;
    if file.metadata()?.len() > most {
        return Err(too_large(most));
    }
    read_at_most(file, most)
}

/// Reads a whole text file that is not a corpus.
///
/// # Errors
/// Those of [`read_side_file`], and if the file is not UTF-8.
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
/// If it cannot be read, or has more than `most` bytes (a multiple of 1 MiB).
pub fn read_at_most(source: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large(most));
    }
    Ok(bytes)
}

fn too_large(most: u64) -> io::Error {
    let limit = most >> 20;
    let why = format!("it is larger than {limit} MiB, the limit for such files");
    io::Error::new(io::ErrorKind::FileTooLarge, why)
}

/// # Errors
/// If the bytes are not UTF-8.
pub fn as_text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// Returns true if anything exists at `path`. A link to nothing counts as nothing.
pub fn is_there(path: &Path) -> bool {
    match path.metadata() {
        Ok(_) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        // A loop of links exists; a name that is not a valid file name does not.
        Err(_) => path.symlink_metadata().is_ok(),
    }
}

/// A regular file, open for reading at any offset. Of a compressed file, its text is read.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    len: u64,
    /// The identity of the compressed file, of which `file` is the text.
    packed: Option<Identity>,
    /// The parts of the compressed file that are not in its text, each with the reason.
    damage: Vec<String>,
    is_quoted: bool,
}

impl DiskFile {
    /// Opens `path`.
    ///
    /// # Errors
    /// If it cannot be opened, is not a regular file, or is compressed and cannot be unpacked.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = open_regular(path, File::options().read(true))?;
        let (mut packed, mut damage) = (None, Vec::new());
        if let Some(compression) = Compression::of(path, &mut file)? {
            packed = Some(Identity::of(&file.metadata()?));
            UnpackedText { file, damage } = compression.unpack(file)?;
        }
        let len = file.metadata()?.len();
        let is_quoted = path.read_link().is_err() || side_path(path, path).is_ok();
        Ok(Self { file, len, packed, damage, is_quoted })
    }

    /// # Errors
    /// If the file's metadata cannot be read.
    pub fn identity(&self) -> io::Result<Identity> {
        match self.packed {
            Some(identity) => Ok(identity),
            None => self.file.metadata().map(|metadata| Identity::of(&metadata)),
        }
    }
}

/// Explains the error of a file that ends earlier than it did.
fn shorter(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::UnexpectedEof {
        let why = "the file is shorter than it was: another program has changed it";
        return io::Error::new(io::ErrorKind::UnexpectedEof, why);
    }
    error
}

/// Returns the kind of a file that is not regular, in words.
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
    if metadata.is_dir() { "a folder" } else { "a special file" }
}

/// The largest file that is kept in memory once it has changed while it was open, in bytes.
const SMALL: u64 = 4 << 20;

impl DiskFile {
    /// True if its bytes are those on the disk, and they are few.
    pub fn fits_in_memory(&self) -> bool {
        self.packed.is_none() && self.len <= SMALL
    }

    /// True if it is the text of a compressed file, which takes room on the disk.
    pub fn is_unpacked(&self) -> bool {
        self.packed.is_some()
    }
}

impl Source for DiskFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn damage(&self) -> &[String] {
        &self.damage
    }

    fn is_quoted(&self) -> bool {
        self.is_quoted
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
            match self.file.seek_read(&mut buffer[filled..], at + filled as u64)? {
                0 => return Err(shorter(io::ErrorKind::UnexpectedEof.into())),
                more => filled += more,
            }
        }
        Ok(())
    }
}
