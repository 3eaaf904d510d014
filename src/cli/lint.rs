//! `turnwise lint`: reports problems in corpora, for people, programs and CI builds.

mod collector;
mod text;

use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;

use super::CommandOutcome;
use super::errors::{Ended, OrStop as _, Stop, file_issues};
use super::finding::{self, Finding, FoundFix};
use super::options::{ExcludedOption, ExitOptions, InputOptions, QueryOptions, RuleOptions};
use super::page::{self, Format};
use super::printer::Printer;
use super::scan::{examine, report_excluded, worst};
use crate::corpus::{DialogRef, Origin, Record};
use crate::lint::{Diagnostic, KnownDialog, Linter, duplicates};
use crate::query::Query;
use crate::shell::files_of;
use crate::text::counted;
use collector::{LintCollector, LintReport, LocatedProblem};
use text::RuleCount;

/// Report problems in well-formed dialogs, with suggested fixes
///
/// Exit code: 0 no errors or warnings, 1 errors or warnings found, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise lint corpus/\n  turnwise lint corpus/ --select span,label-unknown\n  turnwise lint corpus/ --format sarif > problems.sarif\n\n`turnwise rules` lists the rules."
)]
pub struct Arguments {
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    rules: RuleOptions,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(finding::FORMATS))]
    format: Format,
    /// Print only the number of problems of each rule, and how many have a fix; to add up parts of a corpus,
    /// use `report --partial`
    #[arg(long)]
    statistics: bool,
    #[command(flatten)]
    query: QueryOptions,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if arguments.statistics && matches!(arguments.format, Format::Github | Format::Sarif) {
        return Err(Stop::say("github and sarif list problems; leave out --statistics"));
    }
    if !arguments.statistics && arguments.format.is_table() {
        return Err(Stop::say("csv, md, latex and html need --statistics"));
    }
    Ok(arguments.exit.outcome(check(arguments, out)?))
}

/// Checks files, and prints what was asked for.
fn check(arguments: &Arguments, out: &mut Printer) -> Ended {
    let named = arguments.stdin.named(&arguments.paths);
    let query = arguments.query.read(&named)?;
    let mut found = arguments.stdin.find_corpora(&arguments.paths, arguments.excluded);
    if query.as_ref().is_some_and(Query::needs_judgements) {
        found = InputOptions::with_judgements(found);
    }
    let linter = arguments.rules.read(&named, &files_of(&found), arguments.excluded).or_stop()?;
    let keeps_edits =
        matches!(arguments.format, Format::Json | Format::Jsonl) && !arguments.statistics;
    let reports =
        examine(&found, |path| LintCollector::new(&linter, query.as_ref(), keeps_edits, path));
    let unreadable = worst(&reports) == CommandOutcome::Unusable;
    report_excluded(reports.iter().map(|report| report.excluded).sum());
    let linted = |report| LintReport::of(report, &linter);
    let mut files: Vec<_> = reports.into_iter().map(linted).collect();
    compare_ids(&mut files, &linter);
    if query.is_some() {
        files.iter_mut().for_each(LintReport::keep_found);
    }
    for file in &files {
        if arguments.statistics {
            file_issues(&file.path, &file.broken);
        }
        file_issues(&file.path, &file.unreadable);
    }
    let mut problems = files.iter().flat_map(|file| &file.problems);
    let is_damaged = files.iter().any(|file| !file.unreadable.is_empty());
    let is_clean = !is_damaged && problems.clone().next().is_none();
    let outcome = if unreadable {
        CommandOutcome::Unusable
    } else if is_damaged || problems.any(|problem| problem.found.is_worth_changing()) {
        CommandOutcome::Issues
    } else {
        CommandOutcome::Clean
    };
    let findings = files.iter().flat_map(LintReport::findings);
    match arguments.format {
        _ if arguments.statistics => print_statistics(arguments, &text::counts(&files), out)?,
        Format::Text => text::print(&files, out)?,
        Format::Json => {
            out.json_pretty(&findings.collect::<Vec<_>>())?;
            writeln!(out)?;
        }
        Format::Jsonl => finding::jsonl(findings, out)?,
        Format::Github => finding::github(findings, out)?,
        Format::Sarif => finding::sarif(findings, out)?,
        // The forms of a table are refused without --statistics.
        _ => {}
    }
    if !unreadable && is_clean {
        report_no_problems(files.len());
    }
    Ok(outcome)
}

