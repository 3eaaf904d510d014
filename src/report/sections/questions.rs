//! Answers to the questions of schemes: how they are distributed, how much people agree, and how much that would vary
//! had other dialogs been judged. The answers of models are left out where people have answered.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ROWS;
use crate::judging::{
    AnswerFigures, AnswerTable, CodeFigures, DialogAnswers, Figure, Kind, Question, RatedQuestion,
    Scheme, StoredQuestion, ValueFigures, leave_out_models,
};
use crate::report::bounded::OfDialogs;
use crate::report::document::{Block, Cell, Table, heads, short};
use crate::report::histogram::Histogram;
use crate::report::sums::SeenDialog;
use crate::text::counted;
use crate::votes::group_by::system_of;
use crate::votes::{Bootstrap, Confusion, Interval, RatedItem, UndefinedReason};

/// The answers to all questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct QuestionSums {
    asked: Vec<AnsweredQuestion>,
    /// The ids of the models that have judged something.
    models: BTreeSet<String>,
}

/// The answers to a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AnsweredQuestion {
    scheme: String,
    question: StoredQuestion,
    /// Those about each dialog about which the scheme was judged.
    dialogs: OfDialogs<AnsweredDialog>,
    /// The number of answers to what has changed since.
    outdated: u64,
}

/// The answers about a dialog.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct AnsweredDialog {
    system: String,
    answers: DialogAnswers,
}

/// The most values that have a column each.
const VALUES: usize = 8;

/// The draws of intervals, as `votes --question` makes them.
pub const DRAWS: Bootstrap = Bootstrap { draws: 1000, seed: 1 };

impl QuestionSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let judgements = || seen.dialog.all_judgements();
        let of_models = judgements().filter(|said| said.run.is_some());
        self.models.extend(of_models.map(|said| said.by.clone()));
        for scheme in seen.schemes {
            if !judgements().any(|said| said.scheme == scheme.name) {
                continue;
            }
            for question in scheme.questions.iter().filter(|of| of.kind != Kind::Text) {
                let answered = AnsweredDialog {
                    system: system_of(seen.dialog, &seen.folder()).to_owned(),
                    answers: question.answers(&scheme.name, seen.dialog),
                };
                let outdated = seen.dialog.outdated.iter();
                let outdated = outdated.filter(|said| said.answers(&scheme.name, &question.name));
                let sums = self.of(scheme, question);
                if answered.answers != DialogAnswers::default() {
                    sums.dialogs.add(seen.file, answered);
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
                question: question.into(),
                dialogs: OfDialogs::default(),
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
                asked.scheme == later.scheme && asked.question == later.question
            };
            match self.asked.iter_mut().find(is_it) {
                Some(asked) => {
                    asked.dialogs.join(later.dialogs);
                    asked.outdated += later.outdated;
                }
                None => self.asked.push(later),
            }
        }
    }

    /// Sorts the questions, so that sums of the same contents are equal.
    pub fn settle(&mut self) {
        let key = |asked: &AnsweredQuestion| (asked.scheme.clone(), asked.question.name.clone());
        self.asked.sort_by_cached_key(key);
    }

    /// Returns the commands that give the same figures.
    pub fn commands(&self, paths: &str) -> impl Iterator<Item = String> {
        let asked = self.asked.iter().filter(|asked| asked.is_answered());
        asked.map(move |asked| {
            let (name, scheme) = (&asked.question.name, &asked.scheme);
            format!("turnwise votes {paths} --question {name} --scheme {scheme}")
        })
    }

    /// Returns the figures of all questions.
    pub fn blocks(&self) -> Vec<Block> {
        let asked = self.asked.iter().filter(|asked| asked.is_answered());
        asked.flat_map(|asked| asked.blocks(&self.models)).collect()
    }
}

impl AnsweredQuestion {
    fn is_answered(&self) -> bool {
        self.outdated > 0
            || !self.dialogs.is_complete()
            || self.dialogs.iter().any(|dialog| !dialog.answers.given.is_empty())
    }

