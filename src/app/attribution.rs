//! Attribution of edits from earlier runs on this machine to their annotators.
//!
//! A file's history holds the edits of everybody who has used it here. An annotator's votes are
//! theirs: nobody else undoes or redoes them in passing, and blind annotators do not see them in
//! the list of edits.

use std::borrow::Cow;
use std::ops::Range;

use super::App;
use super::undo::{THIS_RUN, UndoStep};
use crate::dialog::Edit;

impl App {
    /// Returns the annotator whose vote this edit changes, if it is somebody else.
    fn by_another<'e>(&self, edit: &'e Edit) -> Option<&'e str> {
        match edit {
            Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
                (*annotator != self.judging.annotator).then_some(annotator)
            }
            _ => None,
        }
    }

    /// Like [`App::by_another`], for a step of an earlier run.
    fn judged_by_another<'s>(&self, step: &'s UndoStep) -> Option<&'s str> {
        self.by_another(&step.edit)
            .filter(|_| step.when != THIS_RUN)
    }

    /// Returns true if this edit of an earlier run is a vote that a blind annotator must not see.
    pub(super) fn hides_edit(&self, edit: &Edit) -> bool {
        self.transcript.judge.blind && self.by_another(edit).is_some()
    }

    /// Returns true if none of the steps is somebody else's vote; otherwise reports whose it is.
    pub(super) fn may_undo(&mut self, steps: Range<usize>) -> bool {
        if self.judging.adjudicates {
            return true;
        }
        let mut all = self.steps.all[steps].iter();
        let Some(by) = all.find_map(|step| self.judged_by_another(step)) else {
            return true;
        };
        let told =
            format!("{by} has judged there in an earlier run; adjudicate lets you change it");
        self.complain(told);
        false
    }

    /// Returns the title of a step, without what a blind annotator must not see.
    pub fn title_of<'s>(&self, step: &'s UndoStep) -> Cow<'s, str> {
        self.titled(&step.title, &step.edit, step.when == THIS_RUN)
    }

    /// Like [`App::title_of`], for an edit with this title; `now` if it was made in this run.
    pub(super) fn titled<'t>(&self, title: &'t str, edit: &Edit, now: bool) -> Cow<'t, str> {
        if !now && self.hides_edit(edit) {
            return format!("a vote on turn {}, hidden", edit.turn()).into();
        }
        match self.by_another(edit) {
            // Titles of adjudicated votes already name the annotator.
            Some(by) if !title.starts_with(&format!("{by}'s vote ")) => {
                format!("{title} by {by}").into()
            }
            _ => title.into(),
        }
    }
}
