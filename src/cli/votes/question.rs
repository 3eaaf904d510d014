//! `turnwise votes --question`: summarizes the answers to a question of a scheme.

mod figures;
mod judge;
mod print;
mod sums;

use std::collections::BTreeSet;
use std::io;

use serde::Serialize;

use super::{Arguments, By, OutputFormat, PairTable};
use crate::cli::options::{InputOptions, scheme_of, share};
use crate::cli::printer::Printer;
use crate::cli::scan::{Collector, ScanReport, ScannedDialog, examine, report_issues};
use crate::cli::{CommandOutcome, complain};
use crate::judging::{AnswerFigures, BREAKDOWN, DialogAnswers, Kind, Question, RatedQuestion};
use crate::shell::FoundPath;
use crate::text::counted;
use crate::votes::Bootstrap;
use crate::votes::group_by::system_of;
use sums::AnswerSums;

pub use figures::annotator_cells;
pub use print::table;

/// The flags of the answers to a question.
#[derive(clap::Args)]
pub struct Options {
    /// Summarize the answers to a question instead of votes; `turnwise schemes` lists questions
    #[arg(long, value_name = "NAME", conflicts_with = "threshold")]
    pub question: Option<String>,
    /// The scheme that asks it: the name of a bundled one, or a file; by default the one beside the corpus
    #[arg(long, value_name = "NAME|FILE", requires = "question", conflicts_with = "from")]
    scheme: Option<String>,
    /// Print how many codes were new in each dialog
    #[arg(long, requires = "question", conflicts_with_all = ["by", "confusion", "gold"])]
    curve: bool,
    /// Check a judge, such as a model, against one annotator, --gold, and whether it can take a person's place
    #[arg(long, value_name = "MODEL", requires = "question", conflicts_with_all = ["by", "confusion", "curve"])]
    judge: Option<String>,
    /// How much worse than a person the judge may be, because it costs less
    #[arg(long, value_name = "SHARE", requires = "judge", default_value = "0.2", value_parser = share)]
    epsilon: f64,
    /// How often dialogs are drawn for intervals
    #[arg(long, value_name = "N", requires = "question", default_value_t = 1000)]
    draws: u32,
    /// The seed of these draws
    #[arg(long, value_name = "N", requires = "question", default_value_t = 1)]
    seed: u64,
}

impl Options {
    fn bootstrap(&self) -> Bootstrap {
        Bootstrap { draws: self.draws, seed: self.seed }
    }
}

/// The answers in a file.
pub struct FileAnswers<'q> {
    pub asked: Asked<'q>,
    dialogs: Vec<AnsweredDialog>,
    /// The ids of the models that have judged something.
    models: BTreeSet<String>,
    /// The number of all dialogs.
    all: u64,
}

/// The question, and the name of its scheme.
#[derive(Clone, Copy)]
pub struct Asked<'q> {
    pub scheme: &'q str,
    pub question: &'q Question,
}

/// A dialog about which something was judged by the scheme.
struct AnsweredDialog {
    id: String,
    /// Empty if neither the dialog nor its id has it.
    system: String,
    answers: DialogAnswers,
}

impl<'q> FileAnswers<'q> {
    /// Returns those of a file before it is read.
    pub fn new(asked: Asked<'q>) -> Self {
        Self { asked, dialogs: Vec::new(), models: BTreeSet::new(), all: 0 }
    }
}

impl Collector for FileAnswers<'_> {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let Asked { scheme, question } = self.asked;
        if read.format.is_companion() || scheme == BREAKDOWN && !read.format.has_votes() {
            return;
        }
        let answers = question.answers(scheme, &read.dialog);
        let judgements = read.dialog.judgements.iter();
        let by_models = judgements.filter(|said| said.run.is_some());
        self.models.extend(by_models.map(|said| said.by.clone()));
        self.all += 1;
        if answers != DialogAnswers::default() {
            self.dialogs.push(AnsweredDialog {
                system: system_of(&read.dialog, "").to_owned(),
                id: read.dialog.id,
                answers,
            });
        }
    }

    fn join(&mut self, later: Self) {
        self.dialogs.extend(later.dialogs);
        self.models.extend(later.models);
        self.all += later.all;
    }
}

