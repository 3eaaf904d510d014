//! The fixes that rules on segments share: moving a segment and deleting it.

use std::ops::Range;

use crate::dialog::{Content, Edit, Span};
use crate::lint::engine::{Applicability, Diagnostic};
use crate::lint::facts::Mention;
use crate::lint::facts::alike::{Tolerance, alike, folded, nearest};

/// The largest number of characters that a message quotes.
const SHOWN: usize = 60;

/// `text` in quotation marks, shortened if it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

/// Returns a value as messages show it: a text in quotation marks, anything else as the file writes it.
pub fn shown(value: &Content) -> String {
    match value {
        Content::Text(text) => format!("\"{text}\""),
        Content::Raw(raw) => raw.to_string(),
    }
}

/// Offers to move the segment to `range` (bytes of its turn), together with its quoted text, unless the range
/// cuts a token, or has other words than a quote that need not be the text.
pub fn offer_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    range: Range<usize>,
    applicability: Applicability,
) {
    let text = &mention.said[range.clone()];
    // Stale offsets are not at the edges of the words that were meant.
    let is_stale = |quote: &str| {
        let is_near = || nearest(&folded(text, Tolerance::Case), quote).is_some();
        !alike(text, quote, Tolerance::Case) && !is_near()
    };
    if mention.tokens.is_none() && mention.of.normalised_quote().is_some_and(is_stale) {
        return;
    }
    if let Some(span) = mention.span_of(&range) {
        set_span(diagnostic, mention, span, &quoted(text), applicability);
    }
}

/// Offers to move a segment to a span, in the units of its dialog, which covers `text`.
pub fn set_span(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    span: Span,
    text: &str,
    applicability: Applicability,
) {
    let Span { start, end } = span;
    let title = match mention.of.span {
        Some(old) if old == span => format!("change the quoted text to {text}"),
        Some(old) if old.start == start => format!("end at {end}, {text}"),
        Some(old) if old.end == end => format!("start at {start}, {text}"),
        _ => format!("move to {span}, {text}"),
    };
    let edit = Edit::SetSpan { turn: mention.turn, segment: mention.segment, start, end };
    diagnostic.fix(title, applicability, vec![edit]);
}

/// Offers to delete the segment.
pub fn offer_removal(
    diagnostic: &mut Diagnostic,
    mention: &Mention<'_>,
    applicability: Applicability,
) {
    let edit = Edit::RemoveSegment { turn: mention.turn, segment: mention.segment };
    let text = mention.text();
    let title = if text.is_empty() {
        "delete the segment".to_owned()
    } else {
        format!("delete the segment {}", quoted(text))
    };
    diagnostic.fix(title, applicability, vec![edit]);
}
