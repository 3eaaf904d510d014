//! `turnwise find`: prints the turns that a query finds.

mod collector;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use serde::Serialize;

use super::CommandOutcome;
use super::errors::{Ended, OrStop as _, Stop, complain, file_error};
use super::options::{
    ExcludedOption, ExitOptions, GoldLabels, InputOptions, RuleOptions, parsed, saved_queries,
};
use super::page::{self, Format};
use super::printer::{Manner, Printer};
use super::scan::{Collector, LocatedIssue, ScannedDialog, examine, report_issues};
use super::style::terminal_columns;
use crate::format::LOG_END;
use crate::lint::Linter;
use crate::page::{Cell, Column, Form, Page, Part, Table};
use crate::query::{
    CountKey, MeantNames, Prefilter, Query, Target, UNTRIED, ValueCounts, shown_value,
};
use crate::shell::{FoundPath, files_of, leave_out_excluded, leave_out_own};
use crate::text::{counted, visible};
use collector::{FindCollector, Found, OrderedOutput};

/// Print the turns that a query finds
///
/// Exit code: 0 something found, 1 nothing found, 2 the query is malformed or a file could not be read. Dialogs that are not
/// JSON are reported where their text may match, and change no exit code.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise find 'two tickets' corpus/\n  turnwise find 'in:result error' corpus/\n  turnwise find 'speaker:user label:date then api:book*' corpus/ --format ids\n  turnwise find 'votes.x>=15 or tie' logs/ --format jsonl | jq .text\n  turnwise find 'dialog(problem:) turns>20' corpus/ --sample 50 --seed 1\n  turnwise find 'api:book*' corpus/ --count-by arg:name.movie"
)]
pub struct Arguments {
    /// The query: texts and conditions, or the name of a saved query
    #[arg(allow_hyphen_values = true, required_unless_present = "list")]
    query: Option<String>,
    /// Files, folders (recursive), or - for standard input
    #[arg(required_unless_present = "list", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// List the saved queries: those from the settings, and those from `turnwise.toml` beside PATH
    /// or in the current folder
    #[arg(long, conflicts_with_all = ["count_by", "sample", "seed"])]
    list: bool,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(FORMATS))]
    format: Format,
    /// Count the hits by value, most frequent first: `label`, `api`, `speaker`, `arg:NAME`, …
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["sample", "seed"])]
    count_by: Option<CountKey>,
    /// Print at most N values
    #[arg(long, value_name = "N", requires = "count_by")]
    limit: Option<usize>,
    /// Print N turns drawn at random; with --format ids, N dialogs
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the sample: the same seed draws the same turns from the same files
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Your annotator id, for the condition `mine`
    #[arg(long, value_name = "ID", default_value = "")]
    annotator: String,
    /// Gold labels, a folder or a file, for the condition `gold`
    #[arg(long, value_name = "DIR")]
    gold: Option<PathBuf>,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] = &[
    (Format::Text, "The turns as `show` prints them, with carets under the hits"),
    (Format::Json, "Only with --count-by: one object"),
    (Format::Jsonl, "One hit per line; with --count-by, one value per line"),
    (Format::Csv, "Only with --count-by: one value per line"),
    (Format::Md, "Only with --count-by: a table for a pull request"),
    (Format::Latex, "Only with --count-by: a table for a paper"),
    (Format::Html, "Only with --count-by: a page for a browser"),
    (Format::Ids, "One dialog id per line; with --list, one name per line"),
    (Format::Count, "The number of turns, or of dialogs if the query is about whole dialogs"),
];

/// The query to run, and what it needs.
struct FindRequest<'a> {
    arguments: &'a Arguments,
    query: Query,
    prefilter: Prefilter,
    /// The rules to run; None if the query does not ask for problems.
    rules: Option<Linter>,
    gold: Option<GoldLabels>,
    /// Width of text, in columns.
    columns: usize,
    manner: Manner,
}

