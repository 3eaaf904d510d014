//! Tests of `src/format`.

mod embedded;
mod families_dbdc_log;

mod folder;
