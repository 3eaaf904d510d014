//! Tests of `src/text/span_map.rs`.

use std::ops::Range;
use turnwise::text::*;

fn changes(old: &str, new: &str) -> TextChanges {
    TextChanges::of_text(old, new).expect("texts differ")
}

/// Returns the changed stretches, each with its old and its new text.
fn differences(old: &str, new: &str) -> Vec<(String, String)> {
    let part = |text: &str, at: &Range<usize>| {
        let found = turnwise::text::slice(text, at.start, at.end);
        found.expect("in the text").to_owned()
    };
    let changes = changes(old, new).0;
    let both = |change: &Change| (part(old, &change.old), part(new, &change.new));
    changes.iter().map(both).collect()
}

#[test]
fn spans_follow_their_text() {
    let change = changes("at seven pm", "at 7 pm");
    assert_eq!(change.0, [Change { old: 3..8, new: 3..4 }]);
    assert_eq!(change.map_span(&(0..2)), MappedSpan::To(0..2));
    assert_eq!(change.map_span(&(0..3)), MappedSpan::To(0..3));
    assert_eq!(change.map_span(&(9..11)), MappedSpan::To(5..7));
    assert_eq!(change.map_span(&(3..8)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(0..11)), MappedSpan::Cut);
}

#[test]
fn an_insertion_at_an_edge_cuts_nothing() {
    let change = changes("ab", "aXb");
    assert_eq!(change.map_span(&(0..1)), MappedSpan::To(0..1));
    assert_eq!(change.map_span(&(1..2)), MappedSpan::To(2..3));
    assert_eq!(change.map_span(&(0..2)), MappedSpan::Cut);
}

#[test]
fn the_rest_of_a_span_includes_text_written_inside_it() {
    let left = |old: &str, span: &str, new: &str| {
        let start = old[..old.find(span).expect("in the text")].chars().count();
        let span = start..start + span.chars().count();
        let left = changes(old, new).left_in_text(&span, old, new)?;
        Some(turnwise::text::slice(new, left.start, left.end)?.to_owned())
    };
    let left = |old: &str, span: &str, new: &str| left(old, span, new).unwrap_or_default();
    assert_eq!(left("two for Dune Part Two", "Dune Part Two", "two for Dune"), "Dune");
    assert_eq!(left("two tickets for", "two tickets", "two for"), "two");
    assert_eq!(left("at seven pm.", "seven pm", "at 7 pm."), "7 pm");
    assert_eq!(left("Dune Prt Two", "Dune Prt Two", "Dune Part Two"), "Dune Part Two");
    assert_eq!(left("see Dune now", "Dune", "see June now"), "June");
    assert_eq!(left("for Dune at seven", "Dune", "for Alien at seven"), "");
    assert_eq!(left("in New York City today", "York City", "in Boston City today"), "City");
    assert_eq!(left("a b", "a b", "c d"), "");
    assert_eq!(left("今日は良い天気", "良い天気", "今日は良い"), "良い");
}

#[test]
fn spans_that_end_before_they_start_move_too() {
    let backwards = |start, end| Range { start, end };
    let change = changes("at seven pm", "at 7 pm");
    assert_eq!(change.map_span(&backwards(2, 1)), MappedSpan::To(backwards(2, 1)));
    assert_eq!(change.map_span(&backwards(11, 9)), MappedSpan::To(backwards(7, 5)));
    assert_eq!(change.map_span(&backwards(9, 1)), MappedSpan::Cut);
}

#[test]
fn repeated_text_is_not_counted_twice() {
    assert_eq!(differences("aa", "aaa"), [(String::new(), "a".to_owned())]);
    assert_eq!(differences("abab", "ab"), [("ab".to_owned(), String::new())]);
}

#[test]
fn text_between_two_changes_stays() {
    let (old, new) = ("I want 2 seats for Dune", "we need 2 tickets to Dune!");
    let change = changes(old, new);
    assert_eq!(change.map_span(&(7..8)), MappedSpan::To(8..9));
    assert_eq!(change.map_span(&(9..14)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(19..23)), MappedSpan::To(21..25));
    assert_eq!(change.map_span(&(7..23)), MappedSpan::Cut);
    let quoted = changes("see \"Dune\" or \"Alien\"", "see “Dune” or “Alien”");
    assert_eq!(quoted.map_span(&(5..9)), MappedSpan::To(5..9));
    assert_eq!(quoted.map_span(&(15..20)), MappedSpan::To(15..20));
    assert_eq!(quoted.map_span(&(4..10)), MappedSpan::Cut);
}

#[test]
fn letters_of_changed_words_do_not_count_as_words() {
    let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
    assert_eq!(differences("Dune at seven", "Alien by eleven"), [pair("Dune at s", "Alien by el")]);
    assert_eq!(differences("東京はいい", "大阪は悪い"), [pair("東京はい", "大阪は悪")]);
    assert_eq!(
        differences("東京に行きたい", "大阪に行くよ"),
        [pair("東京", "大阪"), pair("きたい", "くよ")]
    );
    assert_eq!(differences("夜7時に", "朝7分で"), [pair("夜", "朝"), pair("時に", "分で")]);
}

#[test]
fn tokens_stay_as_words_do() {
    let tokens = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (tokens("i want 2 for dune ."), tokens("we take only 2 for alien ."));
    let change = TextChanges::of_tokens(&old, &new).expect("differ");
    assert_eq!(change.map_span(&(2..4)), MappedSpan::To(3..5));
    assert_eq!(change.map_span(&(4..5)), MappedSpan::Cut);
    assert_eq!(change.map_span(&(5..6)), MappedSpan::To(6..7));
    assert_eq!(TextChanges::of_tokens(&old, &old), None);
}

#[test]
fn a_very_long_stretch_is_one_change() {
    let long = |word: &str| format!("{word}{}{word}", " and on".repeat(4096 / 6));
    assert_eq!(changes(&long("x"), &long("y")).0.len(), 1);
}
