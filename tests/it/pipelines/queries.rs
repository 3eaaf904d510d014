//! `--query` of `lint` and `fix`: only the turns found, and their dialogs.

use super::{padded, records};
use crate::support::{run_in, scratch};

#[test]
fn only_problems_of_found_turns_are_reported_and_fixed() {
    let folder = scratch();
    let text = [padded("one"), padded("two"), padded("three")].concat();
    let lint = |query: &str, rule: &str| {
        let line = ["lint", "-", "--select", rule, "--format", "jsonl", "--query", query];
        let ran = run_in(folder.path(), &line, &text);
        let place = |r: &serde_json::Value| {
            (r["dialog_id"].as_str().unwrap().to_owned(), r["turn"].as_u64())
        };
        records(&ran.out).iter().map(place).collect::<Vec<_>>()
    };
    let at = |id: &str, turn: u64| (id.to_owned(), Some(turn));
    assert_eq!(
        lint("speaker:user", "edge-whitespace"),
        ["one", "two", "three"].map(|id| at(id, 0))
    );
    assert_eq!(lint("id:two", "edge-whitespace"), [at("two", 0), at("two", 1)]);
    assert_eq!(lint("id:two problem:edge-whitespace turn>0", "edge-whitespace"), [at("two", 1)]);
    assert_eq!(lint("id:four", "edge-whitespace"), []);
    let fix = |query: &str| {
        let line = ["fix", "-", "--unsafe-fixes", "--rule", "edge-whitespace", "--query", query];
        run_in(folder.path(), &line, &text)
    };
    assert_eq!(
        fix("id:two speaker:user").out,
        text.replace(&padded("two"), &padded("two").replace("Ran ", "Ran"))
    );
    assert_eq!(fix("id:four").out, text);
    assert_eq!(
        fix("problem:edge-whitespace").out,
        text.replace("Ran ", "Ran").replace("Booked.  ", "Booked.")
    );
    let bad = fix("lable:x");
    assert_eq!((bad.code, bad.out.as_str()), (2, ""), "{bad:?}");
    assert!(bad.err.contains("unknown condition"), "{bad:?}");
}

/// Ids are compared with those of all dialogs, also of those that are not found.
#[test]
fn problems_of_whole_dialogs_are_those_of_found_ones() {
    let folder = scratch();
    let text = [padded("one"), padded("one"), padded("two"), padded("two")].concat();
    let line = ["lint", "-", "--select", "duplicate-dialog-id", "--format", "jsonl"];
    let all = run_in(folder.path(), &line, &text);
    let found = run_in(folder.path(), &[&line[..], &["--query", "id:one"]].concat(), &text);
    let ones: Vec<_> =
        all.out.lines().filter(|line| line.contains("\"dialog_id\":\"one\"")).collect();
    assert!(!ones.is_empty() && all.out.lines().count() > ones.len(), "{all:?}");
    assert_eq!(found.out.lines().collect::<Vec<_>>(), ones);
    let broken = format!("{text}{{\"conversation_id\": ,}}\n");
    let ran = run_in(folder.path(), &["lint", "-", "--query", "id:nobody"], &broken);
    assert!(ran.code == 2 && ran.out.contains("json-syntax"), "{ran:?}");
}
