//! The answers to a question as opinions: which of the assistant's answers are good, and which side of a pair is
//! better.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use super::answers::{GivenAnswer, poles};
use super::question::{BOTH_BAD, Kind, Question, Subject, TIE};
use super::scheme::Scheme;
use crate::dialog::{Answer, BREAKDOWN, Dialog, Judgement, Place};
use crate::export::{LeftOut, Opinion, TurnPart};
use crate::votes::VoteSource;
use crate::votes::ids::MODEL;

/// The names of the values that mean that an answer is good, or bad. Those of pass and fail, of yes and no, and of two
/// values, the first of which is good, need not be given.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueNames<'n> {
    pub good: &'n [String],
    pub bad: &'n [String],
}

/// Whose answers are opinions.
#[derive(Clone, Debug)]
pub struct OpinionSource {
    /// Of the crowd, the gold label counts, or else the majority of people: a model has to be named.
    pub whose: VoteSource,
    /// The share of the answers that a majority needs, from 0 to 1.
    pub threshold: f64,
}

/// Takes opinions from the answers to a question.
#[derive(Clone, Debug)]
pub struct Opinions<'q> {
    scheme: &'q Scheme,
    question: &'q Question,
    source: OpinionSource,
    good: Vec<Answer>,
    bad: Vec<Answer>,
}

/// Why the answers to a question cannot be opinions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpinionError {
    #[error(
        "a question about a {0} does not judge answers; choose one about dialogs, turns or pairs"
    )]
    Subject(&'static str),
    #[error("tags and texts are neither good nor bad; choose a question with values")]
    Typed,
    #[error("the question takes {takes}, not {value:?}")]
    Value { value: String, takes: String },
    #[error("{0:?} cannot be both good and bad")]
    Both(String),
    #[error("name the good and bad values with --good and --bad; the question takes {takes}")]
    Unclear { takes: String },
    #[error("the better side of a pair is always good; leave out --good and --bad")]
    Pair,
}

impl<'q> Opinions<'q> {
    /// Prepares taking opinions from the answers to a question of a scheme.
    ///
    /// # Errors
    /// If the question is not about answers, or it is not clear which values are good and bad.
    pub fn new(
        scheme: &'q Scheme,
        question: &'q Question,
        source: OpinionSource,
        names: ValueNames<'_>,
    ) -> Result<Self, OpinionError> {
        let named = !names.good.is_empty() || !names.bad.is_empty();
        match question.of {
            Subject::Pair if named => return Err(OpinionError::Pair),
            Subject::Dialog | Subject::Turn | Subject::Pair => {}
            part @ (Subject::Segment | Subject::Call) => {
                return Err(OpinionError::Subject(part.name()));
            }
        }
        if matches!(question.kind, Kind::Tags { .. } | Kind::Text) {
            return Err(OpinionError::Typed);
        }
        let values: Vec<_> = question.choices.iter().map(|choice| &choice.answer).collect();
        let takes = || {
            let names: Vec<_> = values.iter().map(ToString::to_string).collect();
            names.join(", ")
        };
        let value = |name: &String| {
            let value = values.iter().find(|value| value.to_string() == *name);
            value
                .map(|value| (*value).clone())
                .ok_or_else(|| OpinionError::Value { value: name.clone(), takes: takes() })
        };
        let all = |names: &[String]| names.iter().map(value).collect::<Result<Vec<_>, _>>();
        let (good, bad) = (all(names.good)?, all(names.bad)?);
        if let Some(both) = good.iter().find(|value| bad.contains(value)) {
            return Err(OpinionError::Both(both.to_string()));
        }
        let [good, bad] = if named || question.of == Subject::Pair {
            [good, bad]
        } else {
            let all: Vec<_> = values.iter().map(|value| (*value).clone()).collect();
            let [no, yes] = poles(&all).ok_or_else(|| OpinionError::Unclear { takes: takes() })?;
            [vec![all[yes].clone()], vec![all[no].clone()]]
        };
        Ok(Self { scheme, question, source, good, bad })
    }

