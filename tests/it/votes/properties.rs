//! Properties of any votes, and the same figures computed in slower ways.

use proptest::prelude::*;
use turnwise::dialog::{Breakdown, Dialog, Role, Speaker, Turn, Vote};
use turnwise::text::Units;
use turnwise::votes::{Annotator, Counted, Distances, Statistic, Tallies, Tally, UndefinedReason};

use super::{Survey, table};

/// The votes on some turns: annotator and label.
type Votes = Vec<Vec<(u8, Breakdown)>>;

fn label() -> impl Strategy<Value = Breakdown> {
    (0_usize..3).prop_map(|i| Breakdown::ALL[i])
}

/// Up to eight annotators, of whom some are missing on some turns.
fn votes() -> impl Strategy<Value = Votes> {
    let turn = prop::collection::btree_map(0_u8..8, label(), 0..8);
    let turn = turn.prop_map(|votes| votes.into_iter().collect());
    prop::collection::vec(turn, 0..12)
}

fn dialog(votes: &Votes, name: impl Fn(u8) -> String) -> Dialog {
    let vote = |(who, breakdown): &(u8, Breakdown)| Vote {
        annotator: name(*who).into(),
        breakdown: Some(*breakdown),
        ..Vote::default()
    };
    let turn = |votes: &Vec<_>| Turn {
        speaker: Speaker { role: Role::System, ..Speaker::default() },
        votes: votes.iter().map(vote).collect(),
        ..Turn::default()
    };
    let mut dialog = Dialog::new(Units::CodePoints);
    dialog.turns = votes.iter().map(turn).collect();
    dialog
}

fn survey(votes: &Votes) -> Survey {
    super::survey(&[dialog(votes, |who| format!("annotator {who}"))])
}

fn statistics<T: Counted>(tallies: &Tallies<T>) -> [Statistic; 5] {
    [
        tallies.agreement(),
        tallies.fleiss_kappa(),
        tallies.alpha(&Distances::Nominal),
        tallies.alpha(&Distances::Ordinal),
        tallies.entropy(),
    ]
}

fn relabelled(votes: &Votes, label: impl Fn(Breakdown) -> Breakdown) -> Votes {
    let turn = |turn: &Vec<_>| turn.iter().map(|(who, b)| (*who, label(*b))).collect();
    votes.iter().map(turn).collect()
}

fn same(a: Statistic, b: Statistic) -> bool {
    match (a, b) {
        (Ok(a), Ok(b)) => (a - b).abs() < 1e-9,
        (a, b) => a == b,
    }
}

/// Alpha from each pair of votes, as its definition says it: disagreement within turns over
/// disagreement among all votes that can be paired.
fn alpha_by_pairs(votes: &Votes, level: &Distances) -> Option<f64> {
    let turns: Vec<_> = votes.iter().filter(|turn| turn.len() > 1).collect();
    let all: Vec<_> = turns.iter().flat_map(|turn| turn.iter().map(|v| v.1)).collect();
    let of = |b: Breakdown| all.iter().filter(|other| **other == b).count() as f64;
    let distance = |a: Breakdown, b: Breakdown| match level {
        Distances::Nominal => f64::from(a != b),
        Distances::Ordinal => {
            let (low, high) = (a.min(b), a.max(b));
            let between = Breakdown::ALL.into_iter().filter(|g| *g >= low && *g <= high);
            (between.map(of).sum::<f64>() - f64::midpoint(of(a), of(b))).powi(2)
        }
        Distances::Interval(numbers) => (numbers[a as usize] - numbers[b as usize]).powi(2),
        Distances::Given(_) if a == b => 0.0,
        Distances::Given(close) => {
            let (low, high) = (a.min(b) as usize, a.max(b) as usize);
            let close = close[high].iter().find(|(other, _)| *other == low);
            1.0 - close.map_or(0.0, |(_, share)| *share)
        }
    };
    let pairs = |labels: &[Breakdown]| {
        let ordered = |(i, a): (usize, &Breakdown)| {
            let others = labels.iter().enumerate().filter(move |(j, _)| *j != i);
            others.map(|(_, b)| distance(*a, *b)).sum::<f64>()
        };
        labels.iter().enumerate().map(ordered).sum::<f64>()
    };
    let n = all.len() as f64;
    let within = |turn: &&Vec<(u8, Breakdown)>| {
        let labels: Vec<_> = turn.iter().map(|v| v.1).collect();
        pairs(&labels) / (labels.len() as f64 - 1.0)
    };
    let observed = turns.iter().map(within).sum::<f64>() / n;
    let expected = pairs(&all) / (n * (n - 1.0));
    (expected > 0.0).then(|| 1.0 - observed / expected)
}

