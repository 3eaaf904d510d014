//! Schemes of questions, and the schema of judgements.

use std::collections::BTreeSet;
use std::fs;

use turnwise::judging::{BREAKDOWN, BUNDLED, Scheme};
use turnwise::query::{CONDITIONS, Query};

use crate::support::{run, run_in, scratch};

#[test]
fn bundled_schemes_are_listed_and_can_be_changed() {
    let listed = run(&["schemes"]);
    assert_eq!(listed.code, 0);
    for name in [
        "breakdown",
        "success",
        "quality",
        "error-analysis",
        "preference",
    ] {
        assert!(listed.out.contains(&format!("{name}  ")), "{}", listed.out);
        let folder = scratch();
        let printed = run(&["schemes", "print", name]);
        fs::write(folder.path().join("judging.toml"), &printed.out).unwrap();
        let checked = run_in(folder.path(), &["schemes", "check", "judging.toml"], "");
        assert_eq!(checked.code, 0, "{}", checked.err);
        assert!(listed.out.contains(&checked.out), "{}", checked.out);
    }
    let unknown = run(&["schemes", "print", "mood"]);
    assert_eq!(unknown.code, 2);
    assert!(
        unknown.err.contains("use one of: breakdown, success"),
        "{}",
        unknown.err
    );
}

#[test]
fn questions_of_bundled_schemes_have_short_forms_in_queries() {
    let parse = |text: String| text.parse::<Query>().unwrap();
    let mut names = BTreeSet::new();
    for (name, _) in BUNDLED.into_iter().filter(|(name, _)| *name != BREAKDOWN) {
        for question in Scheme::bundled(name).unwrap().questions {
            let question = question.name;
            let short = parse(format!("{question}:3 or {question}<3"));
            let long = format!("question:={question}=3 or question:={question}<3");
            assert_eq!(short, parse(long), "{question}");
            names.insert(question);
        }
    }
    let short = CONDITIONS
        .iter()
        .filter(|key| key.doc.starts_with("short for"));
    let short: BTreeSet<_> = short.map(|key| key.name.to_owned()).collect();
    assert_eq!(short, names);
}

#[test]
fn a_bad_scheme_is_refused_with_its_file_and_line() {
    let folder = scratch();
    let text = "[[question]]\nname = \"tone\"\nof = \"turn\"\nfor = \"turns>\"\nkind = \"text\"\n";
    fs::write(folder.path().join("judging.toml"), text).unwrap();
    let ran = run_in(folder.path(), &["schemes", "check", "judging.toml"], "");
    assert_eq!(ran.code, 2);
    assert!(
        ran.err
            .starts_with("turnwise: judging.toml: line 4: `for`: "),
        "{}",
        ran.err
    );
    let ran = run_in(folder.path(), &["schemes", "check", "nowhere.toml"], "");
    assert_eq!(ran.code, 2);
}

#[test]
fn lines_of_files_of_judgements_are_checked() {
    let folder = scratch();
    let good = r#"{"dialog":"d","turn":0,"scheme":"quality","question":"quality","value":4,"by":"mk","when":"2026-03-01T00:00:00Z","seconds":4}"#;
    let schema: serde_json::Value =
        serde_json::from_str(&run(&["schema", "judgement"]).out).unwrap();
    let schema = jsonschema::draft202012::new(&schema).unwrap();
    assert!(schema.is_valid(&serde_json::from_str(good).unwrap()));
    assert!(
        !schema.is_valid(&serde_json::json!({"dialog": "d", "turn": -1, "note": "", "by": "mk"}))
    );
    fs::write(
        folder.path().join("mk.jsonl"),
        format!("{good}\n{{\"by\":1}}\n"),
    )
    .unwrap();
    let ran = run_in(folder.path(), &["check", "mk.jsonl"], "");
    assert_eq!(ran.code, 1, "{}{}", ran.out, ran.err);
    assert!(ran.out.contains("mk.jsonl:2:1"), "{}", ran.out);
}

#[test]
fn dialogs_are_assigned_with_a_shared_part() {
    let folder = scratch();
    let dialog = |id: usize| {
        format!(
            r#"{{"id":"d{id}","messages":[{{"role":"user","content":"hi"}},{{"role":"assistant","content":"hello"}}]}}"#
        )
    };
    let text: String = (0..20).map(|id| dialog(id) + "\n").collect();
    fs::write(folder.path().join("chat.jsonl"), text).unwrap();
    let assign = |arguments: &[&str]| {
        let arguments = [&["assign", "chat.jsonl"], arguments].concat();
        run_in(folder.path(), &arguments, "")
    };
    let ran = assign(&["--to", "mk,js", "--per", "12", "--overlap", "0.5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(
        ran.out,
        "assignments/mk.jsonl: 12 dialogs\nassignments/js.jsonl: 12 dialogs\n"
    );
    let list = |annotator: &str| {
        let path = folder.path().join(format!("assignments/{annotator}.jsonl"));
        let lines = fs::read_to_string(path).unwrap();
        lines
            .lines()
            .map(str::to_owned)
            .collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(list("mk").intersection(&list("js")).count(), 6);
    assert!(
        list("mk")
            .iter()
            .all(|line| line.starts_with(r#"{"file":"chat.jsonl","dialog":"d"#))
    );
    // A list that is there is not replaced.
    let ran = assign(&["--to", "mk", "--per", "3"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("assignments/mk.jsonl"), "{}", ran.err);
    for (arguments, why) in [
        (
            ["--to", "a,b", "--per", "12"],
            "22 dialogs are needed, and there are 20 dialogs",
        ),
        (["--to", "crowd", "--per", "1"], "crowd"),
        (
            ["--to", "a", "--query=turns>50", "--per=1"],
            "there are 0 dialogs",
        ),
    ] {
        let ran = assign(&arguments);
        assert!(ran.code == 2 && ran.err.contains(why), "{}", ran.err);
    }
}
