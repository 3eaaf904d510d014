//! Changing other annotators' votes: only in adjudicator mode, and only after a question.

use super::details::Item;
use super::question::{Answer, Question};
use super::{App, Effect, command};
use crate::dialog::{Breakdown, Edit};

/// Change another annotator's vote?
#[derive(Debug)]
struct ChangeVote {
    edit: Edit,
    annotator: String,
    title: String,
}

impl Question for ChangeVote {
    fn text(&self, _: &App) -> String {
        format!("{}'s {}", self.annotator, self.title)
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![
            (Answer::Yes, "change it"),
            (Answer::No, "keep it"),
            (Answer::Later, "keep it"),
        ]
    }

    fn edits(&self, app: &mut App, answer: Answer) -> Vec<usize> {
        match answer {
            Answer::Yes => app.file_of_votes_here(),
            _ => Vec::new(),
        }
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Yes => app.adjudicated(*self),
            _ => Vec::new(),
        }
    }
}

impl App {
    /// Turns adjudicator mode on or off: in it, other annotators' votes can be changed.
    pub(super) fn toggle_adjudicating(&mut self) -> Vec<Effect> {
        self.judging.adjudicates = !self.judging.adjudicates;
        self.panes.details.forget();
        if self.judging.adjudicates {
            self.panes.details.show("votes");
            let pane = self.input.keymap.shown(&command::FOCUS_DETAILS);
            let (vote, delete) = (
                self.vote_keys("or"),
                self.input.keymap.shown(&command::ITEM_DELETE),
            );
            self.say(format!(
                "adjudicator mode: select a vote ({pane}), then {vote} changes it and {delete} removes it"
            ));
        } else {
            self.say("adjudicator mode is off");
        }
        Vec::new()
    }

    /// Changes the selected vote in the details pane.
    pub(super) fn adjudicate_chosen(&mut self, to: Breakdown) -> Vec<Effect> {
        match self.panes.details.item() {
            Some(&Item::Vote { turn, vote }) => self.adjudicate(turn, vote, Some(to)),
            // The vote commands are not available without a selected vote.
            _ => Vec::new(),
        }
    }

    /// Asks whether to change a vote, or to remove it if `to` is None.
    pub(super) fn adjudicate(
        &mut self,
        turn: usize,
        vote: usize,
        to: Option<Breakdown>,
    ) -> Vec<Effect> {
        if !self.judging.adjudicates {
            self.say("only adjudicators can change others' votes");
            return Vec::new();
        }
        let votes = self
            .panes
            .transcript
            .dialog
            .turns
            .get(turn)
            .map(|turn| &turn.votes);
        let Some(vote) = votes.and_then(|votes| votes.get(vote)).cloned() else {
            return Vec::new();
        };
        let annotator = vote.annotator.to_string();
        let from = vote.breakdown.map_or("?", Breakdown::letter);
        let (edit, title) = match to {
            Some(to) if vote.breakdown == Some(to) => {
                self.say(format!("{annotator}'s vote is already {from}"));
                return Vec::new();
            }
            Some(breakdown) => (
                Edit::CastVote {
                    turn,
                    annotator: annotator.clone(),
                    breakdown,
                    comment: None,
                    ungrammatical: None,
                },
                format!("vote {from} → {} in turn {turn}", breakdown.letter()),
            ),
            None => (
                Edit::WithdrawVote {
                    turn,
                    annotator: annotator.clone(),
                },
                format!("vote {from} removed in turn {turn}"),
            ),
        };
        // An edit that would be refused needs no question.
        if let Err(why) = edit.apply(&self.panes.transcript.dialog) {
            self.complain(why.to_string());
            return Vec::new();
        }
        self.ask_now(ChangeVote {
            edit,
            annotator,
            title,
        });
        Vec::new()
    }

    /// Changes another annotator's vote after the user has confirmed it.
    fn adjudicated(&mut self, change: ChangeVote) -> Vec<Effect> {
        let done = change.text(self);
        self.panes.transcript.go(change.edit.turn());
        let (made, effects) = self.edit(&change.edit, change.title);
        if made {
            self.say(done);
        }
        effects
    }
}
