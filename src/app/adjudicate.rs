//! Changing other annotators' votes: only in adjudicator mode, and only after a question.

use super::details::Item;
use super::question::{Answer, Question};
use super::{App, Effect, command};
use crate::dialog::{Breakdown, Edit};

/// Change another annotator's vote?
#[derive(Debug)]
struct ChangeVote {
    edit: Edit,
    title: String,
}

impl Question for ChangeVote {
    fn text(&self, _: &App) -> String {
        self.title.clone()
    }

    fn answers(&self, _: &App) -> Vec<(Answer, &'static str)> {
        vec![
            (Answer::Yes, "change it"),
            (Answer::No, "keep it"),
            (Answer::Later, "keep it"),
        ]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) -> Vec<Effect> {
        match answer {
            Answer::Yes => app.adjudicated(&self.edit, self.title),
            _ => Vec::new(),
        }
    }
}

impl App {
    /// Turns adjudicator mode on or off: in it, other annotators' votes can be changed.
    pub(super) fn toggle_adjudicating(&mut self) -> Vec<Effect> {
        self.judging.adjudicates = !self.judging.adjudicates;
        self.details.forget();
        if self.judging.adjudicates {
            self.details.show("votes");
            let pane = self.keymap.shown(&command::FOCUS_DETAILS);
            let (vote, delete) = (
                self.vote_keys("or"),
                self.keymap.shown(&command::ITEM_DELETE),
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
        match self.details.item() {
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
                format!(
                    "{annotator}'s vote {from} → {} in turn {turn}",
                    breakdown.letter()
                ),
            ),
            None => (
                Edit::WithdrawVote {
                    turn,
                    annotator: annotator.clone(),
                },
                format!("{annotator}'s vote {from} removed in turn {turn}"),
            ),
        };
        // An edit that would be refused needs no question.
        if let Err(why) = edit.apply(&self.transcript.dialog) {
            self.complain(why.to_string());
            return Vec::new();
        }
        self.ask_now(ChangeVote { edit, title });
        Vec::new()
    }

    /// Changes another annotator's vote after the user has confirmed it.
    pub(super) fn adjudicated(&mut self, edit: &Edit, title: String) -> Vec<Effect> {
        self.transcript.go(edit.turn());
        let status = title.clone();
        let (made, effects) = self.edit(edit, title);
        if made {
            self.say(status);
        }
        effects
    }
}
