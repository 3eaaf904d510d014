//! Tests of `src/corpus`.

mod ids;
mod judgement_store;
mod record;
mod suggestion;
