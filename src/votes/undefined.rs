//! The values of statistics, and the reasons why one has none.
//!
//! A statistic is never a NaN: if it cannot be computed, it is an error with the reason.

/// The value of a statistic, or why it has none.
pub type Statistic = Result<f64, UndefinedReason>;

/// Why a statistic has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
pub enum UndefinedReason {
    #[error("these votes have no annotator id")]
    Anonymous,
    #[error("no turn was judged")]
    NoTurns,
    #[error("the detector gives no turn this label")]
    NoneDetected,
    #[error("the votes give no turn this label")]
    NoneThere,
    #[error("there are no answers")]
    NoAnswers,
    #[error("no item has two answers")]
    NoPairs,
    #[error("all answers are the same, so chance alone gives full agreement")]
    OneAnswer,
    #[error(
        "all items with several answers have the same answer, so chance alone gives full agreement"
    )]
    OneAnswerCompared,
    #[error("items have from {fewest} to {most} answers, but all must have the same number")]
    UnequalAnswers { fewest: u32, most: u32 },
    #[error("the two annotators have answered nothing in common")]
    NothingShared,
    #[error("nobody else has answered this")]
    NobodyElse,
    #[error("no answer says when it was given, or how long it took")]
    NoTimes,
    #[error("the judge is not better than chance: its TPR and TNR together are not above 1")]
    NotBetterThanChance,
    #[error("of the items that both have judged, none has this right answer")]
    NoSuchAnswer,
    #[error("nobody has judged 30 items that the judge and others also judged")]
    TooFewItems,
    #[error("there is nothing to compare")]
    NothingCompared,
    #[error("a copy has no such span")]
    CopyWithoutSpans,
    #[error("spans of one copy overlap; see the figures for each label")]
    OverlappingSpans,
    #[error("everything has the same value, so chance alone gives full agreement")]
    OneValue,
    #[error("there are more than {most} different sets")]
    TooManySets { most: u32 },
}

impl UndefinedReason {
    /// Returns the same reason, said of what copies of a corpus say instead of answers.
    #[must_use]
    pub fn of_copies(self) -> Self {
        match self {
            Self::NoAnswers | Self::NoPairs | Self::NothingShared => Self::NothingCompared,
            Self::OneAnswer | Self::OneAnswerCompared => Self::OneValue,
            other => other,
        }
    }
}

/// Returns a part of a whole, such as a share, or a sum divided by the number of its values.
///
/// # Errors
/// `otherwise`, if the whole is nothing.
pub fn ratio(part: f64, whole: u64, otherwise: UndefinedReason) -> Statistic {
    if whole > 0 { Ok(part / whole as f64) } else { Err(otherwise) }
}

/// Returns the mean of values, each with the number of times it occurs.
///
/// # Errors
/// `otherwise`, if there are none.
pub fn mean(values: impl Iterator<Item = (f64, u64)>, otherwise: UndefinedReason) -> Statistic {
    let add =
        |(sum, count), (value, times): (f64, u64)| (sum + value * times as f64, count + times);
    let (sum, count) = values.fold((0.0, 0), add);
    ratio(sum, count, otherwise)
}
