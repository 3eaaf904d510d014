//! `turnwise progress`: how far each annotator is, and how well they agree.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;

use super::answers::{Answered, Answers, AnswersOf, Asked, FileAnswers, has_corpora};
use crate::cli::errors::{Ended, OrStop as _};
use crate::cli::options::{AnnotatorsOption, ExcludedOption, InputOptions, scheme_of, schemes_of};
use crate::cli::page::{self, Format};
use crate::cli::printer::Printer;
use crate::cli::scan::{
    Collector, ScanReport, ScannedDialog, examine, examine_each, report_issues,
};
use crate::cli::{CommandOutcome, complain};
use crate::dialog::{Dialog, GOLD, Judgement, PairedWith, Sides, side_order};
use crate::judging::{Assignments, Kept, RatedQuestion, Scheme, TeamWork, progress};
use crate::page::Page;
use crate::shell::{FoundPath, absolute_name, files_of, read_assignments};
use crate::votes::Bootstrap;
use crate::votes::group_by::group_of;
use crate::votes::vote_log::{log_id, stem};

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
    /// The question whose answers are compared [default: the first comparable question]
    #[arg(long, value_name = "NAME")]
    question: Option<String>,
    /// The scheme: a bundled scheme or a file; by default the scheme beside the corpus, or else
    /// votes on breakdowns
    #[arg(long, value_name = "NAME|FILE")]
    scheme: Option<String>,
    /// The annotator whose answers are known to be right
    #[arg(long, value_name = "ANNOTATOR")]
    gold: Option<String>,
    #[command(flatten)]
    only: AnnotatorsOption,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
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
    /// The adjudicator's answers are asked for.
    keeps_gold: bool,
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
        let (is_log, are_votes) = (self.answers.is_log, self.scheme.kept == Kept::Votes);
        if read.format.is_companion() || is_log && !are_votes {
            return;
        }
        if are_votes && !has_votes {
            // Its logs have the answers.
            return self.work.count(&read.dialog, self.scheme);
        }
        let group = group_of(&read.dialog);
        let files = self.path.parent().and_then(|folder| self.logs_of.get(folder));
        if files.is_some_and(|files| !files.contains(group)) {
            return;
        }
        let keeps = |said: &Judgement| said.is_of_person() || self.keeps_gold && said.by == GOLD;
        read.dialog.judgements.retain(keeps);
        self.pair(&mut read.dialog);
        if !is_log {
            self.work.count(&read.dialog, self.scheme);
        }
        let file = self.path.file_name().unwrap_or_default();
        let file = file.to_string_lossy();
        let id = log_id(&read.dialog, stem(&file), read.position);
        let logged = Some(group_of(&read.dialog)).filter(|file| has_votes && !file.is_empty());
        let place = [logged.unwrap_or(&file), &id];
        let (scheme, assignments) = (self.scheme, self.assignments);
        let compared = self.answers.asked.question;
        self.work.add(&read.dialog, scheme, compared, assignments, place);
        self.answers.dialog(read);
    }

    fn join(&mut self, later: Self) {
        self.answers.join(later.answers);
        self.work.join(later.work);
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let logs_of = logs_beside(&arguments.paths);
    let mut paths = arguments.paths.clone();
    paths.extend(logs_of.keys().cloned());
    let found = arguments.stdin.find_included(&paths, arguments.excluded);
    let found = InputOptions::with_judgements(found);
    let (question, scheme) = (arguments.question.as_deref(), arguments.scheme.as_deref());
    let scheme = scheme_of(question, scheme, &found).or_stop()?;
    let missing = || format!("the scheme {:?} has no such question", scheme.name);
    let compared = scheme.compared(question).ok_or_else(missing).or_stop()?;
    let asked = Asked { scheme: &scheme.name, question: compared };
    let (assignments, wrong) = read_assignments(files_of(&found).iter().map(PathBuf::as_path));
    for why in wrong {
        complain(format_args!("{why}"));
    }
    let pairs = pairs(&scheme, &found);
    let has_corpora = has_corpora(&found);
    let (mut answers, mut work) = (Answers::default(), TeamWork::default());
    let reports = examine_each(
        &found,
        |path| FileProgress {
            answers: FileAnswers::new(asked, None, path, has_corpora),
            scheme: &scheme,
            assignments: &assignments,
            pairs: &pairs,
            logs_of: &logs_of,
            path: path.to_owned(),
            keeps_gold: arguments.gold.as_deref() == Some(GOLD),
            work: TeamWork::default(),
        },
        |report| {
            work.join(std::mem::take(&mut report.gathered.work));
            answers.add_file(&report.file, &mut report.gathered.answers);
        },
    );
    let mut outcome = report_issues(&reports);
    let schemes = arguments.scheme.is_none().then(|| schemes_of(&found)).transpose().or_stop()?;
    answers.settle(asked, &found, &reports, schemes.as_deref());
    let bootstrap = Bootstrap { draws: 0, seed: 0 };
    let only = &arguments.only.annotators;
    let compared_with: Vec<_> = only.iter().chain(&arguments.gold).cloned().collect();
    let of = if only.is_empty() { AnswersOf::All } else { AnswersOf::These(&compared_with) };
    let answered = Answered::new(asked, bootstrap, of, answers);
    outcome = outcome.max(answered.left_out.report(0));
    let gold = match arguments.gold.as_deref().map(|id| answered.annotator(id)) {
        Some(None) => return Ok(outcome.max(CommandOutcome::Issues)),
        gold => gold.flatten(),
    };
    // The adjudicator is nobody whose answers agree with those of others.
    let people = (arguments.gold.as_deref() == Some(GOLD)).then(|| {
        let mut people = answered.answers.set.clone();
        people.keep(|id| id != GOLD);
        RatedQuestion::new(compared, bootstrap, &people)
    });
    let rated = people.as_ref().unwrap_or(&answered.rated);
    let gold = gold.map(|number| (&answered.rated.table, number));
    let mut members = work.members(&assignments, &rated.table, gold);
    members.retain(|member| only.is_empty() || only.contains(&member.id));
    if members.is_empty() && arguments.format == Format::Text {
        complain(format_args!("no judgements or assignments here"));
        return Ok(outcome);
    }
    let mut page = Page::default();
    page.fact("scheme", &scheme.name);
    page.fact("question", &compared.name);
    // Those in which there is something to judge.
    page.fact("dialogs", work.to_judge);
    page.rows(progress(rated, &members));
    let title = format!("Progress of {}", compared.name);
    page::print(&page, &title, arguments.format, out)?;
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
