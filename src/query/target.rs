//! The dialog that is searched, and who reads it: what is hidden from them is not found.

use crate::dialog::{BREAKDOWN, Dialog, Judgement, Vote};
use crate::lint::Diagnostic;

/// A dialog to search, and what its file knows about it.
#[derive(Clone, Copy)]
pub struct Target<'a> {
    pub dialog: &'a Dialog,
    /// The problems of the dialog, ordered by turn; empty if the query does not need them.
    pub problems: &'a [Diagnostic],
    pub source: DialogSource<'a>,
}

/// The origin of a dialog, and who reads it.
#[derive(Clone, Copy, Debug, Default)]
pub struct DialogSource<'a> {
    /// The name of the file, as it is shown.
    pub file: &'a str,
    /// The name of its format.
    pub family: &'a str,
    /// The dialog has unsaved edits.
    pub edited: bool,
    /// The dialog is excluded.
    pub excluded: bool,
    /// The id of the user as an annotator; empty if unknown.
    pub annotator: &'a str,
    /// The judgements and comments that are not searched, and the votes where a condition asks who gave them.
    pub hidden: HiddenAnswers,
}

/// The answers that are hidden from the user, who judges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HiddenAnswers {
    #[default]
    None,
    /// Those by models.
    Models,
    /// All but the user's own: the user judges blind.
    Others,
}

impl HiddenAnswers {
    /// True if these hide a judgement from an annotator.
    pub fn hides(self, judgement: &Judgement, annotator: &str) -> bool {
        let may_hide = match self {
            Self::None => false,
            Self::Models => judgement.run.is_some(),
            Self::Others => true,
        };
        may_hide && !is_own(&judgement.by, annotator)
    }
}

/// True if what was said is an annotator's own. What nobody in particular said is not, even if the annotator is unknown.
pub fn is_own(by: &str, annotator: &str) -> bool {
    !by.is_empty() && by == annotator
}

impl DialogSource<'_> {
    /// True if an annotator is the user.
    pub(super) fn is_own(&self, annotator: &str) -> bool {
        is_own(annotator, self.annotator)
    }

    /// True if a judgement is hidden from the user.
    pub(super) fn hides(&self, judgement: &Judgement) -> bool {
        self.hidden.hides(judgement, self.annotator)
    }
}

impl<'a> Target<'a> {
    /// Returns a dialog of which nothing else is known.
    pub fn new(dialog: &'a Dialog, problems: &'a [Diagnostic]) -> Self {
        Self { dialog, problems, source: DialogSource::default() }
    }

    /// Returns the judgements about a turn that are not hidden. One of a part of a turn is about that turn; one of the
    /// whole dialog is about the turn that it points to, or else about the first.
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

    /// Returns what was said about a turn that is not hidden: judgements, then votes.
    pub(super) fn said_of(&self, turn: usize) -> impl Iterator<Item = Said<'a>> {
        let judgements = self.judgements_of(turn).map(Said::Judgement);
        let votes = self.dialog.turns.get(turn).map_or(&[][..], |turn| &turn.votes);
        judgements.chain(self.votes_in(votes).map(Said::Vote))
    }

    /// Returns those of some votes that are not hidden.
    fn votes_in(&self, votes: &'a [Vote]) -> impl Iterator<Item = &'a Vote> {
        let source = self.source;
        let is_hidden = move |vote: &&Vote| {
            source.hidden == HiddenAnswers::Others && !source.is_own(&vote.annotator)
        };
        votes.iter().filter(move |vote| !is_hidden(vote))
    }

    /// Returns all who judged the dialog or voted, and the user; at least one. Conditions side by side are about what one of
    /// them said.
    pub(super) fn people(&self) -> Vec<&'a str> {
        let all = self.judgements().map(|judgement| judgement.by.as_str());
        let voters = self.dialog.turns.iter().flat_map(|turn| self.votes_in(&turn.votes));
        let all = all.chain(voters.map(|vote| vote.annotator.as_str()));
        let mut all: Vec<_> = all.chain([self.source.annotator]).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns the problems of a turn. A problem of the whole dialog counts as one of its first turn.
    pub(super) fn problems_of(&self, turn: usize) -> &'a [Diagnostic] {
        let place = |d: &Diagnostic| d.location.turn.unwrap_or_default();
        let start = self.problems.partition_point(|d| place(d) < turn);
        let end = self.problems.partition_point(|d| place(d) <= turn);
        &self.problems[start..end]
    }
}

/// A judgement or a vote: what somebody said about a turn.
#[derive(Clone, Copy)]
pub(super) enum Said<'a> {
    Judgement(&'a Judgement),
    /// An answer to the question `breakdown`, with its comment.
    Vote(&'a Vote),
}

impl<'a> Said<'a> {
    /// Returns who said it.
    pub fn by(self) -> &'a str {
        match self {
            Self::Judgement(judgement) => &judgement.by,
            Self::Vote(vote) => &vote.annotator,
        }
    }

    /// Returns the question that it answers; empty for a note.
    pub fn question(self) -> &'a str {
        match self {
            Self::Judgement(judgement) => &judgement.question,
            Self::Vote(_) => BREAKDOWN,
        }
    }

    pub fn note(self) -> &'a str {
        match self {
            Self::Judgement(judgement) => &judgement.note,
            Self::Vote(vote) => &vote.comment,
        }
    }
}
