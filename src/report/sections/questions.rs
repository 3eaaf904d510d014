//! Answers to the questions of schemes: how they are distributed, how much people agree, and how much that would vary
//! had other dialogs been judged. The answers of models are left out where people have answered.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::ROWS;
use crate::judging::{AnswerTable, DialogAnswers, Kind, Question, Scheme, StoredQuestion, tags_of};
use crate::report::document::{Block, Cell, Table, short};
use crate::report::sums::SeenDialog;
use crate::text::counted;
use crate::votes::{
    Bootstrap, Counted, Distances, Drawable, Interval, Statistic, Tallies, UndefinedReason,
};

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
    /// Those about each dialog about which the scheme was judged, in the order of the corpus; none if they are too many.
    dialogs: Vec<DialogAnswers>,
    /// The number of these dialogs.
    all: u64,
}

/// The most dialogs whose answers are kept: agreement and intervals are computed from these.
const MOST: u64 = 20_000;

/// The draws of intervals, as `votes --question` makes them.
const DRAWS: Bootstrap = Bootstrap {
    draws: 1000,
    seed: 1,
};

impl QuestionSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let judgements = &seen.dialog.judgements;
        if judgements.is_empty() {
            return;
        }
        let of_models = judgements.iter().filter(|said| said.run.is_some());
        self.models.extend(of_models.map(|said| said.by.clone()));
        for scheme in seen.schemes {
            if !judgements.iter().any(|said| said.scheme == scheme.name) {
                continue;
            }
            for question in scheme.questions.iter().filter(|of| of.kind != Kind::Text) {
                let answers = question.answers(&scheme.name, seen.dialog);
                self.of(scheme, question).add(answers);
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
                dialogs: Vec::new(),
                all: 0,
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
                    asked.all += later.all;
                    asked.dialogs.extend(later.dialogs);
                    asked.shrink();
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
    fn add(&mut self, answers: DialogAnswers) {
        self.dialogs.push(answers);
        self.all += 1;
        self.shrink();
    }

    fn shrink(&mut self) {
        if self.all > MOST {
            self.dialogs = Vec::new();
        }
    }

    fn is_answered(&self) -> bool {
        self.all > MOST || self.dialogs.iter().any(|dialog| !dialog.given.is_empty())
    }

    fn blocks(&self, models: &BTreeSet<String>) -> Vec<Block> {
        let (question, scheme) = (&self.question, &self.scheme);
        let title = format!("{} of {scheme}: {}", question.name, short(&question.text));
        if self.all > MOST {
            return vec![Block::Text(format!(
                "{title} The answers about more than 20,000 dialogs are not kept; the command gives their figures."
            ))];
        }
        let (dialogs, models) = self.of_people(models);
        let question = Question::from(question.clone());
        let table = AnswerTable::new(&question, dialogs.iter());
        let tallies = table.ratings.tallies();
        let of_models = match models {
            0 => String::new(),
            _ => format!(" {} of models are left out.", counted(models, "answer")),
        };
        let text = format!(
            "{title} {} about {} of {}, by {}.{of_models}",
            counted(tallies.votes(), "answer"),
            counted(tallies.turns(), question.of.name()),
            counted(dialogs.len() as u64, "judged dialog"),
            counted(table.annotators.len() as u64, "annotator"),
        );
        let drawable = Drawable::of(&table.ratings);
        let distances = question.distances(&table.categories);
        let mut blocks = vec![Block::Text(text)];
        blocks.push(match question.kind {
            Kind::Tags { .. } => codes(&table, dialogs.len()),
            _ => values(&table, &drawable),
        });
        blocks.push(agreement(&table, &drawable, &distances));
        blocks.extend(pairs(&table));
        blocks
    }

    /// Returns the answers of people about each dialog, and the number of those of models; where only models have
    /// answered, theirs.
    fn of_people(&self, models: &BTreeSet<String>) -> (Vec<DialogAnswers>, u64) {
        let mut dialogs = self.dialogs.clone();
        let mut given = dialogs.iter().flat_map(|dialog| &dialog.given);
        if given.all(|given| models.contains(&given.by)) {
            return (dialogs, 0);
        }
        let mut left_out = 0;
        dialogs.retain_mut(|dialog| {
            let all = dialog.given.len();
            dialog.given.retain(|given| !models.contains(&given.by));
            left_out += (all - dialog.given.len()) as u64;
            all == 0 || !dialog.given.is_empty()
        });
        (dialogs, left_out)
    }
}

/// Returns each value with its share of the answers.
fn values(table: &AnswerTable, drawable: &Drawable) -> Block {
    let counts = table.ratings.tallies().categories(|_| true);
    let all: u64 = counts.iter().sum();
    let majorities = table.ratings.majorities();
    let items = table.ratings.items.len() as u64;
    let intervals = DRAWS.intervals(table.ratings.dialogs, |times| {
        let counts = drawable.drawn(times).categories(|_| true);
        let all: u64 = counts.iter().sum();
        let share = |value: usize| match all {
            0 => Err(UndefinedReason::NoAnswers),
            _ => Ok(counts.get(value).copied().unwrap_or_default() as f64 / all as f64),
        };
        (0..table.categories.len()).map(share).collect()
    });
    let each = table.categories.iter().zip(&majorities).enumerate();
    let row = |(number, (value, majority)): (usize, (&crate::dialog::Answer, &u64))| {
        let count = counts.get(number).copied().unwrap_or_default();
        vec![
            Cell::text(short(&value.to_string())),
            Cell::Share { count, of: all },
            bounds(intervals.get(number)),
            Cell::Share {
                count: *majority,
                of: items,
            },
        ]
    };
    Block::Table(Table {
        caption: "Answers".to_owned(),
        heads: vec!["value", "answers", "95 % of draws", "majorities"],
        rows: each.take(ROWS).map(row).collect(),
        left_out: table.categories.len().saturating_sub(ROWS) as u64,
    })
}

/// Returns each tag with the dialogs that have it, those of most dialogs first.
fn codes(table: &AnswerTable, dialogs: usize) -> Block {
    let mut codes: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for item in &table.ratings.items {
        for rating in &item.ratings {
            for tag in tags_of(&table.categories[rating.category]) {
                codes.entry(tag).or_default().insert(item.dialog);
            }
        }
    }
    let mut codes: Vec<_> = codes.into_iter().collect();
    codes.sort_by_key(|(_, dialogs)| std::cmp::Reverse(dialogs.len()));
    let intervals = DRAWS.intervals(dialogs, |times| {
        let drawn = |of: &BTreeSet<usize>| of.iter().map(|dialog| times[*dialog]).sum::<u64>();
        let shares = codes
            .iter()
            .map(|(_, of)| drawn(of) as f64 / dialogs as f64);
        shares.map(Ok).collect()
    });
    let row = |((name, of), interval): (&(String, BTreeSet<usize>), &Interval)| {
        let (count, of) = (of.len() as u64, dialogs as u64);
        vec![
            Cell::text(short(name)),
            Cell::Share { count, of },
            bounds(Some(interval)),
        ]
    };
    Block::Table(Table {
        caption: "Codes".to_owned(),
        heads: vec!["code", "dialogs", "95 % of draws"],
        rows: codes.iter().zip(&intervals).take(ROWS).map(row).collect(),
        left_out: codes.len().saturating_sub(ROWS) as u64,
    })
}

fn agreement(
    table: &AnswerTable,
    drawable: &Drawable,
    distances: &[(&'static str, Distances)],
) -> Block {
    let all = figures(&table.ratings.tallies(), distances);
    let intervals = DRAWS.intervals(table.ratings.dialogs, |times| {
        let drawn = figures(&drawable.drawn(times), distances);
        drawn.into_iter().map(|(_, value)| value).collect()
    });
    let row = |((name, value), interval): (&(&'static str, Statistic), &Interval)| {
        vec![
            Cell::text(*name),
            Cell::statistic(value.map_err(UndefinedReason::of_answers)),
            bounds(Some(interval).filter(|_| value.is_ok())),
        ]
    };
    Block::Table(Table {
        caption: "Agreement".to_owned(),
        heads: vec!["figure", "value", "95 % of draws"],
        rows: all.iter().zip(&intervals).map(row).collect(),
        left_out: 0,
    })
}

/// Returns the entropy and the measures of agreement, with their names.
fn figures<T: Counted>(
    tallies: &Tallies<T>,
    distances: &[(&'static str, Distances)],
) -> Vec<(&'static str, Statistic)> {
    let mut all = vec![
        ("entropy in bits", tallies.entropy()),
        ("agreement of pairs", tallies.agreement()),
        ("Fleiss' kappa", tallies.fleiss_kappa()),
    ];
    let alphas = distances.iter();
    all.extend(alphas.map(|(name, distances)| (alpha(name), tallies.alpha(distances))));
    all
}

/// Returns the name of Krippendorff's alpha with these distances.
fn alpha(distances: &str) -> &'static str {
    match distances {
        "ordinal" => "Krippendorff's alpha, ordinal",
        "interval" => "Krippendorff's alpha, interval",
        "jaccard" => "Krippendorff's alpha, Jaccard",
        "masi" => "Krippendorff's alpha, MASI",
        _ => "Krippendorff's alpha, nominal",
    }
}

/// Returns how far each two annotators agree, those first who judged the most in common.
fn pairs(table: &AnswerTable) -> Option<Block> {
    let people = table.annotators.len().min(ROWS);
    let pairs = (0..people).flat_map(|one| (one + 1..people).map(move |other| (one, other)));
    let pairs = pairs.map(|(one, other)| (one, other, table.ratings.confusion(one, other)));
    let mut pairs: Vec<_> = pairs.filter(|(.., both)| both.total() > 0).collect();
    pairs.sort_by_key(|(.., both)| std::cmp::Reverse(both.total()));
    let row = |(one, other, both): &(usize, usize, crate::votes::Confusion)| {
        let [one, other] = [one, other].map(|number| short(&table.annotators[*number]));
        vec![
            Cell::text(format!("{one}, {other}")),
            Cell::Share {
                count: both.agreed(),
                of: both.total(),
            },
            Cell::statistic(both.kappa().map_err(UndefinedReason::of_answers)),
        ]
    };
    (!pairs.is_empty()).then(|| {
        Block::Table(Table {
            caption: "Pairs of annotators".to_owned(),
            heads: vec!["annotators", "same of both", "Cohen's kappa"],
            rows: pairs.iter().take(ROWS).map(row).collect(),
            left_out: pairs.len().saturating_sub(ROWS) as u64,
        })
    })
}

/// Returns the bounds of an interval; draws that are all the same have none.
fn bounds(interval: Option<&Interval>) -> Cell {
    let bounds = interval.and_then(|interval| interval.bounds);
    match bounds.filter(|[low, high]| high > low) {
        Some([low, high]) => Cell::text(format!("{low:.3} to {high:.3}")),
        None => Cell::Undefined(String::new()),
    }
}
