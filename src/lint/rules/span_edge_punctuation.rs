//! A segment has swallowed punctuation at its edge.
//!
//! The comma behind a name is the sentence's, not the name's: `"The Grand 12:"` and `"The Grand 12"`
//! count as two theaters, and a lookup by the first one finds nothing.
//!
//! What may belong to the value is left alone: the dots of `a.m.`, `St.` and `Samuel L.` Jackson, a
//! price or a decimal, `C++`, both of a pair of brackets or quotation marks, the mark of a title
//! (`Mamma Mia!`) unless the dialog has it without, the end of several sentences or of a long
//! description.
//!
//! The fix leaves it out: safe for commas, colons, semicolons and single brackets, unsafe for the
//! others.
//!
//! ```text bad
//! assistant: showing at «The Grand 12:»{name.theater} Dune and Tenet
//! ```
//!
//! ```text bad
//! user: a table for «7 pm.»{time} please
//! ```
//!
//! ```text good
//! user: at «7 p.m.»{time} on «Main St.»{location} for «$12.50»{price}, «Mamma Mia!»{name.movie}
//! ```

use std::ops::Range;

use crate::lint::repair::{offer_span, quoted, tidied, without_punctuation};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-edge-punctuation",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_edge_punctuation.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.sound) {
        let Some(bytes) = mention.bytes.clone() else {
            continue;
        };
        let Some(bare) = without_punctuation(subject, mention, bytes.clone()) else {
            continue;
        };
        let left = left_out(mention.said, &bytes, &bare);
        let message = format!("{} has swallowed {}", quoted(mention.text()), quoted(&left));
        let diagnostic = found.add(mention.spot(), message);
        let never = |c: char| ",;:，；：、()[]{} ".contains(c);
        for range in tidied(subject, mention, &bytes) {
            let applicability = if range == bare && left.chars().all(never) {
                Applicability::Safe
            } else {
                Applicability::Unsafe
            };
            offer_span(diagnostic, mention, range, applicability);
        }
    }
}

/// What `whole` has of `text` and `part` has not.
fn left_out(text: &str, whole: &Range<usize>, part: &Range<usize>) -> String {
    [&text[whole.start..part.start], &text[part.end..whole.end]].concat()
}
