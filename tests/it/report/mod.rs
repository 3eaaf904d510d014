//! `turnwise report`: its figures are those of other commands, parts add to the whole, no data breaks the page.

mod page;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};
use turnwise::text::counted;

use crate::support::files::{real_files, spread};
use crate::support::{project, run, run_in, scratch};
use crate::votes::questions;

/// Returns a report as JSON.
fn report(paths: &[&str]) -> Value {
    said(&project("."), &[&["report"], paths].concat())
}

/// Returns the JSON that a command prints in a folder.
fn said(folder: &Path, arguments: &[&str]) -> Value {
    let ran = run_in(folder, &[arguments, &["--format", "json"]].concat(), "");
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{arguments:?}: {error}: {ran:?}"))
}

/// Returns a section by its name.
fn section<'r>(report: &'r Value, name: &str) -> Option<&'r Value> {
    let sections = report["sections"].as_array().unwrap();
    sections.iter().find(|section| section["name"] == name)
}

/// Returns the blocks of a kind in a section; none without it.
fn blocks<'r>(report: &'r Value, name: &str, kind: &str) -> Vec<&'r Value> {
    let section = section(report, name);
    let blocks = section.map(|section| section["blocks"].as_array().unwrap());
    blocks.into_iter().flatten().filter_map(|block| block.get(kind)).collect()
}

/// Returns the rows of a table by its caption, by their first cells; empty without it.
fn rows(report: &Value, name: &str, caption: &str) -> BTreeMap<String, Vec<Value>> {
    let tables = blocks(report, name, "table");
    let table = tables.into_iter().find(|table| table["caption"] == caption);
    let rows = table.map(|table| table["rows"].as_array().unwrap().clone());
    let rows = rows.into_iter().flatten().map(|row| row.as_array().unwrap().clone());
    rows.map(|row| (row[0].as_str().unwrap().to_owned(), row[1..].to_vec())).collect()
}

/// Returns a figure by its name; 0 if it is left out.
fn figure(report: &Value, section: &str, name: &str) -> Value {
    let figures = blocks(report, section, "figures");
    let mut figures = figures.into_iter().flat_map(|figures| figures.as_array().unwrap());
    let figure = figures.find(|figure| figure["name"] == name);
    figure.map_or(json!(0), |figure| figure["value"].clone())
}

/// Answers by system and by position are those that `votes --question --by` counts; those about dialogs tell the turns
/// that they point to.
#[test]
fn groups_of_answers_are_those_of_votes() {
    let folder = scratch();
    let turn = |index: usize| {
        let speaker = ["USER", "ASSISTANT"][index % 2];
        json!({"index": index, "speaker": speaker, "text": format!("turn {index}")})
    };
    let turns: Vec<_> = (0..4).map(turn).collect();
    let ids = ["iris_1", "iris_2", "tick_1"];
    let dialogs = ids.map(|id| json!({"conversation_id": id, "utterances": turns}));
    fs::write(folder.path().join("a.json"), json!(dialogs).to_string()).unwrap();
    for (by, grades) in [("ann", [1, 2, 5, 4, 3, 3]), ("bob", [1, 3, 4, 4, 2, 3])] {
        let mut lines: Vec<_> = grades.iter().enumerate().map(|(i, grade)| {
            json!({"dialog": ids[i / 2], "turn": 1 + i % 2 * 2, "scheme": "quality", "question": "quality", "value": grade})
        }).collect();
        let mut verdict = questions::verdict("iris_2", "fail");
        verdict["at"] = json!(3);
        lines.extend([verdict, questions::verdict("tick_1", "pass")]);
        questions::judge(folder.path(), by, &lines);
    }
    let page = said(folder.path(), &["report", "a.json"]);
    let asked = ["votes", "a.json", "--question", "quality", "--scheme", "quality", "--by"];
    for (by, groups) in [("system", 2), ("position", 2)] {
        let votes = said(folder.path(), &[&asked[..], &[by]].concat());
        let counted = votes["rows"].as_array().unwrap();
        let caption = format!("By {by}: quality");
        let shown = rows(&page, "votes", &caption);
        assert_eq!((shown.len(), counted.len()), (groups, groups), "{votes}");
        for group in counted {
            let name = group[by].as_str().map_or_else(|| group[by].to_string(), str::to_owned);
            let row = &shown[&name];
            assert_eq!((&row[0], &row[1]), (&group["items"], &group["answers"]), "{group}");
            for value in 1..=5 {
                let share = &row[1 + value];
                assert_eq!(share["count"], group[format!("answers_{value}")], "{share}");
                assert_eq!(share["of"], group["answers"]);
            }
            let names = ["mean", "median", "entropy", "agreement", "fleiss_kappa", "alpha_nominal"];
            for (name, cell) in names.iter().zip(&row[9..]) {
                assert_eq!(*cell, group[*name], "{name}: {row:?}");
            }
        }
    }
    let plots = blocks(&page, "votes", "plot");
    let pointed = plots
        .iter()
        .find(|plot| plot["caption"] == "Turns that the answers point to: verdict of success");
    assert_eq!(pointed.unwrap()["bars"], json!([{"label": "3", "values": [2]}]));
}

