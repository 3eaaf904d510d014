//! Compares each annotator, and the majority, with gold labels: `votes --gold DIR`.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::OutputFormat;
use super::figures::{Cell, Cells};
use super::gather::FileVotes;
use super::machine::{self, Row, statistics};
use super::print::Notes;
use crate::cli::CommandOutcome;
use crate::cli::errors::file_error;
use crate::cli::options::GoldLabels;
use crate::cli::printer::Printer;
use crate::cli::scan::ScanReport;
use crate::cli::table::Table;
use crate::dialog::{Breakdown, Dialog};
use crate::text::{counted, grouped};
use crate::votes::{Confusion, Tally, judgeable};

/// The name of the row for the majority of all votes on a turn.
const MAJORITY: &str = "(majority)";

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
        let Some(labels) = gold.of(&dialog.id) else {
            return;
        };
        for (position, turn) in dialog.turns.iter().enumerate() {
            let label = labels.get(&turn.number(position));
            let Some(label) = label.filter(|_| judgeable::is_judgeable(turn)) else {
                continue;
            };
            if let Some(majority) = Tally::of(&turn.votes).strict(threshold) {
                self.majority.add(majority as usize, *label as usize);
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
                    [vote] => confusion.add(*vote as usize, *label as usize),
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

    /// Returns the majority, then the annotators, most turns first.
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
