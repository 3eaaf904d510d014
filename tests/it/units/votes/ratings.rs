//! Tests of `src/votes/ratings.rs`.

use turnwise::votes::*;

/// Two dialogs; annotators 0, 1 and 2 give categories 0 and 1.
fn ratings() -> Ratings {
    let item = |dialog, given: &[[u32; 2]]| RatedItem {
        dialog,
        turn: None,
        ratings: given.iter().copied().map(Rating::from).collect(),
        gold: None,
    };
    Ratings {
        annotators: 3,
        categories: 2,
        dialogs: 2,
        items: vec![
            item(0, &[[0, 0], [1, 0], [2, 1]]),
            item(0, &[[0, 1], [1, 0]]),
            item(1, &[[0, 1], [2, 1]]),
        ],
    }
}

#[test]
fn annotators_are_compared_where_both_judged() {
    let ratings = ratings();
    assert_eq!(ratings.confusion(0, 1).turns, [[1, 0], [1, 0]]);
    assert_eq!(ratings.confusion(0, 2).turns, [[0, 1], [0, 1]]);
    let all = ratings.by_annotator();
    assert_eq!(all[0].with_rest(), Ok((0.5 + 0.0 + 1.0) / 3.0));
    assert_eq!(all[2].votes(), 2);
}

#[test]
fn a_draw_has_the_items_of_its_dialogs_as_often() {
    let ratings = ratings();
    let drawable = Drawable::of(&ratings);
    let figures = |times: &[u64]| {
        let drawn = drawable.drawn(times);
        (drawn.turns(), drawn.votes(), drawn.agreement())
    };
    let all = ratings.tallies();
    assert_eq!(figures(&[1, 1]), (all.turns(), all.votes(), all.agreement()));
    assert_eq!(figures(&[0, 2]), (2, 4, Ok(1.0)));
    let first = ratings.with(ratings.items[..2].to_vec()).tallies();
    assert_eq!(figures(&[1, 0]), (first.turns(), first.votes(), first.agreement()));
}
