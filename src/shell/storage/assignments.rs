//! Reads the lists of dialogs that annotators are assigned, beside corpora.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::disk::{LARGEST_DATA, read_side_text};
use super::paths::{folder_of, folder_part};
use crate::judging::{ASSIGNMENTS_FOLDER, Assignments};

/// Returns the assignments beside these files, and why some cannot be read. Annotators are named as their files are.
pub fn read_assignments<'p>(files: impl Iterator<Item = &'p Path>) -> (Assignments, Vec<String>) {
    let mut last = None;
    let firsts = files.filter(|file| last.replace(folder_part(file)) != Some(folder_part(file)));
    let folders: BTreeSet<PathBuf> =
        firsts.map(|file| folder_of(file).join(ASSIGNMENTS_FOLDER)).collect();
    let (mut assignments, mut wrong) = (Assignments::default(), Vec::new());
    for path in folders.iter().flat_map(|folder| folder.read_dir()).flatten().flatten() {
        let path = path.path();
        if path.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let annotator = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        match read_side_text(&path, LARGEST_DATA) {
            Ok(text) => match assignments.add(&annotator, &text) {
                0 => {}
                broken => {
                    wrong.push(format!("{}: {broken} lines are not assignments", path.display()))
                }
            },
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    (assignments, wrong)
}
