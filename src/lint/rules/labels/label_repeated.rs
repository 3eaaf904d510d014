//! A segment has the same label twice.
//!
//! The repetition adds no information, but it is counted again.
//!
//! In Taskmaster-1, two workers labelled every dialog, and a repeated label means that both agree.
//! So the rule skips dialogs in which a label says whether its value was accepted or rejected, as
//! only the labels of those workers do, and dialogs in which many segments have a repeated label.
//!
//! The fix keeps each label once (safe).
//!
//! ```text bad
//! user: a «large»{pizza.size + pizza.size} one
//! ```
//!
//! ```text good
//! user: a «large»{pizza.size} one
//! ```

use foldhash::{HashSet, HashSetExt as _};

use crate::dialog::Edit;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::labels::{has_two_workers, repeated};
use crate::lint::facts::{Mention, Subject};

pub static RULE: Rule = Rule {
    name: "label-repeated",
    severity: Severity::Warning,
    on: true,
    source: include_str!("label_repeated.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let repeats = |m: &&Mention<'_>| repeated(&m.of.labels).is_some();
    let mut repeating = subject.mentions().iter().filter(repeats).peekable();
    if repeating.peek().is_none() || has_two_workers(subject) {
        return;
    }
    for mention in repeating {
        let labels = &mention.of.labels;
        let Some(twice) = repeated(labels) else {
            continue;
        };
        let message = format!("label {twice} is repeated");
        let diagnostic = found.add(mention.location(), message);
        let mut known = HashSet::new();
        let new = labels.iter().filter(|label| known.insert(&label.name));
        let kept: Vec<String> = new.map(|label| label.name.to_string()).collect();
        if kept.iter().all(|name| !name.is_empty()) {
            let title = format!("keep each label once: {}", kept.join(" + "));
            let edit =
                Edit::SetLabels { turn: mention.turn, segment: mention.segment, labels: kept };
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        }
    }
}