/// The interval of a statistic as a report has it, from the numbers of `votes`; null if it has no width.
fn interval(row: &Value, name: &str) -> Value {
    let [low, high] = ["low", "high"].map(|end| row[format!("{name}_{end}")].as_f64());
    let interval = low.zip(high).filter(|(low, high)| low < high);
    json!(interval.map(|(low, high)| format!("{low:.3} to {high:.3}")))
}

/// The answers to questions are those that `votes --question` counts, intervals included.
#[test]
fn answers_to_questions_are_those_of_votes() {
    let folder = questions::corpus();
    let mut of_model = questions::verdict("d0", "defer");
    of_model["run"] = json!("r");
    // What only a model has read is not among the dialogs that people read.
    let mut also_read = questions::verdict("d0", "fail");
    also_read["scheme"] = json!("error-analysis");
    also_read["question"] = json!("older");
    also_read["run"] = json!("r");
    questions::judge(folder.path(), "model:m", &[of_model, also_read]);
    let page = said(folder.path(), &["report", "a.json"]);
    let tables = blocks(&page, "votes", "table");
    let of = |caption: &str| {
        let begins = |table: &&Value| table["caption"].as_str().unwrap().starts_with(caption);
        tables.iter().copied().filter(begins).collect::<Vec<_>>()
    };
    // In the order of their schemes: error-analysis, quality, success.
    let (codes, agreements, values) = (of("Codes"), of("Agreement"), of("Answers"));
    assert_eq!((codes.len(), agreements.len(), values.len()), (1, 3, 2), "{page}");
    assert_eq!(codes[0]["rows"][0][2]["of"], 3, "{}", codes[0]);
    let schemes = [("code", "error-analysis"), ("quality", "quality"), ("verdict", "success")];
    for ((question, scheme), agreement) in schemes.into_iter().zip(agreements) {
        let arguments = ["votes", "a.json", "--question", question, "--scheme", scheme];
        let votes = said(folder.path(), &arguments);
        if question == "code" {
            assert_eq!(votes["dialogs_read"], 3, "{votes}");
        }
        let rows = agreement["rows"].as_array().unwrap();
        assert!(rows.len() >= 4, "{agreement}");
        for row in rows {
            let name = match row[0].as_str().unwrap() {
                "entropy, bits" => "entropy".to_owned(),
                "agreement, of pairs of answers" => "agreement".to_owned(),
                "Fleiss' kappa" => "fleiss_kappa".to_owned(),
                name @ ("mean" | "median") => name.to_owned(),
                alpha => format!("alpha_{}", alpha.rsplit(' ').next().unwrap().to_lowercase()),
            };
            let statistic = &votes["total"][&name];
            assert_eq!(row[1], *statistic, "{scheme}: {row} {votes}");
            assert_eq!(row[2], interval(&votes["total"], &name), "{scheme}: {row}");
        }
    }
    let [quality, verdict] = values[..] else { unreachable!() };
    assert_eq!(quality["rows"][0][1], json!({"count": 2, "of": 4}), "{quality}");
    assert_eq!(
        verdict["rows"][0][1],
        json!({"count": 5, "of": 11}),
        "the model is left out: {verdict}"
    );
    let pairs = of("Pairs of annotators");
    assert_eq!(pairs.last().unwrap()["rows"].as_array().unwrap().len(), 3);
    let commands = section(&page, "votes").unwrap()["commands"].to_string();
    assert!(commands.contains("--question verdict --scheme success"), "{commands}");
}

