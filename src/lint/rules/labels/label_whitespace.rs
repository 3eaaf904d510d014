//! A label has whitespace at its edges or next to a dot.
//!
//! `"hotel_search. num.beds"` looks like `"hotel_search.num.beds"`, but it is a different label: it
//! is counted separately, and a lookup by the right name does not find it.
//!
//! The fix removes the whitespace (safe). Spaces between words are kept, because some corpora use
//! them in labels.
//!
//! ```text bad
//! user: with «two beds»{hotel_search. num.beds}
//! ```
//!
//! ```text good
//! user: with «two beds»{hotel_search.num.beds}
//! ```

use crate::dialog::Edit;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::is_blank;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "label-whitespace",
    severity: Severity::Warning,
    on: true,
    source: include_str!("label_whitespace.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for mention in subject.mentions() {
        let labels = &mention.of.labels;
        let Some(label) = labels.iter().find(|label| has_stray_blank(&label.name)) else {
            continue;
        };
        let message = format!("label {} contains stray whitespace", quoted(&label.name));
        let diagnostic = found.add(mention.location(), message);
        let tidy: Vec<String> = labels.iter().map(|label| tidied(&label.name)).collect();
        if tidy.iter().all(|name| !name.is_empty()) {
            let title = format!("change to {}", tidy.join(" + "));
            let edit =
                Edit::SetLabels { turn: mention.turn, segment: mention.segment, labels: tidy };
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        }
    }
}

fn has_stray_blank(label: &str) -> bool {
    label.bytes().any(|byte| byte <= b' ' || byte >= 0x80) && tidied(label) != label
}

fn tidied(label: &str) -> String {
    let parts: Vec<&str> = label.split('.').map(|part| part.trim_matches(is_blank)).collect();
    parts.join(".")
}
