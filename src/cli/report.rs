//! `turnwise report`: what a corpus is, on one page.

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::CommandOutcome;
use super::copies::on_disk;
use super::errors::{Ended, OrStop as _, Stop};
use super::options::{
    AnnotatorsOption, ExcludedOption, InputOptions, PartLine, PartOf, PartOptions, RuleOptions,
    schemes_of,
};
use super::output::OutputFiles;
use super::page::{Format, rendered};
use super::printer::Printer;
use super::scan::{Collector, ScanReport, ScannedDialog, examine_each, report_issues};
use crate::corpus::{CorpusFile, positions};
use crate::judging::Scheme;
use crate::lint::{DialogPlace, Linter, named};
use crate::page::{Part, Report, plot_svg};
use crate::report::{FileFacts, ReportSums, SeenDialog, argument};
use crate::shell::{files_of, matched_path};

/// Describe a corpus on one page: labels, calls, problems, votes
///
/// The page needs no network and no script, and has at most 1 MB for any corpus.
/// Exit code: 0 success, 2 a file could not be read or written; then no output file is.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise report corpus/ -o report.html\n  turnwise report corpus/ --format md >> README.md\n  turnwise report corpus/ --against HEAD~3:corpus -o report.html\n  turnwise report shard-1/ --partial > part-1.json\n  turnwise report --from part-*.json -o report.html"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - for standard input
    #[arg(required_unless_present = "from", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The file to write; - for standard output [default: -]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Output format
    #[arg(long, default_value = "html", value_parser = Format::among(FORMATS))]
    format: Format,
    /// Add the differences from another copy: a file or folder, or REV:PATH for a copy in Git
    #[arg(long, value_name = "PATH", conflicts_with = "partial")]
    against: Option<PathBuf>,
    /// The title [default: the paths]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Write only the plots, as SVG files, into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    plots: Option<PathBuf>,
    /// Replace existing files
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    only: AnnotatorsOption,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    rules: RuleOptions,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] = &[
    (Format::Html, "A page for a browser or a printer"),
    (Format::Md, "Markdown, for a pull request or a dataset card"),
    (Format::Json, "All figures, for programs; `turnwise schema report` has the schema"),
    (Format::Latex, "The tables, in the style of booktabs"),
];

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut parts = if arguments.parts.from.is_empty() {
        read(arguments, &arguments.paths).or_stop()?
    } else {
        ReportParts::read(&arguments.parts.from).or_stop()?
    };
    // Issues are a part of the report.
    let outcome = match parts.outcome {
        CommandOutcome::Issues => CommandOutcome::Clean,
        outcome => outcome,
    };
    if arguments.parts.partial {
        parts.print(out)?;
        return Ok(outcome);
    }
    let paths: Vec<_> = parts.paths.iter().map(|path| argument(path)).collect();
    let paths = paths.join(" ");
    let title = match &arguments.title {
        Some(title) => title.clone(),
        None => title_of(&paths),
    };
    let only = &arguments.only.annotators;
    parts.sums.keep_annotators(only);
    let mut report = parts.sums.report(&title, &paths);
    if let Some(against) = &arguments.against
        && let Err(why) = compare(&mut report, arguments, against, &paths)
    {
        return Err(Stop::say(why));
    }
    let mut files = OutputFiles::new(arguments.paths.clone());
    let written = match &arguments.plots {
        Some(folder) => write_plots(&report, folder, &mut files),
        None => write(&report, arguments, &mut files, out),
    };
    if let Err(error) = written {
        return Err(Stop::say(error));
    }
    let mut outcome = outcome;
    files.finish(arguments.overwrite, &mut outcome);
    Ok(outcome)
}

/// Returns the paths as a title; the current folder is called by its name.
fn title_of(paths: &str) -> String {
    let here = std::env::current_dir().ok().filter(|_| paths == ".");
    let name = here.as_deref().and_then(Path::file_name);
    name.map_or_else(|| paths.to_owned(), |name| name.to_string_lossy().into())
}

/// Adds what differs from another copy.
///
/// # Errors
/// If the copy cannot be read.
fn compare(
    report: &mut Report,
    arguments: &Arguments,
    against: &Path,
    paths: &str,
) -> Result<(), String> {
    let name = against.display().to_string();
    let copy = on_disk(against).map_err(|error| format!("{name}: {error}"))?;
    let mut old = read(arguments, std::slice::from_ref(&copy.path))?;
    old.sums.keep_annotators(&arguments.only.annotators);
    if old.outcome == CommandOutcome::Unusable {
        return Err(format!("{name} cannot be compared"));
    }
    let command = format!("turnwise diff {} {paths}", argument(&name));
    report.compare(&old.sums.report(&name, &name), &name, command);
    Ok(())
}

/// Reads a corpus.
///
/// # Errors
/// If the selection of rules, or the scheme beside the corpus, cannot be used.
fn read(arguments: &Arguments, paths: &[PathBuf]) -> Result<ReportParts, String> {
    let named = arguments.stdin.named(paths);
    let found = arguments.stdin.find_corpora(paths, arguments.excluded);
    let found = InputOptions::with_judgements_and_votes(found);
    let files = files_of(&found);
    let linter = arguments.rules.read(&named, &files, arguments.excluded)?;
    let schemes = schemes_of(&found)?;
    let mut sums = ReportSums::default();
    let start = |path: &Path| ReportCollector::new(&linter, &schemes, path);
    let reports =
        examine_each(&found, start, |report| sums.join(ReportCollector::take_sums(report)));
    let outcome = report_issues(&reports);
    sums.settle();
    let names = named.iter().map(|path| path.display().to_string());
    Ok(ReportParts::of(sums, names.collect(), outcome))
}

