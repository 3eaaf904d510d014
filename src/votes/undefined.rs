//! Why a statistic has no value.
//!
//! Nothing here is ever a NaN: a number that cannot be had is a reason, and the reason is said.

/// The value of a statistic, or why it has none.
pub type Statistic = Result<f64, Undefined>;

/// Why a statistic has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum Undefined {
    #[error("there are no votes")]
    NoVotes,
    #[error("no turn has two votes")]
    NoPairs,
    #[error("all votes say the same, so that nothing is left to chance")]
    OneLabel,
    #[error("all votes on turns with two and more say the same, so that nothing is left to chance")]
    OneLabelCompared,
    #[error("turns have from {fewest} to {most} votes, and it is defined for equally many")]
    UnequalVotes { fewest: u32, most: u32 },
    #[error("they have judged no turn together")]
    NothingShared,
    #[error("nobody else has judged these turns")]
    NobodyElse,
    #[error("nobody knows whose votes these are")]
    Anonymous,
    #[error("no turn was judged")]
    NoTurns,
    #[error("no turn is labelled so by the detector")]
    NoneDetected,
    #[error("no turn is labelled so by the votes")]
    NoneThere,
}

impl Undefined {
    /// A short name for the reason, stable across versions.
    pub fn code(self) -> &'static str {
        match self {
            Self::NoVotes => "no-votes",
            Self::NoPairs => "no-pairs",
            Self::OneLabel | Self::OneLabelCompared => "one-label",
            Self::UnequalVotes { .. } => "unequal-votes",
            Self::NothingShared => "nothing-shared",
            Self::NobodyElse => "nobody-else",
            Self::Anonymous => "anonymous",
            Self::NoTurns => "no-turns",
            Self::NoneDetected => "none-detected",
            Self::NoneThere => "none-there",
        }
    }
}

/// The mean of values that come with how often each occurs; `otherwise` if there is none.
pub(super) fn mean(
    values: impl Iterator<Item = (f64, u64)>,
    otherwise: Undefined,
) -> Result<f64, Undefined> {
    let add =
        |(sum, count), (value, times): (f64, u64)| (sum + value * times as f64, count + times);
    match values.fold((0.0, 0), add) {
        (_, 0) => Err(otherwise),
        (sum, count) => Ok(sum / count as f64),
    }
}
