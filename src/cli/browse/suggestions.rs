//! The records of `turnwise --suggestions` with the files that they may be for, and the conflicts beside files.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::app::{ConflictList, Suggested, Suggestions};
use crate::cli::CommandOutcome;
use crate::cli::errors::{OrStop as _, Stop, file_error};
use crate::cli::records::{RecordLine, names, read_records};
use crate::cli::style::shown;
use crate::compare::ConflictLine;
use crate::shell::{STDIN, conflicts_of, read_conflicts, side_path};

/// Reads the suggestions of a file.
///
/// # Errors
/// If they cannot be reviewed.
pub fn read(path: &Path) -> Result<Vec<RecordLine>, Stop> {
    if path == Path::new(STDIN) {
        let why = "keys are read from standard input; give a file of suggestions";
        return Err(Stop::at(path, why));
    }
    let records = read_records(path)?;
    if records.is_empty() {
        file_error(path, &"there are no suggestions");
        return Err(CommandOutcome::Issues.into());
    }
    must_have_screen()?;
    Ok(records)
}

/// Checks that suggestions can be reviewed.
///
/// # Errors
/// If there is no terminal to do that on.
pub fn must_have_screen() -> Result<(), Stop> {
    let why = "suggestions are reviewed on a terminal; `turnwise apply` makes all of them";
    super::has_screen().then_some(()).ok_or(why).or_stop()
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

/// Adds the conflicts that are listed beside these files. Returns why a list cannot be used, of the first such.
pub fn add_conflicts<'p>(
    suggestions: &mut Suggestions,
    files: impl Iterator<Item = (usize, &'p PathBuf)>,
) -> Option<String> {
    let mut wrong = None;
    for (position, path) in files {
        let file = position as u32;
        // Through a link that leads elsewhere, no decision could be kept.
        let list = conflicts_of(path);
        let place = side_path(path, &list).map_err(|why| format!("{}: {why}", shown(&list)));
        match place.and_then(|_| read_list(path)) {
            Ok((text, lines)) => {
                let numbered = (1..).zip(lines);
                let all = numbered.map(|(line, of)| Suggested::conflict(line, of, file));
                suggestions.all.extend(all);
                suggestions.lists.push(ConflictList {
                    file,
                    lines: text.lines().map(str::to_owned).collect(),
                    on_disk: text,
                });
            }
            Err(why) => wrong = wrong.or(Some(why)),
        }
    }
    suggestions.reviewing = !suggestions.all.is_empty();
    wrong
}

/// Reads the list of conflicts beside a file; nothing if there is none. Returns its text, too.
///
/// # Errors
/// If it cannot be read or a line is not a conflict, in words that name it: nobody may take it for a list, and write
/// another in its place.
pub fn read_list(path: &Path) -> Result<(String, Vec<ConflictLine>), String> {
    let list = conflicts_of(path);
    let named = |why: &dyn fmt::Display| format!("{}: {why}", shown(&list));
    let text = read_conflicts(path).map_err(|error| named(&error));
    let read = text.and_then(|text| {
        let lines = text.lines().map(serde_json::from_str::<ConflictLine>);
        let lines = lines.collect::<Result<Vec<_>, _>>();
        let lines = lines.map_err(|error| named(&format_args!("not a list of conflicts: {error}")));
        Ok((text, lines?))
    });
    // A link to something else is replaced, and that stays as it is.
    read.or_else(|why| if list.is_symlink() { Ok((String::new(), Vec::new())) } else { Err(why) })
}
