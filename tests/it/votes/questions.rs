//! `turnwise votes --question`: the figures of answers beside a corpus.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;
use turnwise::votes::{Bootstrap, Distances, Drawable, RatedItem, Rating, Ratings, Tallies};

use crate::support::random::Random;
use crate::support::{Ran, amount, run_in, scratch};

/// Writes a file of judgements.
pub fn judge(folder: &Path, by: &str, lines: &[Value]) {
    let mut text = String::new();
    for line in lines {
        let mut line = line.clone();
        line["by"] = by.into();
        writeln!(text, "{line}").unwrap();
    }
    let judgements = folder.join("judgements");
    fs::create_dir_all(&judgements).unwrap();
    fs::write(judgements.join(format!("{by}.jsonl")), text).unwrap();
}

pub fn verdict(dialog: &str, value: &str) -> Value {
    json!({"dialog": dialog, "scheme": "success", "question": "verdict", "value": value})
}

fn codes(dialog: &str, tags: &[&str]) -> Value {
    json!({"dialog": dialog, "scheme": "error-analysis", "question": "code", "value": tags})
}

fn grade(dialog: &str, turn: usize, value: u32) -> Value {
    json!({"dialog": dialog, "turn": turn, "scheme": "quality", "question": "quality", "value": value})
}

/// Four dialogs and the judgements of three annotators: of the verdicts, the first and third dialog are judged alike
/// by all; the second by two of three; the last by two people who disagree.
pub fn corpus() -> TempDir {
    let folder = scratch();
    let turn = |dialog: usize, index: usize| {
        let speaker = if index.is_multiple_of(2) { "USER" } else { "ASSISTANT" };
        json!({"index": index, "speaker": speaker, "text": format!("{dialog}, {index}")})
    };
    let dialog = |number: usize| {
        let utterances: Vec<_> = (0..4).map(|index| turn(number, index)).collect();
        json!({"conversation_id": format!("d{number}"), "utterances": utterances})
    };
    let dialogs: Vec<_> = (0..4).map(dialog).collect();
    fs::write(folder.path().join("a.json"), serde_json::to_string_pretty(&dialogs).unwrap())
        .unwrap();
    let ann = [
        verdict("d0", "pass"),
        verdict("d1", "fail"),
        verdict("d2", "fail"),
        verdict("d3", "pass"),
        codes("d1", &["date", "slot"]),
        codes("d2", &["date"]),
        codes("d3", &[]),
        grade("d0", 1, 1),
        grade("d0", 3, 2),
    ];
    let bob = [
        verdict("d0", "pass"),
        verdict("d1", "fail"),
        verdict("d2", "fail"),
        verdict("d3", "defer"),
        codes("d1", &["slot", "date"]),
        codes("d2", &["tone", "date"]),
        grade("d0", 1, 1),
        grade("d0", 3, 5),
    ];
    let cy = [verdict("d0", "pass"), verdict("d1", "pass"), verdict("d2", "fail")];
    for (by, lines) in [("ann", &ann[..]), ("bob", &bob), ("cy", &cy)] {
        judge(folder.path(), by, lines);
    }
    folder
}

#[track_caller]
pub fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} {expected}");
}

/// The files of [`answers_in_files`].
const FILES: [&str; 3] = ["a_x.jsonl", "b_y.jsonl", "c_z.jsonl"];

/// Three files with answers of three people, some of which do not count.
fn answers_in_files() -> TempDir {
    let folder = scratch();
    let path = folder.path();
    let mut random = Random(7);
    for (number, file) in FILES.iter().enumerate() {
        let dialog = |id: usize| {
            let turns = [("USER", "hi"), ("ASSISTANT", "hello")].map(
                |(speaker, text)| json!({"index": 0, "speaker": speaker, "text": format!("{text} {id}")}),
            );
            json!({"conversation_id": format!("s{}_{number}{id}", id % 2), "utterances": turns})
        };
        let text: String = (0..6).map(|id| dialog(id).to_string() + "\n").collect();
        fs::write(path.join(file), text).unwrap();
    }
    let tags = ["late", "Late", "rude", "LATE", "odd"];
    for by in ["ann", "bob", "cy"] {
        let mut lines = Vec::new();
        for (number, file) in FILES.iter().enumerate() {
            for id in 0..6 {
                let dialog = format!("s{}_{number}{id}", id % 2);
                let value = random.one_of(&["pass", "fail", "defer", "maybe"]);
                let tags: Vec<_> = tags.iter().filter(|_| random.below(2) == 0).copied().collect();
                let mut all = [
                    verdict(&dialog, value),
                    codes(&dialog, &tags),
                    grade(&dialog, 1, 1 + random.position(5) as u32),
                ];
                for line in &mut all {
                    if random.below(2) == 0 {
                        line["file"] = (*file).into();
                    }
                    if random.below(8) == 0 {
                        line["quote"] = "something else".into();
                    }
                }
                lines.extend(all);
            }
        }
        lines.push(verdict("gone", "pass"));
        let mut gone = verdict("gone", "fail");
        gone["file"] = FILES[1].into();
        lines.push(gone);
        judge(path, by, &lines);
    }
    folder
}

