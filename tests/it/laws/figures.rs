//! Figures of parts add up: what the commands count in files one by one is what they count in all of them at once.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::support::files::{own_files, own_sessions, real_files, spread};
use crate::support::run;

/// Counts by what they count.
type Counts = BTreeMap<String, i64>;

/// Runs a command on files and returns what it prints as JSON; None if they have nothing for it.
fn said(arguments: &[&str], files: &[&str]) -> Option<Value> {
    let ran = run(&[arguments, files, &["--format", "json"]].concat());
    assert!(ran.code < 2 || ran.out.is_empty(), "{arguments:?} {files:?}: {}", ran.err);
    serde_json::from_str(&ran.out).ok()
}

/// Adds the whole numbers among the members of an object.
fn add(counts: &mut Counts, about: &str, object: &Value) {
    for (name, number) in object.as_object().into_iter().flatten() {
        if let Some(number) = number.as_i64() {
            *counts.entry(format!("{about} {name}")).or_default() += number;
        }
    }
}

/// Votes: in all, and in the rows of each way to group them. Annotators are not counted: they are in several files.
fn of_votes(files: &[&str], counts: &mut Counts) {
    for by in ["file", "system", "position"] {
        let Some(said) = said(&["votes", "--by", by], files) else { continue };
        add(counts, &format!("votes by {by}, in all"), &said["total"]);
        for row in said["rows"].as_array().unwrap() {
            add(counts, &format!("votes by {by}, in rows"), row);
        }
    }
    counts.retain(|name, _| !name.ends_with(" annotators"));
    if let Some(said) = said(&["votes", "--question", "breakdown"], files) {
        for value in said["values"].as_array().unwrap() {
            let name = format!("answers {}", value["value"]);
            *counts.entry(name).or_default() += value["answers"].as_i64().unwrap();
        }
    }
}

/// Contents: as `check` counts them, and as the report does.
fn of_contents(files: &[&str], counts: &mut Counts) {
    for file in said(&["check"], files).unwrap().as_array().unwrap() {
        add(counts, "check", file);
        add(counts, "not read", &file["not_read"]);
        *counts.entry("issues".to_owned()).or_default() +=
            file["issues"].as_array().unwrap().len() as i64;
    }
    let report = said(&["report"], files).unwrap();
    let sections = report["sections"].as_array().unwrap();
    let corpus = sections.iter().find(|section| section["name"] == "corpus").unwrap();
    for figure in corpus["blocks"][0]["figures"].as_array().unwrap() {
        let name = format!("report {}", figure["name"].as_str().unwrap());
        *counts.entry(name).or_default() += figure["value"].as_i64().unwrap();
    }
}

/// Problems of each rule that looks at one dialog, as counted and as listed.
fn of_problems(files: &[&str], counts: &mut Counts) {
    let rules = ["lint", "--select", "all", "--ignore", "duplicate-dialog-id,chat-mixed-types"];
    for row in said(&[&rules[..], &["--statistics"]].concat(), files).unwrap().as_array().unwrap() {
        add(counts, row["rule"].as_str().unwrap(), row);
    }
    for problem in said(&rules, files).unwrap().as_array().unwrap() {
        let rule = problem["rule"].as_str().unwrap();
        *counts.entry(format!("{rule} listed")).or_default() += 1;
    }
}

/// Hits, and the values that they have.
fn of_hits(files: &[&str], counts: &mut Counts) {
    for query in
        ["speaker:user", "label:*", "api:*", "problem:", "words>12 not tie", "turn>2 then turn<9"]
    {
        let ran = run(&[&["find", query], files, &["--format", "count"]].concat());
        let hits = ran.out.trim().parse::<i64>().unwrap_or_else(|_| panic!("{query}: {ran:?}"));
        *counts.entry(query.to_owned()).or_default() += hits;
    }
    for field in ["label", "api", "speaker", "majority", "family"] {
        let counted = said(&["find", "turn>=0", "--count-by", field], files).unwrap();
        for value in counted["values"].as_array().unwrap() {
            *counts.entry(format!("{field} {}", value["value"])).or_default() +=
                value["hits"].as_i64().unwrap();
        }
    }
}

/// Checks that what is counted in all files is the sum of what is counted in each.
fn add_up(files: &[PathBuf]) {
    let files: Vec<_> = files.iter().map(|file| file.to_str().unwrap()).collect();
    for count in [of_votes, of_contents, of_problems, of_hits] {
        let (mut at_once, mut one_by_one) = (Counts::new(), Counts::new());
        count(&files, &mut at_once);
        for file in &files {
            count(&[file], &mut one_by_one);
        }
        assert!(at_once.values().sum::<i64>() > 10, "{at_once:?}");
        // A rule or a member without a count is as good as one with none.
        for counts in [&mut at_once, &mut one_by_one] {
            counts.retain(|_, number| *number != 0);
        }
        assert_eq!(at_once, one_by_one);
        // The same is counted in two ways.
        for (name, number) in &at_once {
            for (one, other) in [("in all", "in rows"), (" count", " listed")] {
                let other = at_once.get(&name.replace(one, other));
                assert!(
                    !name.contains(one) || other == Some(number),
                    "{name} is {number}, not {other:?}"
                );
            }
        }
    }
}

#[test]
fn figures_of_files_one_by_one_add_up_to_those_of_all() {
    let mut files = spread([own_files(), own_sessions()].concat(), 12);
    files.extend(own_files().into_iter().find(|path| path.ends_with("dbdc/demo_001.log.json")));
    add_up(&files);
}

#[test]
fn figures_of_real_files_one_by_one_add_up_to_those_of_all() {
    let Some(mut files) = real_files("sums of figures") else {
        return;
    };
    files.retain(|file| file.metadata().unwrap().len() < 1 << 20);
    add_up(&spread(files, 40));
}