impl<'a> FindRequest<'a> {
    /// Prepares the query.
    ///
    /// # Errors
    /// If it is malformed, or the rules or gold labels cannot be used.
    fn new(arguments: &'a Arguments, files: &[PathBuf], manner: Manner) -> Result<Self, Stop> {
        arguments.check_format()?;
        let named = arguments.stdin.named(&arguments.paths);
        let query = parsed(arguments.query.as_deref().unwrap_or_default(), &named)?;
        let rules = query.needs_problems().then(RuleOptions::default);
        let rules = rules.map(|rules| rules.read(&named, files, arguments.excluded));
        let rules = rules.transpose().or_stop()?;
        let gold = arguments.gold.as_deref().map(GoldLabels::read).transpose()?;
        Ok(Self {
            arguments,
            prefilter: Prefilter::new(&query),
            query,
            rules,
            gold,
            columns: terminal_columns(),
            manner,
        })
    }
}

impl FindRequest<'_> {
    /// True if judgements are searched, counted or printed.
    fn needs_judgements(&self) -> bool {
        let Arguments { count_by, format, .. } = self.arguments;
        let is_printed = count_by.is_none() && *format == Format::Text;
        let is_counted = count_by.as_ref().is_some_and(CountKey::is_about_judgements);
        is_printed || is_counted || self.query.needs_judgements()
    }
}

/// A saved query in machine-readable output.
#[derive(Serialize)]
struct SavedQuery<'q> {
    name: &'q str,
    query: &'q str,
}

impl Arguments {
    /// Prints the saved queries: a table, JSON Lines, or the names alone.
    fn list_queries(&self, out: &mut Printer) -> Ended {
        // There is no query: what is in its place is a path.
        let first = self.query.iter().map(PathBuf::from);
        let mut paths: Vec<_> = first.chain(self.paths.iter().cloned()).collect();
        if paths.is_empty() {
            paths.push(PathBuf::from("."));
        }
        let queries = saved_queries(&paths).or_stop()?;
        match self.format {
            Format::Text => {
                let mut page = Page::default();
                page.show(Table::of(queries.iter().map(|(name, query)| {
                    vec![
                        (Column::name("name"), Cell::text(name)),
                        (Column::name("query"), Cell::text(query)),
                    ]
                })));
                page.write_text(out)?;
            }
            Format::Jsonl => {
                for (name, query) in queries.iter() {
                    out.json(&SavedQuery { name, query })?;
                    writeln!(out)?;
                }
            }
            Format::Ids => {
                for (name, _) in queries.iter() {
                    writeln!(out, "{}", visible(name))?;
                }
            }
            _ => {
                return Err(Stop::say("--list prints text, jsonl or ids; leave out other formats"));
            }
        }
        Ok(CommandOutcome::Clean)
    }

