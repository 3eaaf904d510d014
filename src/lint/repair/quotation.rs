//! Finds the words that a suggested edit quotes.

use std::fmt;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::edges::cuts_word;
use crate::dialog::{Span, Turn};
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
                write!(f, "no {nth} among the places of {}: ", quoted(quote))?;
                list(f, places)
            }
            Self::CutsTokens { quote } => {
                write!(f, "{} begins or ends inside a token", quoted(quote))
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Splitting;

    fn find(text: &str, quote: &str, nth: Option<usize>) -> Result<(u32, u32), String> {
        let turn = Turn { text: text.to_owned(), ..Turn::default() };
        let span = quoted_span(&turn, Units::CodePoints, quote, nth);
        span.map(|span| (span.start, span.end)).map_err(|error| error.to_string())
    }

    #[test]
    fn exact_places_win_over_similar_ones() {
        assert_eq!(find("Ten or ten", "ten", None), Ok((7, 10)));
        assert_eq!(find("Ten or TEN", "ten", Some(1)), Ok((7, 10)));
        assert_eq!(find("at  the\u{a0}Café", "AT THE cafe\u{301}", None), Ok((0, 12)));
        assert_eq!(find("für Cafe\u{301} Müll", "caf\u{e9}", None), Ok((4, 9)));
        assert_eq!(find("it’s “it”", "It's", None), Ok((0, 4)));
        assert_eq!(find("aaa", "aa", Some(1)), Ok((1, 3)));
        assert_eq!(find("this, hi, hit", "hi", None), Ok((6, 8)));
        // Half of a grapheme is not its words.
        let accent = "a cafe\u{301}, the cafe";
        assert_eq!(find(accent, "cafe", None), Ok((13, 17)));
        assert_eq!(find(accent, "cafe\u{301}", None), Ok((2, 7)));
        for quote in ["cafe", "CAFE"] {
            let refused = find("my cafe\u{301}", quote, None).unwrap_err();
            let why = format!("the turn does not contain \"{quote}\"; similar: \"cafe\u{301}\"");
            assert_eq!(refused, why);
        }
        assert!(find("👩\u{200d}👧 ok", "👧", None).is_err());
        assert_eq!(find("👩\u{200d}👧 OK", "👩\u{200d}👧 ok", None), Ok((0, 6)));
        assert!(find("\u{fb01}ne", "f", None).is_err());
        assert_eq!(find("\u{fb01}ne", "fine", None), Ok((0, 3)));
    }

    #[test]
    fn refusals_name_the_candidates() {
        let text = "a table at nine, or at ten past nine";
        assert_eq!(
            find(text, "nine", None).unwrap_err(),
            "the turn contains \"nine\" 2 times; choose with \"nth\": 0 \"a table at nine, or at ten …\", 1 \"…at ten past nine\""
        );
        assert_eq!(
            find(text, "nine", Some(2)).unwrap_err(),
            "no 2 among the places of \"nine\": 0 \"a table at nine, or at ten …\", 1 \"…at ten past nine\""
        );
        assert_eq!(
            find(text, "a tabel at", None).unwrap_err(),
            "the turn does not contain \"a tabel at\"; similar: \"a table at\""
        );
        assert_eq!(find(text, "Dune", None).unwrap_err(), "the turn does not contain \"Dune\"");
    }

    #[test]
    fn tokens_are_counted_where_the_corpus_counts_them() {
        let turn = Turn {
            text: "two at New York".to_owned(),
            tokens: ["two", "at", "New", "York"].map(Into::into).to_vec(),
            ..Turn::default()
        };
        let find = |quote: &str| quoted_span(&turn, Units::Tokens(Splitting::Spaces), quote, None);
        assert_eq!(find("new york"), Ok(Span { start: 2, end: 4 }));
        let why = find("ew York").unwrap_err().to_string();
        assert_eq!(why, "\"ew York\" begins or ends inside a token");
    }
}
