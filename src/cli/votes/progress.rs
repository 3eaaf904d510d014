//! `turnwise progress`: how far each annotator is, and how well they agree.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::figures::{Cell, Cells};
use super::machine::{Row, csv_of};
use super::question::{Answered, Asked, FileAnswers, annotator_cells, table, unusable};
use super::{By, OutputFormat};
use crate::cli::options::{ExcludedOption, InputOptions, scheme_of};
use crate::cli::printer::Printer;
use crate::cli::scan::{Collector, ScannedDialog, examine, report_issues};
use crate::cli::{CommandOutcome, complain};
use crate::dialog::Dialog;
use crate::format::{JUDGEMENTS_END, judgements_name};
use crate::judging::{BREAKDOWN, Kept, Kind, Scheme};
use crate::shell::{files_of, read_assignments};
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{base, log_id, stem};
use crate::votes::{Annotator, Bootstrap, CategoryCounts, Confusion, Statistic, UndefinedReason};
use crate::workspace::{DialogId, QueueJudge, QueueKind, to_judge};

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

/// The work of an annotator.
#[derive(Clone, Debug, Default)]
struct Work {
    /// Dialogs that are done and theirs to judge.
    done: u64,
    comments: u64,
    /// The number of answers of each day, as far as it is known.
    days: BTreeMap<String, u64>,
    /// The seconds of each answer, as far as they are known.
    seconds: Vec<u32>,
}

impl Work {
    fn join(&mut self, later: Self) {
        self.done += later.done;
        self.comments += later.comments;
        self.seconds.extend(later.seconds);
        for (day, answers) in later.days {
            *self.days.entry(day).or_default() += answers;
        }
    }

    fn answers_a_day(&self) -> Statistic {
        let answers: u64 = self.days.values().sum();
        match self.days.len() {
            0 => Err(UndefinedReason::NoTimes),
            days => Ok(answers as f64 / days as f64),
        }
    }

    fn median_seconds(&self) -> Statistic {
        let mut seconds = self.seconds.clone();
        seconds.sort_unstable();
        let nth = |place: usize| seconds.get(place).map(|seconds| f64::from(*seconds));
        let middle = nth(seconds.len().saturating_sub(1) / 2).zip(nth(seconds.len() / 2));
        let median = middle.map(|(low, high)| f64::midpoint(low, high));
        median.ok_or(UndefinedReason::NoTimes)
    }
}

/// The answers in a file, and who gave them.
struct FileProgress<'q> {
    answers: FileAnswers<'q>,
    judge: &'q QueueJudge,
    /// The name of the file, without its folders.
    file: String,
    people: BTreeMap<String, Work>,
    /// The number of dialogs in which there is something to judge.
    to_judge: u64,
}

impl FileProgress<'_> {
    /// Returns whether a dialog is done by `annotator`; None if there is nothing to judge in it.
    fn is_done(&self, dialog: &Dialog, annotator: &str) -> Option<bool> {
        let judge = QueueJudge {
            annotator: annotator.to_owned(),
            ..self.judge.clone()
        };
        let items = to_judge(dialog, DialogId::default(), &QueueKind::All, &judge);
        (!items.is_empty()).then(|| items.iter().all(|(_, item)| item.judged))
    }

    fn add(&mut self, dialog: &Dialog, file: &str, id: &str) {
        let scheme = self.answers.scheme();
        let mut here: BTreeMap<String, Work> = BTreeMap::new();
        for judgement in &dialog.judgements {
            if judgement.scheme != scheme && !judgement.is_note() {
                continue;
            }
            let work = here.entry(judgement.by.clone()).or_default();
            work.comments += u64::from(!judgement.note.is_empty());
            if judgement.value.is_some() {
                work.seconds.extend(judgement.seconds);
                let day = judgement.when.split('T').next().unwrap_or_default();
                if !day.is_empty() {
                    *work.days.entry(day.to_owned()).or_default() += 1;
                }
            }
        }
        let votes = dialog.turns.iter().flat_map(|turn| &turn.votes);
        let votes = votes.filter(|vote| scheme == BREAKDOWN && !vote.annotator.is_empty());
        for vote in votes {
            let work = here.entry(vote.annotator.to_string()).or_default();
            work.comments += u64::from(!vote.comment.is_empty());
        }
        for (annotator, mut work) in here {
            let is_theirs = self.judge.assignments.has(&listed(&annotator), file, id);
            work.done = u64::from(is_theirs && self.is_done(dialog, &annotator) == Some(true));
            self.people.entry(annotator).or_default().join(work);
        }
        self.to_judge += u64::from(self.is_done(dialog, "").is_some());
    }
}

impl Collector for FileProgress<'_> {
    fn dialog(&mut self, mut read: ScannedDialog<'_, '_>) {
        let has_votes = read.format.has_votes();
        if read.format.is_companion() || self.judge.scheme.kept == Kept::Votes && !has_votes {
            return;
        }
        read.dialog.judgements.retain(|said| said.run.is_none());
        let id = log_id(&read.dialog, stem(&self.file), read.position).into_owned();
        let file = Some(group_of(&read.dialog).to_owned());
        let file = file.filter(|file| has_votes && !file.is_empty());
        self.add(
            &read.dialog,
            &file.unwrap_or_else(|| self.file.clone()),
            &id,
        );
        self.answers.dialog(read);
    }

    fn join(&mut self, later: Self) {
        self.answers.join(later.answers);
        self.to_judge += later.to_judge;
        for (annotator, work) in later.people {
            self.people.entry(annotator).or_default().join(work);
        }
    }
}

