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
    for name in ["breakdown", "success", "quality", "error-analysis", "preference"] {
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
    assert!(unknown.err.contains("use one of: breakdown, success"), "{}", unknown.err);
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
    let short = CONDITIONS.iter().filter(|key| key.doc.starts_with("short for"));
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
    assert!(ran.err.starts_with("turnwise: judging.toml: line 4: `for`: "), "{}", ran.err);
    let ran = run_in(folder.path(), &["schemes", "check", "nowhere.toml"], "");
    assert_eq!(ran.code, 2);
}

/// `schemes check` on a question about turns with such a line at its end, line 5.
fn checked(line: &str) -> String {
    let folder = scratch();
    let text = format!("[[question]]\nname = \"tone\"\nof = \"turn\"\nkind = \"yes-no\"\n{line}\n");
    fs::write(folder.path().join("judging.toml"), text).unwrap();
    let ran = run_in(folder.path(), &["schemes", "check", "judging.toml"], "");
    assert_eq!(ran.code == 2, !ran.err.is_empty());
    ran.err
}

#[test]
fn keys_that_are_needed_while_judging_are_refused_with_their_line() {
    let key = |key: &str| {
        let no = "{ name = \"no\", key = \"1\" }";
        checked(&format!("values = [{no},\n  {{ name = \"yes\", key = \"{key}\" }}]"))
    };
    for (taken, does) in [
        ("u", "undo the last edit"),
        ("a", "answer the next question here whose answer is typed"),
        ("b", "hide others' votes"),
        ("c", "comment"),
        ("j", "next turn"),
        ("K", "previous dialog"),
        ("q", "quit"),
        (":", "run any command"),
    ] {
        let why = key(taken);
        let start = format!(
            "turnwise: judging.toml: line 6: the key `{taken}` is needed while you judge: "
        );
        assert!(why.starts_with(&start) && why.contains(does), "{taken}: {why}");
    }
    for free in ["o", "t", "x", "y", "n", "p", "f", "2", "é", "+"] {
        assert_eq!(key(free), "", "{free}");
    }
}

#[test]
fn queries_about_unknown_questions_are_refused_with_their_line() {
    let why = checked("for = \"words>3 question:mood=bad\"");
    assert_eq!(
        why,
        "turnwise: judging.toml: line 5: `for`: there is no question \"mood\" here; there are tone\n"
    );
    for own in ["question:tone=yes", "verdict:fail or -question:tone"] {
        assert_eq!(
            checked(&format!("for = \"{own}\"")),
            "turnwise: judging.toml: line 5: `for`: whether \"tone\" is asked depends on its own answer\n",
            "{own}"
        );
    }
    for known in ["verdict:fail or question:quality", "tag:mood"] {
        assert_eq!(checked(&format!("for = \"{known}\"")), "", "{known}");
    }
    let negated = checked("for = \"dialog(-question:mood)\"");
    assert!(negated.contains("no question \"mood\""), "{negated}");
}

#[test]
fn questions_that_wait_for_each_other_are_refused() {
    let folder = scratch();
    let question = |name: &str, only: &str| {
        format!(
            "[[question]]\nname = \"{name}\"\nof = \"turn\"\nkind = \"yes-no\"\nvalues = []\nfor = \"{only}\"\n"
        )
    };
    let check = |text: String| {
        fs::write(folder.path().join("judging.toml"), text).unwrap();
        run_in(folder.path(), &["schemes", "check", "judging.toml"], "").err
    };
    let circle = [
        question("tone", "question:help=yes"),
        question("help", "question:mood=no"),
        question("mood", "question:tone=yes"),
    ];
    let why = check(circle.concat());
    assert!(
        why.contains(
            "line 6: `for`: whether \"tone\" is asked depends on \"mood\", which depends on it"
        ),
        "{why}"
    );
    let chain = check(circle[..2].concat() + &question("mood", "words>3"));
    assert!(!chain.contains("depends"), "{chain}");
}

