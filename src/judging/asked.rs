//! A question asked about a part of a dialog, and the answers to it, wherever they are kept.

use std::borrow::Cow;

use super::question::{Question, Subject};
use super::scheme::Scheme;
use crate::dialog::{
    Answer, Breakdown, Dialog, Edit, GOLD, Judgement, Mark, PairedWith, Place, Turn, Vote,
};
use crate::votes::CategoryCounts;

/// The place in which the answers to a scheme are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// In a file of judgements for each annotator.
    Judgements,
    /// In breakdown logs, as votes.
    Votes,
    /// Beside breakdown logs, as gold labels, which are nobody's own.
    Gold,
}

/// A question about a part of a dialog.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'s> {
    scheme: &'s Scheme,
    pub question: &'s Question,
    pub place: Place,
}

impl<'s> Asked<'s> {
    pub(super) fn new(scheme: &'s Scheme, question: &'s Question, place: Place) -> Self {
        Self { scheme, question, place }
    }

    pub fn scheme(&self) -> &'s Scheme {
        self.scheme
    }

    /// Returns the answer of `annotator`; None if what it judged has changed since.
    pub fn answer<'d>(&self, dialog: &'d Dialog, annotator: &str) -> Option<Cow<'d, Answer>> {
        let label = match self.scheme.kept {
            Kept::Judgements => {
                let given = self.among(dialog, dialog.judgements.iter(), annotator)?;
                let value = given.value.as_ref();
                let is_taken = |value: &&Answer| self.question.takes(value).is_ok();
                return value.filter(is_taken).map(Cow::Borrowed);
            }
            Kept::Votes => self.vote(dialog, annotator)?.breakdown,
            Kept::Gold => self.turn(dialog)?.gold.as_ref()?.breakdown,
        };
        label.map(|label| Cow::Owned(Answer::Text(label.letter().to_owned())))
    }

    /// Returns what `annotator` added to their answer in words: the comment on a vote, the reason for a gold label.
    pub fn comment<'d>(&self, dialog: &'d Dialog, annotator: &str) -> &'d str {
        let comment = match self.scheme.kept {
            Kept::Judgements => self.given(dialog, annotator).map(|own| own.note.as_str()),
            Kept::Votes => self.vote(dialog, annotator).map(|own| own.comment.as_str()),
            Kept::Gold => {
                let gold = self.turn(dialog).and_then(|turn| turn.gold.as_ref());
                gold.map(|gold| gold.comment.as_str())
            }
        };
        comment.unwrap_or_default()
    }

    /// Returns the judgement of `annotator`, also one of a text that has changed since.
    pub fn given<'d>(&self, dialog: &'d Dialog, annotator: &str) -> Option<&'d Judgement> {
        self.among(dialog, dialog.all_judgements(), annotator)
    }

    /// Returns the vote of `annotator`.
    pub fn vote<'d>(&self, dialog: &'d Dialog, annotator: &str) -> Option<&'d Vote> {
        let mut votes = self.turn(dialog)?.votes.iter();
        votes.find(|vote| !annotator.is_empty() && vote.annotator == annotator)
    }

    /// Returns how often others than `annotator` gave each value, by the positions of its choices.
    pub(super) fn others(&self, dialog: &Dialog, annotator: &str) -> CategoryCounts {
        if self.scheme.kept != Kept::Judgements {
            let votes = self.turn(dialog).map_or(&[][..], |turn| &turn.votes);
            let others =
                votes.iter().filter(|vote| annotator.is_empty() || vote.annotator != annotator);
            let labels = others.filter_map(|vote| vote.breakdown);
            return labels.map(|label| label as usize).collect();
        }
        let said = dialog.judgements.iter();
        let others = said
            .filter(|said| self.is_answer(dialog, said) && said.by != annotator && said.by != GOLD);
        let choices = || self.question.choices.iter();
        let of = |value: &Answer| choices().position(|choice| choice.answer == *value);
        let values = others.filter_map(|other| of(other.value.as_ref()?));
        values.collect()
    }

    /// Returns the edit that makes `value` the vote or gold label of `annotator`, with these remarks; without a value, the
    /// edit that withdraws it. None if the value is not a label.
    pub fn cast(
        &self,
        dialog: &Dialog,
        annotator: &str,
        value: Option<&Answer>,
        remarks: Remarks,
    ) -> Option<Edit> {
        let (turn, annotator) = (self.place.turn?, annotator.to_owned());
        let label = match value {
            Some(Answer::Text(letter)) => Some(Breakdown::from_letter(letter)?),
            Some(_) => return None,
            None => None,
        };
        // Gold labels name turns by their numbers.
        let number = self.turn(dialog)?.number(turn) as usize;
        let Remarks { comment, mark } = remarks;
        Some(match (self.scheme.kept == Kept::Gold, label) {
            (false, Some(breakdown)) => Edit::CastVote {
                turn,
                annotator,
                breakdown,
                comment,
                ungrammatical: mark.map(Mark::Flag),
            },
            (false, None) => Edit::WithdrawVote { turn, annotator },
            (true, Some(breakdown)) => Edit::SetGold { turn: number, breakdown, comment },
            (true, None) => Edit::RemoveGold { turn: number },
        })
    }

    fn turn<'d>(&self, dialog: &'d Dialog) -> Option<&'d Turn> {
        dialog.turns.get(self.place.turn?)
    }

    /// Returns the other dialog of the pair that it is about, if that is in another file.
    pub fn with<'d>(&self, dialog: &'d Dialog) -> Option<&'d PairedWith> {
        let sides = dialog.sides.as_ref();
        let sides = sides.filter(|_| self.question.of == Subject::Pair);
        sides?.with.as_ref()
    }

    /// True if a judgement of a dialog is an answer to it.
    fn is_answer(&self, dialog: &Dialog, judgement: &Judgement) -> bool {
        let is_with = match (&judgement.with, self.with(dialog)) {
            (Some(with), Some(other)) => with.is_in(&other.file),
            (with, other) => with.is_none() && other.is_none(),
        };
        judgement.place == self.place
            && judgement.answers(&self.scheme.name, &self.question.name)
            && is_with
    }

    fn among<'d>(
        &self,
        dialog: &Dialog,
        mut judgements: impl Iterator<Item = &'d Judgement>,
        annotator: &str,
    ) -> Option<&'d Judgement> {
        judgements.find(|judgement| judgement.by == annotator && self.is_answer(dialog, judgement))
    }
}

/// Remarks on a vote or gold label; None stays as it is.
#[derive(Clone, Debug, Default)]
pub struct Remarks {
    pub comment: Option<String>,
    /// True marks the turn as ungrammatical.
    pub mark: Option<bool>,
}
