//! All votes in the open files, counted by system and by the position of a turn in its dialog.

use crate::dialog::Short;
use crate::votes::group_by::Shares;

/// The votes counted so far.
#[derive(Clone, Debug, Default)]
pub struct Charts {
    /// The number of this count, by which late results of an earlier one are recognized. 0: not started.
    pub number: u64,
    pub systems: Shares<Short>,
    pub positions: Shares<u32>,
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
    /// The votes that the judge may see have changed since the count.
    Outdated,
}
