//! Tests of `src/votes`.

mod agreement;
mod bootstrap;
mod confusion;
mod group_by;
mod ids;
mod set_table;
mod spans_gamma;
mod spans_hits;
mod spans_matching;
mod student;
mod tag_sets;
mod tallies;
mod tally;
mod verdict;
