//! `turnwise import`: annotations from other programs become edits.

mod exchanged;
mod round_trips;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{CORPUS, Ran, TempDir, project, run_in, scratch};

const FORMATS: [(&str, &str, &str); 4] = [
    ("label-studio", "label-studio", "out/tasks.json"),
    ("doccano", "doccano", "out/doccano.jsonl"),
    ("spacy", "prodigy", "out/spans.jsonl"),
    ("tables", "tables", "out"),
];

fn corpus() -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("data.json"), CORPUS).unwrap();
    folder
}

fn run(folder: &Path, command: &str) -> Ran {
    let arguments: Vec<_> = command.split(' ').collect();
    run_in(folder, &arguments, "")
}

fn exported(folder: &Path, format: &str, path: &str) {
    let ran = run(folder, &format!("export {format} {path} -o out/ --overwrite"));
    assert_eq!(ran.code, 0, "{ran:?}");
}

fn json_lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(serde_json::from_str);
    lines.map(Result::unwrap).collect()
}

fn write_lines(path: &Path, lines: &[Value]) {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    fs::write(path, lines.join("\n")).unwrap();
}

/// Imports a file that must be refused, and returns the messages.
fn refused(folder: &Path, command: &str) -> String {
    let before = fs::read(folder.join("data.json")).unwrap();
    let ran = run(folder, command);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
    assert_eq!(fs::read(folder.join("data.json")).unwrap(), before);
    ran.err
}

