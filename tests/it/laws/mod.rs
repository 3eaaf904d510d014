//! Laws: what holds of every dialog, whatever the insides of the program are.
//!
//! | law | where |
//! |---|---|
//! | what is written reads as what was meant, and nothing else has changed; undoing gives the bytes back | [`bytes`], [`any_edits`] |
//! | the differences of two copies make one of the other | [`copies`] |
//! | what one side alone has changed is in a merge or in a listed conflict, and nothing is there twice | [`merges`], [`members`], [`sides`] |
//! | figures of files one by one add up to those of all | [`figures`] |
//! | a query finds what plain loops find | [`queries`] |
//! | every text of a file is shown, or named as not read | [`invisible`] |
//!
//! Each is tried on the demo, on random changes of it, and, in tests that have `real` in their names, on the corpora of
//! `TURNWISE_CORPORA`. `tests/bench/dump.py` and `tests/bench/mutants` say what else has changed, and whether these tests would notice.

mod any_edits;
mod bytes;
pub mod copies;
mod figures;
mod invisible;
mod leaves;
mod members;
pub mod merges;
mod queries;
mod sides;
