//! Tests of `src/lint`.

mod facts_alike;
mod facts_labels;
mod facts_value;
mod repair_mender;
mod repair_quotation;
