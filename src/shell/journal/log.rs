//! What a journal says.
//!
//! Each line is something done ([`JournalEntry`]), or that the file is about to be saved, or was saved, as
//! bytes with a certain hash. What comes after the last line with the hash of the file as it is was
//! not saved; what comes before it can be undone.
//!
//! # Why two lines for a save
//! The first is on the disk before the file is: whoever is cut short in between finds the file either
//! with its hash, and then everything is saved, or with the hash before, and then nothing is. The
//! second tells, when the file later has a third hash, what need not be kept for the user.
//!
//! # What a lost line means
//! It may have been an edit, an undo, a redo, or the end of a run that threw all away.
//!
//! - A line lost before the last save costs only the past: the edits before it can no longer be
//!   undone. The unsaved edits are known exactly.
//! - Of a line lost since then, the edits in force before it are offered: they were in force together.
//!   So are the edits after it that were not undone, but each is made again only if its turn still is
//!   what the edit was made on. An undo or redo whose step is not known is never applied to another
//!   step. It counts as [`missing`](JournalState::missing), as the lost line does, and the user is told.

use std::sync::Arc;

use super::lines::{JournalLine, JournalLines, JournalText, NewFile, NewerVersion};
use super::replay::Replay;
use crate::app::{EditHistory, JournalEntry, JournaledEdit};

/// Edits that are remembered of what was saved, at the most, and the bytes of their lines.
const REMEMBERED: usize = 1000;
pub const BYTES: usize = 4 << 20;

/// A journal that was read.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    lines: Vec<JournalLine>,
    /// Its text, if that can be gone on with.
    text: Option<JournalText>,
    /// All its bytes, if it is damaged.
    damaged: Option<Vec<u8>>,
}

/// What a journal says of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalState {
    /// What is in the file, and what was undone before it was saved or left.
    pub past: EditHistory,
    /// What was done since.
    pub unsaved: Vec<JournalEntry>,
    /// How many steps since then are lost, at least.
    pub missing: u64,
    /// What the file is, if it was begun in memory and never saved.
    pub beginning: Option<NewFile>,
}

impl Journal {
    /// Reads a journal.
    ///
    /// # Errors
    /// If a newer version of the program wrote it.
    pub fn read(bytes: Vec<u8>) -> Result<Self, NewerVersion> {
        let JournalLines { all, whole, text } = JournalLines::read(&bytes)?;
        let mut replay = Replay::default();
        // An undo without its edit is damage that no checksum shows.
        let good = whole && all.iter().all(|line| replay.take(line));
        Ok(Self {
            lines: all,
            text: text.filter(|_| good),
            damaged: (!good).then_some(bytes),
        })
    }

    /// All its bytes, if it is not as it was written.
    pub fn damaged(&self) -> Option<&[u8]> {
        self.damaged.as_deref()
    }

    /// Its text, if it says all that there is to say of a file with this hash, and can be gone on with.
    pub fn to_go_on(&self, hash: u128) -> Option<&JournalText> {
        let last = self.last_saved()?;
        let announced = |line: &JournalLine| matches!(line, JournalLine::Saves(_));
        let of_it = self.hash() == Some(hash) && !self.lines[last..].iter().any(announced);
        let short =
            |text: &&JournalText| text.as_str().len() <= BYTES && self.lines.len() <= REMEMBERED;
        self.text.as_ref().filter(|_| of_it).filter(short)
    }