    /// Refuses formats that turns do not have, or tables of values.
    fn check_format(&self) -> Result<(), Stop> {
        let problem = match (&self.count_by, self.format) {
            (None, format) if format == Format::Json || format.is_table() => {
                "the formats json, csv, md, latex and html need --count-by; without it, choose text, jsonl, ids or count"
            }
            (Some(_), Format::Ids | Format::Count) => {
                "--count-by prints values; leave out --format ids or count"
            }
            _ => return Ok(()),
        };
        Err(Stop::say(problem))
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if arguments.list {
        return arguments.list_queries(out);
    }
    let mut files = arguments.stdin.find(&arguments.paths);
    // Votes are on their dialogs; a log repeats the texts.
    let ends = |file: &PathBuf| file.to_string_lossy().ends_with(LOG_END);
    let has_logs = files_of(&files).iter().any(ends);
    leave_out_own(&mut files);
    let request = FindRequest::new(arguments, &files_of(&files), out.manner())?;
    if !arguments.excluded.are_read() || request.query.asks_for_excluded() {
        leave_out_excluded(&mut files);
    }
    if request.needs_judgements() || has_logs {
        files = InputOptions::with_judgements_and_votes(files);
    }
    let output = OrderedOutput::new(&files, out);
    let reports = examine(&files, |path| FindCollector::new(&request, &output, path));
    report_issues(&reports);
    // Dialogs that cannot be read are reported only where their text may match, so they do not count.
    let of_files = reports.iter().flat_map(|report| {
        let is_known = report.family.is_some();
        let issues = report.issues.iter();
        issues.filter(move |issue| issue.dialog.is_none() || !is_known)
    });
    let outcome = of_files.map(LocatedIssue::outcome).max().unwrap_or_default();
    let mut meant = MeantNames::of(&request.query);
    let mut sampled: Vec<Vec<Found>> = Vec::new();
    let mut counts = ValueCounts::default();
    let mut incomplete = Vec::new();
    let mut without_id = 0;
    for report in reports {
        let broken = report.gathered.broken_lines;
        if broken > 0 {
            let lines = counted(broken, "line");
            let why = format!("{lines} that may match cannot be read; `turnwise check` lists them");
            file_error(&report.path, &why);
        }
        counts.join(report.gathered.counts);
        meant.join(report.gathered.meant);
        sampled.push(report.gathered.found);
        incomplete.extend(report.gathered.incomplete);
        without_id += report.gathered.without_id;
    }
    let mut count = output.finish(sampled, arguments)?;
    if let Some(key) = &arguments.count_by {
        count = counts.hits;
        print_counts(&counts, key, arguments, out)?;
        if counts.lack_values() {
            complain(format_args!("none of the hits has {}", key.as_str()));
        }
    }
    for note in meant.notes() {
        complain(format_args!("{note}"));
    }
    if let Some(first) = incomplete.first() {
        complain(format_args!("{first}: {UNTRIED}"));
        let others = incomplete.len() - 1;
        if others > 0 {
            complain(format_args!("the same holds for {}", counted(others, "other dialog")));
        }
    }
    if without_id > 0 {
        let dialogs = counted(without_id, "dialog");
        complain(format_args!(
            "left out: {dialogs} without an id; --format jsonl prints files and positions instead"
        ));
    }
    let can_read_again = !files.iter().any(FoundPath::is_stdin);
    if count == 0 && outcome != CommandOutcome::Unusable && can_read_again {
        for unmet in unmet(&request.query, &files) {
            complain(format_args!("nothing in these files matches {unmet}"));
        }
        if request.gold.is_none() && request.query.needs_gold() {
            complain(format_args!(
                "no gold labels were read; name their folder or file with --gold"
            ));
        }
    }
    if io::stderr().is_terminal() && arguments.format != Format::Count {
        complain(format_args!("{}: {}", request.query.explained(), counted(count, "hit")));
    }
    Ok(arguments.exit.outcome(match outcome {
        CommandOutcome::Unusable => CommandOutcome::Unusable,
        _ if count == 0 => CommandOutcome::Issues,
        _ => CommandOutcome::Clean,
    }))
}

/// A value, or the hits without one, on a line of JSON.
#[derive(Serialize)]
struct CountRecord<'c> {
    value: Option<&'c str>,
    hits: usize,
}

