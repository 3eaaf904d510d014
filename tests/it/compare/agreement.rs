//! `turnwise compare`: how far copies agree, on made copies with known figures.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{TempDir, project, run_in, scratch};

/// A span: start, end, label.
type Span<'a> = (usize, usize, &'a str);

/// A dialog of one turn with 16 characters.
fn dialog(id: &str, text: &str, spans: &[Span<'_>]) -> Value {
    let segment = |&(start, end, label): &Span<'_>| {
        let quote: String = text.chars().skip(start).take(end - start).collect();
        json!({"start_index": start, "end_index": end, "text": quote, "annotations": [{"name": label}]})
    };
    let segments: Vec<_> = spans.iter().map(segment).collect();
    json!({"conversation_id": id, "utterances": [
        {"index": 0, "speaker": "USER", "text": text, "segments": segments},
    ]})
}

fn folder(copies: &[(&str, Vec<Value>)]) -> TempDir {
    let folder = scratch();
    for (name, dialogs) in copies {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, Value::from(dialogs.clone()).to_string()).unwrap();
    }
    folder
}

const TEXT: &str = "Sunday, at seven";

/// The copies of nervaluate's example: a span one short, and one with another label.
fn example() -> TempDir {
    let gold = dialog("d1", TEXT, &[(0, 5, "date"), (10, 14, "time")]);
    let copy = dialog("d1", TEXT, &[(0, 4, "date"), (10, 14, "place")]);
    folder(&[("a.json", vec![gold]), ("b.json", vec![copy])])
}

fn compare(folder: &Path, arguments: &[&str], code: i32) -> (Value, String) {
    let mut all = vec!["compare"];
    all.extend(arguments);
    all.extend(["--format", "json"]);
    let ran = run_in(folder, &all, "");
    assert_eq!(ran.code, code, "{ran:?}");
    (serde_json::from_str(&ran.out).unwrap(), ran.err)
}

/// The values of the rows about `of`, by label and figure.
fn values(output: &Value, copies: &str, of: &str) -> BTreeMap<(String, String), Value> {
    let rows = output["rows"].as_array().unwrap().iter();
    let rows = rows.filter(|row| row["copies"] == copies && row["of"] == of);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    rows.map(|row| ((text(&row["label"]), text(&row["figure"])), row["value"].clone())).collect()
}

fn value(output: &Value, of: &str, label: &str, figure: &str) -> Value {
    values(output, "A B", of)[&(label.to_owned(), figure.to_owned())].clone()
}

#[test]
fn spans_are_compared_as_by_nervaluate() {
    let folder = example();
    let (found, errors) = compare(folder.path(), &["a.json", "b.json"], 0);
    assert_eq!(errors, "");
    for (figure, expected) in [
        ("strict_f1", 0.0),
        ("exact_f1", 0.5),
        ("partial_f1", 0.75),
        ("type_f1", 0.5),
        ("type_precision", 0.5),
    ] {
        assert_eq!(value(&found, "spans", "", figure), expected, "{figure}");
    }
    // Four of five and of four positions.
    let f1 = value(&found, "label", "date", "position_f1");
    assert_eq!(f1, 8.0 / 9.0);
    assert_eq!(value(&found, "label", "time", "strict_f1"), 0.0);
    assert_eq!(value(&found, "texts", "", "exact"), 1.0);
}

#[test]
fn what_is_undefined_says_why() {
    let folder = example();
    let (found, _) = compare(folder.path(), &["a.json", "b.json"], 0);
    let rows = found["rows"].as_array().unwrap();
    let place = |figure: &str| {
        let mut rows = rows.iter();
        let row = rows.find(|row| row["label"] == "place" && row["figure"] == figure);
        row.unwrap().clone()
    };
    let recall = place("strict_recall");
    assert_eq!((&recall["value"], &recall["value_low"]), (&Value::Null, &Value::Null));
    assert_eq!(recall["undefined"]["value"], "a copy has no such span");
    for figure in ["alpha_u_2004", "u_alpha_2016", "u_alpha_2016_value"] {
        assert_eq!(place(figure)["undefined"]["value"], "a copy has no such span");
    }
    assert_eq!(place("alpha_u_2004")["over"], "line");
    assert_eq!(place("strict_f1")["value"], 0.0);
}

