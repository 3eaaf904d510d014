//! The edits between two copies of a dialog make one say what the other says.

use turnwise::compare::differences;
use turnwise::dialog::Edit;

use crate::support::check::{family, read};
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{
    indexed, open, open_path, own_files, real_files, saved, say, some_of_each_folder, spread,
    without_key,
};
use crate::support::random::Random;
use crate::support::{amount, plan};

/// A dialog of a corpus, which copies of the file change.
pub struct Original {
    pub name: String,
    /// The dialog alone, so that many edits take no time.
    pub bytes: Vec<u8>,
}

impl Original {
    pub fn open(&self) -> File {
        open(self.bytes.clone())
    }

    /// A copy with up to `count` random edits that `is_meant` picks; with them.
    pub fn copy(
        &self,
        random: &mut Random,
        count: usize,
        is_meant: impl Fn(&Edit) -> bool,
    ) -> (File, Vec<Edit>) {
        let mut file = self.open();
        let mut made = Vec::new();
        for _ in 0..=random.position(count) {
            let dialog = read(&file, 0);
            let mut edits = plan::edits(family(&file), &dialog);
            edits.retain(|edit| is_meant(edit) && edit.apply(&dialog).is_ok());
            if edits.is_empty() {
                break;
            }
            let edit = edits.swap_remove(random.position(edits.len()));
            if file.edit(0, &edit) == Ok(true) {
                made.push(edit);
            }
        }
        (file, made)
    }
}

/// Some dialogs of each file, of the project and of real corpora.
pub fn originals(test: &str, of_each: usize) -> Vec<Original> {
    let real = real_files(test).unwrap_or_default();
    let paths = [own_files(), some_of_each_folder(real, 2)].concat();
    let mut originals = Vec::new();
    for path in paths {
        let Some(file) = open_path(&path) else {
            continue;
        };
        if file.format().is_none() {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), of_each) {
            let bytes = without_key(&file.text(position).unwrap()).to_owned().into_bytes();
            if indexed(&bytes).pieces.len() == 1 {
                originals.push(Original { name: path.display().to_string(), bytes });
            }
        }
    }
    originals
}

/// Copies that were made by edits: the edits between them are known, and mostly give the same bytes.
#[test]
fn edits_between_copies_give_the_other_copy_of_many_real_dialogs() {
    let (mut all, mut said, mut same) = (0, 0, 0);
    for (seed, original) in originals("comparing copies", amount(2, 3)).iter().enumerate() {
        let mut random = Random(seed as u64);
        for _ in 0..amount(2, 3) {
            let (copy, made) = original.copy(&mut random, 5, |_| true);
            let mut changed = original.open();
            let found = differences(changed.inner(), 0, &copy, 0).unwrap();
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
            let left = differences(file.inner(), 0, &copy, 0).unwrap();
            assert!(left.is_empty(), "{left:?}\n{}", told());
        }
    }
    say(&format!("{all} copies, {said} with all differences as edits, {same} byte for byte"));
    assert!(said * 100 >= all * 95, "{said} of {all}");
    assert!(same * 100 >= said * 95, "{same} of {said}");
}
