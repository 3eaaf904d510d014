//! `turnwise lint`, `fix` and `rules`: files in, problems and repaired files out.

use std::fs;
use std::path::Path;

use serde_json::Value;
use turnwise::lint::RULES;

use crate::support::{Ran, TempDir, project, run, run_in, scratch};

/// A folder with one dialog in which a word is cut and a full stop swallowed.
fn corpus() -> TempDir {
    let folder = scratch();
    let dialog = super::notation::dialog(
        "user: at «Thursday Kitche»{name.restaurant}n tonight\nassistant: at «seven.»{time.reservation} Anything else?",
    );
    fs::write(folder.path().join("data.json"), format!("[{dialog}]\n")).unwrap();
    folder
}

fn lint(folder: &Path, more: &[&str]) -> Ran {
    let mut arguments = vec!["lint", "data.json"];
    arguments.extend(more);
    run_in(folder, &arguments, "")
}

#[test]
fn problems_have_a_place_an_excerpt_and_a_caret() {
    let folder = corpus();
    let ran = lint(folder.path(), &["--select", "span"]);
    assert_eq!((ran.code, ran.err.as_str()), (1, ""));
    assert!(ran.out.contains("data.json:8:9: warning"), "{}", ran.out);
    assert!(ran.out.contains("ends inside \"Kitchen\"") && ran.out.contains("[span-cuts-word]"));
    let mut lines = ran.out.lines().skip_while(|line| !line.contains("| at Thursday"));
    let (said, caret) = (lines.next().unwrap(), lines.next().unwrap());
    let under: String =
        said.chars().zip(caret.chars()).filter(|(_, c)| *c == '^').map(|(s, _)| s).collect();
    assert_eq!(under, "Thursday Kitche");
}

#[test]
fn exit_codes_say_whether_anything_is_wrong() {
    let folder = corpus();
    let clean = lint(folder.path(), &["--select", "api"]);
    assert_eq!((clean.code, clean.out.as_str()), (0, ""));
    assert_eq!(lint(folder.path(), &["--select", "no-such-rule"]).code, 2);
    fs::write(folder.path().join("data.json"), "[{\"a\":").unwrap();
    let broken = lint(folder.path(), &[]);
    assert!(broken.code > 0 && broken.out.contains("[json-syntax]"), "{broken:?}");
    assert_eq!(run_in(folder.path(), &["lint", "nowhere"], "").code, 2);
}

