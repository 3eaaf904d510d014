//! A segment starts or ends inside a word.
//!
//! Part of a word is not a value, and a model trained on it learns to cut words. Usually the
//! annotator released the mouse one character too early.
//!
//! A word is a run of letters; a number with its separators, currency sign, `%`, `am` or `th`; an
//! abbreviation with its dots; `o'clock`; or a character with all its marks. The rule does not
//! report missing spaces (`theAMC`), parts of words with a hyphen, names before `'s`, letters
//! attached to a word (to its start in Hebrew and Arabic, to its end in the scripts of India and
//! Georgia), Hangul, and scripts without spaces between words.
//!
//! The fix, which is unsafe, extends the segment to the whole word, or excludes the word if the
//! segment covers only a small part of it. If there are several possibilities, the fix prefers a
//! value that is labelled elsewhere in the dialog.
//!
//! ```text bad
//! user: at «Thursday Kitche»{name.restaurant}n tonight
//! ```
//!
//! ```text bad
//! user: for $«12»{price} at «7»{time}:30pm
//! ```
//!
//! ```text good
//! user: at «Thursday Kitchen»{name.restaurant}'s for «$12»{price} at «7 p.m.»{time}
//! ```

use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::repair::{cuts_word, offer_span, quoted, tidied};
use crate::text::{SpanEdge, Units, inside_word, word_at};

pub static RULE: Rule = Rule {
    name: "span-cuts-word",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_cuts_word.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions().iter().filter(|m| m.sound) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        if !cuts_word(mention.said, bytes) {
            continue;
        }
        let said = mention.said;
        let word = |at, edge| {
            let inside = inside_word(said, at, edge);
            inside.then(|| quoted(&said[word_at(said, at, edge)]))
        };
        let first = word(bytes.start, SpanEdge::Start);
        let last = word(bytes.end, SpanEdge::End);
        let text = quoted(mention.text());
        let message = match (first, last) {
            (Some(first), Some(last)) => {
                format!("{text} starts inside {first} and ends inside {last}")
            }
            (Some(word), None) => format!("{text} starts inside {word}"),
            (_, word) => format!("{text} ends inside {}", word.unwrap_or_default()),
        };
        let diagnostic = found.add(mention.spot(), message);
        for range in tidied(subject, mention, bytes) {
            offer_span(diagnostic, mention, range, Applicability::Unsafe);
        }
    }
}