/// Writes the report to its file, or to standard output.
fn write(
    report: &Report,
    arguments: &Arguments,
    files: &mut OutputFiles,
    out: &mut Printer,
) -> io::Result<()> {
    let text = match arguments.format {
        Format::Json => {
            let mut text = serde_json::to_string_pretty(report).map_err(io::Error::other)?;
            text.push('\n');
            text
        }
        format => rendered(report, format),
    };
    match arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        Some(path) => files.file(path)?.write_all(text.as_bytes()),
        None => out.as_json(|out| out.write_all(text.as_bytes())),
    }
}

/// Writes each plot into a file, named after its section and its number there.
fn write_plots(report: &Report, folder: &Path, files: &mut OutputFiles) -> io::Result<()> {
    files
        .make_folder(folder)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))?;
    for section in &report.sections {
        let plots = section.parts.iter().filter_map(|block| match block {
            Part::Plot(plot) => Some(plot),
            _ => None,
        });
        for (number, plot) in plots.enumerate() {
            let path = folder.join(format!("{}-{}.svg", section.name, number + 1));
            files.file(&path)?.write_all(plot_svg(plot).as_bytes())?;
        }
    }
    Ok(())
}

/// Counts dialogs.
struct ReportCollector<'c> {
    linter: &'c Linter,
    schemes: &'c [Scheme],
    /// The path, as it is shown.
    file: String,
    /// The path as ignores files match it.
    name: String,
    sums: ReportSums,
    bytes: u64,
    hash: Option<u128>,
}

impl<'c> ReportCollector<'c> {
    pub fn new(linter: &'c Linter, schemes: &'c [Scheme], path: &Path) -> Self {
        Self {
            linter,
            schemes,
            file: path.display().to_string(),
            name: matched_path(path),
            sums: ReportSums::default(),
            bytes: 0,
            hash: None,
        }
    }

    /// Takes the sums of a file that was read, with the facts of the file.
    pub fn take_sums(report: &mut ScanReport<Self>) -> ReportSums {
        let mut sums = std::mem::take(&mut report.gathered.sums);
        let gathered = &report.gathered;
        let syntax = report.issues.iter().filter(|issue| issue.is_syntax());
        if let Some(rule) = named("json-syntax")
            && let Some(severity) = gathered.linter.selection.level(rule)
        {
            sums.add_problems(&report.file, rule.name, severity, syntax.count() as u64);
        }
        sums.add_file(&FileFacts {
            file: &report.file,
            family: report.note.or(report.family).unwrap_or_default(),
            bytes: gathered.bytes,
            hash: gathered.hash,
            issues: report.issues.len() as u64,
            excluded: report.excluded as u64,
        });
        sums
    }
}

impl Collector for ReportCollector<'_> {
    const HASHES: bool = true;

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let place = DialogPlace { file: &self.name, position: read.position };
        let problems = self.linter.problems(read.parsed(), place);
        self.sums.add(&SeenDialog {
            file: &self.file,
            dialog: &read.dialog,
            position: read.position,
            start: read.start,
            is_companion: read.format.is_companion(),
            problems: &problems,
            ontology: self.linter.ontology(read.format, &read.dialog),
            schemes: self.schemes,
        });
    }

    fn broken(&mut self) {
        self.sums.add_broken(&self.file);
    }

    fn join(&mut self, later: Self) {
        self.sums.join(later.sums);
    }

    fn end_of_file(&mut self, file: &CorpusFile) -> io::Result<()> {
        self.bytes = file.source().len();
        self.hash = file.index().hash;
        let mut examples = self.sums.example_lines(&self.file);
        examples.sort_by_key(|(offset, _)| *offset);
        let offsets: Vec<_> = examples.iter().map(|(offset, _)| *offset).collect();
        for (position, (_, line)) in positions(file.source(), &offsets)?.iter().zip(examples) {
            *line = Some(position.line);
        }
        Ok(())
    }
}

/// The sums of some files.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportParts {
    /// The kind of the sums.
    partial: PartOf,
    /// See [`PartOf::version`].
    version: u32,
    /// The paths that were read.
    pub paths: BTreeSet<String>,
    pub outcome: CommandOutcome,
    pub sums: ReportSums,
}

impl ReportParts {
    pub fn of(sums: ReportSums, paths: BTreeSet<String>, outcome: CommandOutcome) -> Self {
        let partial = PartOf::Report;
        Self { partial, version: partial.version(), paths, outcome, sums }
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
            let part = line.part(PartOf::Report)?;
            sum.add(part).map_err(|why| line.message(&why))?;
        }
        sum.sums.settle();
        Ok(sum)
    }

    fn add(&mut self, other: Self) -> Result<(), String> {
        if let Some(file) = self.sums.file_of_both(&other.sums) {
            return Err(format!("{file} is also in an earlier part, and would count twice"));
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
