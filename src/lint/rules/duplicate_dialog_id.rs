//! Two dialogs have the same id.
//!
//! Ids are what annotations, splits and reports name dialogs by. Where one stands for two dialogs,
//! joining by it mixes them up, and one of them may be both in the training and in the test data.
//! Often a file was copied, or appended to itself.
//!
//! A breakdown log and the `.labels.json` file beside it share their id as they should, and so do a
//! dialog of a corpus that holds no votes and the log that holds the votes on it; two logs of one id do
//! not. That a dialog of another file says just the same is for information only: samples, splits and
//! later releases hold copies.
//!
//! There is no fix: which dialog is to go, or to have another id, has to be decided by somebody.
//!
//! ```json bad
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```
//!
//! ```json good
//! [{"conversation_id": "d", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "two for Dune"}]},
//!  {"conversation_id": "e", "instruction_id": "i", "utterances": [
//!    {"index": 0, "speaker": "USER", "text": "a table for four"}]}]
//! ```

use crate::lint::{Look, Rule, Severity};

pub static RULE: Rule = Rule {
    name: "duplicate-dialog-id",
    severity: Severity::Error,
    on: true,
    source: include_str!("duplicate_dialog_id.rs"),
    look: Look::Corpus,
};
