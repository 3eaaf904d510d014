//! `turnwise check`: reports the contents of files and format errors in them.

mod judgements;
mod print;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::finding::{self, Finding, FindingForm};
use super::options::{ExcludedOption, ExitOptions, InputOptions};
use super::page::Format;
use super::printer::Printer;
use super::scan::{Collector, LocatedIssue, ScanReport, ScannedDialog, examine, worst};
use crate::cli::errors::Ended;
use crate::corpus::{CorpusFile, explain};
use crate::dialog::{Counts, UnreadParts};
use crate::format::dataset_info::{DATASET_INFO, DataSet};
use crate::json::repeated_members;
use crate::lint::Severity;
use crate::shell::{FoundPath, data_set_of, files_of, read_judgements, read_votes};
use crate::workspace::OwnFile;

/// Report the contents of corpus files, errors in their format, and parts that are not read
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
    #[arg(long, value_enum, default_value_t = FindingForm::Text)]
    format: FindingForm,
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
                "{why}, as {DATASET_INFO} says of this file: LLaMA-Factory would leave it out"
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
            let why =
                "not read, as files in this folder are judgements; name it to read its dialogs";
            let issue = LocatedIssue { code: "unread", ..LocatedIssue::unreadable(why.to_owned()) };
            report.issues = vec![issue];
            report.gathered = FileSummary::default();
            report.outcome = CommandOutcome::Issues;
        }
    }
    judgements::report_unfit(&found, &mut reports)?;
    reports.retain(|report| !is_own.contains(&report.path) || !report.issues.is_empty());
    let findings = reports.iter().flat_map(findings);
    match arguments.format {
        FindingForm::Text => print::text(&reports, out)?,
        FindingForm::Json => print::json(&reports, out)?,
        FindingForm::Jsonl => finding::jsonl(findings, out)?,
        FindingForm::Github => finding::github(findings, out)?,
        FindingForm::Sarif => finding::sarif(findings, out)?,
        FindingForm::Csv | FindingForm::Md | FindingForm::Latex | FindingForm::Html => {
            let form = arguments.format.of_table().unwrap_or(Format::Text);
            print::table(&reports, form, out)?;
        }
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
            for name in repeated_members(read.tree.root()) {
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
