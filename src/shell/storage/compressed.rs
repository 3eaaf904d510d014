//! Compressed files, which are read only: `.gz`, `.zst`, and logs of Inspect (`.eval`), which are zip files.
//!
//! The text is written as a stream into a temporary file without a name, where it can be read at any offset, like that
//! of other files. Its size is bounded, because a small file may hold much. Of a damaged stream, the text before the damage
//! is read, and the damage is kept beside that. A damaged log is an error. Of samples with one name, the last one is read,
//! as all programs do.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::zstandard::{Checked, Frames};
use crate::json::Parser;

/// The most bytes of text (a multiple of 1 MiB).
const LARGEST: u64 = 1 << 30;
/// The most bytes of a sample that are in memory to see whether it is damaged.
const CHECKED: u64 = 64 << 20;
/// The most members of a zip file.
const MOST_MEMBERS: usize = 100_000;
/// The folder with the samples in a log of Inspect, and the member with all that its `.json` has beside them.
const SAMPLES: &str = "samples/";
const HEADER: &str = "header.json";

/// A way to compress a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstandard,
    /// A log of Inspect.
    Eval,
}

/// The text of a compressed file.
pub struct UnpackedText {
    pub file: File,
    /// The parts of the file that are not in its text, each with the reason.
    pub damage: Vec<String>,
}

impl Compression {
    /// Returns the way that the name of a file tells.
    pub fn of_name(path: &Path) -> Option<Self> {
        let end = path.extension()?;
        let ways = [("gz", Self::Gzip), ("zst", Self::Zstandard), ("eval", Self::Eval)];
        let way = ways.iter().find(|(name, _)| end.eq_ignore_ascii_case(name));
        way.map(|(_, way)| *way)
    }

    /// Returns the way in which an open file is compressed: its name and its first bytes tell.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path, file: &mut File) -> io::Result<Option<Self>> {
        let Some(named) = Self::of_name(path) else {
            return Ok(None);
        };
        let mut begin = Vec::new();
        file.take(4).read_to_end(&mut begin)?;
        file.rewind()?;
        let magic: &[u8] = match named {
            Self::Gzip => &[0x1f, 0x8b],
            // A frame, or one that is to be skipped.
            Self::Zstandard => match begin.first() {
                Some(first) if first & 0xf0 == 0x50 => &[],
                _ => &[0x28, 0xb5, 0x2f, 0xfd],
            },
            Self::Eval => b"PK",
        };
        Ok(begin.starts_with(magic).then_some(named))
    }

    /// Returns the text of a file, in a temporary file.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or holds more than the limit, which the error names.
    pub fn unpack(self, file: File) -> io::Result<UnpackedText> {
        let mut text = Unpacked { out: BufWriter::new(tempfile::tempfile()?), left: LARGEST };
        let mut damage = Vec::new();
        let read = match self {
            Self::Gzip => text.append(MultiGzDecoder::new(BufReader::new(file))),
            Self::Zstandard => text.append(Frames::new(BufReader::new(file))),
            Self::Eval => text.append_samples(BufReader::new(file)),
        };
        match read {
            Err(error) if self != Self::Eval && is_damage(&error) => {
                if text.left == LARGEST {
                    let why =
                        format!("the file is damaged, and nothing in it can be read: {error}");
                    return Err(io::Error::new(error.kind(), why));
                }
                damage.push(format!("the file is damaged: {error}"));
            }
            read => read?,
        }
        let file = text.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(UnpackedText { file, damage })
    }
}

/// True for an error in what a file holds.
fn is_damage(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}

/// A text that is being written.
struct Unpacked {
    out: BufWriter<File>,
    /// The number of bytes that it may still have.
    left: u64,
}

impl Unpacked {
    /// Appends all that `source` has.
    fn append(&mut self, source: impl Read) -> io::Result<()> {
        let before = self.out.stream_position()?;
        let read = io::copy(&mut source.take(self.left + 1), &mut self.out);
        let read_bytes = self.out.stream_position()? - before;
        self.left = self.left.checked_sub(read_bytes).ok_or_else(|| {
            let limit = LARGEST >> 20;
            let why =
                format!("its text is larger than {limit} MiB, the limit for compressed files");
            io::Error::new(io::ErrorKind::FileTooLarge, why)
        })?;
        read.map(drop)
    }

