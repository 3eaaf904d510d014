//! Copies of corpora: what differs, and the changes of two copies in one.

mod agreement;
mod beside;
mod blame;
mod choices;
mod clashes;
mod commands;
mod differences;
#[cfg(target_os = "linux")]
mod git;
mod lost;
mod members;
mod merge;
mod pairing;
mod sides;
mod untold;

use std::fs;
use std::path::Path;

use turnwise::dialog::{Dialog, Edit};

use crate::support::check::{family, read};
use crate::support::edited_file::EditedFile;
use crate::support::files::{open, open_path, own_files, real_files, saved, spread};
use crate::support::plan;
use crate::support::random::Random;
use crate::support::{Ran, run_in};

type File = EditedFile;

/// A dialog of a corpus, which copies of the file change.
struct Original {
    name: String,
    bytes: Vec<u8>,
    position: usize,
}

impl Original {
    fn open(&self) -> File {
        open(self.bytes.clone())
    }

    /// A copy with up to `count` random edits that `is_meant` picks; with them.
    fn copy(
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
fn originals(test: &str, of_each: usize) -> Vec<Original> {
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
            let piece =
                crate::support::files::without_key(&file.text(position).unwrap()).to_owned();
            let bytes = piece.into_bytes();
            let position = 0;
            let name = path.display().to_string();
            let original = Original { name, bytes, position };
            if crate::support::files::indexed(&original.bytes).pieces.len() == 1 {
                originals.push(original);
            }
        }
    }
    originals
}

/// Merges `base.json`, `ours.json` and `theirs.json` of a folder into `out.json`.
fn merge(folder: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["merge", "base.json", "ours.json", "theirs.json", "-o", "out.json"];
    arguments.extend(more);
    run_in(folder, &arguments, "")
}

/// The same, of these texts.
fn merge_texts(folder: &Path, texts: [&str; 3], more: &[&str]) -> Ran {
    for (name, text) in ["base.json", "ours.json", "theirs.json"].iter().zip(texts) {
        fs::write(folder.join(name), text).unwrap();
    }
    merge(folder, more)
}
