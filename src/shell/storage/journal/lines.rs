//! Writes and reads the lines of a journal, and detects damaged ones.
//!
//! ```text
//! <checksum> {"journal":3}
//! <checksum> 1 <hash of the file> {"saved":"<hash of the file>"}
//! <checksum> 2 <hash of the file> {"made":{…},…}
//! ```
//!
//! The first line names the format version. Each later line begins with a checksum of the rest of the
//! line, its number, and the hash that the file had when it was last saved (0 before the first `saved`
//! line). With these the reader detects damage and loses as little as possible:
//!
//! - Only the line with a wrong checksum is lost.
//! - Lines that changed places are sorted by number, and repeated lines count once.
//! - A missing number is a lost line. [`JournalLine::Gap`] takes its place, because later lines may
//!   depend on it.
//! - The hash in the next line reveals a lost `saved` line, so that saved edits are not taken for
//!   unsaved ones. If no other line was lost there, the `saved` line is restored.
//!
//! A journal cut off between two lines looks like a shorter one; this is not detected.
//!
//! Version 2 had checksums only. It can still be read, and is replaced on the next write. Of a newer
//! version only the first line is read.

use std::fmt;

use crate::workspace::JournalEntry;

use serde::{Deserialize, Serialize};
use twox_hash::{XxHash3_64, XxHash3_128};

/// The format version that is written.
const FORM: u64 = 3;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine {
    /// The program can create the file. One of the first three lines after the version line.
    Begins(NewFile),
    Entry(JournalEntry),
    /// The file is about to be saved with this hash.
    Saves(u128),
    /// The file has this hash and contains everything up to here.
    Saved(u128),
    /// Lines that cannot be read. Never written.
    Gap(UnreadableLines),
}

/// Lines that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableLines {
    /// Number of lines; at the end of a journal, a lower bound.
    pub lines: u64,
    /// The hash of the file after a save among these lines, if there was one.
    pub saved: Option<u128>,
}

/// A file of answers, which the program creates: its name, and its text before all answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFile {
    #[serde(rename = "begins")]
    pub name: String,
    pub text: String,
}

impl NewFile {
    /// Returns the hash of the text.
    pub fn hash(&self) -> u128 {
        XxHash3_128::oneshot(self.text.as_bytes())
    }
}

/// The text of a journal, written line by line.
#[derive(Clone, Debug)]
pub struct JournalText {
    text: String,
    /// Number of lines after the first one.
    lines: u64,
    /// The file's hash for the next line; 0 before the first save.
    hash: u128,
}

impl JournalText {
    /// Returns a journal without entries.
    pub fn new() -> Self {
        Self { text: checked(&format!("{{\"journal\":{FORM}}}"), 0), lines: 0, hash: 0 }
    }

    pub fn add(&mut self, line: &JournalLine) {
        if let JournalLine::Saved(hash) = line {
            self.hash = *hash;
        }
        self.lines += 1;
        let numbered = format!("{} {:032x} {line}", self.lines, self.hash);
        self.text += &checked(&numbered, FORM);
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    pub fn hash(&self) -> u128 {
        self.hash
    }
}

/// The readable lines of a journal.
#[derive(Clone, Debug, Default)]
pub struct JournalLines {
    pub all: Vec<JournalLine>,
    /// True if the journal is undamaged.
    pub whole: bool,
    /// Its text, if it is undamaged and of the current version.
    pub text: Option<JournalText>,
}

/// A newer version of the program wrote the journal, in an unknown format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewerVersion;

impl JournalLines {
    /// Reads the readable lines of a journal.
    ///
    /// # Errors
    /// If a newer version wrote it.
    pub fn read(bytes: &[u8]) -> Result<Self, NewerVersion> {
        let pieces: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let Some((first, rest)) = pieces.split_first() else {
            return Ok(Self { whole: true, ..Self::default() });
        };
        let (form, sure) = form_of(first).unwrap_or_default();
        // A newer version may have no checksum in its first line …
        if form > FORM && (sure || first.starts_with(b"{")) {
            return Err(NewerVersion);
        }
        let numbered: Vec<_> = pieces.iter().map(|piece| NumberedLine::read(piece)).collect();
        let lines = if numbered.iter().any(Option::is_some) || rest.is_empty() && form == FORM {
            Self::in_order(numbered, form == FORM && sure, bytes)
        } else {
            Self::of_form_2(&pieces, form == 2 && sure)
        };
        let nothing = || lines.all.iter().all(|line| matches!(line, JournalLine::Gap(_)));
        if form > FORM && nothing() {
            // … or other checksums in all of them.
            return Err(NewerVersion);
        }
        Ok(lines)
    }

