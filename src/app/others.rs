//! What somebody else has judged in an earlier run on this machine.
//!
//! The history of a file is that of all who have used it here. Their votes are theirs: nobody takes
//! them back or makes them again in passing, and a blind judge does not read them in the list of edits.

use std::borrow::Cow;
use std::ops::Range;

use super::App;
use super::editing::{NOW, Step};
use crate::dialog::Edit;

impl App {
    /// Whose vote a step is about, if it is that of somebody else, in an earlier run.
    fn judged_by_another<'s>(&self, step: &'s Step) -> Option<&'s str> {
        match &step.edit {
            Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => {
                let another = step.when != NOW && *annotator != self.judging.annotator;
                another.then_some(annotator)
            }
            _ => None,
        }
    }

    /// True if nothing of it is somebody else's; if not, it is said whose.
    pub(super) fn may_step(&mut self, steps: Range<usize>) -> bool {
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
    pub fn title_of<'s>(&self, step: &'s Step) -> Cow<'s, str> {
        if self.transcript.judge.blind && self.judged_by_another(step).is_some() {
            return format!("a vote on turn {}, hidden", step.edit.turn()).into();
        }
        step.title.as_str().into()
    }
}
