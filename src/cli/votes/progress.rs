//! `turnwise progress`: how far each annotator is, and how well they agree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::Serialize;

use super::figures::{Cell, Cells};
use super::machine::{Row, csv_of};
use super::question::{Answered, Asked, FileAnswers, annotator_cells, table, unusable};
use super::{By, OutputFormat};
use crate::cli::options::{ExcludedOption, InputOptions, scheme_of};
use crate::cli::printer::Printer;
use crate::cli::scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use crate::cli::{CommandOutcome, complain};
use crate::dialog::{Dialog, PairedWith, Sides, side_order};
use crate::judging::{Assignments, Kept, Member, Scheme, TeamWork};
use crate::shell::{FoundPath, absolute_name, files_of, read_assignments};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{log_id, stem};
use crate::votes::{Bootstrap, Statistic, UndefinedReason};

/// Report how far each annotator is: dialogs done, answers, agreement, time
///
/// A dialog is done when all that has to be answered in it is answered. Models are left out.
/// Exit code: 0 success, 1 answers were left out, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise progress corpus/\n  turnwise progress corpus/ --scheme success --gold lead\n  turnwise progress corpus/ --format csv > team.csv"
)]
pub struct Arguments {
    /// Files, or folders (recursive)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The question whose answers are compared; by default the first one that can be
    #[arg(long, value_name = "NAME")]
    question: Option<String>,
    /// The scheme: the name of a bundled one, or a file; by default the one beside the corpus, or else
    /// votes on breakdowns
    #[arg(long, value_name = "NAME|FILE")]
    scheme: Option<String>,
    /// The annotator whose answers are known to be right
    #[arg(long, value_name = "ANNOTATOR")]
    gold: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// The ids of the dialogs of a file.
#[derive(Default)]
struct FileIds(Vec<String>);

impl Collector for FileIds {
    const FORM: bool = false;

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        self.0.push(read.dialog.id);
    }

    fn join(&mut self, later: Self) {
        self.0.extend(later.0);
    }
}

/// The files of the two dialogs of each id that are a pair.
type Pairs = HashMap<String, [PathBuf; 2]>;

/// Returns the pairs that dialogs of two files are, if the scheme asks about pairs.
fn pairs(scheme: &Scheme, found: &[FoundPath]) -> Pairs {
    let mut first: HashMap<String, PathBuf> = HashMap::new();
    let mut pairs = Pairs::new();
    if !scheme.is_of_pairs() {
        return pairs;
    }
    let mut reports = examine(found, |_| FileIds::default());
    let name = |report: &ScanReport<FileIds>| absolute_name(&report.path);
    reports.sort_by(|one, other| side_order(&name(one), &name(other)));
    for report in reports {
        for id in report.gathered.0.into_iter().filter(|id| !id.is_empty()) {
            let path = report.path.clone();
            match first.get(&id) {
                None => {
                    first.insert(id, path);
                }
                Some(first) if *first != path => {
                    pairs.entry(id).or_insert([first.clone(), path]);
                }
                Some(_) => {}
            }
        }
    }
    pairs
}

/// The names of the files whose logs count, by the folder of these logs.
type LogsOf = BTreeMap<PathBuf, BTreeSet<String>>;

/// The answers in a file, and who gave them.
struct FileProgress<'q> {
    answers: FileAnswers<'q>,
    scheme: &'q Scheme,
    assignments: &'q Assignments,
    pairs: &'q Pairs,
    logs_of: &'q LogsOf,
    path: PathBuf,
    work: TeamWork,
}

impl FileProgress<'_> {
    /// Makes a dialog the pair that it is with one of another file, if it is one.
    fn pair(&self, dialog: &mut Dialog) {
        if dialog.sides.is_none()
            && let Some(files) = self.pairs.get(&dialog.id)
            && files[0] == self.path
        {
            let [own, other] = files.each_ref().map(|path| absolute_name(path));
            dialog.sides = Some(Sides {
                names: [own.as_str(), other.as_str()].map(Into::into),
                with: Some(PairedWith { file: other, digest: String::new() }),
            });
        }
    }
}

impl Collector for FileProgress<'_> {
    fn dialog(&mut self, mut read: ScannedDialog<'_, '_>) {
        let has_votes = read.format.has_votes();
        if read.format.is_companion() || self.scheme.kept == Kept::Votes && !has_votes {
            return;
        }
        let group = group_of(&read.dialog);
        let files = self.path.parent().and_then(|folder| self.logs_of.get(folder));
        if files.is_some_and(|files| !files.contains(group)) {
            return;
        }
        read.dialog.judgements.retain(|said| said.run.is_none());
        self.pair(&mut read.dialog);
        let file = self.path.file_name().unwrap_or_default();
        let file = file.to_string_lossy();
        let id = log_id(&read.dialog, stem(&file), read.position);
        let logged = Some(group_of(&read.dialog)).filter(|file| has_votes && !file.is_empty());
        let place = [logged.unwrap_or(&file), &id];
        let (scheme, assignments) = (self.scheme, self.assignments);
        let compared = Some(self.answers.asked.question);
        self.work.add(&read.dialog, scheme, compared, assignments, place);
        self.answers.dialog(read);
    }

    fn join(&mut self, later: Self) {
        self.answers.join(later.answers);
        self.work.join(later.work);
    }
}

