//! The option `--gold` of commands that compare votes with gold labels, or search in them.

use std::collections::HashMap;
use std::path::Path;

use crate::cli::CommandOutcome;
use crate::cli::errors::Stop;
use crate::cli::scan::{Collector, ScannedDialog, examine, report_issues};
use crate::dialog::{Breakdown, Detection, Dialog};
use crate::shell::find_files;

/// The gold label of each decided turn, by the id of its dialog.
pub struct GoldLabels {
    of_dialogs: HashMap<String, HashMap<u32, Breakdown>>,
}

/// The labels in one file, by dialog.
#[derive(Default)]
struct Found(Vec<Dialog>);

impl Collector for Found {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        if read.format.is_companion() {
            self.0.push(read.dialog);
        }
    }

    fn join(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

impl GoldLabels {
    /// Reads the labels in a folder, or in a file.
    ///
    /// # Errors
    /// If there are no labels, a file cannot be read, or two files label the same dialog.
    pub fn read(folder: &Path) -> Result<Self, Stop> {
        let mut reports = examine(&find_files(&[folder.to_owned()]), |_| Found::default());
        reports.retain(|report| !report.gathered.0.is_empty() || report.may_hold_votes());
        if report_issues(&reports) == CommandOutcome::Unusable {
            return Err(CommandOutcome::Unusable.into());
        }
        let mut of_dialogs = HashMap::new();
        for report in reports {
            for dialog in report.gathered.0 {
                let label = |turn: &crate::dialog::Turn| {
                    Some((turn.index?, turn.detections.first()?.breakdown?))
                };
                let labels = dialog.turns.iter().filter_map(label).collect();
                if of_dialogs.insert(dialog.id.clone(), labels).is_some() {
                    let why = format_args!("another file has gold labels for {:?}", dialog.id);
                    return Err(Stop::at(&report.path, why));
                }
            }
        }
        if of_dialogs.is_empty() {
            return Err(Stop::at(folder, "no gold labels here"));
        }
        Ok(Self { of_dialogs })
    }

    /// Sets the gold labels of the turns of a dialog, in place of its own.
    pub fn attach(&self, dialog: &mut Dialog) {
        for turn in &mut dialog.turns {
            turn.gold = None;
        }
        self.attach_to(dialog);
    }

    /// Adds the labels of a dialog to its turns.
    pub fn attach_to(&self, dialog: &mut Dialog) {
        let Some(labels) = self.of_dialogs.get(&dialog.id) else {
            return;
        };
        for (position, turn) in dialog.turns.iter_mut().enumerate() {
            if let Some(label) = labels.get(&turn.number(position)) {
                turn.gold =
                    Some(Box::new(Detection { breakdown: Some(*label), ..Detection::default() }));
            }
        }
    }
}
