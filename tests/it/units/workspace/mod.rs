//! Tests of `src/workspace`.

mod journal_entry;