#[test]
fn an_unchanged_export_changes_nothing() {
    let demo = project("assets/demo");
    for (export, import, file) in FORMATS {
        let folder = scratch();
        exported(folder.path(), export, demo.to_str().unwrap());
        let ran = run(folder.path(), &format!("import {import} {file} {}", demo.display()));
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{import}: {ran:?}");
        assert!(ran.err.contains("compared, no difference"), "{ran:?}");
    }
    let folder = scratch();
    exported(folder.path(), "tables", demo.to_str().unwrap());
    let command = format!("import tables out/segments.csv {}", demo.display());
    let ran = run(folder.path(), &command);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

/// Emoji take two units in Label Studio.
#[test]
fn changes_in_label_studio_come_back_as_exactly_those() {
    let folder = corpus();
    let folder = folder.path();
    let text = CORPUS.replace("Two for", "👍👍 for").replace("\"Two\"", "\"👍👍\"");
    let text = text.replace("\"start_index\": 8", "\"start_index\": 7");
    let text = text.replace("\"end_index\": 16", "\"end_index\": 15");
    fs::write(folder.join("data.json"), &text).unwrap();
    exported(folder, "label-studio", "data.json");
    let path = folder.join("out/tasks.json");
    let mut tasks: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let mut result = tasks[0]["predictions"][0]["result"].clone();
    assert_eq!(result[0]["value"]["startOffset"], 9);
    result[0]["value"]["endOffset"] = json!(18);
    result[0]["value"]["text"] = json!("Nosferatu");
    result[0]["value"]["paragraphlabels"] = json!(["name.film"]);
    // Label Studio gives regions ids of its own.
    result[0]["id"] = json!("Xb2_k");
    let new = json!({"id": "n", "type": "paragraphlabels", "value": {"start": "0", "end": "0",
        "startOffset": 0, "endOffset": 4, "paragraphlabels": ["num", "many"]}});
    result.as_array_mut().unwrap().push(new);
    let by = json!({"email": "mk@example.org"});
    tasks[0]["annotations"] = json!([{"completed_by": by, "result": result}]);
    fs::write(&path, tasks.to_string()).unwrap();
    let ran = run(folder, "import label-studio out/tasks.json data.json");
    let expected = r#"{"file":"data.json","dialog":0,"dialog_id":"dlg-a","edit":"set_span","turn":0,"segment":0,"start":7,"end":16,"by":"mk@example.org"}
{"file":"data.json","dialog":0,"dialog_id":"dlg-a","edit":"set_labels","turn":0,"segment":0,"labels":["name.film"],"by":"mk@example.org"}
{"file":"data.json","dialog":0,"dialog_id":"dlg-a","edit":"add_segment","turn":0,"start":0,"end":2,"labels":["num","many"],"by":"mk@example.org"}
"#;
    assert_eq!((ran.code, ran.out.as_str()), (0, expected), "{ran:?}");
    let ran = run(folder, "import label-studio out/tasks.json data.json --apply");
    assert_eq!((ran.code, ran.out.as_str()), (0, "data.json: 3 edits applied\n"), "{ran:?}");
    let ran = run(folder, "import label-studio out/tasks.json data.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

/// Annotators may use other controls than the usual ones, and leave drafts.
#[test]
fn everything_in_a_task_of_label_studio_is_read_or_said() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "label-studio", "data.json");
    let path = folder.join("out/tasks.json");
    let mut tasks: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let usual = tasks[0]["predictions"][0]["result"].clone();
    let mut import = |result: &Value| {
        let by = json!({"username": "mk"});
        tasks[0]["annotations"] = json!([{"completed_by": by, "result": result}]);
        tasks[0]["drafts"] = json!([{"result": []}, 7]);
        fs::write(&path, tasks.to_string()).unwrap();
        run(folder, "import label-studio out/tasks.json data.json")
    };
    let ran = import(&json!([]));
    assert!(ran.out.contains(r#""by":"mk""#), "{ran:?}");
    let said = "turnwise: out/tasks.json: 2 drafts are not read\n";
    assert!(ran.err.contains(said), "{ran:?}");
    // Other controls with labels have the same offsets.
    for (kind, renames) in [("labels", true), ("labels", false), ("hypertextlabels", true)] {
        let mut result = usual.clone();
        let region = result[0].as_object_mut().unwrap();
        region["type"] = json!(kind);
        if renames {
            let value = region["value"].as_object_mut().unwrap();
            let labels = value.remove("paragraphlabels").unwrap();
            value.insert(kind.to_owned(), labels);
        }
        let ran = import(&result);
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{kind}: {ran:?}");
    }
    // A choice about a region is not another region; without the region, nothing says what became of it.
    let mut choice = usual[0].clone();
    choice["type"] = json!("choices");
    choice["value"]["choices"] = json!(["sure"]);
    let mut result = usual.clone();
    result.as_array_mut().unwrap().push(choice.clone());
    let ran = import(&result);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    result[0] = choice;
    result.as_array_mut().unwrap().pop();
    let ran = import(&result);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{ran:?}");
    assert!(ran.err.contains("segment 0 has no place or no label"), "{ran:?}");
}

/// Offsets are counted by other programs, too.
#[test]
fn a_region_that_does_not_fit_its_own_text_is_refused() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "label-studio", "data.json");
    let path = folder.join("out/tasks.json");
    let mut tasks: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let usual = tasks[0]["predictions"][0]["result"].clone();
    let words = usual[0]["value"]["text"].as_str().map_or("Nosferatu".to_owned(), str::to_owned);
    for (key, new, why) in [
        ("text", json!(words), None),
        ("text", json!("another"), Some("covers \"another\", but the text has")),
        ("paragraphlabels", Value::Null, Some("a region of the type \"paragraphlabels\" has no")),
    ] {
        let mut result = usual.clone();
        let value = result[0]["value"].as_object_mut().unwrap();
        value.remove(key);
        if !new.is_null() {
            value.insert(key.to_owned(), new);
        }
        tasks[0]["annotations"] = json!([{"result": result}]);
        fs::write(&path, tasks.to_string()).unwrap();
        let ran = run(folder, "import label-studio out/tasks.json data.json");
        assert_eq!(ran.code != 0, why.is_some(), "{ran:?}");
        assert!(ran.err.contains(why.unwrap_or_default()) && ran.out.is_empty(), "{ran:?}");
    }
}

/// The first part of a label is the service of its frame, which segments share.
#[test]
fn a_label_of_another_service_is_a_new_segment_in_its_frame() {
    let folder = scratch();
    let folder = folder.path();
    let slot = |slot: &str, start: u32, end: u32| json!({"slot": slot, "start": start, "exclusive_end": end});
    let turn = json!({"speaker": "USER", "utterance": "A barge to Ghent at nine, please.", "frames": [
        {"service": "Boats_1", "slots": [slot("kind", 2, 7), slot("to", 11, 16)]},
        {"service": "Trains_1", "slots": [slot("time", 20, 24)]}]});
    let dialog =
        json!({"dialogue_id": "b-1", "services": ["Boats_1", "Trains_1"], "turns": [turn]});
    fs::write(folder.join("data.json"), json!([dialog]).to_string()).unwrap();
    exported(folder, "doccano", "data.json");
    let path = folder.join("out/doccano.jsonl");
    let mut lines = json_lines(&path);
    lines[0]["label"][0] = json!([2, 7, "Trains_1.kind"]);
    lines[0]["label"][1] = json!([11, 16, "Boats_1.city"]);
    write_lines(&path, &lines);
    let ran = run(folder, "import doccano out/doccano.jsonl data.json");
    let expected = r#"{"file":"data.json","dialog":0,"dialog_id":"b-1","edit":"set_labels","turn":0,"segment":1,"labels":["Boats_1.city"]}
{"file":"data.json","dialog":0,"dialog_id":"b-1","edit":"remove_segment","turn":0,"segment":0}
{"file":"data.json","dialog":0,"dialog_id":"b-1","edit":"add_segment","turn":0,"start":2,"end":7,"labels":["Trains_1.kind"]}
"#;
    assert_eq!((ran.code, ran.out.as_str()), (0, expected), "{ran:?}");
    let ran = run(folder, "import doccano out/doccano.jsonl data.json --apply");
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = run(folder, "import doccano out/doccano.jsonl data.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn several_annotators_are_refused_until_one_is_chosen() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "label-studio", "data.json");
    let path = folder.join("out/tasks.json");
    let mut tasks: Value = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    let same = tasks[0]["predictions"][0]["result"].clone();
    tasks[0]["annotations"] = json!([
        {"completed_by": 7, "result": []},
        {"completed_by": {"id": 8, "email": "b@x"}, "result": same},
        {"completed_by": 9, "was_cancelled": true, "result": []},
    ]);
    fs::write(&path, tasks.to_string()).unwrap();
    let why = refused(folder, "import label-studio out/tasks.json data.json");
    assert!(
        why.contains("the task has annotations by 7, b@x; choose one with `--annotator`"),
        "{why}"
    );
    let command = "import label-studio out/tasks.json data.json --annotator";
    let ran = run(folder, &format!("{command} b@x"));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    let ran = run(folder, &format!("{command} 7"));
    assert!(ran.out.contains("\"remove_segment\"") && ran.out.contains("\"by\":\"7\""));
    // Nobody can choose between two by the same person.
    tasks[0]["annotations"][1]["completed_by"] = json!(7);
    fs::write(&path, tasks.to_string()).unwrap();
    for command in [format!("{command} 7"), "import label-studio out/tasks.json data.json".into()] {
        let why = refused(folder, &command);
        let expected = "the task has several annotations by 7, which differ; keep one of them";
        assert!(why.contains(expected), "{why}");
    }
    // The same for lines.
    exported(folder, "spacy", "data.json");
    let path = folder.join("out/spans.jsonl");
    let mut lines = json_lines(&path);
    lines[0]["_annotator_id"] = json!("mk");
    let mut other = lines[0].clone();
    other["_annotator_id"] = json!("ab");
    other["spans"] = json!([]);
    lines.push(other);
    write_lines(&path, &lines);
    let why = refused(folder, "import prodigy out/spans.jsonl data.json");
    assert!(
        why.contains("turn 0 of dialog \"dlg-a\" is annotated differently in line 1; choose `--annotator mk` or `--annotator ab`"),
        "{why}"
    );
    let ran = run(folder, "import prodigy out/spans.jsonl data.json --annotator mk");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn annotations_that_do_not_fit_are_refused_with_file_and_line() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "doccano", "data.json");
    let path = folder.join("out/doccano.jsonl");
    let lines = json_lines(&path);
    for (field, value, expected) in [
        (
            "text",
            json!("Two for Dune at nine, please."),
            "out/doccano.jsonl:1: turn 0 of dialog \"dlg-a\": the annotated text is \"Two for Dune at nine, please.\", but the corpus has \"Two for Nosferatu at nine, please.\"",
        ),
        ("dialog_id", json!("dlg-z"), "out/doccano.jsonl:1: dialog \"dlg-z\" is not in data.json"),
        ("turn", json!(99), "out/doccano.jsonl:1: dialog \"dlg-a\" has"),
        (
            "turn",
            Value::Null,
            "out/doccano.jsonl:1: `turn` is missing; the export writes it beside the text",
        ),
        (
            "label",
            json!([[3, 300, "a"]]),
            "out/doccano.jsonl:1: turn 0 of dialog \"dlg-a\": 3..300 is outside the text, or empty",
        ),
        ("label", json!(7), "out/doccano.jsonl:1: invalid type"),
    ] {
        let mut changed = lines.clone();
        changed[0][field] = value;
        // Each dialog is on its own line, so that the first line is the one that is wrong.
        changed.truncate(1);
        write_lines(&path, &changed);
        let why = refused(folder, "import doccano out/doccano.jsonl data.json --apply");
        assert!(why.contains(expected), "{field}: {why}");
    }
    let ran = run(folder, "import doccano missing.jsonl data.json");
    assert_eq!(ran.code, 2, "{ran:?}");
}

/// A colleague's copy may have other texts: what still fits is imported.
#[test]
fn turns_that_do_not_fit_are_skipped_if_asked() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "tables", "data.json");
    let path = folder.join("out/segments.jsonl");
    let (mut rows, turns) = (json_lines(&path), folder.join("out/turns.jsonl"));
    let mut texts = json_lines(&turns);
    for table in ["segments.csv", "turns.csv"] {
        fs::remove_file(folder.join("out").join(table)).unwrap();
    }
    // The text of the first turn is another one, and the second turn has a new segment.
    texts[0]["text"] = json!("Something else.");
    let mut new = rows[0].clone();
    for (field, value) in [("turn", json!(1)), ("segment", Value::Null), ("start", json!(5))] {
        new[field] = value;
    }
    (new["end"], new["text"], new["label"]) = (json!(13), json!("sold out"), json!("renamed"));
    rows.push(new);
    write_lines(&path, &rows);
    write_lines(&turns, &texts);
    let why = refused(folder, "import tables out data.json");
    assert!(why.contains("nothing was imported"), "{why}");
    let ran = run(folder, "import tables out data.json --skip");
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("1 turn skipped") && !ran.err.contains("nothing"), "{ran:?}");
    assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    assert!(ran.out.contains("renamed"), "{ran:?}");
    let ran = run(folder, "import tables out data.json --skip --apply");
    assert_eq!(ran.code, 1, "{ran:?}");
    let after = fs::read_to_string(folder.join("data.json")).unwrap();
    assert_eq!(after.matches("renamed").count(), 1, "{after}");
}

