//! Reads the copies, and matches their dialogs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::cli::CommandOutcome;
use crate::cli::errors::file_error;
use crate::cli::output::is_below;
use crate::cli::scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use crate::cli::style::shown;
use crate::shell::find_files;

/// The ids of the dialogs of a file, by position.
#[derive(Default)]
struct Ids(Vec<String>);

impl Collector for Ids {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if read.format.has_votes() {
            self.0.push(read.dialog.id);
        }
    }

    fn join(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

/// The files of each copy.
pub struct Copies(Vec<Vec<ScanReport<Ids>>>);

/// A file to write, with the copies of its dialogs.
pub struct Base<'c> {
    pub path: &'c Path,
    pub below: Option<&'c Path>,
    pub dialogs: Vec<MatchedDialog<'c>>,
}

/// A dialog and the positions of its copies, in order.
pub struct MatchedDialog<'c> {
    pub id: &'c str,
    pub copies: Vec<(&'c Path, usize)>,
}

impl Copies {
    /// Reads all copies, except files that an earlier run wrote to `output`. Reports the error and
    /// returns None if a file cannot be read completely, or a copy has no logs.
    pub fn read(paths: &[PathBuf], output: &Path) -> Option<Self> {
        let mut copies = Vec::new();
        let mut readable = true;
        for path in paths {
            let found = find_files(std::slice::from_ref(path));
            let mut reports = examine(&found, |_| Ids::default());
            reports.retain(ScanReport::may_hold_votes);
            reports.retain(|report| !is_below(&report.path, report.below.as_deref(), output));
            readable &= report_issues(&reports) != CommandOutcome::Unusable;
            if reports.iter().all(|report| report.gathered.0.is_empty()) {
                file_error(path, &"no logs here");
                readable = false;
            }
            copies.push(reports);
        }
        readable.then_some(Self(copies))
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().flatten().map(|report| report.path.as_path())
    }

    /// Returns each log once, from the first copy that has it.
    ///
    /// # Errors
    /// If dialogs cannot be matched; the files and the reasons.
    pub fn bases(&self) -> Result<Vec<Base<'_>>, Vec<(&Path, String)>> {
        let mut bases: Vec<Base<'_>> = Vec::new();
        // The base of each id, and its index there.
        let mut known: HashMap<&str, (usize, usize)> = HashMap::new();
        let mut problems = Vec::new();
        for copy in &self.0 {
            let mut seen: HashMap<&str, &Path> = HashMap::new();
            for report in copy.iter().filter(|report| report.is_log()) {
                let ids = &report.gathered.0;
                for id in ids {
                    if id.is_empty() {
                        let why = "a dialog has no id to match it by".to_owned();
                        problems.push((report.path.as_path(), why));
                    } else if let Some(other) = seen.insert(id, &report.path) {
                        let why = format!("dialog {id:?} is also in {}", shown(other));
                        problems.push((&report.path, why));
                    }
                }
                match ids.iter().filter(|id| known.contains_key(id.as_str())).count() {
                    0 => {
                        known.extend(
                            ids.iter().enumerate().map(|(i, id)| (id.as_str(), (bases.len(), i))),
                        );
                        bases.push(Base::of(report));
                    }
                    all if all == ids.len() => {
                        for (position, id) in ids.iter().enumerate() {
                            let (base, place) = known[id.as_str()];
                            bases[base].dialogs[place].copies.push((&report.path, position));
                        }
                    }
                    _ => {
                        let why = "an earlier copy has some of its dialogs but not all";
                        problems.push((&report.path, why.to_owned()));
                    }
                }
            }
        }
        if problems.is_empty() { Ok(bases) } else { Err(problems) }
    }
}

impl<'c> Base<'c> {
    fn of(report: &'c ScanReport<Ids>) -> Self {
        let dialog = |id: &'c String| MatchedDialog { id, copies: Vec::new() };
        Self {
            path: &report.path,
            below: report.below.as_deref(),
            dialogs: report.gathered.0.iter().map(dialog).collect(),
        }
    }
}