#[test]
fn every_format_says_the_same() {
    let folder = corpus();
    let all = ["--select", "span"];
    let ran = |format: &str| lint(folder.path(), &[&all[..], &["--format", format]].concat()).out;
    let lines: Vec<Value> =
        ran("jsonl").lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines.len() >= 2);
    assert_eq!(serde_json::from_str::<Vec<Value>>(&ran("json")).unwrap(), lines);
    for line in &lines {
        for key in [
            "file",
            "line",
            "column",
            "rule",
            "severity",
            "dialog",
            "dialog_id",
            "turn",
            "segment",
            "quote",
            "message",
            "fixes",
        ] {
            assert!(line.get(key).is_some(), "{key}: {line}");
        }
    }
    assert_eq!((&lines[0]["turn"], &lines[0]["segment"]), (&0.into(), &0.into()));
    assert_eq!(
        (&lines[0]["dialog_id"], &lines[0]["quote"]),
        (&"d".into(), &"Thursday Kitche".into())
    );
    assert_eq!(ran("github").lines().count(), lines.len());
    let sarif: Value = serde_json::from_str(&ran("sarif")).unwrap();
    let run = &sarif["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert_eq!(results.len(), lines.len());
    for (result, line) in results.iter().zip(&lines) {
        assert_eq!(result["ruleId"], line["rule"]);
        let rule = &run["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], line["rule"]);
        let region = &result["locations"][0]["physicalLocation"]["region"];
        assert_eq!(region["startLine"], line["line"]);
    }
}

/// The edits of a fix are records that `apply` takes.
#[test]
fn fixes_of_the_output_can_be_applied() {
    let folder = corpus();
    let ran = lint(folder.path(), &["--select", "span-cuts-word", "--format", "jsonl"]);
    let line: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    let edits = line["fixes"][0]["edits"].as_array().unwrap();
    let records: Vec<_> = edits.iter().map(ToString::to_string).collect();
    let ran = run_in(folder.path(), &["apply", "-", "data.json"], &records.join("\n"));
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(lint(folder.path(), &["--select", "span-cuts-word"]).code, 0);
}

#[test]
fn fixing_twice_changes_nothing_the_second_time() {
    let folder = corpus();
    let path = folder.path().join("data.json");
    let before = fs::read_to_string(&path).unwrap();
    let fix = |more: &[&str]| run_in(folder.path(), &[&["fix", "data.json"], more].concat(), "");
    assert!(fix(&["--unsafe-fixes", "--diff"]).out.contains("+++ data.json"));
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    assert!(fix(&["--unsafe-fixes", "--dry-run"]).out.contains("would be fixed"));
    assert_eq!(fix(&["--unsafe-fixes"]).code, 0);
    let after = fs::read_to_string(&path).unwrap();
    assert!(after.contains("\"Thursday Kitchen\"") && after.contains("\"seven\""), "{after}");
    assert_eq!(fix(&["--unsafe-fixes"]).out, "");
    assert_eq!(fs::read_to_string(&path).unwrap(), after);
    assert_eq!(lint(folder.path(), &["--select", "span"]).code, 0);
}

#[test]
fn a_project_file_chooses_rules_and_severities() {
    let folder = corpus();
    let project = |text: &str| fs::write(folder.path().join("turnwise.toml"), text).unwrap();
    project("[lint]\nselect = [\"span-cuts-word\"]\n[lint.severity]\nspan-cuts-word = \"error\"\n");
    let ran = lint(folder.path(), &[]);
    assert!(
        ran.out.contains("error: dialog 0") && ran.out.contains("1 error, 0 warnings"),
        "{ran:?}"
    );
    for note in ["note", "info"] {
        project(&format!(
            "[lint]\nselect = [\"span-cuts-word\"]\n[lint.severity]\nspan-cuts-word = \"{note}\"\n"
        ));
        let ran = lint(folder.path(), &[]);
        assert!(
            ran.code == 0
                && ran.out.contains("note: dialog 0")
                && ran.out.contains("0 warnings, 1 note;"),
            "{ran:?}"
        );
    }
    project("[lint.severity]\nspan-cuts-word = \"bad\"\n");
    let ran = lint(folder.path(), &[]);
    assert!(ran.err.contains("`bad` is not a severity; use error, warning or note"));
    project("[lint]\nignore = [\"nothing\"]\n");
    let ran = lint(folder.path(), &[]);
    assert!(ran.code == 2 && ran.err.contains("turnwise.toml") && ran.err.contains("nothing"));
}

#[test]
fn rules_are_listed_and_explained() {
    let list = run(&["rules"]).out;
    for rule in RULES {
        assert!(list.contains(rule.name));
        let page = run(&["rules", rule.name]);
        assert!(page.code == 0 && page.out.contains(rule.summary()), "{rule:?}");
    }
    assert_eq!(run(&["rules", "no-such-rule"]).code, 2);
}

#[test]
fn examples_in_the_manual_match_the_output() {
    let manual = fs::read_to_string(project("assets/manual/lint.md")).unwrap();
    let ran = run_in(
        &project("."),
        &["lint", "assets/demo/taskmaster-3.json", "--select", "span-edge-punctuation"],
        "",
    );
    for line in ran.out.lines() {
        assert!(manual.contains(line), "{line}");
    }
}

#[test]
fn ignored_problems_are_not_reported() {
    let folder = corpus();
    let line = r#"{"file":"data.json","dialog":"d","rule":"span-cuts-word","turn":0,"quoted":"Thursday Kitche","reason":"as on the sign"}"#;
    let ignores = folder.path().join("turnwise.ignores.jsonl");
    fs::write(&ignores, format!("{line}\n")).unwrap();
    let ran = lint(folder.path(), &["--select", "span-cuts-word"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    let ran = run_in(folder.path(), &["lint", ".", "--select", "span-cuts-word"], "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "it is not a corpus itself");
    // Ignored problems are not fixed either, and lines of others are skipped.
    fs::write(&ignores, format!("{{\"note\":\"by mk\"}}\n{line}\n")).unwrap();
    let data = fs::read(folder.path().join("data.json")).unwrap();
    let flags = ["fix", "data.json", "--unsafe-fixes", "--rule", "span-cuts-word"];
    let ran = run_in(folder.path(), &flags, "");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""));
    assert_eq!(fs::read(folder.path().join("data.json")).unwrap(), data);
    fs::write(&ignores, "{\"rule\":\"span-cuts-word\"}\n").unwrap();
    let ran = lint(folder.path(), &[]);
    assert!(ran.code == 2 && ran.err.contains("turnwise.ignores.jsonl: line 1"), "{ran:?}");
}

/// The ontology next to the data is read without being named; its names are not reported as unknown.
#[test]
fn ontologies_beside_the_data_are_found() {
    let folder = scratch();
    let path = |name: &str| folder.path().join(name);
    let label = |name: &str| {
        format!(
            r#"[{{"conversation_id":"d","vertical":"Movie Tickets","utterances":[
            {{"index":0,"speaker":"user","text":"a calm film","segments":[{{"start_index":2,
            "end_index":6,"text":"calm","annotations":[{{"name":"{name}"}}]}}]}},
            {{"index":1,"speaker":"assistant","text":"No Time","segments":[{{"start_index":0,
            "end_index":7,"text":"No Time","annotations":[{{"name":"name.movie"}}]}}]}}]}}]"#
        )
    };
    fs::create_dir_all(path("data")).unwrap();
    fs::write(path("data/a.json"), label("mood")).unwrap();
    let flags = ["lint", "data", "--select", "label-unknown"];
    assert_eq!(run_in(folder.path(), &flags, "").code, 1);
    fs::create_dir_all(path("ontology")).unwrap();
    let entities =
        r#"{"movie":{"vertical":"ticket_booking","required":["name.movie"],"optional":["mood"]}}"#;
    fs::write(path("ontology/entities.json"), entities).unwrap();
    fs::write(path("ontology/other.json"), "[3]").unwrap();
    let ran = run_in(folder.path(), &flags, "");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    for broken in ["ontology/other.json", "data/ontology.json"] {
        fs::write(path(broken), "{\"movie\"").unwrap();
        let ran = run_in(folder.path(), &flags, "");
        let file = path(broken).canonicalize().unwrap();
        let place = format!("{}:1:1: `{{` is never closed", file.display());
        assert!(ran.code == 2 && ran.err.contains(&place), "{ran:?}");
        fs::remove_file(file).unwrap();
    }
}

