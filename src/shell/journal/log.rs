//! What a journal says.
//!
//! The first line names the form. Each following one is something done ([`Entry`]), or that the file
//! is about to be saved, or was saved, as bytes with a certain hash. What comes after the last line
//! with the hash of the file as it is was not saved; what comes before it can be undone.
//!
//! # Why two lines for a save
//! The first is on the disk before the file is: whoever is cut short in between finds the file either
//! with its hash, and then everything is saved, or with the hash before, and then nothing is. The
//! second tells, when the file later has a third hash, what need not be kept for the user.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use twox_hash::{XxHash3_64, XxHash3_128};

use crate::app::{Entry, Made, Past};

/// Edits that are remembered of what was saved, at the most, and the bytes of their lines.
const REMEMBERED: usize = 1000;
pub const BYTES: usize = 4 << 20;

const HEAD: &str = "{\"journal\":2}";

/// A line of a journal.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// The file was begun in memory. It is the first line after the one that names the form.
    Begins(Beginning),
    Entry(Entry),
    /// The file is about to be saved, and will have this hash.
    Saves(u128),
    /// The file has this hash and holds everything before.
    Saved(u128),
}

/// What a file is that is not on the disk yet: its name, and the text that it has before all edits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beginning {
    #[serde(rename = "begins")]
    pub name: String,
    pub text: String,
}

/// A journal that was read.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// All of it.
    text: String,
    lines: Vec<Line>,
    /// No line of it is torn.
    whole: bool,
}

/// What a journal says of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// What is in the file, and what was undone before it was saved or left.
    pub past: Past,
    /// What was done since.
    pub unsaved: Vec<Entry>,
    /// What the file is, if it was begun in memory and never saved.
    pub beginning: Option<Beginning>,
}

impl Log {
    /// Reads a journal up to the first line that is not whole.
    pub fn read(text: &str) -> Self {
        let mut all = text.split_inclusive('\n');
        if all.next().and_then(whole) != Some(HEAD) {
            return Self::default();
        }
        let lines: Vec<_> = all.map_while(|line| Line::read(whole(line)?)).collect();
        let whole = lines.len() + 1 == text.split_inclusive('\n').count();
        let text = text.to_owned();
        Self { text, lines, whole }
    }

    /// Its text, if it says all that there is to say of a file with this hash, and can be gone on with.
    pub fn to_go_on(&self, hash: u128) -> Option<&str> {
        let last = self.last_saved()?;
        let announced = |line: &Line| matches!(line, Line::Saves(_));
        let of_it =
            self.lines[last] == Line::Saved(hash) && !self.lines[last..].iter().any(announced);
        let good =
            self.whole && of_it && self.text.len() <= BYTES && self.lines.len() <= REMEMBERED;
        good.then_some(&self.text)
    }

    /// What it says of a file with this hash; None if it speaks of other bytes.
    pub fn found(&self, hash: u128) -> Option<Found> {
        let known = |line: &Line| matches!(line, Line::Saves(h) | Line::Saved(h) if *h == hash);
        let from = self.lines.iter().rposition(known)? + 1;
        let saved = self.state(from).0;
        let beginning = self.beginning().filter(|b| b.hash() == hash);
        let mut found = Found {
            past: saved.clone(),
            unsaved: Vec::new(),
            beginning: beginning.cloned(),
        };
        if self.last_saved().is_some_and(|last| last >= from) {
            // It was saved as something else since, and then brought back by somebody.
            return Some(found.bounded());
        }
        let mut past = saved.clone();
        for line in &self.lines[from..] {
            let Line::Entry(entry) = line else { continue };
            past.take(entry, &saved);
            if *entry == Entry::Left {
                found.past.clone_from(&past);
                found.unsaved.clear();
            } else {
                found.unsaved.push(entry.clone());
            }
        }
        Some(found.bounded())
    }

    /// The edits that were in force and not in the file as it was saved last, if that was with another
    /// hash than this; and how many that were in it had been undone.
    pub fn of_other_bytes(&self, hash: u128) -> (Vec<Arc<Made>>, usize) {
        let last = self.last_saved();
        let known = |line: &Line| matches!(line, Line::Saves(h) | Line::Saved(h) if *h == hash);
        if self.lines[last.unwrap_or_default()..].iter().any(known) {
            return (Vec::new(), 0);
        }
        let (past, saved) = self.state(self.lines.len());
        let shared = past.shared(&saved);
        (past.in_force()[shared..].to_vec(), saved.done - shared)
    }

    /// What the file was before all that is told, if it was begun in memory.
    pub fn beginning(&self) -> Option<&Beginning> {
        match self.lines.first()? {
            Line::Begins(beginning) => Some(beginning),
            _ => None,
        }
    }

