//! Tests of `src/votes/score.rs`.

use Breakdown::{O, X};
use turnwise::dialog::{Breakdown, Detection, Dialog, Turn};
use turnwise::text::Units;
use turnwise::votes::*;

fn labels(given: &[(u32, Breakdown, [f64; 3])]) -> Dialog {
    let turn = |(index, breakdown, probabilities): &(u32, Breakdown, [f64; 3])| Turn {
        index: Some(*index),
        detections: vec![Detection {
            breakdown: Some(*breakdown),
            probabilities: probabilities.map(Some),
            ..Detection::default()
        }],
        ..Turn::default()
    };
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = given.iter().map(turn).collect();
    dialog
}

fn turns(counts: &[[u32; 3]]) -> Vec<ScoredTurn> {
    let turn = |(turn, counts): (usize, &[u32; 3])| ScoredTurn {
        turn,
        index: u32::try_from(turn).ok(),
        tally: Tally { counts: *counts },
    };
    counts.iter().enumerate().map(turn).collect()
}

const O_SURE: [f64; 3] = [1.0, 0.0, 0.0];
const X_SURE: [f64; 3] = [0.0, 0.0, 1.0];

fn close(found: Statistic, expected: f64) {
    assert!((found.unwrap() - expected).abs() < 1e-12, "{found:?} {expected}");
}

/// Majorities O, X, X, T; leniently O, T+X, T+X, T+X. The detector says O, X, O, X.
///
/// Divergences where the votes are all for one label: 0 if the detector is sure of it, 1 if it
/// is sure of another. Votes half O, half X against a sure X: between them 1/4 and 3/4, so half
/// of 1/2 log2 2 + 1/2 log2 2/3 + log2 4/3.
#[test]
fn a_score_by_hand() {
    let mut score = Score::new(0.0, Pairing::Order);
    let votes = turns(&[[4, 0, 0], [0, 0, 4], [0, 0, 4], [0, 4, 0]]);
    let given = [(0, O, O_SURE), (1, X, X_SURE), (2, O, O_SURE), (3, X, X_SURE)];
    assert_eq!(score.add(&votes, &labels(&given)), Ok(vec![]));
    assert_eq!((score.turns(), score.labels()), (4, [1, 1, 2]));
    close(score.accuracy(), 0.5);
    let x = score.found(TargetLabels::X);
    assert_eq!(x, HitCounts { hits: 1, detected: 2, there: 2 });
    let tx = score.found(TargetLabels::Tx);
    assert_eq!(tx, HitCounts { hits: 2, detected: 2, there: 3 });
    close(tx.precision(), 1.0);
    close(tx.recall(), 2.0 / 3.0);
    close(tx.f_measure(), 0.8);
    for (grouping, divergence, error) in [
        (LabelGrouping::Each, 0.5, 4.0 / 3.0 / 4.0),
        (LabelGrouping::Breakdowns, 0.25, 0.25),
        (LabelGrouping::NoBreakdowns, 0.5, 0.5),
    ] {
        close(score.divergence(grouping), divergence);
        close(score.squared_error(grouping), error);
    }
    let mut score = Score::new(0.0, Pairing::Order);
    score.add(&turns(&[[2, 0, 2]]), &labels(&[(0, X, X_SURE)])).unwrap();
    let half = 0.5 * (0.5 + 0.5 * (2.0_f64 / 3.0).log2() + (4.0_f64 / 3.0).log2());
    close(score.divergence(LabelGrouping::Each), half);
    close(score.squared_error(LabelGrouping::Each), 0.5 / 3.0);
}
