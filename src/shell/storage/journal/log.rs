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
//! # What a lost line means
//! It may have been an edit, an undo, a redo, or the end of a run that discarded everything.
//!
//! - A line lost before the last save costs only undo history: edits before it can no longer be undone.
//!   The unsaved edits are known exactly.
//! - For a line lost after the last save, the edits applied before it are offered for recovery, because
//!   they were applied together. So are later edits that were not undone, but each is applied again only
//!   if its turn is unchanged. An undo or redo of an unknown step is never applied to another step; it
//!   counts as [`missing`](JournalState::missing), as the lost line does, and is reported to the user.

use std::sync::Arc;

use super::lines::{JournalLine, JournalLines, JournalText, NewFile, NewerVersion};
use super::replay::Replay;
use crate::workspace::{EditHistory, JournalEntry, MadeEdit};

/// The most saved edits to keep as history, and the most bytes of their lines.
const REMEMBERED: usize = 1000;
pub const BYTES: usize = 4 << 20;

/// A journal in memory.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    lines: Vec<JournalLine>,
    /// Its text, if lines can be appended to it.
    text: Option<JournalText>,
    /// All its bytes, if it is damaged.
    damaged: Option<Vec<u8>>,
}

/// The state of a file according to its journal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalState {
    /// Saved edits, and those undone before the file was saved or closed.
    pub past: EditHistory,
    /// Entries since then.
    pub unsaved: Vec<JournalEntry>,
    /// Steps lost since then; a lower bound.
    pub missing: u64,
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
        let JournalLines { all, whole, text } = JournalLines::read(&bytes)?;
        let mut replay = Replay::default();
        // An undo without its edit is damage that no checksum detects.
        let good = whole && all.iter().all(|line| replay.take(line));
        Ok(Self { lines: all, text: text.filter(|_| good), damaged: (!good).then_some(bytes) })
    }

    /// Returns all its bytes if it is damaged.
    pub fn damaged(&self) -> Option<&[u8]> {
        self.damaged.as_deref()
    }

    /// Returns its text if lines can be appended to it and it is complete for a file with this hash.
    pub fn appendable(&self, hash: u128) -> Option<&JournalText> {
        let last = self.last_saved()?;
        let announced = |line: &JournalLine| matches!(line, JournalLine::Saves(_));
        let of_it = self.hash() == Some(hash) && !self.lines[last..].iter().any(announced);
        let short =
            |text: &&JournalText| text.as_str().len() <= BYTES && self.lines.len() <= REMEMBERED;
        self.text.as_ref().filter(|_| of_it).filter(short)
    }

    /// Returns the state of a file with this hash; None if the journal is about other bytes and nothing in it is
    /// unsaved.
    pub fn found(&self, hash: u128) -> Option<JournalState> {
        let Some(from) = self.lines.iter().rposition(|line| line.names(hash)) else {
            return self.of_other_bytes(EditHistory::default());
        };
        let mut replay = Replay::after(&self.lines[..from]);
        let (saved, missing) = match &self.lines[from] {
            // One of the lost lines was a `saved` line.
            line @ JournalLine::Gap(gap) => (line, gap.lines - 1),
            _ => (&JournalLine::Saved(hash), 0),
        };
        replay.take(saved);
        let mut found = JournalState {
            past: replay.past.clone(),
            unsaved: Vec::new(),
            missing,
            beginning: self.beginning().cloned(),
            is_of_other_bytes: false,
        };
        let after = &self.lines[from + 1..];
        if after.iter().any(|line| line.saved().is_some()) {
            // The file was later saved with another hash and then restored from outside.
            let found = found.bounded();
            return Some(self.of_other_bytes(found.past.clone()).unwrap_or(found));
        }
        for line in after {
            let known = replay.take(line);
            match line {
                JournalLine::Entry(JournalEntry::QuitUnsaved) => {
                    found.past.clone_from(&replay.past);
                    found.unsaved.clear();
                    found.missing = 0;
                }
                JournalLine::Entry(entry) if known => found.unsaved.push(entry.clone()),
                JournalLine::Entry(_) => found.missing += 1,
                JournalLine::Gap(gap) => found.missing += gap.lines,
                JournalLine::Begins(_) | JournalLine::Saves(_) | JournalLine::Saved(_) => {}
            }
        }
        Some(found.bounded())
    }

    /// Returns how many steps are lost in the whole journal; a lower bound.
    pub fn missing(&self) -> u64 {
        let mut replay = Replay::default();
        let missing = self.lines.iter().map(|line| match line {
            JournalLine::Gap(gap) => {
                replay.take(line);
                gap.lines
            }
            line => u64::from(!replay.take(line)),
        });
        missing.sum()
    }

    /// Returns the unsaved edits as those of a file that has other bytes now, with the history that it has there; None if
    /// there are none.
    fn of_other_bytes(&self, past: EditHistory) -> Option<JournalState> {
        let (made, _) = self.unsaved();
        let unsaved: Vec<_> = made.into_iter().map(JournalEntry::Edit).collect();
        let (missing, beginning) = (self.missing(), self.beginning().cloned());
        let is_of_other_bytes = !unsaved.is_empty();
        let found = JournalState { past, unsaved, missing, beginning, is_of_other_bytes };
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
        let mut text = JournalText::new();
        let begins = beginning.clone().map(JournalLine::Begins);
        if let Some(begins) = &begins {
            text.add(begins);
        }
        let made = past.made.iter().map(|made| JournalEntry::Edit(Arc::clone(made)));
        let undone = (past.applied_count..past.made.len()).map(|_| JournalEntry::Undo);
        for entry in made.chain(undone) {
            text.add(&JournalLine::Entry(entry));
        }
        text.add(&JournalLine::Saved(hash));
        if let Some(begins) = &begins {
            // Written twice, because nothing else identifies the file, and not side by side, because a
            // damaged byte between two lines may cost both.
            text.add(begins);
        }
        for entry in unsaved {
            text.add(&JournalLine::Entry(entry.clone()));
        }
        text
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::corpus::Change;
    use crate::dialog::Edit;
    use crate::json::Patch;
    use crate::workspace::Grouping;

    pub fn edit(title: &str) -> JournalLine {
        let (turn, segment) = (0, 0);
        JournalLine::Entry(JournalEntry::Edit(Arc::new(MadeEdit {
            change: Change {
                dialog: 0,
                edit: Edit::RemoveSegment { turn, segment },
                on: None,
                patch: Patch::default(),
                inverse: Patch::default(),
            },
            id: None,
            turn,
            segment: None,
            title: title.to_owned(),
            by: None,
            grouping: Grouping::Alone,
            when: 1,
        })))
    }

    /// Returns the lines of a journal: a letter is an edit, `-` and `+` are undo and redo, `L` is quitting
    /// without saving, a digit is a save with this hash, and the digit after `>` is the hash of a coming
    /// save.
    fn lines(script: &str) -> Vec<String> {
        let mut text = JournalText::new();
        let mut script = script.chars();
        while let Some(sign) = script.next() {
            let hash = |sign: char| u128::from(sign.to_digit(10).unwrap());
            text.add(&match sign {
                '-' => JournalLine::Entry(JournalEntry::Undo),
                '+' => JournalLine::Entry(JournalEntry::Redo),
                'L' => JournalLine::Entry(JournalEntry::QuitUnsaved),
                '>' => JournalLine::Saves(hash(script.next().unwrap())),
                '0'..='9' => JournalLine::Saved(hash(sign)),
                other => edit(&other.to_string()),
            });
        }
        let lines = text.as_str().split_inclusive('\n');
        lines.map(str::to_owned).collect()
    }

    fn log(lines: &[String]) -> Journal {
        Journal::read(lines.concat().into_bytes()).unwrap()
    }

    /// Returns the same without the lines `lost`; the head is number 0.
    fn without(script: &str, lost: &[usize]) -> Journal {
        let lines = lines(script).into_iter().enumerate();
        let left = lines.filter(|(number, _)| !lost.contains(number));
        log(&left.map(|(_, line)| line).collect::<Vec<_>>())
    }

    /// Saved edits, redoable edits, applied edits, and the number missing.
    fn says(log: &Journal, hash: u128) -> String {
        let Some(found) = log.found(hash).filter(|found| !found.is_of_other_bytes) else {
            return "nothing".to_owned();
        };
        let titles = |made: &[Arc<MadeEdit>]| {
            let titles: Vec<_> = made.iter().map(|made| made.title.as_str()).collect();
            titles.concat()
        };
        let (saved, undone) = found.past.made.split_at(found.past.applied_count);
        let after = found.past.after(&found.unsaved);
        let applied = titles(after.applied());
        format!("{}|{}|{applied}|{}", titles(saved), titles(undone), found.missing)
    }

    #[test]
    fn after_a_lost_line_only_what_is_known_is_offered() {
        for (script, lost, hash, wanted) in [
            // Nothing is lost.
            ("7ab-c", &[][..], 7, "||ac|0"),
            ("ab7c-", &[], 7, "ab||ab|0"),
            // An edit is lost; its undo does not undo another edit.
            ("7ab-c", &[3], 7, "||ac|2"),
            ("7ab--c", &[3], 7, "||ac|3"),
            ("7ab-+c", &[3], 7, "||ac|3"),
            // An undo is lost.
            ("7ab-c", &[4], 7, "||abc|1"),
            ("7ab--+c", &[5], 7, "||ac|2"),
            // Later steps are undone and redone as they were.
            ("7abcd--+", &[2], 7, "||bc|1"),
            // Steps before the lost line are not guessed.
            ("7abc--", &[3], 7, "||a|2"),
            // The line that discarded everything is lost, or is not.
            ("7abLc", &[4], 7, "||abc|1"),
            ("7abLc", &[3], 7, "||c|0"),
        ] {
            let log = without(script, lost);
            assert_eq!(says(&log, hash), wanted, "{script} without {lost:?}");
            assert_eq!(log.damaged().is_some(), !lost.is_empty());
            assert_eq!(log.appendable(hash).is_some(), lost.is_empty());
        }
    }

    #[test]
    fn a_lost_save_is_noticed_by_what_follows() {
        for (script, lost, hash, wanted) in [
            ("7a>88b", &[][..], 8, "a||ab|0"),
            // The only lost line is restored.
            ("7a>88b", &[4], 8, "a||ab|0"),
            ("ab7c", &[3], 7, "ab||abc|0"),
            ("7abc", &[1], 7, "||abc|0"),
            // With several lost lines, their order relative to the save is unknown.
            ("7a>88b", &[3, 4], 8, "||b|1"),
            ("7a>88bc", &[4, 5], 8, "||c|1"),
            ("7ab>88c", &[3, 4, 5], 8, "||c|2"),
            ("7abc", &[1, 2], 7, "||bc|1"),
            // With nothing after it, the save is unknown.
            ("7a>88", &[3, 4], 8, "nothing"),
            // Lines lost before a save cost history only.
            ("7ab>88c", &[2], 8, "b||bc|0"),
            ("7ab>88c", &[3], 8, "||c|0"),
            ("abc7d", &[2], 7, "c||cd|0"),
            // Undo goes back before the known part.
            ("7ab>88--", &[2], 8, "b|||1"),
        ] {
            let log = without(script, lost);
            assert_eq!(says(&log, hash), wanted, "{script} without {lost:?}");
        }
        let damaged = without("7ab>88cd", &[7]);
        let found = damaged.found(9).unwrap();
        assert_eq!((found.unsaved.len(), damaged.undone_in_other_bytes(9)), (1, 0));
        assert!(found.is_of_other_bytes);
        assert_eq!(without("7a>88b", &[4]).hash(), Some(8));
    }

    #[test]
    fn lines_in_disorder_are_put_back_in_order() {
        let whole = lines("7ab-c");
        for (one, other) in [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (0, 5)] {
            let mut swapped = whole.clone();
            swapped.swap(one, other);
            let mut doubled = whole.clone();
            doubled.insert(other, whole[one].clone());
            for lines in [swapped, doubled] {
                let log = log(&lines);
                assert!(says(&log, 7).starts_with("||ac|"), "{one} and {other}");
                assert!(log.damaged().is_some());
            }
        }
        // Two different lines with one number.
        let mut lines = whole;
        lines.insert(3, super::tests::lines("7ax")[3].clone());
        assert_eq!(says(&log(&lines), 7), "||ac|2");
    }

    #[test]
    fn undoing_an_unknown_edit_is_damage() {
        for script in ["7-", "7a--", "7a+", "7a-b+"] {
            let log = log(&lines(script));
            assert!(log.damaged().is_some(), "{script}");
            assert_eq!(log.found(7).unwrap().missing, 1, "{script}");
        }
    }

    #[test]
    fn a_journal_of_a_newer_form_is_not_read() {
        let lines = lines("7a");
        let read = |head: &str| Journal::read([head, &lines[1], &lines[2]].concat().into_bytes());
        assert!(read("{\"journal\":4}\n").is_err());
        assert!(read("{\"journal\":3}\n").unwrap().damaged().is_some());
        // A byte of this form's head is damaged.
        let head = lines[0].replace('3', "7");
        assert_eq!(says(&read(&head).unwrap(), 7), "||a|0");
        // Nothing else can be read: the checksums may differ.
        assert!(Journal::read(head.into_bytes()).is_err());
    }
}
