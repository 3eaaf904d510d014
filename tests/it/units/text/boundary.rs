//! Tests of `src/text/boundary.rs`.

use std::collections::BTreeSet;

use proptest::prelude::*;

use turnwise::text::*;
use unicode_segmentation::UnicodeSegmentation as _;

/// Returns every offset between two graphemes, with both ends.
fn graphemes(text: &str) -> Vec<usize> {
    let mut at = 0;
    let ends = text.graphemes(true).map(|grapheme| {
        at += count(grapheme);
        at
    });
    std::iter::once(0).chain(ends).collect()
}

#[test]
fn a_time_a_name_and_an_abbreviation_are_one_word() {
    let text = "9:10 O'Neil 7 a.m. $12.50, 4th";
    let ends = [4, 11, 13, 18, 25, 30];
    assert_eq!(word_edges(text, SpanEdge::End).collect::<BTreeSet<_>>(), ends.into());
    let starts = [0, 5, 12, 14, 19, 27];
    assert_eq!(word_edges(text, SpanEdge::Start).collect::<BTreeSet<_>>(), starts.into());
    assert_eq!(boundary(text, 0, Motion::WordEnd, Direction::Forward), 4);
    assert_eq!(boundary(text, 18, Motion::WordStart, Direction::Back), 14);
}

proptest! {
    #[test]
    fn edges_of_words_are_found_from_everywhere(
        text in "[ab1 .:$'\u{301}\u{200d}é世👨🇩🇪\n]{0,16}",
    ) {
        let end = count(&text);
        for at in 0..=end {
            for (step, edge) in
                [(Motion::WordStart, SpanEdge::Start), (Motion::WordEnd, SpanEdge::End)]
            {
                let edges: Vec<_> = word_edges(&text, edge).collect();
                prop_assert!(edges.is_sorted());
                let next = edges.iter().find(|edge| **edge > at).copied();
                let before = edges.iter().rev().find(|edge| **edge < at).copied();
                let (last, first) = match edge {
                    SpanEdge::Start => (end, at),
                    SpanEdge::End => (at, 0),
                };
                prop_assert_eq!(boundary(&text, at, step, Direction::Forward), next.unwrap_or(last));
                prop_assert_eq!(boundary(&text, at, step, Direction::Back), before.unwrap_or(first));
            }
        }
    }

    #[test]
    fn graphemes_are_found_from_everywhere(
        text in "[a\u{301}\u{200d}👨👩🏽🇩🇪한\u{1161}\u{11a8}क\u{94d}ष\r\n\u{e0067}]{0,12}",
    ) {
        let places = graphemes(&text);
        let end = count(&text);
        for at in 0..=end {
            let next = places.iter().find(|place| **place > at).copied();
            let before = places.iter().rev().find(|place| **place < at).copied();
            prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Forward), next.unwrap_or(end));
            prop_assert_eq!(boundary(&text, at, Motion::Grapheme, Direction::Back), before.unwrap_or(0));
        }
    }
}