proptest! {
    #[test]
    fn annotators_and_their_order_do_not_change_figures(
        votes in votes(), shift in 0_u8..8, seed in any::<prop::sample::Index>()
    ) {
        let plain = survey(&votes);
        let mut others = votes.clone();
        for turn in &mut others {
            if !turn.is_empty() {
                let by = seed.index(turn.len());
                turn.rotate_left(by);
            }
        }
        let by = seed.index(others.len().max(1));
        others.rotate_left(by);
        let renamed = super::survey(&[dialog(&others, |who| format!("{}", (who + shift) % 8))]);
        prop_assert_eq!(&renamed.tallies, &plain.tallies);
        let nameless = super::survey(&[dialog(&others, |_| String::new())]);
        prop_assert_eq!(&nameless.tallies, &plain.tallies);
        prop_assert_eq!(nameless.anonymous, plain.tallies.votes());
        prop_assert!(nameless.annotators.is_empty());
        let mut before: Vec<_> = plain.annotators.into_values().collect();
        let mut after: Vec<_> = renamed.annotators.into_values().collect();
        let key = |a: &Annotator| format!("{a:?}");
        before.sort_by_key(key);
        after.sort_by_key(key);
        prop_assert_eq!(before, after);
    }

    #[test]
    fn statistics_stay_within_their_bounds(votes in votes()) {
        let Survey { tallies, annotators, .. } = survey(&votes);
        let [agreement, kappa, nominal, ordinal, entropy] = statistics(&tallies);
        let within = |s: Statistic, low: f64, high: f64| {
            s.is_err() || s.is_ok_and(|value| value >= low && value <= high + 1e-12)
        };
        prop_assert!(within(agreement, 0.0, 1.0), "{:?}", agreement);
        for beyond_chance in [kappa, nominal, ordinal] {
            prop_assert!(within(beyond_chance, -1e9, 1.0), "{:?}", beyond_chance);
        }
        prop_assert!(within(entropy, 0.0, 3_f64.log2()), "{:?}", entropy);
        for annotator in annotators.values() {
            prop_assert!(within(annotator.with_rest(), 0.0, 1.0));
            prop_assert!(within(annotator.with_majority(0.0), 0.0, 1.0));
        }
        // Each pair of votes is seen by both who cast them.
        let pairs = votes.iter().any(|turn| turn.len() > 1);
        prop_assert_eq!(annotators.values().any(|a| a.with_rest().is_ok()), pairs);
    }

    #[test]
    fn perfect_agreement_is_one(labels in prop::collection::vec(label(), 1..9), voters in 2_u8..9) {
        let votes = labels.iter().map(|b| (0..voters).map(|who| (who, *b)).collect()).collect();
        let Survey { tallies, annotators, .. } = survey(&votes);
        let [agreement, beyond_chance @ .., entropy] = statistics(&tallies);
        prop_assert_eq!((agreement, entropy), (Ok(1.0), Ok(0.0)));
        let varied = labels.iter().any(|b| *b != labels[0]);
        let expected = if varied { Ok(1.0) } else { Err(UndefinedReason::OneAnswer) };
        prop_assert_eq!(beyond_chance, [expected; 3]);
        for annotator in annotators.values() {
            prop_assert_eq!((annotator.with_rest(), annotator.with_majority(0.0)), (Ok(1.0), Ok(1.0)));
        }
    }

    #[test]
    fn alpha_is_what_its_definition_says(votes in votes()) {
        let tallies = survey(&votes).tallies;
        let interval = Distances::Interval(vec![1.0, 2.0, 5.0]);
        let given = Distances::Given(vec![vec![], vec![(0, 0.7)], vec![(1, 0.5)]]);
        for level in [&Distances::Nominal, &Distances::Ordinal, &interval, &given] {
            let by_pairs = alpha_by_pairs(&votes, level);
            match (tallies.alpha(level), by_pairs) {
                (Ok(alpha), Some(by_pairs)) => prop_assert!((alpha - by_pairs).abs() < 1e-9),
                (alpha, by_pairs) => prop_assert!(alpha.is_err() && by_pairs.is_none()),
            }
        }
    }

    /// The names of nominal labels do not matter, and for ordinal ones it does not matter which end
    /// is up.
    #[test]
    fn labels_may_change_places(votes in votes()) {
        use Breakdown::{O, T, X};
        let plain = statistics(&survey(&votes).tallies);
        let turned = relabelled(&votes, |b| [X, T, O][b as usize]);
        for (a, b) in plain.into_iter().zip(statistics(&survey(&turned).tallies)) {
            prop_assert!(same(a, b), "{:?} {:?}", a, b);
        }
        let cycled = statistics(&survey(&relabelled(&votes, |b| [T, X, O][b as usize])).tallies);
        for i in [0, 1, 2, 4] {
            prop_assert!(same(plain[i], cycled[i]), "{:?} {:?}", plain[i], cycled[i]);
        }
    }

    /// With as many votes on every turn, alpha is Fleiss' kappa with a correction for the size of the
    /// sample.
    #[test]
    fn alpha_and_kappa_agree_on_full_tables(
        turns in prop::collection::vec(prop::collection::vec(label(), 5), 1..10)
    ) {
        let tally = |labels: &Vec<Breakdown>| {
            let mut counts = [0; 3];
            for b in labels {
                counts[*b as usize] += 1;
            }
            Tally { counts }
        };
        let tallies: Tallies = turns.iter().map(tally).collect();
        let votes = tallies.votes() as f64;
        let from_kappa = tallies.fleiss_kappa().map(|kappa| 1.0 - (1.0 - kappa) * (votes - 1.0) / votes);
        prop_assert!(same(tallies.alpha(&Distances::Nominal), from_kappa));
    }

    #[test]
    fn gathering_in_parts_changes_nothing(votes in votes(), cut in any::<prop::sample::Index>()) {
        let (left, right) = votes.split_at(cut.index(votes.len() + 1));
        let of = |votes: &[_]| dialog(&votes.to_vec(), |who| format!("annotator {who}"));
        prop_assert_eq!(super::survey(&[of(right), of(left)]), survey(&votes));
    }

    #[test]
    fn a_confusion_turned_round_is_the_others(votes in votes()) {
        let dialog = dialog(&votes, |who| who.to_string());
        let table = table(&[dialog]);
        let number = |id: &str| table.annotator(id).unwrap_or(99);
        let one = table.ratings.confusion(number("0"), number("1"));
        let other = table.ratings.confusion(number("1"), number("0"));
        prop_assert_eq!(one.first(), other.second());
        prop_assert_eq!(one.agreement(), other.agreement());
        prop_assert!(same(one.kappa(), other.kappa()));
        let shared = votes.iter().filter(|turn| [0, 1].iter().all(|w| turn.iter().any(|v| v.0 == *w)));
        prop_assert_eq!(one.total(), shared.count() as u64);
        // The confusion of two annotators equals their agreement.
        if one.total() > 0 {
            let both = |turn: &Vec<(u8, Breakdown)>| {
                let of_both: Vec<_> = turn.iter().copied().filter(|v| v.0 < 2).collect();
                (of_both.len() == 2).then_some(of_both)
            };
            let pairs: Votes = votes.iter().filter_map(both).collect();
            prop_assert!(same(one.agreement(), survey(&pairs).tallies.agreement()));
        }
    }
}