/// A file that lacks labels is not one in which every label was removed.
#[test]
fn files_without_labels_are_refused() {
    let folder = corpus();
    let folder = folder.path();
    for format in ["spacy", "doccano", "tables"] {
        exported(folder, format, "data.json");
    }
    let why = refused(folder, "import doccano out/spans.jsonl data.json --apply");
    assert!(why.contains("out/spans.jsonl:1: it has neither `label` nor `entities`"), "{why}");
    let why = refused(folder, "import prodigy out/doccano.jsonl data.json --apply");
    assert!(why.contains("`dialog_id` is missing") || why.contains("no line has `spans`"), "{why}");
    let table = fs::read_to_string(folder.join("out/segments.csv")).unwrap();
    for (from, to, expected) in [
        ("label", "lable", "segments.csv:2: missing field `label`"),
        ("start", "begin", "segments.csv:2: missing field `start`"),
    ] {
        fs::write(folder.join("out/segments.csv"), table.replacen(from, to, 1)).unwrap();
        let why = refused(folder, "import tables out/segments.csv data.json --apply");
        assert!(why.contains(expected), "{why}");
    }
    // One cell of the first row, in which something is marked.
    let (head, rows) = table.split_once('\n').unwrap();
    let columns: Vec<_> = head.trim_end().split(',').collect();
    let (first, others) = rows.split_once('\n').unwrap();
    for (column, value, expected) in [
        ("end", "", "segments.csv:2: column `end` is empty"),
        ("label", "", "segment 0 has no place or no label"),
        ("start", "x", "segments.csv:2: column `start`: "),
        ("start", "1.5", "segments.csv:2: 1.5 is not a whole number"),
    ] {
        let mut cells: Vec<_> = first.trim_end().split(',').collect();
        assert_eq!(cells.len(), columns.len(), "no commas in quotes");
        cells[columns.iter().position(|name| *name == column).unwrap()] = value;
        for newline in ["\n", "\r\n"] {
            let text = format!("{head}\n{}\n{others}", cells.join(",")).replace('\n', newline);
            fs::write(folder.join("out/segments.csv"), text).unwrap();
            let why = refused(folder, "import tables out/segments.csv data.json --apply");
            assert!(why.contains(expected), "{column}: {why}");
        }
    }
}

