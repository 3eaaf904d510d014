//! Changing others' votes, which only an adjudicator does, and only after being asked.

use super::details::Item;
use super::{App, Effect, Overlay, Question, command};
use crate::dialog::{Breakdown, Edit};

impl App {
    /// Lets others' votes be changed, or no more.
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
                "you adjudicate: choose a vote ({pane}), then {vote} changes it and {delete} removes it"
            ));
        } else {
            self.say("others' votes are not changed any more");
        }
        Vec::new()
    }

    /// Changes the vote that is chosen in the details.
    pub(super) fn adjudicate_chosen(&mut self, to: Breakdown) -> Vec<Effect> {
        match self.details.item() {
            Some(&Item::Vote { turn, vote }) => self.adjudicate(turn, vote, Some(to)),
            // The commands that vote do not run without one.
            _ => Vec::new(),
        }
    }

    /// Asks whether a vote is to become another one, or to be removed.
    pub(super) fn adjudicate(
        &mut self,
        turn: usize,
        vote: usize,
        to: Option<Breakdown>,
    ) -> Vec<Effect> {
        if !self.judging.adjudicates {
            self.say("only an adjudicator changes others' votes");
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
                self.say(format!("{annotator} says {from} already"));
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
        // What would be refused is not asked about.
        if let Err(why) = edit.apply(&self.transcript.dialog) {
            self.complain(why.to_string());
            return Vec::new();
        }
        self.overlay = Some(Overlay::Question(Question::Adjudicate { edit, title }));
        Vec::new()
    }

    /// The change of another's vote was confirmed.
    pub(super) fn adjudicated(&mut self, edit: &Edit, title: String) -> Vec<Effect> {
        self.transcript.go(edit.turn());
        let said = title.clone();
        let (made, effects) = self.edit(edit, title);
        if made {
            self.say(said);
        }
        effects
    }
}
