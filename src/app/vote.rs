//! The annotator's own vote on a turn: its comment, its mark, withdrawing it; and the progress.
//!
//! A vote moves on to the next turn. A comment or mark right after it belongs to the vote just cast,
//! although the transcript has moved on; afterwards it moves on again.

use super::status::Subject;
use super::{App, Effect, Focus};
use crate::dialog::{Edit, Mark, Vote};
use crate::text::grouped;
use crate::workspace::QueueKind;

impl App {
    /// Returns the annotator's vote on the current turn; reports if there is none.
    pub(super) fn judged_here(&mut self) -> Option<Vote> {
        let current = self.panes.transcript.current();
        let vote = current.and_then(|turn| self.own_vote(turn)).cloned();
        if vote.is_none() {
            let why = self.not_judged(self.panes.transcript.turn);
            let vote = self.vote_keys("or");
            self.say(why.unwrap_or_else(|| format!("judge this turn first ({vote})")));
        }
        vote
    }

    /// True if the last vote moved on to the current turn, and that is not judged yet.
    pub(super) fn is_after_auto_advance(&self) -> bool {
        let place = self.place();
        let current = self.panes.transcript.current();
        self.judging.led.is_some_and(|[_, led]| led == place)
            && current.is_some_and(|turn| self.own_vote(turn).is_none())
    }

    /// Goes back to the last vote, if it moved on to here.
    pub(super) fn go_back(&mut self) -> Vec<Effect> {
        match self.judging.led {
            Some([(at, turn), _]) if self.is_after_auto_advance() => {
                let effects = self.open_from_list(at);
                self.panes.transcript.go(turn);
                effects
            }
            _ => {
                self.judging.led = None;
                Vec::new()
            }
        }
    }

    /// Moves on again after a comment or mark on the last vote, made or cancelled.
    pub(super) fn go_on(&mut self) -> Vec<Effect> {
        let here = self.place();
        match self.judging.led {
            Some([from, _]) if from == here => self.advance(),
            _ => Vec::new(),
        }
    }

    /// Returns the file that a vote on the current turn edits.
    pub(super) fn files_to_vote_in(&mut self) -> Vec<usize> {
        // The annotator's id, or the question about another's vote, comes first.
        let comes_now = self.panes.focus != Focus::Details && !self.judging.annotator.is_empty();
        if comes_now && self.not_judged(self.panes.transcript.turn).is_none() {
            self.file_of_votes_here()
        } else {
            Vec::new()
        }
    }

    /// Returns the file of the last vote, if it moved on to here; otherwise of a vote here.
    pub(super) fn files_of_last_vote(&mut self) -> Vec<usize> {
        match self.judging.led {
            Some([(at, _), _]) if self.is_after_auto_advance() => self.file_of_votes(at),
            _ => self.file_of_votes_here(),
        }
    }

    /// Toggles the mark for an ungrammatical sentence.
    pub(super) fn toggle_ungrammatical(&mut self) -> Vec<Effect> {
        let mut effects = self.go_back();
        let Some(vote) = self.judged_here() else {
            return effects;
        };
        let Some(breakdown) = vote.breakdown else {
            return effects;
        };
        let place = self.place();
        let marked = vote.is_marked();
        let (made, more) = self.cast(breakdown, None, Some(Mark::Flag(!marked)));
        effects.extend(more);
        if made {
            effects.extend(self.go_on());
            let not = if marked { "not " } else { "" };
            let turn = self.describe_queue(place);
            self.say(format!("{turn} is {not}marked as ungrammatical"));
        }
        effects
    }

    pub(super) fn withdraw_vote(&mut self) -> Vec<Effect> {
        if self.judged_here().is_none() {
            return Vec::new();
        }
        let edit = Edit::WithdrawVote {
            turn: self.panes.transcript.turn,
            annotator: self.judging.annotator.clone(),
        };
        let (made, effects) = self.edit(&edit, edit.title());
        if made {
            self.say(edit.title());
        }
        effects
    }

    /// Reports the progress, unless the status line shows something else.
    pub(super) fn report_progress(&mut self) {
        if self.status.is_empty()
            && let Some(progress) = self.progress_text()
        {
            self.say_about(Subject::Progress, progress);
        }
    }

    /// Reports the annotator id and how many turns it has judged.
    pub(super) fn progress_text(&self) -> Option<String> {
        let annotator = &self.judging.annotator;
        let judges = self.judges() && !annotator.is_empty();
        let (judged, all) = self.judging.progress().filter(|_| judges)?;
        let queue = match self.judging.wanted {
            QueueKind::All => String::new(),
            other => format!(" · {}", other.title()),
        };
        let (judged, all) = (grouped(judged), grouped(all));
        Some(format!(
            "annotator {annotator} · {judged} of {all} judged{queue}"
        ))
    }
}
