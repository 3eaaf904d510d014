//! `turnwise check`: reports the contents of files and format errors in them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::CommandOutcome;
use super::errors::Ended;
use super::finding::{self, Finding};
use super::options::{ExcludedOption, ExitOptions, InputOptions};
use super::page::{self, Format};
use super::printer::Printer;
use super::scan::{
    Collector, JudgementsRead, LocatedIssue, ScanReport, ScannedDialog, examine, print_issue,
    report_excluded, report_issues, worst,
};
use crate::corpus::{CorpusFile, explain, positions};
use crate::dialog::{Counts, Judgement, JudgementKey, UnreadParts};
use crate::format::dataset_info::{DATASET_INFO, DataSet};
use crate::json::repeated_members;
use crate::judging::{Question, Scheme};
use crate::lint::Severity;
use crate::page::{Cell, Column, Page, Table};
use crate::shell::{
    DiskFile, FoundPath, data_set_of, files_of, read_judgements, read_votes, scheme_beside,
};
use crate::text::grouped;
use crate::workspace::OwnFile;

/// Report the contents of files, format errors, and parts not read
///
/// Exit code: 0 no issues, 1 issues found, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise check corpus/\n  turnwise check --format json data.json | jq '.[].issues'\n  zcat data.json.gz | turnwise check -"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(finding::FORMATS))]
    format: Format,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut found = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    read_judgements(&mut found);
    // Of judgements beside corpora, only what is wrong with them is reported.
    let are_beside = !found.iter().all(FoundPath::is_own);
    let (mut own, mut found): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|file| are_beside && file.is_own());
    own.retain(|file| OwnFile::Judgements.is_at(file.path()));
    read_votes(&mut found);
    let is_own: HashSet<PathBuf> = files_of(&own).into_iter().collect();
    let files = files_of(&found);
    let listed = files.iter().filter_map(|path| Some((path.as_path(), data_set_of(path)?)));
    let listed: HashMap<&Path, DataSet> = listed.collect();
    found.extend(own);
    let mut reports =
        examine(&found, |path| FileSummary { listed: listed.get(path), ..FileSummary::default() });
    for report in &mut reports {
        if let Some((dialog, why)) = report.gathered.contradiction.take() {
            let why = format!(
                "{why}, contrary to {DATASET_INFO}, so LLaMA-Factory would leave this dialog out"
            );
            report.issues.push(LocatedIssue {
                dialog: Some(dialog),
                code: "data-list",
                ..LocatedIssue::unreadable(why)
            });
            report.outcome = report.outcome.max(CommandOutcome::Issues);
        }
    }
    for report in reports.iter_mut().filter(|report| is_own.contains(&report.path)) {
        if report.gathered.counts.dialogs > 0 {
            let why = "not read, because this folder is for judgements; to read the dialogs of a file in it, give that file";
            let issue = LocatedIssue { code: "unread", ..LocatedIssue::unreadable(why.to_owned()) };
            report.issues = vec![issue];
            report.gathered = FileSummary::default();
            report.outcome = CommandOutcome::Issues;
        }
    }
    report_unfit(&found, &mut reports)?;
    reports.retain(|report| !is_own.contains(&report.path) || !report.issues.is_empty());
    let findings = reports.iter().flat_map(findings);
    match arguments.format {
        Format::Text => print_text(&reports, out)?,
        Format::Json => print_json(&reports, out)?,
        Format::Jsonl => finding::jsonl(findings, out)?,
        Format::Github => finding::github(findings, out)?,
        Format::Sarif => finding::sarif(findings, out)?,
        format => print_table(&reports, format, out)?,
    }
    Ok(arguments.exit.outcome(worst(&reports)))
}

/// Returns the issues of a file, and as a note what of it is not read.
fn findings<'r>(report: &'r ScanReport<FileSummary<'_>>) -> impl Iterator<Item = Finding<'r>> {
    let file = &report.file;
    let issues = report.issues.iter().map(|issue| Finding::of_issue(file, issue));
    let unread = &report.gathered.unread;
    let note = (!unread.is_empty())
        .then(|| Finding::of_file(file, None, "not-read", Severity::Note, unread.to_string()));
    issues.chain(note)
}

/// The contents of a file.
#[derive(Default)]
struct FileSummary<'l> {
    counts: Counts,
    unread: UnreadParts,
    /// Its entry in the data list beside it.
    listed: Option<&'l DataSet>,
    /// The first dialog that is not as it says, and why.
    contradiction: Option<(usize, String)>,
}

