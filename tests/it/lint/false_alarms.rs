//! False alarms in corpora of other families: hardly any warnings but for faults that are known.

use std::path::Path;

use serde_json::{Value, json};
use turnwise::lint::{Applicability, Linter};
use turnwise::ontology::{Ontologies, Ontology};

use super::{found_in, found_with, notation, only};
use crate::support::files::{READ, neighbours, say};
use crate::support::run_in;

/// The families that are nearly clean, or whose faults are known.
const FAMILIES: [&str; 6] =
    ["messages", "sharegpt", "sgd", "multiwoz", "multiwoz-disambiguation", "convlab"];

/// Faults of the data that were looked at one by one: a part of the path, the rule, and how many there are.
/// Some spans begin or end inside words.
const FAULTS: [(&str, &str, usize); 9] = [
    ("convlab/multiwoz21", "span-cuts-word", 3),
    ("convlab/tm3", "span-cuts-word", 12),
    ("examples/Disambiguation", "span-cuts-word", 9),
    ("examples/Disambiguation", "span-edge-punctuation", 1),
    ("examples/Disambiguation", "span-edge-space", 1),
    ("examples/Disambiguation", "span-empty", 1),
    ("multiwoz-2.1/val", "label-conflict", 3),
    ("multiwoz-2.1/val", "span-empty", 1),
    ("multiwoz-2.1/val", "span-overlap", 1),
];

/// Known of all of SGD: spaces at edges, overlaps, calls without a required slot, states that lose a slot.
const FAULTS_OF_SGD: [&str; 4] =
    ["span-edge-space", "span-overlap", "api-missing-argument", "state-lost-slot"];

/// The rules that warn in a file, each as often as it does.
fn warnings(path: &str) -> Vec<String> {
    let ran = run_in(&std::env::temp_dir(), &["lint", path, "--format", "jsonl"], "");
    assert!(ran.code <= 1, "{ran:?}");
    let problems = ran.out.lines().map(|line| serde_json::from_str(line).unwrap());
    let severe = problems.filter(|problem: &Value| problem["severity"] != "info");
    severe.map(|problem| problem["rule"].as_str().unwrap().to_owned()).collect()
}

/// True if the fault is known; each known one is used up.
fn is_known(path: &str, family: &str, rule: &str, faults: &mut [(&str, &str, usize)]) -> bool {
    if family == "sgd" && FAULTS_OF_SGD.contains(&rule) {
        return true;
    }
    let fits =
        |fault: &&mut (&str, &str, usize)| path.contains(fault.0) && fault.1 == rule && fault.2 > 0;
    let known = faults.iter_mut().find(fits);
    known.map(|fault| fault.2 -= 1).is_some()
}

fn family_of(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy();
    let of = READ.iter().find(|(part, _)| path.contains(part));
    of.map(|(_, family)| *family)
}

#[test]
fn one_real_span_in_ten_thousand_and_one_turn_in_a_thousand_at_most() {
    let Some(files) = neighbours("counting false alarms") else {
        return;
    };
    let mut faults = FAULTS;
    for family in FAMILIES {
        let (mut spans, mut turns, mut of_spans, mut of_turns) = (0, 0, vec![], vec![]);
        for path in files.iter().filter(|path| family_of(path) == Some(family)) {
            let path = path.to_string_lossy();
            let report = run_in(&std::env::temp_dir(), &["check", &path, "--format", "json"], "");
            let report: Value = serde_json::from_str(&report.out).unwrap();
            turns += report[0]["turns"].as_u64().unwrap();
            spans += report[0]["segments"].as_u64().unwrap();
            for rule in warnings(&path) {
                let is_of_span = ["span", "label", "slot"].iter().any(|of| rule.starts_with(of));
                if is_known(&path, family, &rule, &mut faults) {
                    continue;
                }
                if is_of_span {
                    of_spans.push(rule);
                } else {
                    of_turns.push(rule);
                }
            }
        }
        say(&format!("{family}: {turns} turns, {spans} spans: {of_turns:?} {of_spans:?}"));
        assert!(turns > 0, "{family}");
        assert!(of_spans.len() as u64 * 10_000 <= spans, "{family}: {of_spans:?}");
        assert!(of_turns.len() as u64 * 1000 <= turns, "{family}: {of_turns:?}");
    }
}

