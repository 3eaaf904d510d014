//! Adjudicating: gold labels, which leave the votes as they are. Other annotators' votes can be changed by
//! commands of their own, and only after a question.

use crate::app::core::{Answer, App, Question};
use crate::app::feature::judging::{judge, queue};
use crate::app::pane::Item;
use crate::app::pane::details::VOTES;
use crate::dialog::{Breakdown, Edit};
use crate::workspace::QueueKind;

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
        vec![(Answer::Yes, "change it"), (Answer::No, "keep it"), (Answer::Later, "keep it")]
    }

    fn answer(self: Box<Self>, app: &mut App, answer: Answer) {
        if answer == Answer::Yes {
            adjudicated(app, *self);
        }
    }
}

/// Turns adjudicator mode on or off: in it, the vote keys set the gold label of a turn.
pub fn toggle_adjudicating(app: &mut App) {
    if !app.judging.adjudicates
        && let Some(why) = app.would_tell_votes("adjudicating")
    {
        return app.complain(why);
    }
    app.judging.adjudicates = !app.judging.adjudicates;
    app.panes.details.forget();
    judge::sync_judge(app);
    if !app.judging.adjudicates {
        app.say("adjudicator mode is off");
        app.judging.queue = None;
        let before = app.judging.before.take();
        app.judging.wanted = before.unwrap_or_else(|| app.judging.wanted.clone());
        queue::end_hidden_queue(app);
        return queue::queue(app, app.judging.wanted.clone());
    }
    app.judging.before = Some(app.judging.wanted.clone());
    app.panes.details.show(VOTES);
    queue::queue(app, QueueKind::Undecided);
}

/// Changes the selected vote in the details pane.
pub fn adjudicate_chosen(app: &mut App, to: Breakdown) {
    // The vote commands are not available without a selected vote.
    if let Some(&Item::Vote { turn, vote }) = app.panes.details.item() {
        adjudicate(app, turn, vote, Some(to));
    }
}

/// Asks whether to change a vote, or to remove it if `to` is None.
pub fn adjudicate(app: &mut App, turn: usize, vote: usize, to: Option<Breakdown>) {
    if !app.judging.adjudicates {
        app.say("only adjudicators can change others' votes");
        return;
    }
    let votes = app.panes.transcript.dialog.turns.get(turn).map(|turn| &turn.votes);
    let Some(vote) = votes.and_then(|votes| votes.get(vote)).cloned() else {
        return;
    };
    let annotator = vote.annotator.to_string();
    let from = vote.breakdown.map_or("?", Breakdown::letter);
    let (edit, title) = match to {
        Some(to) if vote.breakdown == Some(to) => {
            app.say(format!("{annotator}'s vote is already {from}"));
            return;
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
            Edit::WithdrawVote { turn, annotator: annotator.clone() },
            format!("vote {from} removed in turn {turn}"),
        ),
    };
    // An edit that would be refused needs no question.
    if let Err(why) = edit.apply(&app.panes.transcript.dialog) {
        app.complain(why.to_string());
        return;
    }
    app.ask_now(ChangeVote { edit, annotator, title });
}

/// Changes another annotator's vote after the user has confirmed it.
fn adjudicated(app: &mut App, change: ChangeVote) {
    let done = change.text(app);
    app.panes.transcript.go(change.edit.turn());
    let made = app.edit(&change.edit, change.title);
    if made {
        app.say(done);
    }
}