/// The answers of all files.
pub struct Answered<'q> {
    scheme: &'q str,
    pub rated: RatedQuestion<'q>,
    /// The file, the id and the system of each dialog.
    dialogs: Vec<[String; 3]>,
    files: u64,
    models: BTreeSet<String>,
    /// The number of all dialogs.
    all: u64,
    pub left_out: LeftOut,
}

/// Answers that do not count.
#[derive(Clone, Copy, Default, Serialize)]
pub struct LeftOut {
    /// Those whose dialog is not in the files.
    gone: u64,
    /// Those whose dialog has changed since.
    changed: u64,
    /// Those that the question does not take.
    invalid: u64,
    /// Those of models, where those of people are counted.
    models: u64,
}

impl LeftOut {
    /// Returns a message for each kind of answers that cannot count; none if all do.
    pub fn messages(self) -> Vec<String> {
        let of = |count: u64, why: &str| {
            let answers = counted(count, "answer");
            (count > 0).then(|| format!("{answers} left out: {why}"))
        };
        let all = [
            of(self.gone, "there is no such dialog in these files"),
            of(self.changed, "the dialog has changed since"),
            of(self.invalid, "the question does not take such a value"),
        ];
        all.into_iter().flatten().collect()
    }
}

pub fn run(arguments: &Arguments, name: &str, out: &mut Printer) -> io::Result<CommandOutcome> {
    let from = &arguments.parts.from;
    if !from.is_empty() {
        return match AnswerSums::read(from, name) {
            Ok(added) => {
                let asked = Asked { scheme: &added.scheme, question: &added.question };
                print_sums(arguments, asked, added.sums, out)
            }
            Err(why) => Ok(unusable(&why)),
        };
    }
    let found = arguments.stdin.find_included(&arguments.paths, arguments.excluded);
    let found = InputOptions::with_judgements(found);
    let scheme = match scheme_of(Some(name), arguments.question.scheme.as_deref(), &found) {
        Ok(scheme) => scheme,
        Err(why) => return Ok(unusable(&why)),
    };
    let Some(question) = scheme.question(name) else {
        let why = format!("the scheme {:?} has no question {name:?}", scheme.name);
        return Ok(unusable(&why));
    };
    let asked = Asked { scheme: &scheme.name, question };
    if question.kind == Kind::Text {
        return Ok(unusable("texts are not counted; tags are"));
    }
    let reports = examine(&found, |_| FileAnswers::new(asked));
    let mut sums = AnswerSums::of(asked, &found, &reports, |answers| answers);
    sums.outcome = report_issues(&reports);
    print_sums(arguments, asked, sums, out)
}

/// Prints sums, or what was asked for of them.
fn print_sums(
    arguments: &Arguments,
    asked: Asked<'_>,
    mut sums: AnswerSums,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let (question, outcome) = (asked.question, sums.outcome);
    if arguments.parts.partial {
        sums.print(asked, out)?;
        return Ok(outcome);
    }
    if arguments.by == Some(By::Position) && question.of.is_whole() {
        return Ok(unusable("rows by position are for questions about turns"));
    }
    if arguments.question.curve && !matches!(question.kind, Kind::Tags { .. }) {
        return Ok(unusable("--curve is for questions whose answers are tags"));
    }
    let names_models = arguments.by == Some(By::Annotator)
        || arguments.confusion.is_some()
        || arguments.gold.is_some()
        || arguments.question.judge.is_some();
    let models = if names_models { 0 } else { sums.leave_out_models() };
    let mut answered = Answered::of_sums(asked, arguments.question.bootstrap(), sums);
    answered.left_out.models = models;
    Ok(outcome.max(report(arguments, &answered, out)?))
}

/// Reports why nothing can be summarized.
pub fn unusable(why: &str) -> CommandOutcome {
    complain(format_args!("{why}"));
    CommandOutcome::Unusable
}