    fn blocks(&self, models: &BTreeSet<String>) -> Vec<Block> {
        let (question, scheme) = (&self.question, &self.scheme);
        let name = format!("{} of {scheme}", question.name);
        let title = format!("{name}: {}", short(&question.text));
        if !self.dialogs.is_complete() {
            return vec![Block::Text(format!(
                "{title} The answers about more than 20,000 dialogs are not kept; the command gives their figures."
            ))];
        }
        let mut dialogs: Vec<_> = self.dialogs.iter().cloned().collect();
        let models = leave_out_models(&mut dialogs, models, |dialog| &mut dialog.answers);
        let question = Question::from(question.clone());
        let answers = dialogs.iter().map(|dialog| &dialog.answers);
        let rated = RatedQuestion::new(&question, DRAWS, answers.clone());
        let figures = AnswerFigures::total(&rated);
        let of_models = match models {
            0 => String::new(),
            _ => format!(" {} of models are left out.", counted(models, "answer")),
        };
        let outdated = match self.outdated {
            0 => String::new(),
            count => {
                format!(" {} to what has changed since are left out.", counted(count, "answer"))
            }
        };
        let text = format!(
            "{title} {} about {} of {}, by {}.{of_models}{outdated}",
            counted(figures.answers, "answer"),
            counted(figures.items, question.of.name()),
            counted(dialogs.len() as u64, "judged dialog"),
            counted(figures.annotators, "annotator"),
        );
        let mut blocks = vec![Block::Text(text)];
        blocks.push(if rated.is_of_tags() {
            codes(&rated, &name)
        } else {
            values(&figures, &name)
        });
        // One annotator agrees with nobody.
        if figures.annotators > 1 {
            blocks.push(agreement(&figures, &name));
        }
        blocks.extend(pairs(&rated.table, &name));
        let system = |item: &RatedItem| short(&dialogs[item.dialog].system);
        blocks.extend(by_group(&rated, "system", &name, system));
        if question.of.is_whole() {
            let given = answers.flat_map(|dialog| &dialog.given);
            let mut turns = Histogram::default();
            for turn in given.filter_map(|given| given.at) {
                turns.add(turn as u64);
            }
            let caption = format!("Turns that the answers point to: {name}");
            blocks.extend(turns.plot(caption, "answers").map(Block::Plot));
        } else {
            let position = |item: &RatedItem| item.turn.unwrap_or_default();
            blocks.extend(by_group(&rated, "position", &name, position));
        }
        blocks
    }
}

/// Returns each value with its share of the answers.
fn values(figures: &AnswerFigures, name: &str) -> Block {
    let row = |value: &ValueFigures| {
        vec![
            Cell::text(short(&value.name)),
            Cell::Share { count: value.answers, of: figures.answers },
            bounds(&value.share),
            Cell::Share { count: value.majority, of: figures.items },
        ]
    };
    Block::Table(Table {
        caption: format!("Answers: {name}"),
        heads: heads(["value", "answers", "95 % of draws", "majorities"]),
        rows: figures.values.iter().take(ROWS).map(row).collect(),
        left_out: figures.values.len().saturating_sub(ROWS) as u64,
    })
}

/// Returns each tag with the dialogs that have it, those of most dialogs first.
fn codes(rated: &RatedQuestion<'_>, name: &str) -> Block {
    let codes = rated.codes();
    let row = |code: &CodeFigures| {
        vec![
            Cell::text(short(&code.name)),
            Cell::Share { count: code.dialogs, of: rated.table.ratings.dialogs as u64 },
            bounds(&code.share),
        ]
    };
    Block::Table(Table {
        caption: format!("Codes: {name}"),
        heads: heads(["code", "dialogs", "95 % of draws"]),
        rows: codes.iter().take(ROWS).map(row).collect(),
        left_out: codes.len().saturating_sub(ROWS) as u64,
    })
}

