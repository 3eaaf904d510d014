//! Edits that do not fit their file any more, kept as records that `turnwise apply` reads.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::private;
use crate::text::counted;

/// Bytes of a corpus file's name that are part of the name of a file of edits, at the most: file systems
/// take names of 255 bytes.
const LONGEST_STEM: usize = 200;

/// Writes records into a new file in the state folder `state`, named after the corpus file at `path`.
///
/// None if there are none.
///
/// # Errors
/// If it cannot be written.
pub fn export_edits(state: &Path, path: &Path, records: &[String]) -> io::Result<Option<PathBuf>> {
    if records.is_empty() {
        return Ok(None);
    }
    let folder = state.join("kept");
    private::make_folder(&folder)?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let stem = &stem[..stem.floor_char_boundary(LONGEST_STEM)];
    for number in 1.. {
        let kept = folder.join(format!("{stem}-{number}.edits.jsonl"));
        match private::open(&kept, File::options().write(true).create_new(true)) {
            Ok(mut file) => {
                file.write_all(format!("{}\n", records.join("\n")).as_bytes())?;
                file.sync_all()?;
                return Ok(Some(kept));
            }
            Err(_) if kept.symlink_metadata().is_ok() => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// What came of keeping edits of a file.
pub struct ExportedEdits {
    /// The corpus file, as it is shown.
    pub name: String,
    pub edits: usize,
    /// The file is not on the disk.
    pub absent: bool,
    /// So many saved edits were undone, which no file of edits can say.
    pub undone: usize,
    /// Where the edits are; None if there are none.
    pub outcome: io::Result<Option<PathBuf>>,
}

/// What is told of all outcomes in one message; `changed`: the files have changed since the edits were
/// made.
pub fn told(all: &[ExportedEdits], changed: bool) -> String {
    let is_kept = |kept: &&ExportedEdits| matches!(kept.outcome, Ok(Some(_)));
    let good: Vec<_> = all.iter().filter(is_kept).collect();
    let count: usize = good.iter().map(|kept| kept.edits).sum();
    let are = if count == 1 { "is" } else { "are" };
    let of = match (good.as_slice(), changed) {
        ([only], true) => format!(" of {}, which has changed since, {are}", only.name),
        (several, true) => format!(" of {} files that have changed since are", several.len()),
        ([_], false) => String::new(),
        (several, false) => format!(" of {} files", several.len()),
    };
    let mut places = good
        .iter()
        .filter_map(|kept| kept.outcome.as_ref().ok()?.as_ref());
    let place = match (places.next(), places.next()) {
        (Some(first), Some(_)) => first.parent(),
        (first, _) => first.map(PathBuf::as_path),
    };
    let mut said: Vec<_> = place
        .into_iter()
        .map(|place| {
            let (edits, place) = (counted(count, "edit"), place.display());
            format!("{edits}{of} kept in {place}: `turnwise apply` reads them")
        })
        .collect();
    if let Some(ExportedEdits { name, .. }) = good.iter().find(|kept| kept.absent) {
        said.push(format!(
            "{name} has to be on the disk for that: saving a vote on its dialog puts it there"
        ));
    }
    for ExportedEdits {
        name,
        edits,
        outcome,
        ..
    } in all
    {
        if let Err(error) = outcome {
            let edits = counted(*edits, "edit");
            said.push(format!(
                "{edits} of {name} could not be kept in a file: {error}"
            ));
        }
    }
    let undone: usize = all.iter().map(|kept| kept.undone).sum();
    if undone > 0 {
        let (edits, were) = (
            counted(undone as u64, "saved edit"),
            if undone == 1 { "was" } else { "were" },
        );
        let of = match all {
            [only] if changed => format!(" of {}", only.name),
            _ => String::new(),
        };
        said.push(format!("that {edits}{of} {were} undone, no file can say"));
    }
    said.join("; ")
}
