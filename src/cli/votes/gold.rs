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
            self.annotators.entry(annotator).or_default().merge(&confusion);
        }
    }

    /// Returns the majority, then the annotators, most turns first.
    fn rows(&self) -> Vec<(&str, &Confusion)> {
        let mut rows: Vec<_> = self.annotators.iter().collect();
        rows.sort_by_key(|(_, confusion)| std::cmp::Reverse(confusion.total()));
        let rows = rows.into_iter().map(|(id, confusion)| (id.as_str(), confusion));
        std::iter::once((MAJORITY, &self.majority)).chain(rows).collect()
    }
}

/// Combines the comparisons of all files.
pub fn all(reports: &[ScanReport<FileVotes<'_>>]) -> Compared {
    let mut all = Compared::default();
    for report in reports {
        let gold = &report.gathered.gold;
        all.majority.merge(&gold.majority);
        for (annotator, confusion) in &gold.annotators {
            all.annotators.entry(annotator.clone()).or_default().merge(confusion);
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
        file_error(folder, &"none of these gold labels is for a judged turn of these logs");
        return Ok(CommandOutcome::Issues);
    }
    let total = compared.majority.total();
    let table = GoldTable {
        head: format!("{} with a gold label", counted(total, "judged turn")),
        total,
        labels: &Breakdown::ALL.map(|label| label.letter().to_owned()),
        rows: compared.rows(),
        items: "turns",
    };
    table.print(format, out)?;
    Ok(CommandOutcome::Clean)
}

/// Annotators compared with gold labels.
pub struct GoldTable<'a> {
    /// The line above it.
    pub head: String,
    /// The number of items with a gold label.
    pub total: u64,
    pub labels: &'a [String],
    pub rows: Vec<(&'a str, &'a Confusion)>,
    /// The word for that which is counted: `turns`.
    pub items: &'static str,
}

impl GoldTable<'_> {
    pub fn print(&self, format: OutputFormat, out: &mut Printer) -> io::Result<()> {
        match format {
            OutputFormat::Text => self.text(out),
            OutputFormat::Json => self.json(out),
            OutputFormat::Csv => machine::csv_of(&self.cells(), out),
        }
    }

    fn text(&self, out: &mut Printer) -> io::Result<()> {
        let mut notes = Notes::default();
        let row = |(id, confusion): &(&str, &Confusion)| {
            let mut row = vec![(*id).to_owned(), grouped(confusion.total())];
            let gold = confusion.second();
            let hits = gold.iter().enumerate().take(self.labels.len()).map(|(label, all)| {
                let hit = confusion.turns[label][label];
                format!("{}/{}", grouped(hit), grouped(*all))
            });
            row.extend(hits);
            row.push(notes.cell("agree", confusion.agreement()));
            row.push(notes.cell("kappa", confusion.kappa()));
            row
        };
        let heads = ["annotator", self.items].into_iter();
        let heads = heads.chain(self.labels.iter().map(String::as_str));
        let over = (!self.labels.is_empty()).then(|| (2, "right / gold".to_owned()));
        let table = Table {
            heads: heads.chain(["agree", "kappa"]).map(str::to_owned).collect(),
            over: over.into_iter().collect(),
            names: 1,
            rows: self.rows.iter().map(row).collect(),
            total: None,
        };
        writeln!(out, "{}", self.head)?;
        writeln!(out)?;
        table.print(out)?;
        notes.print(out)
    }

    fn json(&self, out: &mut Printer) -> io::Result<()> {
        write!(out, "{{\"{}\":{},\"rows\":[", self.items, self.total)?;
        for (i, row) in self.cells().iter().enumerate() {
            out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
            out.json(&Row(row))?;
        }
        out.write_all(b"\n]}\n")
    }

    fn cells(&self) -> Vec<Cells> {
        let row = |(id, confusion): &(&str, &Confusion)| {
            let mut cells: Cells = vec![
                ("annotator".into(), Cell::Name((*id).to_owned())),
                (self.items.into(), Cell::Count(confusion.total())),
            ];
            let labels = self.labels.iter().zip(confusion.second());
            for (number, (label, gold)) in labels.enumerate() {
                let right = Cell::Count(confusion.turns[number][number]);
                cells.push((format!("right_{label}").into(), right));
                cells.push((format!("gold_{label}").into(), Cell::Count(gold)));
            }
            cells.extend(statistics(confusion));
            cells
        };
        self.rows.iter().map(row).collect()
    }
}
