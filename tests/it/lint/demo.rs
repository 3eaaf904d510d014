//! The demo corpora that are described in TOML have the problems that were put into them, and no others.

use std::collections::BTreeMap;

use crate::support::{project, run};

/// The problems of a demo folder: the positions of dialogs and turns, with their rules.
fn problems(folder: &str) -> Vec<(u64, u64, String)> {
    let folder = project("assets/demo").join(folder);
    let ran = run(&["lint", folder.to_str().unwrap(), "--format", "json"]);
    assert_eq!(ran.err, "", "{ran:?}");
    let found: Vec<BTreeMap<String, serde_json::Value>> = serde_json::from_str(&ran.out).unwrap();
    let place = |problem: &BTreeMap<String, serde_json::Value>, key| problem[key].as_u64().unwrap();
    let rule = |problem: &BTreeMap<String, serde_json::Value>| {
        problem["rule"].as_str().unwrap().to_owned()
    };
    found.iter().map(|p| (place(p, "dialog"), place(p, "turn"), rule(p))).collect()
}

fn have(folder: &str, expected: &[(u64, u64, &str)]) {
    let found = problems(folder);
    let found: Vec<_> =
        found.iter().map(|(dialog, turn, rule)| (*dialog, *turn, rule.as_str())).collect();
    assert_eq!(found, expected, "{folder}");
}

#[test]
fn the_demo_of_sgd_has_its_problems() {
    have(
        "sgd",
        &[
            (0, 4, "label-unknown"),
            (0, 5, "span-cuts-word"),
            (0, 7, "api-unknown-argument"),
            (0, 8, "state-lost-slot"),
            (1, 1, "span-edge-space"),
            (1, 3, "slot-unknown"),
            (1, 4, "state-value-unknown"),
            (1, 5, "api-missing-argument"),
            (2, 2, "intent-unknown"),
            (2, 3, "span-cuts-word"),
        ],
    );
}

#[test]
fn the_demo_of_multiwoz_has_its_problems() {
    have(
        "multiwoz",
        &[
            (0, 4, "span-empty"),
            (0, 4, "slot-unknown"),
            (0, 6, "state-lost-slot"),
            (1, 1, "slot-out-of-range"),
            (1, 2, "state-value-unknown"),
            (1, 4, "state-value-unknown"),
        ],
    );
}

#[test]
fn the_demo_of_convlab_has_its_problems() {
    have(
        "library",
        &[
            (0, 0, "span-text-mismatch"),
            (0, 3, "slot-unknown"),
            (0, 3, "label-unknown"),
            (0, 4, "state-value-unknown"),
            (0, 5, "act-unknown"),
            (1, 3, "span-text-mismatch"),
            (1, 4, "state-lost-slot"),
            (1, 5, "span-reversed"),
        ],
    );
}