    /// The hash of the file as it was saved last.
    pub fn hash(&self) -> Option<u128> {
        match self.lines.get(self.last_saved()?)? {
            Line::Saved(hash) => Some(*hash),
            _ => None,
        }
    }

    /// The place of the last line that says that the file was saved.
    fn last_saved(&self) -> Option<usize> {
        let saved = |line: &Line| matches!(line, Line::Saved(_));
        self.lines.iter().rposition(saved)
    }

    /// What was done up to a line, and what of it was in the file.
    fn state(&self, end: usize) -> (Past, Past) {
        let (mut past, mut saved) = (Past::default(), Past::default());
        // So many edits of both are the same: a run may have saved thousands of times.
        let mut same = 0;
        for line in &self.lines[..end] {
            match line {
                Line::Entry(entry) => {
                    same = match entry {
                        Entry::Edit(_) => same.min(past.done),
                        Entry::Left => 0,
                        Entry::Undo | Entry::Redo => same,
                    };
                    past.take(entry, &saved);
                }
                Line::Saved(_) => {
                    saved.made.truncate(same);
                    saved.made.extend_from_slice(&past.made[same..]);
                    (saved.done, same) = (past.done, past.made.len());
                }
                Line::Saves(_) | Line::Begins(_) => {}
            }
        }
        (past, saved)
    }
}

impl Found {
    /// Without what was done so long ago that it is not remembered.
    fn bounded(mut self) -> Self {
        let past = &mut self.past;
        let mut bytes = 0;
        let length = |made: &Arc<Made>| Entry::Edit(Arc::clone(made)).to_string().len();
        let fits = |made: &&Arc<Made>| {
            bytes += length(made);
            bytes <= BYTES
        };
        let kept = past
            .made
            .iter()
            .rev()
            .take(REMEMBERED)
            .take_while(fits)
            .count();
        let dropped = past.made.len() - kept;
        if dropped > past.done {
            // What was undone can be made again in order only.
            past.made.truncate(past.done);
            return self.bounded();
        }
        past.made.drain(..dropped);
        past.done -= dropped;
        self
    }

    /// A journal that says just this of a file with this hash.
    pub fn text(&self, hash: u128) -> String {
        let Self {
            past,
            unsaved,
            beginning,
        } = self;
        let mut text = checked(HEAD);
        if let Some(beginning) = beginning {
            text += &Line::Begins(beginning.clone()).checked();
        }
        let made = past.made.iter().map(|made| Entry::Edit(Arc::clone(made)));
        let undone = (past.done..past.made.len()).map(|_| Entry::Undo);
        for entry in made.chain(undone) {
            text += &checked(&entry.to_string());
        }
        text += &Line::Saved(hash).checked();
        for entry in unsaved {
            text += &checked(&entry.to_string());
        }
        text
    }
}

impl Beginning {
    /// The hash of the bytes.
    pub fn hash(&self) -> u128 {
        XxHash3_128::oneshot(self.text.as_bytes())
    }

    /// Puts it into the text of a journal; false if it is there.
    pub fn put(self, journal: &mut String) -> bool {
        let (place, line) = (checked(HEAD).len(), Line::Begins(self).checked());
        let vacant = !journal[place..].starts_with(&line);
        if vacant {
            journal.insert_str(place, &line);
        }
        vacant
    }
}

/// The beginning that the first two lines of a journal tell of, if they do.
pub fn beginning_in(first: &str, second: &str) -> Option<Beginning> {
    match Line::read(whole(second).filter(|_| whole(first) == Some(HEAD))?)? {
        Line::Begins(beginning) => Some(beginning),
        _ => None,
    }
}

impl Line {
    fn read(line: &str) -> Option<Self> {
        let hash = |start: &str| {
            let hash = line.strip_prefix(start)?.strip_suffix("\"}")?;
            u128::from_str_radix(hash, 16).ok()
        };
        let saves = hash("{\"saves\":\"").map(Self::Saves);
        let saved = || hash("{\"saved\":\"").map(Self::Saved);
        let entry = || line.parse().ok().map(Self::Entry);
        let begins = || {
            let begins = line.starts_with("{\"begins\":").then_some(line)?;
            serde_json::from_str(begins).ok().map(Self::Begins)
        };
        saves.or_else(saved).or_else(begins).or_else(entry)
    }

    /// With its checksum and the end of the line.
    pub fn checked(&self) -> String {
        checked(&self.to_string())
    }
}

impl fmt::Display for Line {
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

fn checked(line: &str) -> String {
    format!("{:016x} {line}\n", XxHash3_64::oneshot(line.as_bytes()))
}

/// What a line says, if it is whole.
fn whole(line: &str) -> Option<&str> {
    let (sum, said) = line.strip_suffix('\n')?.split_once(' ')?;
    let good = u64::from_str_radix(sum, 16) == Ok(XxHash3_64::oneshot(said.as_bytes()));
    good.then_some(said)
}
