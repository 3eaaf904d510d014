//! The answers to a question in some files, votes among them: those of the parts of a corpus add to those of the whole.
//!
//! Intervals draw dialogs by their numbers, so that parts have every dialog, in its order.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::cli::errors::file_error;
use crate::cli::options::{GoldLabels, PartLine, PartOf};
use crate::cli::printer::Printer;
use crate::cli::scan::{Collector, JudgementsRead, ScanReport, ScannedDialog};
use crate::cli::{CommandOutcome, complain};
use crate::dialog::Judgement;
use crate::judging::{
    AnswerSet, AnsweredAbout, BREAKDOWN, Question, RatedQuestion, Scheme, unasked,
};
use crate::shell::{FoundPath, absolute_name, files_of};
use crate::text::{counted, visible};
use crate::votes::group_by::{group_of, system_of};
use crate::votes::{Bootstrap, InvalidVotes};
use crate::workspace::OwnFile;

/// The question, and the name of its scheme.
#[derive(Clone, Copy)]
pub struct Asked<'q> {
    pub scheme: &'q str,
    pub question: &'q Question,
}

impl Asked<'_> {
    /// True if the answers are the votes in logs.
    pub fn is_of_votes(&self) -> bool {
        self.scheme == BREAKDOWN
    }
}

/// The answers in some files.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answers {
    /// The files with dialogs.
    pub files: BTreeSet<String>,
    /// The number of all dialogs.
    pub all: u64,
    pub set: AnswerSet,
    /// The ids of models and of the adjudicator, if they have judged something.
    pub models: BTreeSet<String>,
    pub invalid: InvalidVotes,
    /// The answers that may not count, by the files that they are in and the first bytes of their lines: whether they
    /// fit their dialog, None if it is not there. Those that name no file may be about a dialog of another part.
    unsettled: BTreeMap<String, Option<bool>>,
    /// The reasons why files could not be read completely.
    pub unreadable: Vec<Value>,
    /// The outcome of reading the files.
    pub outcome: CommandOutcome,
    /// True if standard input was empty.
    #[serde(skip)]
    pub is_nothing: bool,
}

/// [`Answers`] with their question, as a line of JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The kind of the sums.
    partial: PartOf,
    pub scheme: String,
    pub question: Question,
    pub answers: Answers,
}

/// Collects the answers in a file.
pub struct FileAnswers<'q> {
    pub asked: Asked<'q>,
    /// The gold labels of its turns, if they are wanted.
    gold: Option<&'q GoldLabels>,
    path: PathBuf,
    /// It is a log of votes on dialogs of other files: it has their texts again.
    pub is_log: bool,
    pub answers: Answers,
    /// Its votes that do not count, or count twice.
    pub invalid: InvalidVotes,
}

/// True if some of these files are not what the program writes beside corpora.
pub fn has_corpora(found: &[FoundPath]) -> bool {
    found.iter().any(|found| OwnFile::at(&found.path).is_none())
}

impl<'q> FileAnswers<'q> {
    /// Returns those of a file before it is read. Among the files are others than logs beside corpora if `has_corpora`.
    pub fn new(
        asked: Asked<'q>,
        gold: Option<&'q GoldLabels>,
        path: &Path,
        has_corpora: bool,
    ) -> Self {
        let is_log = has_corpora && OwnFile::at(path).is_some();
        let (answers, invalid) = (Answers::default(), InvalidVotes::default());
        Self { asked, gold, path: path.to_owned(), is_log, answers, invalid }
    }
}

impl Collector for FileAnswers<'_> {
    fn dialog(&mut self, mut read: ScannedDialog<'_, '_>) {
        let Asked { scheme, question } = self.asked;
        let is_of_votes = self.asked.is_of_votes();
        let is_other = if is_of_votes { !read.format.has_votes() } else { self.is_log };
        if read.format.is_companion() || is_other {
            return;
        }
        let answers = &mut self.answers;
        answers.all += 1;
        let dialog = &mut read.dialog;
        let by_models = dialog.judgements.iter().filter(|said| !said.is_of_person());
        answers.models.extend(by_models.map(|said| said.by.clone()));
        if is_of_votes {
            self.invalid += InvalidVotes::of(dialog);
        }
        if let Some(gold) = self.gold {
            gold.attach(dialog);
        }
        let folder = self.path.parent().and_then(Path::file_name).unwrap_or_default();
        let folder = folder.to_string_lossy();
        let about = AnsweredAbout {
            file: &self.path.to_string_lossy(),
            id: &dialog.id,
            system: system_of(dialog, &folder),
            group: group_of(dialog),
        };
        answers.set.add(&about, &question.answers(scheme, dialog));
    }

    fn join(&mut self, later: Self) {
        self.answers.join(later.answers);
        self.invalid += later.invalid;
    }
}

