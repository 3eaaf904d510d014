//! The changes of two copies in one.

use turnwise::compare::{Differences, MergedFile, aligned, differences, merge_files};
use turnwise::dialog::{CallPart, Dialog, Edit, EditKind, Payload};

use super::copies::{Original, originals};
use crate::support::amount;
use crate::support::check::read;
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{open, saved, say};
use crate::support::random::Random;

/// The changes of two copies of a file in one.
struct Copies {
    base: Dialog,
    ours: Dialog,
    theirs: Dialog,
    found: MergedFile,
    /// Our copy with the changes of theirs.
    file: File,
}

fn merged(original: &Original, ours: &File, theirs: &File) -> Copies {
    let (base, mine, other) = (read(&original.open(), 0), read(ours, 0), read(theirs, 0));
    let mut file = open(saved(ours));
    let mut theirs = open(saved(theirs));
    let found = merge_files(&original.open(), file.inner(), theirs.inner(), None).unwrap();
    Copies { base, ours: mine, theirs: other, found, file: open(saved(&file)) }
}

/// True if the dialogs of two files say the same.
fn says_same(one: &File, other: &File) -> bool {
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
            let found = merged(original, ours, theirs);
            let told = || format!("{}: {made:?}\n{:?}", original.name, found.found.conflicts);
            assert!(found.found.conflicts.is_empty(), "{}", told());
            assert!(says_same(&found.file, &copy), "{}", told());
        }
    });
}

/// Two copies with edits of different turns, which cannot meet, and one with the edits of both.
struct Apart {
    ours: File,
    mine: Vec<Edit>,
    theirs: File,
    others: Vec<Edit>,
    both: File,
}

fn for_each_apart(test: &str, mut each: impl FnMut(&Original, Apart)) {
    for_each(test, |original, random| {
        if let Some(apart) = apart(original, random) {
            each(original, apart);
        }
    });
}

fn apart(original: &Original, random: &mut Random) -> Option<Apart> {
    if read(&original.open(), 0).turns.len() < 2 {
        return None;
    }
    let is_still = |edit: &Edit| !matches!(edit.about(), EditKind::Turns | EditKind::Fields);
    let parity = random.position(2);
    let is_mine = |edit: &Edit| is_still(edit) && edit.turn() % 2 == parity;
    let (ours, mine) = original.copy(random, 4, is_mine);
    let (theirs, others) = original.copy(random, 4, |e| is_still(e) && e.turn() % 2 != parity);
    let mut both = open(saved(&ours));
    let is_made = others.iter().all(|edit| both.edit(0, edit).is_ok());
    is_made.then_some(Apart { ours, mine, theirs, others, both })
}

/// As files, in which also what no edit says is merged: no such pair of copies is a conflict.
#[test]
fn files_with_edits_of_different_turns_are_merged_without_a_conflict_of_many_real_dialogs() {
    let (mut all, mut wrong) = (0, 0);
    for_each_apart("merging files of turns", |original, apart| {
        let Apart { ours, mine, theirs, others, both } = apart;
        let both = open(saved(&both));
        for (one, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let mut file = open(saved(one));
            let mut other = open(saved(other));
            let found = merge_files(&original.open(), file.inner(), other.inner(), None).unwrap();
            all += 1;
            if !found.conflicts.is_empty() || !says_same(&open(saved(&file)), &both) {
                wrong += 1;
                let name = &original.name;
                let conflicts = found.conflicts.iter().map(|of| &of.conflict);
                let conflicts: Vec<_> = conflicts.collect();
                say(&format!("{name}: {mine:?}\nand {others:?}\n{conflicts:?}"));
            }
        }
    });
    say(&format!("{all} merges, {wrong} not clean and whole"));
    assert_eq!(wrong, 0, "of {all}");
}

/// Whatever two people do.
#[test]
fn any_two_copies_are_merged_of_many_real_dialogs() {
    let (mut all, mut clean) = (0, 0);
    for_each("merging anything", |original, random| {
        let (ours, mine) = original.copy(random, 4, |_| true);
        let (theirs, others) = original.copy(random, 4, |_| true);
        let one = merged(original, &ours, &theirs);
        let other = merged(original, &theirs, &ours);
        let told = || {
            let name = &original.name;
            let conflicts = (&one.found.conflicts, &other.found.conflicts);
            format!("{name}: {mine:?}\nand {others:?}\n{conflicts:?}")
        };
        no_new_misquotes(&one, &told);
        let is_clean = one.found.conflicts.is_empty();
        assert_eq!(is_clean, other.found.conflicts.is_empty(), "{}", told());
        // Turns that both add at one place are there in either order. One without words that another speaker has is
        // another turn.
        let adds = |copy: &Dialog| !aligned(&one.base.turns, &copy.turns).added.is_empty();
        let is_ordered = !adds(&one.ours) || !adds(&one.theirs);
        if is_clean && is_ordered {
            assert!(says_same(&one.file, &other.file), "not symmetric: {}", told());
        }
        all += 1;
        clean += usize::from(is_clean);
    });
    say(&format!("{all} merges, {clean} clean"));
}

/// No segment quotes something else than it covers if that is so in neither copy.
fn no_new_misquotes(copies: &Copies, told: &dyn Fn() -> String) {
    let wrong = |dialog: &Dialog| {
        let mut wrong = 0;
        for turn in &dialog.turns {
            wrong += turn
                .segments
                .iter()
                .filter(|segment| {
                    let covered = segment.span.and_then(|span| turn.covered(span, dialog.units));
                    segment.exact_quote().is_some_and(|quote| Some(quote) != covered.as_deref())
                })
                .count();
        }
        wrong
    };
    let known = [&copies.base, &copies.ours, &copies.theirs].map(wrong);
    let known: usize = known.into_iter().sum();
    assert!(wrong(&read(&copies.file, 0)) <= known, "{}", told());
}
