//! Segments whose numbers do not cover what they should: for each just one kind of problem, so that
//! one slip is not told several times.

use std::cmp::Ordering;

use super::{Mention, Subject};
use crate::text::Units;

/// What is wrong with the numbers of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misplaced {
    /// It ends before it starts.
    Reversed,
    /// It covers nothing, or nothing but blanks.
    Empty,
    /// Its numbers fit if they count something else.
    OtherUnit(Unit),
    /// It reaches beyond the text.
    OutOfRange,
    /// It covers something else than it quotes.
    Mismatch,
}

/// What offsets count where they should count code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// As in Java and JavaScript: emoji count two.
    Utf16,
    /// Of UTF-8: letters with accents count two.
    Bytes,
    /// The end is the last code point that is covered.
    InclusiveEnd,
}

impl Unit {
    const ALL: [Self; 3] = [Self::Utf16, Self::Bytes, Self::InclusiveEnd];

    /// For messages: "as UTF-16 units".
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf16 => "UTF-16 units",
            Self::Bytes => "bytes",
            Self::InclusiveEnd => "code points with the last one included",
        }
    }
}

/// What is wrong with the numbers of a segment; None if nothing is, or if it has none.
///
/// Spans that count tokens quote nothing; of them only those are told here that cover nothing.
pub fn misplaced(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<Misplaced> {
    if mention.sound {
        return None;
    }
    let span = mention.of.span?;
    if subject.dialog.units == Units::Tokens {
        return match span.start.cmp(&span.end) {
            Ordering::Greater => Some(Misplaced::Reversed),
            Ordering::Equal => Some(Misplaced::Empty),
            Ordering::Less => None,
        };
    }
    Some(if span.start > span.end {
        Misplaced::Reversed
    } else if let Some(unit) = other_unit(subject, mention) {
        Misplaced::OtherUnit(unit)
    } else if span.start == span.end {
        Misplaced::Empty
    } else if mention.bytes.is_none() {
        Misplaced::OutOfRange
    } else if mention.of.quote.is_none() || quotes_blanks_only(mention) {
        Misplaced::Empty
    } else {
        Misplaced::Mismatch
    })
}

/// It covers just what it quotes, but that is nothing to be seen.
fn quotes_blanks_only(mention: &Mention<'_>) -> bool {
    mention.of.quote.as_deref() == Some(mention.text())
}

/// The unit in which a segment covers just what it quotes.
fn other_unit(subject: &Subject<'_>, mention: &Mention<'_>) -> Option<Unit> {
    let fits = |unit: &Unit| covered(mention, *unit).is_some();
    let unit = Unit::ALL.into_iter().find(fits)?;
    // A single end may well be one off by itself.
    (unit != Unit::InclusiveEnd || all_ends_are_inclusive(subject)).then_some(unit)
}

/// The bytes of its turn that a segment quotes, if its numbers count `unit`.
pub fn covered(mention: &Mention<'_>, unit: Unit) -> Option<std::ops::Range<usize>> {
    let span = mention.of.span?.range();
    let quote = mention.of.quote.as_deref();
    // Blanks are found everywhere.
    let quote = quote.filter(|quote| !quote.trim().is_empty())?;
    let said = mention.said;
    let bytes = match unit {
        Unit::Bytes => span,
        Unit::Utf16 => {
            let byte = |units| mention.points.byte_of_utf16(units);
            byte(span.start)?..byte(span.end)?
        }
        Unit::InclusiveEnd => mention.points.range(span.start, span.end + 1)?,
    };
    (said.get(bytes.clone()) == Some(quote)).then_some(bytes)
}

/// Segments that are looked at to learn how a dialog counts.
const SEEN: usize = 64;

/// True if no segment of the dialog fits as it should, and several do if their ends are included.
fn all_ends_are_inclusive(subject: &Subject<'_>) -> bool {
    let mut inclusive = 0;
    for mention in subject.mentions().iter().take(SEEN) {
        if mention.sound {
            return false;
        }
        inclusive += usize::from(covered(mention, Unit::InclusiveEnd).is_some());
    }
    inclusive > 1
}
