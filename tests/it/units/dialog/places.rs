//! Tests of `src/dialog/places.rs`.

use turnwise::dialog::*;
use turnwise::text::Splitting;
use turnwise::text::Units;

#[test]
fn many_spans_cover_what_each_alone_covers() {
    for text in ["two for Dune", "zwei für Dünen 世界", ""] {
        let mut turn = Turn { text: text.to_owned(), ..Turn::default() };
        turn.tokens = text.split(' ').map(Short::from).collect();
        turn.tokens.insert(1, "unsaid".into());
        for units in [Units::CodePoints, Units::Tokens(Splitting::Spaces)] {
            let places = turn.places(units);
            for (start, end) in (0..20).flat_map(|a| (0..20).map(move |b| (a, b))) {
                let span = Span { start, end };
                assert_eq!(places.bytes_of(span), turn.bytes_of(span, units), "{text}");
                assert_eq!(turn.spans(units).covered(span), turn.covered(span, units));
            }
        }
    }
}
