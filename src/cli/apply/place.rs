//! Which dialog of which file each record is for.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Line, refuse};
use crate::cli::output::{name_of, same_file};
use crate::cli::{Outcome, complain};
use crate::corpus::{DialogRef, Lookup};
use crate::shell::{Found, Opened, open};

/// Files that a message names, at the most.
const LISTED: usize = 4;

/// A file that records are for.
pub struct Target {
    pub opened: Opened,
    /// The file's path below the folder it was found in, or its name.
    pub name: PathBuf,
    /// Index of the record and position of the dialog, in the order of the records.
    pub edits: Vec<(usize, usize)>,
}

/// Where the records go. None if one of them goes nowhere, or could go to several places: then
/// nothing is to be applied. A file that no record is for is closed again.
pub fn place(
    edits: &Path,
    lines: &[Line],
    files: Vec<Found>,
) -> io::Result<(Option<Vec<Target>>, Outcome)> {
    let mut outcome = Outcome::Clean;
    let mut targets: Vec<Target> = Vec::new();
    let mut places: Vec<Vec<(usize, Lookup)>> = vec![Vec::new(); lines.len()];
    for found in files {
        let (path, below) = match found {
            Found::File { path, below } => (path, below),
            Found::Problem { path, error } => {
                complain(format_args!("{}: {error}", path.display()));
                outcome = Outcome::Unusable;
                continue;
            }
        };
        if same_file(&path, edits) {
            continue;
        }
        let opened = match open(&path, true) {
            Ok(opened) => opened,
            Err(error) => {
                complain(format_args!("{}: {error}", path.display()));
                outcome = Outcome::Unusable;
                continue;
            }
        };
        if let Some((at, kind)) = opened.file.index().error {
            let place = crate::corpus::positions(opened.file.source(), &[at])?;
            complain(format_args!("{}:{}: {kind}", path.display(), place[0]));
            outcome = Outcome::Unusable;
        }
        let lookups = match opened.file.format() {
            Some(_) => look_up(&opened, lines)?,
            None => Vec::new(),
        };
        if lookups.iter().all(|(_, lookup)| *lookup == Lookup::Missing) {
            continue;
        }
        for (line, lookup) in lookups
            .into_iter()
            .filter(|(_, lookup)| *lookup != Lookup::Missing)
        {
            places[line].push((targets.len(), lookup));
        }
        let name = name_of(&path, below.as_deref());
        targets.push(Target {
            opened,
            name,
            edits: Vec::new(),
        });
    }
    let mut all_placed = true;
    for (line, mut places) in places.into_iter().enumerate() {
        if places.len() > 1 {
            // A detector's output has the id of its log, and takes no votes.
            places.retain(|(target, _)| takes(&targets[*target], &lines[line]));
        }
        match places.as_slice() {
            [(target, Lookup::Found(position))] => targets[*target].edits.push((line, *position)),
            other => {
                let Line { number, record } = &lines[line];
                let why = match other {
                    [] => "is in none of the files".to_owned(),
                    [_] => "is in the file more than once; name it by its number".to_owned(),
                    several => {
                        let files = several.iter().map(|(target, _)| &targets[*target]);
                        format!("is in {}; name one with \"file\"", listed(files))
                    }
                };
                refuse(edits, *number, &format_args!("{} {why}", record.dialog));
                all_placed = false;
            }
        }
    }
    if !all_placed {
        complain(format_args!("nothing was changed"));
        return Ok((None, outcome));
    }
    targets.retain(|target| !target.edits.is_empty());
    Ok((Some(targets), outcome))
}

/// The paths of a few files and how many more there are.
fn listed<'t>(files: impl ExactSizeIterator<Item = &'t Target>) -> String {
    let more = files.len().saturating_sub(LISTED);
    let paths = files
        .take(LISTED)
        .map(|t| t.opened.path.display().to_string());
    let listed = paths.collect::<Vec<_>>().join(", ");
    match more {
        0 => listed,
        _ => format!("{listed} and {more} more"),
    }
}

/// True if dialogs of the target's family have what the record edits.
fn takes(target: &Target, line: &Line) -> bool {
    let format = target.opened.file.format();
    format.is_some_and(|format| format.lacks(&line.record.edit).is_none())
}

/// Looks up the dialogs of the records that may be for this file, each id once.
fn look_up(opened: &Opened, lines: &[Line]) -> io::Result<Vec<(usize, Lookup)>> {
    let meant = |line: &&(usize, &Line)| {
        line.1
            .record
            .file
            .as_ref()
            .is_none_or(|file| opened.path.ends_with(file.trim_start_matches("./")))
    };
    let lines: Vec<_> = lines.iter().enumerate().collect();
    let meant: Vec<_> = lines.iter().filter(meant).collect();
    let ids = meant
        .iter()
        .filter_map(|(_, line)| match &line.record.dialog {
            DialogRef::Id(id) => Some(id.as_str()),
            DialogRef::Number(_) => None,
        });
    let ids = opened.file.find_ids(&ids.collect())?;
    let found = |reference: &DialogRef, ids: &HashMap<String, Lookup>| match reference {
        DialogRef::Id(id) => Ok(ids.get(id).copied().unwrap_or(Lookup::Missing)),
        DialogRef::Number(_) => opened.file.find(reference),
    };
    meant
        .iter()
        .map(|(i, line)| Ok((*i, found(&line.record.dialog, &ids)?)))
        .collect()
}
