//! The sums of some files as a line of JSON: those of the parts of a corpus add to those of the whole.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::cli::CommandOutcome;
use crate::cli::options::{PartLine, PartOf};
use crate::cli::printer::Printer;
use crate::report::ReportSums;

/// The sums of some files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReportParts {
    /// The kind of the sums.
    partial: PartKind,
    /// The version of the sums; those of different versions do not add.
    version: u32,
    /// The paths that were read.
    pub paths: BTreeSet<String>,
    pub outcome: CommandOutcome,
    pub sums: ReportSums,
}

/// The kind of sums in a part.
#[derive(Serialize, Deserialize)]
enum PartKind {
    #[serde(rename = "report")]
    Report,
}

/// The version of the sums that this program makes.
const VERSION: u32 = 5;

/// The members of a part that tell whether it can be read.
#[derive(Deserialize)]
struct PartHead {
    partial: PartKind,
    version: u32,
}

impl ReportParts {
    pub fn of(sums: ReportSums, paths: BTreeSet<String>, outcome: CommandOutcome) -> Self {
        Self { partial: PartKind::Report, version: VERSION, paths, outcome, sums }
    }

    /// Reads the parts in files, one on each line, and adds them.
    ///
    /// # Errors
    /// If a file cannot be read, a line is not a part or of another version, or two parts have a file in common;
    /// the error names the file and the line.
    pub fn read(paths: &[PathBuf]) -> Result<Self, String> {
        let sums = ReportSums::default();
        let mut sum = Self::of(sums, BTreeSet::new(), CommandOutcome::Clean);
        for line in PartLine::read(paths) {
            let line = line?;
            let head: PartHead = line.part(PartOf::Report)?;
            let PartHead { partial: PartKind::Report, version } = head;
            if version != VERSION {
                return Err(line.message(&format_args!(
                    "a part of version {version}, which cannot be added to those of version {VERSION}; make it again with this program"
                )));
            }
            let part = line.part(PartOf::Report)?;
            sum.add(part).map_err(|why| line.message(&why))?;
        }
        sum.sums.settle();
        Ok(sum)
    }

    fn add(&mut self, other: Self) -> Result<(), String> {
        if let Some(file) = self.sums.file_of_both(&other.sums) {
            return Err(format!("{file} is in a part before this one too, and would count twice"));
        }
        self.paths.extend(other.paths);
        self.outcome = self.outcome.max(other.outcome);
        self.sums.join(other.sums);
        Ok(())
    }

    /// Prints the sums on one line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(&self, out: &mut Printer) -> io::Result<()> {
        out.json(self)?;
        writeln!(out)
    }
}
