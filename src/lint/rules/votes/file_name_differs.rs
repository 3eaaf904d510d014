//! The name of a breakdown log, or of a detector's output, does not match its dialog.
//!
//! Logs and detector outputs are named after their dialog, `<dialogue-id>.log.json` and
//! `<dialogue-id>.labels.json`, and are found by that name. With a wrong name, scripts pair the
//! wrong log with its context or its labels.
//!
//! There is no fix: either the file or its `dialogue-id` was renamed, and only a person can tell
//! which one is right.
//!
//! If a dialog's id cannot be a file name, its log is named after the part that can, and a hash:
//! `a_b-0f1e2d3c4b5a6978.log.json`. Files with several dialogs and files of other families may have
//! any name.
//!
//! In a file named `talk_8.log.json`:
//!
//! ```json bad talk_8.log.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
//!   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
//! ```
//!
//! In a file named `talk_7.log.json`:
//!
//! ```json good talk_7.log.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
//!   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
//! ```

use crate::dialog::Dialog;
use crate::format::{Family, is_log_stem};
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "file-name-differs",
    severity: Severity::Warning,
    on: true,
    source: include_str!("file_name_differs.rs"),
    check: Check::Corpus,
};

/// Checks the name (without folders) of a file whose only dialog is `dialog`, if the rule is selected.
pub fn file_name(
    name: &str,
    format: &'static Family,
    dialog: &Dialog,
    selection: &Selection,
) -> Option<Diagnostic> {
    let level = selection.level(&RULE)?;
    if !format.has_companions() && !format.is_companion() || dialog.id.is_empty() {
        return None;
    }
    let ends = [".log.json", ".labels.json", ".json"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end))?;
    if is_log_stem(stem, &dialog.id) {
        return None;
    }
    let mut found = Vec::new();
    let location = Location { at: dialog.at, ..Location::default() };
    let message = format!("the file is named {name}, but contains dialog {}", dialog.id);
    Findings::new(&RULE, level, &mut found).add(location, message);
    found.pop()
}