/// Runs `votes` with these arguments.
fn votes_of(folder: &TempDir, arguments: &[&[&str]], input: &str) -> Ran {
    let all = [&[&["votes"][..]], arguments].concat().concat();
    run_in(folder.path(), &all, input)
}

/// Their parts give what one run gives, to the last digit.
#[test]
fn answers_of_parts_are_those_of_one_run() {
    let folder = answers_in_files();
    let votes = |arguments: &[&[&str]], input: &str| votes_of(&folder, arguments, input);
    let modes: [(&str, &str, &[&str]); 12] = [
        ("verdict", "success", &[]),
        ("verdict", "success", &["--format", "json"]),
        ("verdict", "success", &["--by", "annotator"]),
        ("verdict", "success", &["--by", "system", "--format", "csv"]),
        ("verdict", "success", &["--by", "dialog", "--format", "json"]),
        ("verdict", "success", &["--by", "file"]),
        ("verdict", "success", &["--confusion", "ann", "bob"]),
        ("verdict", "success", &["--gold", "cy"]),
        ("verdict", "success", &["--judge", "bob", "--gold", "ann"]),
        ("quality", "quality", &["--by", "position", "--draws", "50", "--seed", "3"]),
        ("code", "error-analysis", &["--format", "json"]),
        ("code", "error-analysis", &["--curve"]),
    ];
    for (question, scheme, mode) in modes {
        let asked = ["--question", question];
        let with_scheme = [&asked[..], &["--scheme", scheme]].concat();
        let one = votes(&[&FILES, &with_scheme, mode], "");
        let mut parts = String::new();
        for shard in [&FILES[..1], &FILES[1..]] {
            let part = votes(&[shard, &with_scheme, &["--partial"]], "");
            assert_eq!(part.out.lines().count(), 1, "{}", part.err);
            parts += &part.out;
        }
        let added = votes(&[&asked, mode, &["--from", "-"]], &parts);
        assert_eq!((&added.out, added.code), (&one.out, one.code), "{mode:?}: {}", added.err);
        assert_eq!(added.err, one.err, "{mode:?}");
        let sum = votes(&[&asked, &["--partial", "--from", "-"]], &parts);
        let again = votes(&[&asked, mode, &["--from", "-"]], &sum.out);
        assert_eq!((&again.out, again.code), (&one.out, one.code), "{mode:?}");
    }
}

/// Returns dialogs of three items of three categories, which three annotators judge. In a dialog of half of the kinds
/// an annotator knows the truth with probability 0.6, else 0.9, and guesses otherwise, so that alpha is the mean of
/// the squares of these. The truth is that of the dialog in half of the items.
fn simulated(dialogs: usize, random: &mut Random) -> Ratings {
    let mut items = Vec::new();
    for dialog in 0..dialogs as u32 {
        let knows = if random.below(2) == 0 { 6 } else { 9 };
        let of_dialog = random.position(3);
        for _ in 0..3 {
            let truth = if random.below(2) == 0 { of_dialog } else { random.position(3) };
            let rating = |annotator| Rating {
                annotator,
                category: if random.below(10) < knows { truth } else { random.position(3) } as u32,
            };
            let ratings = (0..3).map(rating).collect();
            items.push(RatedItem { dialog, turn: None, ratings, gold: None });
        }
    }
    Ratings { annotators: 3, categories: 3, dialogs, items }
}

#[test]
fn many_intervals_cover_the_true_figure() {
    let alpha = f64::midpoint(0.36, 0.81);
    let mut random = Random(42);
    let runs = amount(40_u32, 2000);
    let mut covered: u32 = 0;
    for seed in 0..runs {
        let ratings = simulated(120, &mut random);
        let drawable = Drawable::of(&ratings);
        let bootstrap = Bootstrap { draws: 400, seed: u64::from(seed) };
        let figures = |times: &Vec<u64>| {
            let drawn: Tallies<_> = drawable.drawn(times);
            vec![drawn.alpha(&Distances::Nominal)]
        };
        let each = |draws: &[Vec<u64>]| draws.iter().map(figures).collect();
        let interval = bootstrap.intervals(ratings.dialogs, each)[0];
        let [low, high] = interval.bounds.unwrap();
        covered += u32::from((low..=high).contains(&alpha));
    }
    let share = f64::from(covered) / f64::from(runs);
    eprintln!("{share} of {runs} intervals cover alpha");
    let (least, most) = if runs > 100 { (0.92, 0.97) } else { (0.85, 1.0) };
    assert!((least..=most).contains(&share), "{share}");
}
