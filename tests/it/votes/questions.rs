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

#[test]
fn parts_have_to_be_about_the_question() {
    let folder = answers_in_files();
    let votes = |arguments: &[&[&str]], input: &str| votes_of(&folder, arguments, input);
    let verdicts = ["--question", "verdict", "--scheme", "success", "--partial"];
    let part = votes(&[&FILES[..1], &verdicts], "").out;
    let other = part.replace("\"defer\"]", "\"defer\",\"later\"]");
    assert_ne!(part, other);
    let mine = part.replace("\"success\"", "\"mine\"");
    for (input, question, why) in [
        (part.clone(), "code", "-:1: it is about the question \"verdict\", not about \"code\""),
        (
            part.clone() + &other,
            "verdict",
            "-:2: its question \"verdict\" has another `values` than",
        ),
        (part.clone() + &mine, "verdict", "-:2: its question is from the scheme \"mine\""),
        (part.repeat(2), "verdict", "is also in an earlier part, and would count twice"),
        (part.clone() + "\n{}\n", "verdict", "-:3: not a part of `votes --partial`"),
        (String::new(), "verdict", "there are no parts in -"),
    ] {
        let ran = votes(&[&["--question", question, "--from", "-"]], &input);
        assert!(ran.code == 2 && ran.err.contains(why), "{why}: {}", ran.err);
    }
    let ran = votes(&[&["--from", "-"]], &part);
    let why = "it is about the question \"verdict\", not about \"breakdown\"";
    assert!(ran.code == 2 && ran.err.contains(why), "{ran:?}");
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
        let figures = |times: &[u64]| {
            let drawn: Tallies<_> = drawable.drawn(times);
            vec![drawn.alpha(&Distances::Nominal)]
        };
        let interval = bootstrap.intervals(ratings.dialogs, figures)[0];
        let [low, high] = interval.bounds.unwrap();
        covered += u32::from((low..=high).contains(&alpha));
    }
    let share = f64::from(covered) / f64::from(runs);
    eprintln!("{share} of {runs} intervals cover alpha");
    let (least, most) = if runs > 100 { (0.92, 0.97) } else { (0.85, 1.0) };
    assert!((least..=most).contains(&share), "{share}");
}

/// Two logs: five votes on one turn, two by one person and two by nobody in particular, and four of these on another;
/// two on a third, and one on a fourth. Four more do not count: two of no label, two on user turns.
///
/// O, T, X have 4, 2, 6 votes. The first turn is a tie of O and X, the third of O and X, too; the second has two of four
/// for X. Of the pairs, 2 of 10, 1 of 6 and 0 of 1 agree.
#[test]
fn votes_are_answers_to_their_question() {
    let folder = scratch();
    let log = |id: &str, votes: &[(&str, &str)]| {
        let vote = |(by, label): &(&str, &str)| json!({"annotator-id": by, "breakdown": label, "comment": "", "ungrammatical-sentence": "O"});
        let votes: Vec<_> = votes.iter().map(vote).collect();
        let turn = |index: usize, speaker: &str, votes: &[Value]| json!({"turn-index": index, "speaker": speaker, "time": "", "utterance": "Hm.", "annotations": votes});
        json!({"dialogue-id": id, "group-id": "g", "turns": [
            turn(0, "S", &votes), turn(1, "U", &votes[..1]), turn(2, "S", &votes[1..]),
        ]})
    };
    let logs = [
        log("a", &[("mk", "O"), ("mk", "X"), ("js", "T"), ("", "O"), ("", "X")]),
        log("b", &[("js", "O"), ("mk", "?"), ("lt", "X")]),
    ];
    for (log, name) in logs.iter().zip(["a", "b"]) {
        fs::write(folder.path().join(format!("{name}.log.json")), log.to_string()).unwrap();
    }
    let run = |arguments: &[&str]| -> Value {
        let ran = run_in(folder.path(), &[arguments, &[".", "--format", "json"]].concat(), "");
        serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"))
    };
    let known = [
        ("turns", 4),
        ("votes", 12),
        ("annotators", 3),
        ("anonymous", 4),
        ("O", 4),
        ("T", 2),
        ("X", 6),
        ("majority_O", 2),
        ("majority_T", 0),
        ("majority_X", 2),
        ("ties", 2),
        ("no_absolute_majority", 3),
        ("unlabelled", 2),
        ("on_user_turns", 2),
        ("repeated", 1),
    ];
    for more in [&[][..], &["--question", "breakdown"]] {
        let all = run(&[&["votes"], more].concat());
        for (name, count) in known {
            assert_eq!(all["total"][name], count, "{name} {more:?}");
        }
        close(&all["total"]["agreement"], (0.2 + 1.0 / 6.0) / 3.0);
        assert!(all["total"]["alpha_ordinal"].is_number());
        assert_eq!((&all["files"], &all["dialogs"]), (&json!(2), &json!(2)));
        assert_eq!(all["left_out"]["invalid"], 4);
        // On the first turn, mk has two.
        let both = run(&[&["votes", "--confusion", "mk", "js"], more].concat());
        assert_eq!(both["turns"], json!([[0, 0, 0], [0, 0, 0], [0, 1, 0]]));
        assert_eq!(both["left_out"], 1);
    }
    let votes: Vec<_> = run(&["progress"])["rows"].as_array().unwrap().clone();
    let votes: Vec<_> =
        votes.iter().map(|row| (row["annotator"].clone(), row["votes"].clone())).collect();
    assert_eq!(votes, [("js", 3), ("lt", 2), ("mk", 3)].map(|(id, all)| (json!(id), json!(all))));
}

