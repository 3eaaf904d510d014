//! Finds the labels that belong to a log.

use std::collections::HashMap;
use std::path::Path;

use super::Labels;
use crate::cli::scan::ScanReport;
use crate::cli::style::shown;
use crate::dialog::Dialog;

/// All labels, by the ids of their dialogs and by their files.
pub struct AllLabels<'r> {
    by_id: HashMap<&'r str, Vec<(&'r Path, &'r Dialog)>>,
    by_file: HashMap<&'r Path, &'r ScanReport<Labels>>,
}

impl<'r> AllLabels<'r> {
    pub fn new(reports: &'r [ScanReport<Labels>]) -> Self {
        let mut by_id: HashMap<&str, Vec<(&Path, &Dialog)>> = HashMap::new();
        for report in reports {
            for dialog in &report.gathered.0 {
                let labels = by_id.entry(&dialog.id).or_default();
                labels.push((report.path.as_path(), dialog));
            }
        }
        // Of several reports on one file, the first counts.
        let by_file = reports.iter().rev();
        let by_file = by_file.map(|report| (report.path.as_path(), report));
        let by_file = by_file.collect();
        Self { by_id, by_file }
    }

    /// Returns the labels for the dialog `id`, and their file. If several files have some, `ID.labels.json`
    /// directly in the folder `named` wins, because the challenge's script looks there.
    ///
    /// # Errors
    /// If there are none, or the choice is ambiguous; the reason as text.
    pub fn of(&self, id: &str, named: &Path) -> Result<(&'r Path, &'r Dialog), String> {
        let usual = named.join(format!("{id}.labels.json"));
        match self.by_id.get(id).map_or(&[][..], Vec::as_slice) {
            [one] => Ok(*one),
            [] => {
                let other = self.by_file.get(usual.as_path());
                let other = other.and_then(|report| report.gathered.0.first());
                let other =
                    other.map(|dialog| format!("; {} is for {:?}", shown(&usual), dialog.id));
                let other = other.unwrap_or_default();
                Err(format!("no labels for dialog {id:?} in {}{other}", shown(named)))
            }
            several => {
                let mut usual = several.iter().filter(|(path, _)| *path == usual);
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
}