/// Returns the figures of the items in each group; None if there is one group.
fn by_group<K: Ord + ToString>(
    rated: &RatedQuestion<'_>,
    head: &str,
    name: &str,
    group: impl Fn(&RatedItem) -> K,
) -> Option<Block> {
    let mut groups: BTreeMap<K, Vec<RatedItem>> = BTreeMap::new();
    for item in &rated.table.ratings.items {
        groups.entry(group(item)).or_default().push(item.clone());
    }
    if groups.len() < 2 {
        return None;
    }
    let left_out = groups.len().saturating_sub(ROWS) as u64;
    // One annotator agrees with nobody.
    let is_shown = |figure: &&Figure| {
        rated.table.annotators.len() > 1
            || matches!(figure.name.as_str(), "entropy" | "mean" | "median")
    };
    let mut heads = heads([head, rated.question.of.plural(), "answers"]);
    let mut rows = Vec::new();
    for (key, items) in groups.into_iter().take(ROWS) {
        let figures = AnswerFigures::of(rated, &rated.table.ratings.with(items));
        let has_columns = figures.values.len() <= VALUES;
        let values = figures.values.iter().filter(|_| has_columns);
        let mut row = vec![
            Cell::text(key.to_string()),
            Cell::Count(figures.items),
            Cell::Count(figures.answers),
        ];
        row.extend(
            values.clone().map(|value| Cell::Share { count: value.answers, of: figures.answers }),
        );
        let statistics = figures.statistics.iter().filter(is_shown);
        // The reasons would repeat in each row.
        let cell = |figure: &Figure| match figure.value {
            Ok(value) => Cell::Number(value),
            Err(_) => Cell::Undefined(String::new()),
        };
        row.extend(statistics.clone().map(cell));
        if rows.is_empty() {
            heads.extend(values.map(|value| short(&value.name)));
            heads.extend(statistics.map(|figure| named(&figure.name).to_owned()));
        }
        rows.push(row);
    }
    Some(Block::Table(Table { caption: format!("By {head}: {name}"), heads, rows, left_out }))
}

fn agreement(figures: &AnswerFigures, name: &str) -> Block {
    statistics(format!("Agreement: {name}"), &figures.statistics)
}

/// Returns figures with their intervals.
pub fn statistics(caption: String, figures: &[Figure]) -> Block {
    let row = |figure: &Figure| {
        vec![Cell::text(named(&figure.name)), Cell::statistic(figure.value), bounds(figure)]
    };
    Block::Table(Table {
        caption,
        heads: heads(["figure", "value", "95 % of draws"]),
        rows: figures.iter().map(row).collect(),
        left_out: 0,
    })
}

/// Returns the name of a figure for people.
fn named(figure: &str) -> &str {
    match figure {
        "entropy" => "entropy in bits",
        "agreement" => "agreement of pairs",
        "fleiss_kappa" => "Fleiss' kappa",
        "alpha_nominal" => "Krippendorff's alpha, nominal",
        "alpha_ordinal" => "Krippendorff's alpha, ordinal",
        "alpha_interval" => "Krippendorff's alpha, interval",
        "alpha_jaccard" => "Krippendorff's alpha, Jaccard",
        "alpha_masi" => "Krippendorff's alpha, MASI",
        name => name,
    }
}

fn pairs(table: &AnswerTable, name: &str) -> Option<Block> {
    let people = table.annotators.len().min(ROWS);
    let pairs = (0..people).flat_map(|one| (one + 1..people).map(move |other| [one, other]));
    let pairs = pairs.map(|[one, other]| AnnotatorPair {
        names: [one, other].map(|number| short(&table.annotators[number])),
        turns: table.ratings.confusion(one, other),
    });
    pairs_of(format!("Pairs of annotators: {name}"), pairs.collect())
}

/// Two annotators, and what both have judged.
pub struct AnnotatorPair {
    pub names: [String; 2],
    pub turns: Confusion,
}

/// Returns how far each two annotators agree, those first who judged the most in common; None without any such.
pub fn pairs_of(caption: String, mut pairs: Vec<AnnotatorPair>) -> Option<Block> {
    pairs.retain(|pair| pair.turns.total() > 0);
    pairs.sort_by_key(|pair| std::cmp::Reverse(pair.turns.total()));
    let row = |AnnotatorPair { names, turns }: &AnnotatorPair| {
        vec![
            Cell::text(names.join(", ")),
            Cell::Share { count: turns.agreed(), of: turns.total() },
            Cell::statistic(turns.kappa().map_err(UndefinedReason::of_answers)),
        ]
    };
    (!pairs.is_empty()).then(|| {
        Block::Table(Table {
            caption,
            heads: heads(["annotators", "same of both", "Cohen's kappa"]),
            rows: pairs.iter().take(ROWS).map(row).collect(),
            left_out: pairs.len().saturating_sub(ROWS) as u64,
        })
    })
}

/// Returns the bounds of a figure's interval.
pub fn bounds(figure: &Figure) -> Cell {
    match figure.interval.as_ref().and_then(Interval::spread) {
        Some([low, high]) => Cell::text(format!("{low:.3} to {high:.3}")),
        None => Cell::Undefined(String::new()),
    }
}
