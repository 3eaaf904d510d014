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
    judge(
        folder.path(),
        "ann",
        &[
            verdict("d0", "pass"),
            verdict("d1", "fail"),
            verdict("d2", "fail"),
            verdict("d3", "pass"),
            codes("d1", &["date", "slot"]),
            codes("d2", &["date"]),
            codes("d3", &[]),
            grade("d0", 1, 1),
            grade("d0", 3, 2),
        ],
    );
    judge(
        folder.path(),
        "bob",
        &[
            verdict("d0", "pass"),
            verdict("d1", "fail"),
            verdict("d2", "fail"),
            verdict("d3", "defer"),
            codes("d1", &["slot", "date"]),
            codes("d2", &["tone", "date"]),
            grade("d0", 1, 1),
            grade("d0", 3, 5),
        ],
    );
    judge(
        folder.path(),
        "cy",
        &[verdict("d0", "pass"), verdict("d1", "pass"), verdict("d2", "fail")],
    );
    folder
}

fn votes(folder: &TempDir, question: &str, more: &[&str]) -> Ran {
    let arguments = [&["votes", "a.json", "--question", question][..], more].concat();
    run_in(folder.path(), &arguments, "")
}

fn object(ran: &Ran) -> Value {
    serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
}

#[track_caller]
pub fn close(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap();
    assert!((value - expected).abs() < 1e-12, "{value} {expected}");
}

