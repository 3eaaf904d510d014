//! Writes journals so that at any moment a journal describes a state that existed.
//!
//! Lines are appended. Where that is not possible, because a line was cut short, the journal was
//! removed, or it is about other bytes, a new journal replaces it as a whole.
//!
//! Lines that cannot be written are kept and written with the next line: a journal with one line missing
//! is worse than none. A journal without the line about the last save is also worse than none, and is
//! removed: all of its edits are in the file.
//!
//! A damaged journal is replaced only after it has been copied aside; so is one that has lines of others.
//! If something unusable is at a journal's path, it stays there, and nothing is written.
//!
//! The journal of a file whose edit lock is lost is left: nothing more is written to it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::journal_file::append;
use super::lines::{JournalLine, NewFile};
use super::log::JournalState;
use super::open::{OpenJournal, PriorFile};
use super::reading;
use crate::shell::storage::disk::Identity;
use crate::shell::storage::fs::{Fs, replace_private};
use crate::workspace::{JournalEntry, MadeEdit};

/// A request to write to the journal at a path; `hash` is the file's hash when it was read or last
/// saved.
#[derive(Clone, Debug)]
pub struct WriteRequest {
    pub journal: PathBuf,
    pub hash: u128,
    pub what: JournalOp,
}

impl JournalOp {
    /// Returns true if dropping the request would lose unsaved data (for saved edits only undo history
    /// is lost).
    pub fn is_irreplaceable(&self) -> bool {
        matches!(self, Self::Did(_) | Self::Rewrite(_) | Self::Begins(_))
    }
}

#[derive(Clone, Debug)]
pub enum JournalOp {
    /// The name of the file, and its text before all answers.
    Begins(NewFile),
    /// An entry for the file.
    Did(JournalEntry),
    /// The file is about to be saved with this hash.
    Saves(u128),
    /// The file was saved; `hash` is its new hash.
    Saved,
    /// Replaces all entries since the last save.
    Rewrite(Vec<JournalEntry>),
    /// Writes nothing new, but retries what could not be written, for all journals.
    Nothing,
}

/// Writes journals.
pub struct Writer<'f> {
    fs: &'f dyn Fs,
    open: HashMap<PathBuf, OpenJournal>,
    /// Files written to and not yet synced.
    dirty: HashMap<PathBuf, File>,
    /// Journals of files that another process may edit.
    left: HashSet<PathBuf>,
}

impl<'f> Writer<'f> {
    pub fn new(fs: &'f dyn Fs) -> Self {
        Self { fs, open: HashMap::new(), dirty: HashMap::new(), left: HashSet::new() }
    }

    /// Stops writing a journal for good, and returns its text; empty if this run has not written to it.
    pub fn leave(&mut self, journal: PathBuf) -> String {
        let open = self.open.remove(&journal);
        self.left.insert(journal);
        open.map_or_else(String::new, |open| open.text.as_str().to_owned())
    }

    /// Carries out a request; `now` is the time in milliseconds since 1970.
    ///
    /// # Errors
    /// If it cannot be written. It is retried with the next request for the same journal.
    pub fn carry_out(&mut self, order: WriteRequest, now: u64) -> io::Result<()> {
        let WriteRequest { journal, hash, what } = order;
        if self.left.contains(&journal) {
            return Ok(());
        }
        match what {
            JournalOp::Nothing => {
                let journals: Vec<_> = self.open.keys().cloned().collect();
                let written = journals.iter().map(|journal| self.write(journal));
                return written.fold(Ok(()), io::Result::and);
            }
            JournalOp::Begins(beginning) => {
                let open = self.opened(&journal, hash);
                let found = open.found();
                let beginning = Some(beginning);
                if found.beginning != beginning {
                    open.say(&JournalState { beginning, ..found });
                }
            }
            JournalOp::Did(entry) => {
                let line = JournalLine::Entry(stamped(entry, now));
                self.opened(&journal, hash).text.add(&line);
            }
            JournalOp::Saves(new) => {
                self.opened(&journal, hash).text.add(&JournalLine::Saves(new));
            }
            JournalOp::Saved => {
                // The journal is still about the old bytes, and names the new ones as its next.
                if let Some(open) = self.open.get_mut(&journal) {
                    open.text.add(&JournalLine::Saved(hash));
                } else {
                    self.opened(&journal, hash);
                }
                return self.write(&journal).or_else(|error| self.forget(&journal, hash, error));
            }
            JournalOp::Rewrite(entries) => {
                let open = self.opened(&journal, hash);
                let entries = entries.into_iter().map(|entry| stamped(entry, now));
                let unsaved = entries.collect();
                let found = open.found();
                open.say(&JournalState { unsaved, ..found });
            }
        }
        self.write(&journal)
    }

