//! Companion files of a breakdown log.
//!
//! Next to `X.log.json` there may be `X.log.context`, the text that the dialog is about, and
//! `X.labels.json`, a detector's output, which is used if it names the same dialogue id.

use std::io;
use std::path::Path;

use super::disk::{DiskFile, LARGEST_DATA, is_there, read_side_file};
use super::open::{OpenError, open_source};
use crate::corpus::{DialogRef, IdLookup, Source as _, explain};
use crate::dialog::Dialog;
use crate::format::{Family, Formats};

/// Longest context that is read, in bytes; one or two pages are usual.
const LONGEST: u64 = 1 << 20;

/// The companions of a log.
#[derive(Debug, Default)]
pub struct Companions {
    pub context: Option<String>,
    pub labels: Option<Dialog>,
    /// Why a file with a companion's name cannot be shown.
    pub trouble: Option<String>,
}

/// Reads the companions of the log at `path`, which holds the dialog `id`.
pub fn companions(path: &Path, id: &str) -> Companions {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(stem) = name.strip_suffix(".log.json") else {
        return Companions::default();
    };
    let mut found = Companions::default();
    let name = format!("{stem}.log.context");
    match context(&path.with_file_name(&name)) {
        Ok(context) => found.context = context,
        Err(why) => found.trouble = Some(format!("{name} is not shown: {why}")),
    }
    let trouble = found.trouble.clone();
    for stem in [stem, id] {
        let name = format!("{stem}.labels.json");
        let beside = path.with_file_name(&name);
        if !is_there(&beside) {
            continue;
        }
        match labels_of(&beside, id) {
            Ok(labels) => {
                return Companions { labels: Some(labels), trouble, ..found };
            }
            Err(why) => {
                found.trouble.get_or_insert(format!("{name} is not shown: {why}"));
            }
        }
    }
    found
}

/// Reads the context; returns None if there is none.
fn context(path: &Path) -> io::Result<Option<String>> {
    if !is_there(path) {
        return Ok(None);
    }
    let bytes = read_side_file(path, LONGEST)?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// Returns the detector's labels for the dialog `id`.
fn labels_of(path: &Path, id: &str) -> Result<Dialog, String> {
    let source = DiskFile::open(path).map_err(OpenError::Open);
    let source = source.map_err(|error| error.to_string())?;
    if source.len() > LARGEST_DATA {
        let limit = LARGEST_DATA >> 20;
        return Err(format!("it is larger than {limit} MiB, the limit for such files"));
    }
    let file =
        open_source(source, &Formats::default(), false).map_err(|error| error.to_string())?;
    if let Some(why) = explain::broken(&file).or_else(|| explain::no_dialogs(&file)) {
        return Err(why);
    }
    if !file.format().is_some_and(Family::is_companion) {
        return Err("not a detector's output".to_owned());
    }
    let found = file.find(&DialogRef::Id(id.to_owned()));
    let position = match found.map_err(|error| error.to_string())? {
        IdLookup::Found(position) => position,
        IdLookup::Several => return Err(format!("it has {id:?} more than once")),
        IdLookup::Missing => return Err(format!("it has no labels for {id:?}")),
    };
    explain::dialog(&file, position)
}
