//! Finds the intended place of a wrong segment, and the edits that move it there.
//!
//! Several rules share these fixes: [`places`] is for segments whose span does not cover their quoted
//! text, [`tidied`] for segments whose edges are slightly off. Offsets are bytes of the turn's text; only
//! edits count code points.

mod alike;
mod edges;
mod places;
mod punctuation;
mod slots;
mod words;

use std::ops::Range;

pub use alike::{Folded, Tolerance, folded};
pub use edges::{cuts_word, meant, tidied};
pub use places::{CandidateSpan, places};
pub use punctuation::without_punctuation;
pub use slots::offer_slot_places;
pub use words::{SpanEdge, inside_word, is_joint, word_at};

use super::span_fault::SpanFault;
use super::{Applicability, Diagnostic, Mention, Subject};
use crate::dialog::{Edit, Span};
use crate::text::Units;

/// The largest number of characters that a message quotes.
const SHOWN: usize = 60;

/// True for whitespace and for characters of no width.
pub fn is_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200b}' | '\u{2060}' | '\u{feff}')
}

/// `range` of `text` without the whitespace at its edges; empty if there is nothing else.
pub fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let end = range.start + inner.trim_end_matches(is_blank).len();
    let start = range.end - inner.trim_start_matches(is_blank).len();
    start.min(end)..end
}

/// `text` in quotation marks, shortened if it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

/// Offers to move the segment to `range` (bytes of its turn), together with its quoted text.
pub fn offer_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    range: Range<usize>,
    applicability: Applicability,
) {
    let text = quoted(&mention.said[range.clone()]);
    let span = mention.span_of(&range);
    set_span(diagnostic, mention, (span, &text), applicability);
}

/// Offers to move a segment to a span, in the units of its dialog, which covers `text`.
fn set_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    (span, text): (Span, &str),
    applicability: Applicability,
) {
    let Span { start, end } = span;
    let title = match mention.of.span {
        Some(old) if old == span => format!("change the quoted text to {text}"),
        Some(old) if old.start == start => format!("end at {end}, {text}"),
        Some(old) if old.end == end => format!("start at {start}, {text}"),
        _ => format!("move to {span}, {text}"),
    };
    let edit = Edit::SetSpan {
        turn: mention.turn,
        segment: mention.segment,
        start,
        end,
    };
    diagnostic.fix(title, applicability, vec![edit]);
}

/// Offers every place where a misplaced segment may belong and, last, to delete it.
pub fn offer_places(
    diagnostic: &mut Diagnostic,
    subject: &Subject<'_>,
    mention: &Mention<'_>,
    problem: SpanFault,
) {
    if subject.dialog.units == Units::Tokens {
        let span = mention.of.span;
        let swapped = span.filter(|span| span.start > span.end).map(|span| Span {
            start: span.end,
            end: span.start,
        });
        offer_slot_places(diagnostic, subject, mention, swapped);
        return;
    }
    let places = places(subject, mention, problem);
    let removal = if places.is_empty() {
        Applicability::Unsafe
    } else {
        Applicability::Display
    };
    for place in places {
        offer_span(diagnostic, mention, place.range, place.applicability);
    }
    offer_removal(diagnostic, mention, removal);
}

/// Offers to delete the segment.
pub fn offer_removal(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    applicability: Applicability,
) {
    let edit = Edit::RemoveSegment {
        turn: mention.turn,
        segment: mention.segment,
    };
    let text = mention.text();
    let title = if text.is_empty() {
        "delete the segment".to_owned()
    } else {
        format!("delete the segment {}", quoted(text))
    };
    diagnostic.fix(title, applicability, vec![edit]);
}