    /// Syncs everything.
    ///
    /// # Errors
    /// If the sync fails.
    pub fn sync(&mut self) -> io::Result<()> {
        let mut outcome = Ok(());
        for (journal, file) in self.dirty.drain() {
            let synced = self.fs.sync(&file);
            if synced.is_err()
                && let Some(open) = self.open.get_mut(&journal)
            {
                // After a failed sync the whole journal is written again.
                open.written = 0;
            }
            outcome = outcome.and(synced);
        }
        outcome
    }

    /// Returns true if something is not written yet.
    pub fn is_behind(&self) -> bool {
        !self.open.values().all(OpenJournal::is_written)
    }

    /// Returns the journal of a file with this hash, and reads it on first use.
    fn opened(&mut self, journal: &Path, hash: u128) -> &mut OpenJournal {
        let known = self.open.remove(journal);
        let known = known.filter(|open| open.text.hash() == hash);
        let open = known.unwrap_or_else(|| OpenJournal::read(journal, hash));
        self.open.entry(journal.to_owned()).insert_entry(open).into_mut()
    }

    /// Removes a journal in which a save cannot be recorded: it would offer saved edits to the next run as unsaved.
    fn forget(&mut self, journal: &Path, hash: u128, error: io::Error) -> io::Result<()> {
        let announced = JournalLine::Saves(hash).to_string();
        let must_stay = |open: &OpenJournal| {
            // What is at the path may not come from this run.
            open.place != PriorFile::Free || open.text.as_str()[..open.written].contains(&announced)
        };
        if self.open.get(journal).is_none_or(must_stay) || reading::length(journal).is_err() {
            return Err(error);
        }
        std::fs::remove_file(journal).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        let bare = OpenJournal::saying(&JournalState::default(), hash, PriorFile::Free);
        self.open.insert(journal.to_owned(), bare);
        self.write(journal)
    }

    fn write(&mut self, journal: &Path) -> io::Result<()> {
        let Some(open) = self.open.get_mut(journal) else {
            return Ok(());
        };
        if open.is_written() {
            return Ok(());
        }
        open.place.make_way(journal)?;
        let text = open.text.as_str().as_bytes();
        let file = match append(self.fs, journal, open)? {
            Some(mut file) => {
                self.fs.write(&mut file, &text[open.written..])?;
                file
            }
            None => replace_private(self.fs, journal, text)?,
        };
        open.written = text.len();
        open.file = file.metadata().ok().map(|now| Identity::of(&now));
        self.dirty.insert(journal.to_owned(), file);
        Ok(())
    }
}