impl Collector for FileSummary<'_> {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        self.counts += read.dialog.counts();
        if let Some(listed) = self.listed.filter(|_| self.contradiction.is_none()) {
            let why = listed.contradiction(read.tree.root());
            self.contradiction = why.map(|why| (read.position, why));
        }
        self.unread.add_dialog(&read.dialog);
        // Elsewhere, members have one reader and one writer.
        if read.format.is_session() || read.format.chat().is_some() {
            for name in repeated_members(&read.tree) {
                self.unread.add(format!("earlier `{name}`").into(), 1);
            }
        }
    }

    fn broken(&mut self) {
        self.counts += Counts { dialogs: 1, ..Counts::default() };
    }

    fn join(&mut self, later: Self) {
        self.counts += later.counts;
        self.contradiction = self.contradiction.take().or(later.contradiction);
        self.unread.join(&later.unread);
    }

    fn end_of_file(&mut self, file: &CorpusFile) -> io::Result<()> {
        for name in explain::unread_members(file)? {
            self.unread.add(name.into(), 1);
        }
        Ok(())
    }
}

type Reports<'l> = [ScanReport<FileSummary<'l>>];

/// Adds an issue for each judgement whose dialog is gone or has changed, or that does not answer its scheme, to the report
/// of its file. Files of judgements that were found without the dialogs beside them are left as they are.
fn report_unfit(found: &[FoundPath], reports: &mut Reports<'_>) -> io::Result<()> {
    if let Some(JudgementsRead { all, met }) = JudgementsRead::of(found, reports) {
        // Text merges, edits by hand and copies of files leave several lines about the same. Those of a folder are read
        // in the order of the names of its files.
        let folder = |file: usize| all.files[file].parent();
        let lines = all.store.iter().enumerate();
        let last: HashMap<(Option<&Path>, JudgementKey), (usize, usize)> = lines
            .map(|(line, (said, file, _))| ((folder(file), said.key()), (file, line)))
            .collect();
        for (number, path) in all.files.iter().enumerate() {
            let report = reports.iter_mut().find(|report| report.path == *path);
            if let Some(report) = report.filter(|report| was_found_with_corpus(report)) {
                // A scheme that cannot be read is for `schemes check` to report.
                let scheme = scheme_beside(path, None).ok().flatten();
                let own = all.store.iter().enumerate();
                let own = own.filter(|(_, (_, file, _))| *file == number);
                let unfit = own.filter_map(|(place, (judgement, _, at))| {
                    let why = why_unfit(judgement, met.get(&place).copied());
                    let why = why.or_else(|| why_not_taken(judgement, scheme.as_ref()));
                    let counts = last.get(&(folder(number), judgement.key()));
                    let again = counts.filter(|(_, line)| *line != place).map(|(file, _)| {
                        let other = match all.files[*file].file_name() {
                            Some(name) if *file != number => name.to_string_lossy(),
                            _ => "a later line of this file".into(),
                        };
                        format!("overridden by {other}, which judges the same place")
                    });
                    let why = why.or(again)?;
                    Some((at as u64, why))
                });
                add_issues(report, unfit.collect())?;
            }
        }
    }
    Ok(())
}

/// True for a file of judgements that was found in a folder that the dialogs beside it are in, too.
fn was_found_with_corpus(report: &ScanReport<FileSummary<'_>>) -> bool {
    let beside = report.path.parent().and_then(Path::parent);
    let below = report.below.as_deref();
    beside.zip(below).is_some_and(|(beside, below)| beside.starts_with(below))
}

/// Returns why a judgement fits no dialog, if it does not. `met` says whether it fits the dialog that it belongs to.
fn why_unfit(judgement: &Judgement, met: Option<bool>) -> Option<String> {
    let dialog = &judgement.dialog;
    let what = match judgement.place.turn {
        Some(turn) => format!("turn {turn} of dialog {dialog:?}"),
        None if judgement.with.is_some() => format!("one dialog of the pair with {dialog:?}"),
        None => format!("dialog {dialog:?}"),
    };
    match met {
        Some(true) => None,
        _ if judgement.is_empty() || judgement.is_definition() => None,
        Some(false) => Some(format!("{what} has changed since it was judged")),
        None if judgement.file.is_empty() => Some(format!("there is no dialog {dialog:?}")),
        None => Some(format!("there is no dialog {dialog:?} in {}", judgement.file)),
    }
}

/// Returns why a judgement is not an answer to its scheme, if that is the one beside the corpus.
fn why_not_taken(judgement: &Judgement, beside: Option<&Scheme>) -> Option<String> {
    let value = judgement.value.as_ref().filter(|_| !judgement.is_note())?;
    let scheme = beside.filter(|scheme| scheme.name == judgement.scheme)?;
    let name = &judgement.question;
    let question = scheme.asked(name);
    let expected = |question: &Question| {
        question.takes(value).map_err(|expected| format!("{name} takes {expected}"))
    };
    question.and_then(expected).err()
}

