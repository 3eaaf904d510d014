//! The answers to a question in some files, and their form for programs: those of the parts of a corpus add to those
//! of the whole.
//!
//! Intervals draw dialogs by their numbers, so that parts have every dialog, in its order.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{Asked, FileAnswers, LeftOut};
use crate::cli::CommandOutcome;
use crate::cli::options::{PartLine, PartOf};
use crate::cli::printer::Printer;
use crate::cli::scan::{JudgementsRead, ScanReport};
use crate::dialog::Judgement;
use crate::judging::{DialogAnswers, GivenAnswer, Question, StoredQuestion, leave_out_models};
use crate::shell::{FoundPath, absolute_name, files_of};

/// The answers in some files.
#[derive(Debug, Default)]
pub struct AnswerSums {
    /// The files with dialogs.
    pub files: BTreeSet<String>,
    /// The number of all dialogs.
    pub all: u64,
    /// Those about which something was judged by the scheme.
    pub dialogs: Vec<SummedDialog>,
    /// The ids of the models that have judged something.
    pub models: BTreeSet<String>,
    /// The answers that may not count, by the files that they are in and the first bytes of their lines: whether they
    /// fit their dialog, None if it is not there. Those that name no file may be about a dialog of another part.
    unsettled: BTreeMap<(String, usize), Option<bool>>,
    /// The outcome of reading the files.
    pub outcome: CommandOutcome,
}

/// A dialog about which something was judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SummedDialog {
    pub file: String,
    pub id: String,
    pub system: String,
    pub answers: DialogAnswers,
}

/// [`AnswerSums`] as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// The kind of the sums.
    partial: PartKind,
    scheme: String,
    question: StoredQuestion,
    files: BTreeSet<String>,
    dialogs: u64,
    judged: Vec<SummedDialog>,
    models: BTreeSet<String>,
    unsettled: Vec<Unsettled>,
    outcome: CommandOutcome,
}

/// The kind of sums in a part.
#[derive(Serialize, Deserialize)]
enum PartKind {
    #[serde(rename = "answers")]
    Answers,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Unsettled {
    file: String,
    at: usize,
    fits: Option<bool>,
}

/// The sums of parts, and what was asked.
pub struct AddedParts {
    pub scheme: String,
    pub question: Question,
    pub sums: AnswerSums,
}

impl AnswerSums {
    /// Adds up what was asked among the answers of `reports`.
    pub fn of<'q, G>(
        asked: Asked<'q>,
        found: &[FoundPath],
        reports: &[ScanReport<G>],
        of_file: impl Fn(&G) -> &FileAnswers<'q>,
    ) -> Self {
        let mut sums = Self::default();
        for report in reports {
            let answers = of_file(&report.gathered);
            let folder = Path::new(&report.file).parent().and_then(Path::file_name);
            let folder = folder.unwrap_or_default().to_string_lossy();
            sums.dialogs.extend(answers.dialogs.iter().map(|dialog| SummedDialog {
                file: report.file.clone(),
                id: dialog.id.clone(),
                system: match dialog.system.as_str() {
                    "" => folder.clone().into_owned(),
                    system => system.to_owned(),
                },
                answers: dialog.answers.clone(),
            }));
            sums.models.extend(answers.models.iter().cloned());
            sums.all += answers.all;
            if answers.all > 0 {
                sums.files.insert(report.file.clone());
            }
        }
        let corpora: Vec<String> = files_of(found).iter().map(|path| absolute_name(path)).collect();
        if let Some(JudgementsRead { all, met }) = JudgementsRead::of(found, reports) {
            for (number, (judgement, file, at)) in all.store.iter().enumerate() {
                let is_asked = judgement.answers(asked.scheme, &asked.question.name);
                if judgement.is_empty() || !is_asked {
                    continue;
                }
                let fits = met.get(&number).copied();
                // Others may be about a file that was not asked for.
                let is_missed =
                    fits.is_none() && corpora.iter().any(|path| judgement.is_of_file(path));
                let may_be_elsewhere = fits == Some(true) && judgement.file.is_empty();
                if fits == Some(false) && judgement.with.is_some() {
                    sums.take_back(judgement);
                }
                if is_missed || fits == Some(false) || may_be_elsewhere {
                    let place = (all.files[file].display().to_string(), at);
                    sums.unsettled.insert(place, fits);
                }
            }
        }
        sums
    }

