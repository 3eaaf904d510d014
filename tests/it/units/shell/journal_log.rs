//! Journals of which lines are lost or out of place.

use std::sync::Arc;

use turnwise::corpus::Change;
use turnwise::dialog::Edit;
use turnwise::json::Patch;
use turnwise::shell::{Journal, JournalLine, JournalText};
use turnwise::workspace::{Grouping, JournalEntry, MadeEdit};

fn edit(title: &str) -> JournalLine {
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
    let mut text = JournalText::default();
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

/// Saved edits, redoable edits, applied edits, and the number of lines that cannot be read.
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
    format!("{}|{}|{applied}|{}", titles(saved), titles(undone), log.unread())
}

#[test]
fn what_comes_before_a_lost_line_is_offered() {
    for (script, lost, hash, wanted) in [
        // Nothing is lost.
        ("7ab-c", &[][..], 7, "||ac|0"),
        ("ab7c-", &[], 7, "ab||ab|0"),
        ("7a>88b", &[], 8, "a||ab|0"),
        // An edit, an undo, the line that discarded everything.
        ("7ab-c", &[3], 7, "||a|2"),
        ("7ab-c", &[4], 7, "||ab|1"),
        ("7abLc", &[4], 7, "||ab|1"),
        // A save behind the lost line is known, but not what was done since.
        ("7a>88b", &[2], 8, "|||3"),
        ("7a>88b", &[4], 8, "a||a|1"),
        ("ab7c", &[3], 7, "nothing"),
    ] {
        let log = without(script, lost);
        assert_eq!(says(&log, hash), wanted, "{script} without {lost:?}");
        assert_eq!(log.damaged().is_some(), !lost.is_empty());
    }
    let damaged = without("7ab>88cd", &[7]);
    let found = damaged.found(9).unwrap();
    assert_eq!((found.unsaved.len(), damaged.undone_in_other_bytes(9)), (1, 0));
}

#[test]
fn lines_out_of_place_are_not_read() {
    let whole = lines("7ab-c");
    for (one, other) in [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (0, 5)] {
        let mut swapped = whole.clone();
        swapped.swap(one, other);
        let mut doubled = whole.clone();
        doubled.insert(other, whole[one].clone());
        for lines in [swapped, doubled] {
            assert!(log(&lines).damaged().is_some(), "{one} and {other}");
        }
    }
    // The same lines of another journal.
    let mut lines = whole;
    lines[4] = self::lines("7xb-c")[4].clone();
    assert_eq!(says(&log(&lines), 7), "||ab|2");
}

#[test]
fn undoing_an_unknown_edit_is_damage() {
    for script in ["7-", "7a--", "7a+", "7a-b+"] {
        assert_eq!(log(&lines(script)).unread(), 1, "{script}");
    }
}

#[test]
fn a_journal_of_a_newer_form_is_not_read() {
    let lines = lines("7a");
    let read = |head: &str| Journal::read([head, &lines[1], &lines[2]].concat().into_bytes());
    assert!(read("{\"journal\":5}\n").is_err());
    assert!(read(&lines[0].replace('4', "5")).is_err());
    assert!(read("{\"journal\":4}\n").unwrap().damaged().is_some());
}

#[test]
fn all_that_was_done_is_in_the_file_once_it_is_saved() {
    let signs = ["a", "-", "+", "L", "7"];
    let length = 5;
    for number in 0..signs.len().pow(length) {
        let sign = |digit: u32| signs[number / signs.len().pow(digit) % signs.len()];
        let script = format!("7{}7", (0..length).map(sign).collect::<String>());
        let log = log(&lines(&script));
        if log.damaged().is_none() {
            assert!(log.found(7).unwrap().unsaved.is_empty(), "{script}");
        }
    }
}
