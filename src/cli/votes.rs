//! `turnwise votes`: summarizes the breakdown votes of logs, or the answers to another question.

mod answers;
mod judge;
pub mod progress;
mod views;

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::errors::{Ended, OrStop as _, Stop, file_error};
use super::options::{
    AnnotatorsOption, ExcludedOption, ExitOptions, GoldLabels, InputOptions, PartOptions,
    scheme_of, schemes_of, share,
};
use super::page::{self, Format};
use super::printer::Printer;
use super::scan::{ScanReport, examine_each, report_issues};
use super::{CommandOutcome, complain};
use crate::judging::{BREAKDOWN, FILE, Kind, Scheme};
use crate::page::Page;
use crate::shell::{FoundPath, scheme_beside};
use crate::votes::Bootstrap;
use answers::{Answered, Answers, AnswersOf, Asked, FileAnswers};

/// Summarize votes and other answers: majorities, ties, agreement
///
/// Exit code: 0 success, 1 votes are missing or invalid, 2 a file could not be read.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise votes logs/\n  turnwise votes logs/ --by file -t 0.5\n  turnwise votes logs/ --by system\n  turnwise votes logs/ --by annotator --format csv > annotators.csv\n  turnwise votes logs/ --confusion mk js\n  turnwise votes logs/ --gold logs/gold\n  turnwise votes corpus/ --question verdict --scheme success\n  turnwise votes corpus/ --question code --scheme error-analysis --curve\n  turnwise votes corpus/ --question verdict --scheme success --judge judge-1 --gold mk"
)]
pub struct Arguments {
    /// Files, folders (recursive), or - for standard input
    #[arg(required_unless_present = "from")]
    paths: Vec<PathBuf>,
    /// One row per file, dialog, annotator, system, or position of a turn in its dialog
    #[arg(long, value_enum)]
    by: Option<By>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
    /// Share of votes that a majority needs, from 0 to 1; a turn without a majority is O
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// Compare each annotator with the gold labels in a folder, such as `logs/gold`, or in a file.
    /// With --question, give the id of the annotator to compare with
    #[arg(long, value_name = "DIR|ANNOTATOR", conflicts_with_all = ["by", "confusion"])]
    gold: Option<PathBuf>,
    /// Compare two annotators on the turns that both have judged
    #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with_all = ["by", "annotators"])]
    confusion: Option<Vec<String>>,
    #[command(flatten)]
    only: AnnotatorsOption,
    #[command(flatten)]
    question: QuestionOptions,
    #[command(flatten)]
    parts: PartOptions,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
    #[command(flatten)]
    exit: ExitOptions,
}

/// The grouping of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    File,
    Dialog,
    Annotator,
    /// Taken from `group-id`, else the id prefix, else the folder
    System,
    Position,
}

impl By {
    /// Returns the name of the grouping in machine-readable output.
    fn name(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Dialog => "dialog",
            Self::Annotator => "annotator",
            Self::System => "system",
            Self::Position => "position",
        }
    }
}

/// The flags of the answers to a question.
#[derive(clap::Args)]
struct QuestionOptions {
    /// Summarize the answers to a question instead of votes; `turnwise schemes` lists questions
    #[arg(long, value_name = "NAME", conflicts_with = "threshold")]
    question: Option<String>,
    /// The scheme with the question: a bundled scheme or a file [default: the scheme beside the
    /// corpus]
    #[arg(long, value_name = "NAME|FILE", requires = "question", conflicts_with = "from")]
    scheme: Option<String>,
    /// Print how many codes were new in each dialog
    #[arg(long, requires = "question", conflicts_with_all = ["by", "confusion", "gold"])]
    curve: bool,
    /// Test whether a judge, such as a model, can take a person's place; with --gold, also compare
    /// the judge with one annotator
    #[arg(long, value_name = "MODEL", requires = "question", conflicts_with_all = ["by", "confusion", "curve", "annotators"])]
    judge: Option<String>,
    /// How much worse than a person the judge may be, in return for lower cost
    #[arg(long, value_name = "SHARE", requires = "judge", default_value = "0.2", value_parser = share)]
    epsilon: f64,
    /// Number of bootstrap draws for intervals [default: 1000, or 0 for votes]
    #[arg(long, value_name = "N")]
    draws: Option<u32>,
    /// Seed of the draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    /// True without --question: then --gold has labels, not an annotator.
    fn is_of_votes(&self) -> bool {
        self.question.question.is_none()
    }
}

