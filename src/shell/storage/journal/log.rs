//! Interprets a journal.
//!
//! Each line is an entry ([`JournalEntry`]), or says that the file is about to be saved, or was saved,
//! with a certain hash. Entries after the last line with the file's current hash are unsaved; entries
//! before it can be undone.
//!
//! # Why two lines for a save
//! The first line (about to be saved) reaches the disk before the corpus file does. After a crash in
//! between, the file has either the hash of that line, and everything is saved, or the hash before it, and
//! nothing is. The second line shows later, when the file has a third hash, which edits need not be
//! recovered.
//!
//! # Damage
//! Lines from the first one on that is not as it was written are not read: what they did is lost but for the copy
//! of the journal beside it, and only their number is known. If they record a save of the file as it
//! is now, all edits before it are in the file. Otherwise the edits that were applied before them are offered for
//! recovery.

use std::sync::Arc;

use memchr::memmem;

use super::lines::{JournalLine, JournalLines, JournalText, NewerVersion};
use crate::workspace::{EditHistory, JournalEntry, MadeEdit, NewFile};

/// The most saved edits to keep as history, and the most bytes of their lines.
const REMEMBERED: usize = 1000;
const BYTES: usize = 4 << 20;

/// A journal in memory.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    lines: Vec<JournalLine>,
    damage: Option<Damage>,
}

#[derive(Clone, Debug)]
struct Damage {
    /// All bytes of the journal.
    bytes: Vec<u8>,
    /// Number of lines that cannot be read.
    unread: u64,
}

/// The state of a file according to its journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalState {
    /// Saved edits, and those undone before the file was saved or closed.
    pub past: EditHistory,
    /// Entries since then.
    pub unsaved: Vec<JournalEntry>,
    /// The text with which such a file begins, if it is one that the program creates.
    pub beginning: Option<NewFile>,
    /// The file has other bytes than those in which the unsaved edits were made.
    pub is_of_other_bytes: bool,
}

impl Journal {
    /// Reads a journal.
    ///
    /// # Errors
    /// If a newer version of the program wrote it.
    pub fn read(bytes: Vec<u8>) -> Result<Self, NewerVersion> {
        let mut replay = Replay::default();
        // An undo without its edit is damage that no checksum detects.
        let JournalLines { all, unread } = JournalLines::read(&bytes, |line| replay.take(line))?;
        let damage = (unread > 0).then_some(Damage { bytes, unread });
        Ok(Self { lines: all, damage })
    }

    /// Returns all its bytes if it is damaged.
    pub fn damaged(&self) -> Option<&[u8]> {
        self.damage.as_ref().map(|damage| damage.bytes.as_slice())
    }

    /// Returns how many lines cannot be read.
    pub fn unread(&self) -> u64 {
        self.damage.as_ref().map_or(0, |damage| damage.unread)
    }

    /// Returns the state of a file with this hash; None if the journal is about other bytes and nothing in it is
    /// unsaved.
    pub fn found(&self, hash: u128) -> Option<JournalState> {
        let beginning = self.beginning().cloned();
        if self.is_saved_behind_damage(hash) {
            return Some(JournalState { beginning, ..JournalState::default() });
        }
        let Some(from) = self.lines.iter().rposition(|line| line.names(hash)) else {
            return self.of_other_bytes(EditHistory::default());
        };
        let mut replay = Replay::after(&self.lines[..from]);
        replay.take(&JournalLine::Saved(hash));
        let past = replay.past.clone();
        let mut found = JournalState { past, beginning, ..JournalState::default() };
        let after = &self.lines[from + 1..];
        if after.iter().any(|line| line.saved().is_some()) {
            // The file was later saved with another hash and then restored from outside.
            let found = found.bounded();
            return Some(self.of_other_bytes(found.past.clone()).unwrap_or(found));
        }
        for line in after {
            replay.take(line);
            match line {
                JournalLine::Entry(JournalEntry::QuitUnsaved) => {
                    found.past.clone_from(&replay.past);
                    found.unsaved.clear();
                }
                JournalLine::Entry(entry) => found.unsaved.push(entry.clone()),
                JournalLine::Begins(_) | JournalLine::Saves(_) | JournalLine::Saved(_) => {}
            }
        }
        Some(found.bounded())
    }

    /// Returns true if the lines that cannot be read record a save with this hash.
    fn is_saved_behind_damage(&self, hash: u128) -> bool {
        let Some(Damage { bytes, unread }) = &self.damage else { return false };
        let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
        let unread = &lines[lines.len() - *unread as usize..];
        let records =
            [JournalLine::Saves(hash), JournalLine::Saved(hash)].map(|line| line.to_string());
        let records = records.iter().map(memmem::Finder::new);
        records.into_iter().any(|record| unread.iter().any(|line| record.find(line).is_some()))
    }

