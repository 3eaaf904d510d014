//! Changes of both sides that meet in one place: both are there, or a conflict says what is not.

use std::fs;

use serde_json::{Value, json};

use super::untold::{Change, Copies, number, set};
use crate::browse::demo;
use crate::support::{run_in, scratch};

use super::{Merged, are_in_conflict, are_joined, diff, merge, merge_as, patched};

/// One side has changed the tokens of a text by hand, the other the text with its tokens.
#[test]
fn tokens_that_one_side_changes_and_a_text_that_the_other_changes_are_a_conflict() {
    let copies = Copies::of("sim-r.json");
    let utterance = "/0/turns/1/system_utterance";
    let tokens = &copies.base.pointer(utterance).unwrap()["tokens"];
    let tokens: Vec<_> = tokens.as_array().unwrap().clone();
    let (mut fewer, mut other, mut more) = (tokens.clone(), tokens.clone(), tokens.clone());
    fewer.remove(1);
    other[2] = json!("may not");
    more.insert(1, json!("very"));
    for by_hand in [fewer, other, more] {
        let by_hand = set("/0/turns/1/system_utterance/tokens", json!(by_hand));
        let text = set(
            "/0/turns/1/system_utterance",
            json!({"slots": [], "text": "noon please", "tokens": ["noon", "please"]}),
        );
        for conflicts in copies.are_in_conflict(&by_hand, &text) {
            assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
            assert!(conflicts.contains(r#""conflict":"tokens","#), "{conflicts}");
            assert!(conflicts.contains(r#""path":"/system_utterance/text""#), "{conflicts}");
        }
    }
}

/// The segments of a text in conflict go with it: those of the other text are not mixed with them.
#[test]
fn a_text_in_conflict_has_the_segments_of_its_side() {
    let dialog = |text: &str, (from, to, label): (usize, usize, &str)| {
        let segment = json!({"start_index": from, "end_index": to, "text": &text[from..to], "annotations": [{"name": label}]});
        let turn = json!({"index": 0, "speaker": "USER", "text": text, "segments": [segment]});
        json!([{"conversation_id": "d", "instruction_id": "i", "utterances": [turn]}]).to_string()
    };
    let (inside, within) = ("would you sit inside or out", "would you sit within or out");
    let base = dialog(inside, (14, 20, "seat"));
    let ours = dialog(within, (14, 20, "seat"));
    for theirs in [(10, 20, "seat"), (14, 20, "place")].map(|of| dialog(inside, of)) {
        for (options, expected) in
            [(&[][..], &ours), (&["--ours"], &ours), (&["--theirs"], &theirs)]
        {
            let merged = merge_as("json", [&base, &ours, &theirs], options);
            let code = i32::from(options.is_empty());
            assert_eq!((merged.code, &merged.text), (code, expected), "{merged:?}");
        }
    }
}

/// Members that turnwise does not read, in three forms: with other white space, escapes and order of keys.
#[test]
fn how_values_are_written_makes_no_difference() {
    let sgd = |note: &str, services: &str, text: &str| {
        format!(
            r#"[{{"dialogue_id":"a","note":{note},"services":{services},"turns":[
{{"speaker":"USER","utterance":"Two.","frames":[{{"actions":[{{"act":"INFORM","canonical_values":{services},"slot":"n",
"values":["two"]}}],"service":"Boats","slots":[],"state":{{"active_intent":"a","requested_slots":{services},"slot_values":{{}}}}}}]}},
{{"speaker":"SYSTEM","utterance":"{text}","frames":[]}}]}}]"#
        )
    };
    let base = sgd(r#"{"é":[1,{"b":1.0}],"c":null}"#, r#"["2"]"#, "Fine.");
    let written =
        sgd("{\n \"c\": null, \"\\u00e9\": [1, {\"b\":1.0}]}", "[ \"\\u0032\" ]", "Fine.");
    let other = sgd("{\"c\":null,\n\n\"\u{e9}\":[1,{\"b\":1.0 }]}", "[\n\"2\",\n\"3\"\n]", "Good.");
    let number = base.replace("1.0", "1");
    let ran = diff("json", [&base, &written], &[]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let ran = diff("json", [&base, &number], &[]);
    assert_eq!(ran.out.matches("note.é.1.b differs").count(), 1, "{}", ran.out);
    for [ours, theirs] in [[&written, &other], [&other, &written]] {
        let merged = merge([&base, ours, theirs]);
        let [out, other] =
            [&merged.text, &other].map(|text| serde_json::from_str::<Value>(text).unwrap());
        assert_eq!((merged.code, out), (0, other));
    }
}

/// A turn in place of one that the other side has changed is its side of the conflict.
#[test]
fn a_turn_that_one_side_replaces_and_the_other_changes_is_one_conflict() {
    let copies = Copies::of("taskmaster-3.json");
    let text = set("/0/utterances/1/text", json!("Hello there."));
    let other = json!({"index": 1, "speaker": "narrator", "text": "Nothing is to be heard."});
    let replaced = set("/0/utterances/1", other);
    for (ours, theirs) in [(&text, &replaced), (&replaced, &text)] {
        let [conflicts, _] = copies.are_in_conflict(ours, theirs);
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        for (option, side) in [("--ours", ours), ("--theirs", theirs)] {
            let (_, out, _) = copies.merged_with(&[option], ours, theirs);
            assert_eq!(out, copies.with(side), "{option}");
        }
    }
}

/// It has another number in the merged dialog, which does not count as a change.
#[test]
fn a_turn_that_one_side_removes_and_the_other_changes_is_one_conflict() {
    let copies = Copies::of("taskmaster-3.json");
    let noted = set("/0/utterances/3/note", json!(1));
    let removed = |copy: &mut Value| {
        let turns = copy[0]["utterances"].as_array_mut().unwrap();
        turns.remove(3);
        turns.remove(0);
        number(turns);
    };
    for (ours, theirs) in [(&noted as Change<'_>, &removed as Change<'_>), (&removed, &noted)] {
        let (code, _, conflicts) = copies.merged(ours, theirs);
        assert_eq!(code, 1);
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        assert!(conflicts.contains(r#""conflict":"turn""#), "{conflicts}");
    }
}

/// An exchange is one element of the file, and two turns.
#[test]
fn a_conflict_of_an_exchange_names_the_turn_that_has_it() {
    let copies = Copies::of("sim-m.json");
    for (utterance, turn) in
        [("/0/turns/1/system_utterance/note", 1), ("/0/turns/1/user_utterance/note", 2)]
    {
        let notes = [1, 2].map(|note| set(utterance, json!({ "a": note })));
        let (code, _, conflicts) = copies.merged(&notes[0], &notes[1]);
        assert_eq!(code, 1);
        let turn = format!(r#""turn":{turn},"#);
        assert!(conflicts.lines().all(|line| line.contains(&turn)), "{conflicts}");
    }
}

/// Both sides begin a list, or one changes the only element of one to which the other adds.
#[test]
fn lists_of_at_most_one_element_have_what_both_sides_make_of_them() {
    let segments = "/2/utterances/9/segments";
    let segment = |start: u32, end: u32, text: &str| json!({"start_index": start, "end_index": end, "text": text, "annotations": [{"name": "n"}]});
    let (first, last) = (segment(0, 3, "And"), segment(10, 14, "name"));
    let actions = "/0/turns/0/frames/0/actions";
    let act = |act: &str, slot: &str, value: &str| json!({"act": act, "canonical_values": [], "slot": slot, "values": [value]});
    let intent = json!({"act": "INFORM_INTENT", "canonical_values": ["OrderCake"], "slot": "intent", "values": ["OrderCake"]});
    let (other, more) = (act("REQUEST", "area", "blue"), act("INFORM", "date", "maybe"));
    for (demo, list, one, two, both) in [
        ("taskmaster-1.json", segments, json!([first]), json!([last]), json!([first, last])),
        (
            "sgd/dialogues_001.json",
            actions,
            json!([other]),
            json!([intent, more]),
            json!([other, more]),
        ),
    ] {
        let copies = Copies::of(demo);
        let (one, two) = (set(list, one), set(list, two));
        for (ours, theirs) in [(&one as Change<'_>, &two as Change<'_>), (&two, &one)] {
            let (code, out, conflicts) = copies.merged(ours, theirs);
            let made = out.pointer(list).unwrap().as_array().unwrap();
            let has = |element: &Value| made.contains(element);
            assert!(both.as_array().unwrap().iter().all(has), "{demo}: {made:?}");
            assert_eq!((code, made.len()), (0, 2), "{demo}: {made:?} {conflicts}");
        }
    }
}

/// A text that was changed by hand, without its spans: beside changes of the other side all follow their words.
#[test]
fn spans_that_a_text_by_hand_leaves_behind_are_not_changes() {
    let copies = Copies::of("taskmaster-1.json");
    let segments = "/0/utterances/3/segments";
    let turn = &copies.base[0]["utterances"][3];
    let text = turn["text"].as_str().unwrap();
    let list = turn["segments"].as_array().unwrap();
    assert!(list.len() > 1, "{turn}");
    let by_hand = format!("Well, {text}");
    let text = move |file: &mut Value| file[0]["utterances"][3]["text"] = json!(by_hand);
    let moved = |segment: &Value| {
        let mut segment = segment.clone();
        for edge in ["start_index", "end_index"] {
            segment[edge] = json!(segment[edge].as_u64().unwrap() + 6);
        }
        segment
    };
    let label = |mut segment: Value| {
        segment["annotations"] = json!([{"name": "other"}]);
        segment
    };
    let (first, last) = (&list[0], &list[list.len() - 1]);
    let new = json!({"start_index": 0, "end_index": 1, "text": &turn["text"].as_str().unwrap()[..1],
        "annotations": [{"name": "new"}]});
    let changes = [
        (json!([&list[..], std::slice::from_ref(&new)].concat()), vec![new]),
        (json!(&list[1..]), vec![]),
        (json!([&[label(first.clone())], &list[1..]].concat()), vec![label(first.clone())]),
    ];
    for (list, expected) in changes {
        let marked = set(segments, list.clone());
        for (ours, theirs) in [(&text as Change<'_>, &marked as Change<'_>), (&marked, &text)] {
            let (code, out, conflicts) = copies.merged(ours, theirs);
            assert_eq!(code, 0, "{conflicts}");
            let made = out.pointer(segments).unwrap().as_array().unwrap();
            for segment in &expected {
                assert!(made.contains(&moved(segment)), "{made:?}");
            }
            assert!(made.contains(&moved(last)), "{made:?}");
            assert_eq!(made.len(), list.as_array().unwrap().len());
        }
    }
}

type ActsChange<'c> = &'c dyn Fn(&mut Vec<Value>);

/// Lists of what the family does not read, in elements that others move.
#[test]
fn what_is_not_read_of_an_element_stays_with_it() {
    let copies = Copies::of("sgd/dialogues_001.json");
    let actions = "/1/turns/0/frames/0/actions";
    let act = |value: &str| json!({"act": "INFORM", "canonical_values": [value], "slot": value, "values": [value]});
    let was = copies.base.pointer(actions).unwrap().as_array().unwrap();
    let last = was.len() - 1;
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut list = was.clone();
        change(&mut list);
        list
    };
    let meant = json!(["meant"]);
    let added = |list: &mut Vec<Value>| list.insert(0, act("one"));
    let other = |list: &mut Vec<Value>| list.insert(0, act("two"));
    let gone = |list: &mut Vec<Value>| drop(list.remove(0));
    let value = |list: &mut Vec<Value>| list[last]["values"] = json!(["said"]);
    let canonical =
        |list: &mut Vec<Value>| list.last_mut().unwrap()["canonical_values"] = meant.clone();
    let changes: [[ActsChange<'_>; 2]; 4] =
        [[&added, &other], [&added, &canonical], [&gone, &canonical], [&value, &canonical]];
    for [one, two] in changes {
        let expected = with(&|list| {
            one(list);
            two(list);
        });
        let (one, two) = (set(actions, json!(with(one))), set(actions, json!(with(two))));
        for (ours, theirs) in [(&one as Change<'_>, &two as Change<'_>), (&two, &one)] {
            let (code, out, conflicts) = copies.merged(ours, theirs);
            assert_eq!(code, 0, "{conflicts}");
            let made = out.pointer(actions).unwrap().as_array().unwrap();
            assert_eq!(made.len(), expected.len(), "{made:?}");
            assert!(expected.iter().all(|act| made.contains(act)), "{made:?}");
        }
    }
}

/// One side moves a span, the other calls it otherwise: in `ConvLab` both change the same act.
#[test]
fn the_slot_and_the_value_of_an_act_are_two_things() {
    let act = |slot: &str, value: &str, end: u32| {
        json!([{"dataset": "boats", "data_split": "train", "dialogue_id": "boats-0", "original_id": "a", "domains": ["boat"],
            "turns": [{"speaker": "user", "utterance": "I live in Port Ellis now.", "utt_idx": 0,
                "dialogue_acts": {"binary": [], "categorical": [], "non-categorical": [
                    {"intent": "inform", "domain": "boat", "slot": slot, "value": value, "start": 10, "end": end}]},
                "state": {"boat": {}}},
                {"speaker": "system", "utterance": "Fine.", "utt_idx": 1,
                "dialogue_acts": {"binary": [], "categorical": [], "non-categorical": []}}]}])
    };
    let copies = Copies::of_value(act("place", "Port Ellis", 20));
    let shorter = |file: &mut Value| *file = act("place", "Port", 14);
    let other = |file: &mut Value| *file = act("town", "Port Ellis", 20);
    copies.are_joined(&shorter, &other, &act("town", "Port", 14));
}

/// Whatever it has.
#[test]
fn a_turn_that_one_side_removes_comes_back_as_a_whole() {
    let copies = Copies::of("taskmaster-4.json");
    for turn in [2, 3] {
        let path = format!("/0/utterances/{turn}");
        let path: &'static str = path.leak();
        let text: &'static str = format!("{path}/text").leak();
        let removed = set(path, Value::Null);
        let changed = set(text, json!("Something else."));
        let (code, _, conflicts) = copies.merged(&removed, &changed);
        assert_eq!((code, conflicts.lines().count()), (1, 1), "{conflicts}");
        let conflict: Value = serde_json::from_str(&conflicts).unwrap();
        let theirs = copies.with(&changed);
        for (edits, copy) in [("edits", &theirs), ("edits_of_base", &copies.base)] {
            let edit = &conflict[edits][0];
            let put: Value = serde_json::from_str(edit["json"].as_str().unwrap()).unwrap();
            assert_eq!(&put, copy.pointer(path).unwrap());
            assert_eq!((&edit["turn"], &edit["path"]), (&json!(turn), &json!("")));
        }
    }
}

/// Lists in the state are a sign of a family whose spans count characters.
#[test]
fn a_value_that_looks_like_another_family_does_not_move_spans() {
    let mut copies = Copies::of("multiwoz/gardens.json");
    let dialogs = copies.base.as_object_mut().unwrap();
    dialogs.retain(|id, _| id == "GARDEN0012.json");
    let log = "/GARDEN0012.json/log";
    let log = |rest: &str| -> &'static str { format!("{log}{rest}").leak() };
    let wider = json!(["Garden-Inform", "Area", "the west", 9, 10]);
    let list = json!(["west"]);
    let (wider, list) =
        (set(log("/0/span_info/0"), wider), set(log("/1/metadata/garden/semi/area"), list));
    let mut expected = copies.with(&wider);
    list(&mut expected);
    copies.are_joined(&wider, &list, &expected);
}

/// Turns that are lines cannot be moved by edits.
#[test]
fn lines_that_one_side_moves_are_not_mixed() {
    let line = |role: &str, content: &str| {
        format!(r#"{{"type": "message", "message": {{"role": "{role}", "content": "{content}"}}}}"#)
    };
    let base = [
        r#"{"type": "session", "harness": "my-agent", "id": "a1"}"#.to_owned(),
        line("user", "what time is it?"),
        r#"{"type": "message", "message": {"role": "assistant", "content": "", "toolCalls": [{"id": "t1", "function": {"name": "get_time", "arguments": "{}"}}]}}"#.to_owned(),
        r#"{"type": "message", "message": {"role": "tool", "toolCallId": "t1", "content": "15:00"}}"#.to_owned(),
        line("assistant", "it is three"),
    ];
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    ours[1] = r#"{"message": {"role": "user", "content": "what time is it?"}}"#.to_owned();
    theirs.swap(3, 4);
    let [base, ours, theirs] = [base, ours, theirs].map(|lines| lines.join("\n") + "\n");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    for [one, other] in [[&ours, &theirs], [&theirs, &ours]] {
        let merged = merge_as("jsonl", [&base, one, other], &[]);
        assert!(merged.code < 2, "{merged:?}");
        assert_eq!(sorted(&merged.text), sorted(&ours));
    }
}

/// Acts are in one member by their name.
#[test]
fn two_acts_of_a_new_name_are_both_there() {
    let copies = Copies::of("multiwoz/gardens.json");
    let added = json!([["Area", "east"], ["Fee", "none"]]);
    let acts = "/GARDEN0012.json/log/0/dialog_act/Garden-Recommend";
    let new = copies.with(&set(acts, added));
    let text = patched(&copies.base.to_string(), &new.to_string());
    let made: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(made.pointer(acts), new.pointer(acts), "{text}");
    // JSON readers keep the last one of two members.
    let count = |text: &str| text.matches("Garden-Recommend").count();
    assert_eq!(count(&text), count(&new.to_string()));
}

/// A chat of one call, whose arguments are an object or JSON in a string.
fn plot(arguments: &str, in_text: bool) -> String {
    let arguments =
        if in_text { serde_json::to_string(arguments).unwrap() } else { arguments.to_owned() };
    format!(
        r#"[{{"id":"c","messages":[{{"role":"user","content":"Plot it."}},
{{"role":"assistant","content":null,"tool_calls":[{{"id":"k","type":"function","function":{{"name":"plot","arguments":{arguments}}}}}]}},
{{"role":"tool","tool_call_id":"k","content":"done"}}]}}]
"#
    )
}

#[test]
fn a_list_in_an_argument_is_one_value() {
    for in_text in [false, true] {
        for (was, one, other) in
            [("[1, 2]", "[7]", "[1, 2, 3]"), ("[10, 20]", "[11, 20]", "[10, 21]")]
        {
            let of = |at: &str| plot(&format!(r#"{{"kind": "bar", "at": {at}}}"#), in_text);
            are_in_conflict("json", [&of(was), &of(one), &of(other)]);
            let kind = plot(&format!(r#"{{"kind": "dots", "at": {was}}}"#), in_text);
            are_joined("json", [&of(was), &of(one), &kind], &of(one).replace("bar", "dots"));
        }
        let of = |more: &str| plot(&format!(r#"{{"kind": "bar"{more}}}"#), in_text);
        let (one, other) = (of(r#", "at": ["p", "q"]"#), of(r#", "at": ["r"]"#));
        are_in_conflict("json", [&of(""), &one, &other]);
    }
    for list in ["[1, 2]", r#"["a", "b"]"#, "[null, true, 1.50]"] {
        let old = plot(r#"{"kind": "bar"}"#, false);
        let new = plot(&format!(r#"{{"kind": "bar", "at": {list}}}"#), false);
        let ran = diff("json", [&patched(&old, &new), &new], &[]);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    }
}

/// The call that ours changes stays with its answer where theirs removes both.
#[test]
fn the_answer_of_a_call_that_stays_stays() {
    let base = plot(r#"{"kind": "bar"}"#, true);
    let ours = base.replace("bar", "dots");
    let answered = base.replace("done", "drawn");
    let start = base.find("},\n{\"role\":\"assistant\"").unwrap() + 1;
    let theirs = base[..start].to_owned() + "]}]\n";
    for ours in [ours, answered] {
        let [Merged { conflicts, .. }, _] = are_in_conflict("json", [&base, &ours, &theirs]);
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        assert!(conflicts.contains("assistant: plot("), "{conflicts}");
    }
}

/// Lines of ours are there, although those of theirs cannot be written.
#[test]
fn lines_that_both_sides_add_beside_each_other_are_not_lost() {
    let line = |kind: &str, number: u8| {
        let message = match kind {
            "user" => format!(r#""message":{{"role":"user","content":"Step {number}."}}"#),
            _ => format!(
                r#""message":{{"role":"assistant","content":[{{"type":"text","text":"Done {number}."}}]}}"#
            ),
        };
        format!("{{\"type\":\"{kind}\",\"sessionId\":\"s\",\"uuid\":\"u{number}\",{message}}}\n")
    };
    let base = line("user", 1) + &line("assistant", 2) + &line("user", 3);
    let ours = line("user", 1) + &line("assistant", 4) + &line("assistant", 2) + &line("user", 3);
    let theirs = line("user", 1) + &line("assistant", 2) + &line("assistant", 5) + &line("user", 3);
    let Merged { code, text, conflicts, .. } = merge([&base, &ours, &theirs]);
    for number in 1..=4 {
        assert!(text.contains(&format!("u{number}")), "{text} {conflicts}");
    }
    assert!(code == 1 || text.contains("u5"), "{text}");
    // Lines that change places.
    let moved = line("user", 1) + &line("user", 3) + &line("assistant", 2);
    let ran = diff("jsonl", [&base, &moved], &[]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    let events = |types: [&str; 3]| {
        let lines = types.map(|kind| {
            format!("{{\"type\":\"{kind}\",\"sessionId\":\"s\",\"uuid\":\"{kind}\"}}\n")
        });
        line("user", 1) + &lines.concat()
    };
    let ran = diff("jsonl", [&events(["a", "b", "c"]), &events(["b", "a", "c"])], &[]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("the order of the lines differs"), "{}", ran.out);
}

/// A text by hand leaves a segment behind that is not in it; the other side removes the segments.
#[test]
fn a_segment_left_behind_goes_with_the_others() {
    let sgd = |text: &str, frames: &str| {
        format!(
            r#"[{{"dialogue_id":"a","services":["Boats"],"turns":[
{{"speaker":"USER","utterance":"{text}","frames":{frames}}},
{{"speaker":"SYSTEM","utterance":"Fine.","frames":[]}}]}}]
"#
        )
    };
    let frame = r#"[{"actions":[],"service":"Boats","slots":[{"exclusive_end":31,"slot":"n","start":26}],"state":{"active_intent":"a","requested_slots":[],"slot_values":{}}}]"#;
    let base = sgd("A boat for the evening of Sunday.", frame);
    let (text, gone) = (sgd("No.", frame), sgd("A boat for the evening of Sunday.", "[]"));
    are_joined("json", [&base, &text, &gone], &sgd("No.", "[]"));
}

/// An element that both sides have added is there once, also where one side has removed something that it is like.
#[test]
fn a_segment_that_both_have_is_not_doubled() {
    let dialog = |spans: &[(usize, usize, &str)]| {
        let text = "Two seats at noon, please";
        let segment = |of: &(usize, usize, &str)| json!({"start_index": of.0, "end_index": of.1, "text": text[of.0..of.1], "annotations": [{"name": of.2}]});
        let segments: Vec<_> = spans.iter().map(segment).collect();
        let user = json!({"index": 0, "speaker": "USER", "text": text, "segments": segments});
        json!([{"conversation_id": "a", "utterances": [user]}]).to_string()
    };
    let base = dialog(&[(0, 3, "count"), (10, 17, "time")]);
    let replaced = dialog(&[(13, 25, "wish")]);
    let added = dialog(&[(0, 3, "count"), (10, 17, "time"), (13, 25, "wish")]);
    for [ours, theirs] in [[&replaced, &added], [&added, &replaced]] {
        let merged = merge([&base, ours, theirs]);
        assert_eq!(merged.text.matches("wish").count(), 1, "{merged:?}");
    }
}

/// A line of theirs that is cut would make the file less valid.
#[test]
fn a_broken_line_of_theirs_is_a_conflict() {
    let line = |id: &str, text: &str| {
        format!(
            r#"{{"conversation_id":"{id}","utterances":[{{"index":0,"speaker":"USER","text":"{text}"}}]}}"#
        )
    };
    let answer = |turn: usize| {
        format!(r#"{{"dialog":"a","turn":{turn},"question":"q","value":1,"by":"mk","mine":true}}"#)
    };
    for [one, two, other] in [
        [line("a", "Hi"), line("b", "Well"), line("a", "Hello")],
        [answer(0), answer(1), answer(2)],
    ] {
        let base = format!("{one}\n{two}\n");
        let ours = format!("{other}\n{two}\n");
        let cut = &two[..two.len() - 20];
        let end = &two[two.len() - 20..];
        for (theirs, cut) in [
            (format!("{one}\n{cut}"), cut),
            (format!("{base}{cut}"), cut),
            (format!("{one}\n{end}\n"), end),
        ] {
            for option in [&[][..], &["--theirs"], &["--union"], &["--ours"]] {
                let merged = merge_as("json", [&base, &ours, &theirs], option);
                assert_eq!(merged.code, i32::from(option != ["--ours"]), "{merged:?}");
                let out = &merged.text;
                assert!(out.contains(&two) && !out.lines().any(|line| line == cut), "{out}");
            }
        }
    }
}

/// A session is one dialog, whatever is in its lines.
#[test]
fn a_session_that_is_cut_short_is_a_conflict() {
    let base = &demo("sessions/claude-code-ferry.jsonl").1;
    let ours = &base.replacen("ferry", "boat", 1);
    let middle = base.lines().nth(2).unwrap();
    let half = &middle[..middle.floor_char_boundary(middle.len() / 2)];
    let cut = &base[..base.find(middle).unwrap() + half.len()];
    let doubled = base.replacen(middle, &format!("{half}\n{middle}"), 1);
    for theirs in [cut, &doubled] {
        let merged = merge_as("jsonl", [base, ours, theirs], &[]);
        assert_eq!((merged.code, &merged.text), (1, ours), "{merged:?}");
        let merged = merge_as("jsonl", [base, base, theirs], &["--theirs"]);
        assert_eq!((merged.code, &merged.text), (1, base), "{merged:?}");
    }
}

/// Of exchanges that begin with the same words, the answers differ.
#[test]
fn of_exchanges_with_one_system_text_the_one_that_one_side_removes_goes() {
    let copy = |exchanges: &[(&str, &str)]| {
        let said = |text: &str| {
            let tokens: Vec<_> = text.split(' ').collect();
            json!({"slots": [], "text": text, "tokens": tokens})
        };
        let exchange = |(user, value): &(&str, &str)| {
            json!({
                "dialogue_state": [{"slot": "food", "value": value}],
                "system_acts": [{"slot": "food", "type": "REQUEST"}],
                "system_utterance": said("what food ?"),
                "user_acts": [{"type": "INFORM"}],
                "user_utterance": said(user),
            })
        };
        let turns: Vec<_> = exchanges.iter().map(exchange).collect();
        serde_json::to_string_pretty(&json!([{"dialogue_id": "d", "turns": turns}])).unwrap()
    };
    let (again, chinese, thai) = (("say that again", ""), ("maybe chinese", "x"), ("or thai", "y"));
    are_joined(
        "json",
        [
            &copy(&[again, chinese, thai]),
            &copy(&[chinese, thai]),
            &copy(&[again, ("maybe chinese", "z"), thai]),
        ],
        &copy(&[("maybe chinese", "z"), thai]),
    );
}

/// Dialogs that are made from one outline share many texts.
#[test]
fn a_dialog_with_another_id_is_another_one_unless_nothing_else_differs() {
    let dialog = |id: &str, texts: [&str; 4]| {
        let turn = |(index, text): (usize, &&str)| json!({"index": index, "speaker": "USER", "text": text});
        let turns: Vec<_> = texts.iter().enumerate().map(turn).collect();
        json!({"conversation_id": id, "instruction_id": "i", "utterances": turns})
    };
    let file = |dialogs: &[Value]| serde_json::to_string_pretty(dialogs).unwrap();
    let (first, was) = (dialog("a", ["Hi", "Yes", "Four", "Bye"]), ["Hello", "Yes", "Five", "Bye"]);
    let edited = dialog("b", ["Hello", "Yes", "Six", "Bye"]);
    let [base, theirs] = [dialog("b", was), edited.clone()].map(|of| file(&[first.clone(), of]));
    let other = file(&[first.clone(), dialog("c", ["Hello", "Yes", "Two", "Bye"])]);
    let merged = merge_as("json", [&base, &other, &theirs], &[]);
    assert_eq!(merged.code, 1, "{merged:?}");
    let said: Value = serde_json::from_str(&merged.text).unwrap();
    assert!(said.as_array().unwrap().contains(&edited) && merged.text.contains("Two"), "{said}");
    let renamed = file(&[first.clone(), dialog("c", was)]);
    let both = file(&[first, dialog("c", ["Hello", "Yes", "Six", "Bye"])]);
    are_joined("json", [&base, &renamed, &theirs], &both);
}

/// Two copies that come from no third one have the parts that they share once.
#[test]
fn without_a_base_a_part_that_differs_is_there_once() {
    let count = |value: &Value, key: &str| value.to_string().matches(key).count();
    for (file, place, counted, is_conflict) in [
        ("taskmaster-3.json", "/0/utterances/0/segments/0/note", "start_index", true),
        ("taskmaster-3.json", "/0/utterances/4/apis/0/args/name.theater", "response", true),
        ("sgd/dialogues_001.json", "/0/turns/0/frames/0/note", "\"service\"", false),
    ] {
        let text = demo(file).1;
        let mut changed: Value = serde_json::from_str(&text).unwrap();
        set(place, json!("other"))(&mut changed);
        let folder = scratch();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("a.json", &text);
        write("b.json", &serde_json::to_string_pretty(&changed).unwrap());
        for sides in [["a.json", "b.json"], ["b.json", "a.json"]] {
            let arguments = ["merge", "--no-base", sides[0], sides[1], "-o", "c.json"];
            let ran = run_in(folder.path(), &arguments, "");
            assert_eq!(ran.code, i32::from(is_conflict), "{file} {ran:?}");
            let merged = fs::read_to_string(folder.path().join("c.json")).unwrap();
            let merged: Value = serde_json::from_str(&merged).unwrap();
            assert_eq!(count(&merged, counted), count(&changed, counted), "{file}");
        }
    }
}

/// The escapes of a text that nobody has changed stay, too.
#[test]
fn a_dialog_that_theirs_alone_changes_keeps_the_spelling_of_ours() {
    let dialog = |price: &str, last: &str| {
        format!(
            r#"[{{"conversation_id":"d","instruction_id":"i","utterances":[{{"index":0,"speaker":"USER","text":"{price}"}},{{"index":1,"speaker":"USER","text":"{last}"}}]}}]"#
        )
    };
    let base = dialog(r"It\u2019s caf\u00e9", "Ok.");
    let merged = merge([&base, &base, &dialog("It’s café", "Okay.")]);
    assert_eq!((merged.code, merged.text), (0, dialog(r"It\u2019s caf\u00e9", "Okay.")));
}

/// The conflict is about the order alone, if both sides move turns.
#[test]
fn an_order_in_conflict_takes_no_change_along() {
    let copy = |texts: &[&str]| {
        let turn = |text: &&str| json!({"speaker": "USER", "text": text, "segments": []});
        let turns: Vec<_> = texts.iter().map(turn).collect();
        let dialog = json!({"conversation_id": "d", "instruction_id": "i", "utterances": turns});
        serde_json::to_string_pretty(&json!([dialog])).unwrap()
    };
    let base = copy(&["one", "two", "three", "four", "five six"]);
    let ours = copy(&["one", "three", "four", "two", "new", "five six"]);
    let theirs = copy(&["four", "one", "two", "three", "five six seven"]);
    let merged = merge([&base, &ours, &theirs]);
    let kept = copy(&["one", "three", "four", "two", "new", "five six seven"]);
    assert_eq!((merged.code, merged.text), (1, kept));
    assert!(merged.out.contains("order: ours 0 2 3 1, theirs 3 0 1 2, before 0 1 2 3"));
    let merged = merge_as("json", [&base, &ours, &theirs], &["--theirs"]);
    let taken: Value = serde_json::from_str(&merged.text).unwrap();
    let taken = taken[0]["utterances"].as_array().unwrap().iter();
    let taken: Vec<_> = taken.map(|turn| turn["text"].as_str().unwrap()).collect();
    assert_eq!(taken, ["four", "one", "two", "new", "three", "five six seven"]);
    assert_eq!(merged.code, 0);
}

/// Both sides add a call with one id, and give it other answers.
#[test]
fn a_call_that_both_add_has_one_answer() {
    let chat = |call: &str, answer: &str| {
        let user = json!({"role": "user", "content": "When is high tide?"});
        let call =
            json!({"id": "c1", "type": "function", "function": {"name": call, "arguments": "{}"}});
        let asked = json!({"role": "assistant", "content": null, "tool_calls": [call]});
        let said = json!({"role": "tool", "tool_call_id": "c1", "content": answer});
        let end = json!({"role": "assistant", "content": "I'll see."});
        let all =
            if answer.is_empty() { json!([user, end]) } else { json!([user, asked, said, end]) };
        serde_json::to_string_pretty(&json!([{"messages": all}])).unwrap()
    };
    let base = chat("", "");
    let ours = chat("tide", "at six");
    for theirs in [chat("tide", "at nine"), chat("harbour_tide", "at nine")] {
        let [merged, _] = are_in_conflict("json", [&base, &ours, &theirs]);
        assert_eq!(merged.conflicts.lines().count(), 1, "{}", merged.conflicts);
        let taken = merge_as("json", [&base, &ours, &theirs], &["--theirs"]);
        assert_eq!((taken.code, taken.text), (0, theirs));
    }
}
