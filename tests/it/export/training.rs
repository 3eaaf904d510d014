//! `chat`, `kto` and `hf`: dialogs to train and to evaluate models with.

use std::fs;

use serde_json::{Value, json};

use super::{CORPUS, corpus, export, files, lines, read};
use crate::support::{run_in, scratch};
use crate::votes::logs::log;

#[test]
fn chats_have_roles_calls_and_answers() {
    let folder = corpus();
    let ran = export(folder.path(), "chat c.json -o out.jsonl");
    let expected = json!({"messages": [
        {"role": "user", "content": "Two for Dune 🍿 at  nine"},
        {"role": "assistant", "content": null, "tool_calls": [{
            "id": "call_0_0", "type": "function",
            "function": {"name": "find", "arguments": "{\"name.movie\": \"Dune\", \"num\": 2}"},
        }]},
        {"role": "tool", "content": "{\"time\": [\"21:00\"]}", "tool_call_id": "call_0_0"},
        {"role": "assistant", "content": "At 21:00, \"sir\",\nok?"},
    ]});
    let written = lines(folder.path(), "out.jsonl");
    assert_eq!(written[0], expected);
    assert_eq!(written[1], json!({"messages": [{"role": "user", "content": ""}]}));
    let err = "turnwise: chat leaves out 2 other fields, 4 segments\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, err));
}

/// A number keeps its spelling, and unknown members stay.
#[test]
fn chats_of_the_same_form_stay_as_they_are() {
    let folder = scratch();
    let text = "{\"messages\": [{\"role\": \"user\",\n \"content\": \"a  b\", \"weight\": 1.50}],\n\t\"x\": [ ]}\n";
    fs::write(folder.path().join("c.json"), text).unwrap();
    let ran = export(folder.path(), "chat c.json -o - --strict");
    let line = "{\"messages\": [{\"role\": \"user\", \"content\": \"a  b\", \"weight\": 1.50}], \"x\": []}\n";
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, line, ""));
}

/// Calls and parts as Inspect, Anthropic's API and LLaMA-Factory write them.
#[test]
fn chats_of_other_apis_become_messages() {
    let folder = scratch();
    let inspect = json!({"messages": [
        {"role": "user", "content": "Sunny?"},
        {"role": "assistant", "content": [{"type": "reasoning", "reasoning": "The table has it."}, {"type": "text", "text": "I look."}],
            "tool_calls": [{"id": "t1", "type": "function", "function": "sun", "arguments": {"day": 1}}]},
        {"role": "tool", "tool_call_id": "t1", "function": "sun", "content": "yes"},
        {"role": "assistant", "content": "It is."},
    ]});
    let anthropic = json!({"messages": [
        {"role": "user", "content": [{"type": "text", "text": "Sunny?"}]},
        {"role": "assistant", "content": [{"type": "text", "text": "I look."},
            {"type": "tool_use", "id": "t1", "name": "sun", "input": {"day": 1}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "yes"}]},
        {"role": "assistant", "content": "It is."},
    ]});
    for chat in [inspect, anthropic] {
        fs::write(folder.path().join("c.json"), json!([chat]).to_string()).unwrap();
        export(folder.path(), "chat c.json -o out.jsonl");
        let written = lines(folder.path(), "out.jsonl");
        let mut messages = written[0]["messages"].clone();
        let function = &mut messages[1]["tool_calls"][0]["function"];
        let arguments: Value =
            serde_json::from_str(function["arguments"].as_str().unwrap()).unwrap();
        function["arguments"] = arguments;
        let expected = json!([
            {"role": "user", "content": "Sunny?"},
            {"role": "assistant", "content": "I look.", "tool_calls": [
                {"id": "t1", "type": "function", "function": {"name": "sun", "arguments": {"day": 1}}}]},
            {"role": "tool", "tool_call_id": "t1", "content": "yes"},
            {"role": "assistant", "content": "It is."},
        ]);
        assert_eq!(messages, expected, "{written:?}");
        fs::remove_file(folder.path().join("out.jsonl")).unwrap();
    }
    let parts = json!({"messages": [
        {"role": "system", "content": [{"type": "value", "value": "Be brief."}]},
        {"role": "user", "content": [{"type": "text", "value": "Sunny?"}]},
    ]});
    fs::write(folder.path().join("c.json"), json!([parts]).to_string()).unwrap();
    let ran = export(folder.path(), "chat c.json -o -");
    assert!(!ran.out.contains("\"value\""), "{ran:?}");
}