    /// Leaves out an answer about a pair, whose other dialog has changed.
    fn take_back(&mut self, judgement: &Judgement) {
        let is_judged = |dialog: &&mut SummedDialog| {
            dialog.id == judgement.dialog
                && judgement.is_of_file(&absolute_name(Path::new(&dialog.file)))
        };
        for dialog in self.dialogs.iter_mut().filter(is_judged) {
            let is_it =
                |given: &GivenAnswer| given.by == judgement.by && given.place == judgement.place;
            dialog.answers.given.retain(|given| !is_it(given));
        }
    }

    /// Returns how many answers do not count, and why.
    pub fn left_out(&self) -> LeftOut {
        let count = |wanted: Option<bool>| {
            let these = self.unsettled.values().filter(|fits| **fits == wanted);
            these.count() as u64
        };
        let invalid = self.dialogs.iter().map(|dialog| dialog.answers.invalid);
        LeftOut {
            gone: count(None),
            changed: count(Some(false)),
            invalid: invalid.sum(),
            models: 0,
        }
    }

    /// Leaves out the answers of models as [`leave_out_models`] does, and returns how many these are.
    pub fn leave_out_models(&mut self) -> u64 {
        leave_out_models(&mut self.dialogs, &self.models, |dialog| &mut dialog.answers)
    }

    /// Adds the sums of the part that follows.
    fn add(&mut self, later: Self) {
        self.files.extend(later.files);
        self.all += later.all;
        self.dialogs.extend(later.dialogs);
        self.models.extend(later.models);
        for (place, fits) in later.unsettled {
            let known = self.unsettled.entry(place).or_default();
            *known = (*known).max(fits);
        }
        self.outcome = self.outcome.max(later.outcome);
    }

    /// Prints the sums on one line.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn print(self, asked: Asked<'_>, out: &mut Printer) -> io::Result<()> {
        let unsettled = self.unsettled.into_iter();
        let part = Part {
            partial: PartKind::Answers,
            scheme: asked.scheme.to_owned(),
            question: asked.question.into(),
            files: self.files,
            dialogs: self.all,
            judged: self.dialogs,
            models: self.models,
            unsettled: unsettled.map(|((file, at), fits)| Unsettled { file, at, fits }).collect(),
            outcome: self.outcome,
        };
        out.json(&part)?;
        writeln!(out)
    }

    /// Reads the parts in files, one on each line, and adds them in their order.
    ///
    /// # Errors
    /// If a file cannot be read, or a line is not a part, or is not about the question `name` as the parts before it
    /// are, or has a dialog that they have, too; the error names the file and the line.
    pub fn read(paths: &[PathBuf], name: &str) -> Result<AddedParts, String> {
        let mut added: Option<(String, StoredQuestion, Self)> = None;
        let mut earlier = HashSet::new();
        for line in PartLine::read(paths) {
            let line = line?;
            let part: Part = line.part(PartOf::Answers)?;
            if part.question.name != name {
                let of = part.question.name;
                let why = format_args!("it is about the question {of:?}, not about {name:?}");
                return Err(line.message(&why));
            }
            let unsettled = part.unsettled.into_iter();
            let sums = Self {
                files: part.files,
                all: part.dialogs,
                dialogs: part.judged,
                models: part.models,
                unsettled: unsettled
                    .map(|Unsettled { file, at, fits }| ((file, at), fits))
                    .collect(),
                outcome: part.outcome,
            };
            if let Some((scheme, question, _)) = &added {
                if *scheme != part.scheme {
                    let why = format_args!(
                        "its question is one of the scheme {:?}, that of the parts before it one of {scheme:?}",
                        part.scheme
                    );
                    return Err(line.message(&why));
                }
                if let Some(member) = question.difference(&part.question) {
                    let why = format_args!(
                        "its question {name:?} has another `{member}` than in the parts before it: the scheme was changed between them"
                    );
                    return Err(line.message(&why));
                }
            }
            for SummedDialog { file, id, .. } in &sums.dialogs {
                let is_new = id.is_empty() || earlier.insert((file.clone(), id.clone()));
                if !is_new {
                    let why = format_args!(
                        "the dialog {id} of {file} is in a part before this one too, and would count twice"
                    );
                    return Err(line.message(&why));
                }
            }
            match &mut added {
                Some((.., sum)) => sum.add(sums),
                None => added = Some((part.scheme, part.question, sums)),
            }
        }
        let names = || paths.iter().map(|path| path.display().to_string());
        let none = || format!("there are no parts in {}", names().collect::<Vec<_>>().join(", "));
        let (scheme, question, sums) = added.ok_or_else(none)?;
        Ok(AddedParts { scheme, question: question.into(), sums })
    }
}
