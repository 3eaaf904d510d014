//! A dialog is no JSON.
//!
//! A comma or a bracket is missing, a text does not end, a number is misspelled. Nothing of that
//! dialog can be read, and most programs stop with the whole file. Where each line holds a dialog, and
//! in most files that hold a list, the other dialogs are read all the same.
//!
//! `turnwise lint` ends with exit code 2 then, as wherever something cannot be read, also if this rule is
//! not among those that are looked for. There is no fix. The message names line and column of the first character that does not fit; what
//! is wrong often stands just before it.
//!
//! ```json bad
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]},
//!  {"conversation_id": "e", "instruction_id": "i", "utterances": [
//!    {"index": 0 "speaker": "USER", "text": "two for Dune"}]}]
//! ```
//!
//! ```json good
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]},
//!  {"conversation_id": "e", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]}]
//! ```

use crate::lint::{Look, Rule, Severity};

pub static RULE: Rule = Rule {
    name: "json-syntax",
    severity: Severity::Error,
    on: true,
    source: include_str!("json_syntax.rs"),
    look: Look::Corpus,
};
