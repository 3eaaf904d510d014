//! Writes and reads the lines of a journal, up to the first one that is not as it was written.
//!
//! ```text
//! <checksum> {"journal":4}
//! <checksum> {"saved":"<hash of the file>"}
//! <checksum> {"made":{…},…}
//! ```
//!
//! The first line names the format version. Each line begins with a checksum of the rest of the line and of the lines
//! before it, so that a line that is damaged, lost, repeated or out of place ends what can be read. A journal cut off
//! between two lines looks like a shorter one.
//!
//! Version 3 can still be read ([`legacy`]), and is replaced on the next write. Of a newer version only the
//! first line is read.

use std::fmt::{self, Write as _};

use serde::Deserialize;
use twox_hash::XxHash3_64;

use super::legacy;
use crate::workspace::{JournalEntry, NewFile};

/// The format version that is written.
const FORM: u64 = 4;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine {
    /// The program can create the file. The first line after that of the version.
    Begins(NewFile),
    Entry(JournalEntry),
    /// The file is about to be saved with this hash.
    Saves(u128),
    /// The file has this hash and contains everything up to here.
    Saved(u128),
}

/// The text of a journal, written line by line.
#[derive(Clone, Debug)]
pub struct JournalText {
    text: String,
    /// The checksum of the last line.
    last: u64,
    /// The file's hash; 0 before the first save.
    hash: u128,
}

impl Default for JournalText {
    /// Returns a journal without entries.
    fn default() -> Self {
        let mut text = Self { text: String::new(), last: 0, hash: 0 };
        text.push(&format!("{{\"journal\":{FORM}}}"));
        text
    }
}

impl JournalText {
    pub fn add(&mut self, line: &JournalLine) {
        self.push(&line.to_string());
        self.hash = line.saved().unwrap_or(self.hash);
    }

    fn push(&mut self, line: &str) {
        self.last = XxHash3_64::oneshot_with_seed(self.last, line.as_bytes());
        let _ = writeln!(self.text, "{:016x} {line}", self.last);
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn hash(&self) -> u128 {
        self.hash
    }
}

/// The lines of a journal up to the first one that cannot be read.
#[derive(Clone, Debug, Default)]
pub struct JournalLines {
    pub all: Vec<JournalLine>,
    /// How many lines follow.
    pub unread: u64,
}

/// A newer version of the program wrote the journal, in an unknown format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewerVersion;

impl JournalLines {
    /// Reads a journal up to the first line that is not whole, or that `may_follow` refuses.
    ///
    /// # Errors
    /// If a newer version wrote it.
    pub fn read(
        bytes: &[u8],
        mut may_follow: impl FnMut(&JournalLine) -> bool,
    ) -> Result<Self, NewerVersion> {
        let mut pieces = bytes.split_inclusive(|byte| *byte == b'\n').peekable();
        let Some(head) = pieces.peek() else {
            return Ok(Self::default());
        };
        let form = form_of(head).unwrap_or_default();
        if form > FORM {
            return Err(NewerVersion);
        }
        let mut all = Vec::new();
        let mut last = whole(head, 0).map(|(sum, _)| sum).filter(|_| form >= legacy::FORM);
        if last.is_some() {
            pieces.next();
        }
        while let (Some(seed), Some(piece)) = (last, pieces.peek()) {
            let read = match form {
                legacy::FORM => legacy::line(piece, all.len() as u64 + 1).map(|line| (seed, line)),
                _ => {
                    whole(piece, seed).and_then(|(sum, line)| Some((sum, JournalLine::read(line)?)))
                }
            };
            let Some((sum, line)) = read.filter(|(_, line)| may_follow(line)) else { break };
            last = Some(sum);
            all.push(line);
            pieces.next();
        }
        Ok(Self { all, unread: pieces.count() as u64 })
    }
}

impl JournalLine {
    /// Reads a line without its checksum.
    pub fn read(line: &str) -> Option<Self> {
        let hash = |start: &str| {
            let hash = line.strip_prefix(start)?.strip_suffix("\"}")?;
            u128::from_str_radix(hash, 16).ok()
        };
        let saves = hash("{\"saves\":\"").map(Self::Saves);
        let saved = || hash("{\"saved\":\"").map(Self::Saved);
        let entry = || line.parse().ok().map(Self::Entry);
        let begins = || {
            let begins = line.starts_with(BEGINS).then_some(line)?;
            serde_json::from_str(begins).ok().map(Self::Begins)
        };
        saves.or_else(saved).or_else(begins).or_else(entry)
    }

    /// Returns the hash of the file if this line records a save.
    pub fn saved(&self) -> Option<u128> {
        match self {
            Self::Saved(hash) => Some(*hash),
            _ => None,
        }
    }

    /// Returns true if the file has, or may have, this hash at this line.
    pub fn names(&self, hash: u128) -> bool {
        *self == Self::Saves(hash) || *self == Self::Saved(hash)
    }
}

/// The beginning of the line of a [`NewFile`].
pub const BEGINS: &str = "{\"begins\":";

impl fmt::Display for JournalLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Begins(beginning) => {
                f.write_str(&serde_json::to_string(beginning).map_err(|_| fmt::Error)?)
            }
            Self::Entry(entry) => entry.fmt(f),
            Self::Saves(hash) => write!(f, "{{\"saves\":\"{hash:032x}\"}}"),
            Self::Saved(hash) => write!(f, "{{\"saved\":\"{hash:032x}\"}}"),
        }
    }
}

/// Returns the version in the first line of a journal.
fn form_of(line: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Head {
        journal: u64,
    }
    let start = line.iter().position(|byte| *byte == b'{')?;
    let head: Head = serde_json::from_slice(&line[start..]).ok()?;
    Some(head.journal)
}

/// Returns the checksum of a line and the text after it, if the checksum is right with this seed.
pub fn whole(line: &[u8], seed: u64) -> Option<(u64, &str)> {
    let (sum, text) = str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    let right = XxHash3_64::oneshot_with_seed(seed, text.as_bytes());
    (sum == format!("{right:016x}")).then_some((right, text))
}
