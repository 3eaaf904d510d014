//! A segment starts or ends inside a word.
//!
//! Part of a word is not a value, and a model trained on it learns to cut words. Usually the
//! annotator released the mouse one character too early.
//!
//! A word is a run of letters; a number with its separators, `am` or `th`; an abbreviation with its
//! dots; `o'clock`; or a character with all its marks. A currency sign or `%` belongs to a number in
//! Taskmaster, and elsewhere if another segment of the dialog with the same label includes it, or an act has
//! it in its value: in other corpora, the value is often the number alone. The rule does not
//! report
//!
//! - missing spaces (`theAMC`), parts of words with a hyphen, names before `'s`;
//! - initials without their last dot, if the dot also ends the sentence, or if a value of the state or of an act is
//!   written without it;
//! - `A.M` and `P.M` at the end of a sentence, if the turn writes one of them without its last dot elsewhere;
//! - letters attached to a word: to its start in Hebrew and Arabic, to its end in the scripts of India and Georgia;
//! - Hangul, and scripts without spaces between words.
//!
//! The rule does not apply to families whose segments count words, such as the simulated dialogues and
//! `MultiWOZ`.
//!
//! The fix, which is unsafe, extends the segment to the whole word, or excludes the word if the
//! segment covers only a small part of it. If there are several possibilities, the fix prefers a
//! value that is labelled elsewhere in the dialog. There is no fix if the covered part is a value of the state or of
//! an act (`Afghan` in `Afghanistan`), or if only an ending is cut off (`guesthouses`, `asked`) and another segment of
//! the dialog covers the same.
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

use std::cell::{LazyCell, OnceCell};

use foldhash::{HashMap, HashSet};

use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Mention, Subject};
use crate::lint::repair::{cuts_word, offer_span, quoted, tidied};
use crate::text::{SpanEdge, Units, inside_word, is_beside_unit, word_at};

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
    let mut units = UnitSigns::default();
    let values: LazyCell<HashSet<String>, _> = LazyCell::new(|| {
        let turns = || subject.turns().map(|(_, turn)| turn);
        let states = turns().flat_map(|turn| turn.state.iter().flatten());
        let states = states.map(|state| state.value.as_str().to_lowercase());
        let slots = turns().flat_map(|turn| turn.acts.iter().flat_map(|act| &act.slots));
        let slots = slots.filter_map(|slot| Some(slot.value.as_ref()?.as_str().to_lowercase()));
        states.chain(slots).collect()
    });
    for mention in subject.mentions().iter().filter(|m| m.is_valid) {
        let Some(bytes) = &mention.bytes else {
            continue;
        };
        if !cuts_word(mention.said, bytes) {
            continue;
        }
        let said = mention.said;
        let is_value = || values.contains(&mention.text().to_lowercase());
        let mut word = |at, edge| {
            let cut = inside_word(said, at, edge)
                && (!is_beside_unit(said, at) || units.belong(subject, mention, at, edge))
                && !(edge == SpanEdge::End && may_end_sentence(said, at, is_value));
            cut.then(|| quoted(&said[word_at(said, at, edge)]))
        };
        let first = word(bytes.start, SpanEdge::Start);
        let last = word(bytes.end, SpanEdge::End);
        let text = quoted(mention.text());
        let message = match (first, last) {
            (Some(first), Some(last)) => {
                format!("{text} starts inside {first} and ends inside {last}")
            }
            (Some(word), None) => format!("{text} starts inside {word}"),
            (None, Some(word)) => format!("{text} ends inside {word}"),
            (None, None) => continue,
        };
        let diagnostic = found.add(mention.location(), message);
        let ending = &said[bytes.end..word_at(said, bytes.end, SpanEdge::End).end];
        let is_elsewhere = || subject.other_with_text(mention, mention.text()).is_some();
        let is_inflected = !inside_word(said, bytes.start, SpanEdge::Start)
            && (ending.chars().all(char::is_alphabetic) && is_value()
                || ENDINGS.contains(&ending) && is_elsewhere());
        if is_inflected {
            continue;
        }
        for range in tidied(subject, mention, bytes) {
            offer_span(diagnostic, mention, range, Applicability::Unsafe);
        }
    }
}

/// The endings of words without which they may be the value.
const ENDINGS: [&str; 5] = ["s", "es", "d", "ed", "ly"];

/// Whether currency signs and `%` belong to the values with a label, at the start and at the end.
#[derive(Default)]
struct UnitSigns<'a> {
    labels: HashMap<(&'a str, SpanEdge), bool>,
    /// The values of all acts.
    values: OnceCell<HashSet<&'a str>>,
}

impl<'a> UnitSigns<'a> {
    /// True if they do: in Taskmaster, and elsewhere if a segment with this label has one, or an act has the
    /// number with it as a value.
    fn belong(
        &mut self,
        subject: &Subject<'a>,
        mention: &Mention<'a>,
        at: usize,
        edge: SpanEdge,
    ) -> bool {
        let label = mention.label();
        let values = self.values.get_or_init(|| {
            let acts = subject.turns().flat_map(|(_, turn)| &turn.acts);
            let slots = acts.flat_map(|act| &act.slots);
            slots.filter_map(|slot| Some(slot.value.as_ref()?.as_str())).collect()
        });
        if values.contains(&mention.said[word_at(mention.said, at, edge)]) {
            return true;
        }
        let has_sign = || {
            let mut same = subject.labelled(label, usize::MAX);
            same.any(|(_, other)| {
                let text = other.text();
                let mut sides = text.char_indices().map(|(at, _)| at);
                let at = match edge {
                    SpanEdge::Start => sides.nth(1),
                    SpanEdge::End => sides.next_back(),
                };
                other.is_valid && at.is_some_and(|at| is_beside_unit(text, at))
            })
        };
        let known = self.labels.entry((label, edge));
        *known.or_insert_with(|| !subject.format.is_described() || has_sign())
    }
}

/// True if the dot at byte `at` of `text` follows initials, and may as well end the sentence: a capital follows, or
/// the initials are a value without it.
fn may_end_sentence(text: &str, at: usize, is_value: impl FnOnce() -> bool) -> bool {
    let (before, after) = text.split_at(at);
    let mut left = before.chars().rev();
    let (Some(last), Some('.'), Some(rest)) = (left.next(), left.next(), after.strip_prefix('.'))
    else {
        return false;
    };
    let is_half_of_day =
        matches!(left.next(), Some('A' | 'P' | 'a' | 'p')) && matches!(last, 'M' | 'm');
    let mut rest = rest.chars().skip_while(|c| !c.is_alphanumeric());
    let starts_sentence = rest.next().is_none_or(char::is_uppercase);
    let is_bare_elsewhere = || {
        // "a.m" says of "p.m." how the turn writes both.
        let is_half =
            |at: usize| ["a.", "A.", "p.", "P."].iter().any(|of| text[..at].ends_with(of));
        let halves = text.match_indices(['m', 'M']).filter(|(at, _)| is_half(*at));
        let mut ends = halves.map(|(at, _)| at + 1).filter(|end| *end != at);
        ends.any(|end| !text[end..].starts_with(|c: char| c == '.' || c.is_alphanumeric()))
    };
    if is_half_of_day {
        return starts_sentence && is_bare_elsewhere();
    }
    last.is_uppercase() && (starts_sentence || is_value())
}
