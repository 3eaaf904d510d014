//! Answers to the questions of schemes, votes among them: how they are distributed, how much people agree, and how much
//! that would vary had other dialogs been judged. The answers of models are left out where people have answered.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ROWS;
use crate::judging::tables::question_name;
use crate::judging::{
    AnswerFigures, AnswerSet, AnsweredAbout, BREAKDOWN, Kind, Question, RatedQuestion, Scheme,
};
use crate::page::{Bar, Cell, Column, Form, Part, Plot, PlotKind, Shown, Table, short};
use crate::report::argument;
use crate::report::histogram::Histogram;
use crate::report::sums::SeenDialog;
use crate::text::counted;
use crate::votes::group_by::system_of;
use crate::votes::{Bootstrap, Figure, RatedItem};

/// The answers to all questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuestionSums {
    asked: Vec<AnsweredQuestion>,
    /// The ids of the models that have judged something.
    models: BTreeSet<String>,
    /// The ids of those whose answers are left; none if all are.
    #[serde(skip)]
    annotators: Vec<String>,
}

/// The answers to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AnsweredQuestion {
    scheme: String,
    question: Question,
    /// Those about each dialog about which the scheme was judged; none if they are too many.
    answers: AnswerSet,
    are_too_many: bool,
    /// The number of answers to what has changed since.
    outdated: u64,
}

/// The most memory for the answers to a question, in bytes: some four million votes.
const MOST: usize = 64 << 20;

/// The draws of intervals, as `votes --question` makes them.
const DRAWS: Bootstrap = Bootstrap { draws: 1000, seed: 1 };

impl QuestionSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let dialog = seen.dialog;
        let by_models = dialog.all_judgements().filter(|said| !said.is_of_person());
        self.models.extend(by_models.map(|said| said.by.clone()));
        let has_votes = dialog.turns.iter().any(|turn| !turn.votes.is_empty());
        let folder = seen.folder();
        for scheme in seen.schemes {
            let is_asked = has_votes && scheme.name == BREAKDOWN
                || dialog.all_judgements().any(|said| said.scheme == scheme.name);
            if !is_asked {
                continue;
            }
            for question in scheme.questions.iter().filter(|of| of.kind != Kind::Text) {
                let about = AnsweredAbout {
                    file: seen.file,
                    id: &dialog.id,
                    system: system_of(dialog, &folder),
                    group: "",
                };
                let outdated = dialog.outdated.iter();
                let outdated = outdated.filter(|said| said.answers(&scheme.name, &question.name));
                let sums = self.of(scheme, question);
                if !sums.are_too_many {
                    sums.answers.add(&about, &question.answers(&scheme.name, dialog));
                    sums.bound();
                }
                sums.outdated += outdated.count() as u64;
            }
        }
    }

    fn of(&mut self, scheme: &Scheme, question: &Question) -> &mut AnsweredQuestion {
        let is_it = |asked: &AnsweredQuestion| {
            asked.scheme == scheme.name && asked.question.name == question.name
        };
        let known = self.asked.iter().position(is_it);
        let place = known.unwrap_or_else(|| {
            self.asked.push(AnsweredQuestion {
                scheme: scheme.name.clone(),
                question: question.clone(),
                answers: AnswerSet::default(),
                are_too_many: false,
                outdated: 0,
            });
            self.asked.len() - 1
        });
        &mut self.asked[place]
    }

    /// Adds the answers of another part, which comes later.
    pub fn join(&mut self, other: Self) {
        self.models.extend(other.models);
        for later in other.asked {
            let is_it = |asked: &&mut AnsweredQuestion| {
                asked.scheme == later.scheme && asked.question.difference(&later.question).is_none()
            };
            match self.asked.iter_mut().find(is_it) {
                Some(asked) => {
                    asked.answers.join(later.answers);
                    asked.are_too_many |= later.are_too_many;
                    asked.bound();
                    asked.outdated += later.outdated;
                }
                None => self.asked.push(later),
            }
        }
    }

    /// Sorts the questions and their answers, so that sums of the same contents are equal.
    pub fn settle(&mut self) {
        let key = |asked: &AnsweredQuestion| (asked.scheme.clone(), asked.question.name.clone());
        self.asked.sort_by_cached_key(key);
        self.asked.iter_mut().for_each(|asked| asked.answers.settle());
    }

    /// Leaves out the answers of all but these annotators, models too.
    pub fn keep_annotators(&mut self, ids: &[String]) {
        for asked in &mut self.asked {
            asked.answers.keep(|own| ids.iter().any(|id| id == own));
        }
        self.models.retain(|model| !ids.contains(model));
        self.annotators = ids.to_vec();
    }

    /// True if answers of some annotators are left out.
    pub fn are_of_some(&self) -> bool {
        !self.annotators.is_empty()
    }

    /// Returns the commands that give the same figures.
    pub fn commands(&self, paths: &str) -> impl Iterator<Item = String> {
        let asked = self.asked.iter().filter(|asked| asked.is_answered());
        let only = match self.annotators.join(",") {
            ids if ids.is_empty() => ids,
            ids => format!(" --annotators {}", argument(&ids)),
        };
        asked.map(move |asked| {
            let (name, scheme) = (&asked.question.name, &asked.scheme);
            if scheme == BREAKDOWN {
                format!("turnwise votes {paths}{only} --draws {}", DRAWS.draws)
            } else {
                // A scheme that is not bundled is beside the corpus.
                let bundled = Scheme::bundled(scheme).map(|_| format!(" --scheme {scheme}"));
                let bundled = bundled.unwrap_or_default();
                format!("turnwise votes {paths}{only} --question {name}{bundled}")
            }
        })
    }

    /// Returns the figures of all questions.
    pub fn parts(&self) -> Vec<Part> {
        let asked = self.asked.iter().filter(|asked| asked.is_answered());
        asked.flat_map(|asked| asked.parts(&self.models)).collect()
    }
}

