//! A segment includes surrounding punctuation.
//!
//! The comma after a name belongs to the sentence, not to the name: `"The Grand 12:"` and
//! `"The Grand 12"` count as two theaters, and a lookup of the first one finds nothing.
//!
//! Punctuation that may belong to the value is not reported: the dots of `a.m.`, `St.` and
//! `Samuel L.` Jackson, a price or a decimal, `C++`, both brackets or quotation marks of a pair,
//! the mark of a title (`Mamma Mia!`) unless the dialog also has the title without it, and the end
//! of several sentences or of a long description.
//!
//! The fix excludes the punctuation: safe for commas, colons, semicolons and single brackets,
//! unsafe for everything else.
//!
//! The rule does not apply to families whose segments count words, such as the simulated dialogues and
//! `MultiWOZ`.
//!
//! ```text bad
//! assistant: showing at «The Grand 12:»{name.theater} Dune and Tenet
//! ```
//!
//! ```text bad
//! user: a table for «7 pm.»{time} please
//! ```
//!
//! A text that an act of the dialog has as a value is a name, and left alone.
//!
//! ```text good
//! user: at «7 p.m.»{time} on «Main St.»{location} for «$12.50»{price}, «Mamma Mia!»{name.movie}
//! ```

use std::ops::Range;

use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::repair::{offer_span, quoted, tidied, without_punctuation};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-edge-punctuation",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_edge_punctuation.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = mention.bytes.clone() else {
            continue;
        };
        let Some(bare) = without_punctuation(subject, mention, bytes.clone()) else {
            continue;
        };
        if is_a_value(subject, mention.text()) {
            continue;
        }
        let left = left_out(mention.said, &bytes, &bare);
        let side = match (bytes.start < bare.start, bare.end < bytes.end) {
            (true, true) => "surrounding",
            (true, false) => "leading",
            (false, _) => "trailing",
        };
        let (text, marks) = (quoted(mention.text()), quoted(&left));
        let message = format!("{text} includes the {side} {marks}");
        let diagnostic = found.add(mention.location(), message);
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

/// True if an act has the text as a value: it is a name that ends in a mark, such as "Donato & Co.".
fn is_a_value(subject: &Subject<'_>, text: &str) -> bool {
    let mut acts = subject.dialog.turns.iter().flat_map(|turn| &turn.acts);
    acts.any(|act| {
        let mut values = act.slots.iter().filter_map(|slot| slot.value.as_ref());
        values.any(|value| value.as_str() == text)
    })
}

/// Returns the text of `whole` that is not in `part`.
fn left_out(text: &str, whole: &Range<usize>, part: &Range<usize>) -> String {
    [&text[whole.start..part.start], &text[part.end..whole.end]].concat()
}
