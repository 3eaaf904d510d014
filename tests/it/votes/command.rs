//! `turnwise votes`: logs in, tables and figures out.

use std::fs;

use serde_json::Value;

use super::logs::{log, read, votes};
use crate::support::{CORPUS, TempDir, project, run, run_in, scratch};

/// Two logs: one where two annotators and one without an id agree and disagree, and one with one
/// or two votes a turn.
fn two_logs() -> TempDir {
    let folder = scratch();
    let first = log(
        "one",
        &[
            ("U", "hello", &[]),
            ("S", "hello", &[("mk", "O"), ("js", "O"), ("", "O")]),
            ("U", "how are you", &[]),
            ("S", "yes", &[("mk", "X"), ("js", "T"), ("", "X")]),
        ],
    );
    let second = log(
        "two",
        &[
            ("S", "hi", &[]),
            ("S", "there", &[("mk", "O"), ("js", "X")]),
            ("S", "I see", &[("mk", "T")]),
        ],
    );
    fs::write(folder.path().join("1.log.json"), first).unwrap();
    fs::write(folder.path().join("2.log.json"), second).unwrap();
    folder
}

#[test]
fn everything_on_a_page() {
    let ran = votes(&two_logs(), &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out, @r"
    question              breakdown: Can the dialog go on smoothly after this turn?
    judged                4 turns in 2 of 2 dialogs, 2 files
    votes                 9, 1 to 3 a turn, 2 annotators, 2 without an id

    value     votes  majority
    O      4 (44 %)  2 (50 %)
    T      2 (22 %)  1 (25 %)
    X      3 (33 %)  1 (25 %)

    lenient               O 2 (50 %), T+X 2 (50 %)
    ties                  1 (25 %)
    no absolute majority  1 (25 %)

    entropy               0.480  bits
    agreement             0.444  of pairs of answers
    Fleiss' kappa         -      there are from 1 to 3 answers, but the same number is needed everywhere
    Krippendorff's alpha  0.263  nominal
                          0.394  ordinal
    weighted kappa        0.000  linear
                          0.000  quadratic
    ");
}

#[test]
fn a_row_for_each_file_and_dialog() {
    let folder = two_logs();
    insta::assert_snapshot!(votes(&folder, &["--by", "file"]).out, @r"
                                  % of votes  majority
    file            turns  votes   O   T   X  O  T  X  T+X  ties  open  entropy  agree  kappa  alpha  ordinal
    ./1.log.json        2      6  50  17  33  1  0  1    1     0     0    0.459  0.667  0.455  0.545    0.875
    ./2.log.json        2      3  33  33  33  1  1  0    1     1     1    0.500  0.000      -  0.000    0.000
    total, 2 files      4      9  44  22  33  2  1  1    2     1     1    0.480  0.444      -  0.263    0.394

    - ./2.log.json, kappa: there are from 1 to 2 answers, but the same number is needed everywhere
    - total, 2 files, kappa: there are from 1 to 3 answers, but the same number is needed everywhere
    ");
    insta::assert_snapshot!(votes(&folder, &["--by", "dialog", "-t", "0.7"]).out, @r"
                                            % of votes  majority
    file              dialog  turns  votes   O   T   X  O  T  X  T+X  ties  open  entropy  agree  kappa  alpha  ordinal
    ./1.log.json      one         2      6  50  17  33  2  0  0    1     0     0    0.459  0.667  0.455  0.545    0.875
    ./2.log.json      two         2      3  33  33  33  1  1  0    1     1     1    0.500  0.000      -  0.000    0.000
    total, 2 dialogs              4      9  44  22  33  3  1  0    2     1     1    0.480  0.444      -  0.263    0.394

    - ./2.log.json, kappa: there are from 1 to 2 answers, but the same number is needed everywhere
    - total, 2 dialogs, kappa: there are from 1 to 3 answers, but the same number is needed everywhere
    ");
}

#[test]
fn a_row_for_each_system_and_position() {
    let folder = scratch();
    for (id, vote) in [("iris_1", "O"), ("iris_2", "X"), ("YI0001", "T"), ("77", "T")] {
        let text = log(id, &[("U", "hello", &[]), ("S", "hm", &[("mk", vote)])]);
        fs::create_dir_all(folder.path().join("DCM")).unwrap();
        fs::write(folder.path().join(format!("DCM/{id}.log.json")), text).unwrap();
    }
    let ran = votes(&folder, &["--by", "system", "--format", "csv"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows: Vec<_> =
        ran.out.lines().map(|line| line.split(',').take(3).collect::<Vec<_>>().join(",")).collect();
    assert_eq!(rows, ["system,turns,votes", "DCM,1,1", "YI,1,1", "iris,2,2"]);
    let found = read(&votes(&folder, &["--by", "position", "--format", "json"]));
    assert_eq!(found["by"], "position");
    assert_eq!(found["rows"].as_array().unwrap().len(), 1);
    assert_eq!((&found["rows"][0]["position"], &found["rows"][0]["T"]), (&"1".into(), &2.into()));
    let text = votes(&folder, &["--by", "system"]).out;
    assert!(text.contains("total, 3 systems"), "{text}");
}

/// The samples of the manual, printed by the program itself for the logs of the demo.
#[test]
fn examples_in_the_manual_match_the_output() {
    let folder = scratch();
    fs::create_dir(folder.path().join("logs")).unwrap();
    for entry in fs::read_dir(project("assets/demo/dbdc")).unwrap() {
        let path = entry.unwrap().path();
        let to = folder.path().join("logs").join(path.file_name().unwrap());
        fs::copy(&path, to).unwrap();
    }
    let manual = fs::read_to_string(project("assets/manual/votes.md")).unwrap();
    let mut samples = 0;
    for block in manual.split("```\n$ turnwise ").skip(1) {
        let (command, rest) = block.split_once('\n').unwrap();
        let (shown, _) = rest.split_once("\n```").unwrap();
        let (command, pipe) = command.split_once(" | ").unwrap_or((command, ""));
        let columns = pipe.strip_prefix("cut -d, -f1-");
        let columns: Option<usize> = columns.map(|last| last.parse().unwrap());
        let arguments: Vec<_> = command.split(' ').collect();
        if arguments[..2] == ["votes", "logs/"] {
            let ran = run_in(folder.path(), &arguments, "");
            // One of the demo's votes is odd on purpose, which is reported.
            assert!(
                ran.code == 1
                    && ran.err.contains("by an annotator who had already voted on that turn"),
                "{ran:?}"
            );
            let cut = |line: &str| match columns {
                Some(columns) => line.split(',').take(columns).collect::<Vec<_>>().join(","),
                None => line.to_owned(),
            };
            let printed: Vec<_> = ran.out.lines().map(cut).collect();
            assert_eq!(printed.join("\n"), shown, "{command}");
            samples += 1;
        }
    }
    assert_eq!(samples, 2);
}

/// Every annotator judged other turns: no vote is missing, and none is compared with a stranger's.
#[test]
fn annotators_may_differ_from_turn_to_turn() {
    let folder = scratch();
    let text = log(
        "one",
        &[
            ("S", "hi", &[("a", "O"), ("b", "O")]),
            ("U", "hm", &[]),
            ("S", "so", &[("c", "X"), ("d", "T"), ("e", "X")]),
            ("S", "bye", &[("f", "T")]),
        ],
    );
    fs::write(folder.path().join("one.log.json"), text).unwrap();
    let ran = votes(&folder, &[]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("6, 1 to 3 a turn, 6 annotators"), "{}", ran.out);
    let rows = read(&votes(&folder, &["--by", "annotator", "--format", "json"]));
    let of = |id: &str| {
        let rows = rows["rows"].as_array().unwrap();
        rows.iter().find(|row| row["annotator"] == id).unwrap()["agreement_with_rest"].clone()
    };
    assert_eq!((of("a"), of("c"), of("f")), (1.0.into(), 0.5.into(), Value::Null));
}

#[test]
fn a_row_for_each_annotator() {
    insta::assert_snapshot!(votes(&two_logs(), &["--by", "annotator"]).out, @r"
                      % of votes  agrees with
    annotator  votes   O   T   X   rest  majority
    mk             4  50  25  25  0.500     0.333
    js             3  33  33  33  0.333     0.333
    (no id)        2  50   0  50      -         -

    - (no id), majority: these votes have no annotator id
    - (no id), rest: these votes have no annotator id
    ");
}

#[test]
fn two_annotators_against_each_other() {
    let folder = two_logs();
    let ran = votes(&folder, &["--confusion", "mk", "js"]);
    assert_eq!(ran.code, 0);
    insta::assert_snapshot!(ran.out, @r"
           js
    mk     O  T  X  total
    O      1  0  1      2
    T      0  0  0      0
    X      0  1  0      1
    total  1  1  1      3

    agreement             0.333
    Cohen's kappa         0.000
    weighted kappa        0.000  linear
                          0.000  quadratic
    ");
    let ran = votes(&folder, &["--confusion", "mk", "js", "--format", "csv"]);
    assert!(ran.out.starts_with("mk,js,turns\nO,O,1\nO,T,0\nO,X,1\n"), "{}", ran.out);
    let ran = votes(&folder, &["--confusion", "mk", "nobody", "--format", "json"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("\"nobody\" has no vote"), "{}", ran.err);
    let json = read(&ran);
    assert_eq!(json["turns"], serde_json::json!([[0, 0, 0], [0, 0, 0], [0, 0, 0]]));
    assert!(json["statistics"]["cohen_kappa"].is_null());
    let why = &json["statistics"]["undefined"]["cohen_kappa"];
    assert_eq!(why, "the two annotators have answered nothing in common");
}

/// The figures of the four turns by hand: OOO, XTX, OX, T.
#[test]
fn json_has_numbers_and_reasons() {
    let json = read(&votes(&two_logs(), &["--format", "json", "--by", "annotator"]));
    let total = &json["total"];
    let counts = ["turns", "votes", "annotators", "anonymous", "ties", "no_absolute_majority"];
    assert_eq!(counts.map(|name| total[name].as_u64().unwrap()), [4, 9, 2, 2, 1, 1]);
    let agreement = (1.0 + 1.0 / 3.0 + 0.0) / 3.0;
    assert!((total["agreement"].as_f64().unwrap() - agreement).abs() < 1e-12);
    assert!(total["fleiss_kappa"].is_null());
    assert_eq!(
        total["undefined"]["fleiss_kappa"],
        "there are from 1 to 3 answers, but the same number is needed everywhere"
    );
    // Turns 1 to 3 can be paired: O, T, X have 4, 1, 3 of 8 votes; one disagreeing pair of two votes
    // and two of three, which count half.
    let alpha = 1.0 - 7.0 * (1.0 + 2.0 / 2.0) / (4.0 + 12.0 + 3.0);
    assert!((total["alpha_nominal"].as_f64().unwrap() - alpha).abs() < 1e-12);
    let rows = json["rows"].as_array().unwrap();
    let ids: Vec<_> = rows.iter().map(|row| row["annotator"].as_str().unwrap()).collect();
    assert_eq!(ids, ["mk", "js", ""]);
    // mk's O, X, O met OO, TX, X; no other annotator judged the T.
    let rest = (1.0 + 0.5 + 0.0) / 3.0;
    assert!((rows[0]["agreement_with_rest"].as_f64().unwrap() - rest).abs() < 1e-12);
    assert!(rows[2]["agreement_with_rest"].is_null());
    let why = rows[2]["undefined"]["agreement_with_rest"].as_str().unwrap();
    assert_eq!(why, "these votes have no annotator id");
}

#[test]
fn csv_has_a_line_for_each_row() {
    let folder = two_logs();
    let ran = votes(&folder, &["--format", "csv", "--by", "dialog"]);
    let lines: Vec<_> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("file,dialog,turns,votes,") && lines[0].ends_with(",undefined"));
    assert!(lines[1].starts_with("./1.log.json,one,2,6,2,2,3,1,2,1,0,1,"), "{}", lines[1]);
    let why =
        "\"fleiss_kappa: there are from 1 to 2 answers, but the same number is needed everywhere\"";
    assert!(lines[2].ends_with(why), "{}", lines[2]);
    let ran = votes(&folder, &["--format", "csv"]);
    assert_eq!(ran.out.lines().count(), 2);
}

#[test]
fn the_threshold_leaves_more_to_o() {
    let folder = two_logs();
    let majority = |threshold: &str| {
        let total = &read(&votes(&folder, &["--format", "json", "-t", threshold]))["total"];
        ["majority_O", "majority_T", "majority_X"].map(|name| total[name].as_u64().unwrap())
    };
    assert_eq!(majority("0"), [2, 1, 1]);
    assert_eq!(majority("0.67"), [3, 1, 0]);
    for bad in ["1.5", "-1", "NaN", "half"] {
        let ran = votes(&folder, &[&format!("-t={bad}")]);
        assert!(ran.code == 2 && ran.err.contains("a number from 0 to 1"), "{ran:?}");
    }
}

#[test]
fn standard_input_is_read() {
    let text = log("x", &[("S", "hello", &[("a", "O"), ("b", "O")])]);
    let ran = run_in(&std::env::temp_dir(), &["votes", "-", "--format", "json"], &text);
    let json = read(&ran);
    assert_eq!((ran.code, json["dialogs"].as_u64()), (0, Some(1)));
    let why = &json["total"]["undefined"]["alpha_nominal"];
    assert_eq!(why, "all answers are the same, so chance alone gives full agreement");
}

/// Files of other families and detectors' output next to logs are skipped.
#[test]
fn a_folder_may_hold_other_files() {
    let folder = two_logs();
    fs::write(folder.path().join("corpus.json"), CORPUS).unwrap();
    fs::write(
        folder.path().join("1.labels.json"),
        r#"{"dialogue-id": "one", "turns": [{"turn-index": 1, "labels": [{"breakdown": "Q"}]}]}"#,
    )
    .unwrap();
    let ran = votes(&folder, &["--by", "file", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(read(&ran)["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn unreadable_parts_are_reported_and_the_rest_is_counted() {
    let folder = two_logs();
    fs::write(folder.path().join("3.log.json"), "{\"dialogue-id\": \"three\",\n \"turns\": [")
        .unwrap();
    let ran = run_in(folder.path(), &["votes", ".", "gone.json", "--format", "json"], "");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("./3.log.json:"), "{}", ran.err);
    assert!(ran.err.contains("gone.json: cannot be opened"), "{}", ran.err);
    let json = read(&ran);
    assert_eq!(json["total"]["votes"], 9);
    let unreadable = json["unreadable"].as_array().unwrap();
    let files: Vec<_> = unreadable.iter().map(|why| why["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["./3.log.json", "gone.json"]);
}

#[test]
fn odd_votes_are_reported() {
    let folder = scratch();
    let text = log(
        "odd",
        &[("U", "hello", &[("a", "X")]), ("S", "hello", &[("a", "O"), ("b", "Q"), ("a", "T")])],
    );
    fs::write(folder.path().join("odd.log.json"), text).unwrap();
    let ran = votes(&folder, &["--format", "json"]);
    assert_eq!(ran.code, 1);
    for said in [
        "./odd.log.json: 1 vote is not O, T or X",
        "./odd.log.json: 1 vote is on a user turn",
        "./odd.log.json: 1 vote is by an annotator who had already voted on that turn",
        "`breakdown` should be \"O\", \"T\" or \"X\", found \"Q\"",
    ] {
        assert!(ran.err.contains(said), "{said}: {}", ran.err);
    }
    let total = &read(&ran)["total"];
    let counts = ["votes", "unlabelled", "on_user_turns", "repeated"];
    assert_eq!(counts.map(|name| total[name].as_u64().unwrap()), [2, 1, 1, 1]);
}

#[test]
fn without_votes_there_is_nothing_to_say() {
    let ran = run(&["votes", "assets/demo/sim-m.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("no votes in these files"), "{}", ran.err);
    let ran = run(&["votes", "assets/demo/sim-m.json", "--format", "json"]);
    assert_eq!(read(&ran)["total"]["undefined"]["entropy"], "there are no answers");
}

#[test]
fn ids_cannot_play_tricks_on_the_terminal() {
    let folder = scratch();
    let text = log("a\u{1b}[31mb", &[("S", "hi", &[("\u{1b}]0;x\u{7}", "O"), ("b", "X")])]);
    fs::write(folder.path().join("x.log.json"), text).unwrap();
    for arguments in
        [&["--by", "dialog"][..], &["--by", "annotator"], &["--confusion", "\u{1b}]0;x\u{7}", "b"]]
    {
        let ran = votes(&folder, arguments);
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'), "{ran:?}");
    }
}

/// Gold labels for some turns of the two logs, as an adjudicator makes them.
fn gold(folder: &TempDir) {
    let label = |index: u32, label: &str| {
        let [o, t, x] = ["O", "T", "X"].map(|other| f64::from(u8::from(other == label)));
        serde_json::json!({"turn-index": index, "labels": [
            {"breakdown": label, "prob-O": o, "prob-T": t, "prob-X": x, "comment": "clear"}
        ]})
    };
    fs::create_dir(folder.path().join("gold")).unwrap();
    for (id, turns) in [("one", vec![label(1, "O"), label(3, "T")]), ("two", vec![label(1, "X")])] {
        let labels = serde_json::json!({"dialogue-id": id, "gold": true, "turns": turns});
        let name = format!("gold/{id}.labels.json");
        fs::write(folder.path().join(name), labels.to_string()).unwrap();
    }
}

#[test]
fn annotators_are_compared_with_gold_labels() {
    let folder = two_logs();
    gold(&folder);
    let ran = votes(&folder, &["--gold", "gold"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    insta::assert_snapshot!(ran.out, @r"
    3 judged turns with a gold label

                       right / gold
    annotator   turns    O    T    X  agree  kappa  kappa, linear  quadratic
    (majority)      3  1/1  0/1  0/1  0.333  0.000          0.000      0.000
    js              3  1/1  1/1  1/1  1.000  1.000          1.000      1.000
    mk              3  1/1  0/1  0/1  0.333  0.000          0.000      0.000
    ");
    let ran = votes(&folder, &["--gold", "gold", "--format", "csv"]);
    insta::assert_snapshot!(ran.out, @r"
    annotator,turns,right_O,gold_O,right_T,gold_T,right_X,gold_X,agreement,cohen_kappa,kappa_linear,kappa_quadratic,undefined
    (majority),3,1,1,0,1,0,1,0.3333333333333333,0,0,0,
    js,3,1,1,1,1,1,1,1,1,1,1,
    mk,3,1,1,0,1,0,1,0.3333333333333333,0,0,0,
    ");
    let ran = votes(&folder, &["--gold", "gold", "--format", "json"]);
    let rows: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&rows["turns"], &rows["rows"][1]["annotator"]), (&3.into(), &"js".into()));
    let ran = votes(&folder, &["--gold", "nowhere"]);
    assert_eq!(ran.code, 2);
    let ran = votes(&folder, &["--gold", "."]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::write(
        folder.path().join("gold/again.labels.json"),
        fs::read(folder.path().join("gold/one.labels.json")).unwrap(),
    )
    .unwrap();
    let ran = votes(&folder, &["--gold", "gold"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("another file has gold labels for \"one\""), "{}", ran.err);
}