/// A session tells its model who it is before the user speaks.
#[test]
fn instructions_of_sessions_are_messages() {
    let folder = scratch();
    let row = |role: &str, kind: &str, text: &str| {
        json!({"timestamp": "9:00", "type": "response_item", "payload": {"type": "message", "role": role,
            "content": [{"type": kind, "text": text}]}})
        .to_string()
    };
    let rows = [
        json!({"timestamp": "9:00", "type": "session_meta", "payload": {"id": "s"}}).to_string(),
        row("developer", "input_text", "Be brief."),
        row("user", "input_text", "Sunny?"),
        row("assistant", "output_text", "It is."),
    ];
    fs::write(folder.path().join("s.jsonl"), rows.join("\n")).unwrap();
    export(folder.path(), "chat s.jsonl -o out.jsonl");
    let expected = json!({"messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Sunny?"},
        {"role": "assistant", "content": "It is."},
    ]});
    assert_eq!(lines(folder.path(), "out.jsonl"), [expected]);
}

/// The action is what the program made of the model's call.
#[test]
fn a_trajectory_of_openhands_keeps_its_instructions_and_the_models_own_call() {
    let folder = scratch();
    let call = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let metadata = |id: &str, calls: &[Value]| {
        json!({"tool_call_id": id, "function_name": "tides", "total_calls_in_response": calls.len(),
            "model_response": {"choices": [{"message": {"role": "assistant", "tool_calls": calls}}]}})
    };
    let own = call("t1", "tides", "{\"place\": \"Porto\"}");
    let two = [call("t2", "tides", "{}"), call("t3", "tides", "{}")];
    let run = |id: usize, command: &str, metadata: &Value| {
        json!({"id": id, "source": "agent", "action": "run", "args": {"command": command, "thought": ""},
            "tool_call_metadata": metadata})
    };
    let said = |id: usize, cause: usize, metadata: &Value| {
        json!({"id": id, "source": "agent", "observation": "run", "cause": cause, "content": "14:10",
            "extras": {}, "tool_call_metadata": metadata})
    };
    let (first, second) = (metadata("t1", &[own]), metadata("t3", &two));
    let events = json!([
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "You know the tides."}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "When?"}},
        run(2, "tides porto", &first), said(3, 2, &first),
        run(4, "tides faro", &second), said(5, 4, &second),
    ]);
    fs::write(folder.path().join("t.json"), events.to_string()).unwrap();
    export(folder.path(), "chat t.json -o out.jsonl");
    let messages = &lines(folder.path(), "out.jsonl")[0]["messages"];
    assert_eq!(messages[0], json!({"role": "system", "content": "You know the tides."}));
    let function = |message: usize| &messages[message]["tool_calls"][0]["function"];
    assert_eq!(*function(2), json!({"name": "tides", "arguments": "{\"place\": \"Porto\"}"}));
    assert_eq!(messages[3]["content"], "14:10");
    // Of two calls, the action says which one it was.
    assert_eq!(function(4)["name"], "run");
    assert!(function(4)["arguments"].as_str().unwrap().contains("tides faro"));
}

#[test]
fn a_query_chooses_the_messages_of_a_chat() {
    let folder = scratch();
    let call =
        json!({"id": "c", "type": "function", "function": {"name": "sun", "arguments": "{}"}});
    let chat = json!({"messages": [
        {"role": "user", "content": "Sunny?"},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "yes"},
        {"role": "assistant", "content": "It is."},
    ]});
    fs::write(folder.path().join("c.jsonl"), chat.to_string()).unwrap();
    for (query, roles) in [
        ("api:sun", &["assistant", "tool"][..]),
        ("dialog(api:sun)", &["user", "assistant", "tool", "assistant"]),
    ] {
        let all = ["export", "chat", "c.jsonl", "-o", "-", "--query", query];
        let ran = run_in(folder.path(), &all, "");
        let line: Value = serde_json::from_str(&ran.out).unwrap();
        let messages = line["messages"].as_array().unwrap();
        let found: Vec<_> = messages.iter().map(|m| m["role"].as_str().unwrap()).collect();
        assert_eq!(found, roles, "{query}");
    }
}

