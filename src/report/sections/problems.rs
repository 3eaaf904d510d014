//! Problems that rules find: by rule, by file, with examples.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ROWS;
use super::example::{ExamplePlace, KeptExample};
use crate::dialog::Turn;
use crate::lint::{Diagnostic, Severity, named};
use crate::page::{Cell, Part, Section, figures, numbers, short, table, texts};
use crate::report::bounded::{Sample, hash_of};
use crate::report::sums::SeenDialog;
use crate::text::{counted, cut, grouped};

/// Problems by rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ProblemSums {
    rules: BTreeMap<String, RuleSums>,
}

/// The problems of a rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct RuleSums {
    files: BTreeMap<String, BySeverity>,
    examples: Sample<KeptExample>,
}

/// Numbers of problems, in the order of [`Severity::ALL`]: a rule may find problems of several severities.
type BySeverity = [u64; Severity::ALL.len()];

/// The names of these numbers.
const COUNTED: [&str; Severity::ALL.len()] = ["errors", "warnings", "notes"];

impl RuleSums {
    fn add(&mut self, file: &str, severity: Severity, problems: u64) {
        let place = Severity::ALL.iter().position(|level| *level == severity);
        let count = match self.files.get_mut(file) {
            Some(counts) => counts,
            None => self.files.entry(file.to_owned()).or_default(),
        };
        count[place.unwrap_or_default()] += problems;
    }
}

/// A rule that finds something.
struct FoundRule<'p> {
    name: &'p str,
    problems: BySeverity,
    sums: &'p RuleSums,
}

impl FoundRule<'_> {
    /// Returns the severities of its problems, the greatest first.
    fn severities(&self) -> impl Iterator<Item = Severity> {
        let levels = Severity::ALL.into_iter().zip(self.problems);
        levels.filter_map(|(level, problems)| (problems > 0).then_some(level))
    }
}

/// The rules whose problems in parts do not add to those of the whole, and those that need other files.
const COMPARING: [&str; 5] = [
    "duplicate-dialog-id",
    "shared-beginning",
    "chat-mixed-types",
    "file-name-differs",
    "labels-file-mismatch",
];

/// The most rules that a summary names.
const NAMED: usize = 5;

/// The most examples of a rule.
const EXAMPLES: usize = 5;

/// The most examples of a report.
const ALL_EXAMPLES: usize = 250;

/// The most characters of an example before, in and after what it is about, and of its message.
const AROUND: usize = 60;
const MESSAGE: usize = 200;

