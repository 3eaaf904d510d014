//! `--partial` and `--from`: the sums of parts give the output of one run.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::json;

use crate::support::{Ran, run_in, scratch};

/// The part of each log, and the votes on its three turns: annotator and label.
type Logs = Vec<(usize, Vec<Vec<(u8, u8)>>)>;

fn logs() -> impl Strategy<Value = Logs> {
    let turn = prop::collection::vec((0_u8..4, 0_u8..5), 0..6);
    let log = (0_usize..4, prop::collection::vec(turn, 3));
    prop::collection::vec(log, 1..9)
}

/// A log on one line. Some votes have no annotator, and some no known label.
fn log(number: usize, turns: &[Vec<(u8, u8)>]) -> String {
    let vote = |(who, label): &(u8, u8)| {
        let annotator = ["", "a", "b", "c"][usize::from(*who)];
        let breakdown = ["O", "T", "X", "X", "Y"][usize::from(*label)];
        json!({
            "annotator-id": annotator,
            "breakdown": breakdown,
            "comment": "",
            "ungrammatical-sentence": "",
        })
    };
    let turns = turns.iter().enumerate().map(|(index, votes)| {
        json!({
            "turn-index": index,
            "speaker": if index == 1 { "U" } else { "S" },
            "utterance": format!("Hi {index}"),
            "annotations": votes.iter().map(vote).collect::<Vec<_>>(),
        })
    });
    let system = ["iris", "tick", "CIC"][number % 3];
    let log =
        json!({"dialogue-id": format!("{system}_{number:03}"), "turns": turns.collect::<Vec<_>>()});
    format!("{log}\n")
}

/// Modes of `votes`.
const MODES: [&[&str]; 11] = [
    &[],
    &["--format", "json"],
    &["--format", "csv"],
    &["--draws", "20", "--format", "json"],
    &["--by", "annotator"],
    &["--by", "system", "--format", "csv"],
    &["--by", "position", "--format", "json"],
    &["--by", "system", "-t", "0.6"],
    &["--by", "dialog"],
    &["--confusion", "a", "b"],
    &["--confusion", "a", "b", "--format", "json"],
];

/// True for a mode in which the order of the dialogs matters.
fn needs_order(mode: &[&str]) -> bool {
    mode.contains(&"--draws") || mode.contains(&"dialog")
}

fn run(folder: &Path, arguments: &[&[&str]], input: &str) -> Ran {
    run_in(folder, &arguments.concat(), input)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Files go to parts at random; so do the lines of one file on standard input.
    #[test]
    fn votes_of_any_parts_are_those_of_one_run(logs in logs(), mode in 0..MODES.len()) {
        let (folder, mode) = (scratch(), MODES[mode]);
        let path = folder.path();
        let mut logs = logs;
        if needs_order(mode) {
            logs.sort_by_key(|(part, _)| *part);
        }
        let mut parts = [const { Vec::new() }; 4];
        for (number, (part, turns)) in logs.iter().enumerate() {
            let name = format!("{number}.log.json");
            fs::write(path.join(&name), log(number, turns)).unwrap();
            parts[*part].push((name, log(number, turns)));
        }
        let names = (0..logs.len()).map(|number| format!("{number}.log.json"));
        let names: Vec<_> = names.collect();
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        let one = run(path, &[&["votes"], &names, mode], "");
        let mut files = Vec::new();
        let mut piped = String::new();
        for (number, part) in parts.iter().enumerate() {
            let text: String = part.iter().map(|(_, text)| text.as_str()).collect();
            let shard = run(path, &[&["votes", "-", "--partial"]], &text);
            piped.push_str(&shard.out);
            if part.is_empty() {
                continue;
            }
            let names: Vec<_> = part.iter().map(|(name, _)| name.as_str()).collect();
            let sums = run(path, &[&["votes", "--partial"], &names], "");
            files.push(format!("part-{number}"));
            fs::write(path.join(files.last().unwrap()), sums.out).unwrap();
        }
        let files: Vec<_> = files.iter().map(String::as_str).collect();
        let added = run(path, &[&["votes"], mode, &["--from"], &files], "");
        prop_assert_eq!((&added.out, added.code), (&one.out, one.code), "{:?} {:?}", mode, added.err);
        // Sums of sums.
        let merged = run(path, &[&["votes", "--partial"], &["--from"], &files], "");
        let again = run(path, &[&["votes"], mode, &["--from", "-"]], &merged.out);
        prop_assert_eq!((&again.out, again.code), (&one.out, one.code), "{:?}", again.err);
        let whole: String = logs.iter().enumerate().map(|(number, (_, turns))| log(number, turns)).collect();
        let one = run(path, &[&["votes", "-"], mode], &whole);
        let added = run(path, &[&["votes"], mode, &["--from", "-"]], &piped);
        prop_assert_eq!((&added.out, added.code), (&one.out, one.code), "{:?}", added.err);
    }
}