/// How often a rule reports something in a dialog.
fn count(rule: &str, dialog: &Value) -> usize {
    found_in(&dialog.to_string(), &only(rule)).len()
}

/// The title of the first fix of the first problem that a rule reports.
fn first_fix(rule: &str, dialog: &str) -> String {
    found_in(dialog, &only(rule))[0].fixes[0].title.clone()
}

/// A dialog of `MultiWOZ`: what the user says, its acts and spans, and what is known of the hotel after it.
fn multiwoz(text: &str, acts: &Value, spans: &Value, known: &Value) -> Value {
    json!({"goal": {}, "log": [
        {"text": text, "metadata": {}, "dialog_act": acts, "span_info": spans},
        {"text": "ok", "metadata": {"hotel": {"semi": known, "book": {"booked": []}}}, "dialog_act": {}, "span_info": []}]})
}

/// Returns the frame of a service in a turn of SGD: its state after the turn, and its acts in it.
fn frame(service: &str, intent: &str, acts: &Value, state: &Value) -> Value {
    json!({"service": service, "slots": [], "actions": acts,
        "state": {"active_intent": intent, "requested_slots": [], "slot_values": state}})
}

/// A dialog of SGD with these frames in its turns.
fn sgd(turns: &[Vec<Value>]) -> Value {
    let turn = |frames| json!({"speaker": "USER", "utterance": "hm", "frames": frames});
    let turns: Vec<_> = turns.iter().map(turn).collect();
    json!({"dialogue_id": "1", "services": [], "turns": turns})
}

#[test]
fn a_user_who_turns_to_something_else_starts_with_an_empty_state() {
    let full = json!({"account": ["savings"], "amount": ["$5"], "to": ["Ann"]});
    let informs = json!([{"act": "INFORM", "slot": "account", "values": ["savings"]}]);
    let none = json!([]);
    // The intent afterwards, its acts and state, and how many slots are reported as lost.
    let cases = [
        ("Ask", &none, json!({}), 0),
        ("Ask", &none, json!({"from": ["Bob"]}), 0),
        ("Ask", &none, json!({"account": ["savings"]}), 0),
        ("Ask", &informs, json!({"account": ["savings"], "to": ["Bob"]}), 0),
        ("Ask", &none, json!({"account": ["savings"], "to": ["Ann"]}), 1),
        ("Pay", &none, json!({"account": ["savings"], "to": ["Ann"]}), 1),
        ("Pay", &none, json!({"account": ["savings"]}), 2),
        // It may be about another service with an intent of the same name.
        ("Pay", &none, json!({}), 0),
    ];
    let bank =
        |intent: &str, acts: &Value, state: &Value| vec![frame("Banks_1", intent, acts, state)];
    for (intent, acts, state, lost) in cases {
        let dialog = sgd(&[bank("Pay", &none, &full), bank(intent, acts, &state)]);
        assert_eq!(count("state-lost-slot", &dialog), lost, "{intent} {state}");
    }
    // A turn may be about fewer services than the one before, and have no slots of its own.
    let alarm = frame("Alarm_1", "Ask", &none, &json!({}));
    let both = vec![frame("Banks_1", "Pay", &none, &full), alarm.clone()];
    assert_eq!(count("state-lost-slot", &sgd(&[both, vec![alarm]])), 0);
}