impl QuestionOptions {
    fn bootstrap(&self) -> Bootstrap {
        let usual = if self.question.is_some() { 1000 } else { 0 };
        Bootstrap { draws: self.draws.unwrap_or(usual), seed: self.seed }
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let name = arguments.question.question.as_deref().unwrap_or(BREAKDOWN);
    let outcome = if arguments.parts.from.is_empty() {
        summarize_files(arguments, name, out)?
    } else {
        let added = Answers::read(&arguments.parts.from, name).or_stop()?;
        if arguments.gold.is_some() && arguments.is_of_votes() {
            let why = "the parts already contain gold labels; leave out --gold";
            return Err(Stop::say(why));
        }
        let asked = Asked { scheme: &added.scheme, question: &added.question };
        summarize(arguments, asked, added.answers, out)?
    };
    Ok(arguments.exit.outcome(outcome))
}

/// Returns the scheme that asks the question `name`: without --question, that of votes.
///
/// # Errors
/// If there is none, or its answers cannot be counted.
fn scheme(arguments: &Arguments, name: &str, found: &[FoundPath]) -> Result<Scheme, String> {
    let QuestionOptions { question, scheme, .. } = &arguments.question;
    let given = scheme.as_deref().or(question.is_none().then_some(BREAKDOWN));
    let scheme = scheme_of(Some(name), given, found)?;
    match scheme.asked(name)?.kind {
        Kind::Text => Err("answers in free text cannot be counted, but tags can".to_owned()),
        _ => Ok(scheme),
    }
}

/// Summarizes the answers beside corpora, or the votes in logs.
fn summarize_files(arguments: &Arguments, name: &str, out: &mut Printer) -> Ended {
    let found = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    let found = InputOptions::with_judgements(found);
    let scheme = scheme(arguments, name, &found).or_stop()?;
    let Some(question) = scheme.question(name) else {
        return Ok(CommandOutcome::Unusable);
    };
    let asked = Asked { scheme: &scheme.name, question };
    let gold = arguments.gold.as_deref().filter(|_| arguments.is_of_votes());
    let gold = gold.map(GoldLabels::read).transpose()?;
    let mut answers = Answers::default();
    let has_corpora = answers::has_corpora(&found);
    let mut reports = examine_each(
        &found,
        |path| FileAnswers::new(asked, gold.as_ref(), path, has_corpora),
        |report| answers.add_file(&report.file, &mut report.gathered),
    );
    // Standard input is empty.
    answers.is_nothing = reports.is_empty();
    if answers.is_nothing && arguments.format == Format::Text && !arguments.parts.partial {
        return Ok(CommandOutcome::Clean);
    }
    if asked.is_of_votes() {
        // Other formats in a folder are ignored.
        reports.retain(ScanReport::may_hold_votes);
    }
    let mut outcome = report_issues(&reports);
    for report in &reports {
        for invalid in report.gathered.invalid.messages() {
            file_error(&report.path, &invalid);
            outcome = outcome.max(CommandOutcome::Issues);
        }
    }
    // Of several schemes that are in use, one is named.
    let is_of_corpus = !arguments.is_of_votes() && arguments.question.scheme.is_none();
    let schemes = is_of_corpus.then(|| schemes_of(&found)).transpose().or_stop()?;
    answers.settle(asked, &found, &reports, schemes.as_deref());
    answers.outcome = outcome;
    if asked.is_of_votes() {
        answers.warn_of_duplicates();
    }
    summarize(arguments, asked, answers, out)
}

/// Prints answers, or what was asked for of them.
fn summarize(
    arguments: &Arguments,
    asked: Asked<'_>,
    answers: Answers,
    out: &mut Printer,
) -> Ended {
    let (question, mut outcome) = (asked.question, answers.outcome);
    if arguments.parts.partial {
        answers.print(asked, out)?;
        return Ok(outcome);
    }
    if arguments.by == Some(By::Position) && question.of.is_whole() {
        return Err(Stop::say("--by position is for questions about turns"));
    }
    if arguments.question.curve && !matches!(question.kind, Kind::Tags { .. }) {
        return Err(Stop::say("--curve is for questions whose answers are tags"));
    }
    let names_models = arguments.by == Some(By::Annotator)
        || arguments.confusion.is_some()
        || arguments.gold.is_some()
        || arguments.question.judge.is_some();
    let (known, is_nothing) = (answers.invalid.left_out(), answers.is_nothing);
    let mut only = arguments.only.annotators.clone();
    if let Some(gold) = arguments.gold.as_deref().filter(|_| !arguments.is_of_votes()) {
        only.push(gold.to_string_lossy().into_owned());
    }
    let of = match names_models {
        _ if !arguments.only.annotators.is_empty() => AnswersOf::These(&only),
        true => AnswersOf::All,
        false => AnswersOf::People,
    };
    let mut answered = Answered::new(asked, arguments.question.bootstrap(), of, answers);
    for id in &arguments.only.annotators {
        if answered.annotator(id).is_none() {
            outcome = outcome.max(CommandOutcome::Issues);
        }
    }
    answered.rated.threshold = arguments.threshold;
    outcome = outcome.max(answered.left_out.report(known));
    if answered.answers.set.items.is_empty() && !is_nothing {
        report_none(arguments, asked);
        outcome = outcome.max(CommandOutcome::Issues);
        if arguments.format == Format::Text {
            return Ok(outcome);
        }
    }
    match page(arguments, &answered, &mut outcome)? {
        Some(page) => {
            let title = format!("Answers to {}", question.name);
            page::print(&page, &title, arguments.format, out)?;
        }
        None => outcome = outcome.max(CommandOutcome::Issues),
    }
    Ok(outcome)
}

/// Returns the page that was asked for; None if somebody that it needs has no answer, which is reported.
fn page(
    arguments: &Arguments,
    answered: &Answered<'_>,
    outcome: &mut CommandOutcome,
) -> Result<Option<Page>, Stop> {
    let gold = arguments.gold.as_deref();
    if let Some([one, other]) = arguments.confusion.as_deref() {
        let [first, second] = [one, other].map(|id| answered.annotator(id));
        if first.is_none() || second.is_none() {
            *outcome = (*outcome).max(CommandOutcome::Issues);
        }
        let nobody = answered.rated.table.annotators.len();
        let ratings = &answered.rated.table.ratings;
        let confusion = ratings.confusion(first.unwrap_or(nobody), second.unwrap_or(nobody));
        return Ok(Some(answered.pair([one, other], &confusion)));
    }
    if let Some(judge) = &arguments.question.judge {
        let prefixed = answered.rated.table.annotator(&format!("model:{judge}"));
        let judge = prefixed.or_else(|| answered.annotator(judge));
        let gold = gold.map(|gold| answered.annotator(&gold.to_string_lossy()));
        let (Some(judge), None | Some(Some(_))) = (judge, gold) else {
            return Ok(None);
        };
        let page = judge::page(answered, judge, gold.flatten(), arguments.question.epsilon);
        return page.map(Some).or_stop();
    }
    let has_gold = answered.rated.table.ratings.items.iter().any(|item| item.gold.is_some());
    if let Some(gold) = gold.filter(|_| !arguments.is_of_votes()) {
        let number = answered.annotator(&gold.to_string_lossy());
        return Ok(number.and_then(|number| answered.gold(Some(number))));
    }
    if gold.is_some() || has_gold {
        let page = answered.gold(None);
        if page.is_none() {
            let why = "no gold label here belongs to a judged turn of these logs";
            file_error(gold.unwrap_or(Path::new("--gold")), &why);
        }
        return Ok(page);
    }
    if arguments.question.curve {
        return Ok(Some(answered.curve()));
    }
    Ok(Some(match arguments.by {
        Some(By::Annotator) => answered.annotators(),
        Some(by) => answered.groups(by),
        None => answered.page(),
    }))
}

/// Reports that there are no answers, or no votes, in which case those of judged turns may be in logs beside the corpus.
fn report_none(arguments: &Arguments, asked: Asked<'_>) {
    match arguments.paths.iter().find_map(|path| logs_beside(path)) {
        _ if !asked.is_of_votes() => complain(format_args!(
            "no answers to {:?} of the scheme {:?} beside these files",
            asked.question.name, asked.scheme
        )),
        Some(logs) => complain(format_args!(
            "no votes in these files; to count the votes in the logs beside them, run: turnwise votes {}",
            logs.display()
        )),
        None => match arguments.paths.iter().find_map(|path| questions_beside(path)) {
            Some(questions) => complain(format_args!(
                "no votes in these files; to count other answers, use --question with one of: {questions}"
            )),
            None => complain(format_args!("no votes in these files")),
        },
    }
}

/// Returns the names of the questions that the scheme beside a corpus asks.
fn questions_beside(path: &Path) -> Option<String> {
    let file = if path.is_dir() { path.join(FILE) } else { path.to_owned() };
    let scheme = scheme_beside(&file, None).ok()??;
    let names = scheme.questions.iter().filter(|question| !question.again);
    let names: Vec<_> = names.map(|question| question.name.as_str()).collect();
    Some(names.join(", "))
}

/// Returns the folder of logs beside a corpus without votes, if turns were judged.
fn logs_beside(path: &Path) -> Option<PathBuf> {
    let folder = if path.is_dir() { Some(path) } else { path.parent() };
    let logs = folder?.join("votes");
    logs.is_dir().then_some(logs)
}
