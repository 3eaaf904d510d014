//! Finds turns by the judgements about them: answers to questions, notes and tags.
//!
//! A judgement of a part of a turn is about that turn. One of the whole dialog is about the turn that it points to,
//! or else about the first. Conditions side by side are about what one person said.

use super::expression::Condition;
use super::matching::{Place, Target};
use super::members::Member;
use super::value::{Closeness, NamePattern, NamedValue};
use crate::dialog::{Answer, Judgement};

impl<'a> Target<'a> {
    /// Returns the judgements about a turn that are not hidden.
    pub(super) fn judgements_of(&self, turn: usize) -> impl Iterator<Item = &'a Judgement> {
        let judgements = self.judgements();
        judgements.filter(move |judgement| judgement.found_at() == turn)
    }

    /// Returns the judgements of the dialog that are not hidden.
    pub(super) fn judgements(&self) -> impl Iterator<Item = &'a Judgement> {
        let Self { dialog, source, .. } = *self;
        let judgements = dialog.judgements.iter();
        judgements.filter(move |judgement| !source.hides(judgement))
    }

    /// Returns all who judged the dialog, and the user; at least one.
    pub(super) fn people(&self) -> Vec<&'a str> {
        let all = self.judgements().map(|judgement| judgement.by.as_str());
        let mut all: Vec<_> = all.chain([self.source.annotator]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// For each turn, the answers to the question with the closest name in the dialog, of those who are meant.
    pub(super) fn answers(&self, name: &NamePattern, place: Place<'_>) -> Vec<Vec<&'a Answer>> {
        let mut answers = vec![Vec::new(); self.dialog.turns.len()];
        let mut closest: Option<Closeness> = None;
        for judgement in self.judgements() {
            let Some(answer) = &judgement.value else {
                continue;
            };
            let Some(close) = name.closeness(&judgement.question) else {
                continue;
            };
            if closest.is_none_or(|closest| close < closest) {
                closest = Some(close);
                answers.iter_mut().for_each(Vec::clear);
            }
            if closest == Some(close)
                && place.is_by(&judgement.by)
                && let Some(answers) = answers.get_mut(judgement.found_at())
            {
                answers.push(answer);
            }
        }
        answers
    }

    /// For each turn, whether there is an answer that is wanted.
    pub(super) fn answered(&self, wanted: &NamedValue, place: Place<'_>) -> Vec<bool> {
        let is_wanted = |answer: &&Answer| {
            let is_value =
                |value: &String| wanted.is_value(&Member { path: "", value, is_open: false });
            wanted.value.is_none() || values(answer).iter().any(is_value)
        };
        let answers = self.answers(&wanted.name, place);
        let answers = answers.iter();
        answers.map(|all| all.iter().any(is_wanted)).collect()
    }
}

impl Condition {
    /// True if a turn meets the condition, which is about judgements.
    pub(super) fn is_judged(&self, target: &Target<'_>, turn: usize, place: Place<'_>) -> bool {
        let judgements = target.judgements_of(turn);
        let mut judgements = judgements.filter(|judgement| place.is_by(&judgement.by));
        let votes = target.dialog.turns[turn].votes.iter();
        let mut votes = votes.filter(|vote| place.is_by(&vote.annotator));
        let is_own = |annotator: &str| target.source.is_own(annotator);
        match self {
            Self::Judged => {
                votes.any(|vote| vote.breakdown.is_some()) || judgements.next().is_some()
            }
            Self::Mine => {
                votes.any(|vote| is_own(&vote.annotator))
                    || judgements.any(|judgement| is_own(&judgement.by))
            }
            Self::Question(wanted) => target.answered(wanted, place)[turn],
            Self::Tag(name) => {
                judgements.flat_map(Judgement::all_tags).any(|tag| name.matches(tag))
            }
            Self::Note(text) => {
                let mut notes = judgements.map(|judgement| judgement.note.as_str());
                notes.any(|note| !note.is_empty() && text.matches(note))
            }
            Self::By(name) => judgements.any(|judgement| name.matches(&judgement.by)),
            _ => false,
        }
    }
}

/// Returns the values of an answer as queries write them; of a list of tags, those are its tags.
pub(super) fn values(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Several(tags) => tags.clone(),
        one => vec![one.to_string()],
    }
}
