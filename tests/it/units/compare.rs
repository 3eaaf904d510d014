//! Tests of `src/compare/turns.rs`.

use turnwise::compare::*;
use turnwise::dialog::Speaker;
use turnwise::dialog::Turn;

fn turns(said: &[(&str, &str)]) -> Vec<Turn> {
    let turn = |(speaker, text): &(&str, &str)| Turn {
        speaker: Speaker::named((*speaker).into()),
        text: (*text).to_owned(),
        ..Turn::default()
    };
    said.iter().map(turn).collect()
}

#[test]
fn turns_are_aligned_by_what_they_say() {
    let old = turns(&[("U", "two for Dune"), ("S", "at seven?"), ("U", "yes"), ("S", "booked")]);
    let new = turns(&[
        ("U", "hello there"),
        ("U", "two seats for Dune"),
        ("S", "at seven?"),
        ("U", "no, at nine"),
        ("S", "booked"),
    ]);
    let found = aligned(&old, &new);
    assert_eq!(found.both, [(0, 1), (1, 2), (2, 3), (3, 4)]);
    assert_eq!((found.removed, found.added), (vec![], vec![0]));
}

#[test]
fn numbers_tell_repeated_turns_apart() {
    let texts = ["a", "b", "a", "b", "a", "b"];
    let of = |texts: &[&str]| {
        let said: Vec<_> = texts.iter().map(|text| ("U", *text)).collect();
        let mut turns = turns(&said);
        for (index, turn) in (0..).zip(&mut turns) {
            turn.index = Some(index);
        }
        turns
    };
    let found = aligned(&of(&texts), &of(&["new a", "b", "a", "b", "a x", "b x"]));
    assert!(found.both.iter().all(|(old, new)| old == new), "{found:?}");
    assert_eq!(found.both.len(), 6);
}
