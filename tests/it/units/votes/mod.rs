//! Tests of `src/votes`.

mod agreement;
mod bootstrap;
mod confusion;
mod group_by;
mod ids;
mod score;
mod set_table;
mod spans_alpha_u;
mod spans_gamma;
mod spans_hits;
mod spans_matching;
mod spans_u_alpha;
mod student;
mod tag_sets;
mod tallies;
mod tally;
mod verdict;