/// Prints how many problems each rule has found.
fn print_statistics(
    arguments: &Arguments,
    counts: &[RuleCount],
    out: &mut Printer,
) -> io::Result<()> {
    match arguments.format {
        Format::Json => {
            out.json_pretty(&counts)?;
            writeln!(out)
        }
        Format::Jsonl => finding::jsonl(counts.iter(), out),
        format => page::print(&text::statistics(counts), "Problems by rule", format, out),
    }
}

/// Reports on a terminal that there are no problems; programs read the exit code.
fn report_no_problems(files: usize) {
    if io::stderr().is_terminal() {
        let mut stderr = Printer::stderr();
        // If standard error fails, there is nowhere to report it.
        let _ = writeln!(stderr, "no problems in {}", counted(files, "file"))
            .and_then(|()| stderr.flush());
    }
}

impl LintReport {
    /// Returns the problems for programs.
    fn findings(&self) -> impl Iterator<Item = Finding<'_>> {
        self.problems.iter().map(|problem| problem.finding(&self.file))
    }
}

impl LocatedProblem {
    fn finding<'p>(&'p self, file: &'p str) -> Finding<'p> {
        let found = &self.found;
        let record = |edit: &crate::dialog::Edit| Record {
            file: Some(file.to_owned()),
            dialog: DialogRef::Number(self.dialog.unwrap_or_default()),
            dialog_id: self.known_id().map(str::to_owned),
            edit: edit.clone(),
            on: None,
            origin: Origin::default(),
        };
        let fixes = found.fixes.iter().map(|fix| FoundFix {
            title: &fix.title,
            applicability: fix.applicability.name(),
            edits: fix.edits.iter().map(record).collect(),
        });
        let (at, name) = (Some(self.position), found.rule.name);
        Finding {
            dialog: self.dialog,
            dialog_id: self.known_id(),
            turn: found.location.turn,
            segment: found.location.segment,
            quote: self.quote(),
            fixes: fixes.collect(),
            ..Finding::of_file(file, at, name, found.severity, found.message.as_str())
        }
    }
}

/// Finds ids shared by several dialogs, in one file or in several.
fn compare_ids(files: &mut [LintReport], linter: &Linter) {
    let named = || {
        let files = files.iter().enumerate();
        files.flat_map(|(file, linted)| linted.ids.iter().map(move |named| (file, named)))
    };
    let known = named().map(|(file, named)| KnownDialog {
        file,
        dialog: named.dialog,
        id: &named.id,
        text_hash: named.text_hash,
        family: named.family,
        local: named.local,
        parted: named.parted,
        first_line: &named.first_line,
    });
    let name = |file: usize| files[file].file.clone();
    let found = duplicates(known, name, &linter.selection);
    let all: Vec<_> = named().collect();
    let problem = |(place, found): (usize, Diagnostic)| {
        let (file, named) = all[place];
        let problem = LocatedProblem {
            dialog: Some(named.dialog),
            id: named.id.clone(),
            found,
            offset: named.offset,
            position: named.position,
            excerpt: None,
        };
        (file, problem)
    };
    let twice: Vec<_> = found.into_iter().map(problem).collect();
    let mut touched: Vec<usize> = twice.iter().map(|(file, _)| *file).collect();
    for (file, problem) in twice {
        files[file].problems.push(problem);
    }
    touched.dedup();
    for file in touched {
        files[file].problems.sort_by_key(|problem| problem.offset);
    }
}
