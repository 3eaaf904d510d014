//! Two dialogs have the same id.
//!
//! Annotations, splits and reports refer to dialogs by id. If two dialogs share an id, a join by id
//! mixes them up, and a dialog may end up in both the training data and the test data. The usual
//! cause is a file that was copied or appended to itself.
//!
//! Some dialogs share an id on purpose and are not reported: a breakdown log and the `.labels.json`
//! file next to it, or a dialog of a corpus without votes and the log that holds the votes on it.
//! Two logs with the same id are reported. If the other dialog is in another file and has the same
//! text, it is only a note, because samples, splits and later releases contain copies.
//!
//! There is no fix, because only a person can decide which dialog to remove or rename.
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

use crate::lint::{Check, Rule, Severity};

pub static RULE: Rule = Rule {
    name: "duplicate-dialog-id",
    severity: Severity::Error,
    on: true,
    source: include_str!("duplicate_dialog_id.rs"),
    check: Check::Corpus,
};