/// Returns an annotator as the name of their file has it.
fn listed(annotator: &str) -> String {
    let name = judgements_name(annotator);
    name.strip_suffix(JUDGEMENTS_END)
        .unwrap_or(&name)
        .to_owned()
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
    let found = arguments
        .stdin
        .find_included(&arguments.paths, arguments.excluded);
    let found = InputOptions::with_judgements(found);
    let (question, scheme) = (arguments.question.as_deref(), arguments.scheme.as_deref());
    let scheme = match scheme_of(question, scheme, &found) {
        Ok(scheme) => Arc::new(scheme),
        Err(why) => return Ok(unusable(&why)),
    };
    let Some(asked) = asked(&scheme, question) else {
        let why = format!("the scheme {:?} has no such question", scheme.name);
        return Ok(unusable(&why));
    };
    let (assignments, wrong) = read_assignments(files_of(&found).iter().map(PathBuf::as_path));
    for why in wrong {
        complain(format_args!("{why}"));
    }
    let judge = QueueJudge {
        scheme: Arc::clone(&scheme),
        assignments: Arc::new(assignments),
        ..QueueJudge::default()
    };
    let mut reports = examine(&found, |path| FileProgress {
        answers: FileAnswers::new(asked),
        judge: &judge,
        file: base(&path.to_string_lossy()).to_owned(),
        people: BTreeMap::new(),
        to_judge: 0,
    });
    let mut outcome = report_issues(&reports);
    let mut people: BTreeMap<String, Work> = BTreeMap::new();
    let mut dialogs = 0;
    for report in &mut reports {
        dialogs += report.gathered.to_judge;
        for (annotator, work) in std::mem::take(&mut report.gathered.people) {
            people.entry(annotator).or_default().join(work);
        }
    }
    let known: BTreeSet<_> = people.keys().map(|id| listed(id)).collect();
    for annotator in judge.assignments.annotators() {
        if !known.contains(annotator) {
            people.insert(annotator.to_owned(), Work::default());
        }
    }
    let bootstrap = Bootstrap { draws: 0, seed: 0 };
    let answered = Answered::of(asked, bootstrap, &found, &reports, |progress| {
        &progress.answers
    });
    for message in answered.left_out.messages() {
        complain(format_args!("{message}"));
        outcome = outcome.max(CommandOutcome::Issues);
    }
    let gold = match arguments
        .gold
        .as_deref()
        .map(|id| answered.reported_annotator(id))
    {
        Some(None) => return Ok(outcome.max(CommandOutcome::Issues)),
        gold => gold.flatten(),
    };
    let compared = Compared {
        each: answered.table.ratings.by_annotator(),
        answered,
        gold,
    };
    let rows: Vec<Cells> = people
        .iter()
        .map(|(id, work)| {
            let assigned = judge.assignments.of(&listed(id));
            let assigned = assigned.map_or(dialogs, |list| list.len() as u64);
            compared.row(id, work, assigned)
        })
        .collect();
    match arguments.format {
        OutputFormat::Csv => csv_of(&rows, out)?,
        OutputFormat::Json => {
            out.json(&Output {
                scheme: &scheme.name,
                question: &asked.question.name,
                dialogs,
                rows: rows.iter().map(Row).collect(),
            })?;
            writeln!(out)?;
        }
        OutputFormat::Text if rows.is_empty() => {
            complain(format_args!(
                "nobody has judged or is assigned anything here"
            ));
        }
        OutputFormat::Text => table(&compared.answered, By::Annotator, &rows, out)?,
    }
    Ok(outcome)
}

/// Returns the question with this name, or the first one whose answers can be compared.
fn asked<'s>(scheme: &'s Scheme, name: Option<&str>) -> Option<Asked<'s>> {
    let question = match name {
        Some(name) => scheme.question(name),
        None => {
            let mut questions = scheme.questions.iter();
            questions.find(|question| question.kind != Kind::Text)
        }
    };
    Some(Asked {
        scheme: &scheme.name,
        question: question?,
    })
}

/// The answers, and how each annotator answers beside the others.
struct Compared<'q> {
    answered: Answered<'q>,
    each: Vec<Annotator<CategoryCounts>>,
    /// The number of the annotator whose answers are right.
    gold: Option<usize>,
}

impl Compared<'_> {
    /// Returns the row of an annotator.
    fn row(&self, id: &str, work: &Work, assigned: u64) -> Cells {
        let number = self.answered.annotator(id);
        let nothing = Annotator::default();
        let own = number.map_or(&nothing, |number| &self.each[number]);
        let mut cells = annotator_cells(&self.answered, id, own);
        let count = |name: &'static str, count: u64| (name.into(), Cell::Count(count));
        let after = cells.split_off(1);
        cells.extend([count("done", work.done), count("assigned", assigned)]);
        cells.extend(after);
        if let Some(gold) = self.gold {
            let ratings = &self.answered.table.ratings;
            let nothing = Confusion::new(ratings.categories);
            let confusion = number.map_or(nothing, |number| ratings.confusion(number, gold));
            let kappa = confusion.kappa().map_err(UndefinedReason::of_answers);
            cells.push(count("checks", confusion.total()));
            cells.push(count("right", confusion.agreed()));
            cells.push(("kappa_with_gold".into(), Cell::Statistic(kappa)));
        }
        let statistic = |name: &'static str, of: Statistic| (name.into(), Cell::Statistic(of));
        cells.extend([
            count("days", work.days.len() as u64),
            statistic("per_day", work.answers_a_day()),
            statistic("median_seconds", work.median_seconds()),
            count("comments", work.comments),
        ]);
        cells
    }
}
