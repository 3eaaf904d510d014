//! Compares each annotator, and the majority, with gold labels: `votes --gold DIR`.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::figures::{Cell, Cells};
use super::gather::FileVotes;
use super::machine::{self, Row, statistics};
use super::print::Notes;
use super::{OutputFormat, may_hold_votes};
use crate::cli::CommandOutcome;
use crate::cli::corpus_scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use crate::cli::errors::file_error;
use crate::cli::printer::Printer;
use crate::cli::table::Table;
use crate::dialog::{Breakdown, Detection, Dialog};
use crate::shell::find_files;
use crate::text::{counted, grouped};
use crate::votes::{Confusion, Tally, judgeable};

/// The name of the row for the majority of all votes on a turn.
const MAJORITY: &str = "(majority)";

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
    /// If there are no labels, a file cannot be read, or two files label the same dialog. The error is reported.
    pub fn read(folder: &Path) -> Result<Self, CommandOutcome> {
        let mut reports = examine(&find_files(&[folder.to_owned()]), |_| Found::default());
        reports.retain(|report| !report.gathered.0.is_empty() || may_hold_votes(report));
        if report_issues(&reports) == CommandOutcome::Unusable {
            return Err(CommandOutcome::Unusable);
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
                    file_error(&report.path, &why);
                    return Err(CommandOutcome::Unusable);
                }
            }
        }
        if of_dialogs.is_empty() {
            file_error(folder, &"no gold labels here");
            return Err(CommandOutcome::Unusable);
        }
        Ok(Self { of_dialogs })
    }

    /// Sets the gold labels of the turns of a dialog.
    pub fn attach(&self, dialog: &mut Dialog) {
        let labels = self.of_dialogs.get(&dialog.id);
        for (position, turn) in dialog.turns.iter_mut().enumerate() {
            let label = labels.and_then(|labels| labels.get(&turn.number(position)));
            turn.gold = label.map(|label| {
                Box::new(Detection {
                    breakdown: Some(*label),
                    ..Detection::default()
                })
            });
        }
    }
}

impl GoldLabels {
    /// Adds the labels of a dialog to its turns.
    pub fn attach_to(&self, dialog: &mut Dialog) {
        let Some(labels) = self.of_dialogs.get(&dialog.id) else {
            return;
        };
        for (position, turn) in dialog.turns.iter_mut().enumerate() {
            if let Some(label) = labels.get(&turn.number(position)) {
                turn.gold = Some(Box::new(Detection {
                    breakdown: Some(*label),
                    ..Detection::default()
                }));
            }
        }
    }
}

/// Annotators against gold labels.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compared {
    majority: Confusion,
    annotators: BTreeMap<String, Confusion>,
}

impl Compared {
    /// Adds the turns of a log that have a gold label. The majority is that of the challenge's script.
    pub fn add_dialog(&mut self, dialog: &Dialog, gold: &GoldLabels, threshold: f64) {
        let Some(labels) = gold.of_dialogs.get(&dialog.id) else {
            return;
        };
        for (position, turn) in dialog.turns.iter().enumerate() {
            let label = labels.get(&turn.number(position));
            let Some(label) = label.filter(|_| judgeable::is_judgeable(turn)) else {
                continue;
            };
            if let Some(majority) = Tally::of(&turn.votes).strict(threshold) {
                self.majority.add(majority, *label);
            }
            let mut each: HashMap<&str, Vec<Breakdown>> = HashMap::new();
            for vote in turn.votes.iter().filter(|vote| !vote.annotator.is_empty()) {
                let votes = each.entry(vote.annotator.as_str()).or_default();
                votes.extend(vote.breakdown);
            }
            for (annotator, votes) in each {
                let confusion = self.annotators.entry(annotator.to_owned()).or_default();
                match votes.as_slice() {
                    [] => {}
                    [vote] => confusion.add(*vote, *label),
                    _ => confusion.left_out += 1,
                }
            }
        }
    }

