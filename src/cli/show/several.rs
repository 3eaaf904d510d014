//! Shows one dialog from whichever of several files has it.

use std::io;
use std::path::Path;

use super::{ShowRequest, distinct, has_several, show_dialogs, too_short, unusable};
use crate::cli::errors::{Ended, Stop};
use crate::cli::printer::Printer;
use crate::cli::scan::open_reported;
use crate::cli::{CommandOutcome, complain};
use crate::corpus::{DialogRef, IdLookup};
use crate::format::Family;
use crate::shell::{FoundPath, files_of, open};
use crate::text::grouped;

/// The position of a dialog that was found.
struct Place<'a> {
    file: &'a FoundPath,
    position: usize,
    /// Its file is shown as the companion of another one.
    beside: bool,
}

/// The positions of dialogs with an id, or with a number.
#[derive(Default)]
struct Places<'a> {
    all: Vec<Place<'a>>,
    /// Files with several such dialogs.
    ambiguous: Vec<&'a Path>,
}

impl Places<'_> {
    fn is_empty(&self) -> bool {
        self.all.is_empty() && self.ambiguous.is_empty()
    }
}

/// Shows the dialogs with this id in all files, or else those with this number.
pub fn show(
    files: &[FoundPath],
    name: &str,
    request: &ShowRequest<'_>,
    out: &mut Printer,
) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let [by_id, by_number] = find(files, name, &mut outcome)?;
    let mut found = if by_id.is_empty() { by_number } else { by_id };
    if found.all.iter().any(|place| !place.beside) {
        found.all.retain(|place| !place.beside);
    }
    for path in &found.ambiguous {
        outcome = has_several(path, name);
    }
    if found.is_empty() {
        match find_beginning(files, name)? {
            Ok(places) => found = places,
            Err(why) => {
                return Err(Stop::say(why));
            }
        }
    }
    if found.is_empty() {
        let all = grouped(files_of(files).len());
        complain(format_args!("no dialog with id or number {name:?} in {all} files"));
        outcome = CommandOutcome::Unusable;
    }
    for Place { file, position, .. } in found.all {
        outcome = outcome.max(match open(file.path(), &file.formats, false) {
            Ok(opened) => show_dialogs(&opened.file, file, position..position + 1, request, out)?,
            Err(error) => unusable(file.path(), &error),
        });
    }
    Ok(outcome)
}

/// Finds the dialogs whose id begins with `name`. The inner error is the message that several ids do.
fn find_beginning<'a>(
    files: &'a [FoundPath],
    name: &str,
) -> io::Result<Result<Places<'a>, String>> {
    let (mut places, mut ids) = (Places::default(), Vec::new());
    for found in files {
        // Files that cannot be read are reported already.
        let Ok(opened) = open(found.path(), &found.formats, false) else {
            continue;
        };
        let beside = opened.file.format().is_some_and(Family::is_companion);
        for (position, id) in opened.file.find_beginning(name)? {
            ids.push(id);
            places.all.push(Place { file: found, position, beside });
        }
    }
    let ids = distinct(ids.iter());
    if ids.len() > 1 {
        return Ok(Err(too_short(name, &ids)));
    }
    if places.all.iter().any(|place| !place.beside) {
        places.all.retain(|place| !place.beside);
    }
    Ok(Ok(places))
}

/// Finds the dialogs whose id or number is `name`.
fn find<'a>(
    files: &'a [FoundPath],
    name: &str,
    outcome: &mut CommandOutcome,
) -> io::Result<[Places<'a>; 2]> {
    let mut wanted = vec![DialogRef::Id(name.to_owned())];
    wanted.extend(name.parse().ok().map(DialogRef::Number));
    let mut places = [Places::default(), Places::default()];
    for found in files {
        let path = found.path();
        let Some(opened) = open_reported(found, false, outcome) else {
            continue;
        };
        let file = opened.file;
        let Some(format) = file.format() else {
            continue;
        };
        for (wanted, places) in wanted.iter().zip(&mut places) {
            match file.find(wanted)? {
                IdLookup::Found(position) => {
                    places.all.push(Place { file: found, position, beside: format.is_companion() })
                }
                IdLookup::Several => places.ambiguous.push(path),
                IdLookup::Missing => {}
            }
        }
    }
    Ok(places)
}
