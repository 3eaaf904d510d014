//! The lines of a journal: how they are written, and how damage to them is noticed.
//!
//! ```text
//! <checksum> {"journal":3}
//! <checksum> 1 <hash of the file> {"saved":"<hash of the file>"}
//! <checksum> 2 <hash of the file> {"made":{…},…}
//! ```
//!
//! The first line names the form. Each following one begins with a checksum of all the rest of it,
//! its number, and the hash that the file had when it was saved last (0 in lines before the first
//! `saved` line). So the reader notices damage, and loses as little as possible by it:
//!
//! - A line with a wrong checksum is lost, and no other line with it.
//! - Lines that changed places are put back in order, and a line that is there twice counts once.
//! - A number that is missing is a lost line, and [`JournalLine::Gap`] takes its place: what follows may
//!   depend on it.
//! - A lost `saved` line is noticed by the hash in the next line, so that saved edits are not taken
//!   for unsaved ones. If it is the only line that was lost there, it is put back.
//!
//! A journal that was cut off between two lines cannot be told from one that was never longer.
//!
//! Form 2 had checksums only. It can be read still, and is replaced when something is written. Of a
//! newer form only the first line is looked at.

use std::fmt;

use serde::{Deserialize, Serialize};
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::app::JournalEntry;

/// The form that is written.
const FORM: u64 = 3;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum JournalLine {
    /// The file was begun in memory. It is among the first three lines after the one that names the form.
    Begins(NewFile),
    Entry(JournalEntry),
    /// The file is about to be saved, and will have this hash.
    Saves(u128),
    /// The file has this hash and holds everything before.
    Saved(u128),
    /// Lines that cannot be read. It is never written.
    Gap(UnreadableLines),
}

/// Lines that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableLines {
    /// How many there are; at the end of a journal at least so many.
    pub lines: u64,
    /// The file was saved among them, and has this hash since.
    pub saved: Option<u128>,
}

/// What a file is that is not on the disk yet: its name, and the text that it has before all edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewFile {
    #[serde(rename = "begins")]
    pub name: String,
    pub text: String,
}

impl NewFile {
    /// The hash of the bytes.
    pub fn hash(&self) -> u128 {
        XxHash3_128::oneshot(self.text.as_bytes())
    }
}

/// The text of a journal that is written line by line.
#[derive(Clone, Debug)]
pub struct JournalText {
    text: String,
    /// How many lines follow the first one.
    lines: u64,
    /// The hash of the file that the next line is about; 0 before it was saved.
    hash: u128,
}

impl JournalText {
    /// A journal that says nothing yet.
    pub fn new() -> Self {
        Self {
            text: checked(&format!("{{\"journal\":{FORM}}}"), 0),
            lines: 0,
            hash: 0,
        }
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

/// The lines of a journal that can be read.
#[derive(Clone, Debug, Default)]
pub struct JournalLines {
    pub all: Vec<JournalLine>,
    /// It is as it was written.
    pub whole: bool,
    /// Its text, if it is whole and of the form that is written.
    pub text: Option<JournalText>,
}

/// A newer version of the program wrote a journal, in a form that is not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewerVersion;

impl JournalLines {
    /// Reads what can be read of a journal.
    ///
    /// # Errors
    /// If a newer version wrote it.
    pub fn read(bytes: &[u8]) -> Result<Self, NewerVersion> {
        let pieces: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let Some((first, rest)) = pieces.split_first() else {
            return Ok(Self {
                whole: true,
                ..Self::default()
            });
        };
        let (form, sure) = form_of(first).unwrap_or_default();
        // A newer form may have no checksum in its first line …
        if form > FORM && (sure || first.starts_with(b"{")) {
            return Err(NewerVersion);
        }
        let numbered: Vec<_> = pieces
            .iter()
            .map(|piece| NumberedLine::read(piece))
            .collect();
        let lines = if numbered.iter().any(Option::is_some) || rest.is_empty() && form == FORM {
            Self::in_order(numbered, form == FORM && sure, bytes)
        } else {
            Self::of_form_2(&pieces, form == 2 && sure)
        };
        let nothing = || {
            lines
                .all
                .iter()
                .all(|line| matches!(line, JournalLine::Gap(_)))
        };
        if form > FORM && nothing() {
            // … or other checksums in all of them.
            return Err(NewerVersion);
        }
        Ok(lines)
    }

    /// Lines with numbers, behind one that names the form of `bytes` if that is `known`.
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
            // Of two different lines with one number neither can be trusted.
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
        let text = text.map(|text| JournalText {
            text,
            lines: count,
            hash,
        });
        Self { all, whole, text }
    }

    /// Lines of form 2, if it is `known` that they are, which have no numbers.
    fn of_form_2(pieces: &[&[u8]], known: bool) -> Self {
        let mut all = Vec::new();
        let read = |piece: &&[u8]| JournalLine::read(whole(piece, 0)?);
        for line in pieces.iter().skip(usize::from(known)).map(read) {
            match (line, all.last_mut()) {
                (Some(line), _) => all.push(line),
                (None, Some(JournalLine::Gap(gap))) => gap.lines += 1,
                (None, _) => all.push(JournalLine::Gap(UnreadableLines {
                    lines: 1,
                    saved: None,
                })),
            }
        }
        let whole = known && !all.iter().any(|line| matches!(line, JournalLine::Gap(_)));
        Self {
            all,
            whole,
            text: None,
        }
    }
}

/// A line with its number and the hash of the file.
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

    /// The hash of the file, if it was saved here.
    pub fn saved(&self) -> Option<u128> {
        match self {
            Self::Saved(hash) => Some(*hash),
            Self::Gap(gap) => gap.saved,
            _ => None,
        }
    }

    /// True if the file has this hash here, or may have it.
    pub fn names(&self, hash: u128) -> bool {
        *self == Self::Saves(hash) || self.saved() == Some(hash)
    }
}

/// How the line of a [`NewFile`] starts.
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

/// The form that the first line of a journal names, and whether its checksum is right.
fn form_of(line: &[u8]) -> Option<(u64, bool)> {
    #[derive(Deserialize)]
    struct Head {
        journal: u64,
    }
    let start = line.iter().position(|byte| *byte == b'{')?;
    let head: Head = serde_json::from_slice(&line[start..]).ok()?;
    Some((head.journal, whole(line, 0).is_some()))
}

/// A line with its checksum and its end. Each form has checksums of its own, so that lines of one are
/// not taken for those of another.
fn checked(line: &str, form: u64) -> String {
    format!("{} {line}\n", checksum(line, form))
}

fn checksum(line: &str, form: u64) -> String {
    format!(
        "{:016x}",
        XxHash3_64::oneshot_with_seed(form, line.as_bytes())
    )
}

/// What a line says behind its checksum, if that is right.
fn whole(line: &[u8], form: u64) -> Option<&str> {
    let (sum, said) = str::from_utf8(line)
        .ok()?
        .strip_suffix('\n')?
        .split_once(' ')?;
    (sum == checksum(said, form)).then_some(said)
}
