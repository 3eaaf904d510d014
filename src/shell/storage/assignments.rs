//! Reads the lists of dialogs that annotators are assigned, beside corpora.

use std::path::Path;

use super::beside::{files_in, folders_of, has_extension};
use super::disk::{LARGEST_DATA, read_side_text};
use crate::judging::{ASSIGNMENTS_FOLDER, Assignments};

/// Returns the assignments beside these files, and why some cannot be read. Annotators are named as their files are.
pub fn read_assignments<'p>(files: impl Iterator<Item = &'p Path>) -> (Assignments, Vec<String>) {
    let lists = |folder: &Path| {
        files_in(&folder.join(ASSIGNMENTS_FOLDER), |path| has_extension(path, "jsonl"))
    };
    let (mut assignments, mut wrong) = (Assignments::default(), Vec::new());
    for path in folders_of(files).flat_map(lists) {
        let annotator = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
        match read_side_text(&path, LARGEST_DATA) {
            Ok(text) => match assignments.add(&annotator, &text) {
                0 => {}
                broken => wrong
                    .push(format!("{}: lines that are not assignments: {broken}", path.display())),
            },
            Err(error) => wrong.push(format!("{}: {error}", path.display())),
        }
    }
    (assignments, wrong)
}
