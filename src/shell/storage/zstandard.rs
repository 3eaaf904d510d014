//! Reads the frames of Zstandard, one after the other.

use std::error::Error;
use std::io::{self, BufRead, Read};

use flate2::Crc;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

/// About how many bytes of blocks are in memory at once.
const BLOCKS: usize = 1 << 20;
/// An empty block that is the last of its frame, and room for a checksum.
const LAST_BLOCK: &[u8] = &[1, 0, 0, 0, 0, 0, 0];
/// Why a text is not the one that was compressed.
const WRONG_SUM: &str = "its checksum does not match";

/// The text of all frames of a source. Of a frame that is cut or damaged, all that is before is read, then the error.
pub struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// A frame has begun that has more blocks.
    is_inside: bool,
    error: Option<io::Error>,
}

impl<R: BufRead> Frames<R> {
    pub fn new(source: R) -> Self {
        Self { source, decoder: FrameDecoder::new(), is_inside: false, error: None }
    }

    /// Reads more blocks.
    fn decode(&mut self) {
        let strategy = BlockDecodingStrategy::UptoBytes(BLOCKS);
        match self.decoder.decode_blocks(&mut self.source, strategy) {
            Ok(is_over) => self.is_inside = !is_over,
            Err(error) => {
                // The decoder gives what later blocks may repeat only once the frame has ended.
                let all = BlockDecodingStrategy::All;
                drop(self.decoder.decode_blocks(LAST_BLOCK, all));
                self.is_inside = false;
                self.error = Some(damage(&error));
            }
        }
    }

    /// True unless the text of the last frame has another checksum than the frame tells.
    fn is_as_written(&self) -> bool {
        let told = self.decoder.get_checksum_from_data();
        told.is_none() || told == self.decoder.get_calculated_checksum()
    }

    /// Goes to the next frame, or past one that is to be skipped. Returns false if there is none.
    fn go_on(&mut self) -> io::Result<bool> {
        if self.source.fill_buf()?.is_empty() {
            return Ok(false);
        }
        match self.decoder.reset(&mut self.source) {
            Ok(()) => self.is_inside = true,
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length,
                ..
            })) => {
                let mut skipped = (&mut self.source).take(length.into());
                io::copy(&mut skipped, &mut io::sink())?;
            }
            Err(error) => return Err(damage(&error)),
        }
        Ok(true)
    }
}

/// Returns why a frame cannot be read, in the words that are used for other compressed files.
fn damage(error: &FrameDecoderError) -> io::Error {
    let why = match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => {
            let [needed, most] = [requested, max].map(|bytes| bytes >> 20);
            let why = format!(
                "it needs {needed} MiB of memory, but the limit is {most} MiB; compress it again without `--long`"
            );
            return io::Error::new(io::ErrorKind::FileTooLarge, why);
        }
        FrameDecoderError::DictNotProvided { .. } => "it needs a dictionary",
        _ => "corrupt data",
    };
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(error) = error.downcast_ref::<io::Error>() {
            return match error.kind() {
                kind @ io::ErrorKind::UnexpectedEof => {
                    io::Error::new(kind, "unexpected end of file")
                }
                kind => io::Error::new(kind, error.to_string()),
            };
        }
        cause = error.source();
    }
    io::Error::new(io::ErrorKind::InvalidData, why)
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.decoder.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            if let Some(error) = self.error.take() {
                return Err(error);
            }
            if self.is_inside {
                self.decode();
            } else if !self.is_as_written() {
                return Err(io::Error::new(io::ErrorKind::InvalidData, WRONG_SUM));
            } else if !self.go_on()? {
                return Ok(0);
            }
        }
    }
}

/// A source of a known checksum: an error at its end if what was read has another one.
pub struct Checked<R> {
    source: R,
    read: Crc,
    wanted: u32,
}

impl<R> Checked<R> {
    pub fn new(source: R, wanted: u32) -> Self {
        let read = Crc::new();
        Self { source, read, wanted }
    }
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.read.update(&buffer[..read]);
        if read == 0 && !buffer.is_empty() && self.read.sum() != self.wanted {
            return Err(io::Error::other(WRONG_SUM));
        }
        Ok(read)
    }
}
