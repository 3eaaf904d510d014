//! Finds the words that a suggested edit quotes.

use std::fmt;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::edges::cuts_word;
use crate::corpus::QuotedEdit;
use crate::dialog::{Dialog, Edit, EditError, Span, Turn};
use crate::lint::facts::alike::{Folded, Tolerance, folded, nearest};
use crate::text::{Units, quoted};

/// Places to list when a quotation has several.
const LISTED: usize = 4;

/// Characters to show on either side of a candidate.
const AROUND: usize = 12;

/// The reason why a quotation has no place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuotationError {
    /// The words are not in the turn; perhaps others are that differ by a few typos.
    Missing { quote: String, similar: Option<String> },
    /// They are there several times. Each place is shown with the words around it.
    Several { quote: String, places: Vec<String> },
    /// They are there less often than `nth` says, which counts from 0.
    TooFew { quote: String, nth: usize, places: Vec<String> },
    /// No tokens of the turn begin and end where they do.
    CutsTokens { quote: String },
}

impl fmt::Display for QuotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, places: &[String]| {
            for (nth, place) in places.iter().take(LISTED).enumerate() {
                let comma = if nth > 0 { ", " } else { "" };
                write!(f, "{comma}{nth} {}", quoted(place))?;
            }
            match places.len().saturating_sub(LISTED) {
                0 => Ok(()),
                more => write!(f, " and {more} more"),
            }
        };
        match self {
            Self::Missing { quote, similar } => {
                write!(f, "the turn does not contain {}", quoted(quote))?;
                match similar {
                    Some(similar) => write!(f, "; similar: {}", quoted(similar)),
                    None => Ok(()),
                }
            }
            Self::Several { quote, places } => {
                let count = places.len();
                write!(
                    f,
                    "the turn contains {} {count} times; choose with \"nth\": ",
                    quoted(quote)
                )?;
                list(f, places)
            }
            Self::TooFew { quote, nth, places } => {
                write!(f, "no match {nth} for {}; choose with \"nth\": ", quoted(quote))?;
                list(f, places)
            }
            Self::CutsTokens { quote } => {
                write!(f, "{} begins or ends inside a token", quoted(quote))
            }
        }
    }
}

/// Returns a quoted edit at the place of its quotation in a dialog.
///
/// # Errors
/// Why it has no place, with its turn.
pub fn placed(quoted: &QuotedEdit, dialog: &Dialog) -> Result<Edit, String> {
    let Some(turn) = dialog.turns.get(quoted.turn()) else {
        let (turn, count) = (quoted.turn(), dialog.turns.len());
        return Err(EditError::NoTurn { turn, count }.to_string());
    };
    let span = quoted_span(turn, dialog.units, &quoted.quote, quoted.nth);
    span.map(|span| quoted.at(span)).map_err(|why| format!("turn {}: {why}", quoted.turn()))
}

/// Returns the span of the words `quote` in a turn, in the dialog's units. Exact matches come first; if there
/// are none, case, whitespace, the shape of quotation marks and dashes, and the Unicode form are ignored.
/// A place that cuts a grapheme, such as a letter without its accent, is none. `nth`, counted from 0, chooses one
/// of several places.
///
/// # Errors
/// If there is no such place, or there are several and `nth` does not choose.
pub fn quoted_span(
    turn: &Turn,
    units: Units,
    quote: &str,
    nth: Option<usize>,
) -> Result<Span, QuotationError> {
    let text = &turn.text;
    let mut places = exact(text, quote);
    places.retain(|place| whole(text, place) == *place);
    if places.is_empty() {
        places = alike(text, quote);
    }
    // Where whole words match, parts of others are not meant.
    if places.iter().any(|place| !cuts_word(text, place)) {
        places.retain(|place| !cuts_word(text, place));
    }
    let shown = || places.iter().map(|place| around(text, place)).collect();
    let place = match (places.as_slice(), nth) {
        ([], _) => {
            let similar = nearest(&folded(text, Tolerance::Case), quote);
            let similar = similar.map(|(range, _)| text[whole(text, &range)].to_owned());
            let quote = quote.to_owned();
            return Err(QuotationError::Missing { quote, similar });
        }
        ([place], None) => place,
        (_, None) => {
            let (quote, places) = (quote.to_owned(), shown());
            return Err(QuotationError::Several { quote, places });
        }
        (all, Some(nth)) => match all.get(nth) {
            Some(place) => place,
            None => {
                let (quote, places) = (quote.to_owned(), shown());
                return Err(QuotationError::TooFew { quote, nth, places });
            }
        },
    };
    span_of(turn, units, place)
        .ok_or_else(|| QuotationError::CutsTokens { quote: quote.to_owned() })
}