#[test]
fn questions_may_be_in_the_project_file() {
    let folder = scratch();
    let path = folder.path();
    let chat = r#"{"id":"d","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}"#;
    fs::create_dir_all(path.join("corpus/judgements")).unwrap();
    fs::write(path.join("corpus/chat.jsonl"), format!("{chat}\n")).unwrap();
    let line = r#"{"dialog":"d","scheme":"judging","question":"tone","value":"kind","by":"mk"}"#;
    fs::write(path.join("corpus/judgements/mk.jsonl"), format!("{line}\n")).unwrap();
    let question = |key: &str| {
        format!(
            "family = \"messages\"\n\n[lint]\nignore = [\"edge\"]\n\n[[question]]\nname = \"tone\"\nof = \"dialog\"\n\
            kind = \"choice\"\nvalues = [\n  {{ name = \"kind\", key = \"o\" }},\n  {{ name = \"rude\", key = \"{key}\" }},\n]\n"
        )
    };
    let project = |text: &str| fs::write(path.join("turnwise.toml"), text).unwrap();
    let votes = || run_in(path, &["votes", "corpus", "--question", "tone"], "");
    project("[queries]\nlong = \"words>9\"\n");
    assert!(votes().err.contains("no scheme here asks \"tone\""));
    let none = run_in(path, &["schemes", "check", "turnwise.toml"], "");
    assert!(none.code == 2 && none.err.contains("it has no `[[question]]`"), "{}", none.err);
    project(&question("x"));
    let ran = votes();
    assert!(ran.code == 0 && ran.out.contains("kind   1 (100 %)"), "{}{}", ran.out, ran.err);
    let checked = run_in(path, &["schemes", "check", "turnwise.toml"], "");
    assert!(checked.code == 0 && checked.out.starts_with("judging"), "{checked:?}");
    // Other commands read the file, too, and `check` the answers.
    let lint = run_in(path, &["lint", "corpus"], "");
    assert_eq!((lint.code, lint.err.as_str()), (0, ""), "{}", lint.out);
    project(&question("x").replace("\"kind\"", "\"friendly\""));
    let check = run_in(path, &["check", "corpus"], "");
    assert!(check.out.contains("mk.jsonl:1:1: tone takes one of friendly, rude"), "{}", check.out);
    // A bad question has the line of the project file.
    project(&question("o"));
    let why =
        "corpus/../turnwise.toml: line 12: two values have the key `o`".replace("corpus/../", "");
    assert!(votes().err.contains(&why), "{}", votes().err);
    // The nearest one counts, and in a folder the one of its own.
    fs::write(
        path.join("judging.toml"),
        question("x")
            .split_once("\n\n[[")
            .map(|(_, rest)| format!("[[{rest}").replace("tone", "mood"))
            .unwrap(),
    )
    .unwrap();
    assert!(votes().err.contains("no scheme here asks \"tone\""));
    let moods = run_in(path, &["votes", "corpus", "--question", "mood"], "");
    assert!(
        moods.err.contains("no answers to \"mood\" of the scheme \"judging\""),
        "{}",
        moods.err
    );
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
    fs::write(folder.path().join("mk.jsonl"), format!("{good}\n{{\"by\":1}}\n")).unwrap();
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
    assert_eq!(ran.out, "assignments/mk.jsonl: 12 dialogs\nassignments/js.jsonl: 12 dialogs\n");
    let list = |annotator: &str| {
        let path = folder.path().join(format!("assignments/{annotator}.jsonl"));
        let lines = fs::read_to_string(path).unwrap();
        lines.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(list("mk").intersection(&list("js")).count(), 6);
    assert!(list("mk").iter().all(|line| line.starts_with(r#"{"file":"chat.jsonl","dialog":"d"#)));
    // A log of votes on one of them is none of the dialogs.
    let log = r#"{"dialogue-id":"d3","group-id":"chat.jsonl","turns":[{"turn-index":0,"speaker":"U","utterance":"hi","annotations":[]},
        {"turn-index":1,"speaker":"S","utterance":"hello","annotations":[{"annotator-id":"mk","breakdown":"X","comment":""}]}]}"#;
    fs::create_dir(folder.path().join("votes")).unwrap();
    fs::write(folder.path().join("votes/d3.log.json"), log).unwrap();
    let ran = run_in(folder.path(), &["assign", ".", "--to", "cy", "--per", "21"], "");
    assert!(ran.err.contains("21 dialogs are needed, and there are 20 dialogs"), "{}", ran.err);
    let ran = run_in(
        folder.path(),
        &[
            "suggest",
            ".",
            "--with",
            "cat",
            "--scheme",
            "success",
            "--question",
            "verdict",
            "--jobs",
            "1",
        ],
        "",
    );
    assert!(
        ran.err.contains("chat.jsonl: dialog \"d3\"") && !ran.err.contains("d3.log.json"),
        "{}",
        ran.err
    );
    let ran = run_in(folder.path(), &["report", ".", "--format", "md"], "");
    assert!(ran.out.contains("| X | 1 (100 %) |"), "{}", ran.out);
    assert!(ran.out.contains("| assistant | 20 |"), "{}", ran.out);
    // A list that is there is not replaced.
    let ran = assign(&["--to", "mk", "--per", "3"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("assignments/mk.jsonl"), "{}", ran.err);
    for (arguments, why) in [
        (["--to", "a,b", "--per", "12"], "22 dialogs are needed, and there are 20 dialogs"),
        (["--to", "crowd", "--per", "1"], "crowd"),
        (["--to", "model:r", "--per", "1"], "begins the ids of models"),
        (["--to", "mk,mk", "--per", "1"], "\"mk\": is named twice"),
        (["--to", "a", "--query=turns>50", "--per=1"], "there are 0 dialogs"),
    ] {
        let ran = assign(&arguments);
        assert!(ran.code == 2 && ran.err.contains(why), "{}", ran.err);
    }
}