#[test]
fn a_slot_is_not_renamed_into_another_service() {
    let of = |service: &str, state: &Value| frame(service, "Ask", &json!([]), state);
    let turn = |rain: &Value, inn: &Value| vec![of("Rain_1", rain), of("Inns_1", inn)];
    let (full, city) = (json!({"day": ["May 1"], "city": ["Ghent"]}), json!({"city": ["Ghent"]}));
    let first_fix = |rain: &Value, inn: &Value| {
        let dialog = sgd(&[turn(&full, &city), turn(rain, inn)]);
        assert_eq!(count("state-lost-slot", &dialog), 1);
        first_fix("state-lost-slot", &dialog.to_string())
    };
    let other = json!({"city": ["Ghent"], "check_in": ["May 1"]});
    assert_eq!(first_fix(&city, &other), "restore Rain_1.day \"May 1\"");
    let own = json!({"city": ["Ghent"], "date": ["May 1"]});
    assert_eq!(first_fix(&own, &city), "rename Rain_1.date to Rain_1.day");
}

/// A dialog of SGD with segments of one label, which are in angle brackets, and an act with this value.
fn sgd_spans(text: &str, value: &str) -> String {
    let (mut plain, mut slots, mut start) = (String::new(), Vec::new(), 0);
    for char in text.chars() {
        let at = plain.chars().count();
        match char {
            '«' => start = at,
            '»' => slots.push(json!({"slot": "share", "start": start, "exclusive_end": at})),
            _ => plain.push(char),
        }
    }
    let acts = json!([{"act": "INFORM", "slot": "share", "values": [value]}]);
    json!({"dialogue_id": "1", "services": ["Rain_1"], "turns": [{"speaker": "SYSTEM", "utterance": plain,
        "frames": [{"service": "Rain_1", "slots": slots, "actions": acts}]}]})
    .to_string()
}

#[test]
fn numbers_without_their_unit_and_initials_before_the_end_are_whole() {
    let cuts =
        |text: &str, value: &str| found_in(&sgd_spans(text, value), &only("span-cuts-word")).len();
    for (text, value) in [
        ("a chance of «11»% today", "11"),
        ("a chance of «6»%.", "6"),
        ("it costs $«12» each", "12"),
        ("it costs «5»€", "5"),
        ("at «C.B 4, 3 L.F».", "C.B 4, 3 L.F"),
        ("to «Washington D.C». Thanks", "Washington"),
        ("at 7 A.M, 8 A.M or «9:30 A.M».", "9:30"),
        ("at 7 p.m or «9 p.m». Fine", "9"),
        // As elsewhere in the turn.
        ("leaves at 10:47 a.m and arrives at «7:14 p.m».", "7:14"),
    ] {
        assert_eq!(cuts(text, value), 0, "{text}");
    }
    for (text, value) in [
        ("it costs $«12» each", "$12"),
        ("a chance of «1»1% today", "11"),
        ("either «11»% or «12%»", "12"),
        ("at «7 p.m».", "7"),
        ("at «7 P.M». Thanks", "7"),
        ("in «L.A». on monday", "LA"),
        ("at 7 p.m., 8 p.m. or «9 p.m».", "9"),
        ("at 7 p.m or «9 p.m». or later", "9"),
        ("leaves at 10:47 a.m. and arrives at «7:14 p.m».", "7:14"),
    ] {
        assert_eq!(cuts(text, value), 1, "{text}");
    }
}

/// A translation of "not mentioned" is in most slots of a state; a value of one slot is a value.
#[test]
fn a_value_of_many_slots_says_that_they_have_none() {
    let ontology = r#"{"hotel-semi-area": ["east"], "hotel-semi-kind": ["inn"], "hotel-semi-parking": ["yes"]}"#;
    let found = |values: [&str; 3]| {
        let [area, kind, parking] = values;
        let known = json!({"area": area, "kind": kind, "parking": parking});
        let dialog = multiwoz("hi", &json!({}), &json!([]), &known);
        let linter = Linter {
            selection: only("state-value-unknown"),
            ontologies: Ontologies::only(Ontology::read(ontology).unwrap()),
            ..Linter::default()
        };
        found_with(&linter, &dialog.to_string()).len()
    };
    assert_eq!(found(["未提及", "inn", "yes"]), 0);
    assert_eq!(found(["keine", "keine", "keine"]), 0);
    assert_eq!(found(["west", "inn", "yes"]), 1);
    assert_eq!(found(["west", "west", "yes"]), 2);
}

