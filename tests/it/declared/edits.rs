//! Reads and writes small dialogs of every form that a description may give them.

use turnwise::dialog::{Content, Edit, EditValue, Role, Span};
use turnwise::format::Family;

use super::{declared, edited, issues, read, set_text};

/// A description with these rules after a usual head.
fn format(rules: &str) -> &'static Family {
    declared(&format!(
        "name = \"own\"\nhas = [\"turns[*].text\"]\nid = \"id\"\n\
         [turn]\nat = \"turns[*]\"\nspeaker = \"who\"\nuser = [\"me\"]\nsystem = [\"bot\"]\n\
         text = \"text\"\n{rules}"
    ))
}

fn set_span(start: u32, end: u32) -> Edit {
    Edit::SetSpan { turn: 0, segment: 0, start, end }
}

fn refusal(format: &'static Family, dialog: &str, edit: &Edit) -> String {
    edited(format, dialog, edit).expect_err("refused").to_string()
}

/// The text after an edit.
fn after(format: &'static Family, dialog: &str, edit: &Edit) -> String {
    edited(format, dialog, edit).unwrap().text
}

#[test]
fn offsets_count_what_the_description_says() {
    // The span is "😀 c" of "é😀 cd".
    for (unit, ends, start, end, moved) in [
        ("code-points", "exclusive", 1, 4, 5),
        ("code-points", "inclusive", 1, 3, 4),
        ("code-points", "length", 1, 3, 4),
        ("utf16", "exclusive", 1, 5, 6),
        ("utf16", "inclusive", 1, 4, 5),
        ("bytes", "exclusive", 2, 8, 9),
        ("bytes", "length", 2, 6, 7),
    ] {
        let format = format(&format!(
            "[[span]]\nat = \"s[*]\"\nstart = \"[0]\"\nend = \"[1]\"\nlabel = \"[2]\"\n\
             unit = \"{unit}\"\nends = \"{ends}\""
        ));
        let dialog = |end: u32| {
            format!(r#"{{"id":"a","turns":[{{"text":"é😀 cd","s":[[{start},{end},"x"]]}}]}}"#)
        };
        let span = read(format, &dialog(end)).turns[0].segments[0].span;
        assert_eq!(span, Some(Span { start: 1, end: 4 }), "{unit} {ends}");
        let there = after(format, &dialog(end), &set_span(1, 5));
        assert_eq!(there, dialog(moved), "{unit} {ends}");
        assert_eq!(after(format, &there, &set_span(1, 4)), dialog(end));
    }
}

#[test]
fn words_and_tokens_are_counted_as_they_are() {
    let words = format(
        "[[span]]\nat = \"s[*]\"\nstart = \"from\"\nend = \"to\"\nlabel = \"l\"\n\
         unit = \"words\"\nends = \"inclusive\"",
    );
    let dialog =
        r#"{"id":"a","turns":[{"text":"a  big\nhat now","s":[{"from":1,"to":"2","l":"x"}]}]}"#;
    let turn = &read(words, dialog).turns[0];
    assert_eq!(turn.segments[0].span, Some(Span { start: 1, end: 3 }));
    let moved = after(words, dialog, &set_span(0, 4));
    assert_eq!(moved, dialog.replace(r#""from":1,"to":"2""#, r#""from":0,"to":"3""#));
    let tokens = declared(
        "name = \"own\"\nhas = [\"turns[*].text\"]\n[turn]\nat = \"turns[*]\"\ntext = \"text\"\n\
         tokens = \"tokens[*]\"\n[[span]]\nat = \"s[*]\"\nstart = \"f\"\nend = \"t\"\nlabel = \"l\"\n\
         unit = \"tokens\"",
    );
    let dialog = r#"{"turns":[{"text":"a big hat","tokens":["a","big","hat"],"s":[{"f":1,"t":2,"l":"x"}]}]}"#;
    let edit = set_text(0, "what a big hat");
    let expected = r#"{"turns":[{"text":"what a big hat","tokens":["what","a","big","hat"],"s":[{"f":2,"t":3,"l":"x"}]}]}"#;
    assert_eq!(after(tokens, dialog, &edit), expected);
}

const LABELLED: &str = "[[span]]\nat = \"parts[*].slots[*]\"\nstart = \"from\"\nend = \"to\"\n\
    label = [\"^.task\", \"slot\"]\nquote = \"said\"\nannotator = \"by\"";

#[test]
fn a_joined_label_is_written_where_it_has_a_place() {
    let format = format(LABELLED);
    let dialog = r#"{"id": "a", "turns": [{"who": "me", "text": "to Rome by train", "parts": [
  {"task": "trip", "slots": [{"slot": "city", "from": 3, "to": 7, "said": "Rome", "by": "k", "odd": [1]}]},
  {"task": "fare", "slots": []}
]}]}"#;
    let segment = &read(format, dialog).turns[0].segments[0];
    assert_eq!(segment.labels[0].name, "trip.city");
    assert_eq!(segment.annotator.as_deref(), Some("k"));
    let fields: Vec<_> = segment.fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(fields, ["odd"]);
    let label =
        |label: &str| Edit::SetLabels { turn: 0, segment: 0, labels: vec![label.to_owned()] };
    assert_eq!(after(format, dialog, &label("trip.town")), dialog.replace("\"city\"", "\"town\""));
    let refused = refusal(format, dialog, &label("fare.city"));
    assert!(refused.contains("does not have the form `trip.…`"), "{refused}");
    let add = |label: &str| Edit::AddSegment {
        turn: 0,
        start: 8,
        end: 16,
        labels: vec![label.to_owned()],
    };
    let added = after(format, dialog, &add("fare.means"));
    let new = r#""slots": [{"slot": "means", "from": 8, "to": 16, "said": "by train"}]}"#;
    assert_eq!(added, dialog.replace("\"slots\": []}", new));
    let removed = Edit::RemoveSegment { turn: 0, segment: 1 };
    assert_eq!(after(format, &added, &removed), dialog);
    let refused = refusal(format, dialog, &add("hotel.means"));
    assert!(refused.contains("no part of the turn can hold \"hotel.means\""), "{refused}");
}

