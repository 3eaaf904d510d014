//! A segment begins or ends with a blank.
//!
//! The blank is no part of the value: `"noon "` and `"noon"` count as two values, and exact match
//! scores punish whoever finds the right one.
//!
//! The fix leaves the blanks out (safe). Where a word is cut or punctuation swallowed behind them, it
//! mends that too (unsafe).
//!
//! ```text bad
//! user: in« about 25 minutes»{time.pickup}
//! ```
//!
//! ```text good
//! user: in «about 25 minutes»{time.pickup}
//! ```

use crate::lint::repair::{is_blank, offer_span, quoted, tidied, trim};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-edge-space",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_edge_space.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.sound) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        let text = mention.text();
        let message = match (text.starts_with(is_blank), text.ends_with(is_blank)) {
            (false, false) => continue,
            (true, false) => "begins with a blank",
            (false, true) => "ends with a blank",
            (true, true) => "begins and ends with blanks",
        };
        let trimmed = trim(mention.said, bytes.clone());
        let diagnostic = found.add(mention.spot(), format!("{} {message}", quoted(text)));
        for range in tidied(subject, mention, bytes) {
            let applicability = if range == trimmed {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            offer_span(diagnostic, mention, range, applicability);
        }
        offer_span(diagnostic, mention, trimmed, Applicability::Unsafe);
    }
}
