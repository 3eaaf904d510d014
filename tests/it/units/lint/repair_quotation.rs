//! Tests of `src/lint/repair/quotation.rs`.

use turnwise::dialog::{Span, Turn};
use turnwise::lint::*;
use turnwise::text::Splitting;
use turnwise::text::Units;

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
