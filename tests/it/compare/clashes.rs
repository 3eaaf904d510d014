//! Changes of both sides that meet in one place: both are there, or a conflict says what is not.

use std::fs;

use serde_json::{Value, json};

use super::untold::{Change, Copies, set};
use crate::support::{run_in, scratch};

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
        for (ours, theirs) in [
            (&by_hand as Change<'_>, &text as Change<'_>),
            (&text, &by_hand),
        ] {
            let (code, out, conflicts) = copies.merged(ours, theirs);
            let mut expected = copies.base.clone();
            ours(&mut expected);
            assert_eq!((code, out), (1, expected));
            assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
            assert!(conflicts.contains(r#""conflict":"tokens","#), "{conflicts}");
            assert!(conflicts.contains("set_text"), "{conflicts}");
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
    let written = sgd(
        "{\n \"c\": null, \"\\u00e9\": [1, {\"b\":1.0}]}",
        "[ \"\\u0032\" ]",
        "Fine.",
    );
    let other = sgd(
        "{\"c\":null,\n\n\"\u{e9}\":[1,{\"b\":1.0 }]}",
        "[\n\"2\",\n\"3\"\n]",
        "Good.",
    );
    let number = base.replace("1.0", "1");
    let folder = scratch();
    let folder = folder.path();
    for (name, text) in [
        ("base.json", &base),
        ("written.json", &written),
        ("other.json", &other),
        ("number.json", &number),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let diff = |new: &str| run_in(folder, &["diff", "base.json", new], "");
    let ran = diff("written.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let ran = diff("number.json");
    assert_eq!(ran.out.matches("note differs").count(), 1, "{}", ran.out);
    for (ours, theirs) in [("written", "other"), ("other", "written")] {
        let names = [ours, theirs].map(|name| format!("{name}.json"));
        let merge = ["merge", "base.json", &names[0], &names[1], "-o", "out.json"];
        let ran = run_in(folder, &merge, "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let [out, other]: [Value; 2] = ["out.json", "other.json"].map(|name| {
            let text = fs::read_to_string(folder.join(name)).unwrap();
            serde_json::from_str(&text).unwrap()
        });
        assert_eq!(out, other, "{ours}");
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
        let with = |side: Change<'_>| {
            let mut copy = copies.base.clone();
            side(&mut copy);
            copy
        };
        let (code, out, conflicts) = copies.merged(ours, theirs);
        assert_eq!((code, out), (1, with(ours)));
        assert_eq!(conflicts.lines().count(), 1, "{conflicts}");
        for (option, side) in [("--ours", ours), ("--theirs", theirs)] {
            let (_, out, _) = copies.merged_with(&[option], ours, theirs);
            assert_eq!(out, with(side), "{option}");
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
        for (index, turn) in turns.iter_mut().enumerate() {
            turn["index"] = json!(index);
            let calls = turn.get_mut("apis").into_iter();
            for call in calls.flat_map(|of| of.as_array_mut().unwrap()) {
                call["index"] = json!(index);
            }
        }
    };
    for (ours, theirs) in [
        (&noted as Change<'_>, &removed as Change<'_>),
        (&removed, &noted),
    ] {
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
    for (utterance, turn) in [
        ("/0/turns/1/system_utterance/note", 1),
        ("/0/turns/1/user_utterance/note", 2),
    ] {
        let notes = [1, 2].map(|note| set(utterance, json!({ "a": note })));
        let (code, _, conflicts) = copies.merged(&notes[0], &notes[1]);
        assert_eq!(code, 1);
        let turn = format!(r#""turn":{turn},"#);
        assert!(
            conflicts.lines().all(|line| line.contains(&turn)),
            "{conflicts}"
        );
    }
}

/// No text is left of the dialog that its copies share, but nothing else is in its place.
#[test]
fn a_dialog_without_an_id_of_which_each_side_changes_a_text_is_one() {
    let folder = scratch();
    let chats = |question: &str, answer: &str| {
        let chat = |texts: [&str; 2]| {
            let [question, answer] = texts.map(|text| json!({"content": text}));
            let mut turns = [question, answer];
            turns[0]["role"] = json!("user");
            turns[1]["role"] = json!("assistant");
            json!({ "messages": turns })
        };
        let all = [
            chat(["Tea?", "Yes."]),
            chat([question, answer]),
            chat(["More?", "No."]),
        ];
        all.map(|chat| format!("{chat}\n")).concat()
    };
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    write("base.jsonl", chats("Milk?", ""));
    write("ours.jsonl", chats("Sugar?", ""));
    write("theirs.jsonl", chats("Milk?", "None."));
    let line = [
        "merge",
        "base.jsonl",
        "ours.jsonl",
        "theirs.jsonl",
        "-o",
        "out.jsonl",
    ];
    let ran = run_in(folder.path(), &line, "");
    let merged = fs::read_to_string(folder.path().join("out.jsonl")).unwrap();
    assert_eq!((ran.code, merged), (0, chats("Sugar?", "None.")), "{ran:?}");
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
    let (other, more) = (
        act("REQUEST", "area", "blue"),
        act("INFORM", "date", "maybe"),
    );
    for (demo, list, one, two, both) in [
        (
            "taskmaster-1.json",
            segments,
            json!([first]),
            json!([last]),
            json!([first, last]),
        ),
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

/// Another text and another speaker make another turn.
#[test]
fn a_turn_that_both_sides_replace_is_one_conflict() {
    let copies = Copies::of("taskmaster-3.json");
    let count = copies.base[0]["utterances"].as_array().unwrap().len();
    let replaced = |text: &'static str| {
        move |file: &mut Value| {
            let turn = &mut file[0]["utterances"][3];
            turn["speaker"] = json!("user");
            turn["text"] = json!(text);
            turn.as_object_mut().unwrap().remove("segments");
        }
    };
    let (one, two) = (replaced("Miami."), replaced("Only on Sundays, please"));
    for (ours, theirs) in [(&one as Change<'_>, &two as Change<'_>), (&two, &one)] {
        for option in [&[][..], &["--ours"], &["--theirs"]] {
            let (code, out, conflicts) = copies.merged_with(option, ours, theirs);
            let mut expected = copies.base.clone();
            let taken = if option == ["--theirs"] { theirs } else { ours };
            taken(&mut expected);
            assert_eq!(out[0]["utterances"].as_array().unwrap().len(), count);
            assert_eq!(
                (code, out),
                (i32::from(option.is_empty()), expected),
                "{conflicts}"
            );
        }
    }
}