/// The call of an answer may be in a part that is not read.
#[test]
fn an_answer_behind_unread_parts_may_have_a_call() {
    let orphans = |part: Value| {
        let chat = json!({"messages": [{"role": "user", "content": "high tide?"},
            {"role": "assistant", "content": [part]},
            {"role": "tool", "content": [{"type": "text", "text": "14:10"}]},
            {"role": "assistant", "content": "At 14:10."}]});
        count("chat-answer-orphan", &chat)
    };
    assert_eq!(orphans(json!({"type": "call", "value": "get_tide"})), 0);
    assert_eq!(orphans(json!({"type": "text", "text": "One moment."})), 1);
}

/// A dot behind initials may end the sentence also before a small letter, where an act has them without it; that
/// behind "p.m" is missing.
#[test]
fn a_last_dot_is_not_missing_where_an_act_has_none() {
    let found = |text: &str, value: &str| {
        let start = text.find(value).unwrap();
        let act = json!({"intent": "inform", "domain": "inn", "slot": "code", "value": value,
            "start": start, "end": start + value.len()});
        let dialog = json!({"dialogue_id": "d", "dataset": "x", "turns": [{"speaker": "system", "utterance": text,
            "utt_idx": 0, "dialogue_acts": {"categorical": [], "binary": [], "non-categorical": [act]}, "db_results": {}}]});
        count("span-cuts-word", &dialog)
    };
    assert_eq!(found("it is at 3 A.Q. and it is cheap", "3 A.Q"), 0);
    assert_eq!(found("it is at 6 p.m. and it is cheap", "6 p.m"), 1);
}

/// The quote says where an empty span belongs, whether spans count words or characters.
#[test]
fn an_empty_span_goes_to_its_quote() {
    for (numbers, values, title) in [
        ([1, 0], json!({}), "move to 3..4, \"boat\""),
        ([4, 4], json!({"kind": ["boat"]}), "move to 9..13, \"boat\""),
    ] {
        let [start, end] = numbers;
        let spans = json!([["shop-inform", "kind", "boat", start, end]]);
        let dialog = multiwoz("i want a boat for two", &json!({}), &spans, &values);
        assert_eq!(first_fix("span-empty", &dialog.to_string()), title);
    }
}

/// A phrase may answer two questions: nobody cares about either, or the database has it under both names.
#[test]
fn a_phrase_with_two_labels_may_answer_both() {
    for (price, problems) in [("dontcare", 0), ("do n't care", 0), ("cheap", 1)] {
        let acts = json!({"Hotel-Inform": [["Area", "dontcare"], ["Price", price]]});
        let spans = json!([
            ["Hotel-Inform", "Area", "dontcare", 0, 1],
            ["Hotel-Inform", "Price", price, 0, 1]
        ]);
        let dialog = multiwoz("no preference , thanks", &acts, &spans, &json!({}));
        assert_eq!(count("label-conflict", &dialog), problems, "{price}");
    }
    let home = |kind: &str| {
        let act = |slot: &str| json!({"intent": "inform", "domain": "ride", "slot": slot, "value": "home", "start": 8, "end": 12});
        json!({"dialogue_id": "d", "dataset": "x", "turns": [
            {"speaker": "user", "utterance": "the way home", "utt_idx": 0, "dialogue_acts":
                {"categorical": [], "binary": [], "non-categorical": [act("place"), act("kind")]}, "state": {}},
            {"speaker": "system", "utterance": "left", "utt_idx": 1, "dialogue_acts":
                {"categorical": [], "binary": [], "non-categorical": []},
                "db_results": {"ride": [{"place": "Bob's", "kind": "friend"}, {"place": "Home", "kind": kind}]}}]})
    };
    assert_eq!(["home", "own"].map(|kind| count("label-conflict", &home(kind))), [0, 1]);
}

