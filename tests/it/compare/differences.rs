//! The edits between two copies of a dialog make one say what the other says.

use turnwise::compare::differences;

use super::{originals, saved};
use crate::support::amount;
use crate::support::check::read;
use crate::support::files::say;
use crate::support::random::Random;

/// Copies that were made by edits: the edits between them are known, and mostly give the same bytes.
#[test]
fn edits_between_copies_give_the_other_copy_of_many_real_dialogs() {
    let (mut all, mut said, mut same) = (0, 0, 0);
    for (seed, original) in originals("comparing copies", amount(2, 3)).iter().enumerate() {
        let mut random = Random(seed as u64);
        for _ in 0..amount(2, 3) {
            let (copy, made) = original.copy(&mut random, 5, |_| true);
            let mut changed = original.open();
            let new = read(&copy, 0);
            let found = differences(changed.inner(), 0, &new).unwrap();
            let told = || format!("{}: {made:?}\n{found:?}", original.name);
            all += 1;
            if !found.unsaid.is_empty() {
                continue;
            }
            said += 1;
            let mut file = original.open();
            for edit in &found.edits {
                let made = file.edit(0, edit);
                assert!(made.is_ok(), "{edit:?}: {made:?}\n{}", told());
            }
            assert!(saved(&file) == saved(&changed), "{}", told());
            same += usize::from(saved(&file) == saved(&copy));
            let left = differences(file.inner(), 0, &new).unwrap();
            assert!(left.is_empty(), "{left:?}\n{}", told());
        }
    }
    say(&format!("{all} copies, {said} with all differences as edits, {same} byte for byte"));
    assert!(said * 100 >= all * 95, "{said} of {all}");
    assert!(same * 100 >= said * 95, "{same} of {said}");
}
