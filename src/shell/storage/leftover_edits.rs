//! Exports edits that no longer fit their file as records for `turnwise apply`.

use std::io;
use std::path::{Path, PathBuf};

use super::private;
use crate::text::counted;

/// The most bytes of a corpus file's name in the name of an edits file: file systems allow names of 255
/// bytes.
const LONGEST_STEM: usize = 200;

/// Writes records to a new file in the state folder `state`, named after the corpus file at `path`.
///
/// Returns None if there are no records.
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
    let kept = |number| folder.join(format!("{stem}-{number}.edits.jsonl"));
    private::keep(kept, format!("{}\n", records.join("\n")).as_bytes()).map(Some)
}

/// The result of exporting the edits of a file.
pub struct ExportedEdits {
    /// The corpus file's display name.
    pub name: String,
    pub edits: usize,
    /// Number of saved edits that were undone; an edits file cannot express that.
    pub undone: usize,
    /// The path of the exported edits; None if there are none.
    pub outcome: io::Result<Option<PathBuf>>,
}

/// Returns one message about all results.
pub fn message(all: &[ExportedEdits]) -> String {
    let is_kept = |kept: &&ExportedEdits| matches!(kept.outcome, Ok(Some(_)));
    let good: Vec<_> = all.iter().filter(is_kept).collect();
    let count: usize = good.iter().map(|kept| kept.edits).sum();
    let of = match good.as_slice() {
        [_] => String::new(),
        several => format!(" of {} files", several.len()),
    };
    let mut places = good.iter().filter_map(|kept| kept.outcome.as_ref().ok()?.as_ref());
    let place = match (places.next(), places.next()) {
        (Some(first), Some(_)) => first.parent(),
        (first, _) => first.map(PathBuf::as_path),
    };
    let mut parts: Vec<_> = place
        .into_iter()
        .map(|place| {
            let (edits, place) = (counted(count, "edit"), place.display());
            format!("{edits}{of} exported to {place}; use `turnwise apply` to apply them")
        })
        .collect();
    for ExportedEdits { name, edits, outcome, .. } in all {
        if let Err(error) = outcome {
            let edits = counted(*edits, "edit");
            parts.push(format!("{edits} of {name} could not be exported: {error}"));
        }
    }
    let undone: usize = all.iter().map(|kept| kept.undone).sum();
    if undone > 0 {
        let (edits, were) =
            (counted(undone as u64, "saved edit"), if undone == 1 { "was" } else { "were" });
        parts.push(format!("{edits} {were} undone; undone saves cannot be exported"));
    }
    parts.join("; ")
}
