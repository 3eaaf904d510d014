//! Tests of `src/votes/judge.rs`.

use turnwise::votes::student::*;
use turnwise::votes::*;

#[test]
fn rates_are_corrected_by_hand() {
    let rates = JudgeRates { labelled: [[8, 2], [4, 16]], judged: [40, 60] };
    assert_eq!(rates.true_positive(), Ok(0.8));
    assert_eq!(rates.true_negative(), Ok(0.8));
    assert!((rates.corrected().unwrap() - (0.6 + 0.8 - 1.0) / 0.6).abs() < 1e-12);
    let high = JudgeRates { judged: [0, 5], ..rates.clone() };
    assert_eq!(high.corrected(), Ok(1.0));
    let guessing = JudgeRates { labelled: [[5, 5], [5, 5]], ..rates };
    assert_eq!(guessing.corrected(), Err(UndefinedReason::NotBetterThanChance));
    let one_sided = JudgeRates { labelled: [[0, 0], [4, 16]], judged: [0, 0] };
    assert_eq!(one_sided.true_negative(), Err(UndefinedReason::NoSuchAnswer));
    assert_eq!(one_sided.observed(), Err(UndefinedReason::NoAnswers));
}

/// Three people and a judge, 3, who always says what most of them say; the first person disagrees on every fourth item.
fn ratings(items: usize) -> Ratings {
    let item = |number: u32| {
        let common = number % 2;
        let first = if number.is_multiple_of(4) { 1 - common } else { common };
        let given = (0..).zip([first, common, common, common]);
        let ratings = given.map(|(annotator, category)| Rating { annotator, category });
        RatedItem { dialog: number, turn: None, ratings: ratings.collect(), gold: None }
    };
    Ratings {
        annotators: 4,
        categories: 2,
        dialogs: items,
        items: (0..items as u32).map(item).collect(),
    }
}

#[test]
fn a_judge_that_agrees_beats_everybody() {
    let test = AltTest::new(&ratings(40), 3, &[0, 1, 2], 0.2);
    assert_eq!((test.winning_rate(), test.advantage()), (Ok(1.0), Ok(1.0)));
    let [first, second, _] = &test.people[..] else {
        panic!("three people");
    };
    assert_eq!((first.items, first.judge, first.person), (40, 40, 30));
    assert_eq!((second.judge, second.person, second.p), (40, 40, 0.0));
    // The mean of 40 differences of 0 or -1 is -0.25, their variance 7.5 / 39.
    let t = (-0.25 - 0.2) / (7.5_f64 / 39.0 / 40.0).sqrt();
    assert!((first.p - student_t(t, 39.0)).abs() < 1e-15);
}

#[test]
fn who_has_judged_little_is_left_out() {
    let test = AltTest::new(&ratings(29), 3, &[0, 1, 2], 0.2);
    assert_eq!(test.left_out, [0, 1, 2]);
    assert_eq!(test.winning_rate(), Err(UndefinedReason::TooFewItems));
}
