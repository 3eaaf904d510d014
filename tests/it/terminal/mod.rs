//! The program in a real terminal: bytes in, bytes out, signals, sizes, and the terminal going away.
//!
//! The effect of keys on the state is tested without a terminal, in `browse/`, where it is cheap. These
//! tests try what only a terminal brings: its modes, its answers, its sizes, its end.

mod corpora;
mod crash;
mod damage;
mod endings;
mod harness;
mod help;
mod history;
mod hostile;
mod input;
mod judging;
mod looks;
mod new_logs;
mod output;
mod private;
mod reading;
mod repair;
mod setup;
mod sizes;
mod start;
mod trouble;
