//! What breakdown votes add up to.
//!
//! A turn's votes are counted in a [`Tally`]; everything said about them is computed from the counts
//! alone. This layer knows dialogs, not screens.

pub mod queue;
mod tally;

pub use tally::{Lenient, Tally};
