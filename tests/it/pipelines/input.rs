//! Exit codes, empty standard input, and its name.

use std::fs;

use super::{padded, records};
use crate::support::{CORPUS, amount, project, run_in, scratch};

/// Each command that exits with 1 when it finds something, on a file where it does.
const FINDERS: [(&str, &str); 6] = [
    ("check odd.json", "lacks `text`"),
    ("lint padded.jsonl --select edge-whitespace,schema odd.json", "odd.json"),
    ("find nowhere padded.jsonl", ""),
    ("fix odd.json --rule schema", ""),
    ("votes padded.jsonl", ""),
    ("votes logs.json --confusion a nobody", "a"),
];

#[test]
fn exit_zero_is_for_problems_and_not_for_errors() {
    let folder = scratch();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("odd.json", &CORPUS.replace("\"text\": \"It", "\"txt\": \"It"));
    write("padded.jsonl", &padded("p"));
    write("broken.jsonl", "{\"conversation_id\": ,}\n");
    let log = fs::read_to_string(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    write("logs.json", &log);
    let mut failed = 0;
    for (line, expected) in FINDERS {
        let arguments: Vec<_> = line.split(' ').collect();
        let plain = run_in(folder.path(), &arguments, "");
        let zero = run_in(folder.path(), &[&arguments[..], &["--exit-zero"]].concat(), "");
        failed += plain.code;
        assert!(plain.code < 2, "{line}: {plain:?}");
        assert_eq!(zero.code, 0, "{line}: {zero:?}");
        assert_eq!((&zero.out, &zero.err), (&plain.out, &plain.err), "{line}");
        assert!(zero.out.contains(expected), "{line}: {zero:?}");
        let broken = [&arguments[..1], &["broken.jsonl", "--exit-zero"]].concat();
        let broken = match arguments[0] {
            "find" => vec!["find", "x", "broken.jsonl", "--exit-zero"],
            _ => broken,
        };
        let ran = run_in(folder.path(), &broken, "");
        assert_eq!(ran.code, 2, "{broken:?}: {ran:?}");
    }
    assert_eq!(failed, 5, "`fix` had nothing to fix");
    assert_eq!(
        run_in(folder.path(), &["lint", "padded.jsonl", "--selec", "--exit-zero"], "").code,
        2
    );
}

/// Each command on empty input: its output, and its exit code.
const ON_NOTHING: [(&str, &str, i32); 21] = [
    ("check -", "", 0),
    ("check - --format json", "[]\n", 0),
    ("lint -", "", 0),
    ("lint - --format json", "[]\n", 0),
    ("lint - --format jsonl", "", 0),
    ("lint - --format github", "", 0),
    ("lint - --statistics", "", 0),
    ("lint - --statistics --format jsonl", "", 0),
    ("votes -", "", 0),
    ("votes - --by dialog", "", 0),
    ("votes - --by system --format csv", "", 0),
    ("votes - --confusion a b", "", 0),
    ("find x -", "", 1),
    ("find x - --exit-zero", "", 0),
    ("find x - --format jsonl --exit-zero", "", 0),
    ("fix -", "", 0),
    ("fix - --dry-run", "", 0),
    ("fix - --diff", "", 0),
    ("show -", "", 0),
    ("export spacy - -o -", "", 0),
    ("export chat - -o -", "", 0),
];

#[test]
fn nothing_in_is_nothing_out_for_every_command() {
    let folder = scratch();
    for (line, out, code) in ON_NOTHING {
        let arguments: Vec<_> = line.split(' ').collect();
        let ran = run_in(folder.path(), &arguments, "");
        assert_eq!((ran.out.as_str(), ran.err.as_str(), ran.code), (out, "", code), "{line}");
        let blank = run_in(folder.path(), &arguments, "\n");
        let out = if line == "fix -" { "\n" } else { out };
        assert_eq!((blank.out.as_str(), blank.err.as_str(), blank.code), (out, "", code), "{line}");
    }
    let ran = run_in(folder.path(), &["lint", "-", "--format", "sarif"], "");
    let sarif: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
    let ran = run_in(folder.path(), &["votes", "-", "--format", "json"], "");
    let votes: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((votes["total"]["turns"].as_u64(), ran.code), (Some(0), 0));
}

#[test]
fn standard_input_has_the_name_it_is_given() {
    let folder = scratch();
    let text = padded("p");
    let name = ["--stdin-name", "corpus/day.jsonl"];
    let run = |arguments: &[&str], input: &str| {
        run_in(folder.path(), &[arguments, &name].concat(), input)
    };
    let lint = ["lint", "-", "--select", "edge-whitespace"];
    let found = records(&run(&[&lint[..], &["--format", "jsonl"]].concat(), &text).out);
    assert_eq!(found.len(), 2);
    for record in &found {
        assert_eq!(record["file"], "corpus/day.jsonl");
        assert_eq!(record["fixes"][0]["edits"][0]["file"], "corpus/day.jsonl");
    }
    let hits = records(&run(&["find", "ran", "-", "--format", "jsonl"], &text).out);
    assert_eq!(hits[0]["file"], "corpus/day.jsonl");
    assert_eq!(run(&["find", "file:day", "-", "--format", "ids"], &text).out, "p\n");
    let exported = run(&["export", "doccano", "-", "-o", "-"], &text).out;
    assert_eq!(records(&exported)[0]["file"], "corpus/day.jsonl");
    for command in ["check", "lint", "show", "votes", "fix"] {
        let ran = run(&[command, "-"], "{\"conversation_id\": ,}\n");
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("corpus/day.jsonl:1:21"), "{command}: {all}");
        assert_eq!(ran.code, 2);
    }
}