impl Answers {
    /// Takes the answers in a file that was read.
    pub fn add_file(&mut self, file: &str, of_file: &mut FileAnswers<'_>) {
        let mut answers = std::mem::take(&mut of_file.answers);
        if answers.all > 0 {
            answers.files.insert(file.to_owned());
        }
        answers.invalid = of_file.invalid;
        self.join(answers);
    }

    /// Adds what is known once all files are read. Says on standard error which answers none of the `schemes` asks, unless
    /// these are None.
    pub fn settle<G>(
        &mut self,
        asked: Asked<'_>,
        found: &[FoundPath],
        reports: &[ScanReport<G>],
        schemes: Option<&[Scheme]>,
    ) {
        for report in reports.iter().filter(|of| of.outcome == CommandOutcome::Unusable) {
            self.unreadable.extend(report.issues.iter().map(|issue| {
                let at = issue.position();
                json!({
                    "file": report.file,
                    "line": at.map(|at| at.line),
                    "column": at.map(|at| at.column),
                    "message": issue.message,
                })
            }));
        }
        let Some(JudgementsRead { all, met }) = JudgementsRead::of(found, reports) else {
            return;
        };
        let here = all.store.iter().enumerate().filter(|(number, _)| met.contains_key(number));
        let here = here.map(|(_, (judgement, ..))| judgement);
        for (why, count) in schemes.map(|all| unasked(all, here)).unwrap_or_default() {
            complain(format_args!("{} left out: {why}", counted(count, "answer")));
        }
        let corpora: Vec<String> = files_of(found).iter().map(|path| absolute_name(path)).collect();
        for (number, (judgement, file, at)) in all.store.iter().enumerate() {
            let is_asked = judgement.answers(asked.scheme, &asked.question.name);
            if judgement.is_empty() || !is_asked {
                continue;
            }
            let fits = met.get(&number).copied();
            // Others may be about a file that was not asked for.
            let is_missed = fits.is_none() && corpora.iter().any(|path| judgement.is_of_file(path));
            let may_be_elsewhere = fits == Some(true) && judgement.file.is_empty();
            if fits == Some(false) && judgement.with.is_some() {
                self.take_back(judgement);
            }
            if is_missed || fits == Some(false) || may_be_elsewhere {
                let place = format!("{}:{at}", all.files[file].display());
                self.unsettled.insert(place, fits);
            }
        }
    }

    /// Leaves out an answer about a pair, whose other dialog has changed.
    fn take_back(&mut self, judgement: &Judgement) {
        self.set.take_back(&judgement.by, |set, dialog| {
            dialog.id == judgement.dialog
                && judgement.is_of_file(&absolute_name(Path::new(set.file(dialog))))
        });
    }

    fn left_out(&self) -> LeftOut {
        let count = |wanted: Option<bool>| {
            let these = self.unsettled.values().filter(|fits| **fits == wanted);
            these.count() as u64
        };
        LeftOut {
            gone: count(None),
            changed: count(Some(false)),
            invalid: self.set.invalid(),
            models: 0,
        }
    }

    /// Adds the answers of the part that follows.
    fn join(&mut self, later: Self) {
        self.files.extend(later.files);
        self.all += later.all;
        self.set.join(later.set);
        self.models.extend(later.models);
        self.invalid += later.invalid;
        for (place, fits) in later.unsettled {
            let known = self.unsettled.entry(place).or_default();
            *known = (*known).max(fits);
        }
        self.unreadable.extend(later.unreadable);
        self.outcome = self.outcome.max(later.outcome);
    }

