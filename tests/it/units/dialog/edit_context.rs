//! Tests of `src/dialog/edit_context.rs`.

use turnwise::dialog::*;
use turnwise::text::Units;

fn dialog(segments: &[(u32, u32)], votes: &[&str]) -> Dialog {
    let segment = |(start, end): &(u32, u32)| Segment {
        span: Some(Span { start: *start, end: *end }),
        quote: Some("Dune".into()),
        labels: vec![Label { name: "name.movie".into(), ..Label::default() }],
        ..Segment::default()
    };
    let vote = |annotator: &&str| Vote { annotator: (*annotator).into(), ..Vote::default() };
    let turn = Turn {
        speaker: turnwise::dialog::Speaker::named("user".into()),
        text: "two for Dune".to_owned(),
        segments: segments.iter().map(segment).collect(),
        votes: votes.iter().map(vote).collect(),
        ..Turn::default()
    };
    Dialog { turns: vec![turn], ..Dialog::new(Units::CodePoints) }
}

#[test]
fn a_vote_depends_on_the_text_and_not_on_other_votes() {
    let edit = Edit::CastVote {
        turn: 0,
        annotator: "mk".to_owned(),
        breakdown: Breakdown::X,
        comment: None,
        ungrammatical: None,
    };
    let on = |dialog: &Dialog| EditContext::of(&edit, dialog);
    let old = dialog(&[], &["kk"]);
    assert_eq!(on(&old), on(&dialog(&[(0, 3)], &["kk", "js"])));
    assert_ne!(on(&old), on(&dialog(&[], &["kk", "mk"])));
    let mut other = old.clone();
    other.turns[0].text.push('!');
    assert_ne!(on(&old), on(&other));
}

#[test]
fn long_texts_that_differ_at_their_end_are_distinct() {
    let edit = Edit::SetIntents { turn: 0, intents: Vec::new() };
    let mut long = dialog(&[], &[]);
    long.turns[0].text = "é".repeat(2000);
    let one = EditContext::of(&edit, &long).expect("a turn");
    assert!(one.to_string().len() < 2000 + 30);
    long.turns[0].text.push('!');
    assert_ne!(EditContext::of(&edit, &long), Some(one));
}