    /// What it says of a file with this hash; None if it speaks of other bytes.
    pub fn found(&self, hash: u128) -> Option<JournalState> {
        let from = self.lines.iter().rposition(|line| line.names(hash))?;
        let mut replay = Replay::after(&self.lines[..from]);
        let (saved, missing) = match &self.lines[from] {
            // One of the lost lines said that it was saved.
            line @ JournalLine::Gap(gap) => (line, gap.lines - 1),
            _ => (&JournalLine::Saved(hash), 0),
        };
        replay.take(saved);
        let mut found = JournalState {
            past: replay.past.clone(),
            unsaved: Vec::new(),
            missing,
            beginning: self.beginning().filter(|b| b.hash() == hash).cloned(),
        };
        let after = &self.lines[from + 1..];
        if after.iter().any(|line| line.saved().is_some()) {
            // It was saved as something else since, and then brought back by somebody.
            return Some(found.bounded());
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

    /// How many steps are lost, at least, whenever they were done.
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

    /// The edits that were in force and not in the file as it was saved last, if that was with another
    /// hash than this; and how many that were in it had been undone.
    pub fn of_other_bytes(&self, hash: u128) -> (Vec<Arc<JournaledEdit>>, usize) {
        let last = self.last_saved().unwrap_or_default();
        if self.lines[last..].iter().any(|line| line.names(hash)) {
            return (Vec::new(), 0);
        }
        let Replay { past, saved, .. } = Replay::after(&self.lines);
        let shared = past.shared(&saved);
        (past.in_force()[shared..].to_vec(), saved.done - shared)
    }

    /// What the file was before all that is told, if it was begun in memory.
    pub fn beginning(&self) -> Option<&NewFile> {
        self.lines.iter().find_map(|line| match line {
            JournalLine::Begins(beginning) => Some(beginning),
            _ => None,
        })
    }

    /// The hash of the file as it was saved last.
    pub fn hash(&self) -> Option<u128> {
        self.lines[self.last_saved()?].saved()
    }

    /// The place of the last line that says that the file was saved.
    fn last_saved(&self) -> Option<usize> {
        self.lines.iter().rposition(|line| line.saved().is_some())
    }
}

impl JournalState {
    /// True if something was done that is not in the file, and is not undone either.
    pub fn is_to_be_decided(&self) -> bool {
        self.past.after(&self.unsaved).differing(&self.past) > 0
    }

    /// Without what was done so long ago that it is not remembered.
    fn bounded(mut self) -> Self {
        let past = &mut self.past;
        let mut bytes = 0;
        let length =
            |made: &Arc<JournaledEdit>| JournalEntry::Edit(Arc::clone(made)).to_string().len();
        let fits = |made: &&Arc<JournaledEdit>| {
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
    pub fn text(&self, hash: u128) -> JournalText {
        let Self {
            past,
            unsaved,
            beginning,
            ..
        } = self;
        let mut text = JournalText::new();
        let begins = beginning.clone().map(JournalLine::Begins);
        if let Some(begins) = &begins {
            text.add(begins);
        }
        let made = past
            .made
            .iter()
            .map(|made| JournalEntry::Edit(Arc::clone(made)));
        let undone = (past.done..past.made.len()).map(|_| JournalEntry::Undo);
        for entry in made.chain(undone) {
            text.add(&JournalLine::Entry(entry));
        }
        text.add(&JournalLine::Saved(hash));
        if let Some(begins) = &begins {
            // Once more, for nothing else says which file it is. Not beside the first: a byte between two
            // lines may cost both.
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
    use crate::app::Grouping;
    use crate::dialog::Edit;
    use crate::json::Patch;

    pub fn edit(title: &str) -> JournalLine {
        let (turn, segment) = (0, 0);
        JournalLine::Entry(JournalEntry::Edit(Arc::new(JournaledEdit {
            dialog: 0,
            id: None,
            edit: Edit::RemoveSegment { turn, segment },
            on: None,
            turn,
            segment: None,
            title: title.to_owned(),
            kind: Grouping::Alone,
            patch: Patch::default(),
            inverse: Patch::default(),
            when: 1,
        })))
    }

    /// A journal: a letter is an edit, `-` and `+` are undo and redo, `L` is leaving without saving, a
    /// digit says that the file is saved with this hash, and the one after `>` that it will be.
    fn lines(said: &str) -> Vec<String> {
        let mut text = JournalText::new();
        let mut said = said.chars();
        while let Some(sign) = said.next() {
            let hash = |sign: char| u128::from(sign.to_digit(10).unwrap());
            text.add(&match sign {
                '-' => JournalLine::Entry(JournalEntry::Undo),
                '+' => JournalLine::Entry(JournalEntry::Redo),
                'L' => JournalLine::Entry(JournalEntry::QuitUnsaved),
                '>' => JournalLine::Saves(hash(said.next().unwrap())),
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

    /// The same without lines, of which the head is number 0.
    fn without(said: &str, lost: &[usize]) -> Journal {
        let lines = lines(said).into_iter().enumerate();
        let left = lines.filter(|(number, _)| !lost.contains(number));
        log(&left.map(|(_, line)| line).collect::<Vec<_>>())
    }

    /// What is in the file, what can be redone in it, what is in force then, and what is missing.
    fn says(log: &Journal, hash: u128) -> String {
        let Some(found) = log.found(hash) else {
            return "nothing".to_owned();
        };
        let titles = |made: &[Arc<JournaledEdit>]| {
            let titles: Vec<_> = made.iter().map(|made| made.title.as_str()).collect();
            titles.concat()
        };
        let (saved, undone) = found.past.made.split_at(found.past.done);
        let after = found.past.after(&found.unsaved);
        let in_force = titles(after.in_force());
        format!(
            "{}|{}|{in_force}|{}",
            titles(saved),
            titles(undone),
            found.missing
        )
    }

    #[test]
    fn after_a_lost_line_only_what_is_known_is_offered() {
        for (said, lost, hash, wanted) in [
            // Nothing is lost.
            ("7ab-c", &[][..], 7, "||ac|0"),
            ("ab7c-", &[], 7, "ab||ab|0"),
            // An edit is lost, and what undid it undoes no other.
            ("7ab-c", &[3], 7, "||ac|2"),
            ("7ab--c", &[3], 7, "||ac|3"),
            ("7ab-+c", &[3], 7, "||ac|3"),
            // An undo is lost.
            ("7ab-c", &[4], 7, "||abc|1"),
            ("7ab--+c", &[5], 7, "||ac|2"),
            // What was done after it is undone and redone as it was.
            ("7abcd--+", &[2], 7, "||bc|1"),
            // What goes before the lost line is not guessed at.
            ("7abc--", &[3], 7, "||a|2"),
            // That all was thrown away is lost, or is not.
            ("7abLc", &[4], 7, "||abc|1"),
            ("7abLc", &[3], 7, "||c|0"),
        ] {
            let log = without(said, lost);
            assert_eq!(says(&log, hash), wanted, "{said} without {lost:?}");
            assert_eq!(log.damaged().is_some(), !lost.is_empty());
            assert_eq!(log.to_go_on(hash).is_some(), lost.is_empty());
        }
    }

    #[test]
    fn a_lost_save_is_noticed_by_what_follows() {
        for (said, lost, hash, wanted) in [
            ("7a>88b", &[][..], 8, "a||ab|0"),
            // The only line that is lost there is put back.
            ("7a>88b", &[4], 8, "a||ab|0"),
            ("ab7c", &[3], 7, "ab||abc|0"),
            ("7abc", &[1], 7, "||abc|0"),
            // Of several it is not known which came before the save.
            ("7a>88b", &[3, 4], 8, "||b|1"),
            ("7a>88bc", &[4, 5], 8, "||c|1"),
            ("7ab>88c", &[3, 4, 5], 8, "||c|2"),
            ("7abc", &[1, 2], 7, "||bc|1"),
            // With nothing after it, it is not known that there was one.
            ("7a>88", &[3, 4], 8, "nothing"),
            // What is lost before a save takes away the past only.
            ("7ab>88c", &[2], 8, "b||bc|0"),
            ("7ab>88c", &[3], 8, "||c|0"),
            ("abc7d", &[2], 7, "c||cd|0"),
            // Undoing goes back behind what is known.
            ("7ab>88--", &[2], 8, "b|||1"),
        ] {
            let log = without(said, lost);
            assert_eq!(says(&log, hash), wanted, "{said} without {lost:?}");
        }
        let (made, undone) = without("7ab>88cd", &[7]).of_other_bytes(9);
        assert_eq!((made.len(), undone), (1, 0));
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
    fn what_was_undone_and_was_not_done_is_damage() {
        for said in ["7-", "7a--", "7a+", "7a-b+"] {
            let log = log(&lines(said));
            assert!(log.damaged().is_some(), "{said}");
            assert_eq!(log.found(7).unwrap().missing, 1, "{said}");
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
        // Nothing else can be read: its checksums may be others.
        assert!(Journal::read(head.into_bytes()).is_err());
    }
}
