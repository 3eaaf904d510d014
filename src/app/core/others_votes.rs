//! Hides from a judge what other annotators answered, and gold labels that were set, in earlier runs on this machine.
//!
//! The history of a file holds the edits of everyone who used it here. Undo and redo do not touch other
//! annotators' answers or gold labels, and the list of edits does not show them to a blind judge.

use std::borrow::Cow;
use std::ops::Range;

use crate::app::core::App;
use crate::app::input::Command;
use crate::app::state::Blind;
use crate::dialog::{Dialog, Edit, EditKind, Turn};
use crate::workspace::{DialogId, UndoStep};

impl App {
    /// Returns why `what`, which tells others' votes, is refused while those are hidden; None if they are not.
    pub fn would_tell_votes(&self, what: &str) -> Option<String> {
        let shows = match self.judging.blind {
            Blind::No => return None,
            Blind::Always => "start without --blind to see them".to_owned(),
            Blind::Yes => format!("{} shows them", self.key(Command::Blind)),
        };
        Some(format!("{what} would reveal others' votes, which are hidden · {shows}"))
    }

    /// Returns why `what`, which tells something about all turns, is refused while those after the current one are hidden;
    /// None if they are not.
    pub fn would_tell_later(&self, what: &str) -> Option<String> {
        self.panes.transcript.judge.hides_later.then(|| {
            let shows = self.key(Command::HideLater);
            format!("{what} would reveal the turns after this one, which are hidden · {shows} shows them")
        })
    }

    /// Returns the annotator whose answer an edit changes, if it is not the current one.
    pub fn by_another<'e>(&self, edit: &'e Edit) -> Option<&'e str> {
        let by = match edit {
            Edit::CastVote { annotator, .. } | Edit::WithdrawVote { annotator, .. } => annotator,
            Edit::Judge { judgement } => judgement.by.as_str(),
            _ => return None,
        };
        (*by != *self.judging.by()).then_some(by)
    }

    /// True if an edit is an answer of somebody else that this judge must not see. Gold labels are an adjudicator's.
    pub fn hides_edit(&self, edit: &Edit) -> bool {
        let is_others = match edit.about() {
            EditKind::Gold => !self.judging.adjudicates,
            _ => self.by_another(edit).is_some(),
        };
        self.panes.transcript.judge.is_blind() && is_others
    }

    /// True if the text of a dialog, as its file has it, tells answers that this judge must not see.
    pub fn hides_text(&self, at: DialogId) -> bool {
        let judge = &self.panes.transcript.judge;
        let tells = |dialog: &Dialog| {
            let of_others = |turn: &Turn| turn.votes.len() > usize::from(judge.own(turn).is_some());
            let mut turns = dialog.turns.iter().filter(|turn| judge.hides(dialog, turn));
            turns.any(of_others)
                || dialog.all_judgements().any(|given| judge.hides_judgement(dialog, given))
        };
        judge.is_blind() && self.workspace.files.read_own(at).is_some_and(|dialog| tells(&dialog))
    }

    /// True if none of these steps is another annotator's or a gold label, of an earlier run; otherwise reports
    /// what it is.
    pub fn may_undo(&mut self, steps: Range<usize>) -> bool {
        let why = self.workspace.steps.all()[steps].iter().find_map(|step| self.is_of_others(step));
        if let Some(why) = &why {
            self.complain(why);
        }
        why.is_none()
    }

    /// Returns why this annotator may not take a step back or make it again; None if they may.
    fn is_of_others(&self, step: &UndoStep) -> Option<String> {
        if self.judging.adjudicates || step.made.is_of_this_run() {
            return None;
        }
        let (what, of) = match (self.by_another(step.made.edit()), step.made.edit()) {
            (Some(by), Edit::Judge { .. }) => (format!("{by} gave that answer"), "others' answers"),
            (Some(by), _) => (format!("{by} cast that vote"), "others' votes"),
            (None, edit) if edit.about() == EditKind::Gold => {
                ("that gold label was set".to_owned(), "gold labels")
            }
            _ => return None,
        };
        let lets = match self.judging.blind {
            Blind::Always => "to undo this, start as an adjudicator and without --blind".to_owned(),
            _ => format!("{} lets you undo", self.key(Command::Adjudicate)),
        };
        Some(format!("{what} in an earlier run; {lets} {of}"))
    }

    /// Returns the title of a step; answers that a blind judge must not see are hidden in it.
    pub fn title_of<'s>(&self, step: &'s UndoStep) -> Cow<'s, str> {
        self.titled(&step.made.title, step.made.edit())
    }

    /// As [`App::title_of`], for an edit with this title.
    pub fn titled<'t>(&self, title: &'t str, edit: &Edit) -> Cow<'t, str> {
        if self.hides_edit(edit) {
            let (what, turn) = match edit {
                Edit::Judge { judgement } => ("an answer", judgement.found_at()),
                _ if edit.about() == EditKind::Gold => ("a gold label", edit.turn()),
                _ => ("a vote", edit.turn()),
            };
            return format!("{what} on turn {turn}, hidden").into();
        }
        match self.by_another(edit) {
            // The title names the answer, comment or mark.
            Some(by) => format!("{by}'s {title}").into(),
            None => title.into(),
        }
    }
}
