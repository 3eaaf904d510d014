//! Charts of all votes in the open files: by system, and by the position of a turn in its dialog.

use super::{App, Effect, Focus};
use crate::workspace::{ChartProgress, Charts};

impl App {
    /// Counts all votes and shows the charts.
    pub(super) fn show_charts(&mut self) -> Vec<Effect> {
        let number = self.charts.number + 1;
        self.charts = Charts {
            number,
            ..Charts::default()
        };
        self.details.show("charts");
        self.details.forget();
        (self.with_details, self.side) = (true, Focus::Details);
        vec![Effect::CountVotes { number }]
    }

    /// Takes over the counts of the background job.
    pub(super) fn on_votes_counted(&mut self, number: u64, charts: Charts) {
        if number == self.charts.number && self.charts.state == ChartProgress::Busy {
            self.charts = charts;
            self.details.forget();
        }
    }

    /// Drops the counts, as they may include votes that are hidden now.
    pub(super) fn forget_charts(&mut self) {
        let number = self.charts.number;
        let state = ChartProgress::Outdated;
        self.charts = Charts {
            number,
            state,
            ..Charts::default()
        };
    }

    /// Stops counting; None if no count is running.
    pub(super) fn cancel_charts(&mut self) -> Option<Effect> {
        if self.charts.number == 0 || self.charts.state != ChartProgress::Busy {
            return None;
        }
        self.charts.state = ChartProgress::Cancelled;
        self.details.forget();
        self.say("counting votes cancelled");
        Some(Effect::CancelCount)
    }
}