    /// Prints the answers on one line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(self, asked: Asked<'_>, out: &mut Printer) -> io::Result<()> {
        out.json(&Part {
            partial: PartOf::Answers,
            scheme: asked.scheme.to_owned(),
            question: asked.question.clone(),
            answers: self,
        })?;
        writeln!(out)
    }

    /// Reads the parts in files, one on each line, and adds them in their order.
    ///
    /// # Errors
    /// If a file cannot be read, or a line is not a part, or is not about the question `name` as the parts before it
    /// are, or has a dialog that they have, too; the error names the file and the line.
    pub fn read(paths: &[PathBuf], name: &str) -> Result<Part, String> {
        let mut added: Option<Part> = None;
        let mut earlier = HashSet::new();
        for line in PartLine::read(paths) {
            let line = line?;
            let part: Part = line.part(PartOf::Answers)?;
            if part.question.name != name {
                let of = part.question.name;
                let why = format_args!("it is about the question {of:?}, not about {name:?}");
                return Err(line.message(&why));
            }
            if let Some(known) = &added {
                if known.scheme != part.scheme {
                    let why = format_args!(
                        "its question is from the scheme {:?}, but earlier parts have the scheme {:?}",
                        part.scheme, known.scheme
                    );
                    return Err(line.message(&why));
                }
                if let Some(member) = known.question.difference(&part.question) {
                    let why = format_args!(
                        "its question {name:?} differs from earlier parts in `{member}`, because the scheme was changed in between"
                    );
                    return Err(line.message(&why));
                }
            }
            let set = &part.answers.set;
            let own = set.dialogs.iter().filter(|dialog| !dialog.id.is_empty());
            let own = own.map(|dialog| (set.file(dialog).to_owned(), dialog.id.clone()));
            let own: Vec<_> = own.collect();
            if let Some((file, id)) = own.iter().find(|own| earlier.contains(*own)) {
                let why = format_args!(
                    "the dialog {id} of {file} is also in an earlier part, and would count twice"
                );
                return Err(line.message(&why));
            }
            earlier.extend(own);
            match &mut added {
                Some(sum) => sum.answers.join(part.answers),
                None => added = Some(part),
            }
        }
        let names = || paths.iter().map(|path| path.display().to_string());
        let none = || format!("there are no parts in {}", names().collect::<Vec<_>>().join(", "));
        added.ok_or_else(none)
    }

    /// Warns on standard error about dialogs that are in several logs, because their votes count each time. Logs of two
    /// corpora may use one id for two dialogs.
    pub fn warn_of_duplicates(&self) {
        let mut seen = HashMap::new();
        let mut twice = Vec::new();
        for dialog in self.set.dialogs.iter().filter(|dialog| !dialog.id.is_empty()) {
            let file = self.set.file(dialog);
            let first = seen.entry((&dialog.id, self.set.group(dialog))).or_insert((dialog, file));
            if !std::ptr::eq(first.0, dialog) {
                twice.push((file, first.1, &dialog.id));
            }
        }
        for (file, first, id) in twice.iter().take(TWICE) {
            let why = format!("dialog {id} is also in {} and is counted twice", visible(first));
            file_error(Path::new(file), &why);
        }
        let more = twice.len().saturating_sub(TWICE);
        if more > 0 {
            let dialogs = counted(more, "more dialog");
            complain(format_args!("{dialogs} counted twice"));
        }
    }
}

/// The most dialogs to name as counted twice.
const TWICE: usize = 10;

/// Answers that do not count.
#[derive(Clone, Copy, Default, Serialize)]
pub struct LeftOut {
    /// Those whose dialog is not in the files.
    gone: u64,
    /// Those whose dialog has changed since.
    changed: u64,
    /// Those that the question does not take.
    invalid: u64,
    /// Those of models and of the adjudicator, where those of people are counted.
    pub models: u64,
}

impl LeftOut {
    /// Reports answers that cannot count; `known` of those that the question does not take were reported before.
    pub fn report(self, known: u64) -> CommandOutcome {
        let mut outcome = CommandOutcome::Clean;
        for (count, why) in [
            (self.gone, "there is no such dialog in these files"),
            (self.changed, "the judged dialog has changed"),
            (self.invalid.saturating_sub(known), "the question does not allow this value"),
        ] {
            if count > 0 {
                complain(format_args!("{} left out: {why}", counted(count, "answer")));
                outcome = CommandOutcome::Issues;
            }
        }
        outcome
    }
}

/// Those whose answers are taken.
#[derive(Clone, Copy)]
pub enum AnswersOf<'i> {
    All,
    /// Models and the adjudicator only if nobody else has answered.
    People,
    /// Annotators with these ids.
    These(&'i [String]),
}

/// The answers of all files, rated.
pub struct Answered<'q> {
    pub asked: Asked<'q>,
    pub rated: RatedQuestion<'q>,
    pub left_out: LeftOut,
    /// Its dialogs have the numbers that `rated` has.
    pub answers: Answers,
}

impl<'q> Answered<'q> {
    /// Takes answers.
    pub fn new(
        asked: Asked<'q>,
        bootstrap: Bootstrap,
        of: AnswersOf<'_>,
        mut answers: Answers,
    ) -> Self {
        if let AnswersOf::These(ids) = of {
            answers.set.keep(|own| ids.iter().any(|id| id == own));
        }
        let left_out = answers.left_out();
        let models = match of {
            AnswersOf::People => answers.set.leave_out_models(&answers.models),
            AnswersOf::All | AnswersOf::These(_) => 0,
        };
        Self {
            asked,
            rated: RatedQuestion::new(asked.question, bootstrap, &answers.set),
            left_out: LeftOut { models, ..left_out },
            answers,
        }
    }

    /// Returns the number of an annotator; reports one who has no answer.
    pub fn annotator(&self, id: &str) -> Option<usize> {
        let number = self.rated.table.annotator(id);
        if number.is_none() {
            let what = self.rated.words().answers.trim_end_matches('s');
            complain(format_args!("{id:?} has no {what} in these files"));
        }
        number
    }
}