/// Rules that compare dialogs or files, which a report leaves out.
const LEFT_OUT: [&str; 4] =
    ["duplicate-dialog-id", "chat-mixed-types", "file-name-differs", "labels-file-mismatch"];

/// Compares the turns of a table with those that a query finds, by name.
fn counted_as_found(report: &Value, path: &str, [section, caption, field]: [&str; 3]) {
    // Each segment is a hit, but of acts each turn.
    let column = usize::from(field == "act");
    let query = format!("{field}:*");
    let found = said(&project("."), &["find", &query, path, "--count-by", field]);
    let values = found["values"].as_array().unwrap();
    for (name, row) in rows(report, section, caption) {
        let value = values.iter().find(|value| value["value"] == name);
        let hits = value.map(|value| &value["hits"]);
        assert_eq!(Some(&row[column]), hits, "{path}: {field} {name}");
    }
}

/// Compares a report with `check`, `lint` and `votes`, and with counts of the words made here.
fn agrees_with_other_commands(path: &Path) {
    let path = path.to_str().unwrap();
    let report = report(&[path]);
    let here = |arguments: &[&str]| said(&project("."), arguments);
    let check = here(&["check", path]);
    let check = check.as_array().unwrap();
    for name in ["dialogs", "turns", "segments", "calls", "votes", "acts"] {
        let sum: u64 = check.iter().map(|file| file[name].as_u64().unwrap()).sum();
        assert_eq!(figure(&report, "corpus", name), sum, "{path}: {name}");
    }
    let issues: usize = check.iter().map(|file| file["issues"].as_array().unwrap().len()).sum();
    assert_eq!(figure(&report, "corpus", "format issues"), issues, "{path}");

    let lint = here(&["lint", path, "--statistics"]);
    let lint = lint.as_array().unwrap().iter();
    let mut expected: BTreeMap<_, _> = lint
        .map(|rule| (rule["rule"].as_str().unwrap().to_owned(), rule["count"].clone()))
        .collect();
    for rule in LEFT_OUT {
        expected.remove(rule);
    }
    let by_rule = rows(&report, "problems", "Problems by rule");
    let by_rule: BTreeMap<_, _> =
        by_rule.into_iter().map(|(rule, row)| (rule, row[2].clone())).collect();
    assert_eq!(by_rule, expected, "{path}");

    let lint = here(&["lint", path]);
    let lint = lint.as_array().unwrap();
    let of = |severity: &str| {
        let is_it = |problem: &&Value| {
            problem["severity"] == severity
                && !LEFT_OUT.contains(&problem["rule"].as_str().unwrap())
        };
        lint.iter().filter(is_it).count() as u64
    };
    if !expected.is_empty() {
        for (name, severity) in [("errors", "error"), ("warnings", "warning"), ("notes", "info")] {
            assert_eq!(figure(&report, "problems", name), of(severity), "{path}: {name}");
        }
    }
    let found = [counted(of("error"), "error"), counted(of("warning"), "warning")].join(", ");
    let summary = blocks(&report, "corpus", "text")[0];
    let summary = summary.as_str().unwrap();
    assert!(summary.contains(&found), "{path}: {summary}");

    counted_as_found(&report, path, ["acts", "Acts", "act"]);
    if figure(&report, "acts", "kinds of acts") == 0 {
        counted_as_found(&report, path, ["labels", "Labels", "label"]);
    }
    let labels = rows(&report, "votes", "Answers: breakdown");
    if !labels.is_empty() {
        let votes = here(&["votes", path]);
        let total = &votes["total"];
        for (label, row) in &labels {
            let share = json!({"count": total[label], "of": total["votes"]});
            assert_eq!(row[0], share, "{path}: {label}");
            let majority =
                json!({"count": total[format!("majority_{label}")], "of": total["turns"]});
            assert_eq!(row[2], majority, "{path}: {label}");
        }
        let agreement = rows(&report, "votes", "Agreement: breakdown");
        for (name, other) in FIGURES {
            if total["annotators"].as_u64() > Some(1) {
                assert_eq!(agreement[name][0], total[other], "{path}: {name}");
            }
        }
    }
}

