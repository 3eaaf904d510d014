//! Tests of `src/dialog/text_preview.rs`.

use super::apply::{dialog, quotes};
use turnwise::dialog::*;
use turnwise::text::Units;

#[test]
fn places_are_those_after_the_edit() {
    let before = dialog("two for Dune Part Two at seven", &[(0, 3), (8, 21), (25, 30)]);
    for text in [
        "two for Dune Part Two at seven",
        "zwei für Dune Part Two at seven pm",
        "two for Dune Part at seven",
        "two for Dune Two at 7",
        "",
    ] {
        let places = before.turns[0].places_in(text, Units::CodePoints);
        let shown = places.iter().filter_map(|place| match place {
            NewPlace::At(bytes) | NewPlace::Left(bytes) => Some(&text[bytes.clone()]),
            NewPlace::Lost | NewPlace::Unknown => None,
        });
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop: true, shrink: true };
        let after = edit.apply(&before).expect("dropped");
        let meant = quotes(&after).into_iter().map(|(covered, _)| covered);
        assert_eq!(shown.collect::<Vec<_>>(), meant.collect::<Vec<_>>());
    }
}

#[test]
fn segments_without_a_place_are_cut_lost_or_unknown() {
    let mut before = dialog("two for Dune Part Two", &[(0, 3), (4, 7), (8, 21)]);
    before.turns[0].segments[1].span = None;
    let places = before.turns[0].places_in("2 for Dune", Units::CodePoints);
    assert_eq!(places, [NewPlace::Lost, NewPlace::Unknown, NewPlace::Left(6..10)]);
}
