//! The differences between two copies, decided one by one.

use turnwise::compare::{ConflictLine, Side, choose, differences, file_choices};

use super::merge::for_each;
use super::{File, saved};
use crate::support::check::read;
use crate::support::files::{open, say};

/// True if a file says what another one says, but for what no edit says.
fn says_same(file: &File, other: &File) -> bool {
    let mut copy = open(saved(file));
    let found = differences(copy.inner(), 0, &read(other, 0)).unwrap();
    if !found.edits.is_empty() {
        say(&format!("{found:?}"));
    }
    found.edits.is_empty()
}

#[test]
fn all_differences_of_a_copy_make_it_the_other_of_many_real_dialogs() {
    let (mut all, mut whole) = (0, 0);
    for_each("choosing", |original, random| {
        let (ours, mine) = original.copy(random, 4, |_| true);
        let (theirs, others) = original.copy(random, 4, |_| true);
        let told = || format!("{}: {mine:?}\nand {others:?}", original.name);
        let (ours, theirs) = (open(saved(&ours)), open(saved(&theirs)));
        let (one, other) = (read(&ours, 0), read(&theirs, 0));
        assert_eq!(
            choose(&one, &other, &|_| Side::Ours).dialog,
            one,
            "{}",
            told()
        );
        // Each in its turn, in the dialog that the ones before have changed.
        let found = file_choices(open(saved(&ours)).inner(), &theirs).unwrap();
        if found.added + found.removed > 0 {
            // Too little in common for one dialog.
            return;
        }
        let mut file = open(saved(&ours));
        let mut is_whole = true;
        for conflict in found.conflicts {
            let line = ConflictLine::from(conflict);
            let now = line.carried(&one, &read(&file, 0));
            is_whole &= !line.edits.is_empty() && now.edits.len() == line.edits.len();
            for edit in &now.edits {
                is_whole &= file.edit(0, edit).is_ok();
            }
        }
        all += 1;
        if is_whole {
            whole += 1;
            assert!(says_same(&file, &theirs), "{}", told());
        }
    });
    say(&format!("{all} copies, {whole} as a whole"));
    assert!(whole * 100 >= all * 80, "{whole} of {all}");
}
