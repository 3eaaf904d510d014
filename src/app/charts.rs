//! Charts of all votes in the open files: by system, and by the position of a turn in its dialog.

use super::{App, Effect, Focus};
use crate::workspace::{ChartProgress, Charts};

impl App {
    /// Counts all votes and shows the charts.
    pub(super) fn show_charts(&mut self) -> Vec<Effect> {
        let number = self.workspace.charts.number + 1;
        self.workspace.charts = Charts {
            number,
            ..Charts::default()
        };
        self.panes.details.show("charts");
        self.panes.details.forget();
        (self.panes.with_details, self.panes.side) = (true, Focus::Details);
        vec![Effect::CountVotes { number }]
    }

    /// Takes over the counts of the background job.
    pub(super) fn on_votes_counted(&mut self, number: u64, charts: Charts) {
        if number == self.workspace.charts.number
            && self.workspace.charts.state == ChartProgress::Busy
        {
            self.workspace.charts = charts;
            self.panes.details.forget();
        }
    }

    /// Drops the counts, as they may include votes that are hidden now.
    pub(super) fn forget_charts(&mut self) {
        let number = self.workspace.charts.number;
        let state = ChartProgress::Outdated;
        self.workspace.charts = Charts {
            number,
            state,
            ..Charts::default()
        };
    }

    /// Stops counting; None if no count is running.
    pub(super) fn cancel_charts(&mut self) -> Option<Effect> {
        if self.workspace.charts.number == 0 || self.workspace.charts.state != ChartProgress::Busy {
            return None;
        }
        self.workspace.charts.state = ChartProgress::Cancelled;
        self.panes.details.forget();
        self.say("counting votes cancelled");
        Some(Effect::CancelCount)
    }
}
