//! Offsets that are far too large.

use turnwise::dialog::Span;

use super::edited;

#[test]
fn spans_far_beyond_the_text_do_not_wrap_round() {
    let text = r#"{"conversation_id":"a","utterances":[{"index":0,"speaker":"u","text":"ab","segments":[
        {"start_index":7,"end_index":4294967294,"text":"","annotations":[]}]}]}"#;
    let edit = r#"{"edit":"set_text","turn":0,"text":"abcde"}"#;
    let changed = edited("taskmaster-1-2", text, edit).expect("made").dialog;
    let (start, end) = (10, u32::MAX);
    assert_eq!(changed.turns[0].segments[0].span, Some(Span { start, end }));
}
