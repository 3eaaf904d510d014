//! Journals survive everything: each operation is made to fail, and the program to die at it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnwise::corpus::Change;
use turnwise::dialog::Edit;
use turnwise::json::{Patch, Splice};
use turnwise::shell::{WriteRequest, Writer, read_journal};
use turnwise::workspace::{Grouping, JournalEntry, JournalOp, MadeEdit};

use crate::save::FaultFs;
use crate::support::scratch;

fn made(number: usize) -> JournalEntry {
    let patch = Patch::from(Splice::new(2..4, format!("{number}")));
    JournalEntry::Edit(Arc::new(MadeEdit {
        change: Change {
            dialog: 0,
            edit: Edit::RemoveSegment { turn: number, segment: 0 },
            on: None,
            inverse: patch.invert("[\"é\"]"),
            patch,
        },
        id: None,
        turn: number,
        segment: None,
        title: format!("{number}"),
        by: None,
        grouping: Grouping::Alone,
        when: 1,
    }))
}

/// Operations on a file, each with the file's hash at that time.
fn session() -> Vec<(u128, JournalOp)> {
    vec![
        (7, JournalOp::Did(made(0))),
        (7, JournalOp::Did(made(1))),
        (7, JournalOp::Did(JournalEntry::Undo)),
        (7, JournalOp::Saves(8)),
        (8, JournalOp::Saved),
        (8, JournalOp::Did(made(2))),
        (8, JournalOp::Rewrite(vec![made(3)])),
        (8, JournalOp::Did(made(4))),
        (8, JournalOp::Did(JournalEntry::Undo)),
    ]
}

/// The edits that a journal has for a file with one of the hashes, as a user would see them: the saved
/// ones, and the applied ones.
fn says(journal: &Path, hash: u128) -> (Vec<usize>, Vec<usize>) {
    let found = read_journal(journal).unwrap().found(hash).unwrap_or_default();
    let turns = |made: &[Arc<MadeEdit>]| made.iter().map(|made| made.turn).collect();
    let after = found.past.after(&found.unsaved);
    (turns(found.past.applied()), turns(after.applied()))
}

/// The expected result of the first `orders` operations.
fn expected(orders: usize) -> (Vec<usize>, Vec<usize>) {
    let applied: &[&[usize]] = &[&[], &[0], &[0, 1], &[0], &[0], &[0], &[0, 2], &[0, 3]];
    let applied = match orders {
        8 => &[0, 3, 4],
        9 => applied[7],
        _ => applied[orders],
    };
    let saved = if orders < 5 { vec![] } else { vec![0] };
    (saved, applied.to_vec())
}

fn hash_after(orders: usize) -> u128 {
    if orders < 5 { 7 } else { 8 }
}

/// Runs the session with a fault at one operation; how many orders were carried out before the fault,
/// and false if there was none.
fn with_fault(
    operations: usize,
    dies: bool,
    check: &dyn Fn(&Path, usize, bool),
) -> (PathBuf, bool) {
    let folder = scratch();
    let journal = folder.path().join("j/x.jsonl");
    let faulty = FaultFs::new(operations, dies);
    let mut writer = Writer::new(&faulty);
    for (number, (hash, what)) in session().into_iter().enumerate() {
        let order = WriteRequest { journal: journal.clone(), hash, what };
        let outcome = writer.carry_out(order, 1).and_then(|()| writer.sync());
        if dies && faulty.struck.get() {
            check(&journal, number, false);
            return (journal, true);
        }
        assert!(outcome.is_ok() || faulty.struck.get());
        check(&journal, number + 1, outcome.is_ok());
    }
    let nothing = WriteRequest { journal: journal.clone(), hash: 8, what: JournalOp::Nothing };
    writer.carry_out(nothing, 1).unwrap();
    assert!(!writer.is_behind());
    assert_eq!(says(&journal, 8), expected(9));
    (journal, faulty.struck.get())
}

#[test]
fn a_failed_entry_is_written_with_the_next_one() {
    let check = |journal: &Path, orders: usize, good: bool| {
        let says = says(journal, hash_after(orders));
        let true_then = (0..=orders).rev().any(|before| says == expected(before));
        // Whatever it says was true once, and is true now if nothing failed.
        assert!(true_then, "{orders}: {says:?}");
        assert!(!good || says == expected(orders), "{orders}: {says:?}");
    };
    let mut operations = 0;
    while with_fault(operations, false, &check).1 {
        operations += 1;
    }
    assert!(operations >= 20, "only {operations} operations are counted");
}

#[test]
fn dying_anywhere_leaves_everything_before_it() {
    let check = |journal: &Path, orders: usize, _: bool| {
        let (old, new) = (hash_after(orders), hash_after(orders + 1));
        let before = says(journal, old) == expected(orders);
        let after = says(journal, new) == expected((orders + 1).min(9));
        assert!(before || after, "{orders}: {:?}", says(journal, old));
    };
    let mut operations = 0;
    while with_fault(operations, true, &check).1 {
        operations += 1;
    }
}