/// Tables that went through a program which writes every number with a point.
#[test]
fn whole_numbers_may_have_a_point() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "tables", "data.json");
    let lines = json_lines(&folder.join("out/segments.jsonl"));
    let point = |line: &Value| {
        let mut line = line.clone();
        for name in ["dialog", "turn", "segment", "start", "end"] {
            line[name] = line[name].as_u64().map(|number| number as f64).into();
        }
        line
    };
    let lines: Vec<_> = lines.iter().map(point).collect();
    write_lines(&folder.join("out/segments.jsonl"), &lines);
    let ran = run(folder, "import tables out data.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    let table = fs::read_to_string(folder.join("out/segments.csv")).unwrap();
    fs::write(folder.join("out/segments.csv"), table.replacen(",0,", ",0.0,", 2)).unwrap();
    let ran = run(folder, "import tables out data.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn tables_that_differ_are_not_guessed_between() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "tables", "data.json");
    let path = folder.join("out/segments.csv");
    let table = fs::read_to_string(&path).unwrap();
    let (_, first) = table.split_once('\n').unwrap();
    let (_, others) = first.split_once('\n').unwrap();
    let head = table.lines().next().unwrap();
    fs::write(&path, format!("{head}\n{others}")).unwrap();
    let ran = run(folder, "import tables out data.json");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .contains("segments.csv and segments.jsonl differ; delete the one that is out of date"),
        "{}",
        ran.err
    );
    fs::remove_file(folder.join("out/segments.jsonl")).unwrap();
    let ran = run(folder, "import tables out data.json");
    assert_eq!(ran.out.matches("remove_segment").count(), 1, "{}", ran.out);
    // A table of its own may be a part, so turns that it lacks are left alone.
    fs::write(&path, format!("{head}\n")).unwrap();
    let ran = run(folder, "import tables out/segments.csv data.json");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
}

