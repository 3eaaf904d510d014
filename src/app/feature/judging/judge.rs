//! Judging mode and blind mode.

use crate::app::core::App;
use crate::app::feature::judging::queue;
use crate::app::input::Command;
use crate::app::pane::transcript::JudgeView;
use crate::app::state::Blind;
use crate::query::HiddenAnswers;

/// Turns judging on or off for dialogs whose formats hold no votes.
pub fn toggle_judging(app: &mut App) {
    app.judging.on = !app.judging.on;
    sync_judge(app);
    app.panes.details.forget();
    if !app.judging.on {
        app.say("judging is off; votes are still shown");
        return;
    }
    let file = app.panes.transcript.at.unwrap_or_default().file as usize;
    let folder = app.workspace.files.logs.folders.get(file);
    let folder = folder.map_or_else(String::new, |folder| folder.display().to_string());
    let vote = vote_keys(app, "and");
    app.say(format!("judge system turns with {vote}; votes are saved in {folder}"));
    app.judging.queue = None;
    queue::queue(app, app.judging.wanted.clone());
}

/// Returns the vote keys, with `and` before the last one.
pub fn vote_keys(app: &App, and: &str) -> String {
    let [o, t, x] =
        [Command::VoteO, Command::VoteT, Command::VoteX].map(|command| app.key(command));
    format!("{o}, {t} {and} {x}")
}

/// Passes the annotator and blind mode to the dialogs on the screen, and lays them out again if they changed.
pub fn sync_judge(app: &mut App) {
    let pairs = app.asks_about_pairs();
    let own = Some(app.judging.by());
    let own = own.filter(|by| !by.is_empty() && !app.judging.only.is_empty());
    let only = app.judging.only.iter().map(String::as_str).chain(own);
    let only: Vec<_> = only.map(str::to_owned).collect();
    let judgements = &mut app.workspace.files.logs.judgements;
    if judgements.pairs != pairs || *judgements.only != *only {
        (judgements.pairs, judgements.only) = (pairs, only.into());
        app.reread();
    }
    let judge = judge_of(app, app.judges());
    if app.panes.transcript.judge != judge {
        app.panes.transcript.set_judge(judge);
        app.panes.details.forget();
        // Some problems tell votes.
        app.reread();
    }
    let pinned = app.panes.pinned.as_ref();
    if let Some(at) = pinned.and_then(|pinned| pinned.transcript.at) {
        let judge = judge_of(app, app.judges_in(at));
        if let Some(pinned) = &mut app.panes.pinned
            && pinned.transcript.judge != judge
        {
            pinned.transcript.set_judge(judge);
        }
    }
}

/// Returns the annotator and blind mode in a dialog that is judged or not.
fn judge_of(app: &App, judges: bool) -> JudgeView {
    JudgeView {
        annotator: app.judging.by().to_owned(),
        hidden: match app.judging.blind {
            Blind::Always => HiddenAnswers::Others,
            Blind::Yes if judges => HiddenAnswers::Others,
            _ if judges && !app.judging.adjudicates => HiddenAnswers::Models,
            _ => HiddenAnswers::None,
        },
        reveal: app.settings.reveal,
        hides_later: app.judging.hides_later && judges,
        scheme: app.judging.asks(),
    }
}

/// Hides the turns that follow the current one, or shows them.
pub fn toggle_later(app: &mut App) {
    app.judging.hides_later = !app.judging.hides_later;
    app.say(if app.judging.hides_later {
        "the turns after this one are hidden"
    } else {
        "the turns after this one are shown"
    });
    sync_judge(app);
}

pub fn toggle_blind(app: &mut App) {
    app.judging.blind = match app.judging.blind {
        Blind::No => {
            let until = app.settings.reveal.until();
            app.say(format!("blind mode on: others' votes are hidden{until}"));
            Blind::Yes
        }
        Blind::Yes => {
            app.say("blind mode off: others' votes are shown");
            Blind::No
        }
        Blind::Always => {
            app.say("blind mode was set at the start and cannot be turned off");
            Blind::Always
        }
    };
    sync_judge(app);
}
