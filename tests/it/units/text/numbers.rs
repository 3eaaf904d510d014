//! Tests of `src/text/numbers.rs`.

use turnwise::text::*;

#[test]
fn thousands_are_apart() {
    let grouped = [0, 999, 1000, 447_540, 1_000_000].map(grouped);
    assert_eq!(grouped, ["0", "999", "1,000", "447,540", "1,000,000"]);
}

#[test]
fn halves_of_a_percent_are_rounded_up() {
    let percents = [(85, 1000), (65, 1000), (575, 1000), (84, 1000), (1, 1), (0, 0)];
    let percents = percents.map(|(count, of)| percent(count, of));
    assert_eq!(percents, [9, 7, 58, 8, 100, 0]);
}

#[test]
fn one_of_something_has_no_plural() {
    let counted = [0, 1, 2, 1200].map(|count| counted(count, "edit"));
    assert_eq!(counted, ["0 edits", "1 edit", "2 edits", "1,200 edits"]);
}