/// Of two labels on one place, the first fix moves or deletes the one that the words around it do not speak for.
#[test]
fn the_words_around_a_text_choose_its_label() {
    let spans = |act: &str, labels: [&str; 2], value: &str, at: usize| {
        json!(labels.map(|label| json!([act, label, value, at, at])))
    };
    let first = |text: &str, spans: &Value| {
        let dialog = multiwoz(text, &json!({}), spans, &json!({}));
        first_fix("label-conflict", &dialog.to_string())
    };
    for labels in [["Stay", "People"], ["People", "Stay"]] {
        let spans = spans("Hotel-Inform", labels, "4", 1);
        let both = first("for 4 nights , there will be 4 of us", &spans);
        assert_eq!(both, "move \"4\" with label Hotel-Inform.People to 7..8");
        let one = first("for 4 nights , please", &spans);
        assert_eq!(one, "delete the segment \"4\" with label Hotel-Inform.People");
    }
    for (text, at, deleted) in [
        ("it arrives at 11:00 and leaves to Ely", 3, "Leave"),
        ("to arrive in Ely at about 11:00", 6, "Leave"),
        ("a taxi to leave by 11:00", 5, "Arrive"),
    ] {
        let first = first(text, &spans("Train-Inform", ["Arrive", "Leave"], "11:00", at));
        assert!(first.ends_with(&format!(".{deleted}")), "{text}: {first}");
    }
    let worker = |labels: &str| {
        let said = format!("user: «8pm»{{show.time}}, so\nuser: at «8pm»{{{labels}}}");
        let found = found_in(&notation::dialog(&said), &only("label-conflict"));
        let fix = &found[0].fixes[0];
        (fix.title.clone(), fix.applicability)
    };
    let expected = ("keep show.time".to_owned(), Applicability::Display);
    assert_eq!(worker("show.time.accept + show.time"), expected);
    assert_eq!(worker("show.time + show.time.accept"), expected);
}

/// A segment that only adds words without content, or asks for its label, is not the value.
#[test]
fn the_value_inside_a_longer_segment_stays() {
    let first = |said: &str| first_fix("span-overlap", &notation::dialog(said));
    for said in [
        "user: remind me «for a «meeting»{day.event}»{day.agenda}",
        "user: tell me the «time of the «meeting»{day.event}»{day.time}",
    ] {
        assert!(first(said).starts_with("delete the segment \""), "{said}");
        assert_ne!(first(said), "delete the segment \"meeting\"");
    }
    let inner = first("user: a «late «meeting»{day.event}»{day.agenda}");
    assert_eq!(inner, "delete the segment \"meeting\"");
}

/// Of two segments that overlap, the one that nothing else in the dialog has goes first.
#[test]
fn an_overlap_with_a_known_value_loses_the_other_segment() {
    let said = "user: a «blue door»{shop.name} there\nuser: the blue door over there";
    let mut dialog: Value = serde_json::from_str(&notation::dialog(said)).unwrap();
    dialog["utterances"][1]["segments"] = json!([
        {"start_index": 4, "end_index": 13, "text": "blue door", "annotations": [{"name": "shop.name"}]},
        {"start_index": 9, "end_index": 18, "text": "door over", "annotations": [{"name": "shop.style"}]}]);
    // In SGD, an act has the value of the slot.
    let slot = |start: u32, end: u32| json!({"slot": "name", "start": start, "exclusive_end": end});
    let sgd = json!({"dialogue_id": "d", "services": ["Shops_1"], "turns": [
        {"speaker": "SYSTEM", "utterance": "the blue door over there", "frames": [{"service": "Shops_1",
            "slots": [slot(4, 13), slot(9, 18)], "actions": [{"act": "OFFER", "slot": "name", "values": ["blue door"]}]}]}]});
    for dialog in [dialog, sgd] {
        let first = first_fix("span-overlap", &dialog.to_string());
        assert_eq!(first, "delete the segment \"door over\"");
    }
}

