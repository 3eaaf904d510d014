//! A segment begins or ends inside a word.
//!
//! What it quotes is no word that anybody said, and a model trained on it learns to cut words. Most
//! often somebody let go of the mouse one character early.
//!
//! Words are letters and digits side by side; numbers with their separators, currency, `%`, `am` or
//! `th`; abbreviations with their dots; `o'clock`; a character with all its marks. Not told are places
//! where a blank was forgotten (`theAMC`), parts of words with a hyphen, names before `'s`, what Hebrew
//! and Arabic write before a word and the scripts of India and Georgia behind it, Hangul, and scripts
//! that write no blanks between words.
//!
//! The fix takes the rest of the word in, or leaves the piece of it out where that is much shorter;
//! of several ways one that makes what is labelled elsewhere in the dialog (unsafe).
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

use crate::lint::repair::{Edge, cuts_word, inside_word, offer_span, quoted, tidied, word_at};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-cuts-word",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_cuts_word.rs"),
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
        if !cuts_word(mention.said, bytes) {
            continue;
        }
        let said = mention.said;
        let word = |at, edge| {
            let inside = inside_word(said, at, edge);
            inside.then(|| quoted(&said[word_at(said, at, edge)]))
        };
        let first = word(bytes.start, Edge::Start);
        let last = word(bytes.end, Edge::End);
        let text = quoted(mention.text());
        let message = match (first, last) {
            (Some(first), Some(last)) => {
                format!("{text} begins inside {first} and ends inside {last}")
            }
            (Some(word), None) => format!("{text} begins inside {word}"),
            (_, word) => format!("{text} ends inside {}", word.unwrap_or_default()),
        };
        let diagnostic = found.add(mention.spot(), message);
        for range in tidied(subject, mention, bytes) {
            offer_span(diagnostic, mention, range, Applicability::Unsafe);
        }
    }
}