fn add_issues(
    report: &mut ScanReport<FileSummary<'_>>,
    unfit: Vec<(u64, String)>,
) -> io::Result<()> {
    if unfit.is_empty() {
        return Ok(());
    }
    let offsets: Vec<_> = unfit.iter().map(|(at, _)| *at).collect();
    let positions = positions(&DiskFile::open(&report.path)?, &offsets)?;
    let issues = unfit.into_iter().zip(positions);
    report.issues.extend(issues.map(|((at, message), position)| LocatedIssue {
        place: Some((at, position)),
        code: "judgement",
        ..LocatedIssue::unreadable(message)
    }));
    report.issues.sort_by_key(|issue| issue.place.map(|(at, _)| at));
    report.outcome = report.outcome.max(CommandOutcome::Issues);
    Ok(())
}

/// Prints issues as `file:line:column: message`, the parts that are not read, then a table of the files and a
/// total.
fn print_text(reports: &[ScanReport<FileSummary<'_>>], out: &mut Printer) -> io::Result<()> {
    let mut unread = false;
    for report in reports {
        for issue in &report.issues {
            print_issue(&report.file, issue, out)?;
        }
        let FileSummary { unread: parts, .. } = &report.gathered;
        if !parts.is_empty() {
            unread = true;
            writeln!(out, "{}: {}", report.file, parts)?;
        }
    }
    if reports.is_empty() {
        return Ok(());
    }
    report_excluded(reports.iter().map(|report| report.excluded).sum());
    if unread || reports.iter().any(|report| !report.issues.is_empty()) {
        writeln!(out)?;
    }
    table_of(reports).write_text(out)
}

/// Prints the issues to standard error, and the table of the files.
fn print_table(
    reports: &[ScanReport<FileSummary<'_>>],
    format: Format,
    out: &mut Printer,
) -> io::Result<()> {
    report_issues(reports);
    page::print(&table_of(reports), "Files", format, out)
}

/// Returns the table of the files.
fn table_of(reports: &[ScanReport<FileSummary<'_>>]) -> Page {
    let row = |names: [String; 2], counts: &Counts, issues: usize| -> Vec<Cell> {
        let counts = counts.named().into_iter().chain([("issues", issues as u64)]);
        let counts = counts.map(|(_, count)| Cell::Count(count));
        names.map(Cell::Text).into_iter().chain(counts).collect()
    };
    let family = |report: &ScanReport<FileSummary<'_>>| {
        let usual = report.note.or(report.family).unwrap_or("-");
        let others = report.other_families.iter().copied();
        let all: Vec<_> = std::iter::once(usual).chain(others).collect();
        all.join(", ")
    };
    let of = |report: &ScanReport<FileSummary<'_>>| {
        let names = [report.file.clone(), family(report)];
        row(names, &report.gathered.counts, report.issues.len())
    };
    let total = || {
        let name = format!("total, {} files", grouped(reports.len()));
        let mut total = Counts::default();
        for report in reports {
            total += report.gathered.counts;
        }
        let issues = reports.iter().map(|report| report.issues.len()).sum();
        row([name, String::new()], &total, issues)
    };
    let names = ["file", "family"].map(Column::name);
    let counts = Counts::default().named().map(|(name, _)| name).into_iter().chain(["issues"]);
    let numbers = counts.map(|name| Column::new(name, name));
    let mut page = Page::default();
    page.rows(Table {
        columns: names.into_iter().chain(numbers).collect(),
        rows: reports.iter().map(of).collect(),
        total: (reports.len() != 1).then(total),
    });
    page
}

#[derive(Serialize)]
struct JsonReport<'a> {
    file: &'a str,
    family: Option<&'a str>,
    /// Left out if all dialogs are of the one family.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    other_families: &'a BTreeSet<&'static str>,
    #[serde(flatten)]
    counts: &'a Counts,
    /// The number of excluded dialogs, which were not read; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded: Option<usize>,
    /// The number of parts of each kind that is not read; left out if there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    not_read: BTreeMap<&'a str, u64>,
    issues: Vec<Finding<'a>>,
}

/// Prints an array with one object per file, one per line.
fn print_json(reports: &[ScanReport<FileSummary<'_>>], out: &mut Printer) -> io::Result<()> {
    out.write_all(b"[")?;
    for (i, report) in reports.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        out.json(&json_report(report))?;
    }
    out.write_all(if reports.is_empty() { b"]\n" } else { b"\n]\n" })
}

fn json_report<'r>(report: &'r ScanReport<FileSummary<'_>>) -> JsonReport<'r> {
    let issue = |issue| Finding::of_issue(&report.file, issue);
    JsonReport {
        file: &report.file,
        family: report.family,
        other_families: &report.other_families,
        counts: &report.gathered.counts,
        excluded: Some(report.excluded).filter(|count| *count > 0),
        not_read: report
            .gathered
            .unread
            .kinds()
            .map(|(kind, count)| (kind.as_str(), count))
            .collect(),
        issues: report.issues.iter().map(issue).collect(),
    }
}
