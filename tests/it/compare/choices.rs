//! The differences between two copies, decided one by one.

use turnwise::compare::{ConflictLine, aligned, file_choices};

use super::File;
use crate::laws::merges::{differing, for_each};
use crate::support::check::read;
use crate::support::files::{open, saved, say};

/// True if a file says what another one says, but for what no edit says.
fn says_same(file: &File, other: &File) -> bool {
    let found = differing(file, other);
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
        let (ours, mut theirs) = (open(saved(&ours)), open(saved(&theirs)));
        let (one, other) = (read(&ours, 0), read(&theirs, 0));
        // Each in its turn, in the dialog that the ones before have changed.
        let found = file_choices(open(saved(&ours)).inner(), theirs.inner()).unwrap();
        if found.added + found.removed > 0 {
            // Too little in common for one dialog.
            return;
        }
        // A turn that both have at places that cross is taken away here and added there. Until both are decided it is
        // there twice, and which one a later edit means is open.
        let found_turns = aligned(&one.turns, &other.turns);
        let is_moved = |new: &usize| {
            let turn = &other.turns[*new];
            let mut removed = found_turns.removed.iter().map(|own| &one.turns[*own]);
            removed.any(|own| own.text == turn.text && own.speaker == turn.speaker)
        };
        // No edits give a turn two votes of one annotator, as a turn of the demo has.
        let votes_twice = |new: &usize| {
            let votes = &other.turns[*new].votes;
            let by = votes.iter().map(|vote| &vote.annotator);
            by.collect::<std::collections::HashSet<_>>().len() < votes.len()
        };
        let both = found_turns.both.iter();
        let mut voted = both.filter(|(own, new)| one.turns[*own].votes != other.turns[*new].votes);
        let mut added = found_turns.added.iter();
        if added.any(|new| is_moved(new) || votes_twice(new))
            || voted.any(|(_, new)| votes_twice(new))
        {
            return;
        }
        let mut file = open(saved(&ours));
        let mut made = Vec::new();
        let mut is_whole = true;
        for conflict in found.conflicts {
            let line = ConflictLine::from(conflict);
            let now = line.carried_by(&one, &made, &read(&file, 0));
            is_whole &= !line.edits.is_empty() && now.edits.len() == line.edits.len();
            for edit in now.edits {
                match file.edit(0, &edit) {
                    Ok(true) => made.push(edit),
                    done => is_whole &= done.is_ok(),
                }
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
