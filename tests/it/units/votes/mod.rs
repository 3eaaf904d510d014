//! Tests of `src/votes`.

mod agreement;
mod bootstrap;
mod confusion;
mod group_by;
mod ids;
mod spans_alpha_u;
mod spans_gamma;
mod spans_hits;
mod spans_matching;
mod tag_sets;
mod tallies;
mod tally;
mod verdict;
