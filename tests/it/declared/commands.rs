//! Declared formats as users meet them: folders with descriptions, `turnwise formats`, and every other
//! command on their corpora.

use std::fs;
use std::path::Path;

use crate::support::{Ran, TempDir, run_in, scratch};

/// A description of a corpus of chats about plants.
const PLANTS: &str = r#"name = "plants"
title = "Plant chats"
has = ["talk[*].said"]
id = "nr"
sample = '''
{"nr": "p-1", "talk": [{"by": "gardener", "said": "Is moss a plant?", "marks": [{"a": 3, "z": 6, "tag": "kind"}]},
 {"by": "helper", "said": "Yes."}]}
'''

[turn]
at = "talk[*]"
speaker = "by"
user = ["gardener"]
system = ["helper"]
text = "said"

[[span]]
at = "marks[*]"
start = "a"
end = "z"
ends = "inclusive"
label = "tag"
"#;

const CORPUS: &str = r#"[
 {"nr": "p-1", "talk": [
  {"by": "gardener", "said": "My fern is brown.", "marks": [{"a": 3, "z": 6, "tag": "kind"}]},
  {"by": "helper", "said": "Water it."}]},
 {"nr": "p-2", "talk": [{"by": "gardener", "said": "Is moss a plant?"}]}
]
"#;

