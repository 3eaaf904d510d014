//! The sums of the votes of some files, and their form for programs: sums of the parts of a corpus add to
//! those of the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gather::{self, FileVotes, VotesRequest};
use super::gold::{self, Compared};
use super::machine;
use crate::cli::CommandOutcome;
use crate::cli::options::{PartLine, PartOf};
use crate::cli::printer::Printer;
use crate::cli::scan::ScanReport;
use crate::votes::group_by::{Group, Surveys};
use crate::votes::{Confusion, Survey, SurveySums};

/// The sums of the votes of some files.
#[derive(Default)]
pub struct VoteSums {
    /// The names of the files that can hold votes.
    pub files: BTreeSet<String>,
    pub dialogs: u64,
    pub survey: Survey,
    /// Systems and positions, as far as they were asked for.
    pub apart: Surveys,
    /// The two annotators of `--confusion`.
    pub pair: Option<(String, String)>,
    pub confusion: Confusion,
    /// Each annotator against gold labels, if asked for, and the share of votes that a majority needs.
    pub gold: Option<(f64, Compared)>,
    /// The reasons why files could not be read completely.
    pub unreadable: Vec<Value>,
    /// The outcome of reading the files.
    pub outcome: CommandOutcome,
}

/// [`VoteSums`] as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The kind of the sums.
    partial: PartKind,
    files: BTreeSet<String>,
    dialogs: u64,
    votes: SurveySums,
    systems: BTreeMap<String, SurveySums>,
    positions: BTreeMap<u32, SurveySums>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confusion: Option<PairSums>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gold: Option<GoldSums>,
    unreadable: Vec<Value>,
    outcome: CommandOutcome,
    /// Parts of the output that sums cannot give.
    not_added: Vec<String>,
}

/// The kind of sums in a part.
#[derive(Serialize, Deserialize)]
enum PartKind {
    #[serde(rename = "votes")]
    Votes,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairSums {
    first: String,
    second: String,
    counts: Confusion,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GoldSums {
    threshold: f64,
    counts: Compared,
}

/// The parts of the output that sums cannot give.
const NOT_ADDED: [&str; 3] =
    ["rows by file", "rows by dialog", "warnings about dialogs that are in several files"];

impl VoteSums {
    /// Adds up the votes of files; `outcome` is that of reading them.
    pub fn of(
        reports: &[ScanReport<FileVotes<'_>>],
        request: &VotesRequest,
        outcome: CommandOutcome,
    ) -> Self {
        let mut sums = Self {
            apart: gather::apart(reports),
            pair: request.pair.clone(),
            gold: (request.gold.as_ref()).map(|_| (request.threshold, gold::all(reports))),
            outcome,
            ..Self::default()
        };
        for report in reports {
            if report.is_log() {
                sums.files.insert(report.file.clone());
            }
            sums.dialogs += report.gathered.dialogs;
            sums.survey.merge(report.gathered.survey.clone());
            sums.confusion.merge(&report.gathered.confusion);
            if report.outcome == CommandOutcome::Unusable {
                let issues = report.issues.iter();
                let why = issues.map(|issue| machine::why(report, issue));
                sums.unreadable.extend(why);
            }
        }
        sums
    }

    /// Adds the sums of the part that follows.
    ///
    /// # Errors
    /// If the two are of different annotators or gold labels.
    fn add(&mut self, later: Self) -> Result<(), String> {
        if self.pair != later.pair {
            return Err("it compares other annotators than the parts before it".to_owned());
        }
        match (&mut self.gold, later.gold) {
            (None, None) => {}
            (Some((threshold, sum)), Some((other, part))) if is_same(*threshold, other) => {
                sum.merge(part);
            }
            _ => {
                return Err(
                    "its gold labels or its -t are not those of the parts before it".to_owned()
                );
            }
        }
        self.files.extend(later.files);
        self.dialogs += later.dialogs;
        self.survey.merge(later.survey);
        for (group, survey) in later.apart {
            self.apart.entry(group).or_default().merge(survey);
        }
        self.confusion.merge(&later.confusion);
        self.unreadable.extend(later.unreadable);
        self.outcome = self.outcome.max(later.outcome);
        Ok(())
    }

    /// Prints the sums on one line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(&self, out: &mut Printer) -> io::Result<()> {
        let (mut systems, mut positions) = (BTreeMap::new(), BTreeMap::new());
        for (group, survey) in &self.apart {
            match group {
                Group::System(name) => {
                    systems.insert(name.to_string(), survey.into());
                }
                Group::Position(position) => {
                    positions.insert(*position, survey.into());
                }
            }
        }
        let pair = self.pair.clone();
        let gold = self.gold.clone();
        let part = Part {
            partial: PartKind::Votes,
            files: self.files.clone(),
            dialogs: self.dialogs,
            votes: (&self.survey).into(),
            systems,
            positions,
            confusion: pair.map(|(first, second)| PairSums {
                first,
                second,
                counts: self.confusion.clone(),
            }),
            gold: gold.map(|(threshold, counts)| GoldSums { threshold, counts }),
            unreadable: self.unreadable.clone(),
            outcome: self.outcome,
            not_added: NOT_ADDED.map(str::to_owned).into(),
        };
        out.json(&part)?;
        writeln!(out)
    }

    /// Reads the parts in files, one on each line, and adds them.
    ///
    /// # Errors
    /// If a file cannot be read, or a line is not a part or not of the same kind as the others; the error
    /// names the file and the line.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Self, String> {
        let mut sum: Option<Self> = None;
        for line in PartLine::read(paths) {
            let line = line?;
            let part: Part = line.part(PartOf::Votes)?;
            let part = part.sums().ok_or_else(|| line.message(&"a label is not O, T or X"))?;
            match &mut sum {
                Some(sum) => sum.add(part).map_err(|why| line.message(&why))?,
                None => sum = Some(part),
            }
        }
        Ok(sum.unwrap_or_default())
    }
}

/// True for the same share of votes: shares are passed on, never computed.
pub fn is_same(one: f64, other: f64) -> bool {
    one.total_cmp(&other).is_eq()
}

impl Part {
    /// Returns the sums; None if a label is not O, T or X.
    fn sums(self) -> Option<VoteSums> {
        let mut apart = Surveys::new();
        for (name, sums) in self.systems {
            apart.insert(Group::System(name.as_str().into()), sums.survey()?);
        }
        for (position, sums) in self.positions {
            apart.insert(Group::Position(position), sums.survey()?);
        }
        let counts = self.confusion.as_ref().map(|pair| pair.counts.clone());
        Some(VoteSums {
            files: self.files,
            dialogs: self.dialogs,
            survey: self.votes.survey()?,
            apart,
            confusion: counts.unwrap_or_default(),
            pair: self.confusion.map(|pair| (pair.first, pair.second)),
            gold: self.gold.map(|gold| (gold.threshold, gold.counts)),
            unreadable: self.unreadable,
            outcome: self.outcome,
        })
    }
}
