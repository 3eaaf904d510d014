//! Statistics of breakdown votes, and of the answers to other questions.
//!
//! A [`Tally`] counts the votes on one turn, [`CategoryCounts`] the answers to any question at one place;
//! [`Tallies`] count either on many turns. `Tallies` compute ties, entropy and agreement: percent agreement,
//! Fleiss' kappa, Krippendorff's alpha. Only two statistics depend on who cast a vote: [`Annotator`] compares
//! one annotator with the rest, and [`Confusion`] compares two. [`Ratings`] hold answers, votes among them, from which
//! all of this is computed, and a [`Bootstrap`] of their dialogs gives intervals. A [`Score`] rates
//! the labels of a detector, and [`verdicts`] turns votes into labels. [`spans`] has the agreement of copies about spans,
//! [`SetTable`] that about acts, states and texts.
//!
//! A statistic without a value has a reason, [`UndefinedReason`], and is never a NaN.
//!
//! This layer knows dialogs, but not files or screens.

mod agreement;
mod annotator;
mod bootstrap;
mod by_annotator;
mod confusion;
mod counted;
mod figure;
pub mod group_by;
pub mod ids;
mod invalid;
mod judge;
pub mod judgeable;
mod measure;
mod ratings;
mod score;
mod scored_turns;
mod set_table;
pub mod spans;
pub mod student;
mod tag_sets;
mod tallies;
mod tally;
mod undefined;
mod verdict;
pub mod vote_log;

pub use agreement::Distances;
pub use annotator::Annotator;
pub use bootstrap::{Bootstrap, Interval, percentile};
pub use by_annotator::VotesBy;
pub use confusion::Confusion;
pub use counted::{CategoryCounts, Counted};
pub use figure::Figure;
pub use invalid::InvalidVotes;
pub use judge::{AltTest, ENOUGH, FEWEST, JudgeRates, Replaced};
pub use measure::{HitCounts, LabelGrouping};
pub use ratings::{ANONYMOUS, Drawable, RatedItem, Rating, Ratings};
pub use score::{Pairing, Score, ScoreError, TargetLabels, TurnMismatch};
pub use scored_turns::{ScoredTurn, judged};
pub use set_table::{DialogTexts, SetCounts, SetTable};
pub use tag_sets::{Closeness, SetDistance};
pub use tallies::Tallies;
pub use tally::{LenientLabel, Tally};
pub use undefined::{Statistic, UndefinedReason, mean, ratio};
pub use verdict::{Verdict, VerdictError, VoteSource, verdicts};
