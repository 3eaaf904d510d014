//! Tests of `src/ontology`.

mod near;
mod state;
mod table;
