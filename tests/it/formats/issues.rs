//! Format errors of a dialog are reported, and the rest of it is read.

use turnwise::dialog::{Breakdown, Issue, Span};

use super::{edited, read};

fn said(issues: &[Issue]) -> Vec<String> {
    issues.iter().map(|issue| issue.problem.to_string()).collect()
}

#[test]
fn a_wrong_type_leaves_the_rest_readable() {
    let text = r#"{"conversation_id":7,"utterances":[
        {"index":"0","speaker":null,"text":"Two seats","segments":[
            {"start_index":0,"end_index":3,"text":"Two","annotations":[{"name":"num"},"x",{"nom":"y"}]},
            {"start_index":-1,"end_index":9,"text":5,"annotations":{}},
            17]},
        "hm",
        {"index":2,"speaker":"USER","text":["not","text"]},
        {"index":3,"speaker":"USER","text":"fine"}]}"#;
    let (dialog, issues) = read("taskmaster-1-2", text);
    assert_eq!(
        said(&issues),
        [
            "`conversation_id` should be a string, found 7",
            "`index` should be an integer from 0 on, found \"0\"",
            "`speaker` should be a string, found null",
            "an item of `annotations` should be an object, found \"x\"",
            "the annotation lacks `name`",
            "`start_index` should be an integer from 0 on, found -1",
            "`text` should be a string, found 5",
            "`annotations` should be an array, found an object",
            "an item of `segments` should be an object, found 17",
            "an item of `utterances` should be an object, found \"hm\"",
            "`text` should be a string, found an array",
        ]
    );
    assert_eq!(issues[0].turn, None);
    assert_eq!(issues[3].turn, Some(0));
    assert_eq!(issues[9].turn, Some(1));
    let at = issues[5].at;
    assert_eq!(&text[at.start as usize..at.end as usize], "-1");
    let texts: Vec<_> = dialog.turns.iter().map(|t| t.text.as_str()).collect();
    assert_eq!(texts, ["Two seats", "", "", "fine"]);
    let segments = &dialog.turns[0].segments;
    assert_eq!(segments.len(), 3);
    assert_eq!(segments[0].span, Some(Span { start: 0, end: 3 }));
    assert_eq!(segments[0].labels[0].name, "num");
    assert_eq!(segments[1].span, None);
}

#[test]
fn offsets_in_strings_are_read_everywhere_and_right_in_one_family() {
    let text = |start: &str| {
        format!(
            r#"{{"conversation_id":"a","utterances":[{{"index":0,"speaker":"u","text":"abc","segments":[
                {{"start_index":{start},"end_index":3,"text":"abc","annotations":[]}}]}}]}}"#
        )
    };
    let start = |family: &str, offset: &str| {
        let (dialog, issues) = read(family, &text(offset));
        let span = dialog.turns[0].segments[0].span;
        (span.map(|span| span.start), issues.len())
    };
    assert_eq!(start("taskmaster-4", "\"1\""), (Some(1), 0));
    assert_eq!(start("taskmaster-4", "\"007\""), (Some(7), 0));
    assert_eq!(start("taskmaster-3", "\"1\""), (Some(1), 1));
    assert_eq!(start("taskmaster-1-2", "2.0"), (Some(2), 0));
    assert_eq!(start("taskmaster-1-2", "1e0"), (Some(1), 0));
    assert_eq!(start("taskmaster-1-2", "-0"), (Some(0), 0));
    assert_eq!(start("taskmaster-1-2", "4294967295"), (Some(u32::MAX), 0));
    for wrong in ["\"\"", "\"٣\"", "\"3\\n\"", "\" 3\"", "\"1234567890\"", "4294967296", "0.5"] {
        assert_eq!(start("taskmaster-4", wrong), (None, 1), "{wrong}");
    }
}

#[test]
fn spans_far_beyond_the_text_do_not_wrap_round() {
    let text = r#"{"conversation_id":"a","utterances":[{"index":0,"speaker":"u","text":"ab","segments":[
        {"start_index":7,"end_index":4294967294,"text":"","annotations":[]}]}]}"#;
    let edit = r#"{"edit":"set_text","turn":0,"text":"abcde"}"#;
    let changed = edited("taskmaster-1-2", text, edit).expect("made").dialog;
    let (start, end) = (10, u32::MAX);
    assert_eq!(changed.turns[0].segments[0].span, Some(Span { start, end }));
}