    /// Sorts numbered lines; `known` says whether the first line of `bytes` names the version.
    fn in_order(mut found: Vec<Option<NumberedLine>>, known: bool, bytes: &[u8]) -> Self {
        if known {
            found.remove(0);
        }
        let is_number = |(number, line): (u64, &Option<NumberedLine>)| {
            line.as_ref().is_some_and(|line| line.number == number)
        };
        let whole = known && (1..).zip(&found).all(is_number);
        let cut = found.iter().rev().take_while(|line| line.is_none()).count() as u64;
        let count = found.len() as u64;
        let mut numbered: Vec<_> = found.into_iter().flatten().collect();
        numbered.sort_by_key(|line| line.number);
        numbered.dedup();
        let (mut all, mut next, mut hash) = (Vec::new(), 1, 0);
        for same in numbered.chunk_by(|a, b| a.number == b.number) {
            // Two different lines with one number: neither can be trusted.
            let [numbered] = same else { continue };
            let is_saved = matches!(numbered.line, JournalLine::Saved(_));
            let saved = (numbered.hash != hash && !is_saved).then_some(numbered.hash);
            match (numbered.number - next, saved) {
                (0, _) => {}
                (1, Some(hash)) => all.push(JournalLine::Saved(hash)),
                (lines, saved) => all.push(JournalLine::Gap(UnreadableLines { lines, saved })),
            }
            all.push(numbered.line.clone());
            (next, hash) = (numbered.number + 1, numbered.hash);
        }
        if cut > 0 {
            let (lines, saved) = (cut, None);
            all.push(JournalLine::Gap(UnreadableLines { lines, saved }));
        }
        let text = whole.then(|| String::from_utf8_lossy(bytes).into_owned());
        let text = text.map(|text| JournalText { text, lines: count, hash });
        Self { all, whole, text }
    }

    /// Reads lines of version 2, which have no numbers; `known` says whether the version is certain.
    fn of_form_2(pieces: &[&[u8]], known: bool) -> Self {
        let mut all = Vec::new();
        let read = |piece: &&[u8]| JournalLine::read(whole(piece, 0)?);
        for line in pieces.iter().skip(usize::from(known)).map(read) {
            match (line, all.last_mut()) {
                (Some(line), _) => all.push(line),
                (None, Some(JournalLine::Gap(gap))) => gap.lines += 1,
                (None, _) => all.push(JournalLine::Gap(UnreadableLines { lines: 1, saved: None })),
            }
        }
        let whole = known && !all.iter().any(|line| matches!(line, JournalLine::Gap(_)));
        Self { all, whole, text: None }
    }
}

/// A line with its number and the file's hash.
#[derive(Clone, Debug, PartialEq)]
struct NumberedLine {
    number: u64,
    hash: u128,
    line: JournalLine,
}

impl NumberedLine {
    fn read(line: &[u8]) -> Option<Self> {
        let mut parts = whole(line, FORM)?.splitn(3, ' ');
        Some(Self {
            number: parts.next()?.parse().ok().filter(|number| *number > 0)?,
            hash: u128::from_str_radix(parts.next()?, 16).ok()?,
            line: JournalLine::read(parts.next()?)?,
        })
    }
}

impl JournalLine {
    fn read(line: &str) -> Option<Self> {
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
            Self::Gap(gap) => gap.saved,
            _ => None,
        }
    }

    /// Returns true if the file has, or may have, this hash at this line.
    pub fn names(&self, hash: u128) -> bool {
        *self == Self::Saves(hash) || self.saved() == Some(hash)
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
            Self::Gap(_) => Ok(()),
        }
    }
}

/// Returns the version in the first line of a journal, and whether the line's checksum is right.
fn form_of(line: &[u8]) -> Option<(u64, bool)> {
    #[derive(Deserialize)]
    struct Head {
        journal: u64,
    }
    let start = line.iter().position(|byte| *byte == b'{')?;
    let head: Head = serde_json::from_slice(&line[start..]).ok()?;
    Some((head.journal, whole(line, 0).is_some()))
}

/// Returns a line with its checksum and line feed. Each version has its own checksums, so lines of one
/// version are not read as another.
fn checked(line: &str, form: u64) -> String {
    format!("{} {line}\n", checksum(line, form))
}

fn checksum(line: &str, form: u64) -> String {
    format!("{:016x}", XxHash3_64::oneshot_with_seed(form, line.as_bytes()))
}

/// Returns the text of a line after its checksum, if that is right.
fn whole(line: &[u8], form: u64) -> Option<&str> {
    let (sum, text) = str::from_utf8(line).ok()?.strip_suffix('\n')?.split_once(' ')?;
    (sum == checksum(text, form)).then_some(text)
}
