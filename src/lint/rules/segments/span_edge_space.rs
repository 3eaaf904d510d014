//! A segment starts or ends with whitespace.
//!
//! The whitespace is not part of the value: `"noon "` and `"noon"` count as two values, and
//! exact-match scores penalize a model that finds the right one.
//!
//! The fix excludes the whitespace (safe). If the segment also cuts a word or includes surrounding
//! punctuation, the fix corrects that too (unsafe).
//!
//! The rule does not apply to families whose segments count words, such as the simulated dialogues and
//! `MultiWOZ`.
//!
//! ```text bad
//! user: in« about 25 minutes»{time.pickup}
//! ```
//!
//! ```text good
//! user: in «about 25 minutes»{time.pickup}
//! ```

use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::{is_blank, trim};
use crate::lint::repair::{offer_span, quoted, tidied};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-edge-space",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_edge_space.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        let text = mention.text();
        let message = match (text.starts_with(is_blank), text.ends_with(is_blank)) {
            (false, false) => continue,
            (true, false) => "starts with whitespace",
            (false, true) => "ends with whitespace",
            (true, true) => "starts and ends with whitespace",
        };
        let trimmed = trim(mention.said, bytes.clone());
        let diagnostic = found.add(mention.location(), format!("{} {message}", quoted(text)));
        for range in tidied(subject, mention, bytes) {
            let applicability =
                if range == trimmed { Applicability::Safe } else { Applicability::Unsafe };
            offer_span(diagnostic, mention, range, applicability);
        }
        offer_span(diagnostic, mention, trimmed, Applicability::Unsafe);
    }
}
