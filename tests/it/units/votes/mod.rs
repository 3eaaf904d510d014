//! Tests of `src/votes`.

mod agreement;
mod annotator;
mod bootstrap;
mod confusion;
mod counted;
mod group_by;
mod ids;
mod judge;
mod ratings;
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
mod vote_log;