#[test]
fn verdicts_are_counted_for_people() {
    let ran = votes(&corpus(), "verdict", &["--scheme", "success"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out, @r"
    question              verdict of success: Did the user get what they wanted?
    judged                4 of 4 dialogs, 1 file
    answers               11, 2 to 3 a dialog, 3 annotators

    value   answers  95 % of draws  majority
    pass   5 (45 %)         9–83 %  2 (50 %)
    fail   5 (45 %)         0–83 %  2 (50 %)
    defer   1 (9 %)         0–33 %   0 (0 %)

    ties                  1 (25 %)
    no absolute majority  1 (25 %)

    entropy               0.480  0.000 to 0.959  bits
    agreement             0.583  0.167 to 1.000  of pairs of answers
    Fleiss' kappa         -      there are from 2 to 3 answers, but the same number is needed everywhere
    Krippendorff's alpha  0.429  -0.231 to 1.000  nominal  (undefined in 5 draws)
    intervals             95 % of 1,000 draws of dialogs, seed 1
    ");
}

#[test]
fn codes_are_counted_for_people() {
    let folder = corpus();
    let ran = votes(&folder, "code", &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out, @r"
    question              code of error-analysis: Which failures are these?
    judged                3 of 4 dialogs, 1 file
    answers               5, 1 to 2 a dialog, 2 annotators

                   of 3 dialogs read
    code  answers   dialogs  95 % of draws
    date        4  2 (67 %)        0–100 %
    slot        2  1 (33 %)        0–100 %
    tone        1  1 (33 %)        0–100 %

    ties                  1 (33 %)
    no absolute majority  1 (33 %)

    entropy               0.333  0.000 to 1.000  bits
    agreement             0.500  0.000 to 1.000  of pairs of answers  (undefined in 38 draws)
    Fleiss' kappa         -      there are from 1 to 2 answers, but the same number is needed everywhere
    Krippendorff's alpha  0.400  -0.667 to 0.444  nominal  (undefined in 290 draws)
                          0.471  -0.667 to 0.516  of tags, by Jaccard  (undefined in 290 draws)
                          0.471  -0.667 to 0.516  of tags, by MASI  (undefined in 290 draws)
    intervals             95 % of 1,000 draws of dialogs, seed 1
    ");
    let ran = votes(&folder, "code", &["--curve"]);
    insta::assert_snapshot!(ran.out, @r"
    dialog  new codes   read  new  codes
    d1      date, slot     1    2      2
    d2      tone           2    1      3
    d3                     3    0      3
    ");
}

/// Of eleven answers, five are pass, five fail, one defer. Of the pairs about a dialog, all agree on d0 and d2, one of
/// three on d1, none on d3. Observed disagreements: one pair of three answers counts twice, halved, on d1, and one on
/// d3: 2; expected 5·5 + 5·1 + 5·1 = 35.
#[test]
fn verdicts_are_counted_for_programs() {
    let folder = corpus();
    let ran = votes(&folder, "verdict", &["--scheme", "success", "--format", "json"]);
    let all = object(&ran);
    let total = &all["total"];
    let counts = ["items", "answers", "annotators", "answers_pass", "majority_pass", "ties"];
    assert_eq!(counts.map(|name| total[name].as_u64()), [4, 11, 3, 5, 2, 1].map(Some));
    close(&total["agreement"], (1.0 + 1.0 / 3.0 + 1.0) / 4.0);
    close(&total["alpha_nominal"], 1.0 - 10.0 * 2.0 / 35.0);
    assert!(total["alpha_nominal_low"].as_f64() < total["alpha_nominal"].as_f64());
    assert_eq!(total["fleiss_kappa"], Value::Null);
    assert_eq!(total["fleiss_kappa_low"], Value::Null);
    assert_eq!(
        total["undefined"]["fleiss_kappa"],
        "there are from 2 to 3 answers, but the same number is needed everywhere"
    );
    assert_eq!(all["values"][2]["value"], "defer");
    close(&all["values"][2]["share"], 1.0 / 11.0);
    // The same seed gives the same intervals, another one others.
    let again = |seed: &str| {
        let more = ["--scheme", "success", "--format", "json", "--seed", seed];
        object(&votes(&folder, "verdict", &more))["total"].clone()
    };
    assert_eq!(again("1"), *total);
    assert_ne!(again("2"), *total);

    let csv =
        votes(&folder, "verdict", &["--scheme", "success", "--format", "csv", "--by", "annotator"]);
    let lines: Vec<_> = csv.out.lines().collect();
    assert_eq!(
        lines,
        [
            "annotator,answers,answers_pass,answers_fail,answers_defer,agreement_with_rest,agreement_with_majority,undefined",
            "ann,4,2,2,0,0.625,0.5,",
            "bob,4,1,2,1,0.625,0.5,",
            "cy,3,2,1,0,0.6666666666666666,0.6666666666666666,",
        ]
    );
}

/// Both judged all four dialogs, and agree on three. By chance they would on (2·1 + 2·2) of 16.
#[test]
fn two_annotators_are_compared() {
    let folder = corpus();
    let scheme = ["--scheme", "success", "--format", "json"];
    let more = [&scheme[..], &["--confusion", "ann", "bob"]].concat();
    let both = object(&votes(&folder, "verdict", &more));
    assert_eq!(both["dialogs"], json!([[1, 0, 1], [0, 2, 0], [0, 0, 0]]));
    let kappa = (0.75 - 6.0 / 16.0) / (1.0 - 6.0 / 16.0);
    close(&both["statistics"]["cohen_kappa"], kappa);
    let more = [&scheme[..], &["--gold", "ann"]].concat();
    let gold = object(&votes(&folder, "verdict", &more));
    assert_eq!(gold["rows"][0]["annotator"], "bob");
    close(&gold["rows"][0]["cohen_kappa"], kappa);
    assert_eq!(gold["rows"][1]["dialogs"], 3);
    let ran = votes(&folder, "verdict", &["--scheme", "success", "--gold", "dee"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("\"dee\" has no answer"), "{}", ran.err);
}

/// A model is an annotator of its own, and no one of the people whose agreement is measured.
#[test]
fn models_are_not_counted_among_people() {
    let folder = corpus();
    let people = votes(&folder, "verdict", &["--scheme", "success", "--format", "json"]);
    let by_model = |dialog: &str| {
        let mut judgement = verdict(dialog, "defer");
        judgement["run"] = json!("r1");
        judgement
    };
    let all = ["d0", "d1", "d2", "d3"].map(by_model);
    judge(folder.path(), "model:m", &all);
    let ran = votes(&folder, "verdict", &["--scheme", "success", "--format", "json"]);
    let (mut before, mut now) = (object(&people), object(&ran));
    assert_eq!(now["left_out"]["models"], 4);
    for page in [&mut before, &mut now] {
        page["left_out"]["models"] = Value::Null;
    }
    assert_eq!(before, now);
    let text = votes(&folder, "verdict", &["--scheme", "success"]);
    assert!(
        text.out.contains("4, left out (--by annotator and --judge count them)"),
        "{}",
        text.out
    );
    assert_eq!(text.code, 0);
    let rows = votes(&folder, "verdict", &["--scheme", "success", "--by", "annotator"]);
    assert!(rows.out.contains("model:m"), "{}", rows.out);
    // Where nobody else has answered, the model is what one asks about.
    for by in ["ann", "bob", "cy"] {
        fs::remove_file(folder.path().join(format!("judgements/{by}.jsonl"))).unwrap();
    }
    let alone = votes(&folder, "verdict", &["--scheme", "success"]);
    assert!(alone.out.contains("4, 1 a dialog, 1 annotator"), "{}", alone.out);
    assert!(alone.out.contains("the same in every draw"), "{}", alone.out);
}

#[test]
fn scales_have_means_and_levels() {
    let all = object(&votes(&corpus(), "quality", &["--format", "json"]));
    let total = &all["total"];
    close(&total["mean"], 9.0 / 4.0);
    close(&total["median"], 1.5);
    // Observed: one pair of 2 and 5. Expected: 2·1 pairs of 1 and 2, as many of 1 and 5, one of 2 and 5.
    close(&total["alpha_nominal"], 1.0 - 3.0 / 5.0);
    // Ordinal: from 1 to 2, half of two answers and half of one; from 1 to 5, one more; from 2 to 5, two halves.
    let (one_two, one_five, two_five) = (1.5_f64.powi(2), 2.5_f64.powi(2), 1.0);
    let expected = 2.0 * one_two + 2.0 * one_five + two_five;
    close(&total["alpha_ordinal"], 1.0 - 3.0 * two_five / expected);
    assert!(total.get("alpha_interval").is_none());
}

#[test]
fn answers_that_do_not_fit_are_not_counted() {
    let folder = corpus();
    let before = object(&votes(&folder, "verdict", &["--scheme", "success", "--format", "json"]));
    let mut changed = verdict("d0", "fail");
    changed["quote"] = "another text".into();
    judge(folder.path(), "dee", &[verdict("d9", "pass"), changed, verdict("d1", "maybe")]);
    let broken = folder.path().join("judgements/eve.jsonl");
    fs::write(broken, "@a reference\n").unwrap();
    let ran = votes(&folder, "verdict", &["--scheme", "success", "--format", "json"]);
    assert_eq!(ran.code, 1);
    for message in [
        "eve.jsonl: 1 line left out that are not judgements",
        "1 answer left out: there is no such dialog in these files",
        "1 answer left out: the dialog has changed since",
        "1 answer left out: the question does not take such a value",
    ] {
        assert!(ran.err.contains(message), "{message}: {}", ran.err);
    }
    let after = object(&ran);
    assert_eq!(after["total"], before["total"]);
    assert_eq!(after["left_out"], json!({"gone": 1, "changed": 1, "invalid": 1, "models": 0}));
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
    for (input, question, why) in [
        (part.clone(), "code", "-:1: it is about the question \"verdict\", not about \"code\""),
        (
            part.clone() + &other,
            "verdict",
            "-:2: its question \"verdict\" has another `values` than in the parts before it",
        ),
        (
            part.clone() + &part.replace("\"success\"", "\"mine\""),
            "verdict",
            "-:2: its question is one of the scheme \"mine\", that of the parts before it one of \"success\"",
        ),
        (part.repeat(2), "verdict", "is in a part before this one too, and would count twice"),
        (part.clone() + "\n{}\n", "verdict", "-:3: not a part of `votes --partial`"),
        (String::new(), "verdict", "there are no parts in -"),
    ] {
        let ran = votes(&[&["--question", question, "--from", "-"]], &input);
        assert!(ran.code == 2 && ran.err.contains(why), "{why}: {}", ran.err);
    }
    let votes_of_answers = votes(&[&["--from", "-"]], &part);
    assert!(votes_of_answers.code == 2, "{votes_of_answers:?}");
    let why = "it is about the question \"verdict\", not about \"breakdown\"";
    assert!(votes_of_answers.err.contains(why), "{votes_of_answers:?}");
}

#[test]
fn a_question_has_to_be_known_and_countable() {
    let folder = corpus();
    for (question, more, why) in [
        ("verdict", &[][..], "several schemes ask \"verdict\""),
        ("mood", &[], "no scheme here asks \"mood\""),
        ("code", &["--scheme", "success"], "has no question \"code\""),
        ("code", &["--by", "position"], "for questions about turns"),
        ("quality", &["--curve"], "whose answers are tags"),
    ] {
        let ran = votes(&folder, question, more);
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(why), "{}", ran.err);
    }
    // The scheme beside the corpus comes first.
    let printed = run_in(folder.path(), &["schemes", "print", "success"], "").out;
    fs::write(folder.path().join("judging.toml"), printed).unwrap();
    assert_eq!(votes(&folder, "verdict", &[]).code, 0);
}

#[test]
fn rows_are_by_system_and_by_position_too() {
    let folder = corpus();
    let row = |by: &str, question: &str| {
        let more = ["--by", by, "--scheme", "quality", "--format", "csv"];
        let more = if question == "verdict" {
            [&more[..2], &["--scheme", "success"], &more[4..]].concat()
        } else {
            more.to_vec()
        };
        let ran = votes(&folder, question, &more);
        let lines = ran.out.lines().skip(1);
        let first = |line: &str| line.split(',').take(3).collect::<Vec<_>>().join(",");
        lines.map(first).collect::<Vec<_>>()
    };
    // The system is the id up to its number.
    assert_eq!(row("system", "verdict"), ["d,4,11"]);
    assert_eq!(row("position", "quality"), ["1,1,2", "3,1,2"]);
    assert_eq!(row("file", "verdict"), ["a.json,4,11"]);
    assert_eq!(row("dialog", "verdict").len(), 4);
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
}
