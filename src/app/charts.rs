//! What all votes of the open files say: by system, and by the place of a turn in its dialog.

use super::{App, Effect, Focus};
use crate::votes::group_by::Surveys;

/// What was counted so far.
#[derive(Clone, Debug, Default)]
pub struct Charts {
    /// Counts countings, so that what comes late from an earlier one is known. 0: none was asked for.
    pub number: u64,
    pub systems: Surveys,
    pub positions: Surveys,
    /// Files that are counted, of how many.
    pub counted: (usize, usize),
    pub state: ChartProgress,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChartProgress {
    #[default]
    Busy,
    Done,
    Cancelled,
    /// What may be seen is not what it was when votes were counted.
    Outdated,
}

impl App {
    /// Counts all votes and shows what they say.
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

    /// Votes were counted.
    pub(super) fn on_votes_counted(&mut self, number: u64, charts: Charts) {
        if number == self.charts.number && self.charts.state == ChartProgress::Busy {
            self.charts = charts;
            self.details.forget();
        }
    }

    /// What was counted may be hidden now.
    pub(super) fn forget_charts(&mut self) {
        let number = self.charts.number;
        let state = ChartProgress::Outdated;
        self.charts = Charts {
            number,
            state,
            ..Charts::default()
        };
    }

    /// Stops counting; None if nothing is counted.
    pub(super) fn cancel_charts(&mut self) -> Option<Effect> {
        if self.charts.number == 0 || self.charts.state != ChartProgress::Busy {
            return None;
        }
        self.charts.state = ChartProgress::Cancelled;
        self.details.forget();
        self.say("counting votes was stopped");
        Some(Effect::CancelCount)
    }
}
