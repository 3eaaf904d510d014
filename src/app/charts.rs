//! Charts of all votes in the open files: by system, and by the position of a turn in its dialog.

use super::{App, Effect, Focus};
use crate::votes::group_by::Surveys;

/// The votes counted so far.
#[derive(Clone, Debug, Default)]
pub struct Charts {
    /// The number of this count, by which late results of an earlier one are recognized. 0: not started.
    pub number: u64,
    pub systems: Surveys,
    pub positions: Surveys,
    /// Files counted so far, and files to count.
    pub counted: (usize, usize),
    pub state: ChartProgress,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartProgress {
    #[default]
    Busy,
    Done,
    Cancelled,
    /// The judge may see other votes now than when they were counted.
    Outdated,
}

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
