//! What breakdown votes add up to.
//!
//! A turn's votes are counted in a [`Tally`], many turns in [`Tallies`], which know majorities, ties,
//! entropy and agreement: percent agreement, Fleiss' kappa, Krippendorff's alpha. Who cast a vote
//! matters only to an [`Annotator`], who is compared with the rest, and to a [`Confusion`] of two.
//! A [`Survey`] gathers all of it from dialogs. A [`Score`] says what a detector's labels are worth, and
//! [`verdicts`] makes labels of votes. [`join`] brings together what several people have judged.
//!
//! A statistic that has no value has a reason, [`Undefined`], and never a NaN.
//!
//! This layer knows dialogs. It does not know files or screens.

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
