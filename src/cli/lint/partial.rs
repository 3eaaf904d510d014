//! The number of problems of each rule in some files, as sums: those of the parts of a corpus add to those of
//! the whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::LintReport;
use super::text::RuleCount;
use crate::cli::CommandOutcome;
use crate::cli::options::{PartLine, PartOf};
use crate::cli::printer::Printer;
use crate::lint::{Rule, Selection, named};

/// Rules that compare dialogs with each other: the problems in parts do not add to those in the whole.
const COMPARING: [&str; 3] = ["chat-mixed-types", "duplicate-dialog-id", "shared-beginning"];

/// The problems of each rule in some files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LintSums {
    /// The kind of the sums.
    partial: PartKind,
    rules: BTreeMap<String, Counts>,
    /// The outcome of `lint` without the rules that cannot be added.
    pub outcome: CommandOutcome,
    /// The selected rules that cannot be added.
    not_added: BTreeSet<String>,
}

/// The kind of sums in a part.
#[derive(Serialize, Deserialize)]
enum PartKind {
    #[serde(rename = "lint")]
    Lint,
}

/// The problems of a rule.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counts {
    count: u64,
    safe: u64,
    #[serde(rename = "unsafe")]
    is_unsafe: u64,
    display: u64,
}

impl Default for LintSums {
    fn default() -> Self {
        Self {
            partial: PartKind::Lint,
            rules: BTreeMap::new(),
            outcome: CommandOutcome::Clean,
            not_added: BTreeSet::new(),
        }
    }
}

/// Removes the problems of rules that cannot be added.
pub fn drop_comparing(files: &mut [LintReport]) {
    for file in files {
        let is_kept = |rule: &Rule| !COMPARING.contains(&rule.name);
        file.problems.retain(|problem| is_kept(problem.found.rule));
    }
}

impl LintSums {
    /// Adds up the problems of files, without those of rules that cannot be added; `outcome` is that of `lint`.
    pub fn of(files: &[LintReport], selection: &Selection, outcome: CommandOutcome) -> Self {
        let counts = super::text::counts(files).into_iter().map(|count| {
            let counts = Counts {
                count: count.problems,
                safe: count.safe,
                is_unsafe: count.is_unsafe,
                display: count.manual,
            };
            (count.rule.to_owned(), counts)
        });
        let is_selected = |name: &&&str| named(name).is_some_and(|r| selection.level(r).is_some());
        let not_added = COMPARING.iter().filter(is_selected);
        Self {
            rules: counts.collect(),
            outcome,
            not_added: not_added.map(|name| (*name).to_owned()).collect(),
            ..Self::default()
        }
    }

    fn add(&mut self, other: Self) {
        for (rule, counts) in other.rules {
            let sum = self.rules.entry(rule).or_default();
            sum.count += counts.count;
            sum.safe += counts.safe;
            sum.is_unsafe += counts.is_unsafe;
            sum.display += counts.display;
        }
        self.outcome = self.outcome.max(other.outcome);
        self.not_added.extend(other.not_added);
    }

    /// Reads the parts in files, one on each line, and adds them.
    ///
    /// # Errors
    /// If a file cannot be read, or a line is not a part; the error names the file and the line.
    pub fn read(paths: &[PathBuf]) -> Result<Self, String> {
        let mut sum = Self::default();
        for line in PartLine::read(paths) {
            let line = line?;
            let part: Self = line.part(PartOf::Lint)?;
            if let Some(rule) = part.rules.keys().find(|rule| named(rule).is_none()) {
                return Err(line.message(&format_args!("unknown rule {rule:?}")));
            }
            sum.add(part);
        }
        Ok(sum)
    }

    /// Prints the sums on one line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(&self, out: &mut Printer) -> io::Result<()> {
        out.json(self)?;
        writeln!(out)
    }

    /// Returns the number of problems of each rule, most frequent first.
    pub fn counts(&self) -> Vec<RuleCount> {
        let count = |(rule, counts): (&String, &Counts)| {
            Some(RuleCount {
                rule: named(rule)?.name,
                problems: counts.count,
                safe: counts.safe,
                is_unsafe: counts.is_unsafe,
                manual: counts.display,
            })
        };
        let mut counts: Vec<_> = self.rules.iter().filter_map(count).collect();
        super::text::sort(&mut counts);
        counts
    }

    /// Returns the selected rules that cannot be added, for a message; None without any.
    pub fn not_added(&self) -> Option<String> {
        let names: Vec<_> = self.not_added.iter().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}
