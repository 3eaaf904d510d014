//! The changes of two copies in one.

use turnwise::compare::{Differences, MergedFile, Side, differences, merge_files};
use turnwise::dialog::{CallPart, Edit, EditKind, Payload};

use super::copies::{Original, originals};
use crate::support::amount;
use crate::support::check::read;
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{open, saved, say};
use crate::support::random::Random;

/// Returns ours with the changes of theirs.
pub fn merged(base: &File, ours: &File, theirs: &File) -> (File, MergedFile) {
    merged_for(base, ours, theirs, None)
}

/// As [`merged`], with the conflicts decided for a side.
pub fn merged_for(
    base: &File,
    ours: &File,
    theirs: &File,
    decided: Option<Side>,
) -> (File, MergedFile) {
    let [base, mut ours, mut theirs] = [base, ours, theirs].map(|copy| open(saved(copy)));
    let found = merge_files(&base, ours.inner(), theirs.inner(), decided).unwrap();
    (open(saved(&ours)), found)
}

/// True if the dialogs of two files say the same.
pub fn says_same(one: &File, other: &File) -> bool {
    let found = differing(one, other);
    if !found.is_empty() {
        say(&format!("{found:?}"));
    }
    found.is_empty()
}

/// The differences of two files. New JSON in a text takes the style of what is near it, which may be another in each.
pub fn differing(one: &File, other: &File) -> Differences {
    let mut copy = open(saved(one));
    let dialog = read(&copy, 0);
    let mut found = differences(copy.inner(), 0, other, 0).unwrap();
    let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    // The number of a new call goes by the calls before it, as its side has them.
    found.unsaid.retain(|unsaid| {
        !unsaid.part.ends_with(".context") && !unsaid.part.starts_with("annotations.")
    });
    found.edits.retain(|edit| {
        let Edit::SetJson { turn, call, part, text } = edit else {
            return true;
        };
        let call = &dialog.turns[*turn].calls[*call];
        let payload = match part {
            CallPart::Arguments => &call.arguments,
            CallPart::Response => &call.response,
        };
        let old = payload.as_ref().and_then(Payload::text);
        let old = old.and_then(|old| value(old));
        old.is_none() || old != value(text)
    });
    found
}

/// Returns the number of pairs of copies to try: as `TURNWISE_MERGES` says, or some.
pub fn tries() -> usize {
    let wanted = std::env::var("TURNWISE_MERGES").ok();
    let wanted = wanted.and_then(|count| count.parse().ok());
    wanted.unwrap_or(amount(60, 250))
}

/// Tries pairs of copies, of dialogs of all families in turn.
pub fn for_each(test: &str, mut each: impl FnMut(&Original, &mut Random)) {
    let originals = originals(test, amount(2, 4));
    for number in 0..tries() {
        // Other dialogs in each round.
        let original = &originals[number * 7 % originals.len()];
        each(original, &mut Random(number as u64 + 1000));
    }
}

#[test]
fn a_copy_merged_with_what_it_comes_from_stays_of_many_real_dialogs() {
    for_each("merging one copy", |original, random| {
        let base = original.open();
        let (copy, made) = original.copy(random, 5, |_| true);
        for (ours, theirs) in [(&base, &copy), (&copy, &base), (&copy, &copy)] {
            let (file, found) = merged(&base, ours, theirs);
            let told = || format!("{}: {made:?}\n{:?}", original.name, found.conflicts);
            assert!(found.conflicts.is_empty(), "{}", told());
            assert!(says_same(&file, &copy), "{}", told());
        }
    });
}

/// As files, in which also what no edit says is merged: no two copies with edits of different turns are in conflict.
#[test]
fn files_with_edits_of_different_turns_are_merged_without_a_conflict_of_many_real_dialogs() {
    let is_still = |edit: &Edit| !matches!(edit.about(), EditKind::Turns | EditKind::Fields);
    let (mut all, mut wrong) = (0, 0);
    for_each("merging files of turns", |original, random| {
        if read(&original.open(), 0).turns.len() < 2 {
            return;
        }
        let parity = random.position(2);
        let of_parity = |edit: &Edit| is_still(edit) && edit.turn() % 2 == parity;
        let of_others = |edit: &Edit| is_still(edit) && edit.turn() % 2 != parity;
        let (ours, mine) = original.copy(random, 4, of_parity);
        let (theirs, others) = original.copy(random, 4, of_others);
        let mut both = open(saved(&ours));
        if !others.iter().all(|edit| both.edit(0, edit).is_ok()) {
            return;
        }
        let both = open(saved(&both));
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let (file, found) = merged(&original.open(), one, other);
            all += 1;
            if !found.conflicts.is_empty() || !says_same(&file, &both) {
                wrong += 1;
                let name = &original.name;
                let conflicts: Vec<_> = found.conflicts.iter().map(|of| &of.conflict).collect();
                say(&format!("{name}: {mine:?}\nand {others:?}\n{conflicts:?}"));
            }
        }
    });
    say(&format!("{all} merges, {wrong} not clean and whole"));
    assert_eq!(wrong, 0, "of {all}");
}