/// The names of figures in a report, and in other output for programs.
const FIGURES: [(&str, &str); 5] = [
    ("entropy, bits", "entropy"),
    ("agreement, of pairs of answers", "agreement"),
    ("Fleiss' kappa", "fleiss_kappa"),
    ("Krippendorff's alpha, nominal", "alpha_nominal"),
    ("Krippendorff's alpha, ordinal", "alpha_ordinal"),
];

/// Intervals of votes are those of the question that they answer; pairs of annotators those of their comparison.
#[test]
fn votes_have_the_intervals_and_pairs_of_other_commands() {
    let folder = scratch();
    for (number, labels) in ["OXTOOX", "XXTOTX", "OOOOTO"].iter().enumerate() {
        let turn = |(index, labels): (usize, &[u8])| {
            let annotators = ["ana", "bo", "cy"].iter().zip(labels.iter().cycle().skip(index));
            let votes = annotators.map(|(id, label)| {
                json!({"annotator-id": id, "breakdown": char::from(*label).to_string(), "comment": ""})
            });
            json!({"turn-index": index, "speaker": "S", "time": "2020-01-01 00:00:00",
                "utterance": format!("I count {index}."), "annotations": votes.collect::<Vec<_>>()})
        };
        let turns = labels.as_bytes().chunks(2).enumerate().map(turn);
        let log = json!({"dialogue-id": format!("d{number}"), "group-id": "g", "speaker-id": "u",
            "turns": turns.collect::<Vec<_>>()});
        let name = format!("d{number}.log.json");
        fs::write(folder.path().join(name), log.to_string()).unwrap();
    }
    let page = said(folder.path(), &["report", "."]);
    let votes = |more: &[&str]| said(folder.path(), &[&["votes", "."], more].concat());
    let question = votes(&["--question", "breakdown", "--scheme", "breakdown"]);
    let agreement = rows(&page, "votes", "Agreement: breakdown");
    for (name, other) in FIGURES {
        let row = &agreement[name];
        assert!(row[1].is_string(), "{row:?}");
        assert_eq!(row[1], interval(&question["total"], other), "{name}");
    }
    let labels = rows(&page, "votes", "Answers: breakdown");
    for value in question["values"].as_array().unwrap() {
        let row = &labels[value["value"].as_str().unwrap()];
        let [low, high] = ["share_low", "share_high"].map(|end| value[end].as_f64().unwrap());
        assert_eq!(row[1], format!("{:.0}–{:.0} %", 100.0 * low, 100.0 * high), "{value}");
    }
    let pairs = rows(&page, "votes", "Pairs of annotators: breakdown");
    assert_eq!(pairs.len(), 3, "{pairs:?}");
    for (names, row) in pairs {
        let (one, other) = names.split_once(", ").unwrap();
        let both = votes(&["--confusion", one, other]);
        assert_eq!(row[0]["of"], 9, "{names}: {both}");
        assert_eq!(row[1], both["statistics"]["cohen_kappa"], "{names}");
    }
}

/// Every command that a report names can be run, and finds something.
#[test]
fn commands_beside_figures_can_be_run() {
    let demo = project("assets/demo");
    let report = report(&[demo.to_str().unwrap()]);
    let folder = scratch();
    let mut commands: Vec<&str> = Vec::new();
    for section in report["sections"].as_array().unwrap() {
        let of_section = section["commands"].as_array().unwrap();
        commands.extend(of_section.iter().map(|command| command.as_str().unwrap()));
    }
    for name in ["problems", "votes"] {
        let examples = blocks(&report, name, "examples");
        let examples = examples.into_iter().flat_map(|list| list.as_array().unwrap());
        commands.extend(examples.map(|example| example["command"].as_str().unwrap()).step_by(9));
    }
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        let arguments: Vec<_> =
            command.split(' ').skip(1).map(|word| word.trim_matches('\'')).collect();
        let ran = run_in(folder.path(), &arguments, "");
        assert!(ran.code < 2, "{command}: {}", ran.err);
        assert!(!ran.out.is_empty() || command.contains("export"), "{command}");
    }
}

