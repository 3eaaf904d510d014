//! Tests of `src/app/pane/found.rs`.

use turnwise::app::pane::*;
use turnwise::query::Query;

#[test]
fn texts_are_marked_over_the_ends_of_lines() {
    let sought = |text: &str| text.parse::<Query>().unwrap().sought();
    let lines = |text: &str| wrapped(Line::of(Ink::Dim, "  → "), Ink::Plain, text, 14);
    let marked = |lines: &[Line]| -> Vec<String> {
        let runs = lines.iter().flat_map(|line| &line.runs);
        let hits = runs.filter(|run| run.hit);
        hits.map(|run| run.text.to_string()).collect()
    };
    let mut two = lines("one two three four five");
    assert_eq!(mark_found(&mut two, &sought("two three")), [0]);
    assert_eq!(marked(&two), ["two", "three"]);
    let mut three = lines("one two three four one");
    assert_eq!(mark_found(&mut three, &sought("four")), [1]);
    assert_eq!(marked(&three), ["four"]);
    let text: String = three[1].runs.iter().map(|run| run.text.as_str()).collect();
    assert_eq!(text, "    three four");
    let mut long = lines("abcdefghijklmnopqrst");
    assert_eq!(mark_found(&mut long, &sought("ijkl")), [0]);
    assert_eq!(marked(&long), ["ij", "kl"]);
    assert!(mark_found(&mut long, &sought("→")).is_empty());
    let mut all = lines("one two three four one two one");
    assert_eq!(mark_found(&mut all, &sought("one")), [0, 2, 3]);
}
