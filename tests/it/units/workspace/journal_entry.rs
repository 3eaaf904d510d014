//! Tests of `src/workspace/journal_entry.rs`.

use std::sync::Arc;
use turnwise::corpus::Change;
use turnwise::dialog::Edit;
use turnwise::json::{Patch, Splice};
use turnwise::workspace::*;

fn made(title: &str) -> JournalEntry {
    let text = "one two three";
    let splices = vec![Splice::new(0..3, "é"), Splice::new(8..8, "x")];
    let patch = Patch::new(splices).expect("disjoint");
    JournalEntry::Edit(Arc::new(MadeEdit {
        change: Change {
            dialog: 3,
            edit: Edit::RemoveSegment { turn: 1, segment: 2 },
            on: None,
            inverse: patch.invert(text),
            patch,
        },
        id: Some("three".to_owned()),
        turn: 1,
        segment: None,
        title: title.to_owned(),
        by: Some("a model".to_owned()),
        grouping: Grouping::Joined,
        when: 17,
    }))
}

#[test]
fn entries_round_trip() {
    for entry in
        [made("a \"title\""), JournalEntry::Undo, JournalEntry::Redo, JournalEntry::QuitUnsaved]
    {
        assert_eq!(entry.to_string().parse::<JournalEntry>().expect("a line"), entry);
    }
    assert!("{\"undo\":false}".parse::<JournalEntry>().is_err());
}

#[test]
fn leaving_goes_back_to_what_is_saved() {
    let saved = EditHistory::default().after(&[made("a"), made("b")]);
    let titles = |past: &EditHistory| {
        let titles: Vec<_> = past.made.iter().map(|made| made.title.clone()).collect();
        (titles.concat(), past.applied_count)
    };
    let after = |entries: &[JournalEntry]| titles(&saved.after(entries));
    assert_eq!(after(&[made("c"), JournalEntry::QuitUnsaved]), ("abc".to_owned(), 2));
    assert_eq!(after(&[JournalEntry::Undo, JournalEntry::QuitUnsaved]), ("ab".to_owned(), 2));
    let branch = [JournalEntry::Undo, made("c"), JournalEntry::QuitUnsaved];
    assert_eq!(after(&branch), ("ab".to_owned(), 2));
    let undone = saved.after(&[JournalEntry::Undo, JournalEntry::Undo, JournalEntry::Redo]);
    assert_eq!((undone.differing(&saved), undone.shared(&saved)), (1, 1));
}