fn print_counts(
    counts: &ValueCounts,
    key: &CountKey,
    arguments: &Arguments,
    out: &mut Printer,
) -> io::Result<()> {
    let sorted = counts.sorted();
    let different = sorted.len();
    let values = sorted.into_iter().map(|(value, hits)| (Some(value), hits));
    let mut values: Vec<_> = values.take(arguments.limit.unwrap_or(different)).collect();
    let left_out = different - values.len();
    let without = (counts.without > 0).then_some((None, counts.without));
    let hits = |hits: usize| Cell::Count(hits as u64);
    let text = |text: &str| Cell::Text(text.to_owned());
    let column = |key: &'static str| Column::for_programs(key);
    let mut page = Page::default();
    page.fact("field", key.as_str());
    page.fact("hits", counts.hits);
    // With those beyond the limit.
    page.fact("different", different);
    page.fact("without", counts.without);
    page.add(Part::Rows(
        "values",
        Table::of(values.iter().map(|(value, count)| {
            vec![
                (column("value"), value.map_or(Cell::Nothing, text)),
                (column("hits"), hits(*count)),
            ]
        })),
    ));
    values.extend(without);
    let record = |kind: &str, value: &str, count: usize| {
        vec![
            (column("kind"), text(kind)),
            (column("value"), text(value)),
            (column("hits"), hits(count)),
        ]
    };
    let records = values.iter().map(|(value, count)| {
        record(value.map_or("none", |_| "value"), value.unwrap_or_default(), *count)
    });
    page.add(Part::Csv(Table::of(records.chain([record("total", "", counts.hits)]))));
    let row = |(value, count): &(Option<&str>, usize)| {
        let value = value.map_or_else(|| "(no value)".into(), shown_value);
        vec![text(&value), hits(*count)]
    };
    let mut rows: Vec<_> = values.iter().map(row).collect();
    if left_out > 0 {
        let more = format!("({} not shown)", counted(left_out, "more value"));
        rows.push(vec![Cell::Text(more), Cell::Nothing]);
    }
    page.show(Table {
        columns: vec![
            Column::for_people(key.as_str().to_owned(), Form::Name),
            Column::for_people("hits", Form::Number),
        ],
        rows,
        total: Some(vec![text("all hits"), hits(counts.hits)]),
    });
    if arguments.format == Format::Jsonl {
        return values.iter().try_for_each(|(value, hits)| {
            out.json(&CountRecord { value: *value, hits: *hits })?;
            writeln!(out)
        });
    }
    page::print(&page, "Values of hits", arguments.format, out)
}

/// A condition with a name, as a query of its own.
struct NamedCondition {
    query: Query,
    prefilter: Prefilter,
}

/// Returns the names that a query asks for and no dialog has, if it finds nothing.
fn unmet(query: &Query, files: &[FoundPath]) -> Vec<String> {
    if let Query::Is(only) = query {
        let name = Query::Is(only.without_variable()).to_string();
        return only.named().map(|_| name).into_iter().collect();
    }
    let all = query.wanted();
    let named = all.iter().filter(|condition| condition.named().is_some());
    let named = named.map(|condition| {
        let query = Query::Is(condition.without_variable());
        NamedCondition { prefilter: Prefilter::new(&query), query }
    });
    let named: Vec<_> = named.collect();
    if named.is_empty() {
        return Vec::new();
    }
    let reports =
        examine(files, |_| MetConditions { conditions: &named, met: vec![false; named.len()] });
    let is_met = |number: usize| reports.iter().any(|report| report.gathered.met[number]);
    let unmet = (0..named.len()).filter(|number| !is_met(*number));
    unmet.map(|number| named[number].query.to_string()).collect()
}

/// Which of the conditions some turn meets.
struct MetConditions<'c> {
    conditions: &'c [NamedCondition],
    met: Vec<bool>,
}

impl MetConditions<'_> {
    fn unmet(&self) -> impl Iterator<Item = usize> {
        (0..self.met.len()).filter(|number| !self.met[*number])
    }
}

impl Collector for MetConditions<'_> {
    const FORM: bool = false;

    fn skips(&self, bytes: &[u8]) -> bool {
        let may_be_met = |number| {
            let condition: &NamedCondition = &self.conditions[number];
            condition.prefilter.may_hit(bytes)
        };
        !self.unmet().any(may_be_met)
    }

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let target = Target::new(&read.dialog, &[]);
        let is_met = |number: &usize| {
            let query = &self.conditions[*number].query;
            query.matches(&target).turns.contains(&true)
        };
        let met: Vec<_> = self.unmet().filter(is_met).collect();
        for number in met {
            self.met[number] = true;
        }
    }

    fn join(&mut self, later: Self) {
        for (met, later) in self.met.iter_mut().zip(later.met) {
            *met |= later;
        }
    }
}
