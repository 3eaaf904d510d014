//! Parts of the program by themselves, called as other parts call them: one file for each folder of src.
// One range is what is meant.
#![allow(clippy::single_range_in_vec_init)]

mod app;
mod corpus;
mod dialog;
mod export;
mod format;
mod json;
mod judging;
mod lint;
mod ontology;
mod query;
mod registries;
mod report;
mod shell;
mod text;
mod view;
mod votes;
