//! A dialog is not valid JSON.
//!
//! For example, a comma or bracket is missing, a string is not closed, or a number is malformed.
//! turnwise cannot read such a dialog, and most programs reject the whole file. The other dialogs
//! are still checked if each line of the file holds one dialog, and in most files that hold a list.
//!
//! `turnwise lint` then exits with code 2, as it does whenever something cannot be read, even if this
//! rule is not selected. There is no fix. The message gives the line and column of the first character
//! that does not fit; the mistake is often just before it.
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

use crate::lint::engine::{Check, Rule, Severity};

pub static RULE: Rule = Rule {
    name: "json-syntax",
    severity: Severity::Error,
    on: true,
    source: include_str!("json_syntax.rs"),
    check: Check::Corpus,
};
