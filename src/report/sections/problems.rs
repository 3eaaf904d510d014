//! Problems that rules find: by rule, by file, with examples.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{ROWS, show_command};
use crate::dialog::{Short, Turn};
use crate::lint::{Diagnostic, Severity, named};
use crate::report::bounded::{Sample, hash_of};
use crate::report::document::{
    Bar, Block, Cell, Example, Plot, PlotKind, Section, Table, cut, short,
};
use crate::report::sums::SeenDialog;

/// Problems by rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ProblemSums {
    rules: BTreeMap<String, RuleSums>,
}

/// The problems of a rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct RuleSums {
    severity: String,
    problems: u64,
    files: BTreeMap<String, u64>,
    examples: Sample<FoundExample>,
}

/// A problem and its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct FoundExample {
    file: String,
    /// Byte offset in the file.
    offset: u64,
    /// The line, from 1, as soon as it is known.
    line: Option<u64>,
    dialog: usize,
    id: Short,
    turn: Option<usize>,
    message: String,
    excerpt: [String; 3],
}

/// The rules whose problems in parts do not add to those of the whole, and those that need other files.
const COMPARING: [&str; 4] = [
    "duplicate-dialog-id",
    "chat-mixed-types",
    "file-name-differs",
    "labels-file-mismatch",
];

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
            if !self.rules.contains_key(name) {
                let sums = RuleSums {
                    severity: problem.severity.name().to_owned(),
                    ..RuleSums::default()
                };
                self.rules.insert(name.to_owned(), sums);
            }
            let Some(sums) = self.rules.get_mut(name) else {
                continue;
            };
            sums.problems += 1;
            match sums.files.get_mut(seen.file) {
                Some(count) => *count += 1,
                None => {
                    sums.files.insert(seen.file.to_owned(), 1);
                }
            }
            let turn = problem.location.turn.unwrap_or_default();
            let hash = hash_of(&seen.dialog.id) ^ hash_of(&problem.message);
            let hash = hash.rotate_left(turn as u32 % 64);
            sums.examples
                .offer(hash, EXAMPLES, || example(seen, problem));
        }
    }

    /// Adds problems of a file that belong to none of its dialogs.
    pub fn add_problems(&mut self, file: &str, rule: &str, severity: Severity, problems: u64) {
        if problems > 0 {
            let sums = self.rules.entry(rule.to_owned()).or_default();
            severity.name().clone_into(&mut sums.severity);
            sums.problems += problems;
            *sums.files.entry(file.to_owned()).or_default() += problems;
        }
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        for (rule, other) in other.rules {
            let sums = self.rules.entry(rule).or_default();
            sums.severity = other.severity;
            sums.problems += other.problems;
            for (file, count) in other.files {
                *sums.files.entry(file).or_default() += count;
            }
            sums.examples.join(other.examples, EXAMPLES);
        }
    }

    /// Returns the byte offsets in `file` of examples whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> Vec<(u64, &mut Option<u64>)> {
        let examples = self
            .rules
            .values_mut()
            .flat_map(|sums| sums.examples.iter_mut());
        let these = examples.filter(|example| example.file == file && example.line.is_none());
        these
            .map(|example| (example.offset, &mut example.line))
            .collect()
    }

    /// Returns the problems.
    pub fn section(&self, paths: &str) -> Section {
        let commands = vec![format!("turnwise lint {paths} --statistics")];
        let mut blocks = Vec::new();
        if self.rules.is_empty() {
            blocks.push(Block::Text("No rule finds a problem.".to_owned()));
        } else {
            self.counts(&mut blocks);
        }
        blocks.push(Block::Text(format!(
            "Rules that compare dialogs or files are left out: {}.",
            COMPARING.join(", ")
        )));
        Section {
            name: "problems",
            title: "Problems",
            commands,
            blocks,
        }
    }

    fn counts(&self, blocks: &mut Vec<Block>) {
        let mut rules: Vec<_> = self.rules.iter().collect();
        let severity = |sums: &RuleSums| sums.severity.parse().unwrap_or(Severity::Note);
        rules.sort_by_key(|(name, sums)| {
            let severity = std::cmp::Reverse(severity(sums));
            (severity, std::cmp::Reverse(sums.problems), *name)
        });
        let by_severity = Severity::ALL.map(|level| {
            let these = rules.iter().filter(|(_, sums)| severity(sums) == level);
            Bar::new(
                format!("{level}s"),
                these.map(|(_, sums)| sums.problems).sum(),
            )
        });
        blocks.push(Block::Plot(Plot {
            caption: "Problems by severity".to_owned(),
            kind: PlotKind::Bars,
            of: "problems",
            series: Vec::new(),
            bars: by_severity.into(),
        }));
        let row = |(name, sums): &(&String, &RuleSums)| {
            let summary = named(name).map_or("", |rule| rule.summary());
            vec![
                Cell::text(*name),
                Cell::text(&sums.severity),
                Cell::text(summary),
                Cell::Count(sums.problems),
                Cell::Count(sums.files.len() as u64),
            ]
        };
        blocks.push(Block::Table(Table {
            caption: "Problems by rule".to_owned(),
            heads: vec!["rule", "severity", "finds", "problems", "files"],
            rows: rules.iter().map(row).collect(),
            left_out: 0,
        }));
        blocks.extend(self.by_file());
        let examples = rules
            .iter()
            .flat_map(|(name, sums)| sums.examples.iter().map(|example| shown(name, example)));
        let examples: Vec<_> = examples.take(ALL_EXAMPLES).collect();
        blocks.push(Block::Examples(examples));
    }

    /// Returns the files with the most problems that are not notes; None if there is one file, or none has such.
    fn by_file(&self) -> Option<Block> {
        let mut files = BTreeMap::<&str, [u64; 3]>::new();
        for sums in self.rules.values() {
            let severity = sums.severity.parse().unwrap_or(Severity::Note);
            let place = Severity::ALL.iter().position(|level| *level == severity)?;
            for (file, count) in &sums.files {
                files.entry(file).or_default()[place] += count;
            }
        }
        let mut files: Vec<_> = files.into_iter().collect();
        if files.len() < 2 {
            return None;
        }
        files.sort_by_key(|(file, [errors, warnings, notes])| {
            (std::cmp::Reverse((errors + warnings, *notes)), *file)
        });
        let left_out = files.len().saturating_sub(ROWS) as u64;
        let row = |(file, counts): &(&str, [u64; 3])| {
            let counts = counts.map(Cell::Count);
            [Cell::text(short(file))]
                .into_iter()
                .chain(counts)
                .collect()
        };
        Some(Block::Table(Table {
            caption: "Problems by file".to_owned(),
            heads: vec!["file", "errors", "warnings", "notes"],
            rows: files.iter().take(ROWS).map(row).collect(),
            left_out,
        }))
    }
}

