//! The engine that reads dialogs and writes edits: one edit or many, checked by reading the result.

pub mod batch;
pub mod compare;
pub mod edit;
pub mod explain;
pub mod numbers;
pub mod put;
pub mod read;
pub mod settle;
pub mod shape;
pub mod silent;
pub mod turns;
pub mod values;
