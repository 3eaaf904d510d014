//! Files of all arrangements, read in every way there is.

use std::fs;

use serde_json::json;

use crate::support::{amount, scratch};

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
    // With a space too much at the end of each turn.
    let line = |number: usize| {
        let spoken = "Two for Ran, please. ".repeat(54);
        let turn = |index: u64, speaker: &str, text: &str| json!({"index": index, "speaker": speaker, "text": text});
        let turns = [turn(0, "user", &spoken), turn(1, "assistant", "Booked.  ")];
        json!({"conversation_id": format!("p-{number}"), "vertical": "v", "utterances": turns})
            .to_string()
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