impl<'q> Answered<'q> {
    /// Returns what was asked among the answers of `reports`.
    pub fn of<G>(
        asked: Asked<'q>,
        bootstrap: Bootstrap,
        found: &[FoundPath],
        reports: &[ScanReport<G>],
        of_file: impl Fn(&G) -> &FileAnswers<'q>,
    ) -> Self {
        let sums = AnswerSums::of(asked, found, reports, of_file);
        Self::of_sums(asked, bootstrap, sums)
    }

    fn of_sums(asked: Asked<'q>, bootstrap: Bootstrap, sums: AnswerSums) -> Self {
        let answers = sums.dialogs.iter().map(|dialog| &dialog.answers);
        Self {
            scheme: asked.scheme,
            rated: RatedQuestion::new(asked.question, bootstrap, answers),
            left_out: sums.left_out(),
            dialogs: sums
                .dialogs
                .into_iter()
                .map(|dialog| [dialog.file, dialog.id, dialog.system])
                .collect(),
            models: sums.models,
            files: sums.files.len() as u64,
            all: sums.all,
        }
    }

    /// Returns the word for the parts of dialogs that it is about: `turns`.
    fn items(&self) -> &'static str {
        self.rated.question.of.plural()
    }

    /// Returns the number of an annotator.
    pub fn annotator(&self, id: &str) -> Option<usize> {
        self.rated.table.annotator(id)
    }

    /// As [`Answered::annotator`]; reports one who has no answer.
    pub fn reported_annotator(&self, id: &str) -> Option<usize> {
        let number = self.annotator(id);
        if number.is_none() {
            complain(format_args!("{id:?} has no answer in these files"));
        }
        number
    }
}

/// Prints what was asked for.
fn report(
    arguments: &Arguments,
    answered: &Answered<'_>,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let mut outcome = CommandOutcome::Clean;
    for message in answered.left_out.messages() {
        complain(format_args!("{message}"));
        outcome = CommandOutcome::Issues;
    }
    let format = arguments.format;
    if answered.rated.table.ratings.items.is_empty() {
        complain(format_args!(
            "no answers to {:?} of the scheme {:?} beside these files",
            answered.rated.question.name, answered.scheme
        ));
        outcome = CommandOutcome::Issues;
        if matches!(format, OutputFormat::Text) {
            return Ok(outcome);
        }
    }
    if let Some([first, second]) = arguments.confusion.as_deref() {
        let (Some(one), Some(other)) =
            (answered.reported_annotator(first), answered.reported_annotator(second))
        else {
            return Ok(CommandOutcome::Issues);
        };
        let confusion = answered.rated.table.ratings.confusion(one, other);
        let table = PairTable {
            confusion: &confusion,
            labels: &answered.rated.values(),
            pair: (first, second),
            items: answered.items(),
        };
        table.print(format, out)?;
    } else if let Some(judge) = &arguments.question.judge {
        let prefixed = answered.annotator(&format!("model:{judge}"));
        let judge = prefixed.or_else(|| answered.reported_annotator(judge));
        let gold = arguments.gold.as_ref().map(|gold| gold.to_string_lossy());
        let gold = gold.map(|gold| answered.reported_annotator(&gold));
        let (Some(judge), false) = (judge, gold == Some(None)) else {
            return Ok(CommandOutcome::Issues);
        };
        let epsilon = arguments.question.epsilon;
        let printed = judge::print(answered, judge, gold.flatten(), epsilon, format, out)?;
        outcome = outcome.max(printed);
    } else if let Some(gold) = &arguments.gold {
        let id = gold.to_string_lossy();
        let Some(gold) = answered.reported_annotator(&id) else {
            return Ok(CommandOutcome::Issues);
        };
        print::gold(answered, gold, format, out)?;
    } else if arguments.question.curve {
        print::curve(answered, format, out)?;
    } else if let Some(by) = arguments.by {
        print::rows(answered, by, format, out)?;
    } else {
        print::page(answered, &AnswerFigures::total(&answered.rated), format, out)?;
    }
    Ok(outcome)
}