#[test]
fn figures_for_people_have_intervals_and_the_seed() {
    let folder = example();
    let ran = run_in(
        folder.path(),
        &["compare", "a.json", "b.json", "--draws", "20", "--seed", "9", "--gamma"],
        "",
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for line in [
        "A                     a.json: 1 dialog, 2 spans\n",
        "exact F1              0.500  the same in every draw  P 0.500, R 0.500\n",
        "30 samples, seed 9, standard error ",
        "95 % of 20 draws of dialogs, seed 9\n",
        "alpha_U 2004",
        "u-alpha 2016",
    ] {
        assert!(ran.out.contains(line), "{line}\n{}", ran.out);
    }
    assert!(!ran.out.contains("unitizing"), "{}", ran.out);
    let again = run_in(
        folder.path(),
        &["compare", "a.json", "b.json", "--draws", "20", "--seed", "9", "--gamma"],
        "",
    );
    assert_eq!(ran.out, again.out);
}

#[test]
fn dialogs_that_cannot_be_compared_are_counted_and_left_out() {
    let spans = [(0, 6, "date"), (0, 6, "day")];
    let same = || dialog("d1", TEXT, &spans);
    let mut unplaced = same();
    unplaced["utterances"][0]["segments"][1]["end_index"] = 60.into();
    let ours = vec![same(), dialog("d2", TEXT, &[]), dialog("d3", "only here", &[])];
    let theirs = vec![dialog("d2", "Monday, at seven", &[(0, 6, "date")]), unplaced];
    let folder = folder(&[("a.json", ours), ("b.json", theirs)]);
    let (found, errors) = compare(folder.path(), &["a.json", "b.json"], 1);
    assert_eq!(errors, "");
    let counts = |name: &str| found[name].as_u64().unwrap();
    assert_eq!([counts("matched"), counts("other_texts"), counts("compared")], [2, 1, 1]);
    let copies = [&found["copies"][0], &found["copies"][1]];
    let of = |name: &str| copies.map(|copy| copy[name].as_u64().unwrap());
    assert_eq!((of("not_in_all"), of("unplaced"), of("spans")), ([1, 0], [0, 1], [2, 1]));
    assert_eq!(value(&found, "spans", "", "strict_f1"), 2.0 / 3.0);
    // Spans of one copy overlap, but those of one label do not.
    assert_eq!(value(&found, "spans", "", "u_alpha_2016"), Value::Null);
    assert_eq!(value(&found, "label", "date", "u_alpha_2016"), 1.0);
    assert_eq!(value(&found, "texts", "", "exact"), 0.5);
    let ran = run_in(folder.path(), &["compare", "a.json", "b.json"], "");
    for note in [
        "3 dialogs, 2 spans, 1 dialog not in all copies\n",
        "1 span without a place in the text left out\n",
        "2 dialogs in all copies, 1 with other texts left out\n",
    ] {
        assert!(ran.out.contains(note), "{note}\n{}", ran.out);
    }
}

#[test]
fn copies_of_other_corpora_have_nothing_in_common() {
    let ours = vec![dialog("d1", TEXT, &[(0, 6, "date")])];
    let theirs = vec![dialog("x1", "another text", &[(0, 7, "date")])];
    let folder = folder(&[("a.json", ours), ("b.json", theirs)]);
    let (found, errors) = compare(folder.path(), &["a.json", "b.json"], 1);
    assert!(errors.contains("the copies have no dialog in common"), "{errors}");
    let figures = values(&found, "A B", "spans").into_values();
    assert!(figures.into_iter().all(|figure| figure.is_null()), "{found}");
    let ran = run_in(folder.path(), &["compare", "a.json", "none.json"], "");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
}

#[test]
fn more_copies_are_compared_in_pairs_and_together() {
    let copy = |end: usize| vec![dialog("d1", TEXT, &[(0, end, "date")])];
    let folder = folder(&[("a/x.json", copy(6)), ("b/x.json", copy(6)), ("c/x.json", copy(5))]);
    let (found, _) = compare(folder.path(), &["a", "b", "c", "--draws", "0"], 0);
    let exact = |copies: &str| {
        let values = values(&found, copies, "spans");
        values.get(&(String::new(), "exact_f1".to_owned())).cloned()
    };
    let expected = [Some(json!(1.0)), Some(json!(0.0)), Some(json!(0.0)), None];
    assert_eq!(["A B", "A C", "B C", "A B C"].map(exact), expected);
    let all = values(&found, "A B C", "spans");
    assert!(all[&(String::new(), "alpha_u_2004".to_owned())].is_f64());
    let ran =
        run_in(folder.path(), &["compare", "a", "b", "c", "--draws", "0", "--format", "csv"], "");
    assert!(ran.out.starts_with("copies,of,label,figure,over,value,undefined\n"), "{}", ran.out);
    assert!(ran.out.contains("\nA B,spans,,exact_f1,turns,1,\n"), "{}", ran.out);
}

#[test]
fn acts_and_states_are_compared_as_sets() {
    let folder = scratch();
    let corpus = fs::read_to_string(project("assets/demo/sim-m.json")).unwrap();
    fs::write(folder.path().join("a.json"), &corpus).unwrap();
    fs::write(folder.path().join("b.json"), corpus.replace("harbor street cinema", "Odeon"))
        .unwrap();
    let (found, _) = compare(folder.path(), &["a.json", "a.json"], 0);
    for of in ["texts", "acts", "intents", "state"] {
        assert_eq!(value(&found, of, "", "exact"), 1.0, "{of}");
    }
    assert_eq!(value(&found, "state", "", "alpha_masi"), 1.0);
    // The texts differ, too, so these dialogs are left out.
    let (found, _) = compare(folder.path(), &["a.json", "b.json"], 1);
    assert!(value(&found, "texts", "", "exact").as_f64().unwrap() < 1.0);
    assert!(found["other_texts"].as_u64().unwrap() > 0);
}
