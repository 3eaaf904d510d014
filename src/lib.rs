//! turnwise: browse, repair and judge dialog corpora, changing only the bytes you meant to change.

pub mod cli;
pub mod corpus;
pub mod dialog;
pub mod format;
pub mod json;
pub mod shell;
pub mod text;
