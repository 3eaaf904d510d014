//! Prints a score as the challenge's evaluation script does, and as JSON.

use std::io::{self, Write as _};

use serde_json::{Map, Value, json};

use crate::cli::printer::Printer;
use crate::votes::{HitCounts, LabelGrouping, Score, Statistic, TargetLabels};

/// Prints exactly the script's output, including its tabs, because other programs read it.
pub fn text(score: &Score, files: u64, out: &mut Printer) -> io::Result<()> {
    let [o, t, x] = score.labels();
    writeln!(out, "######### Data Stats #########")?;
    writeln!(out, "File Num : \t\t{files}")?;
    writeln!(out, "System Utterance Num : \t{}", score.turns())?;
    writeln!(out, "O Label Num : \t\t{o}")?;
    writeln!(out, "T Label Num : \t\t{t}")?;
    writeln!(out, "X Label Num : \t\t{x}\n")?;
    writeln!(out, "######### Results #########")?;
    let (accuracy, correct) = (decimals(score.accuracy()), score.correct());
    writeln!(out, "Accuracy : \t\t{accuracy} ({correct}/{})\n", score.turns())?;
    found(score.found(TargetLabels::X), "X", out)?;
    found(score.found(TargetLabels::Tx), "T+X", out)?;
    for grouping in LabelGrouping::ALL {
        let value = decimals(score.divergence(grouping));
        writeln!(out, "JS divergence ({}) : \t{value}", grouping.name())?;
    }
    writeln!(out)?;
    for grouping in LabelGrouping::ALL {
        let value = decimals(score.squared_error(grouping));
        writeln!(out, "Mean squared error ({}) : \t{value}", grouping.name())?;
    }
    writeln!(out, "###########################")
}

fn found(found: HitCounts, label: &str, out: &mut Printer) -> io::Result<()> {
    let HitCounts { hits, detected, there } = found;
    let precision = decimals(found.precision());
    writeln!(out, "Precision ({label}) : \t{precision} ({hits}/{detected})")?;
    let recall = decimals(found.recall());
    writeln!(out, "Recall    ({label}) : \t{recall} ({hits}/{there})")?;
    writeln!(out, "F-measure ({label}) : \t{}\n", decimals(found.f_measure()))
}

/// Formats a statistic; like the script, prints 0 if it is undefined.
fn decimals(statistic: Statistic) -> String {
    format!("{:.6}", statistic.unwrap_or(0.0))
}

pub fn json(score: &Score, files: u64, threshold: f64, out: &mut Printer) -> io::Result<()> {
    let mut undefined = Map::new();
    let mut value = |name: &str, statistic: Statistic| match statistic {
        Ok(value) => json!(value),
        Err(why) => {
            undefined.insert(name.to_owned(), json!(why.to_string()));
            Value::Null
        }
    };
    let accuracy = value("accuracy", score.accuracy());
    let mut quality = |name: &str, sought: TargetLabels| {
        let found = score.found(sought);
        json!({
            "hits": found.hits,
            "detected": found.detected,
            "there": found.there,
            "precision": value(&format!("{name}.precision"), found.precision()),
            "recall": value(&format!("{name}.recall"), found.recall()),
            "f_measure": value(&format!("{name}.f_measure"), found.f_measure()),
        })
    };
    let (x, tx) = (quality("X", TargetLabels::X), quality("T+X", TargetLabels::Tx));
    let grouped = |of: &dyn Fn(LabelGrouping) -> Statistic| -> Map<String, Value> {
        let one = |grouping: LabelGrouping| (grouping.name().to_owned(), json!(of(grouping).ok()));
        LabelGrouping::ALL.into_iter().map(one).collect()
    };
    let object = json!({
        "threshold": threshold,
        "files": files,
        "turns": score.turns(),
        "labels": score.labels(),
        "correct": score.correct(),
        "accuracy": accuracy,
        "X": x,
        "T+X": tx,
        "js_divergence": grouped(&|grouping| score.divergence(grouping)),
        "mean_squared_error": grouped(&|grouping| score.squared_error(grouping)),
        "undefined": undefined,
    });
    out.json(&object)?;
    writeln!(out)
}
