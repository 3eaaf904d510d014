//! Compressed files, which are read only: `.gz`, `.zst`, and logs of Inspect (`.eval`), which are zip files.
//!
//! The text is written as a stream into a temporary file without a name, where it can be read at any offset, like that
//! of other files. Its size is bounded, because a small file may hold much. Where a file is damaged, its text ends with
//! a line that says so, which is not JSON; a damaged sample of a log is a text that says so.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader, BufWriter, Read, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::StreamingDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use serde_json::Value;
use zip::ZipArchive;

use crate::json::Parser;

/// The most bytes of text (a multiple of 1 MiB).
const LARGEST: u64 = 1 << 30;
/// The most bytes of a sample that are in memory to see whether it is damaged.
const CHECKED: u64 = 64 << 20;
/// The most members of a zip file.
const MOST_MEMBERS: usize = 100_000;
/// The folder with the samples in a log of Inspect.
const SAMPLES: &str = "samples/";

/// A way to compress a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    Gzip,
    Zstandard,
    /// A log of Inspect.
    Eval,
}

impl Compression {
    /// Returns the way that the name of a file tells.
    pub fn of_name(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstandard),
            "eval" => Some(Self::Eval),
            _ => None,
        }
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
    pub fn unpack(self, file: File) -> io::Result<File> {
        let mut text = Unpacked {
            out: BufWriter::new(tempfile::tempfile()?),
            left: LARGEST,
        };
        let read = match self {
            Self::Gzip => text.append(MultiGzDecoder::new(BufReader::new(file))),
            Self::Zstandard => text.append_frames(BufReader::new(file)),
            Self::Eval => text.append_samples(BufReader::new(file)),
        };
        match read {
            Err(error) if self != Self::Eval && text.has_lines(&error)? => {
                writeln!(text.out, "\nthe file is damaged here: {error}")?;
            }
            read => read?,
        }
        text.out
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
    }
}

/// A text that is being written.
struct Unpacked {
    out: BufWriter<File>,
    /// The number of bytes that it may still have.
    left: u64,
}

impl Unpacked {
    /// True if a line was written before this error, which is not about the size of the text.
    fn has_lines(&mut self, error: &io::Error) -> io::Result<bool> {
        Ok(error.kind() != io::ErrorKind::FileTooLarge && self.out.stream_position()? > 0)
    }

    /// Appends all that `source` has.
    fn append(&mut self, source: impl Read) -> io::Result<()> {
        let read = io::copy(&mut source.take(self.left + 1), &mut self.out)?;
        self.left = self.left.checked_sub(read).ok_or_else(|| {
            let limit = LARGEST >> 20;
            let why =
                format!("its text is larger than {limit} MiB, the limit for compressed files");
            io::Error::new(io::ErrorKind::FileTooLarge, why)
        })?;
        Ok(())
    }

    /// Appends the frames of a Zstandard file.
    fn append_frames(&mut self, mut source: BufReader<File>) -> io::Result<()> {
        while !source.fill_buf()?.is_empty() {
            match StreamingDecoder::new(&mut source) {
                Ok(frame) => self.append(frame)?,
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => drop(source.seek(SeekFrom::Current(i64::from(length)))?),
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(())
    }

    /// Appends the samples of a log of Inspect, as its `.json` has them. No name of a member becomes that of a file.
    fn append_samples(&mut self, source: BufReader<File>) -> io::Result<()> {
        let mut zip = ZipArchive::new(source).map_err(io::Error::other)?;
        if zip.len() > MOST_MEMBERS {
            let why = format!("it has more than {MOST_MEMBERS} members, the limit for zip files");
            return Err(io::Error::other(why));
        }
        let mut between: &[u8] = b"{\"samples\":[\n";
        for number in 0..zip.len() {
            let name = zip.name_for_index(number);
            let name = name
                .transpose()
                .map_err(io::Error::other)?
                .unwrap_or_default()
                .into_owned();
            let is_json = Path::new(&name)
                .extension()
                .is_some_and(|end| end == "json");
            if !name.starts_with(SAMPLES) || !is_json {
                continue;
            }
            let mut member = zip.by_index(number).map_err(io::Error::other);
            let mut sample = Vec::new();
            let read = match &mut member {
                Ok(member) => member.take(CHECKED).read_to_end(&mut sample),
                Err(error) => Err(io::Error::other(error.to_string())),
            };
            self.append(between)?;
            between = b",\n";
            let damage = match read {
                Err(error) => Some(error.to_string()),
                Ok(length) if length as u64 == CHECKED => None,
                Ok(_) => Parser::new().parse(&sample).err().map(|e| e.to_string()),
            };
            match (damage, member) {
                (Some(why), _) => {
                    let why = Value::from(format!("{name} is damaged: {why}"));
                    self.append(why.to_string().as_bytes())?;
                }
                (None, member) => self.append((&sample[..]).chain(member?))?,
            }
        }
        if between == b",\n" {
            return self.append(&b"\n]}\n"[..]);
        }
        let why = "it has no samples, which a log of Inspect has";
        Err(io::Error::other(why))
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
        let mut text = compression.unpack(file)?;
        text.rewind()?;
        io::read_to_string(text)
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
        let cut = unpacked("a.json.gz", &gzip[..gzip.len() - 5]).unwrap();
        assert!(cut.starts_with("{}\n\nthe file is damaged here: "), "{cut}");
        assert!(unpacked("a.json.gz", &gzip[..11]).is_err());
        assert_eq!(unpacked("a.json.gz", b"{}").unwrap(), "plain");
        let level = ruzstd::encoding::CompressionLevel::Uncompressed;
        let zst = ruzstd::encoding::compress_to_vec(&b"{}\n"[..], level);
        // With a frame of three bytes to skip.
        let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3];
        let all = [&zst[..], &skipped, &zst].concat();
        assert_eq!(unpacked("a.zst", &all).unwrap(), "{}\n{}\n");
        assert!(unpacked("a.zst", &zst[..zst.len() - 5]).is_err());
        let cut = [&zst[..], &zst[..zst.len() - 5]].concat();
        let cut = unpacked("a.zst", &cut).unwrap();
        assert!(cut.starts_with("{}\n\nthe file is damaged here: "), "{cut}");
        let mut text = Unpacked {
            out: BufWriter::new(tempfile::tempfile().unwrap()),
            left: 10,
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
            ("samples/1_epoch_1.json", "{\"id\": 1}"),
            ("samples/2_epoch_1.json", "{\"id\": 2}"),
            ("samples/3_epoch_1.json", "{\"id\": "),
        ];
        let text = unpacked("log.eval", &zip(&members)).unwrap();
        assert_eq!(
            text,
            "{\"samples\":[\n{\"id\": 1},\n{\"id\": 2},\n\
             \"samples/3_epoch_1.json is damaged: `{` is never closed\"\n]}\n"
        );
        let none = unpacked("log.eval", &zip(&members[..2])).unwrap_err();
        assert!(none.to_string().contains("no samples"), "{none}");
        assert!(unpacked("log.eval", &zip(&members)[..40]).is_err());
    }
}