#[test]
fn chats_of_sharegpt_become_messages() {
    let folder = scratch();
    let chat = json!([{"id": "s", "conversations": [
        {"from": "system", "value": "Be brief."},
        {"from": "human", "value": "Sunny?"},
        {"from": "function_call", "value": "{\"name\": \"sun\", \"arguments\": {\"day\": 1}}"},
        {"from": "observation", "value": "yes"},
        {"from": "gpt", "value": "It is."},
    ]}]);
    fs::write(folder.path().join("c.json"), chat.to_string()).unwrap();
    export(folder.path(), "chat c.json -o out.jsonl");
    let messages = &lines(folder.path(), "out.jsonl")[0]["messages"];
    let roles: Vec<_> =
        messages.as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant"]);
    assert_eq!(messages[2]["tool_calls"][0]["function"]["arguments"], "{\"day\": 1}");
    assert_eq!(messages[3]["content"], "yes");
}

/// Instructions beside the turns are the first message, and arguments have several names.
#[test]
fn instructions_and_arguments_are_exported_wherever_they_are() {
    let folder = scratch();
    for (instructions, arguments) in [("system", "parameters"), ("system_prompt", "args")] {
        let call = json!({"name": "sun", arguments: {"day": 1}});
        let chat = json!([{instructions: "Be brief.", "conversations": [
            {"from": "human", "value": "Sunny?"},
            {"from": "function_call", "value": call.to_string()},
            {"from": "observation", "value": "yes"},
            {"from": "gpt", "value": "It is."},
        ]}]);
        fs::write(folder.path().join("c.json"), chat.to_string()).unwrap();
        let ran = export(folder.path(), "chat c.json -o out.jsonl --overwrite");
        assert_eq!(ran.err, "", "{instructions}");
        let messages = &lines(folder.path(), "out.jsonl")[0]["messages"];
        assert_eq!(messages[0], json!({"role": "system", "content": "Be brief."}));
        let called = &messages[2]["tool_calls"][0]["function"]["arguments"];
        assert_eq!(called, "{\"day\": 1}", "{arguments}");
        let edit = json!({"edit": "set_value", "dialog": 0, "turn": 1, "call": 0, "part": "arguments", "name": "day", "value": 2});
        fs::write(folder.path().join("e.jsonl"), edit.to_string()).unwrap();
        let ran = run_in(folder.path(), &["apply", "e.jsonl", "c.json"], "");
        assert_eq!(ran.code, 0, "{ran:?}");
        let after = fs::read_to_string(folder.path().join("c.json")).unwrap();
        assert_eq!(after, chat.to_string().replace("\\\"day\\\":1", "\\\"day\\\":2"));
    }
}

#[test]
fn votes_say_which_answers_are_good() {
    let folder = scratch();
    let log = log(
        "one",
        &[
            ("S", "hello", &[("a", "O"), ("b", "O")]),
            ("U", "hi", &[]),
            ("S", "what?", &[("a", "X"), ("b", "X"), ("c", "O")]),
            ("U", "bye", &[]),
            ("S", "fish", &[("a", "X"), ("b", "O")]),
            ("S", "sorry", &[("a", "T"), ("b", "T")]),
            ("S", "good night", &[("a", "O")]),
            ("S", "unjudged", &[]),
        ],
    );
    fs::write(folder.path().join("1.log.json"), log).unwrap();
    let ran = export(folder.path(), "kto 1.log.json -o out.jsonl");
    let written = lines(folder.path(), "out.jsonl");
    assert_eq!(written.len(), 2);
    assert_eq!(
        written[0],
        json!({
            "prompt": [{"role": "assistant", "content": "hello"}, {"role": "user", "content": "hi"}],
            "completion": [{"role": "assistant", "content": "what?"}],
            "label": false,
        })
    );
    assert_eq!(written[1]["label"], true);
    assert_eq!(written[1]["completion"][0]["content"], "good night");
    assert_eq!(written[1]["prompt"].as_array().unwrap().len(), 6);
    let err = "turnwise: kto leaves out 1 judged turn that opens a dialog, 1 turn labelled T, \
        1 turn without a majority\n";
    assert_eq!(ran.err, err);
    let ran = export(folder.path(), "kto 1.log.json -o - -t 0.7");
    assert_eq!(ran.out.lines().count(), 1);
    assert!(ran.err.contains("2 turns without a majority"), "{}", ran.err);
    // A gold label decides over votes.
    let gold = json!({"dialogue-id": "one", "turns": [
        {"turn-index": 2, "labels": [{"breakdown": "O", "prob-O": 1, "prob-T": 0, "prob-X": 0}]},
        {"turn-index": 4, "labels": [{"breakdown": "X", "prob-O": 0, "prob-T": 0, "prob-X": 1}]},
    ]});
    fs::create_dir(folder.path().join("gold")).unwrap();
    fs::write(folder.path().join("gold/one.labels.json"), gold.to_string()).unwrap();
    export(folder.path(), "kto 1.log.json -o gold.jsonl --gold gold");
    let labels: Vec<Value> =
        lines(folder.path(), "gold.jsonl").iter().map(|l| l["label"].clone()).collect();
    assert_eq!(labels, [json!(true), json!(false), json!(true)]);
}

