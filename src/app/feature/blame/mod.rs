//! Shows who made each part of a dialog: a tab that is turned on, and the job that reads Git for it.

pub mod tab;

use crate::app::core::{App, Effect};
use crate::app::pane::Focus;
use crate::app::pane::details::BLAME;
use crate::app::state::{BlameProgress, BlameView, FoundBlame};

/// Turns the tab on, or off if it is shown.
pub fn toggle(app: &mut App) {
    if app.blame.is_on && app.panes.details.shown == BLAME {
        app.blame.is_on = false;
        follow(app, false);
        app.panes.details.forget();
        return app.say("no longer shown who made what");
    }
    app.blame.is_on = true;
    app.panes.details.show(BLAME);
    app.panes.details.forget();
    (app.panes.with_details, app.panes.side) = (true, Focus::Details);
}

/// Starts reading Git for the open dialog while the tab is shown, and again if the dialog has `changed`; stops when
/// either is left.
pub fn follow(app: &mut App, changed: bool) {
    let is_shown = app.blame.is_on && app.panes.details.shown == BLAME;
    let wanted = app.panes.transcript.at.filter(|_| is_shown);
    let is_known = app.blame.at == wanted && app.blame.progress != BlameProgress::Idle;
    let is_due = !is_known || changed;
    if wanted.is_none() || is_due {
        stop(app);
    }
    let Some(at) = wanted.filter(|_| is_due) else {
        return;
    };
    let number = app.blame.number + 1;
    app.blame = BlameView {
        is_on: true,
        number,
        at: Some(at),
        progress: BlameProgress::Busy { read: 0, all: 0 },
        // Until more is known, what was found before the dialog was edited is better than nothing.
        found: std::mem::take(&mut app.blame.found),
    };
    if !is_known {
        app.blame.found = FoundBlame::default();
    }
    app.panes.details.forget();
    app.request(Effect::Blame { number, at });
}

/// Stops reading Git; false if it is not being read.
fn stop(app: &mut App) -> bool {
    let is_busy = app.blame.progress.is_busy();
    if is_busy {
        app.blame.progress = BlameProgress::Idle;
        app.request(Effect::CancelBlame);
    }
    is_busy
}

/// Takes over a report of the job.
pub fn on_blamed(app: &mut App, number: u64, progress: BlameProgress, found: Option<FoundBlame>) {
    if number != app.blame.number || !app.blame.progress.is_busy() {
        return;
    }
    app.blame.progress = progress;
    if let Some(found) = found {
        app.blame.found = found;
    }
    app.panes.details.forget();
}
