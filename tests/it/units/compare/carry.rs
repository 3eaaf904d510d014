//! Tests of `src/compare/carry.rs`.

use turnwise::compare::*;
use turnwise::dialog::{Dialog, Edit, Segment, Span, Turn};
use turnwise::dialog::{Extent, Label, Speaker};
use turnwise::text::Units;

type Marked = (u32, u32, &'static str);

fn dialog(turns: &[(&str, &[Marked])]) -> Dialog {
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = turns
        .iter()
        .map(|(text, segments)| Turn {
            speaker: Speaker::named("U".into()),
            text: (*text).to_owned(),
            segments: segments
                .iter()
                .map(|(start, end, label)| Segment {
                    span: Some(Span { start: *start, end: *end }),
                    labels: vec![Label { name: (*label).into(), at: Extent::default() }],
                    ..Segment::default()
                })
                .collect(),
            ..Turn::default()
        })
        .collect();
    dialog
}

#[test]
fn edits_follow_their_turn_their_segment_and_their_words() {
    let before =
        dialog(&[("two for Dune", &[(0, 3, "count"), (8, 12, "film")]), ("at seven", &[])]);
    let after =
        dialog(&[("hello", &[]), ("oh, two for Dune", &[(12, 16, "film")]), ("at seven", &[])]);
    let edits = [
        Edit::RemoveSegment { turn: 0, segment: 1 },
        Edit::AddSegment { turn: 0, start: 4, end: 12, labels: vec!["a".to_owned()] },
        Edit::RemoveTurn { turn: 1 },
    ];
    let expected = [
        Edit::RemoveSegment { turn: 1, segment: 0 },
        Edit::AddSegment { turn: 1, start: 8, end: 16, labels: vec!["a".to_owned()] },
        Edit::RemoveTurn { turn: 2 },
    ];
    assert_eq!(carried_edits(&edits, &before, &after).as_deref(), Ok(&expected[..]));
    let gone = [Edit::RemoveSegment { turn: 0, segment: 0 }];
    assert_eq!(carried_edits(&gone, &before, &after), Err(0));
}
