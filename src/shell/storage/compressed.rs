//! Compressed files, which are read only: `.gz`, `.zst`, and logs of Inspect (`.eval`), which are zip files.
//!
//! The text is written as a stream into a temporary file without a name, where it can be read at any offset, like that
//! of other files. Its size is bounded, because a small file may hold much. Of a damaged file, the text before the damage
//! is read, and of a log its whole samples; the damage is kept beside that. A log that is cut short is an error, because
//! the list of its samples is at its end.

use std::collections::{BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek as _, SeekFrom};
use std::path::{Component, Path};

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
/// The first bytes of a member in the list of all, which is at the end of the file.
const LISTED_MEMBER: &[u8] = b"PK\x01\x02";
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
        let mut text = Unpacked {
            out: BufWriter::new(tempfile::tempfile()?),
            left: LARGEST,
            damage: Vec::new(),
        };
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
                text.damage.push(format!("the file is damaged: {error}"));
            }
            read => read?,
        }
        let file = text.out.into_inner();
        Ok(UnpackedText {
            file: file.map_err(io::IntoInnerError::into_error)?,
            damage: text.damage,
        })
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
    /// The parts of a log that are not in its text, each with the reason.
    damage: Vec<String>,
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

    /// Appends the samples of a log of Inspect, as its `.json` has them. No name of a member becomes that of a file.
    fn append_samples(&mut self, mut source: BufReader<File>) -> io::Result<()> {
        let mut samples =
            Samples { text: self, members: 0, count: 0, header: None, unread: BTreeSet::new() };
        let mut zip = ZipArchive::new(&mut source).map_err(|error| {
            io::Error::other(format!("the log is cut short or damaged: {}", plain(error)))
        })?;
        if let Some(number) = zip.index_for_name(HEADER) {
            samples.begin_with(member(&mut zip, number));
        }
        for number in 0..zip.len() {
            let name = zip.name_for_index(number);
            let name = name.transpose().map_err(io::Error::other)?;
            let name = name.unwrap_or_default().into_owned();
            samples.add(&name, member(&mut zip, number))?;
        }
        let list = zip.central_directory_start();
        drop(zip);
        source.seek(SeekFrom::Start(list))?;
        for name in named_again(&mut source)? {
            samples.say(format!("{name} is there several times; only the last one is read"));
        }
        if samples.count == 0 {
            let why = match self.damage.as_slice() {
                [] => "it has no samples, which a log of Inspect has".to_owned(),
                damage => damage.join("; "),
            };
            return Err(io::Error::other(why));
        }
        let unread = samples.unread.iter().map(|name| {
            let name = serde_json::Value::from(name.as_str());
            format!(",\n{name}:\"not read\"")
        });
        let end: String = unread.collect();
        self.append(format!("\n]{end}}}\n").as_bytes())
    }
}

/// Returns the reason why a zip file cannot be read.
fn plain(error: ZipError) -> io::Error {
    let why = match error {
        ZipError::Io(error) => return error,
        ZipError::InvalidArchive(_) => "the list of its members, at its end, is missing or damaged",
        ZipError::FileNotFound => "a member that is listed is not there",
        ZipError::InvalidPassword => "it is encrypted",
        ZipError::UnsupportedArchive(why) => why,
        error => return io::Error::other(error),
    };
    io::Error::other(why)
}

/// Returns the names of samples that a list of the members of a zip file has again, from the list on.
fn named_again(source: &mut BufReader<File>) -> io::Result<BTreeSet<String>> {
    let (mut known, mut again) = (HashSet::new(), BTreeSet::new());
    let mut header = [0; 46];
    while source.read_exact(&mut header).is_ok() && header.starts_with(LISTED_MEMBER) {
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let mut name = vec![0; length(28).into()];
        source.read_exact(&mut name)?;
        source.seek_relative(i64::from(length(30)) + i64::from(length(32)))?;
        let name = String::from_utf8_lossy(&name).into_owned();
        if name.starts_with(SAMPLES) && !known.insert(name.clone()) {
            again.insert(name);
        }
    }
    Ok(again)
}

/// Returns the text of a member of a zip file.
fn member<'z>(
    zip: &'z mut ZipArchive<&mut BufReader<File>>,
    number: usize,
) -> io::Result<Box<dyn Read + 'z>> {
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