/// Everything in JSON.
#[derive(Serialize)]
struct Output<'a> {
    scheme: &'a str,
    question: &'a str,
    /// Those in which there is something to judge.
    dialogs: u64,
    rows: Vec<Row<'a>>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> io::Result<CommandOutcome> {
    let logs_of = logs_beside(&arguments.paths);
    let mut paths = arguments.paths.clone();
    paths.extend(logs_of.keys().cloned());
    let found = arguments.stdin.find_included(&paths, arguments.excluded);
    let found = InputOptions::with_judgements(found);
    let (question, scheme) = (arguments.question.as_deref(), arguments.scheme.as_deref());
    let scheme = match scheme_of(question, scheme, &found) {
        Ok(scheme) => scheme,
        Err(why) => return Ok(unusable(&why)),
    };
    let Some(compared) = scheme.compared(question) else {
        let why = format!("the scheme {:?} has no such question", scheme.name);
        return Ok(unusable(&why));
    };
    let asked = Asked { scheme: &scheme.name, question: compared };
    let (assignments, wrong) = read_assignments(files_of(&found).iter().map(PathBuf::as_path));
    for why in wrong {
        complain(format_args!("{why}"));
    }
    let pairs = pairs(&scheme, &found);
    let mut reports = examine(&found, |path| FileProgress {
        answers: FileAnswers::new(asked),
        scheme: &scheme,
        assignments: &assignments,
        pairs: &pairs,
        logs_of: &logs_of,
        path: path.to_owned(),
        work: TeamWork::default(),
    });
    let mut outcome = report_issues(&reports);
    let mut work = TeamWork::default();
    for report in &mut reports {
        work.join(std::mem::take(&mut report.gathered.work));
    }
    let bootstrap = Bootstrap { draws: 0, seed: 0 };
    let answered = Answered::of(asked, bootstrap, &found, &reports, |progress| &progress.answers);
    for message in answered.left_out.messages() {
        complain(format_args!("{message}"));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    let gold = match arguments.gold.as_deref().map(|id| answered.reported_annotator(id)) {
        Some(None) => return Ok(outcome.max(CommandOutcome::Issues)),
        gold => gold.flatten(),
    };
    let members = work.members(&assignments, &answered.rated.table, gold);
    let rows = members.iter().map(|member| row(&answered, member));
    let rows: Vec<Cells> = rows.collect();
    match arguments.format {
        OutputFormat::Csv => csv_of(&rows, out)?,
        OutputFormat::Json => {
            out.json(&Output {
                scheme: &scheme.name,
                question: &asked.question.name,
                dialogs: work.to_judge,
                rows: rows.iter().map(Row).collect(),
            })?;
            writeln!(out)?;
        }
        OutputFormat::Text if rows.is_empty() => {
            complain(format_args!("nobody has judged or is assigned anything here"));
        }
        OutputFormat::Text => table(&answered, By::Annotator, &rows, out)?,
    }
    Ok(outcome)
}

/// Returns the folders of logs beside files that are named one by one.
fn logs_beside(paths: &[PathBuf]) -> LogsOf {
    let mut logs_of = LogsOf::new();
    for file in paths.iter().filter(|path| path.is_file()) {
        let folder = file.with_file_name("votes");
        if let Some(name) = file.file_name().filter(|_| folder.is_dir() && !paths.contains(&folder))
        {
            let name = name.to_string_lossy().into_owned();
            logs_of.entry(folder).or_default().insert(name);
        }
    }
    logs_of
}

/// Returns the row of an annotator.
fn row(answered: &Answered<'_>, member: &Member) -> Cells {
    let work = &member.work;
    let mut cells = annotator_cells(answered, &member.id, &member.answers);
    let count = |name: &'static str, count: u64| (name.into(), Cell::Count(count));
    let after = cells.split_off(1);
    cells.extend([count("done", work.done), count("assigned", member.assigned)]);
    cells.extend(after);
    let statistic = |name: &'static str, of: Statistic| (name.into(), Cell::Statistic(of));
    if let Some(checks) = &member.checks {
        let kappa = checks.kappa().map_err(UndefinedReason::of_answers);
        cells.push(count("checks", checks.total()));
        cells.push(count("right", checks.agreed()));
        cells.push(statistic("kappa_with_gold", kappa));
    }
    cells.extend([
        count("days", work.days()),
        statistic("per_day", work.answers_a_day()),
        statistic("median_seconds", work.median_seconds()),
        count("comments", work.comments),
    ]);
    cells
}
