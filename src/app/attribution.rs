//! What somebody else has judged in an earlier run on this machine.
//!
//! The history of a file is that of all who have used it here. Their votes are theirs: nobody takes
//! them back or makes them again in passing, and a blind judge does not read them in the list of edits.

use std::borrow::Cow;
use std::ops::Range;

use super::App;
use super::undo::{THIS_RUN, UndoStep};
use crate::dialog::Edit;

impl App {
    /// Whose vote an edit is about, if it is that of somebody else.
    fn by_another<'e>(&self, edit: &'e Edit) -> Option<&'e str> {
        match edit {
            Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
                (*annotator != self.judging.annotator).then_some(annotator)
            }
            _ => None,
        }
    }

    /// As [`App::by_another`], of what an earlier run has done.
    fn judged_by_another<'s>(&self, step: &'s UndoStep) -> Option<&'s str> {
        self.by_another(&step.edit)
            .filter(|_| step.when != THIS_RUN)
    }

    /// True if an edit of an earlier run is a vote that this judge is not to see.
    pub(super) fn hides_edit(&self, edit: &Edit) -> bool {
        self.transcript.judge.blind && self.by_another(edit).is_some()
    }

    /// True if nothing of it is somebody else's; if not, it is said whose.
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

    /// What a step did, as far as a blind judge may know.
    pub fn title_of<'s>(&self, step: &'s UndoStep) -> Cow<'s, str> {
        self.titled(&step.title, &step.edit, step.when == THIS_RUN)
    }

    /// As [`App::title_of`], of an edit with this title, which was made in this run or in an earlier one.
    pub(super) fn titled<'t>(&self, title: &'t str, edit: &Edit, now: bool) -> Cow<'t, str> {
        if !now && self.hides_edit(edit) {
            return format!("a vote on turn {}, hidden", edit.turn()).into();
        }
        match self.by_another(edit) {
            // What an adjudicator did begins with whose vote it was.
            Some(by) if !title.starts_with(&format!("{by}'s vote ")) => {
                format!("{title} by {by}").into()
            }
            _ => title.into(),
        }
    }
}