#[test]
fn the_other_families_say_what_is_wrong_too() {
    let issues = |family: &str, text: &str| said(&read(family, text).1);
    let votes = r#"{"dialogue-id":"a","turns":[{"turn-index":0,"speaker":"S","utterance":"",
        "annotations":[{"annotator-id":"a","breakdown":"o"},{"breakdown":"X","comment":0}]}]}"#;
    assert_eq!(
        issues("dbdc", votes),
        [
            "`breakdown` should be \"O\", \"T\" or \"X\", found \"o\"",
            "the vote lacks `annotator-id`",
            "`comment` should be a string, found 0",
        ]
    );
    let (dialog, _) = read("dbdc", votes);
    assert_eq!(dialog.turns[0].votes[0].breakdown, None);
    assert_eq!(dialog.turns[0].votes[1].breakdown, Some(Breakdown::X));
    let labels = r#"{"dialogue-id":"a","turns":[{"turn-index":0,"labels":[]},{"turn-index":1,
        "labels":[{"breakdown":"O","prob-O":"0.5","prob-T":1.5,"prob-X":0}]}]}"#;
    assert_eq!(
        issues("dbdc-labels", labels),
        [
            "`labels` should be an array with at least one label, found an array",
            "`prob-O` should be a number from 0 to 1, found \"0.5\"",
            "`prob-T` should be a number from 0 to 1, found 1.5",
        ]
    );
    let sim = r#"{"dialogue_id":"a","turns":[{"system_utterance":{"text":"hi","tokens":["hi",1]},
        "user_intents":[null],"dialogue_state":[{"slot":"a"}]},4]}"#;
    assert_eq!(
        issues("sim", sim),
        [
            "an item of `tokens` should be a string, found 1",
            "an item of `user_intents` should be a string, found null",
            "the state lacks `value`",
            "an item of `turns` should be an object, found 4",
        ]
    );
    let generated =
        r#"{"dialogue_id":"a","turns":[{"user_acts":[{"slot_values":[]}]},{"user_utterance":1}]}"#;
    assert_eq!(
        issues("sim-gen", generated),
        [
            "the turn lacks `user_utterance`",
            "the act lacks `name`",
            "`slot_values` should be an object, found an array",
            "`user_utterance` should be a string, found 1",
        ]
    );
    assert_eq!(issues("sim-gen", "[]"), ["`dialog` should be an object, found an array"]);
}

#[test]
fn errors_elsewhere_do_not_prevent_an_edit() {
    let text = r#"{"utterances": [{"index": "", "speaker": 1, "text": "abc", "segments": [{"end_index": 3, "annotations": ["x"]}, 5]}]}"#;
    let after = |edit: &str| edited("taskmaster-1-2", text, edit).expect(edit).text;
    assert_eq!(
        after(r#"{"edit":"set_labels","turn":0,"segment":0,"labels":["y"]}"#),
        text.replace(r#"["x"]"#, r#"[{"name": "y"}]"#)
    );
    let spanned = after(r#"{"edit":"set_span","turn":0,"segment":0,"start":1,"end":2}"#);
    assert_eq!(
        spanned,
        text.replace(
            r#""end_index": 3, "annotations": ["x"]"#,
            r#""end_index": 2, "annotations": ["x"], "start_index": 1"#
        )
    );
    assert_eq!(after(r#"{"edit":"remove_segment","turn":0,"segment":1}"#), text.replace(", 5", ""));
    let absent = r#"{"turns":[{"turn-index":0,"speaker":"S"},{"speaker":"S","utterance":"x"}]}"#;
    let change = r#"{"edit":"set_text","turn":0,"text":"so"}"#;
    let mended = edited("dbdc", absent, change).expect("added").text;
    assert_eq!(mended, absent.replace("\"S\"}", "\"S\",\"utterance\":\"so\"}"));
}