    /// Appends the samples of a log of Inspect, as its `.json` has them: an object with the members of its header, the list
    /// of samples, and the names of members that are not read. No name of a member becomes that of a file.
    fn append_samples(&mut self, source: BufReader<File>) -> io::Result<()> {
        let mut zip = ZipArchive::new(source).map_err(|error| {
            io::Error::other(format!("the log is cut short or damaged: {}", plain(error)))
        })?;
        if zip.len() > MOST_MEMBERS {
            let why = format!("it has more than {MOST_MEMBERS} members, the limit for zip files");
            return Err(io::Error::other(why));
        }
        let name = |zip: &ZipArchive<_>, number| match zip.name_for_index(number).transpose() {
            Ok(name) => Ok(name.unwrap_or_default().into_owned()),
            Err(error) => Err(io::Error::other(error)),
        };
        let names = (0..zip.len()).map(|number| name(&zip, number));
        let names: Vec<String> = names.collect::<io::Result<_>>()?;
        self.append(&b"{"[..])?;
        if let Some(number) = names.iter().position(|name| name == HEADER) {
            let (header, _) = checked(&mut zip, number, HEADER)?;
            let members = header.trim_ascii().strip_prefix(b"{");
            let members = members.and_then(|members| members.strip_suffix(b"}"));
            let members = members.ok_or_else(|| damaged(HEADER, &"it is not an object"))?;
            if !members.trim_ascii().is_empty() {
                self.append(members.trim_ascii())?;
                self.append(&b",\n"[..])?;
            }
        }
        self.append(&b"\"samples\":[\n"[..])?;
        let is_json = |name: &str| Path::new(name).extension().is_some_and(|end| end == "json");
        let is_sample = |name: &str| name.starts_with(SAMPLES) && is_json(name);
        let mut count = 0;
        for (number, name) in names.iter().enumerate().filter(|(_, name)| is_sample(name)) {
            if count > 0 {
                self.append(&b",\n"[..])?;
            }
            let (sample, rest) = checked(&mut zip, number, name)?;
            self.append(sample.as_slice().chain(rest))?;
            count += 1;
        }
        if count == 0 {
            return Err(io::Error::other("it has no samples, so it is not a log of Inspect"));
        }
        let is_read = |name: &str| is_sample(name) || name == HEADER || name.ends_with('/');
        let unread: BTreeSet<_> = names.into_iter().filter(|name| !is_read(name)).collect();
        self.append(&b"\n]"[..])?;
        for name in unread.into_iter().map(serde_json::Value::from) {
            self.append(format!(",\n{name}:\"not read\"").as_bytes())?;
        }
        self.append(&b"}\n"[..])
    }
}

/// Returns the reason why a zip file cannot be read.
fn plain(error: ZipError) -> io::Error {
    let why = match error {
        ZipError::Io(error) => return error,
        ZipError::InvalidArchive(_) => {
            "the list of members at the end of the file is missing or damaged"
        }
        ZipError::FileNotFound => "a listed member is missing",
        ZipError::InvalidPassword => "it is encrypted",
        ZipError::UnsupportedArchive(why) => why,
        error => return io::Error::other(error),
    };
    io::Error::other(why)
}

/// Returns the text of a member of a zip file, which is JSON unless it is too long to be checked; then its first part, and
/// the rest.
fn checked<'z>(
    zip: &'z mut ZipArchive<BufReader<File>>,
    number: usize,
    name: &str,
) -> io::Result<(Vec<u8>, Box<dyn Read + 'z>)> {
    let mut member = member(zip, number).map_err(|error| damaged(name, &error))?;
    let mut text = Vec::new();
    let read = (&mut member).take(CHECKED).read_to_end(&mut text);
    let read = read.map_err(|error| damaged(name, &error))?;
    if (read as u64) < CHECKED {
        Parser::new().parse(&text).map_err(|error| damaged(name, &error))?;
    }
    Ok((text, member))
}

fn damaged(name: &str, why: &dyn fmt::Display) -> io::Error {
    io::Error::other(format!("{name} is damaged: {why}"))
}

/// Returns the text of a member of a zip file.
fn member(zip: &mut ZipArchive<BufReader<File>>, number: usize) -> io::Result<Box<dyn Read + '_>> {
    let zstandard = CompressionMethod::ZSTD;
    let compression = zip.by_index_raw(number).map_err(plain)?.compression();
    if compression != zstandard {
        return Ok(Box::new(zip.by_index(number).map_err(plain)?));
    }
    let raw = zip.by_index_raw(number).map_err(plain)?;
    let checksum = raw.crc32();
    let frames = Frames::new(BufReader::new(raw));
    Ok(Box::new(Checked::new(frames, checksum)))
}
