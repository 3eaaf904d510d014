//! Tests of `src/votes/score.rs`.

use Breakdown::{O, T, X};
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

#[test]
fn a_threshold_changes_what_is_right() {
    let votes = turns(&[[2, 3, 5]]);
    let given = labels(&[(0, X, X_SURE)]);
    for (threshold, correct) in [(0.0, 1), (0.5, 1), (0.51, 0)] {
        let mut score = Score::new(threshold, Pairing::Order);
        score.add(&votes, &given).unwrap();
        assert_eq!(score.correct(), correct, "{threshold}");
    }
}

#[test]
fn labels_are_paired_by_order_or_number() {
    let votes = turns(&[[4, 0, 0], [0, 0, 4]]);
    let given = labels(&[(1, X, X_SURE), (0, O, O_SURE), (7, T, X_SURE)]);
    let mut score = Score::new(0.0, Pairing::Order);
    let crossed = score.add(&votes, &given).unwrap();
    assert_eq!(crossed, [TurnMismatch { turn: 0, label: 1 }, TurnMismatch { turn: 1, label: 0 }]);
    close(score.accuracy(), 0.0);
    let mut score = Score::new(0.0, Pairing::Number);
    assert_eq!(score.add(&votes, &given), Ok(vec![]));
    close(score.accuracy(), 1.0);
}

#[test]
fn an_impossible_comparison_has_its_reason() {
    let votes = turns(&[[4, 0, 0], [0, 0, 4]]);
    let one = labels(&[(0, O, O_SURE)]);
    let mut score = Score::new(0.0, Pairing::Order);
    let few = ScoreError::TooFew { labels: 1, judged: 2 };
    assert_eq!(score.add(&votes, &one), Err(few));
    assert_eq!(score.turns(), 0);
    let mut by_number = Score::new(0.0, Pairing::Number);
    assert_eq!(by_number.add(&votes, &one), Err(ScoreError::NoLabel { turn: 1 }));
    let negative = labels(&[(0, O, [1.1, -0.1, 0.0])]);
    let why = score.add(&votes[..1], &negative).unwrap_err();
    assert_eq!(why.to_string(), "turn 0: the `prob-T` of its label should be a number, at least 0");
    let nobody = turns(&[[0, 0, 0]]);
    assert_eq!(score.add(&nobody, &one), Err(ScoreError::NoVotes { turn: 0 }));
    assert_eq!(score.accuracy(), Err(UndefinedReason::NoTurns));
    let x = score.found(TargetLabels::X);
    assert_eq!(x.precision(), Err(UndefinedReason::NoneDetected));
    assert_eq!(
        (x.recall(), x.f_measure()),
        (Err(UndefinedReason::NoneThere), Err(UndefinedReason::NoneThere))
    );
}