/// `--annotators` makes of the answers of many those of two, whose values on a scale are also weighed by their distance.
#[test]
fn the_answers_of_two_are_taken_alone() {
    let folder = corpus();
    let ask = |arguments: &[&str]| {
        let all = ["votes", "a.json", "--draws", "0"];
        run_in(folder.path(), &[&all, arguments].concat(), "")
    };
    judge(folder.path(), "zoe", &[grade("d0", 1, 1), grade("d0", 3, 4), grade("d1", 1, 2)]);
    judge(folder.path(), "yan", &[grade("d0", 1, 2), grade("d0", 3, 4), grade("d1", 1, 5)]);
    let quality = ["--question", "quality", "--scheme", "quality"];
    let only = ["--annotators", "yan,zoe"];
    let ran = ask(&[&quality[..], &only, &["--format", "json"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&json["total"]["annotators"], &json["total"]["answers"]), (&json!(2), &json!(6)));
    // Steps of 1, 0 and 3; by chance, all nine pairs of 1, 2, 4 with 2, 4, 5.
    let chance = |weight: fn(f64) -> f64| {
        let all = [1.0, 2.0, 4.0].into_iter().flat_map(|one| [2.0, 4.0, 5.0].map(|to| to - one));
        all.map(weight).sum::<f64>() / 3.0
    };
    for (key, apart, by_chance) in [
        ("kappa_linear", 4.0, chance(f64::abs)),
        ("kappa_quadratic", 10.0, chance(|steps| steps * steps)),
    ] {
        let found = json["pair"][key].as_f64().unwrap();
        assert!((found - (1.0 - apart / by_chance)).abs() < 1e-12, "{key}: {found}");
    }
    let part = ask(&[&quality[..], &["--partial"]].concat());
    fs::write(folder.path().join("part"), part.out).unwrap();
    let whole =
        ["votes", "--from", "part", "--question", "quality", "--draws", "0", "--format", "json"];
    let ran = run_in(folder.path(), &[&whole, &only[..]].concat(), "");
    let added: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&added["total"], &added["pair"]), (&json["total"], &json["pair"]));
    let ran = ask(&[&quality[..], &["--annotators", "yan,nobody"]].concat());
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("\"nobody\" has no answer"), "{}", ran.err);
    let progress =
        ["progress", "a.json", "--scheme", "quality", "--annotators", "yan,zoe", "--format", "csv"];
    let ran = run_in(folder.path(), &progress, "");
    assert_eq!(ran.out.lines().count(), 3, "{}", ran.out);
    let report = ["report", "a.json", "--annotators", "yan,zoe", "--format", "md"];
    let ran = run_in(folder.path(), &report, "");
    assert!(ran.out.contains("6 answers about 3 turns"), "{}", ran.out);
    assert!(ran.out.contains("--annotators yan,zoe"), "{}", ran.out);
    // Turns that everybody voted against are not of these two.
    assert!(!ran.out.contains("largest shares of X"), "{}", ran.out);
}
