//! Journals as they are written, and read by another run.

use std::path::PathBuf;
use std::sync::Arc;

use turnwise::corpus::Change;
use turnwise::dialog::Edit;
use turnwise::json::{Patch, Splice};
use turnwise::shell::{Journal, RealFs, WriteRequest, Writer, beginning, read_journal};
use turnwise::workspace::{Grouping, JournalEntry, JournalOp, MadeEdit, NewFile};

/// The most bytes of the past that are remembered.
const BYTES: usize = 4 << 20;

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
        read_journal(&self.path()).unwrap()
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