/// Settings, ignored problems and formats beside a file of that name apply.
#[test]
fn the_name_decides_which_settings_apply() {
    let folder = scratch();
    let corpus = folder.path().join("corpus");
    fs::create_dir(&corpus).unwrap();
    fs::write(
        corpus.join("turnwise.toml"),
        "[lint]\nselect = [\"edge-whitespace\"]\nseverity = { edge-whitespace = \"error\" }\n",
    )
    .unwrap();
    let text = padded("p");
    let lint = |name: &str| {
        let line = ["lint", "-", "--format", "jsonl", "--stdin-name", name];
        let ran = run_in(folder.path(), &line, &text);
        let severity = records(&ran.out)
            .iter()
            .map(|r| r["severity"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>();
        (ran.code, severity)
    };
    assert_eq!(lint("corpus/day.jsonl").0, 1);
    assert_eq!(lint("corpus/day.jsonl").1, ["error", "error"]);
    assert!(!lint("other/day.jsonl").1.contains(&"error".to_owned()));
    // The rule about names of logs needs a name.
    let log = fs::read_to_string(project("assets/demo/dbdc/demo_001.log.json")).unwrap();
    let named = |name: &str| {
        let line = [
            "lint",
            "-",
            "--select",
            "file-name-differs",
            "--format",
            "jsonl",
            "--stdin-name",
            name,
        ];
        records(&run_in(folder.path(), &line, &log).out).len()
    };
    assert_eq!(["-", "logs/demo_001.log.json", "logs/other.log.json"].map(named), [0, 0, 1]);
}

/// Returns the output of a command with one thread.
fn with_threads(threads: &str, folder: &std::path::Path, arguments: &[&str]) -> String {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// Files of every arrangement, longer than a batch of dialogs, some of them broken.
fn arrangements() -> Vec<(&'static str, String)> {
    let line = |number: usize| {
        let dialog = padded(&format!("p-{number}"));
        let spoken = "Two for Ran, please. ".repeat(54);
        dialog.trim_end().replace("Two for Ran", spoken.trim_end())
    };
    let dialogs = |count: usize| (0..count).map(line).collect::<Vec<_>>();
    let all = dialogs(800);
    let array = |all: &[String]| format!("[{}\n]", all.join(",\n "));
    let keyed = |(number, dialog): (usize, &String)| format!("\"k{number}\": {dialog}");
    let mut holed = all.clone();
    "{\"conversation_id\": ,}".clone_into(&mut holed[470]);
    let mut mixed = all.clone();
    "{\"x\": 1}".clone_into(&mut mixed[9]);
    r#"{"messages": [{"role": "user", "content": "Hi "}]}"#.clone_into(&mut mixed[730]);
    let long = line(1).replacen("please", &"please, ".repeat(50_000), 12);
    let keys: Vec<_> = all.iter().enumerate().map(keyed).collect();
    vec![
        ("array", array(&all)),
        ("lines", all.join("\n")),
        ("lines-crlf-bom", format!("\u{feff}{}\r\n", all.join("\r\n"))),
        ("holed-lines", holed.join("\n")),
        ("holed-array", array(&holed)),
        ("cut", array(&all)[..550_000].to_owned()),
        ("broken-first", format!("{{\"a\": 1,}}\n{}", all.join("\n"))),
        ("mixed", mixed.join("\n")),
        ("odd-first", format!("{{\"x\": 1}}\n{}", all.join("\n"))),
        ("keyed", format!("{{{}}}", keys.join(",\n"))),
        ("member", format!("{{\"note\": [1, 2], \"dialogs\": {}}}", array(&all))),
        ("members", format!("{{\"train\": {}, \"test\": {}}}", array(&all), array(&all[..50]))),
        ("single", long.clone()),
        ("long-first", array(&[vec![long.clone()], dialogs(3)].concat())),
        ("long-last", array(&[all.clone(), vec![long]].concat())),
        ("no-corpus", "[1, 2, 3]".to_owned()),
        ("spaces", format!("{}{}", " ".repeat(5 << 20), array(&all[..3]))),
    ]
}

/// Small files among many are read in the pass that indexes them, a large one by its index, and on several cores
/// both ways: with the same results.
#[test]
fn a_file_reads_the_same_alone_and_among_many_others() {
    let copies = amount(2, 4);
    let folder = scratch();
    for (name, text) in arrangements() {
        let alone = folder.path().join(format!("{name}.json"));
        fs::write(&alone, &text).unwrap();
        let among = folder.path().join(name);
        fs::create_dir(&among).unwrap();
        for copy in 0..copies {
            fs::write(among.join(format!("{copy}.json")), &text).unwrap();
        }
        for command in [
            "check --format json",
            "lint --ignore duplicate-dialog-id --format jsonl",
            "find words>2 --format jsonl",
        ] {
            let is_tried = match command.split_once(' ') {
                Some(("check", _)) => amount(!["holed-array", "mixed"].contains(&name), true),
                Some(("lint", _)) => ["holed-array", "mixed"].contains(&name),
                _ => amount(["array", "holed-lines", "long-first"].contains(&name), true),
            };
            if !is_tried {
                continue;
            }
            let arguments: Vec<_> = command.split(' ').collect();
            let of = |threads: &str, path: &str| {
                with_threads(threads, folder.path(), &[&arguments[..], &[path]].concat())
            };
            let file = format!("{name}.json");
            let expected = of("1", &file);
            assert!(of("4", &file) == expected, "{name}: {command}");
            let expected = expected.replace(&file, "N");
            let mut all = of("1", name);
            for copy in 0..copies {
                all = all.replace(&format!("{name}/{copy}.json"), "N");
            }
            let expected = match expected.strip_prefix('[') {
                Some(one) => {
                    format!("[{}]\n", vec![one.trim_end().trim_end_matches(']'); copies].join(","))
                }
                None => expected.repeat(copies),
            };
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert!(bare(&all) == bare(&expected), "{name}: {command}");
            assert!(!all.is_empty() || name == "no-corpus", "{name}: {command}");
        }
        fs::remove_dir_all(among).unwrap();
    }
}