    /// Returns the unsaved edits as those of a file that has other bytes now, with the history that it has there; None if
    /// there are none.
    fn of_other_bytes(&self, past: EditHistory) -> Option<JournalState> {
        let (made, _) = self.unsaved();
        let unsaved: Vec<_> = made.into_iter().map(JournalEntry::Edit).collect();
        let beginning = self.beginning().cloned();
        let is_of_other_bytes = !unsaved.is_empty();
        let found = JournalState { past, unsaved, beginning, is_of_other_bytes };
        is_of_other_bytes.then_some(found)
    }

    /// Returns how many saved edits had been undone when the file, which has this hash now, got other bytes.
    pub fn undone_in_other_bytes(&self, hash: u128) -> usize {
        let last = self.last_saved().unwrap_or_default();
        let is_known = self.lines[last..].iter().any(|line| line.names(hash));
        if is_known { 0 } else { self.unsaved().1 }
    }

    /// Returns the edits applied since the last save, and how many saved edits were undone.
    pub fn unsaved(&self) -> (Vec<Arc<MadeEdit>>, usize) {
        let Replay { past, saved, .. } = Replay::after(&self.lines);
        let shared = past.shared(&saved);
        (past.applied()[shared..].to_vec(), saved.applied_count - shared)
    }

    /// Returns the text with which the file begins, if the program can create it.
    pub fn beginning(&self) -> Option<&NewFile> {
        self.lines.iter().find_map(|line| match line {
            JournalLine::Begins(beginning) => Some(beginning),
            _ => None,
        })
    }

    /// Returns the hash of the file when it was last saved.
    pub fn hash(&self) -> Option<u128> {
        self.lines[self.last_saved()?].saved()
    }

    /// Returns the index of the last line that records a save.
    fn last_saved(&self) -> Option<usize> {
        self.lines.iter().rposition(|line| line.saved().is_some())
    }
}

impl JournalState {
    /// Returns true if there are unsaved edits that are not undone, so the user must decide about them.
    pub fn has_unsaved(&self) -> bool {
        self.past.after(&self.unsaved).differing(&self.past) > 0
    }

    /// Drops history beyond the limit.
    fn bounded(mut self) -> Self {
        let past = &mut self.past;
        let mut bytes = 0;
        let length = |made: &Arc<MadeEdit>| JournalEntry::Edit(Arc::clone(made)).to_string().len();
        let fits = |made: &&Arc<MadeEdit>| {
            bytes += length(made);
            bytes <= BYTES
        };
        let kept = past.made.iter().rev().take(REMEMBERED).take_while(fits).count();
        let dropped = past.made.len() - kept;
        if dropped > past.applied_count {
            // Redo works in order only.
            past.made.truncate(past.applied_count);
            return self.bounded();
        }
        past.made.drain(..dropped);
        past.applied_count -= dropped;
        self
    }

    /// Returns a journal with exactly this state for a file with this hash.
    pub fn text(&self, hash: u128) -> JournalText {
        let Self { past, unsaved, beginning, .. } = self;
        let mut text = JournalText::default();
        if let Some(beginning) = beginning {
            text.add(&JournalLine::Begins(beginning.clone()));
        }
        let made = past.made.iter().map(|made| JournalEntry::Edit(Arc::clone(made)));
        let undone = (past.applied_count..past.made.len()).map(|_| JournalEntry::Undo);
        for entry in made.chain(undone) {
            text.add(&JournalLine::Entry(entry));
        }
        text.add(&JournalLine::Saved(hash));
        for entry in unsaved {
            text.add(&JournalLine::Entry(entry.clone()));
        }
        text
    }
}

/// The edits after a line.
#[derive(Default)]
struct Replay {
    past: EditHistory,
    /// The part that is in the file.
    saved: EditHistory,
    /// How many leading edits `past` and `saved` share. A run may save thousands of times, and each save
    /// copies only the other edits.
    same: usize,
}

impl Replay {
    /// Replays all of these lines.
    fn after(lines: &[JournalLine]) -> Self {
        let mut replay = Self::default();
        for line in lines {
            replay.take(line);
        }
        replay
    }

    /// Replays the next line. Returns false for an undo or redo of an unknown edit.
    fn take(&mut self, line: &JournalLine) -> bool {
        let Self { past, saved, same } = self;
        match line {
            JournalLine::Entry(JournalEntry::Undo) if past.applied_count == 0 => return false,
            JournalLine::Entry(JournalEntry::Redo) if past.applied_count == past.made.len() => {
                return false;
            }
            JournalLine::Entry(entry) => {
                *same = match entry {
                    JournalEntry::Edit(_) => (*same).min(past.applied_count),
                    JournalEntry::QuitUnsaved => 0,
                    JournalEntry::Undo | JournalEntry::Redo => *same,
                };
                past.apply(entry, saved);
            }
            JournalLine::Saved(_) => {
                saved.made.truncate(*same);
                saved.made.extend_from_slice(&past.made[*same..]);
                (saved.applied_count, *same) = (past.applied_count, past.made.len());
            }
            JournalLine::Begins(_) | JournalLine::Saves(_) => {}
        }
        true
    }
}
