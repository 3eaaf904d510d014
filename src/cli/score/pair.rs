//! Finds the labels that belong to a log.

use std::path::Path;

use super::Labels;
use crate::cli::corpus_scan::ScanReport;
use crate::cli::style::shown;
use crate::dialog::Dialog;

/// Returns the labels for the dialog `id`, and their file. If several files have some, `ID.labels.json`
/// directly in the folder `named` wins, because the challenge's script looks there.
///
/// # Errors
/// If there are none, or the choice is ambiguous; the reason as text.
pub fn labels_for<'r>(
    id: &str,
    named: &Path,
    reports: &'r [ScanReport<Labels>],
) -> Result<(&'r Path, &'r Dialog), String> {
    let usual = named.join(format!("{id}.labels.json"));
    let is_usual = |path: &Path| path == usual;
    let all = reports.iter().flat_map(|report| {
        report
            .gathered
            .0
            .iter()
            .map(|dialog| (report.path.as_path(), dialog))
    });
    let found: Vec<_> = all.filter(|(_, dialog)| dialog.id == id).collect();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => {
            let other = reports.iter().find(|report| is_usual(&report.path));
            let other = other.and_then(|report| report.gathered.0.first());
            let other = other.map(|dialog| format!("; {} is for {:?}", shown(&usual), dialog.id));
            let other = other.unwrap_or_default();
            Err(format!(
                "no labels for dialog {id:?} in {}{other}",
                shown(named)
            ))
        }
        several => {
            let mut usual = several.iter().filter(|(path, _)| is_usual(path));
            match (usual.next(), usual.next()) {
                (Some(one), None) => Ok(*one),
                _ => Err(format!(
                    "there are labels for dialog {id:?} in {} and in {}",
                    shown(several[0].0),
                    shown(several[1].0)
                )),
            }
        }
    }
}
