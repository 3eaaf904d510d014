//! A breakdown log, or a detector's output for one, that is in a file with another dialog's name.
//!
//! Logs are named after their dialog, `<dialogue-id>.log.json` and `<dialogue-id>.labels.json`, and are
//! found by that name: scripts that pair a log with its context or its labels pair the wrong ones.
//!
//! Either the file or its `dialogue-id` was renamed; which one is right, turnwise cannot know.
//!
//! A log for a dialog whose id is no good name of a file is called after as much of it as is, and a
//! hash: `a_b-0f1e2d3c4b5a6978.log.json`.
//!
//! A file that holds several dialogs has a name of its own, and files of other families may be called
//! whatever one likes.
//!
//! In a file called `talk_8.log.json`:
//!
//! ```json bad talk_8.log.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
//!   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
//! ```
//!
//! In a file called `talk_7.log.json`:
//!
//! ```json good talk_7.log.json
//! {"dialogue-id": "talk_7", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.",
//!   "annotations": [{"annotator-id": "a", "breakdown": "O"}]}]}
//! ```

use crate::dialog::Dialog;
use crate::format::{Format, is_log_stem};
use crate::lint::{Diagnostic, Findings, Look, Rule, Selection, Severity, Spot};

pub static RULE: Rule = Rule {
    name: "file-name-differs",
    severity: Severity::Warning,
    on: true,
    source: include_str!("file_name_differs.rs"),
    look: Look::Corpus,
};

/// What is wrong with the name of the file (without folders) of which `dialog` is the only dialog, if
/// `selection` looks for it.
pub fn file_name(
    name: &str,
    format: &dyn Format,
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
    let spot = Spot {
        at: dialog.at,
        ..Spot::default()
    };
    let message = format!("the file is called {name}, but holds dialog {}", dialog.id);
    Findings::new(&RULE, level, &mut found).add(spot, message);
    found.pop()
}
