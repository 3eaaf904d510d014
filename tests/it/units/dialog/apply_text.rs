//! Tests of `src/dialog/apply_text.rs`.

use super::apply::{dialog, quotes};
use turnwise::dialog::*;

#[test]
fn segments_without_a_place_do_not_stay_behind_unnoticed() {
    let mut before = dialog("two for Dune at seven", &[(0, 3), (8, 12), (16, 21)]);
    before.turns[0].segments[0].span = None;
    let set = |text: &str, drop| {
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop, shrink: false };
        edit.apply(&before)
    };
    let why = |text: &str| set(text, false).expect_err(text).to_string();
    assert_eq!(
        why("2 for Dune at seven"),
        "the edges of segment 0 cannot be read; add \"drop\": true to remove it"
    );
    assert_eq!(
        why("2 for Alien at seven"),
        "the new text cuts segment 1, and the edges of segment 0 cannot be read; \
         add \"drop\": true to remove them"
    );
    let after = set("2 for Dune at seven", true).expect("dropped");
    assert_eq!(quotes(&after)[0].0, "Dune");
    let same = set("two for Dune at seven", false);
    assert_eq!(same.as_ref(), Ok(&before));
}

#[test]
fn a_cut_segment_covers_the_rest_if_the_edit_asks_for_it() {
    let before = dialog("two for Dune Part Two at seven pm", &[(0, 3), (8, 21), (25, 33)]);
    let set = |text: &str, drop| {
        let edit = Edit::SetText { turn: 0, text: text.to_owned(), drop, shrink: true };
        let after = edit.apply(&before)?;
        let quotes = quotes(&after);
        assert!(quotes.iter().all(|(covered, quote)| covered == quote));
        let quotes = quotes.into_iter().map(|(_, quote)| quote.to_string());
        Ok::<_, EditError>(quotes.collect::<Vec<_>>())
    };
    let kept = |text: &str| set(text, false).expect("fits");
    assert_eq!(kept("two for Dune Part at 7 pm"), ["two", "Dune Part", "7 pm"]);
    assert_eq!(kept("two for Dune Two at seven pm"), ["two", "Dune Two", "seven pm"]);
    let refused = set("two for Dune Part Two", false).expect_err("nothing is left of one");
    assert!(refused.to_string().contains("cuts segment 2; add \"drop\""));
    assert_eq!(set("two for Dune", true), Ok(vec!["two".to_owned(), "Dune".to_owned()]));
    let asked =
        Edit::SetText { turn: 0, text: "two for Dune".to_owned(), drop: false, shrink: false };
    assert_eq!(
        asked.apply(&before).expect_err("cut").to_string(),
        "the new text cuts segment 1, 2; add \"shrink\": true to keep what is left of \
         segment 1, \"drop\": true to remove them"
    );
}
