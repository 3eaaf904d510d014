//! One dialog out of several files: whichever has it.

use std::io;
use std::path::{Path, PathBuf};

use super::{Wish, has_several, show_dialogs, unusable};
use crate::cli::printer::Printer;
use crate::cli::{Outcome, complain};
use crate::corpus::{DialogRef, Lookup};
use crate::format::Format;
use crate::shell::open;
use crate::text::grouped;

/// Where a dialog is that was looked for.
struct Place<'a> {
    path: &'a Path,
    position: usize,
    /// Its file is shown beside another one.
    beside: bool,
}

/// Where dialogs are, and what kept from finding more.
#[derive(Default)]
struct Places<'a> {
    all: Vec<Place<'a>>,
    /// Files that could not be read.
    unread: Vec<(&'a Path, String)>,
    /// Files with several dialogs of the id.
    ambiguous: Vec<&'a Path>,
}

/// Shows the dialogs of all files that have this id, or else this number.
pub fn show(
    files: &[PathBuf],
    name: &str,
    wish: &Wish<'_>,
    out: &mut Printer,
) -> io::Result<Outcome> {
    let mut found = find(files, &DialogRef::Id(name.to_owned()))?;
    if found.all.is_empty()
        && found.ambiguous.is_empty()
        && let Ok(number) = name.parse()
    {
        found = find(files, &DialogRef::Number(number))?;
    }
    if found.all.iter().any(|place| !place.beside) {
        found.all.retain(|place| !place.beside);
    }
    let mut outcome = Outcome::Clean;
    for (path, error) in &found.unread {
        outcome = unusable(path, error);
    }
    for path in &found.ambiguous {
        outcome = has_several(path, name);
    }
    if found.all.is_empty() && found.ambiguous.is_empty() {
        let all = grouped(files.len());
        complain(format_args!(
            "no dialog in {all} files has the id or the number {name:?}"
        ));
        outcome = Outcome::Unusable;
    }
    for Place { path, position, .. } in found.all {
        outcome = outcome.max(match open(path, false) {
            Ok(opened) => show_dialogs(&opened.file, path, position..position + 1, wish, out)?,
            Err(error) => unusable(path, &error),
        });
    }
    Ok(outcome)
}

fn find<'a>(files: &'a [PathBuf], wanted: &DialogRef) -> io::Result<Places<'a>> {
    let mut places = Places::default();
    for path in files {
        let file = match open(path, false) {
            Ok(opened) => opened.file,
            Err(error) => {
                places.unread.push((path, error.to_string()));
                continue;
            }
        };
        match file.find(wanted)? {
            Lookup::Found(position) => places.all.push(Place {
                path,
                position,
                beside: file.format().is_some_and(Format::is_companion),
            }),
            Lookup::Several => places.ambiguous.push(path),
            Lookup::Missing => {}
        }
    }
    Ok(places)
}
