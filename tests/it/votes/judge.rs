//! `turnwise votes --judge`: a judge beside people.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::questions::{close, judge, verdict};
use crate::support::random::Random;
use crate::support::{Ran, run_in, scratch};

const DIALOGS: usize = 60;
/// Those that people have judged.
const LABELLED: usize = 40;

/// The answers of three people, and of a model; true means pass.
struct Team {
    folder: TempDir,
    people: [Vec<bool>; 3],
    model: Vec<bool>,
}

fn team() -> Team {
    let folder = scratch();
    let dialog = |number: usize| {
        json!({"conversation_id": format!("d{number:02}"), "utterances":
            [{"index": 0, "speaker": "ASSISTANT", "text": number.to_string()}]})
    };
    let dialogs: Vec<_> = (0..DIALOGS).map(dialog).collect();
    fs::write(folder.path().join("a.json"), json!(dialogs).to_string()).unwrap();
    let mut random = Random(11);
    let truth: Vec<bool> = (0..DIALOGS).map(|_| random.below(2) == 0).collect();
    let mut answers = |count: usize, wrong: u64| -> Vec<bool> {
        let said = truth[..count].iter();
        said.map(|right| *right != (random.below(wrong) == 0)).collect()
    };
    let people = [answers(LABELLED, 8), answers(LABELLED, 5), answers(LABELLED, 6)];
    let model = answers(DIALOGS, 7);
    let lines = |said: &[bool]| -> Vec<Value> {
        let each = said.iter().enumerate();
        each.map(|(number, pass)| {
            let value = if *pass { "pass" } else { "fail" };
            verdict(&format!("d{number:02}"), value)
        })
        .collect()
    };
    for (by, said) in ["ann", "bob", "cy"].into_iter().zip(&people) {
        judge(folder.path(), by, &lines(said));
    }
    let mut of_model = lines(&model);
    for line in &mut of_model {
        line["run"] = "m".into();
    }
    judge(folder.path(), "model:m", &of_model);
    Team { folder, people, model }
}

fn votes(folder: &TempDir, more: &[&str]) -> Ran {
    let asked = ["votes", "a.json", "--question", "verdict", "--scheme", "success"];
    run_in(folder.path(), &[&asked[..], more].concat(), "")
}

/// The probability below `t` in Student's distribution: its density, added up in small steps.
fn below(t: f64, freedom: f64) -> f64 {
    let density = |x: f64| (1.0 + x * x / freedom).powf(-f64::midpoint(freedom, 1.0));
    let sum = |from: f64, to: f64| {
        let steps = 200_000;
        let width = (to - from) / f64::from(steps);
        let middle = |step| density((f64::from(step) + 0.5).mul_add(width, from));
        (0..steps).map(middle).sum::<f64>() * width
    };
    sum(-200.0, t) / sum(-200.0, 200.0)
}

#[test]
fn a_judge_is_compared_with_gold_and_with_people() {
    let Team { folder, people, model } = team();
    let ran = votes(&folder, &["--judge", "m", "--gold", "ann", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let object: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(object["judge"], "model:m");
    assert_eq!(object["values"], json!(["fail", "pass"]));
    let gold = &people[0];
    let share = |wanted: bool| {
        let of = (0..LABELLED).filter(|item| gold[*item] == wanted);
        let hits = of.clone().filter(|item| model[*item] == wanted).count();
        hits as f64 / of.count() as f64
    };
    let (positive, negative) = (share(true), share(false));
    let observed = model.iter().filter(|pass| **pass).count() as f64 / DIALOGS as f64;
    let rates = &object["rates"];
    close(&rates["tpr"], positive);
    close(&rates["tnr"], negative);
    close(&rates["observed_rate"], observed);
    let corrected = (observed + negative - 1.0) / (positive + negative - 1.0);
    close(&rates["corrected_rate"], corrected.clamp(0.0, 1.0));
    let low = rates["corrected_rate_low"].as_f64().unwrap();
    assert!(low < corrected && corrected < rates["corrected_rate_high"].as_f64().unwrap());
    assert_eq!((&rates["judged_by_both"], &rates["judged"]), (&40.into(), &60.into()));
    let mut advantage = 0.0;
    for (person, row) in object["people"].as_array().unwrap().iter().enumerate() {
        let hits = |said: bool, item: usize| {
            let others = (0..3).filter(|other| *other != person);
            others.filter(|other| people[*other][item] == said).count()
        };
        let pairs = (0..LABELLED).map(|item| {
            let (judge, own) = (hits(model[item], item), hits(people[person][item], item));
            (f64::from(judge >= own), f64::from(own >= judge))
        });
        let pairs: Vec<(f64, f64)> = pairs.collect();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / 40.0;
        let worse = mean(&|(judge, own)| own - judge);
        let spread = mean(&|(judge, own)| (own - judge - worse).powi(2)) * 40.0 / 39.0;
        close(&row["judge_wins"], mean(&|(judge, _)| *judge));
        close(&row["annotator_wins"], mean(&|(_, own)| *own));
        let p = below((worse - 0.2) / (spread / 40.0).sqrt(), 39.0);
        assert!((row["p"].as_f64().unwrap() - p).abs() < 1e-8, "{row} {p}");
        advantage += mean(&|(judge, _)| *judge) / 3.0;
    }
    close(&object["alt_test"]["advantage_probability"], advantage);
}

#[test]
fn the_figures_of_a_judge_are_for_people_too() {
    let Team { folder, .. } = team();
    let ran = votes(&folder, &["--judge", "model:m", "--gold", "ann"]);
    for line in [
        "judge                 model:m, on verdict\n",
        "compared              40 of 60 dialogs, those that ann also judged\n",
        "corrected rate ",
        "alternative annotator test, epsilon 0.2\n",
        "winning rate ",
    ] {
        assert!(ran.out.contains(line), "{line}: {}", ran.out);
    }
    let test = votes(&folder, &["--judge", "m", "--epsilon", "0.1"]);
    assert!(!test.out.contains("corrected") && test.out.contains("epsilon 0.1"), "{}", test.out);
    let unknown = votes(&folder, &["--judge", "nobody"]);
    let why = "\"nobody\" has no answer";
    assert!(unknown.code == 1 && unknown.err.contains(why), "{unknown:?}");
    let csv = votes(&folder, &["--judge", "m", "--gold", "ann", "--format", "csv"]).out;
    assert!(csv.starts_with("judged_by_both,judged,tpr,tpr_low,"), "{csv}");
    // Too few have judged.
    for by in ["bob", "cy"] {
        fs::remove_file(folder.path().join(format!("judgements/{by}.jsonl"))).unwrap();
    }
    let alone = votes(&folder, &["--judge", "m"]).out;
    assert!(alone.contains("winning rate          -      nobody has judged 30 items"), "{alone}");
    assert!(alone.contains("ann, who has judged too little"), "{alone}");
}