#[test]
fn reports_follow_their_schema() {
    let schema: Value = serde_json::from_str(&run(&["schema", "report"]).out).unwrap();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let report = report(&[project("assets/demo").to_str().unwrap()]);
    let errors: Vec<_> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert_eq!(errors, [""; 0]);
}

#[test]
fn figures_of_the_demo_are_those_of_other_commands() {
    agrees_with_other_commands(&project("assets/demo"));
}

#[test]
fn figures_of_real_corpora_are_those_of_other_commands() {
    let Some(files) = real_files("figures_of_real_corpora") else {
        return;
    };
    for path in spread(files, 40) {
        agrees_with_other_commands(&path);
    }
}

/// A dialog with segments whose labels, quotes and calls are drawn from few names.
fn dialog(number: usize, turns: &[(u8, u8, u8)]) -> Value {
    let turns: Vec<_> = turns
        .iter()
        .enumerate()
        .map(|(index, (word, label, api))| {
            let text = format!("go to {}", ["Rome", "rome", "Oslo", "京都"][usize::from(*word % 4)]);
            let end = text.chars().count();
            let label = ["a.city", "b.city", "c"][usize::from(*label % 3)];
            json!({
                "index": index,
                "speaker": if index % 2 == 0 { "USER" } else { "ASSISTANT" },
                "text": text,
                "segments": [{
                    "start_index": 6, "end_index": end, "text": text.chars().skip(6).collect::<String>(),
                    "annotations": [{"name": label}],
                }],
                "apis": if *api > 5 { json!([{"name": "find", "args": {"city": "Rome"}, "index": 0, "response": {"error": "none"}}]) } else { json!([]) },
            })
        })
        .collect();
    json!({"conversation_id": format!("d{number}"), "instruction_id": "t", "utterances": turns})
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    /// Files go to parts at random, and parts are added in any order.
    #[test]
    fn parts_add_to_the_report_of_the_whole(
        files in prop::collection::vec((0_usize..3, prop::collection::vec(prop::collection::vec((0_u8..9, 0_u8..9, 0_u8..9), 1..5), 1..4)), 1..6),
        rotated in 0_usize..3,
    ) {
        let folder = scratch();
        let mut parts: [Vec<String>; 3] = Default::default();
        for (number, (part, dialogs)) in files.iter().enumerate() {
            let name = format!("f{number}.json");
            let all: Vec<_> = dialogs.iter().enumerate().map(|(i, turns)| dialog(10 * number + i, turns)).collect();
            fs::write(folder.path().join(&name), json!(all).to_string()).unwrap();
            parts[*part].push(name);
        }
        let all: Vec<_> = parts.iter().flatten().map(String::as_str).collect();
        let in_folder = |arguments: &[&str]| run_in(folder.path(), arguments, "");
        let mut sums = Vec::new();
        for part in parts.iter().filter(|part| !part.is_empty()) {
            let part: Vec<_> = part.iter().map(String::as_str).collect();
            sums.push(in_folder(&[&["report", "--partial"], &part[..]].concat()).out);
        }
        let rotated = rotated % sums.len();
        sums.rotate_left(rotated);
        fs::write(folder.path().join("sums"), sums.concat()).unwrap();
        for format in ["html", "md", "json", "latex"] {
            let whole = in_folder(&[&["report", "--format", format], &all[..]].concat());
            let added = in_folder(&["report", "--format", format, "--from", "sums"]);
            prop_assert_eq!(&whole, &added);
        }
        let again = in_folder(&["report", "--from", "sums", "--partial"]).out;
        let one = in_folder(&[&["report", "--partial"], &all[..]].concat()).out;
        prop_assert_eq!(again, one);
    }
}
