//! `label-studio` and `convokit`: folders that other annotation tools open.

use std::fs;

use serde_json::{Value, json};

use super::{corpus, export, files, lines, read};
use crate::support::scratch;
use crate::votes::logs::log;

#[test]
fn label_studio_counts_utf_16() {
    let folder = corpus();
    let ran = export(folder.path(), "label-studio c.json -o ls");
    assert_eq!(
        ran.err,
        "turnwise: label-studio leaves out 1 API call, 2 other fields, 1 segment outside its text\n"
    );
    assert_eq!(files(&folder.path().join("ls")), ["config.xml", "tasks.json"]);
    let tasks: Value = serde_json::from_str(&read(folder.path(), "ls/tasks.json")).unwrap();
    let region = |id: &str, start: u32, end: u32, text: &str, labels: &[&str]| {
        json!({"id": id, "from_name": "label", "to_name": "dialogue", "type": "paragraphlabels", "value": {
            "start": "0", "end": "0", "startOffset": start, "endOffset": end, "text": text, "paragraphlabels": labels,
        }})
    };
    let first = json!({
        "data": {
            "dialogue": [
                {"author": "user", "text": "Two for Dune 🍿 at  nine"},
                {"author": "assistant", "text": "At 21:00, \"sir\",\nok?"},
            ],
            "file": "c.json", "dialog": 0, "dialog_id": "dlg-1",
        },
        "predictions": [{"model_version": "corpus", "result": [
            region("0-0", 8, 12, "Dune", &["name.movie", "title"]),
            region("0-2", 18, 24, "  nine", &["time"]),
            region("0-1", 20, 24, "nine", &["time"]),
        ]}],
    });
    assert_eq!(tasks[0], first);
    assert_eq!(tasks.as_array().unwrap().len(), 2);
    let config = "<View>\n  <ParagraphLabels name=\"label\" toName=\"dialogue\">\n\
        \x20   <Label value=\"name.movie\"/>\n    <Label value=\"time\"/>\n    <Label value=\"title\"/>\n\
        \x20 </ParagraphLabels>\n\
        \x20 <Paragraphs name=\"dialogue\" value=\"$dialogue\" layout=\"dialogue\" nameKey=\"author\" textKey=\"text\"/>\n\
        </View>\n";
    assert_eq!(read(folder.path(), "ls/config.xml"), config);
}

#[test]
fn labels_are_escaped_in_the_configuration() {
    let folder = scratch();
    let segment = |name: &str| json!({"start_index": 0, "end_index": 2, "text": "hi", "annotations": [{"name": name}]});
    let corpus = json!([{"conversation_id": "a", "instruction_id": "b", "utterances": [
        {"index": 0, "speaker": "USER", "text": "hi", "segments": [segment("<a&\"b\">"), segment("\u{1}")]}]}]);
    fs::write(folder.path().join("c.json"), corpus.to_string()).unwrap();
    let ran = export(folder.path(), "label-studio c.json -o ls");
    assert!(ran.err.contains("1 label that XML cannot hold"), "{}", ran.err);
    assert!(
        read(folder.path(), "ls/config.xml")
            .contains("<Label value=\"&lt;a&amp;&quot;b&quot;&gt;\"/>")
    );
    fs::write(folder.path().join("c.json"), "[]").unwrap();
    export(folder.path(), "label-studio c.json -o none");
    assert_eq!(read(folder.path(), "none/tasks.json"), "[]\n");
}

#[test]
fn convokit_has_unique_ids_and_votes_beside() {
    let folder = scratch();
    let log = |id| log(id, &[("S", "hello", &[("a", "O")]), ("U", "hi", &[])]);
    fs::write(folder.path().join("1.log.json"), log("one")).unwrap();
    fs::write(folder.path().join("2.log.json"), log("one")).unwrap();
    export(folder.path(), "convokit 1.log.json 2.log.json -o ck");
    let json = |name: &str| -> Value {
        serde_json::from_str(&read(folder.path(), &format!("ck/{name}"))).unwrap()
    };
    let conversations = json("conversations.json");
    let ids: Vec<_> = conversations.as_object().unwrap().keys().collect();
    assert_eq!(ids, ["2.log.json#0", "one"]);
    let utterances = lines(folder.path(), "ck/utterances.jsonl");
    let second = json!({
        "id": "one.1", "conversation_id": "one", "text": "hi", "speaker": "U",
        "meta": {"file": "1.log.json", "dialog": 0, "dialog_id": "one", "turn": 1, "role": "user", "gold": null},
        "reply-to": "one.0", "timestamp": 1, "vectors": [],
    });
    assert_eq!(utterances[1], second);
    assert_eq!(utterances[3]["id"], "2.log.json#0.1");
    let votes = json!({"id": "one.0", "value": [{"annotator": "a", "label": "O", "comment": ""}]});
    assert_eq!(lines(folder.path(), "ck/info.votes.jsonl")[0], votes);
    assert_eq!(
        json("speakers.json"),
        json!({"S": {"meta": {}, "vectors": []}, "U": {"meta": {}, "vectors": []}})
    );
    assert_eq!(json("corpus.json"), json!({}));
    assert_eq!(json("index.json")["version"], 1);
    assert_eq!(files(&folder.path().join("ck")).len(), 8);
}