/// Logs and their labels have the same ids, so the end of the path decides, whatever the folder is called.
#[test]
fn a_corpus_may_be_renamed() {
    let folder = corpus();
    let folder = folder.path();
    let copy = |to: &str| {
        let (from, to) = (project("assets/demo/dbdc"), folder.join(to));
        fs::create_dir(&to).unwrap();
        for file in fs::read_dir(from).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    };
    copy("logs");
    copy("renamed");
    exported(folder, "doccano", "logs");
    let ran = run(folder, "import doccano out/doccano.jsonl renamed");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    assert!(ran.err.contains("no difference"), "{}", ran.err);
}

/// The column of the covered words is that of the export.
#[test]
fn a_table_repeated_changes_nothing() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "tables", "data.json");
    fs::remove_file(folder.join("out/segments.csv")).unwrap();
    let path = folder.join("out/segments.jsonl");
    let mut lines = json_lines(&path);
    let start = lines[0]["start"].as_u64().unwrap();
    lines[0]["start"] = json!(start + 1);
    write_lines(&path, &lines);
    for from in ["out", "out/segments.jsonl"] {
        let ran = run(folder, &format!("import tables {from} data.json"));
        assert_eq!(ran.out.matches("set_span").count(), 1, "{ran:?}");
    }
    let ran = run(folder, "import tables out data.json --apply");
    assert_eq!(ran.code, 0, "{ran:?}");
    for from in ["out", "out/segments.jsonl"] {
        let ran = run(folder, &format!("import tables {from} data.json"));
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    }
}

