//! Adjudicating: gold labels, which leave the votes as they are.

use crate::app::core::App;
use crate::app::feature::judging::{judge, queue};
use crate::app::pane::details::ANSWERS;
use crate::workspace::QueueKind;

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
    app.panes.details.show(ANSWERS);
    queue::queue(app, QueueKind::Undecided);
}