impl ProblemSums {
    /// Adds the problems of a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        for problem in seen.problems {
            let name = problem.rule.name;
            let sums = match self.rules.get_mut(name) {
                Some(sums) => sums,
                None => self.rules.entry(name.to_owned()).or_default(),
            };
            sums.add(seen.file, problem.severity, 1);
            let turn = problem.location.turn.unwrap_or_default();
            let hash = hash_of(&seen.dialog.id) ^ hash_of(&problem.message);
            let hash = hash.rotate_left(turn as u32 % 64);
            sums.examples.offer(hash, EXAMPLES, || example(seen, problem));
        }
    }

    /// Adds problems of a file that belong to none of its dialogs.
    pub fn add_problems(&mut self, file: &str, rule: &str, severity: Severity, problems: u64) {
        if problems > 0 {
            let sums = self.rules.entry(rule.to_owned()).or_default();
            sums.add(file, severity, problems);
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        for (rule, other) in other.rules {
            let sums = self.rules.entry(rule).or_default();
            for (file, other) in other.files {
                add_to(sums.files.entry(file).or_default(), &other);
            }
            sums.examples.join(other.examples, EXAMPLES);
        }
    }

    /// Returns the byte offsets in `file` of examples whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> impl Iterator<Item = (u64, &mut Option<u64>)> {
        self.rules.values_mut().flat_map(move |sums| sums.examples.unknown_lines(file))
    }

    /// Returns how many problems there are, and the rules that find the most, the worst first.
    pub fn summary(&self) -> Part {
        let rules = self.by_severity();
        let all = total(rules.iter().map(|rule| &rule.problems));
        let counts = all.iter().zip(Severity::ALL);
        let counts = counts.map(|(count, level)| counted(count, level.name()));
        let counts: Vec<_> = counts.collect();
        let named = rules.iter().take(NAMED);
        let mut named: Vec<_> = named
            .map(|rule| format!("{} ({})", rule.name, grouped(rule.problems.iter().sum::<u64>())))
            .collect();
        if rules.len() > NAMED {
            named.push(format!("and {}", counted(rules.len() - NAMED, "more rule")));
        }
        let named = match &named[..] {
            [] => String::new(),
            named => format!(": {}", named.join(", ")),
        };
        Part::Text(format!("Rules on single dialogs find {}{named}.", counts.join(", ")))
    }

    /// Returns the rules that find something, the most severe first, then those that find the most.
    fn by_severity(&self) -> Vec<FoundRule<'_>> {
        let rules = self.rules.iter().map(|(name, sums)| FoundRule {
            name,
            problems: total(sums.files.values()),
            sums,
        });
        let mut rules: Vec<_> = rules.collect();
        rules.sort_by_key(|rule| {
            let problems = Reverse(rule.problems.iter().sum::<u64>());
            (Reverse(rule.severities().next()), problems, rule.name)
        });
        rules
    }

    /// Returns the problems.
    pub fn section(&self, paths: &str) -> Section {
        let left_out = COMPARING.join(",");
        let commands = vec![format!("turnwise lint {paths} --statistics --ignore {left_out}")];
        let mut parts = Vec::new();
        if self.rules.is_empty() {
            parts.push(Part::Text("No rule finds a problem.".to_owned()));
        } else {
            self.counts(&mut parts);
        }
        parts.push(Part::Text(format!(
            "Rules that compare dialogs or files are left out: {}.",
            COMPARING.join(", ")
        )));
        Section { name: "problems", title: "Problems", commands, parts }
    }

    fn counts(&self, parts: &mut Vec<Part>) {
        let rules = self.by_severity();
        let all = total(rules.iter().map(|rule| &rule.problems));
        let counts = COUNTED.into_iter().zip(all.map(Cell::Count));
        parts.push(figures(counts));
        let row = |rule: &FoundRule<'_>| {
            let summary = named(rule.name).map_or("", |rule| rule.summary());
            let severities: Vec<_> = rule.severities().map(Severity::name).collect();
            vec![
                Cell::text(rule.name),
                Cell::text(severities.join(", ")),
                Cell::text(summary),
                Cell::Count(rule.problems.iter().sum()),
                Cell::Count(rule.sums.files.len() as u64),
            ]
        };
        let columns = texts(["rule", "severity", "finds"]);
        let columns = [&columns[..], &numbers(["problems", "files"])].concat();
        parts.push(table("Problems by rule", columns, rules.iter().map(row), 0));
        parts.extend(self.by_file());
        let examples = rules.iter().flat_map(|rule| rule.sums.examples.iter());
        let examples = examples.take(ALL_EXAMPLES).map(|example| example.shown(false));
        parts.push(Part::Examples(examples.collect()));
    }

    /// Returns the files with the most problems that are not notes; None if there is one file, or none has such.
    fn by_file(&self) -> Option<Part> {
        let mut files = BTreeMap::<&str, BySeverity>::new();
        for (file, counts) in self.rules.values().flat_map(|sums| &sums.files) {
            add_to(files.entry(file).or_default(), counts);
        }
        let mut files: Vec<_> = files.into_iter().collect();
        if files.len() < 2 {
            return None;
        }
        files.sort_by_key(|(file, [errors, warnings, notes])| {
            (Reverse((errors + warnings, *notes)), *file)
        });
        let left_out = files.len().saturating_sub(ROWS) as u64;
        let row = |(file, counts): &(&str, BySeverity)| {
            let counts = counts.map(Cell::Count);
            [Cell::text(short(file))].into_iter().chain(counts).collect()
        };
        Some(table(
            "Problems by file",
            [texts(["file"]), numbers(COUNTED)].concat(),
            files.iter().take(ROWS).map(row),
            left_out,
        ))
    }
}

fn add_to(counts: &mut BySeverity, others: &BySeverity) {
    counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
}

fn total<'c>(all: impl Iterator<Item = &'c BySeverity>) -> BySeverity {
    let mut total = BySeverity::default();
    all.for_each(|counts| add_to(&mut total, counts));
    total
}

fn example(seen: &SeenDialog<'_>, problem: &Diagnostic) -> KeptExample {
    let location = problem.location;
    let turn = location.turn.and_then(|turn| seen.dialog.turns.get(turn));
    let excerpt = turn.map_or_else(Default::default, |turn| {
        let segment = location.segment.and_then(|segment| turn.segments.get(segment));
        let bytes = segment.and_then(|segment| segment.span);
        let bytes = bytes.map(|span| turn.spans(seen.dialog.units).bytes_of(span));
        parts(turn, bytes.unwrap_or_default())
    });
    KeptExample {
        of: problem.rule.name.to_owned(),
        place: ExamplePlace::of(seen, location.at, location.turn),
        remarks: vec![cut(&problem.message, MESSAGE)],
        excerpt,
    }
}

/// Returns the text before, in and after a byte range of a turn, cut to what is near it.
fn parts(turn: &Turn, bytes: std::ops::Range<usize>) -> [String; 3] {
    let text = &turn.text;
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let before = part(0..bytes.start);
    let skipped = before.chars().count().saturating_sub(AROUND);
    let before = match before.char_indices().nth(skipped) {
        Some((start, _)) if skipped > 0 => format!("…{}", &before[start..]),
        _ => before.to_owned(),
    };
    // Without a range, the turn as a whole is shown.
    let after = if bytes.end == 0 { 2 * AROUND } else { AROUND };
    [before, cut(part(bytes.clone()), AROUND), cut(part(bytes.end..text.len()), after)]
}
