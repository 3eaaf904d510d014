//! Tests of `src/ontology`.

mod near;
mod table;