/// Offsets of another version of the text cut words, but the word there is not the one that was meant.
#[test]
fn stale_offsets_are_not_moved_to_the_next_word() {
    let fixes = |quote: &str, start: u32, end: u32| {
        let spans = json!([["shop-inform", "name", quote, start, end]]);
        let text = "i want the garden centre in the east";
        let dialog = multiwoz(text, &json!({}), &spans, &json!({"name": ["x"]}));
        let found = found_in(&dialog.to_string(), &only("span-cuts-word"));
        assert_eq!(found.len(), 1, "{quote}: {found:?}");
        found[0].fixes.len()
    };
    assert_eq!(fixes("the seaside shop", 8, 15), 0);
    assert!(fixes("garden center", 12, 23) > 0);
}

#[test]
fn a_word_without_its_ending_is_left_where_the_value_is_known() {
    let fixes = |text: &str, value: &str| {
        let found = found_in(&sgd_spans(text, value), &only("span-cuts-word"));
        assert_eq!(found.len(), 1, "{text}");
        found[0].fixes.len()
    };
    for (text, value) in [
        ("an «inn» or several «inn»s", "lodge"),
        ("an «Ask», you «Ask»ed", "lodge"),
        // So it is where an act has just this word as its value.
        ("several «Inn»s", "inn"),
        ("several «inn»keepers", "inn"),
    ] {
        assert_eq!(fixes(text, value), 0, "{text}");
    }
    for (text, value) in [
        ("an «inn» or «guesthous»es", "lodge"),
        ("an «inn» or several «nn»s", "lodge"),
        ("an «inn» or «inn»keepers", "lodge"),
        ("several «inn»s", "lodge"),
        ("several «inn»s", "inns"),
        ("several «inn»keepers", "innkeeper"),
    ] {
        assert!(fixes(text, value) > 0, "{text}");
    }
}

/// A tool may give back something else than a text.
#[test]
fn an_answer_without_a_text_belongs_to_its_call() {
    for content in [
        json!([{"type": "image_url", "image_url": {"url": "data:image/png;base64,QQ=="}}]),
        json!([{"port": "Porto"}]),
        json!([]),
        json!(null),
    ] {
        let chat = |id: &str| {
            json!({"messages": [{"role": "user", "content": "high tide?"},
                {"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function", "function": {"name": "get_tide", "arguments": "{}"}}]},
                {"role": "tool", "tool_call_id": id, "content": content},
                {"role": "assistant", "content": "At 14:10."}]})
        };
        let both = |id: &str| {
            let rules = ["chat-answer-orphan", "chat-call-unanswered"];
            rules.map(|rule| count(rule, &chat(id)))
        };
        assert_eq!(both("c"), [0, 0], "{content}");
        // An element without a type is an issue, which says enough.
        assert_eq!(both("d")[0], usize::from(content != json!([{"port": "Porto"}])), "{content}");
    }
}

/// A file may have questions without answers; in other corpora, both sides speak.
#[test]
fn questions_alone_have_one_speaker() {
    let message = json!({"role": "user", "content": "high tide?"});
    let function = json!([{"name": "get_tide", "description": "", "parameters": {"type": "dict", "properties": {}}}]);
    let turn = |index: usize| json!({"index": index, "speaker": "USER", "text": "two for Dune"});
    let dialogs = [
        json!({"id": "q", "question": [[message], [message]], "function": function}),
        json!({"messages": [message, message]}),
        json!({"conversation_id": "a", "instruction_id": "i", "utterances": [turn(0), turn(1)]}),
    ];
    let found = dialogs.map(|dialog| count("one-speaker-dialog", &dialog));
    assert_eq!(found, [0, 0, 1]);
}