/// Returns the units of a turn that a range of its bytes covers; None if it cuts one.
pub fn span_of(turn: &Turn, units: Units, bytes: &Range<usize>) -> Option<Span> {
    turn.places(units).span_of(bytes)
}

fn exact(text: &str, quote: &str) -> Vec<Range<usize>> {
    let mut places = Vec::new();
    let mut from = 0;
    // Matches may overlap.
    while let Some(found) = text[from..].find(quote) {
        let start = from + found;
        places.push(start..start + quote.len());
        let first = text[start..].chars().next().map_or(1, char::len_utf8);
        from = start + first;
    }
    places
}

/// Returns the graphemes of which a range has a part.
fn whole(text: &str, range: &Range<usize>) -> Range<usize> {
    let boundary = |at: usize| {
        let mut cursor = GraphemeCursor::new(at, text.len(), true);
        text.is_char_boundary(at) && cursor.is_boundary(text, 0).unwrap_or(true)
    };
    let start = (0..=range.start).rev().find(|at| boundary(*at));
    let end = (range.end..=text.len()).find(|at| boundary(*at));
    start.unwrap_or(0)..end.unwrap_or(text.len())
}

fn alike(text: &str, quote: &str) -> Vec<Range<usize>> {
    let (text, wanted) = (composed(text), composed(quote));
    if wanted.is_empty() {
        return Vec::new();
    }
    // Characters of one grapheme have the same bytes; a place has all of them.
    let is_edge = |at: usize| at == 0 || at == text.len() || text[at - 1].1 != text[at].1;
    let places = text.windows(wanted.len()).enumerate();
    let whole = places.filter(|(at, window)| {
        let same = window.iter().zip(&wanted).all(|((a, _), (b, _))| a == b);
        same && is_edge(*at) && is_edge(at + wanted.len())
    });
    whole.map(|(_, window)| window[0].1.start..window[wanted.len() - 1].1.end).collect()
}

/// Returns a text without regard to case, whitespace and Unicode form; each character with the bytes of its whole
/// grapheme.
fn composed(text: &str) -> Folded {
    let mut composed = Folded::new();
    for (at, grapheme) in text.grapheme_indices(true) {
        let form: String = grapheme.nfkc().collect();
        let bytes = at..at + grapheme.len();
        let mut chars = folded(&form, Tolerance::Case);
        if chars.is_empty() && composed.last().is_some_and(|(last, _)| *last != ' ') {
            chars.push((' ', 0..0));
        }
        composed.extend(chars.into_iter().map(|(char, _)| (char, bytes.clone())));
    }
    while composed.last().is_some_and(|(last, _)| *last == ' ') {
        composed.pop();
    }
    composed
}

/// Returns the words of a place with a little of the text around them.
fn around(text: &str, place: &Range<usize>) -> String {
    let before: Vec<_> = text[..place.start].chars().rev().take(AROUND).collect();
    let cut = |is_cut: bool| if is_cut { "…" } else { "" };
    let after: String = text[place.end..].chars().take(AROUND).collect();
    let lengths = (before.iter().map(|c| c.len_utf8()).sum::<usize>(), after.len());
    format!(
        "{}{}{}{after}{}",
        cut(lengths.0 < place.start),
        before.iter().rev().collect::<String>(),
        &text[place.clone()],
        cut(place.end + lengths.1 < text.len()),
    )
}