#[test]
fn a_first_element_needs_an_example() {
    let empty = r#"{"id": "a", "turns": [{"text": "to Rome", "parts": [{"task": "trip"}]}]}"#;
    let add = Edit::AddSegment { turn: 0, start: 3, end: 7, labels: vec!["trip.city".to_owned()] };
    let refused = refusal(format(LABELLED), empty, &add);
    assert!(refused.contains("no example in `new`"), "{refused}");
    let example = "\nnew = { slot = \"\", from = 0, to = 0, sure = true, more = [] }";
    let added = after(format(&format!("{LABELLED}{example}")), empty, &add);
    let new = r#"{"task": "trip", "slots": [{"slot": "city", "from": 3, "to": 7, "sure": true, "more": []}]}"#;
    assert_eq!(added, empty.replace(r#"{"task": "trip"}"#, new));
}

#[test]
fn acts_and_state_are_written_in_place() {
    let format = format(
        "[[act]]\nat = \"acts{*}[*]\"\nname = \"^@key\"\nslot = \"[0]\"\nvalues = \"[1]\"\n\
         [state]\nat = \"belief{*}\"\nname = \"@key\"\nvalues = \"[*]\"\nof = \"turn-before\"",
    );
    let dialog = r#"{"id":"a","turns":[{"who":"me","text":"hi"},{"who":"bot","text":"yes",
"acts":{"inform":[["food","thai"]],"bye":[["none","none"]]},"belief":{"food":["thai"],"area":[],"day":["mon","tue"]}}]}"#;
    let read = read(format, dialog);
    let state = read.turns[0].state.as_ref().unwrap();
    let shown: Vec<_> = state.iter().map(|s| (s.slot.as_str(), s.value.as_str())).collect();
    assert_eq!(shown, [("food", "thai"), ("area", ""), ("day", "[\"mon\", \"tue\"]")]);
    assert_eq!(read.turns[1].state, None);
    let same = |edit: &str, from: &str, to: &str| {
        let edit = serde_json::from_str(&format!("{{\"edit\":{edit}}}")).unwrap();
        assert_eq!(after(format, dialog, &edit), dialog.replace(from, to), "{edit:?}");
    };
    let add = |name: &str| {
        format!(r#""add_act","turn":1,"name":"{name}","slots":[{{"slot":"area","value":"west"}}]"#)
    };
    let set = |name: &str, value: &str| {
        format!(
            r#""set_act","turn":1,"act":0,"name":"{name}","slots":[{{"slot":"food","value":"{value}"}}]"#
        )
    };
    let state = |slot: &str| format!(r#""set_state","turn":0,"slot":"{slot}","value":"west""#);
    let thai = r#"["food","thai"]]"#;
    same(&add("inform"), thai, r#"["food","thai"],["area","west"]]"#);
    same(&add("offer"), r#""none"]]}"#, r#""none"]],"offer":[["area","west"]]}"#);
    same(&set("inform", "greek"), thai, r#"["food","greek"]]"#);
    same(&state("area"), "\"area\":[]", "\"area\":[\"west\"]");
    same(&state("name"), "\"tue\"]", "\"tue\"],\"name\":[\"west\"]");
    let rename = r#""rename_state","turn":0,"slot":"food","to":"dish""#;
    same(rename, "\"food\":[\"thai\"]", "\"dish\":[\"thai\"]");
    same(r#""remove_state","turn":0,"slot":"area""#, "\"area\":[],", "");
    let other = format!("{{\"edit\":{}}}", set("offer", "thai"));
    let refused = refusal(format, dialog, &serde_json::from_str(&other).unwrap());
    assert!(refused.contains("the act cannot be edited"), "{refused}");
}

/// Members that the description does not name are called after their slot.
#[test]
fn a_slot_with_other_members_is_renamed() {
    let format =
        format("[state]\nat = \"st{*}{*}\"\nname = [\"^@key\", \"@key\"]\nvalues = \"val[*]\"");
    let dialog = r#"{"id":"a","turns":[{"who":"me","text":"hi","st":{"d":{"s":{"rel":"eq","val":["v"]}}}}]}"#;
    let edit = Edit::RenameState { turn: 0, slot: "d.s".to_owned(), to: "d.t".to_owned() };
    assert_eq!(after(format, dialog, &edit), dialog.replace("\"s\":", "\"t\":"));
}

/// A member that is a list in some turns and a name in others.
#[test]
fn acts_may_be_a_list_or_a_name() {
    let format = format(
        "[[act]]\nat = \"acts[*]\"\nname = \"act\"\n[[act]]\nat = \".\"\nwhen = \"acts\"\nname = \"acts\"",
    );
    let dialog = r#"{"id":"a","turns":[{"who":"me","text":"hi","acts":[{"act":"greet"}]},{"who":"bot","text":"ho","acts":"query"}]}"#;
    let schema = serde_json::from_str(format.schema()).unwrap();
    let valid =
        |dialog: &str| jsonschema::is_valid(&schema, &serde_json::from_str(dialog).unwrap());
    assert!(valid(dialog));
    assert!(!valid(&dialog.replace("\"query\"", "{}")));
    let turns = read(format, dialog).turns;
    assert_eq!([0, 1].map(|turn| turns[turn].acts[0].name.as_str()), ["greet", "query"]);
    let edit = Edit::SetAct { turn: 1, act: 0, name: "search".to_owned(), slots: Vec::new() };
    assert_eq!(after(format, dialog, &edit), dialog.replace("query", "search"));
}

/// A value that is a list has elements, and a new one is like them.
#[test]
fn values_of_the_state_may_be_lists_themselves() {
    let format = format("[state]\nat = \"st{*}\"\nname = \"@key\"\nvalues = \".\"");
    let dialog = r#"{"id":"a","turns":[{"who":"me","text":"hi","st":{"food":["thai"]}}]}"#;
    assert_eq!(
        read(format, dialog).turns[0].state.as_ref().unwrap()[0].value,
        Content::Text("thai".into())
    );
    let edit =
        Edit::SetState { turn: 0, slot: "area".to_owned(), value: EditValue::Text("west".into()) };
    assert_eq!(
        after(format, dialog, &edit),
        dialog.replace("[\"thai\"]", "[\"thai\"],\"area\":[\"west\"]")
    );
}

#[test]
fn scales_have_texts_or_numbers() {
    let format = format("[[vote]]\nat = \"marks[*]\"\nscale = [1, 2.5, \"none\"]");
    let issues = |marks: &str| {
        let dialog =
            format!(r#"{{"id":"a","turns":[{{"who":"me","text":"hi","marks":[{marks}]}}]}}"#);
        super::issues(format, &dialog).len()
    };
    assert_eq!(issues(r#"1, 1.0, 2.5, "none""#), 0);
    assert_eq!(issues(r#"3, "1", null"#), 3);
}

#[test]
fn an_element_may_hold_two_turns() {
    let format = declared(
        "name = \"pairs\"\nhas = [\"log[*].bot\"]\n\
         [[turn]]\nat = \"log[*]\"\nalternate = [\"system\"]\ntext = \"bot\"\n\
         [[turn]]\nat = \"log[*]\"\nalternate = [\"user\"]\ntext = \"me\"\n\
         [[act]]\nat = \"acts[*]\"\nname = \".\"\nof = \"user\"",
    );
    let dialog = r#"{"log":[{"bot":"","me":"hi","acts":["hello"]},{"bot":"yes?","me":"bye"}]}"#;
    let turns = read(format, dialog).turns;
    let shown: Vec<_> = turns.iter().map(|t| (t.speaker.name.as_str(), t.text.as_str())).collect();
    assert_eq!(shown, [("user", "hi"), ("system", "yes?"), ("user", "bye")]);
    assert_eq!(turns[0].acts[0].name, "hello");
    let edit = set_text(1, "no?");
    assert_eq!(after(format, dialog, &edit), dialog.replace("yes?", "no?"));
}

#[test]
fn turns_may_be_strings_or_pairs() {
    let strings = declared(
        "name = \"strings\"\nhas = [\"said[*]\"]\n[turn]\nat = \"said[*]\"\n\
         speaker = \"^.by[@index]\"\ntext = \".\"",
    );
    let dialog = r#"{"said":["hi","yes"],"by":["Ann","Bob"]}"#;
    let turns = read(strings, dialog).turns;
    assert_eq!(turns[1].speaker.name, "Bob");
    let edit = set_text(1, "no");
    assert_eq!(after(strings, dialog, &edit), dialog.replace("yes", "no"));
    let pairs = declared(
        "name = \"pairs\"\nhas = [\"said[*][1]\"]\n[turn]\nat = \"said[*]\"\n\
         speaker = \"[0]\"\ntext = \"[1]\"",
    );
    let dialog = r#"{"said":[["user","hi"],["system","yes",{"x":1}]]}"#;
    let turns = read(pairs, dialog).turns;
    assert_eq!(turns[1].speaker.role, Role::System);
    assert_eq!(turns[1].fields[0].name, "[2]");
    assert_eq!(after(pairs, dialog, &edit), dialog.replace("yes", "no"));
}

#[test]
fn unknown_fields_are_kept_and_shown() {
    let format = format(LABELLED);
    let dialog = r#"{"id":"a","more":{"x":1},"turns":[{"who":"me","text":"hi","mood":"good","parts":[{"task":"t","hint":"h","slots":[]}]}]}"#;
    let read = read(format, dialog);
    let names = |fields: &[turnwise::dialog::Field]| {
        fields.iter().map(|f| f.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names(&read.fields), ["more"]);
    assert_eq!(names(&read.turns[0].fields), ["mood", "parts[0].hint"]);
}

#[test]
fn wrong_types_are_issues_and_the_schema_says_the_same() {
    let format = format(LABELLED);
    let schema: serde_json::Value = serde_json::from_str(format.schema()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let good = r#"{"id":"a","turns":[{"who":"me","text":"hi","parts":[{"task":"t","slots":[{"slot":"s","from":0,"to":"2"}]}]}]}"#;
    let cases = [
        (good.to_owned(), ""),
        (good.replace("\"hi\"", "null"), ""),
        (good.replace("\"turns\"", "\"turn\""), "the dialog lacks `turns`"),
        (good.replace("\"hi\"", "3"), "`text` should be a string or null, found 3"),
        (good.replace(":0", ":-1"), "`from` should be a non-negative integer, found -1"),
        (good.replace(":0", ":\"x\""), "`from` should be a non-negative integer, found \"x\""),
        (good.replace("\"from\":0,", ""), "the span lacks `from`"),
        (good.replace("\"t\"", "[]"), "`task` should be a string or a number, found an array"),
        (
            good.replace("[{\"task\"", "{\"a\":[{\"task\"").replace("]}]}]}", "]}]}}]}"),
            "`parts` should be an array, found an object",
        ),
        ("[]".to_owned(), "`dialog` should be an object, found an array"),
    ];
    for (dialog, issue) in cases {
        assert_eq!(issues(format, &dialog).join("; "), issue, "{dialog}");
        let value: serde_json::Value = serde_json::from_str(&dialog).unwrap();
        assert_eq!(schema.is_valid(&value), issue.is_empty(), "{dialog}");
    }
}
