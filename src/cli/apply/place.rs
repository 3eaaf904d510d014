//! Which dialog of which file each record is for.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::{Line, refuse, same_file};
use crate::cli::paint::shown;
use crate::cli::{Outcome, complain, trouble};
use crate::corpus::{DialogRef, Lookup, positions};
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
    let mut search = Search {
        lines,
        targets: Vec::new(),
        places: vec![Vec::new(); lines.len()],
        useless: Vec::new(),
        outcome: Outcome::Clean,
    };
    for found in files {
        match found {
            Found::File { path, .. } if same_file(&path, edits) => {}
            Found::File { path, below } => search.look_into(&path, below.as_deref())?,
            Found::Problem { path, error } => search.failed(&path, &error),
        }
    }
    Ok(search.finish(edits))
}

/// What was found in the files so far.
struct Search<'l> {
    lines: &'l [Line],
    targets: Vec<Target>,
    /// For each record, the targets that have its dialog.
    places: Vec<Vec<(usize, Lookup)>>,
    /// Files that were named and hold no dialogs, and why.
    useless: Vec<String>,
    outcome: Outcome,
}

impl Search<'_> {
    fn failed(&mut self, path: &Path, error: &dyn std::fmt::Display) {
        complain(format_args!("{}: {error}", shown(path)));
        self.outcome = Outcome::Unusable;
    }

    /// Looks for the dialogs of all records in a file.
    fn look_into(&mut self, path: &Path, below: Option<&Path>) -> io::Result<()> {
        let opened = match open(path, true) {
            Ok(opened) => opened,
            Err(error) => {
                self.failed(path, &error);
                return Ok(());
            }
        };
        let is_named = |line: &Line| line.record.file.is_some() && is_meant(path, line);
        if let Some((at, kind)) = opened.file.index().error {
            let place = positions(opened.file.source(), &[at])?;
            complain(format_args!("{}:{}: {kind}", shown(path), place[0]));
            self.outcome = Outcome::Unusable;
        } else if let Some(why) = trouble::no_dialogs(&opened.file)
            && (below.is_none() || self.lines.iter().any(is_named))
        {
            self.useless.push(format!("{}: {why}", shown(path)));
        }
        let lookups = match opened.file.format() {
            Some(_) => look_up(&opened, self.lines)?,
            None => Vec::new(),
        };
        if lookups.iter().all(|(_, lookup)| *lookup == Lookup::Missing) {
            return Ok(());
        }
        for (line, lookup) in lookups
            .into_iter()
            .filter(|(_, lookup)| *lookup != Lookup::Missing)
        {
            self.places[line].push((self.targets.len(), lookup));
        }
        let name = below.and_then(|folder| path.strip_prefix(folder).ok().map(Path::to_owned));
        let name = name.unwrap_or_else(|| path.file_name().unwrap_or_default().into());
        self.targets.push(Target {
            opened,
            name,
            edits: Vec::new(),
        });
        Ok(())
    }

    fn finish(self, edits: &Path) -> (Option<Vec<Target>>, Outcome) {
        let Self {
            lines,
            mut targets,
            places,
            useless,
            outcome,
        } = self;
        let mut all_placed = true;
        for ((position, line), mut places) in lines.iter().enumerate().zip(places) {
            if places.len() > 1 {
                // A detector's output has the id of its log, and takes no votes.
                places.retain(|(target, _)| takes(&targets[*target], line));
            }
            let why = match places.as_slice() {
                [(target, Lookup::Found(dialog))] => {
                    targets[*target].edits.push((position, *dialog));
                    continue;
                }
                [] => "is in none of the files".to_owned(),
                [_] => "is in the file more than once; name it by its number".to_owned(),
                several => {
                    let files = several.iter().map(|(target, _)| &targets[*target]);
                    format!("is in {}; name one with \"file\"", listed(files))
                }
            };
            let Line { number, record } = line;
            refuse(edits, *number, &format_args!("{} {why}", record.dialog));
            all_placed = false;
        }
        if !all_placed {
            for why in useless {
                complain(format_args!("{why}"));
            }
            complain(format_args!("nothing was changed"));
            return (None, outcome);
        }
        targets.retain(|target| !target.edits.is_empty());
        (Some(targets), outcome)
    }
}

/// The paths of a few files and how many more there are.
fn listed<'t>(files: impl ExactSizeIterator<Item = &'t Target>) -> String {
    let more = files.len().saturating_sub(LISTED);
    let paths = files.take(LISTED).map(|t| shown(&t.opened.path));
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

/// True unless the record names another file.
fn is_meant(path: &Path, line: &Line) -> bool {
    let file = line.record.file.as_ref();
    file.is_none_or(|file| path.ends_with(file.trim_start_matches("./")))
}

/// Looks up the dialogs of the records that may be for this file, each id once.
fn look_up(opened: &Opened, lines: &[Line]) -> io::Result<Vec<(usize, Lookup)>> {
    let lines: Vec<_> = lines.iter().enumerate().collect();
    let meant = |line: &&(usize, &Line)| is_meant(&opened.path, line.1);
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
