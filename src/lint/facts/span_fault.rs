//! Segments whose spans are wrong: each has exactly one kind of fault, so that only one rule reports it.

use std::cmp::Ordering;

use super::mention::Mention;
use super::subject::Subject;

/// The fault in the span of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanFault {
    /// It ends before it starts.
    Reversed,
    /// It is empty or covers only whitespace.
    Empty,
    /// Its offsets are right if they count this unit.
    OtherUnit(OffsetUnit),
    /// It extends past the end of the text.
    OutOfRange,
    /// It covers other text than it quotes.
    Mismatch,
}

/// The unit that offsets count instead of code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetUnit {
    /// UTF-16 code units, as in Java and JavaScript: an emoji counts as two.
    Utf16,
    /// Bytes of UTF-8: a letter with an accent counts as two.
    Bytes,
    /// Code points, but the end is the last one covered.
    InclusiveEnd,
}

impl OffsetUnit {
    const ALL: [Self; 3] = [Self::Utf16, Self::Bytes, Self::InclusiveEnd];

    /// For messages: "counted in UTF-16 units".
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf16 => "UTF-16 units",
            Self::Bytes => "bytes",
            Self::InclusiveEnd => "code points with an inclusive end",
        }
    }
}

/// Returns the fault of a segment's span; None if there is no fault or no span.
///
/// Spans that count tokens quote no text; for them, only reversed and empty spans are faults here.
pub fn misplaced(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<SpanFault> {
    if mention.is_valid {
        return None;
    }
    let span = mention.of.span?;
    if subject.dialog.units.is_tokens() {
        return match span.start.cmp(&span.end) {
            Ordering::Greater => Some(SpanFault::Reversed),
            Ordering::Equal => Some(SpanFault::Empty),
            Ordering::Less => None,
        };
    }
    Some(if span.start > span.end {
        SpanFault::Reversed
    } else if let Some(unit) = other_unit(subject, mention) {
        SpanFault::OtherUnit(unit)
    } else if span.start == span.end {
        SpanFault::Empty
    } else if mention.bytes.is_none() {
        SpanFault::OutOfRange
    } else if mention.of.exact_quote().is_none() || quotes_only_spaces(mention) {
        SpanFault::Empty
    } else {
        SpanFault::Mismatch
    })
}

/// True if a segment covers exactly the text it quotes. If it is not valid, that text is only whitespace.
fn quotes_only_spaces(mention: &Mention<'_>) -> bool {
    mention.of.exact_quote() == Some(mention.text())
}

/// Returns the unit in which a segment covers exactly what it quotes.
fn other_unit(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<OffsetUnit> {
    let fits = |unit: &OffsetUnit| covered(mention, *unit).is_some();
    let unit = OffsetUnit::ALL.into_iter().find(fits)?;
    // A single end may be off by one for other reasons.
    (unit != OffsetUnit::InclusiveEnd || all_ends_are_inclusive(subject)).then_some(unit)
}

/// Returns the byte range that a segment covers in its turn if its offsets count `unit`; None unless that is
/// the text it quotes.
pub fn covered(mention: &Mention<'_>, unit: OffsetUnit) -> Option<std::ops::Range<usize>> {
    let span = mention.of.span?.range();
    let quote = mention.of.exact_quote();
    // Whitespace occurs everywhere and proves nothing.
    let quote = quote.filter(|quote| !quote.trim().is_empty())?;
    let said = mention.said;
    let bytes = match unit {
        OffsetUnit::Bytes => span,
        OffsetUnit::Utf16 => {
            let byte = |units| mention.points.byte_of_utf16(units);
            byte(span.start)?..byte(span.end)?
        }
        OffsetUnit::InclusiveEnd => mention.points.range(span.start, span.end + 1)?,
    };
    (said.get(bytes.clone()) == Some(quote)).then_some(bytes)
}

/// The number of segments that show how a dialog counts.
const SEEN: usize = 64;

/// True if no segment of the dialog is valid, but several would be with an inclusive end. Only the first
/// [`SEEN`] segments count.
fn all_ends_are_inclusive(subject: &Subject<'_>) -> bool {
    let mut inclusive = 0;
    for mention in subject.mentions().iter().take(SEEN) {
        if mention.is_valid {
            return false;
        }
        inclusive += usize::from(covered(mention, OffsetUnit::InclusiveEnd).is_some());
    }
    inclusive > 1
}
