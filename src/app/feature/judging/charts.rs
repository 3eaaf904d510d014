//! Charts of all votes in the open files: by system, and by the position of a turn in its dialog.

use crate::app::core::{App, Effect};
use crate::app::pane::Focus;
use crate::app::pane::details::CHARTS;
use crate::workspace::{ChartProgress, Charts};

/// Counts all votes and shows the charts.
pub fn show_charts(app: &mut App) {
    let number = app.workspace.charts.number + 1;
    app.workspace.charts = Charts { number, ..Charts::default() };
    app.panes.details.show(CHARTS);
    app.panes.details.forget();
    (app.panes.with_details, app.panes.side) = (true, Focus::Details);
    app.request(Effect::CountVotes { number });
}

/// Takes over the counts of the background job.
pub fn on_votes_counted(app: &mut App, number: u64, charts: Charts) {
    if number == app.workspace.charts.number && app.workspace.charts.state == ChartProgress::Busy {
        app.workspace.charts = charts;
        app.panes.details.forget();
    }
}

/// Drops the counts, as they may include votes that are hidden now.
pub fn forget_charts(app: &mut App) {
    let number = app.workspace.charts.number;
    let state = ChartProgress::Outdated;
    app.workspace.charts = Charts { number, state, ..Charts::default() };
}

/// Stops counting; false if no count is running.
pub fn cancel_charts(app: &mut App) -> bool {
    if app.workspace.charts.number == 0 || app.workspace.charts.state != ChartProgress::Busy {
        return false;
    }
    app.workspace.charts.state = ChartProgress::Cancelled;
    app.panes.details.forget();
    app.say("counting votes cancelled");
    app.request(Effect::CancelCount);
    true
}