/// A fix that `lint` counts and that cannot be applied is reported.
#[test]
fn fix_reports_problems_that_it_cannot_fix() {
    let folder = scratch();
    let path = folder.path().join("d.log.json");
    let log = r#"{"dialogue-id": "d", "group-id": "g", "speaker-id": "s", "turns": [
        {"turn-index": 0, "speaker": "U", "time": "", "utterance": "hello there", "annotations": []},
        {"turn-index": 1, "speaker": "S", "time": "", "utterance": "hi, what is up?", "annotations": [
          {"breakdown": "o", "comment": "", "annotator-id": "", "ungrammatical-sentence": ""},
          {"breakdown": "x", "comment": "", "annotator-id": "A2", "ungrammatical-sentence": ""}]}]}"#;
    fs::write(&path, log).unwrap();
    let ran = run_in(folder.path(), &["lint", "d.log.json"], "");
    assert!(ran.out.contains("`turnwise fix` fixes 0, with --unsafe-fixes 2"), "{ran:?}");
    let ran = run_in(folder.path(), &["fix", "d.log.json", "--unsafe-fixes"], "");
    assert_eq!((ran.code, ran.out.as_str()), (1, "d.log.json: 1 problem fixed\n"));
    assert_eq!(
        ran.err,
        "turnwise: d.log.json: dialog 0, turn 1: not applied: change to O [vote-unknown-label]: an annotator needs an id\n"
    );
}

#[test]
fn rules_to_fix_are_named_as_those_to_lint() {
    let folder = corpus();
    let fix = |rule: &str| {
        let flags = ["fix", ".", "--dry-run", "--unsafe-fixes", "--rule", rule];
        run_in(folder.path(), &flags, "")
    };
    assert_eq!(fix("span").out, "./data.json: 2 problems would be fixed\n");
    assert_eq!(fix("span-cuts-word").out, "./data.json: 1 problem would be fixed\n");
    assert_eq!(fix("label").out, "");
    assert_eq!(fix("spa").code, 2);
}

#[test]
fn statistics_have_formats() {
    let folder = corpus();
    let flags = ["--statistics", "--select", "span", "--format"];
    let ran = |format: &str| lint(folder.path(), &[&flags[..], &[format]].concat());
    let array: Value = serde_json::from_str(&ran("json").out).unwrap();
    let first: Value = serde_json::from_str(ran("jsonl").out.lines().next().unwrap()).unwrap();
    assert_eq!(array[0], first);
    assert_eq!(first["rule"], "span-cuts-word");
    assert_eq!((&first["count"], &first["with_fix"]), (&1.into(), &1.into()));
    let kinds = [&first["safe"], &first["unsafe"], &first["display"]];
    assert_eq!(kinds.map(Value::as_u64), [Some(0), Some(1), Some(0)]);
    assert_eq!(ran("sarif").code, 2);
    let flags = ["lint", "assets/demo", "--statistics", "--extend-select", "all"];
    let ran = run_in(&project(""), &flags, "").out;
    assert!(ran.contains("  span-cuts-word  fixes: "), "{ran}");
    for kind in [" safe", " unsafe", " manual"] {
        assert!(ran.contains(kind), "{kind}: {ran}");
    }
}

/// A single dialog that is broken has its place, as one in a list has.
#[test]
fn a_file_with_one_broken_dialog_has_its_place() {
    let folder = scratch();
    let broken =
        "{\"conversation_id\": \"d\",\n \"utterances\": [{\"index\": 0,, \"text\": \"\"}]}\n";
    fs::write(folder.path().join("data.json"), broken).unwrap();
    let ran = lint(folder.path(), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (2, ""), "{ran:?}");
    assert!(ran.out.starts_with("data.json:2:") && ran.out.contains("[json-syntax]"), "{ran:?}");
    fs::write(folder.path().join("data.json"), "{\"a\": 1}").unwrap();
    assert_eq!(lint(folder.path(), &[]).code, 2);
}

/// An ontology without a title is called by its file.
#[test]
fn unknown_labels_name_the_ontology() {
    let folder = corpus();
    let own = r#"{"garden": {"id": "garden", "required": ["herb"], "optional": []}}"#;
    fs::write(folder.path().join("own.json"), own).unwrap();
    let flags = ["--ontology", "own.json", "--select", "label-unknown"];
    let ran = lint(folder.path(), &flags);
    assert!(ran.out.contains("(not in the own.json ontology) [label-unknown]"), "{ran:?}");
}