/// Adds the current time to an entry that has none.
fn stamped(entry: JournalEntry, now: u64) -> JournalEntry {
    match entry {
        JournalEntry::Edit(made) if made.when == 0 => JournalEntry::Edit(Arc::new(MadeEdit {
            when: now.max(1),
            ..Arc::unwrap_or_clone(made)
        })),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Change;
    use crate::dialog::Edit;
    use crate::json::{Patch, Splice};
    use crate::shell::storage::fs::RealFs;
    use crate::shell::storage::journal::log::BYTES;
    use crate::shell::storage::journal::{Journal, beginning, read};
    use crate::workspace::Grouping;

    fn made(title: &str) -> JournalEntry {
        let patch = Patch::from(Splice::new(2..4, title));
        JournalEntry::Edit(Arc::new(MadeEdit {
            change: Change {
                dialog: 3,
                edit: Edit::RemoveSegment { turn: 1, segment: 2 },
                on: None,
                inverse: patch.invert("[\"é\"]"),
                patch,
            },
            id: None,
            turn: 1,
            segment: None,
            title: title.to_owned(),
            by: None,
            grouping: Grouping::Alone,
            when: 5,
        }))
    }

    struct TestJournal {
        folder: tempfile::TempDir,
        writer: Writer<'static>,
    }

    impl TestJournal {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let writer = Writer::new(&RealFs);
            Self { folder, writer }
        }

        fn path(&self) -> PathBuf {
            self.folder.path().join("j/x.jsonl")
        }

        fn takes(&mut self, hash: u128, what: JournalOp) {
            let journal = self.path();
            let order = WriteRequest { journal, hash, what };
            self.writer.carry_out(order, 1).unwrap();
        }

        fn log(&self) -> Journal {
            read(&self.path()).unwrap()
        }

        /// Saved edits, undone edits, and unsaved entries, as another run reads them.
        fn says(&mut self, hash: u128) -> Option<String> {
            self.writer = Writer::new(&RealFs);
            let found = self.log().found(hash).filter(|found| !found.is_of_other_bytes)?;
            let titles = |made: &[Arc<MadeEdit>]| {
                let titles: Vec<_> = made.iter().map(|made| made.title.as_str()).collect();
                titles.concat()
            };
            let unsaved = found.unsaved.iter().map(|entry| match entry {
                JournalEntry::Edit(made) => made.title.clone(),
                JournalEntry::Undo => "-".to_owned(),
                JournalEntry::Redo => "+".to_owned(),
                JournalEntry::QuitUnsaved => "L".to_owned(),
            });
            let (saved, undone) = found.past.made.split_at(found.past.applied_count);
            let unsaved = unsaved.collect::<Vec<_>>().concat();
            Some(format!("{}|{}|{unsaved}", titles(saved), titles(undone)))
        }
    }

    #[test]
    fn saved_edits_are_history_and_the_rest_is_unsaved() {
        let mut journal = TestJournal::new();
        journal.takes(7, JournalOp::Did(made("a")));
        assert_eq!(journal.says(7).unwrap(), "||a");
        assert_eq!(journal.says(8), None);
        journal.takes(7, JournalOp::Did(made("b")));
        journal.takes(7, JournalOp::Saves(8));
        // After a crash here, the file has one hash or the other.
        assert_eq!(journal.says(7).unwrap(), "||ab");
        assert_eq!(journal.says(8).unwrap(), "ab||");
        journal.takes(8, JournalOp::Saved);
        journal.takes(8, JournalOp::Did(JournalEntry::Undo));
        journal.takes(8, JournalOp::Did(made("c")));
        assert_eq!(journal.says(8).unwrap(), "ab||-c");
        let of_other_bytes = |journal: &TestJournal, hash| {
            let found = journal.log().found(hash).filter(|found| found.is_of_other_bytes);
            found.map_or(0, |found| found.unsaved.len())
        };
        assert_eq!([8, 9].map(|hash| of_other_bytes(&journal, hash)), [0, 1]);
        journal.takes(8, JournalOp::Did(JournalEntry::QuitUnsaved));
        assert_eq!(journal.says(8).unwrap(), "ab||");
        assert_eq!(of_other_bytes(&journal, 9), 0);
    }

    #[test]
    fn a_file_that_was_begun_is_known_until_it_is_saved_or_dropped() {
        let mut journal = TestJournal::new();
        let (name, text) = ("x".to_owned(), "{}\n".to_owned());
        let begun = NewFile { name, text };
        let hash = begun.hash();
        journal.takes(hash, JournalOp::Begins(begun.clone()));
        assert_eq!(beginning(&journal.path()), None);
        journal.takes(hash, JournalOp::Did(made("a")));
        journal.takes(hash, JournalOp::Begins(begun.clone()));
        assert_eq!(journal.says(hash).unwrap(), "||a");
        assert_eq!(beginning(&journal.path()), Some(begun.clone()));
        // Another run begins where this one ended.
        journal.takes(hash, JournalOp::Begins(begun.clone()));
        journal.takes(hash, JournalOp::Rewrite(vec![made("b")]));
        assert_eq!(journal.says(hash).unwrap(), "||b");
        assert_eq!(beginning(&journal.path()), Some(begun.clone()));
        journal.takes(hash, JournalOp::Rewrite(Vec::new()));
        assert_eq!(beginning(&journal.path()), None);
        journal.takes(hash, JournalOp::Did(made("c")));
        assert_eq!(beginning(&journal.path()), Some(begun.clone()));
        journal.takes(hash, JournalOp::Did(JournalEntry::QuitUnsaved));
        assert_eq!(beginning(&journal.path()), None);
        journal.takes(hash, JournalOp::Did(made("d")));
        journal.takes(hash, JournalOp::Saves(8));
        // After a crash here, the file does not exist.
        assert_eq!(beginning(&journal.path()), Some(begun));
        journal.takes(8, JournalOp::Saved);
        assert_eq!(beginning(&journal.path()), None);
        assert_eq!(journal.says(8).unwrap(), "d||");
    }

    #[test]
    fn edits_undone_at_the_end_of_the_program_can_be_redone() {
        let mut journal = TestJournal::new();
        for what in [made("a"), made("b"), JournalEntry::Undo, JournalEntry::QuitUnsaved] {
            journal.takes(7, JournalOp::Did(what));
        }
        assert_eq!(journal.says(7).unwrap(), "|ab|");
        journal.takes(7, JournalOp::Did(JournalEntry::Redo));
        assert_eq!(journal.says(7).unwrap(), "|ab|+");
        journal.takes(7, JournalOp::Rewrite(vec![made("c")]));
        assert_eq!(journal.says(7).unwrap(), "|ab|c");
    }

    #[test]
    fn what_comes_before_a_line_that_is_torn_is_kept() {
        let mut journal = TestJournal::new();
        for title in ["a", "b", "c"] {
            journal.takes(7, JournalOp::Did(made(title)));
        }
        let text = std::fs::read_to_string(journal.path()).unwrap();
        for cut in 0..text.len() {
            std::fs::write(journal.path(), &text.as_bytes()[..cut]).unwrap();
            let says = journal.says(7);
            let says = says.as_deref();
            assert!(matches!(says, None | Some("||" | "||a" | "||ab")), "{says:?}");
        }
        std::fs::write(journal.path(), text.replace("\"title\":\"b\"", "\"title\":\"x\"")).unwrap();
        let damaged = std::fs::read(journal.path()).unwrap();
        assert_eq!(journal.says(7).unwrap(), "||a");
        assert_eq!(journal.log().unread(), 2);
        journal.takes(7, JournalOp::Did(made("d")));
        assert_eq!(journal.says(7).unwrap(), "||ad");
        // The damaged text is kept, and later lines are not.
        let kept = journal.path().with_extension("jsonl.damaged-1");
        assert_eq!(std::fs::read(kept).unwrap(), damaged);
        assert_eq!(journal.log().damaged(), None);
        assert!(!journal.path().with_extension("jsonl.damaged-2").exists());
    }

    #[test]
    fn a_file_that_is_brought_back_has_its_past_and_nothing_unsaved() {
        let mut journal = TestJournal::new();
        journal.takes(7, JournalOp::Did(made("a")));
        journal.takes(8, JournalOp::Saved);
        journal.takes(8, JournalOp::Did(made("b")));
        journal.takes(9, JournalOp::Saved);
        assert_eq!(journal.says(8).unwrap(), "a||");
        assert_eq!(journal.says(7).unwrap(), "||");
    }

    #[test]
    fn a_journal_that_vanishes_or_is_cut_is_written_as_a_whole() {
        let mut journal = TestJournal::new();
        journal.takes(7, JournalOp::Did(made("a")));
        std::fs::remove_dir_all(journal.path().parent().unwrap()).unwrap();
        journal.takes(7, JournalOp::Did(made("b")));
        std::fs::write(journal.path(), "").unwrap();
        journal.takes(7, JournalOp::Did(made("c")));
        // The beginning of a line that was cut short.
        let mut text = std::fs::read_to_string(journal.path()).unwrap();
        text += "0123";
        std::fs::write(journal.path(), text).unwrap();
        journal.takes(7, JournalOp::Did(made("d")));
        assert_eq!(journal.says(7).unwrap(), "||abcd");
    }

    #[test]
    fn only_so_much_of_the_past_is_remembered() {
        let mut journal = TestJournal::new();
        for number in 0..1100 {
            journal.takes(7, JournalOp::Did(made(&format!("{number};"))));
        }
        journal.takes(8, JournalOp::Saved);
        let says = journal.says(8).unwrap();
        assert!(says.starts_with("100;101;"), "{}", &says[..20]);
        journal.takes(8, JournalOp::Did(made("x")));
        assert!(journal.says(8).unwrap().ends_with("1099;||x"));
        let long = "é".repeat(BYTES / 2);
        journal.takes(8, JournalOp::Did(made(&long)));
        journal.takes(9, JournalOp::Saved);
        assert_eq!(journal.says(9).unwrap(), "||");
    }
}
