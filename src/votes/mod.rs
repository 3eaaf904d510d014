//! Statistics of breakdown votes.
//!
//! A [`Tally`] counts the votes on one turn, [`Tallies`] those on many turns. `Tallies` compute
//! majorities, ties, entropy and agreement: percent agreement, Fleiss' kappa, Krippendorff's alpha. Only
//! two statistics depend on who cast a vote: [`Annotator`] compares one annotator with the rest, and
//! [`Confusion`] compares two. A [`Survey`] collects all of this from dialogs. A [`Score`] rates the
//! labels of a detector, [`verdicts`] turns votes into labels, and [`join`] merges the votes of several
//! copies of a log.
//!
//! A statistic without a value has a reason, [`Undefined`], and is never a NaN.
//!
//! This layer knows dialogs, but not files or screens.

mod agreement;
mod annotator;
pub mod beside;
mod confusion;
pub mod ids;
mod judged;
mod measure;
mod merge;
pub mod queue;
mod score;
pub mod split;
mod survey;
mod tallies;
mod tally;
mod undefined;
mod verdict;

pub use agreement::Level;
pub use annotator::Annotator;
pub use confusion::Confusion;
pub use judged::{Judged, judged};
pub use measure::{Found, Grouping};
pub use merge::{Apart, Conflict, Joined, Prefer, join};
pub use score::{Crossed, Pairing, Score, Sought, Unscored};
pub use survey::{Odd, Survey};
pub use tallies::{Majorities, Tallies};
pub use tally::{Lenient, Tally};
pub use undefined::{Statistic, Undefined};
pub use verdict::{NoLabels, Whose, verdicts};