    pub fn merge(&mut self, later: Self) {
        self.majority.merge(&later.majority);
        for (annotator, confusion) in later.annotators {
            self.annotators
                .entry(annotator)
                .or_default()
                .merge(&confusion);
        }
    }

    /// The majority, then the annotators, most turns first.
    fn rows(&self) -> Vec<(&str, &Confusion)> {
        let mut rows: Vec<_> = self.annotators.iter().collect();
        rows.sort_by_key(|(_, confusion)| std::cmp::Reverse(confusion.total()));
        let rows = rows
            .into_iter()
            .map(|(id, confusion)| (id.as_str(), confusion));
        std::iter::once((MAJORITY, &self.majority))
            .chain(rows)
            .collect()
    }
}

/// Combines the comparisons of all files.
pub fn all(reports: &[ScanReport<FileVotes<'_>>]) -> Compared {
    let mut all = Compared::default();
    for report in reports {
        let gold = &report.gathered.gold;
        all.majority.merge(&gold.majority);
        for (annotator, confusion) in &gold.annotators {
            all.annotators
                .entry(annotator.clone())
                .or_default()
                .merge(confusion);
        }
    }
    all
}

/// Prints the comparisons.
pub fn print(
    folder: &Path,
    compared: &Compared,
    format: OutputFormat,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    if compared.majority.total() == 0 {
        file_error(
            folder,
            &"none of these gold labels is for a judged turn of these logs",
        );
        return Ok(CommandOutcome::Issues);
    }
    match format {
        OutputFormat::Text => text(compared, out)?,
        OutputFormat::Json => json(compared, out)?,
        OutputFormat::Csv => {
            let rows: Vec<_> = compared.rows().into_iter().map(cells).collect();
            machine::csv_of(&rows, out)?;
        }
    }
    Ok(CommandOutcome::Clean)
}

fn text(compared: &Compared, out: &mut Printer) -> io::Result<()> {
    let mut notes = Notes::default();
    let row = |(id, confusion): (&str, &Confusion)| {
        let mut row = vec![id.to_owned(), grouped(confusion.total())];
        let hits = Breakdown::ALL.map(|label| {
            let label = label as usize;
            let (hit, all) = (confusion.turns[label][label], confusion.second()[label]);
            format!("{}/{}", grouped(hit), grouped(all))
        });
        row.extend(hits);
        row.push(notes.cell("agree", confusion.agreement()));
        row.push(notes.cell("kappa", confusion.kappa()));
        row
    };
    let heads = ["annotator", "turns", "O", "T", "X", "agree", "kappa"];
    let table = Table {
        heads: heads.map(str::to_owned).into(),
        over: vec![(2, "right / gold".to_owned())],
        names: 1,
        rows: compared.rows().into_iter().map(row).collect(),
        total: None,
    };
    let turns = counted(compared.majority.total(), "judged turn");
    writeln!(out, "{turns} with a gold label")?;
    writeln!(out)?;
    table.print(out)?;
    notes.print(out)
}

fn json(compared: &Compared, out: &mut Printer) -> io::Result<()> {
    write!(out, "{{\"turns\":{},\"rows\":[", compared.majority.total())?;
    for (i, row) in compared.rows().into_iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        out.json(&Row(&cells(row)))?;
    }
    out.write_all(b"\n]}\n")
}

fn cells((id, confusion): (&str, &Confusion)) -> Cells {
    let mut cells: Cells = vec![
        ("annotator", Cell::Name(id.to_owned())),
        ("turns", Cell::Count(confusion.total())),
    ];
    let right = ["right_O", "right_T", "right_X"];
    let gold = ["gold_O", "gold_T", "gold_X"];
    for label in 0..3 {
        cells.push((right[label], Cell::Count(confusion.turns[label][label])));
        cells.push((gold[label], Cell::Count(confusion.second()[label])));
    }
    cells.extend(statistics(confusion));
    cells
}