/// Prodigy writes a session beside the annotator, and no list where nothing is marked.
#[test]
fn lines_of_prodigy_have_two_names() {
    let folder = corpus();
    let folder = folder.path();
    exported(folder, "spacy", "data.json");
    let mut lines = json_lines(&folder.join("out/spans.jsonl"));
    for line in &mut lines {
        line["_annotator_id"] = json!("db-mk");
        line["_session_id"] = json!("db-1");
        line["answer"] = json!("accept");
        if line["spans"] == json!([]) {
            line.as_object_mut().unwrap().remove("spans");
        }
    }
    lines[0]["spans"] = json!([]);
    write_lines(&folder.join("p.jsonl"), &lines);
    let ran = run(folder, "import prodigy p.jsonl data.json");
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.out.lines().all(|line| line.contains("\"by\":\"db-mk\"")), "{}", ran.out);
    assert!(ran.out.contains("remove_segment"), "{}", ran.out);
}

/// Without a terminal, nothing is asked and nothing is changed.
#[test]
fn a_review_needs_a_terminal_and_readable_suggestions() {
    let folder = corpus();
    let folder = folder.path();
    let record = r#"{"edit":"remove_segment","dialog":0,"turn":0,"segment":0}"#;
    fs::write(folder.join("good.jsonl"), record).unwrap();
    fs::write(folder.join("bad.jsonl"), format!("{record}\n{{}}")).unwrap();
    fs::write(folder.join("empty.jsonl"), "\n").unwrap();
    let text = fs::read(folder.join("data.json")).unwrap();
    for (file, code, why) in [
        ("good.jsonl", 2, "suggestions are reviewed on a terminal"),
        ("bad.jsonl", 1, "bad.jsonl:2: `edit` is missing"),
        ("empty.jsonl", 1, "there are no suggestions"),
        ("none.jsonl", 2, "cannot be read"),
        ("-", 2, "keys are read from standard input"),
    ] {
        let ran = run(folder, &format!("--suggestions {file} data.json"));
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{file}: {ran:?}");
        assert!(ran.err.contains(why), "{file}: {ran:?}");
    }
    exported(folder, "spacy", "data.json");
    let path = folder.join("out/spans.jsonl");
    let mut lines = json_lines(&path);
    lines[0]["spans"].as_array_mut().unwrap().clear();
    write_lines(&path, &lines);
    let ran = run(folder, "import prodigy out/spans.jsonl data.json --review");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{ran:?}");
    assert_eq!(fs::read(folder.join("data.json")).unwrap(), text);
}