/// In an object keyed by dialog id, the text of a dialog begins with its key, which is not valid JSON.
#[test]
fn dialogs_that_have_a_key_are_exported_as_json() {
    let folder = scratch();
    let messages =
        json!([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]);
    let corpus = json!({"a \"1\"": {"messages": messages}, "b": {"messages": messages}});
    fs::write(folder.path().join("c.json"), corpus.to_string()).unwrap();
    export(folder.path(), "hf c.json -o d");
    export(folder.path(), "chat c.json -o chat.jsonl");
    let raw: Vec<Value> = lines(folder.path(), "d/data/train.jsonl")
        .iter()
        .map(|row| serde_json::from_str(row["raw"].as_str().unwrap()).unwrap())
        .collect();
    let alone = |key: &str| json!({key: corpus[key]});
    assert_eq!(raw, [alone("a \"1\""), alone("b")]);
    let chats = lines(folder.path(), "chat.jsonl");
    assert_eq!(chats, [corpus["b"].clone(), corpus["b"].clone()]);
}

#[test]
fn a_dataset_has_rows_of_one_type_and_a_card() {
    let folder = corpus();
    let ran = export(folder.path(), "hf c.json -o d --strict");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(files(&folder.path().join("d")), ["README.md", "data/train.jsonl"]);
    let rows = lines(folder.path(), "d/data/train.jsonl");
    let corpus: Value = serde_json::from_str(CORPUS).unwrap();
    let raw: Value = serde_json::from_str(rows[0]["raw"].as_str().unwrap()).unwrap();
    assert_eq!(raw, corpus[0]);
    assert_eq!(rows[1]["dialog_id"], "../x");
    assert_eq!(rows[0]["family"], "taskmaster-3");
    let turn = &rows[0]["turns"][0];
    let segment = json!({"start": 8, "end": 12, "text": "Dune", "labels": ["name.movie", "title"]});
    assert_eq!(turn["segments"][0], segment);
    let outside = json!({"start": null, "end": null, "text": null, "labels": ["time"]});
    assert_eq!(turn["segments"][3], outside);
    // Every row has every member that the card declares, in its order.
    let card = read(folder.path(), "d/README.md");
    assert!(card.starts_with("---\nconfigs:\n- config_name: default\n  data_files:\n  - split: train\n    path: data/train.jsonl\ndataset_info:\n  features:\n  - name: file\n"));
    assert!(card.contains("- `train`: 2 dialogs, 3 turns\n"), "{card}");
    let declared = |indent: &str| -> Vec<String> {
        let start = format!("{indent}- name: ");
        card.lines().filter_map(|line| line.strip_prefix(&start)).map(str::to_owned).collect()
    };
    let keys = |value: &Value| {
        let mut keys: Vec<_> = value.as_object().unwrap().keys().cloned().collect();
        keys.sort();
        keys
    };
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names
    };
    assert_eq!(keys(&rows[0]), sorted(declared("  ")));
    assert_eq!(keys(&rows[1]["turns"][0]), sorted(declared("    ")));
    export(folder.path(), "hf c.json -o s --split a=0.5,b=0.5");
    assert!(read(folder.path(), "s/README.md").contains("  - split: b\n    path: data/b.jsonl\n"));
}

/// A library that reads the dataset refuses a split without rows.
#[test]
fn a_part_without_dialogs_is_left_out_of_the_card() {
    let folder = corpus();
    let ran = export(folder.path(), "hf c.json -o d --split none=0,all=1,no=0");
    assert_eq!((ran.code, ran.err.as_str()), (0, "turnwise: no dialog is in `none`, `no`\n"));
    let card = read(folder.path(), "d/README.md");
    let splits: Vec<_> = card.lines().filter(|line| line.contains("- split:")).collect();
    assert_eq!(splits, ["  - split: all"]);
    assert!(card.contains("- `none`: no dialogs, so it is not declared as a split\n"), "{card}");
    // A file of an earlier export does not stay.
    assert_eq!(read(folder.path(), "d/data/none.jsonl"), "");
    let ran = export(folder.path(), "spacy c.json -o s --split none=0,all=1");
    assert!(ran.err.ends_with("\nturnwise: no dialog is in `none`\n"), "{ran:?}");
    fs::write(folder.path().join("empty.json"), "[]").unwrap();
    export(folder.path(), "hf empty.json -o e");
    assert!(read(folder.path(), "e/README.md").starts_with("---\ndataset_info:\n"));
}