fn example(seen: &SeenDialog<'_>, problem: &Diagnostic) -> FoundExample {
    let location = problem.location;
    let turn = location.turn.and_then(|turn| seen.dialog.turns.get(turn));
    let excerpt = turn.map_or_else(Default::default, |turn| {
        let segment = location
            .segment
            .and_then(|segment| turn.segments.get(segment));
        let bytes = segment.and_then(|segment| segment.span);
        let bytes = bytes.map(|span| turn.spans(seen.dialog.units).bytes_of(span));
        parts(turn, bytes.unwrap_or_default())
    });
    FoundExample {
        file: seen.file.to_owned(),
        offset: seen.start + u64::from(location.at.start),
        line: None,
        dialog: seen.position,
        id: short(&seen.dialog.id).into(),
        turn: location.turn,
        message: cut(&problem.message, MESSAGE),
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
    [
        before,
        cut(part(bytes.clone()), AROUND),
        cut(part(bytes.end..text.len()), after),
    ]
}

fn shown(rule: &str, example: &FoundExample) -> Example {
    let line = example.line.map(|line| format!(":{line}"));
    let turn = example.turn.map(|turn| format!(", turn {turn}"));
    let dialog = if example.id.is_empty() {
        format!("dialog {}", example.dialog)
    } else {
        format!("dialog {} ({})", example.dialog, example.id)
    };
    Example {
        of: rule.to_owned(),
        message: example.message.clone(),
        place: format!(
            "{}{}, {dialog}{}",
            short(&example.file),
            line.unwrap_or_default(),
            turn.unwrap_or_default()
        ),
        command: show_command(&example.file, example.dialog, example.turn),
        excerpt: example.excerpt.clone(),
    }
}