impl AnsweredQuestion {
    /// Drops answers that need too much memory.
    fn bound(&mut self) {
        self.are_too_many |= self.answers.size() > MOST;
        if self.are_too_many {
            self.answers = AnswerSet::default();
        }
    }

    fn is_answered(&self) -> bool {
        let is_any = !self.answers.items.is_empty() || self.answers.invalid() > 0;
        is_any || self.outdated > 0 || self.are_too_many
    }

    fn parts(&self, models: &BTreeSet<String>) -> Vec<Part> {
        let (question, scheme) = (&self.question, &self.scheme);
        let name = question_name(&question.name, scheme);
        let title = format!("{name}: {}", short(&question.text));
        if self.are_too_many {
            return vec![Part::Text(format!(
                "{title} There are too many answers to keep in memory; the command gives their figures."
            ))];
        }
        let mut answers = self.answers.clone();
        let invalid = answers.invalid();
        let of_models = answers.leave_out_models(models);
        let left_out = [
            (of_models, "of models and gold"),
            (invalid, "that the question does not take"),
            (self.outdated, "about texts that have changed"),
        ];
        let left_out =
            left_out.into_iter().filter(|(count, _)| *count > 0).map(|(count, which)| {
                let are = if count == 1 { "is" } else { "are" };
                format!(" {} {which} {are} left out.", counted(count, "answer"))
            });
        let rated = RatedQuestion::new(question, DRAWS, &answers);
        let figures = AnswerFigures::total(&rated);
        let within = match question.of.name() {
            "dialog" => String::new(),
            _ => format!(" in {}", counted(figures.dialogs, "dialog")),
        };
        let text = format!(
            "{title} {} about {}{within}, by {}.{}",
            counted(figures.answers, rated.words().answers.trim_end_matches('s')),
            counted(figures.items, question.of.name()),
            counted(figures.annotators, "annotator"),
            left_out.collect::<String>(),
        );
        let mut parts = vec![Part::Text(text)];
        let (caption, table) = if rated.is_of_tags() {
            ("Codes", rated.code_table())
        } else {
            ("Answers", rated.value_table(&figures))
        };
        parts.extend(shown(caption, &name, table, 0));
        // One annotator agrees with nobody.
        if figures.annotators > 1 {
            parts.push(agreement(&figures, &name));
            parts.extend(shown("Annotators against the rest", &name, rated.annotators(), 1));
        }
        parts.extend(shown("Pairs of annotators", &name, rated.pairs(ROWS), 0));
        let system = |item: &RatedItem| answers.system(&answers.dialogs[item.dialog as usize]);
        let system = rated.groups(&["system"], system, |name| vec![(*name).to_owned()]);
        parts.extend(by_group(&rated, "system", &name, system));
        if question.of.is_whole() {
            let mut turns = Histogram::default();
            answers.pointed().for_each(|turn| turns.add(turn.into()));
            let caption = format!("Turns that the answers point to: {name}");
            parts.extend(turns.plot(caption, "answers").map(Part::Plot));
        } else {
            let position = |item: &RatedItem| item.turn.unwrap_or_default();
            let position = rated.groups(&["position"], position, |at| vec![at.to_string()]);
            parts.extend(by_group(&rated, "position", &name, position));
        }
        parts
    }
}

/// Returns a table with more than so many rows.
fn shown(caption: &str, name: &str, table: Table, more_than: usize) -> Option<Part> {
    let caption = format!("{caption}: {name}");
    (table.rows.len() > more_than).then(|| Part::Shown(Shown::of(caption, table, ROWS)))
}

/// Returns the table of groups, and a plot if they have few values; none if there is one group.
fn by_group(
    rated: &RatedQuestion<'_>,
    head: &'static str,
    name: &str,
    table: Table,
) -> impl Iterator<Item = Part> {
    let series = rated.values();
    let is_drawn = table.rows.len() > 1 && !rated.is_of_tags() && series.len() <= 3;
    let plot = is_drawn.then(|| {
        let bar = |row: &Vec<Cell>| {
            let values = row.iter().filter_map(|cell| match cell {
                Cell::Share { count, .. } => Some(*count),
                _ => None,
            });
            let label = row.first().and_then(|cell| cell.shown(Form::Name));
            Bar { label: short(&label.unwrap_or_default()), values: values.collect() }
        };
        Part::Plot(Plot {
            caption: format!("Answers by {head}: {name}"),
            kind: PlotKind::Shares,
            of: rated.words().answers,
            series,
            bars: table.rows.iter().take(ROWS).map(bar).collect(),
        })
    });
    plot.into_iter().chain(shown(&format!("By {head}"), name, table, 1))
}

/// Returns figures with their intervals.
fn agreement(figures: &AnswerFigures, name: &str) -> Part {
    let mut title = "";
    let row = |figure: &Figure| {
        let names = figure.names();
        title = if names.title.is_empty() { title } else { names.title };
        let mut parts = vec![title, names.remark];
        parts.retain(|part| !part.is_empty());
        vec![
            (Column::for_people("figure", Form::Name), Cell::text(parts.join(", "))),
            (Column::for_people("value", Form::Number), figure.value.into()),
            (Column::for_people("95 % of draws", Form::Bounds), figure.cell()),
        ]
    };
    let table = Table::of(figures.statistics.iter().map(row));
    Part::Shown(Shown::of(format!("Agreement: {name}"), table, ROWS))
}