/// A folder with the corpus in a folder, and a description above it.
fn folder(description: &str) -> TempDir {
    let folder = scratch();
    fs::create_dir_all(folder.path().join("data/deep")).unwrap();
    fs::create_dir_all(folder.path().join("formats")).unwrap();
    fs::write(folder.path().join("data/deep/corpus.json"), CORPUS).unwrap();
    fs::write(folder.path().join("formats/plants.toml"), description).unwrap();
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Ran {
    run_in(folder, arguments, "")
}

#[test]
fn a_description_above_the_corpus_is_used_by_every_command() {
    let folder = folder(PLANTS);
    let path = folder.path();
    let ran = run(path, &["check", "--format", "json", "data"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(report[0]["family"], "plants");
    assert_eq!((report[0]["turns"].as_u64(), report[0]["segments"].as_u64()), (Some(3), Some(1)));
    let ran = run(path, &["show", "data/deep/corpus.json", "--dialog", "p-2"]);
    assert!(ran.out.contains("Is moss a plant?"), "{ran:?}");
    let ran = run(path, &["lint", "data"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    let edit = r#"{"edit":"set_span","dialog":"p-1","turn":0,"segment":0,"start":0,"end":7}"#;
    let ran = run_in(path, &["apply", "-", "data"], edit);
    assert_eq!(ran.code, 0, "{ran:?}");
    let saved = fs::read_to_string(path.join("data/deep/corpus.json")).unwrap();
    assert_eq!(saved, CORPUS.replace("\"a\": 3", "\"a\": 0"));
}

#[test]
fn standard_input_follows_the_descriptions_of_the_current_folder() {
    let folder = folder(PLANTS);
    let ran = run_in(folder.path(), &["check", "-"], CORPUS);
    assert!(ran.code == 0 && ran.out.contains("plants"), "{ran:?}");
}

#[test]
fn the_nearest_description_of_a_name_counts() {
    let folder = folder(&PLANTS.replace("said\"]", "nothing\"]"));
    let near = folder.path().join("data/formats");
    fs::create_dir_all(&near).unwrap();
    fs::write(near.join("plants.toml"), PLANTS).unwrap();
    let ran = run(folder.path(), &["check", "data"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn a_description_with_an_error_is_named_with_its_line() {
    let folder = folder(&PLANTS.replace("label", "lable"));
    let ran = run(folder.path(), &["check", "data"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let all = format!("{}{}", ran.out, ran.err);
    assert!(all.contains("formats/plants.toml:22:1: unknown field `lable`"), "{all}");
    let ran = run(folder.path(), &["formats", "check", "formats/plants.toml"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    assert!(ran.err.contains("formats/plants.toml:22:1: unknown field `lable`"), "{ran:?}");
}

#[test]
fn two_descriptions_that_fit_equally_are_named_with_their_lines() {
    let folder = folder(PLANTS);
    let other = PLANTS.replace("name = \"plants\"", "# Another.\nname = \"flowers\"");
    fs::write(folder.path().join("formats/flowers.toml"), &other).unwrap();
    let ran = run(folder.path(), &["check", "data"]);
    assert_eq!(ran.code, 2, "{ran:?}");
    let (one, two) =
        (ran.out.contains("formats/flowers.toml:4"), ran.out.contains("formats/plants.toml:3"));
    assert!(one && two && ran.out.contains("fit it equally well"), "{ran:?}");
    // A place that only one has decides.
    let other = other.replace("said\"]", "said\", \"nr\"]");
    fs::write(folder.path().join("formats/flowers.toml"), other).unwrap();
    let ran = run(folder.path(), &["check", "data"]);
    assert!(ran.code == 0 && ran.out.contains("flowers"), "{ran:?}");
}

#[test]
fn formats_are_listed_with_their_files() {
    let folder = folder(PLANTS);
    let ran = run(folder.path(), &["formats"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    for name in ["taskmaster-3", "sgd", "multiwoz", "formats/plants.toml"] {
        assert!(ran.out.contains(name), "{name}: {}", ran.out);
    }
}

#[test]
fn a_description_is_tried_on_its_sample_and_on_corpora() {
    let folder = folder(PLANTS);
    let check = ["formats", "check", "formats/plants.toml", "data/deep/corpus.json"];
    let ran = run(folder.path(), &check);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for line in [
        "sample: 1 dialog, 2 turns, 1 segment\n",
        "sample: 2 edges moved there and back, with the same bytes\n",
        "data/deep/corpus.json: 2 dialogs, 3 turns, 1 segment\n",
        "can be edited:\n  text\n  speaker\n  segments\n",
    ] {
        assert!(ran.out.contains(line), "{line}{}", ran.out);
    }
    let wrong = PLANTS.replace("label = \"tag\"", "label = \"tag\"\nquote = \"said\"");
    fs::write(folder.path().join("formats/plants.toml"), wrong).unwrap();
    let ran = run(folder.path(), &check);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert!(ran.err.contains("plants.toml:23: `said` matches nothing in the sample"), "{ran:?}");
    fs::write(folder.path().join("other.json"), "[{\"a\": 1}]").unwrap();
    let ran = run(folder.path(), &["formats", "check", "formats/plants.toml", "other.json"]);
    assert!(
        ran.err.contains("close to Plant chats") || ran.err.contains("not a known kind"),
        "{ran:?}"
    );
    assert_eq!(ran.code, 1, "{ran:?}");
}

/// Segments with quotes, whose ends are inclusive and count UTF-16 units.
const QUOTED: &str = r#"[{"nr": "p-1", "talk": [
 {"by": "gardener", "said": "🌿 Is moss a plant, Zoë? 🌿 moss", "marks": [
  {"a": 6, "z": 9, "tag": "kind", "word": "moss"}, {"a": 20, "z": 22, "tag": "name", "word": "Zoë"},
  {"a": 28, "z": 31, "tag": "kind", "word": "moss"}]}]}]
"#;

#[test]
fn wrong_units_and_ends_are_found() {
    let folder = folder(PLANTS);
    let path = folder.path();
    fs::write(path.join("data/deep/corpus.json"), QUOTED).unwrap();
    let check = |unit: &str, ends: &str| {
        let own = format!("quote = \"word\"\nunit = \"{unit}\"\nends = \"{ends}\"");
        let description = PLANTS.replace("ends = \"inclusive\"", &own);
        let description =
            description.replace("\"tag\": \"kind\"", "\"tag\": \"kind\", \"word\": \"moss\"");
        fs::write(path.join("formats/plants.toml"), description).unwrap();
        run(path, &["formats", "check", "formats/plants.toml", "data/deep/corpus.json"])
    };
    let ran = check("utf16", "inclusive");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for (unit, ends, fits) in [
        ("utf16", "exclusive", "with `ends = \"inclusive\"`, 3 would be"),
        ("utf16", "length", "with `ends = \"inclusive\"`, 3 would be"),
        ("bytes", "inclusive", "with `unit = \"utf16\"`, 3 would be"),
        ("code-points", "exclusive", "with `unit = \"utf16\", ends = \"inclusive\"`, 3 would be"),
    ] {
        let ran = check(unit, ends);
        assert_eq!(ran.code, 1, "{unit} {ends}: {ran:?}");
        assert!(
            ran.err.contains("data/deep/corpus.json: 3 of 3 quotes") && ran.err.contains(fits),
            "{unit} {ends}: {}",
            ran.err
        );
        // Nothing is moved because the description is wrong.
        run(path, &["fix", "data"]);
    }
    assert_eq!(fs::read_to_string(path.join("data/deep/corpus.json")).unwrap(), QUOTED);
}

#[test]
fn an_offset_inside_a_character_is_a_problem() {
    let folder = folder(&PLANTS.replace("ends = \"inclusive\"", "unit = \"utf16\""));
    let path = folder.path();
    let corpus = QUOTED.replacen("\"a\": 6", "\"a\": 1", 1);
    fs::write(path.join("data/deep/corpus.json"), corpus).unwrap();
    let expected =
        "data/deep/corpus.json:3:9: `a` should be an offset between two characters, found 1";
    let ran = run(path, &["check", "data"]);
    assert!(
        ran.code == 1
            && ran.out.contains("`a` should be an offset between two characters, found 1"),
        "{ran:?}"
    );
    let ran = run(path, &["formats", "check", "formats/plants.toml", "data/deep/corpus.json"]);
    assert!(ran.code == 1 && ran.err.contains(expected), "{ran:?}");
}

#[test]
fn two_descriptions_of_one_name_are_an_error() {
    let folder = folder(PLANTS);
    let path = folder.path();
    fs::write(path.join("formats/weeds.toml"), PLANTS).unwrap();
    let ran = run(path, &["check", "data"]);
    let expected = "formats/weeds.toml: the name \"plants\" is that of ";
    assert!(ran.code == 2 && ran.out.contains(expected), "{ran:?}");
}

#[test]
fn an_ontology_that_is_not_there_is_named() {
    let folder = folder(&format!("{PLANTS}[ontology]\nfile = \"names.toml\"\n"));
    let path = folder.path();
    let check = ["formats", "check", "formats/plants.toml", "data/deep/corpus.json"];
    let ran = run(path, &check);
    let expected = "its ontology names.toml is neither beside it nor in the folder above";
    assert!(ran.code == 1 && ran.err.contains(expected), "{ran:?}");
    fs::write(path.join("data/names.toml"), "labels = [\"kind\"]\n").unwrap();
    assert_eq!(run(path, &check).code, 0);
}

#[test]
fn a_draft_reads_the_file_it_was_made_from() {
    let folder = scratch();
    let said = |by: &str, text: &str| format!("{{\"by_whom\": \"{by}\", \"text\": \"{text}\"}}");
    let turns =
        [said("driver", "Where is the next lake?"), said("bot", "It is a mile to the north.")];
    let dialog =
        |id: &str| format!("{{\"id\": \"{id}\", \"log\": {{\"turns\": [{}]}}}}", turns.join(", "));
    let files = [
        ("array.json", format!("[{}, {}]", dialog("a"), dialog("b"))),
        ("lines.jsonl", format!("{}\n{}\n", dialog("a"), dialog("b"))),
        ("keyed.json", format!("{{\"a\": {}, \"b\": {}}}", dialog("a"), dialog("b"))),
        ("member.json", format!("{{\"train\": [{}, {}]}}", dialog("a"), dialog("b"))),
    ];
    fs::create_dir(folder.path().join("formats")).unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        fs::write(&file, text).unwrap();
        let ran = run(folder.path(), &["formats", "new", name]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        assert!(ran.err.contains("reads 4 turns in 2 dialogs"), "{name}: {}", ran.err);
        for line in [
            "at = \"log.turns[*]\"",
            "speaker = \"by_whom\"",
            "user = [\"driver\"]",
            "system = [\"bot\"]",
        ] {
            assert!(ran.out.contains(line), "{name}: {line}\n{}", ran.out);
        }
        fs::write(folder.path().join("formats/own.toml"), &ran.out).unwrap();
        let ran = run(folder.path(), &["formats", "check", "formats/own.toml", name]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
        let ran = run(folder.path(), &["check", name]);
        assert_eq!(ran.code, 0, "{name}: {ran:?}");
    }
    fs::write(folder.path().join("one.json"), r#"{"dialogue": "Ann: hi\nBob: well, hello"}"#)
        .unwrap();
    let ran = run(folder.path(), &["formats", "new", "one.json"]);
    assert!(ran.code == 2 && ran.err.contains("holds a dialog as one text"), "{ran:?}");
    let ran = run(folder.path(), &["check", "one.json"]);
    assert!(ran.code == 2 && ran.out.contains("`dialogue` holds a dialog as one text"), "{ran:?}");
}

#[test]
fn an_unknown_file_names_the_commands_for_own_formats() {
    let folder = scratch();
    fs::write(folder.path().join("x.json"), "[{\"a\": 1}]").unwrap();
    let ran = run(folder.path(), &["check", "x.json"]);
    for command in ["`turnwise formats new`", "`turnwise formats check`"] {
        assert!(ran.out.contains(command), "{ran:?}");
    }
}

#[test]
fn the_sample_of_dialogs_that_are_arrays_is_an_array_of_arrays() {
    let folder = scratch();
    let turns = r#"[{"by": "a", "said": "Hi"}, {"by": "b", "said": "Hello"}]"#;
    let check = |sample: &str| {
        let description = format!(
            "name = \"rows\"\nhas = [\"[*].said\"]\nsample = '''\n{sample}\n'''\n\
             [turn]\nat = \"[*]\"\nspeaker = \"by\"\ntext = \"said\"\n"
        );
        fs::write(folder.path().join("rows.toml"), description).unwrap();
        run(folder.path(), &["formats", "check", "rows.toml"])
    };
    let ran = check(turns);
    assert_eq!(ran.code, 1, "{ran:?}");
    let why = "turnwise: rows.toml:4:1: by `at` in `[turn]`, a dialog is an array, so the sample is an array of arrays: `[[…]]`";
    assert_eq!(ran.err.trim(), why, "{ran:?}");
    let ran = check(&format!("[{turns}]"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}

#[test]
fn texts_that_are_dialogs_are_not_turns() {
    let folder = scratch();
    let talk =
        r#"["Ann: Is it open?\r\nBo: Yes.\r\nAnn: Good.", "Cy: Rain again.\nDi: Boots, then."]"#;
    let text = format!("{{\"id\": [\"1\", \"2\"], \"dialogue\": {talk}}}");
    fs::write(folder.path().join("columns.json"), text).unwrap();
    let ran = run(folder.path(), &["check", "columns.json"]);
    assert!(ran.code == 2 && ran.out.contains("`dialogue` holds a dialog as one text"), "{ran:?}");
}

/// A description of chats that also have an empty list of messages.
const NOTES: &str = r#"name = "notes"
has = ["chat[*].says"]
id = "id"
sample = '''
{"id": "x", "chat": [{"who": "a", "says": "hi"}]}
'''

[turn]
at = "chat[*]"
speaker = "who"
user = ["a"]
text = "says"
"#;

#[test]
fn the_description_of_a_user_wins_over_look_alikes() {
    let folder = scratch();
    let path = folder.path();
    let chat = r#""chat": [{"who": "a", "says": "hi"}]"#;
    let said = r#"[{"role": "user", "content": "hi"}]"#;
    for (name, text) in [
        ("prompt.json", format!(r#"[{{"id": "x", {chat}, "prompt": []}}]"#)),
        ("empty.json", format!(r#"[{{"id": "x", "messages": [], {chat}}}]"#)),
        ("both.json", format!(r#"[{{"id": "x", "messages": {said}, {chat}}}]"#)),
    ] {
        fs::write(path.join(name), text).unwrap();
    }
    let family = |file: &str, more: &[&str]| {
        let ran = run(path, &[&["check", "--format", "json", file], more].concat());
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        report[0]["family"].as_str().map(str::to_owned)
    };
    // Without it, nothing is read as a chat without turns.
    assert_eq!(family("prompt.json", &[]), None);
    assert_eq!(family("empty.json", &[]), None);
    assert_eq!(family("both.json", &[]).as_deref(), Some("messages"));
    fs::create_dir(path.join("formats")).unwrap();
    fs::write(path.join("formats/notes.toml"), NOTES).unwrap();
    for file in ["prompt.json", "empty.json", "both.json"] {
        assert_eq!(family(file, &[]).as_deref(), Some("notes"), "{file}");
    }
    // Another family can be named, by a flag or in the project file; the flag is stronger.
    let messages = ["--family", "openai"];
    assert_eq!(family("both.json", &messages).as_deref(), Some("messages"));
    fs::write(path.join("turnwise.toml"), "family = \"messages\"\n").unwrap();
    assert_eq!(family("both.json", &[]).as_deref(), Some("messages"));
    assert_eq!(family("both.json", &["--family", "notes"]).as_deref(), Some("notes"));
    let ran = run(path, &["lint", "both.json"]);
    assert!(ran.code < 2, "{ran:?}");
    fs::write(path.join("turnwise.toml"), "family = \"note\"\n").unwrap();
    let ran = run(path, &["check", "both.json"]);
    let expected = "there is no family \"note\"; `turnwise formats` lists them";
    assert!(ran.code == 2 && ran.out.contains(expected), "{ran:?}");
    fs::remove_file(path.join("turnwise.toml")).unwrap();
    let ran = run(path, &["show", "both.json", "--family", "sgd"]);
    assert!(
        ran.code == 2 && ran.err.contains("close to Schema-Guided Dialogue, but without"),
        "{ran:?}"
    );
    for command in ["show", "find", "lint", "fix", "votes", "export", "import", "apply"] {
        let ran = run(path, &[command, "--help"]);
        assert!(ran.out.contains("--family"), "{command}");
    }
}

/// Dialogs whose spans count punctuation marks, too, with quotes that are written in another way.
const MARKED: &str = r#"{"G1.json": {"goal": {}, "log": [
  {"text": "Yes, please. 6 people, 3 nights; it isn't far?", "metadata": {}, "dialog_act": {},
   "span_info": [["Garden-Inform", "People", "6", 4, 4], ["Garden-Inform", "Stay", "3 nights", 7, 8]]},
  {"text": "Oak's Garden costs 5.10.", "metadata": {"garden": {"semi": {}, "book": {}}}, "dialog_act": {},
   "span_info": [["Garden-Inform", "Name", "oak 's garden", 0, 2], ["Garden-Inform", "Price", "5.10", 4, 4]]}]}}
"#;

/// One quote shows that spans count punctuation marks; the other is written in another way.
const DECIDED: &str = r#"{"A": {"goal": {}, "log": [
  {"text": "Yes, please. For 6 people.", "metadata": {}, "dialog_act": {},
   "span_info": [["Garden-Inform", "People", "6", 5, 5]]}]},
 "B": {"goal": {}, "log": [
  {"text": "Well, ok, a cheaper one in the park please.", "metadata": {}, "dialog_act": {},
   "span_info": [["Garden-Inform", "Price", "cheap", 5, 5]]}]}}
"#;

#[test]
fn no_edit_changes_what_other_spans_count() {
    let folder = scratch();
    let path = folder.path();
    let remove = r#"{"edit":"remove_segment","dialog":0,"turn":0,"segment":0}"#;
    fs::write(path.join("g.json"), DECIDED).unwrap();
    for line in ["apply - g.json", "apply - g.json --output out"] {
        let arguments: Vec<_> = line.split(' ').collect();
        let ran = run_in(path, &arguments, remove);
        let why = "other spans would be read as other words; nothing was written";
        assert!(ran.code == 2 && ran.err.contains(why), "{line}: {ran:?}");
        assert_eq!(fs::read_to_string(path.join("g.json")).unwrap(), DECIDED);
    }
    fs::write(path.join("e.jsonl"), remove).unwrap();
    let ran = run_in(path, &["apply", "e.jsonl", "-"], DECIDED);
    assert!(ran.code == 2 && ran.out.is_empty(), "{ran:?}");
    // Where no other span is read otherwise, the edit is made.
    let alone = DECIDED.replace(r#"["Garden-Inform", "Price", "cheap", 5, 5]"#, "");
    fs::write(path.join("g.json"), alone).unwrap();
    let ran = run_in(path, &["apply", "-", "g.json"], remove);
    assert_eq!(ran.code, 0, "{ran:?}");
    // Dialogs without quotes before those with quotes decide nothing.
    let plain = r#"{"goal": {}, "log": [{"text": "Hi, there.", "metadata": {}, "dialog_act": {}, "span_info": []}]}"#;
    let many: Vec<_> = (0..40).map(|n| format!("\"P{n}\": {plain}, ")).collect();
    let many = many.concat();
    fs::write(path.join("g.json"), DECIDED.replacen('{', &format!("{{{many}"), 1)).unwrap();
    let ran = run(path, &["show", "g.json", "-d", "B"]);
    assert!(ran.out.contains("\"cheaper\""), "{ran:?}");
}

#[test]
fn what_a_file_brings_is_made_visible_in_pipes_too() {
    let folder = scratch();
    let path = folder.path();
    fs::create_dir(path.join("formats")).unwrap();
    let description = "name = \"own\"\ntitle = \"Ti\\u001b]0;X\\u0007\"\nhas = [\"talk[*].say\"]\n[turn]\nat = \"talk[*]\"\ntext = \"say\"\n";
    fs::write(path.join("formats/own.toml"), description).unwrap();
    fs::write(path.join("c.json"), r#"[{"talk": [{"say": "hi"}]}]"#).unwrap();
    let part = r#"{"type": "a\u001b]0;x\u0007"}"#;
    let chat = format!(r#"{{"messages": [{{"role": "user", "content": [{part}]}}]}}"#);
    fs::write(path.join("a.jsonl"), chat).unwrap();
    for line in [
        "show c.json",
        "formats",
        "formats check formats/own.toml",
        "check a.jsonl",
        "show a.jsonl",
    ] {
        let arguments: Vec<_> = line.split(' ').collect();
        let ran = run(path, &arguments);
        assert!(!(ran.out + &ran.err).contains('\u{1b}'), "{line}");
    }
}

#[test]
fn spans_count_punctuation_where_quotes_fit_them() {
    let folder = scratch();
    let path = folder.path();
    fs::write(path.join("g.json"), MARKED).unwrap();
    let ran = run(path, &["lint", "g.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{ran:?}");
    let ran = run(path, &["show", "g.json"]);
    for shown in ["\"6\"", "\"3 nights\"", "\"Oak's Garden\"", "\"5.10\""] {
        assert!(ran.out.contains(shown), "{shown}: {}", ran.out);
    }
    let apply = |edit: &str| {
        fs::write(path.join("g.json"), MARKED).unwrap();
        let ran = run_in(path, &["apply", "-", "g.json"], edit);
        assert_eq!(ran.code, 0, "{edit}: {ran:?}");
        fs::read_to_string(path.join("g.json")).unwrap()
    };
    let edit = r#"{"edit":"set_span","dialog":"G1.json","turn":0,"segment":1,"start":7,"end":10}"#;
    // The quotation was the words before, so it follows.
    let longer = MARKED.replace(r#""3 nights", 7, 8]"#, r#""3 nights;", 7, 9]"#);
    assert_eq!(apply(edit), longer);
    let edit = r#"{"edit":"set_text","dialog":"G1.json","turn":0,"text":"Oh, yes, please. 6 people, 3 nights!"}"#;
    let moved = MARKED
        .replace(
            "Yes, please. 6 people, 3 nights; it isn't far?",
            "Oh, yes, please. 6 people, 3 nights!",
        )
        .replace("\"6\", 4, 4", "\"6\", 6, 6")
        .replace("\"3 nights\", 7, 8", "\"3 nights\", 9, 10");
    assert_eq!(apply(edit), moved);
    let edit = r#"{"edit":"add_segment","dialog":"G1.json","turn":0,"start":9,"end":14,"labels":["Garden-Inform.Far"]}"#;
    assert!(apply(edit).contains(r#", ["Garden-Inform", "Far", "; it is n't far", 9, 13]]"#));
    // With spaces around the marks, both units are the same.
    let spaced =
        MARKED.replace("Yes, please. 6 people, 3 nights;", "Yes , please . 6 people , 3 nights ;");
    fs::write(path.join("g.json"), spaced).unwrap();
    assert_eq!(run(path, &["lint", "g.json"]).code, 0);
}

#[test]
fn quotes_elsewhere_in_a_turn_are_one_problem() {
    let folder = scratch();
    let path = folder.path();
    // The spans of another dialog show what is counted.
    let whole = MARKED.trim();
    let body = &whole[1..whole.len() - 1];
    let right = body.replace("G1.json", "G0.json");
    let text = |body: &str| format!("{{{right},\n{body}}}\n");
    let shifted =
        body.replace("4, 4]", "2, 2]").replace("7, 8]", "70, 71]").replace("0, 2]", "1, 3]");
    fs::write(path.join("g.json"), text(&shifted)).unwrap();
    let ran = run(path, &["lint", "g.json"]);
    let found =
        "2 of 2 segments cover other words than they quote, and the turn has these words elsewhere";
    assert_eq!(ran.out.matches("[span-quoted-elsewhere]").count(), 2, "{ran:?}");
    assert!(ran.out.contains(found) && !ran.out.contains("[slot-out-of-range]"), "{ran:?}");
    let ran = run(path, &["fix", "g.json"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(path.join("g.json")).unwrap(), text(&shifted));
    let ran = run(path, &["fix", "g.json", "--unsafe-fixes"]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(fs::read_to_string(path.join("g.json")).unwrap(), text(body));
}

#[test]
fn formats_check_knows_words_and_punctuation() {
    let folder = scratch();
    let path = folder.path();
    let description = |unit: &str| {
        let (_, text) =
            turnwise::format::descriptions().find(|(name, _)| *name == "multiwoz.toml").unwrap();
        let (head, tail) = text.split_once("unit = ").unwrap();
        let (_, tail) = tail.split_once('\n').unwrap();
        fs::write(path.join("own.toml"), format!("{head}unit = {unit}\n{tail}")).unwrap();
    };
    fs::write(path.join("g.json"), MARKED).unwrap();
    let check = || run(path, &["formats", "check", "own.toml", "g.json"]);
    description("\"words\"");
    let ran = check();
    let fits = "4 of 4 quotes are not the text of their spans; with `unit = \"words-and-punctuation\"`, 4 would be";
    assert!(ran.code == 1 && ran.err.contains(fits), "{ran:?}");
    for unit in ["\"words-and-punctuation\"", "[\"words\", \"words-and-punctuation\"]"] {
        description(unit);
        let ran = check();
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{unit}: {ran:?}");
    }
    description("[\"words\", \"marks\"]");
    assert!(check().err.contains("unknown variant `marks`"));
}

/// An object whose lists look like dialogs of a family is one dialog if a description says so.
#[test]
fn a_description_of_whole_files_wins_over_families_of_their_lists() {
    let folder = scratch();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("formats")).unwrap();
    let description = r#"name = "runs"
has = ["runs[*].event", "runs[*].answer"]
dialogs = "."

[turn]
at = "runs[*]"
speaker = "event"
system = ["model"]
text = "answer"
"#;
    write("formats/runs.toml", description);
    let messages =
        r#"[{"role": "user", "content": "Open?"}, {"role": "assistant", "content": "Yes."}]"#;
    let step = |answer: &str| {
        format!(r#"{{"event": "model", "messages": {messages}, "answer": "{answer}"}}"#)
    };
    let text = format!(r#"{{"runs": [{}, {}]}}"#, step("Yes."), step("No."));
    write("data.json", &text);
    let ran = run(folder.path(), &["check", "data.json"]);
    let row = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(row.contains("data.json runs 1 2 "), "{ran:?}");
    // Unless the user names another family.
    let ran = run(folder.path(), &["check", "data.json", "--family", "messages"]);
    assert!(ran.out.contains("messages"), "{ran:?}");
}

/// Without a sample, places that match nothing in a corpus are named, and so are those of `has` that it lacks.
#[test]
fn places_that_match_nothing_in_a_corpus_are_named() {
    let folder = scratch();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let (before, behind) = PLANTS.split_once("sample = '''").unwrap();
    let behind = behind.split_once("'''\n").unwrap().1;
    let description = format!("{before}{behind}");
    write("plants.toml", &description.replace("speaker = \"by\"", "speaker = \"bi\""));
    write("data.json", CORPUS);
    let check = || run(folder.path(), &["formats", "check", "plants.toml", "data.json"]);
    let ran = check();
    assert!(ran.err.contains("`bi` matches nothing in data.json"), "{ran:?}");
    write("plants.toml", &description.replace("talk[*].said\"]", "talk[*].say\"]"));
    let ran = check();
    assert!(ran.err.contains("talk[*].say"), "{ran:?}");
}

#[test]
fn bundled_descriptions_can_be_printed() {
    let folder = scratch();
    let print = |name: &str| run(folder.path(), &["formats", "print", name]);
    let codex = include_str!("../../../assets/formats/codex.toml");
    assert_eq!(print("codex").out, codex);
    let ran = print("messages");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("codex"), "{ran:?}");
}
