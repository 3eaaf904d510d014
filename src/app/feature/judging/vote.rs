//! The annotator's own vote on a turn: casting, commenting, marking and withdrawing it.
//!
//! A vote moves on to the next turn. A comment or mark right after it belongs to the vote just cast,
//! although the transcript has moved on; afterwards it moves on again.

use crate::app::core::App;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::{adjudicate, answering, judge, queue};
use crate::app::input::Command;
use crate::app::state::judging::WaitingVote;
use crate::dialog::{Breakdown, Edit, Mark, Vote};

/// Casts a vote on the current turn, and advances to the next turn the annotator has not judged.
pub fn vote(app: &mut App, breakdown: Breakdown) {
    let (at, turn) = app.place();
    if let Some(why) = queue::not_judged(app, turn) {
        let skip = app.key(Command::VoteSkip);
        app.say(format!("{why} · {skip} goes to the next system turn"));
        return;
    }
    if app.judging.adjudicates {
        return adjudicate::decide(app, breakdown);
    }
    if app.judging.annotator.is_empty() {
        app.judging.waiting = Some(WaitingVote::Breakdown(breakdown));
        return app.ask(AnnotatorPrompt, "");
    }
    let was = queue::vote_here(app).filter(|was| *was != breakdown);
    let was = was.map_or_else(String::new, |was| format!("{} → ", was.letter()));
    let made = cast(app, breakdown, None, None);
    if made {
        app.judging.count(app.session.now);
        advance(app);
        let voted = format!(
            "{was}{} on {}",
            breakdown.letter(),
            queue::describe_turn(app, at, turn)
        );
        if !app.status.bad {
            app.say_first(voted);
        }
    }
}

pub fn cast(
    app: &mut App,
    breakdown: Breakdown,
    comment: Option<String>,
    ungrammatical: Option<Mark>,
) -> bool {
    let edit = Edit::CastVote {
        turn: app.panes.transcript.turn,
        annotator: app.judging.annotator.clone(),
        breakdown,
        comment,
        ungrammatical,
    };
    let title = match queue::vote_here(app) {
        Some(was) if was != breakdown => {
            let (was, is) = (was.letter(), breakdown.letter());
            format!("vote {was} → {is} on turn {}", app.panes.transcript.turn)
        }
        _ => edit.title(),
    };
    app.edit(&edit, title)
}

/// Moves to the next turn to judge, and remembers the current one.
pub fn advance(app: &mut App) {
    let from = app.place();
    queue::next_to_judge(app, false);
    app.judging.led = Some([from, app.place()]);
}

/// Returns the annotator's vote on the current turn, or an adjudicator's label as a vote; reports if there
/// is none.
pub fn judged_here(app: &mut App) -> Option<Vote> {
    let current = app.panes.transcript.current();
    let vote = if app.judging.adjudicates {
        let gold = current.and_then(|turn| turn.gold.as_ref());
        gold.map(|gold| Vote {
            breakdown: gold.breakdown,
            comment: gold.comment.clone(),
            ..Vote::default()
        })
    } else {
        current.and_then(|turn| app.own_vote(turn)).cloned()
    };
    if vote.is_none() {
        let why = queue::not_judged(app, app.panes.transcript.turn);
        let vote = judge::vote_keys(app, "or");
        app.say(why.unwrap_or_else(|| format!("judge this turn first ({vote})")));
    }
    vote
}

/// True if the last vote moved on to the current turn, and that is not judged yet.
pub fn is_after_auto_advance(app: &App) -> bool {
    let place = app.place();
    let shown = &app.panes.transcript;
    app.judging.led.is_some_and(|[_, led]| led == place)
        && shown.current().is_some()
        && !shown.judge.has_judged(&shown.dialog, shown.turn)
}

/// Goes back to the turn of the last vote, if that vote moved on to the current turn.
pub fn go_back(app: &mut App) {
    match app.judging.led {
        Some([(at, turn), _]) if is_after_auto_advance(app) => {
            app.open_from_list(at);
            app.panes.transcript.go(turn);
        }
        _ => {
            app.judging.led = None;
        }
    }
}

/// Moves on again after a comment or mark on the last vote, made or cancelled.
pub fn go_on(app: &mut App) {
    let here = app.place();
    match app.judging.led {
        Some([from, _]) if from == here => advance(app),
        _ => {}
    }
}

/// Returns the file that a vote on the current turn edits.
pub fn files_to_vote_in(app: &mut App) -> Vec<usize> {
    if queue::not_judged(app, app.panes.transcript.turn).is_some() {
        return Vec::new();
    }
    if app.judging.adjudicates {
        return app.file_of_gold_here();
    }
    // The annotator's id comes first.
    if app.judging.annotator.is_empty() {
        return Vec::new();
    }
    app.file_of_votes_here()
}

/// Returns the file of the last vote, if it moved on to here; otherwise of a vote here.
pub fn files_of_last_vote(app: &mut App) -> Vec<usize> {
    if answering::scheme_here(app).is_some() {
        return app.file_of_judgements_here();
    }
    if app.judging.adjudicates {
        return app.file_of_gold_here();
    }
    match app.judging.led {
        Some([(at, _), _]) if is_after_auto_advance(app) => app.file_of_votes(at),
        _ => app.file_of_votes_here(),
    }
}

/// Toggles the mark for an ungrammatical sentence.
pub fn toggle_ungrammatical(app: &mut App) {
    if app.judging.adjudicates {
        let comment = app.key(Command::VoteComment);
        app.say(format!(
            "a gold label has no such mark; {comment} gives a reason"
        ));
        return;
    }
    go_back(app);
    let Some(vote) = judged_here(app) else {
        return;
    };
    let Some(breakdown) = vote.breakdown else {
        return;
    };
    let (at, turn) = app.place();
    let marked = vote.is_marked();
    let made = cast(app, breakdown, None, Some(Mark::Flag(!marked)));
    if made {
        go_on(app);
        let not = if marked { "not " } else { "" };
        let turn = queue::describe_turn(app, at, turn);
        app.say(format!("{turn} is {not}marked as ungrammatical"));
    }
}

/// Withdraws the last vote if it moved on to the current turn, otherwise the one on the current turn; stays
/// on the turn of the vote.
pub fn withdraw_vote(app: &mut App) {
    go_back(app);
    if judged_here(app).is_none() {
        return;
    }
    if app.judging.adjudicates {
        adjudicate::remove_gold(app);
        return;
    }
    let edit = Edit::WithdrawVote {
        turn: app.panes.transcript.turn,
        annotator: app.judging.annotator.clone(),
    };
    let made = app.edit(&edit, edit.title());
    if made {
        app.say(edit.title());
    }
}
