//! A dialog begins with the first line of another one.
//!
//! Programs copy the lines of a session into a new file when it is resumed or forked. Each file is a dialog of its own
//! with another id, so the turns that both have are counted, judged and exported twice. Lines are compared by their
//! ids (`uuid` in Claude Code); the first dialog that has the line is named.
//!
//! There is no fix, because only a person can decide which dialog counts; `turnwise.ignores.jsonl` excludes others.
//!
//! ```json bad
//! {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
//! {"type": "user", "sessionId": "t", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
//! ```
//!
//! ```json good
//! {"type": "user", "sessionId": "s", "uuid": "e1", "message": {"role": "user", "content": "when is high tide?"}}
//! {"type": "user", "sessionId": "t", "uuid": "e2", "message": {"role": "user", "content": "when is high tide?"}}
//! ```

use foldhash::{HashMap, HashMapExt as _};

use super::KnownDialog;
use crate::lint::engine::{Check, Diagnostic, Findings, Rule, Selection, Severity};
use crate::lint::facts::Location;

pub static RULE: Rule = Rule {
    name: "shared-beginning",
    severity: Severity::Note,
    on: true,
    source: include_str!("shared_beginning.rs"),
    check: Check::Corpus,
};

/// Finds dialogs that begin with the line of an earlier one.
pub fn find<'k>(
    all: impl Iterator<Item = KnownDialog<'k>>,
    name: impl Fn(usize) -> String,
    selection: &Selection,
) -> Vec<(usize, Diagnostic)> {
    let Some(severity) = selection.level(&RULE) else {
        return Vec::new();
    };
    let mut seen: HashMap<(&str, &str), KnownDialog<'k>> = HashMap::new();
    let mut found = Vec::new();
    for (place, again) in all.enumerate().filter(|(_, known)| !known.first_line.is_empty()) {
        let first = *seen.entry((again.family, again.first_line)).or_insert(again);
        // The other rule names those that have the same id.
        if first.id == again.id {
            continue;
        }
        let KnownDialog { dialog, id, .. } = first;
        let file = name(first.file);
        let message = format!("begins with the lines of dialog {dialog} of {file}, \"{id}\"");
        let mut problem = Vec::new();
        Findings::new(&RULE, severity, &mut problem).add(Location::default(), message);
        found.extend(problem.pop().map(|problem| (place, problem)));
    }
    found
}