    /// Returns the opinions about a dialog and those of its turns that are `kept`; counts the answers that are none.
    pub fn of(&self, dialog: &Dialog, kept: &[bool], left_out: &mut LeftOut) -> Vec<Opinion> {
        let (scheme, name) = (&self.scheme.name, &self.question.name);
        let is_other = |judgement: &&Judgement| !judgement.answers(scheme, name);
        let is_kept = |place: Place| place.turn.is_none_or(|turn| kept[turn]);
        let others = dialog.all_judgements().filter(is_other).count();
        left_out.several(["other judgement", "other judgements"], others);
        let outdated = dialog.outdated.iter();
        let outdated = outdated.filter(|judgement| !is_other(judgement)).count();
        left_out.several(
            ["answer about a text that has changed", "answers about texts that have changed"],
            outdated,
        );
        let refused = dialog.judgements.iter().filter(|judgement| {
            let is_refused = |answer| self.question.takes(answer).is_err();
            !is_other(judgement)
                && is_kept(judgement.place)
                && judgement.value.as_ref().is_some_and(is_refused)
        });
        left_out.several(
            ["answer that the question does not take", "answers that the question does not take"],
            refused.count(),
        );
        let answers = self.question.answers(scheme, dialog);
        let runs = dialog.judgements.iter().filter(|said| !said.is_of_person());
        let models: HashSet<&str> = runs.map(|said| said.by.as_str()).collect();
        let gold: BTreeMap<Place, &Answer> =
            answers.gold.iter().map(|(place, answer)| (*place, answer)).collect();
        let mut places: BTreeMap<Place, Vec<&GivenAnswer>> =
            gold.keys().map(|place| (*place, Vec::new())).collect();
        for given in &answers.given {
            places.entry(given.place).or_default().push(given);
        }
        let places = places.into_iter().filter(|(place, _)| is_kept(*place));
        let opinions = places.filter_map(|(place, given)| {
            let answer = match (&self.source.whose, gold.get(&place)) {
                (VoteSource::Annotator(id), _) => own(&given, id)?,
                (VoteSource::Crowd, Some(gold)) => gold,
                (VoteSource::Crowd, None) => self.majority(&given, &models, left_out)?,
            };
            self.opinion(place, &given, answer, left_out)
        });
        let opinions: Vec<_> = opinions.collect();
        if *scheme != BREAKDOWN && self.question.of != Subject::Pair && !opinions.is_empty() {
            let votes = [TurnPart::Votes, TurnPart::Gold];
            dialog.turns.iter().for_each(|turn| left_out.parts(turn, &votes));
        }
        opinions
    }

    /// Returns the answer about a place that most people gave.
    fn majority<'g>(
        &self,
        given: &[&'g GivenAnswer],
        models: &HashSet<&str>,
        left_out: &mut LeftOut,
    ) -> Option<&'g Answer> {
        let of_crowd = given.iter().filter(|given| !models.contains(given.by.as_str()));
        let mut counts: BTreeMap<String, (usize, &Answer)> = BTreeMap::new();
        let mut all = 0;
        for GivenAnswer { answer, .. } in of_crowd {
            counts.entry(answer.to_string()).or_insert((0, answer)).0 += 1;
            all += 1;
        }
        let Some((most, answer)) = counts.values().max_by_key(|(count, _)| *count) else {
            left_out
                .one(["question that only models answered", "questions that only models answered"]);
            return None;
        };
        let are_tied = counts.values().filter(|(count, _)| count == most).count() > 1;
        if are_tied || (*most as f64 / f64::from(all)) < self.source.threshold {
            left_out.one(["question without a majority", "questions without a majority"]);
            return None;
        }
        Some(*answer)
    }

    /// Returns the opinion that an answer about a place is, of those that were `given`.
    fn opinion(
        &self,
        place: Place,
        given: &[&GivenAnswer],
        answer: &Answer,
        left_out: &mut LeftOut,
    ) -> Option<Opinion> {
        if self.question.of == Subject::Pair {
            return match answer.to_string().as_str() {
                TIE => {
                    left_out.one(["tie", "ties"]);
                    None
                }
                BOTH_BAD => Some(Opinion::BothBad),
                side => Some(Opinion::Better(side.to_owned())),
            };
        }
        let is_good = self.good.contains(answer);
        if !is_good && !self.bad.contains(answer) {
            left_out.one([
                "answer that is neither good nor bad",
                "answers that are neither good nor bad",
            ]);
            return None;
        }
        if let Some(turn) = place.turn {
            return Some(Opinion::Turn { turn, is_good });
        }
        // Those who gave the answer may point to different turns: most of them count, or the first turn.
        let mut pointed: BTreeMap<usize, usize> = BTreeMap::new();
        let same = given.iter().filter(|given| given.answer == *answer);
        for at in same.filter_map(|given| given.at) {
            *pointed.entry(at).or_default() += 1;
        }
        let most = pointed.into_iter().min_by_key(|(turn, count)| (Reverse(*count), *turn));
        if let Some((turn, _)) = most {
            return Some(Opinion::Turn { turn, is_good });
        }
        let mut choices = self.question.choices.iter();
        if choices.any(|choice| choice.answer == *answer && choice.marks_turn) {
            left_out.one(["answer that points to no turn", "answers that point to no turn"]);
            return None;
        }
        Some(Opinion::Dialog { is_good })
    }
}

/// Returns the answer of an annotator, or of the model with this name.
fn own<'g>(given: &[&'g GivenAnswer], id: &str) -> Option<&'g Answer> {
    let is_own =
        |given: &&&GivenAnswer| given.by == *id || given.by.strip_prefix(MODEL) == Some(id);
    given.iter().find(is_own).map(|given| &given.answer)
}