/// Names are found unfit before anything is written.
#[test]
fn a_part_with_a_name_that_is_too_long_writes_nothing() {
    let folder = corpus();
    let long = "a".repeat(300);
    for format in ["spacy", "tables", "hf"] {
        let ran = export(folder.path(), &format!("{format} c.json -o o --split b=0.5,{long}=0.5"));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
        assert!(ran.err.contains("nothing was written"), "{}", ran.err);
        assert!(!folder.path().join("o").exists(), "{format}");
    }
}

/// Runs Git in a folder.
pub fn git(folder: &std::path::Path, arguments: &[&str]) {
    let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"];
    let mut command = std::process::Command::new("git");
    let ran = command.arg("-C").arg(folder).args(who).args(arguments).output();
    let ran = ran.unwrap();
    assert!(ran.status.success(), "{arguments:?}: {ran:?}");
}

#[test]
fn corrected_answers_become_pairs() {
    let folder = scratch();
    let chat = |id: &str, user: &str, answer: &str| {
        json!({"id": id, "messages": [
            {"role": "user", "content": user}, {"role": "assistant", "content": answer},
            {"role": "user", "content": "Thanks"}, {"role": "assistant", "content": "Bye"}]})
    };
    let write = |name: &str, dialogs: &[Value]| {
        let lines: Vec<_> = dialogs.iter().map(Value::to_string).collect();
        fs::write(folder.path().join(name), lines.join("\n") + "\n").unwrap();
    };
    fs::create_dir(folder.path().join("in")).unwrap();
    write(
        "in/c.jsonl",
        &[chat("a", "Hi", "Go away"), chat("b", "Hi", "Hello"), chat("c", "Hm", "x")],
    );
    git(folder.path(), &["init", "-q"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-qm", "one"]);
    let mut longer = chat("c", "Hm", "y");
    longer["messages"].as_array_mut().unwrap().pop();
    write(
        "in/c.jsonl",
        &[chat("new", "Hi", "Hey"), chat("a", "Hi!", "Hello"), chat("b", "Ho", "Hello"), longer],
    );
    write("in/new.jsonl", &[chat("z", "Hi", "Hello")]);
    let ran = export(folder.path(), "dpo in -o out.jsonl --since HEAD");
    let pair = json!({
        "prompt": [{"role": "user", "content": "Hi!"}],
        "chosen": [{"role": "assistant", "content": "Hello"}],
        "rejected": [{"role": "assistant", "content": "Go away"}],
    });
    assert_eq!(lines(folder.path(), "out.jsonl"), [pair]);
    let err = "turnwise: in/new.jsonl: not in HEAD, so nothing in it is compared\n\
        turnwise: dpo leaves out 2 changed texts that are not answers, \
        1 dialog with another number of turns than before\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, err));
    #[cfg(unix)]
    {
        // A link is what it leads to.
        let pairs = lines(folder.path(), "out.jsonl");
        std::os::unix::fs::symlink("in/c.jsonl", folder.path().join("link.jsonl")).unwrap();
        export(folder.path(), "dpo link.jsonl -o linked.jsonl --since HEAD");
        assert_eq!(lines(folder.path(), "linked.jsonl"), pairs);
    }
    export(folder.path(), "kto in -o kto.jsonl --since HEAD");
    let labels: Vec<_> =
        lines(folder.path(), "kto.jsonl").iter().map(|line| line["label"].clone()).collect();
    assert_eq!(labels, [json!(false), json!(true)]);
    for revision in ["nope", "-h", "--output=x"] {
        let ran = export(folder.path(), &format!("dpo in -o no.jsonl --since={revision}"));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("is not a revision in a Git repository"), "{}", ran.err);
    }
    let ran = export(folder.path(), "dpo in -o out.jsonl");
    assert!(ran.code == 2 && ran.err.contains("--since"), "{ran:?}");
}
