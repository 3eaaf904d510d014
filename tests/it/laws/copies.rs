//! The edits between two copies of a dialog make one say what the other says.

use turnwise::compare::differences;
use turnwise::dialog::{Dialog, Edit};

use crate::support::check::{family, read};
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{
    indexed, open, open_path, own_files, real_files, saved, say, spread, without_key,
};
use crate::support::random::Random;
use crate::support::{amount, plan};

/// A dialog of a corpus, which copies of the file change.
pub struct Original {
    pub name: String,
    pub bytes: Vec<u8>,
    pub position: usize,
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
            let dialog = read(&file, self.position);
            let mut edits = plan::edits(family(&file), &dialog);
            edits.retain(|edit| is_meant(edit) && is_valid(edit, &dialog));
            if edits.is_empty() {
                break;
            }
            let edit = edits.swap_remove(random.position(edits.len()));
            if file.edit(self.position, &edit) == Ok(true) {
                made.push(edit);
            }
        }
        (file, made)
    }
}

fn is_valid(edit: &Edit, dialog: &Dialog) -> bool {
    edit.apply(dialog).is_ok()
}

/// Some dialogs of each file, of the project and of real corpora.
pub fn originals(test: &str, of_each: usize) -> Vec<Original> {
    let mut paths = own_files();
    let real = real_files(test).unwrap_or_default();
    let mut folders = std::collections::BTreeMap::<_, Vec<_>>::new();
    for path in real {
        folders.entry(path.parent().unwrap().to_owned()).or_default().push(path);
    }
    paths.extend(folders.into_values().flat_map(|files| spread(files, 2)));
    let mut originals = Vec::new();
    for path in paths {
        let Some(file) = open_path(&path) else {
            continue;
        };
        if file.format().is_none() {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), of_each) {
            // Only this dialog, so that many edits take no time.
            let piece = without_key(&file.text(position).unwrap()).to_owned();
            let bytes = piece.into_bytes();
            let position = 0;
            let name = path.display().to_string();
            let original = Original { name, bytes, position };
            if indexed(&original.bytes).pieces.len() == 1 {
                originals.push(original);
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
