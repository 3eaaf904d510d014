//! The annotator's own vote on a turn: casting, commenting, marking and withdrawing it.
//!
//! A vote moves on to the next turn. A comment or mark right after it belongs to the vote just cast,
//! although the transcript has moved on; afterwards it moves on again: see [`leading`].

use crate::app::core::App;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::{adjudicate, judge, leading, queue};
use crate::app::input::Command;
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
        let vote = match breakdown {
            Breakdown::O => Command::VoteO,
            Breakdown::T => Command::VoteT,
            Breakdown::X => Command::VoteX,
        };
        return app.ask(AnnotatorPrompt::before(vote, None), "");
    }
    let was = queue::vote_here(app).filter(|was| *was != breakdown);
    let was = was.map_or_else(String::new, |was| format!("{} → ", was.letter()));
    let made = cast(app, breakdown, None, None);
    if made {
        app.judging.count(app.session.now);
        leading::advance(app);
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
    if app.scheme().is_some() {
        return app.file_of_judgements_here();
    }
    if app.judging.adjudicates {
        return app.file_of_gold_here();
    }
    match app.judging.led {
        Some([(at, _), _]) if leading::is_after_auto_advance(app) => app.file_of_votes(at),
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
    leading::go_back(app);
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
        leading::go_on(app);
        let not = if marked { "not " } else { "" };
        let turn = queue::describe_turn(app, at, turn);
        app.say(format!("{turn} is {not}marked as ungrammatical"));
    }
}

/// Withdraws the last vote if it moved on to the current turn, otherwise the one on the current turn; stays
/// on the turn of the vote.
pub fn withdraw_vote(app: &mut App) {
    leading::go_back(app);
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
