//! The annotator's own vote on a turn: its comment, its mark, withdrawing it; and the progress.
//!
//! A vote moves on to the next turn. A comment or mark right after it belongs to the vote just cast,
//! although the transcript has moved on; afterwards it moves on again.

use crate::app::core::app::App;
use crate::app::core::msg::Effect;
use crate::app::feature::judging::judge;
use crate::app::pane::Focus;
use crate::app::state::status::Subject;
use crate::dialog::{Edit, Mark, Vote};
use crate::text::grouped;
use crate::workspace::QueueKind;

/// Returns the annotator's vote on the current turn; reports if there is none.
pub fn judged_here(app: &mut App) -> Option<Vote> {
    let current = app.panes.transcript.current();
    let vote = current.and_then(|turn| app.own_vote(turn)).cloned();
    if vote.is_none() {
        let why = judge::not_judged(app, app.panes.transcript.turn);
        let vote = judge::vote_keys(app, "or");
        app.say(why.unwrap_or_else(|| format!("judge this turn first ({vote})")));
    }
    vote
}

/// True if the last vote moved on to the current turn, and that is not judged yet.
pub fn is_after_auto_advance(app: &App) -> bool {
    let place = app.place();
    let current = app.panes.transcript.current();
    app.judging.led.is_some_and(|[_, led]| led == place)
        && current.is_some_and(|turn| app.own_vote(turn).is_none())
}

/// Goes back to the last vote, if it moved on to here.
pub fn go_back(app: &mut App) -> Vec<Effect> {
    match app.judging.led {
        Some([(at, turn), _]) if is_after_auto_advance(app) => {
            let effects = app.open_from_list(at);
            app.panes.transcript.go(turn);
            effects
        }
        _ => {
            app.judging.led = None;
            Vec::new()
        }
    }
}

/// Moves on again after a comment or mark on the last vote, made or cancelled.
pub fn go_on(app: &mut App) -> Vec<Effect> {
    let here = app.place();
    match app.judging.led {
        Some([from, _]) if from == here => judge::advance(app),
        _ => Vec::new(),
    }
}

/// Returns the file that a vote on the current turn edits.
pub fn files_to_vote_in(app: &mut App) -> Vec<usize> {
    // The annotator's id, or the question about another's vote, comes first.
    let comes_now = app.panes.focus != Focus::Details && !app.judging.annotator.is_empty();
    if comes_now && judge::not_judged(app, app.panes.transcript.turn).is_none() {
        app.file_of_votes_here()
    } else {
        Vec::new()
    }
}

/// Returns the file of the last vote, if it moved on to here; otherwise of a vote here.
pub fn files_of_last_vote(app: &mut App) -> Vec<usize> {
    match app.judging.led {
        Some([(at, _), _]) if is_after_auto_advance(app) => app.file_of_votes(at),
        _ => app.file_of_votes_here(),
    }
}

/// Toggles the mark for an ungrammatical sentence.
pub fn toggle_ungrammatical(app: &mut App) -> Vec<Effect> {
    let mut effects = go_back(app);
    let Some(vote) = judged_here(app) else {
        return effects;
    };
    let Some(breakdown) = vote.breakdown else {
        return effects;
    };
    let place = app.place();
    let marked = vote.is_marked();
    let (made, more) = judge::cast(app, breakdown, None, Some(Mark::Flag(!marked)));
    effects.extend(more);
    if made {
        effects.extend(go_on(app));
        let not = if marked { "not " } else { "" };
        let turn = judge::describe_queue(app, place);
        app.say(format!("{turn} is {not}marked as ungrammatical"));
    }
    effects
}

pub fn withdraw_vote(app: &mut App) -> Vec<Effect> {
    if judged_here(app).is_none() {
        return Vec::new();
    }
    let edit = Edit::WithdrawVote {
        turn: app.panes.transcript.turn,
        annotator: app.judging.annotator.clone(),
    };
    let (made, effects) = app.edit(&edit, edit.title());
    if made {
        app.say(edit.title());
    }
    effects
}

/// Reports the progress, unless the status line shows something else.
pub fn report_progress(app: &mut App) {
    if app.status.is_empty()
        && let Some(progress) = progress_text(app)
    {
        app.say_about(Subject::Progress, progress);
    }
}

/// Reports the annotator id and how many turns it has judged.
pub fn progress_text(app: &App) -> Option<String> {
    let annotator = &app.judging.annotator;
    let judges = app.judges() && !annotator.is_empty();
    let (judged, all) = app.judging.progress().filter(|_| judges)?;
    let queue = match app.judging.wanted {
        QueueKind::All => String::new(),
        other => format!(" · {}", other.title()),
    };
    let (judged, all) = (grouped(judged), grouped(all));
    Some(format!(
        "annotator {annotator} · {judged} of {all} judged{queue}"
    ))
}