/// The text of the samples of a log, which is being written.
struct Samples<'t> {
    text: &'t mut Unpacked,
    /// The number of members of the zip file so far.
    members: usize,
    /// The number of elements of the list so far.
    count: usize,
    /// The members of the log's object beside its samples, once they are read.
    header: Option<Vec<u8>>,
    /// The names of other members.
    unread: BTreeSet<String>,
}

impl Samples<'_> {
    /// Reads the members of the log's object beside its samples, which come before those in the text.
    fn begin_with(&mut self, header: io::Result<impl Read>) {
        let mut text = Vec::new();
        let read = header.and_then(|header| header.take(CHECKED).read_to_end(&mut text));
        let members = text.trim_ascii().strip_prefix(b"{");
        let members = members.and_then(|members| members.strip_suffix(b"}"));
        let damage = match (read, Parser::new().parse(&text), members) {
            (Err(error), ..) => error.to_string(),
            (_, Err(error), _) => error.to_string(),
            (.., None) => "it is not an object".to_owned(),
            (.., Some(members)) => {
                self.header = Some(members.trim_ascii().to_vec());
                return;
            }
        };
        self.say(format!("{HEADER} is damaged: {damage}"));
    }

    /// Adds a member of the zip file, if it is a sample.
    fn add(&mut self, name: &str, mut member: io::Result<impl Read>) -> io::Result<()> {
        self.members += 1;
        if self.members > MOST_MEMBERS {
            let why = format!("it has more than {MOST_MEMBERS} members, the limit for zip files");
            return Err(io::Error::other(why));
        }
        let path = Path::new(name);
        let is_inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if !path.components().all(is_inside) {
            let why = "is not read, because its name leads out of the log";
            self.say(format!("{name} {why}"));
            return Ok(());
        }
        if !name.starts_with(SAMPLES) || path.extension().is_none_or(|end| end != "json") {
            let is_read = name == HEADER && self.header.is_some();
            if !is_read && !name.ends_with('/') {
                self.unread.insert(name.to_owned());
            }
            return Ok(());
        }
        let mut sample = Vec::new();
        let read = match &mut member {
            Ok(member) => member.take(CHECKED).read_to_end(&mut sample),
            Err(error) => Err(io::Error::other(error.to_string())),
        };
        let damage = match read {
            Err(error) => Some(error.to_string()),
            Ok(length) if length as u64 == CHECKED => None,
            Ok(_) => Parser::new().parse(&sample).err().map(|e| e.to_string()),
        };
        match (damage, member) {
            (Some(why), _) => {
                self.say(format!("{name} is damaged: {why}"));
                Ok(())
            }
            (None, member) => self.element((&sample[..]).chain(member?)),
        }
    }

    /// Tells what is not in the text.
    fn say(&mut self, why: String) {
        self.text.damage.push(why);
    }

    fn element(&mut self, element: impl Read) -> io::Result<()> {
        if self.count == 0 {
            self.text.append(&b"{"[..])?;
            if let Some(header) = self.header.take_if(|header| !header.is_empty()) {
                self.text.append(header.as_slice())?;
                self.text.append(&b",\n"[..])?;
                self.header = Some(header);
            }
            self.text.append(&b"\"samples\":[\n"[..])?;
        } else {
            self.text.append(&b",\n"[..])?;
        }
        self.count += 1;
        self.text.append(element)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn unpacked(name: &str, bytes: &[u8]) -> io::Result<String> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        let mut file = File::open(&path)?;
        let Some(compression) = Compression::of(&path, &mut file)? else {
            return Ok("plain".to_owned());
        };
        let UnpackedText { mut file, damage } = compression.unpack(file)?;
        file.rewind()?;
        Ok(io::read_to_string(file)? + &damage.join("\n"))
    }

    fn zip(members: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, text) in members {
            let options = zip::write::SimpleFileOptions::default();
            zip.start_file(*name, options).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn texts_are_unpacked_up_to_a_limit() {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(b"{}\n").unwrap();
        let gzip = gzip.finish().unwrap();
        let twice = [gzip.clone(), gzip.clone()].concat();
        assert_eq!(unpacked("a.json.gz", &twice).unwrap(), "{}\n{}\n");
        let cut = unpacked("a.json.gz", &twice[..twice.len() - 5]).unwrap();
        assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
        let cut = unpacked("a.json.gz", &gzip[..gzip.len() - 5]).unwrap();
        assert!(cut.starts_with("{}\nthe file is damaged: "), "{cut}");
        assert!(unpacked("a.json.gz", &gzip[..11]).is_err());
        assert_eq!(unpacked("a.json.gz", b"{}").unwrap(), "plain");
        let level = ruzstd::encoding::CompressionLevel::Uncompressed;
        let zst = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
        // With a frame of three bytes to skip.
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let all = [&zst[..], &skipped, &zst].concat();
        assert_eq!(unpacked("a.zst", &all).unwrap(), "{}\n{}\n");
        assert!(unpacked("a.zst", &zst[..zst.len() - 5]).is_err());
        let cut = [&zst[..], &zst, &zst[..zst.len() - 5]].concat();
        let cut = unpacked("a.zst", &cut).unwrap();
        assert!(cut.starts_with("{}\n{}\nthe file is damaged: "), "{cut}");
        // The checksum of a frame is behind its last block.
        let whole = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
        let sum = whole.len() - 1;
        let mut wrong = whole.clone();
        wrong[sum] ^= 1;
        let text = unpacked("a.zst", &wrong).unwrap();
        assert_eq!(text, "{}\nthe file is damaged: its checksum is another one");
        let text = unpacked("a.zst", &[wrong, whole].concat()).unwrap();
        assert!(text.contains("its checksum is another one"), "{text}");
        // Its window is larger than its text.
        let lines = (0..60_000).map(|line| format!("{{\"line\": {line}}}\n"));
        let long = lines.collect::<Vec<_>>().concat();
        let level = ruzstd::encoding::CompressionLevel::Fastest;
        let zst = ruzstd::encoding::compress_to_vec(long.as_bytes(), level);
        let cut = unpacked("a.zst", &zst[..zst.len() / 2]).unwrap();
        let (before, why) = cut.split_once("the file is damaged: ").unwrap();
        assert!(
            long.starts_with(before) && before.len() > long.len() / 4,
            "{} {why}",
            before.len()
        );
        let mut text = Unpacked {
            out: BufWriter::new(tempfile::tempfile().unwrap()),
            left: 10,
            damage: Vec::new(),
        };
        text.append(&b"12345678"[..]).unwrap();
        let error = text.append(io::repeat(b'0')).unwrap_err().to_string();
        assert!(error.contains("1024 MiB"), "{error}");
    }

    #[test]
    fn a_log_of_inspect_is_its_samples() {
        let members = [
            ("../samples/x.json", "no"),
            ("header.json", "{}"),
            ("notes.txt", "tide"),
            ("samples/1_epoch_1.json", "{\"id\": 1}"),
            ("samples/2_epoch_1.json", "{\"id\": 2}"),
            ("samples/3_epoch_1.json", "{\"id\": "),
        ];
        let text = unpacked("log.eval", &zip(&members)).unwrap();
        assert_eq!(
            text,
            "{\"samples\":[\n{\"id\": 1},\n{\"id\": 2}\n],\n\"notes.txt\":\"not read\"}\n\
             ../samples/x.json is not read, because its name leads out of the log\n\
             samples/3_epoch_1.json is damaged: `{` is never closed"
        );
        let header = ("header.json", " {\"version\": 2}\n");
        let text = unpacked("log.eval", &zip(&[members[3], header])).unwrap();
        assert_eq!(text, "{\"version\": 2,\n\"samples\":[\n{\"id\": 1}\n]}\n");
        let text = unpacked("log.eval", &zip(&[members[3], ("header.json", "[]")])).unwrap();
        assert!(
            text.ends_with(
                "\"header.json\":\"not read\"}\nheader.json is damaged: it is not an object"
            ),
            "{text}"
        );
        let none = unpacked("log.eval", &zip(&members[1..2])).unwrap_err();
        assert!(none.to_string().contains("no samples"), "{none}");
        assert!(unpacked("log.eval", &zip(&members[3..])[..20]).is_err());
        let broken = unpacked("log.eval", &zip(&members[5..])).unwrap_err();
        assert!(broken.to_string().contains("is damaged"), "{broken}");
    }

    #[test]
    fn a_log_that_is_cut_is_an_error() {
        let whole = zip(&[("samples/1_epoch_1.json", "{\"id\": 1}")]);
        for end in [whole.len() - 1, whole.len() / 2, 40] {
            let error = unpacked("log.eval", &whole[..end]).unwrap_err().to_string();
            assert!(error.starts_with("the log is cut short or damaged: "), "{error}");
        }
    }
}
