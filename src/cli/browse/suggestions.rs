//! `turnwise --suggestions`: the records to review, and the files that they may be for.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::app::{Suggested, Suggestions};
use crate::cli::CommandOutcome;
use crate::cli::errors::{complain, file_error};
use crate::cli::records::{RecordLine, names, read_conflicts, read_records};
use crate::shell::STDIN;

/// Reads the suggestions of a file. Reports why they cannot be reviewed.
///
/// # Errors
/// The outcome, if they cannot.
pub fn read(path: &Path) -> Result<Vec<RecordLine>, CommandOutcome> {
    if path == Path::new(STDIN) {
        file_error(
            path,
            &"keys are read from standard input; give a file of suggestions",
        );
        return Err(CommandOutcome::Unusable);
    }
    let records = match read_conflicts(path) {
        Ok(Some(records)) => records,
        _ => read_records(path)?,
    };
    if records.is_empty() {
        file_error(path, &"there are no suggestions");
        return Err(CommandOutcome::Issues);
    }
    if can_review() {
        Ok(records)
    } else {
        Err(CommandOutcome::Unusable)
    }
}

/// True if there is a terminal to review suggestions on; otherwise reports that.
pub fn can_review() -> bool {
    let can = super::has_screen();
    if !can {
        complain(format_args!(
            "suggestions are reviewed on a terminal; `turnwise apply` makes all of them"
        ));
    }
    can
}

/// Returns the suggestions, each with the files among `paths` that it may be for.
pub fn of_files(records: Vec<RecordLine>, paths: &[PathBuf]) -> Suggestions {
    let mut meant: HashMap<String, Vec<u32>> = HashMap::new();
    let all = records.into_iter().map(|RecordLine { number, record }| {
        let files = record.file.as_ref().map(|file| {
            let of_name = |file: &String| {
                let paths = (0..).zip(paths);
                let named = paths.filter(|(_, path)| names(file, path));
                named.map(|(number, _)| number).collect()
            };
            if !meant.contains_key(file) {
                meant.insert(file.clone(), of_name(file));
            }
            meant[file].clone()
        });
        Suggested::new(number, record, files)
    });
    Suggestions::new(all.collect())
}
