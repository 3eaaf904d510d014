//! Figures of votes and answers, by hand.

use std::collections::BTreeSet;

use Breakdown::{O, T, X};
use turnwise::dialog::{Breakdown, Dialog, Speaker, Turn, Vote};
use turnwise::text::Units;
use turnwise::votes::group_by::*;
use turnwise::votes::ids::*;
use turnwise::votes::spans::*;
use turnwise::votes::student::*;
use turnwise::votes::*;

#[test]
fn an_undefined_figure_has_its_reason() {
    let every = |all: &Tallies| {
        [
            all.agreement(),
            all.fleiss_kappa(),
            all.alpha(&Distances::Nominal),
            all.alpha(&Distances::Ordinal),
        ]
    };
    assert_eq!(every(&tallies(&[])), [Err(UndefinedReason::NoAnswers); 4]);
    let single = tallies(&[[1, 0, 0], [0, 0, 1]]);
    assert_eq!(every(&single), [Err(UndefinedReason::NoPairs); 4]);
    let [agreement, rest @ ..] = every(&tallies(&[[3, 0, 0], [3, 0, 0]]));
    assert_eq!(agreement, Ok(1.0));
    assert_eq!(rest, [Err(UndefinedReason::OneAnswer); 3]);
}

const BOOTSTRAP: Bootstrap = Bootstrap { draws: 1000, seed: 1 };

#[test]
fn undefined_draws_are_counted_and_left_out() {
    // Of two dialogs, a quarter of the draws have only the first, and another quarter only the second.
    let figures = |times: &Vec<u64>| match times[..] {
        [0, _] => vec![Err(UndefinedReason::NoAnswers), Ok(3.0)],
        [_, 0] => vec![Ok(1.0), Ok(3.0)],
        _ => vec![Ok(0.5), Ok(3.0)],
    };
    let all = BOOTSTRAP.intervals(2, |draws| draws.iter().map(figures).collect());
    assert!((200..300).contains(&all[0].undefined), "{all:?}");
    assert_eq!(all[0].bounds, Some([0.5, 1.0]));
    assert_eq!((all[1].bounds, all[1].undefined), (Some([3.0; 2]), 0));
    let never =
        BOOTSTRAP.intervals(2, |draws| vec![vec![Err(UndefinedReason::NoAnswers)]; draws.len()]);
    assert_eq!((never[0].bounds, never[0].undefined), (None, 1000));
}

#[test]
fn percentiles_are_interpolated() {
    let sorted = [1.0, 2.0, 3.0, 4.0, 5.0];
    assert!((percentile(&sorted, 0.025) - 1.1).abs() < 1e-12);
    assert!((percentile(&sorted, 0.975) - 4.9).abs() < 1e-12);
    assert!((percentile(&[7.0], 0.975) - 7.0).abs() < 1e-12);
}

/// Of ten turns they agree on 3 + 1 + 2; rows have 4, 2, 4 turns, columns 4, 3, 3, so by chance
/// (16 + 6 + 12) / 100 would be the same.
#[test]
fn kappa_of_two_by_hand() {
    let mut confusion = Confusion::new(3);
    let pairs = [(O, O), (O, O), (O, O), (O, T), (T, T), (T, X), (X, X), (X, X), (X, O), (X, T)];
    for (first, second) in pairs {
        confusion.add(first as usize, second as usize);
    }
    assert_eq!(confusion.turns, [[3, 1, 0], [0, 1, 1], [1, 1, 2]]);
    assert_eq!((confusion.first(), confusion.second()), (vec![4, 2, 4], vec![4, 3, 3]));
    assert_eq!(confusion.agreement(), Ok(0.6));
    assert!((confusion.kappa().unwrap() - (0.6 - 0.34) / 0.66).abs() < 1e-12);
}

/// Of the ten turns above, three are one step apart and one is two; by chance, 9.4 steps and 15 squares of them.
#[test]
fn weighted_kappa_of_two_by_hand() {
    let mut confusion = Confusion::new(3);
    confusion.turns = vec![vec![3, 1, 0], vec![0, 1, 1], vec![1, 1, 2]];
    let apart = |one: usize, other: usize| one.abs_diff(other) as f64;
    let (linear, quadratic) =
        (confusion.weighted_kappa(apart), confusion.weighted_kappa(|a, b| apart(a, b).powi(2)));
    assert!((linear.unwrap() - (1.0 - 5.0 / 9.4)).abs() < 1e-12);
    assert!((quadratic.unwrap() - (1.0 - 7.0 / 15.0)).abs() < 1e-12);
    let mut one = Confusion::new(3);
    assert_eq!(one.weighted_kappa(apart), Err(UndefinedReason::NothingShared));
    one.add(1, 1);
    assert_eq!(one.weighted_kappa(apart), Err(UndefinedReason::OneAnswer));
}

#[test]
fn systems_are_named_by_ids_and_folders() {
    for (id, system) in [
        ("iris_00014", "iris"),
        ("ticktock_00003", "ticktock"),
        ("CIC0003", "CIC"),
        ("gpt3_0000", "gpt3"),
        ("v2-bot_0000", "v2-bot"),
        ("iris_00014-b", "iris"),
        ("1502867549", "DCM"),
        ("12-0", "DCM"),
        ("demo", "DCM"),
        ("", "DCM"),
        ("run-001-ec89b7a", "DCM"),
        ("abcd1234-e5f6-a7b8-c9d0-e1f2a3b40001", "DCM"),
    ] {
        let mut dialog = Dialog::new(Units::CodePoints);
        id.clone_into(&mut dialog.id);
        assert_eq!(system_of(&dialog, "DCM"), system, "{id}");
    }
}

#[test]
fn ids_can_be_seen_and_are_not_everybodys() {
    for id in ["mk", " mk ", "Jörg S.", "判定者", "none"] {
        assert_eq!(may_judge(id), Ok(()), "{id:?}");
    }
    for id in ["", "  ", "crowd", "mk\u{200b}", "\u{202e}", "a\nb", "\u{1b}[31m"] {
        assert!(may_judge(id).is_err(), "{id:?}");
    }
}

fn set(of: &str) -> BTreeSet<String> {
    of.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn sets_are_compared_as_wholes_and_by_their_parts() {
    let mut table = SetTable::new(2, 2);
    for (dialog, one, other) in [(0, "a b", "a b"), (0, "a", "a c"), (1, "b", "c"), (1, "", "")] {
        table.add(dialog, vec![set(one), set(other)]);
    }
    let counts = table.counts(&[0, 1]);
    assert_eq!((counts.turns(), counts.dialogs()), (3, 2));
    let value = |times: &[u64], number: usize| counts.figures(times)[number].value;
    assert_eq!(value(&[1, 1], 0), Ok(1.0 / 3.0));
    assert_eq!(value(&[1, 1], 1), Ok(1.5 / 3.0));
    assert_eq!(value(&[1, 1], 2), Ok((1.0 + 1.0 / 3.0) / 3.0));
    assert_eq!(value(&[2, 0], 0), Ok(0.5));
    assert_eq!(value(&[0, 0], 0), Err(UndefinedReason::NothingCompared));
    let names = counts.total().into_iter().map(|figure| figure.name);
    let expected = ["exact", "jaccard", "masi", "alpha_nominal", "alpha_jaccard", "alpha_masi"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn texts_are_the_same_only_to_the_letter() {
    let texts = DialogTexts { same: 1, other: vec![["a b".into(), "b a".into()]] };
    let counts = SetCounts::of_texts(&[texts], set);
    let values: Vec<_> = counts.total().into_iter().map(|figure| figure.value).collect();
    assert_eq!(values, [Ok(0.5), Ok(1.0), Ok(1.0)]);
}

fn units(of: &[(u64, u64, usize)]) -> Vec<Unit> {
    let unit = |&(start, end, label): &(u64, u64, usize)| Unit { start, end, label };
    of.iter().map(unit).collect()
}

#[test]
fn the_best_alignment_has_the_disorder_of_pygamma() {
    let ones = units(&[(1, 5, 0), (6, 10, 1), (11, 15, 0)]);
    let others = units(&[(2, 6, 0), (7, 11, 1), (12, 16, 0)]);
    let best = Disorder::of(&ones, &others);
    assert_eq!(Some(best.mean()), Some(0.0625));
    // Far away, or of another label and not near, they are better alone.
    let far = Disorder::of(&units(&[(0, 2, 0)]), &units(&[(9, 11, 0)]));
    assert_eq!((far.cost, far.units), (2.0, 1.0));
    let alone = Disorder::of(&ones, &[]);
    assert_eq!((alone.cost, alone.units), (3.0, 1.5));
}

fn f1(scheme: Scheme, reference: &[(u64, u64, usize)], other: &[(u64, u64, usize)]) -> Statistic {
    let hits = scheme.hits(&units(reference), &units(other));
    hits.f1()
}

#[test]
fn each_span_has_one_partner() {
    let (gold, copy) = ([(0, 10, 0)], [(0, 4, 0), (5, 10, 0)]);
    let hits = Scheme::Type.hits(&units(&gold), &units(&copy));
    let figures = (hits.precision(), hits.recall(), hits.f1());
    assert_eq!(figures, (Ok(0.5), Ok(1.0), Ok(2.0 / 3.0)));
}

#[test]
fn of_spans_with_the_label_the_nearest_is_taken() {
    let (gold, copy) = ([(0, 8, 0), (6, 10, 0)], [(5, 10, 0), (0, 6, 0)]);
    assert_eq!(f1(Scheme::Type, &gold, &copy), Ok(1.0));
}

/// The first span takes the nearest partner, without which the second has none; from the other side both have one.
#[test]
fn where_a_span_overlaps_two_the_reference_matters() {
    let (one, other) = ([(0, 4, 0), (5, 10, 0)], [(3, 8, 0), (9, 12, 0)]);
    assert_eq!(f1(Scheme::Type, &one, &other), Ok(0.5));
    assert_eq!(f1(Scheme::Type, &other, &one), Ok(1.0));
}

#[test]
fn without_spans_there_is_a_reason() {
    let none = Scheme::Strict.hits(&[], &[]);
    assert_eq!(none.f1(), Err(UndefinedReason::NothingCompared));
    let one = Scheme::Strict.hits(&units(&[(0, 1, 0)]), &[]);
    let why = UndefinedReason::CopyWithoutSpans;
    assert_eq!((one.precision(), one.f1()), (Err(why), Ok(0.0)));
}

fn weight(pairs: &[WeighedPair]) -> f64 {
    pairs.iter().map(|pair| pair.weight).sum()
}

/// The greatest weight, by trying all matchings.
fn by_trying(pairs: &[WeighedPair]) -> f64 {
    let Some((first, rest)) = pairs.split_first() else {
        return 0.0;
    };
    let free = rest.iter().copied();
    let free = free.filter(|pair| pair.one != first.one && pair.other != first.other);
    let with = first.weight + by_trying(&free.collect::<Vec<_>>());
    with.max(by_trying(rest))
}

#[test]
fn the_best_matching_is_that_found_by_trying_all() {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    for _ in 0..300 {
        let (ones, others) = (1 + random(5), 1 + random(5));
        let mut pairs = Vec::new();
        for one in 0..ones as usize {
            for other in 0..others as usize {
                if random(3) > 0 {
                    let weight = (1 + random(20)) as f64 / 4.0;
                    pairs.push(WeighedPair { one, other, weight });
                }
            }
        }
        let best = best_matching(&pairs);
        assert_eq!(Some(weight(&best)), Some(by_trying(&pairs)), "{pairs:?}");
        let ones = distinct(best.iter().map(|pair| pair.one));
        let others = distinct(best.iter().map(|pair| pair.other));
        assert_eq!((ones.len(), others.len()), (best.len(), best.len()));
    }
}

#[test]
fn probabilities_are_those_of_tables() {
    // One degree is Cauchy's distribution; the others are scipy's `t.cdf`.
    for (t, freedom, expected) in CASES {
        let found = student_t(t, freedom);
        assert!((found - expected).abs() < 1e-12, "{t} {freedom} {found}");
    }
    assert!((student_t(f64::NEG_INFINITY, 3.0)).abs() < 1e-15);
}

const CASES: [(f64, f64, f64); 8] = [
    (1.0, 1.0, 0.75),
    (0.0, 5.0, 0.5),
    (-2.5, 9.0, 0.016_930_913_841_492_867),
    (-0.3, 29.0, 0.383_158_546_664_483_9),
    (1.7, 49.0, 0.952_264_457_579_410_7),
    (-6.1, 99.0, 1.031_774_266_130_648_9e-8),
    (-12.5, 299.0, 1.980_076_664_826_944_8e-29),
    (3.3, 1999.0, 0.999_508_078_785_880_1),
];

#[test]
fn sets_with_common_tags_are_close() {
    let set = |tags: &str| tags.split_whitespace().map(str::to_owned).collect();
    let sets: Vec<BTreeSet<String>> = ["a b", "a", "a c", "d", ""].map(set).into();
    let jaccard = SetDistance::Jaccard.closeness(&sets);
    assert_eq!(jaccard[1], [(0, 0.5)]);
    assert_eq!(jaccard[2], [(0, 1.0 / 3.0), (1, 0.5)]);
    assert!(jaccard[3].is_empty() && jaccard[4].is_empty());
    let masi = SetDistance::Masi.closeness(&sets);
    assert_eq!(masi[1], [(0, 1.0 / 3.0)]);
    assert_eq!(masi[2], [(0, 1.0 / 9.0), (1, 1.0 / 3.0)]);
}

/// Turns with these numbers of votes for O, T and X.
pub fn tallies(counts: &[[u32; 3]]) -> Tallies {
    counts.iter().map(|counts| Tally { counts: *counts }).collect()
}

#[test]
fn turns_are_counted_and_those_without_votes_are_not() {
    let all = tallies(&[[2, 1, 0], [0, 0, 0], [1, 1, 1], [2, 1, 0], [0, 0, 4]]);
    assert_eq!((all.turns(), all.votes()), (4, 13));
    assert_eq!(all.categories(|_| true), [5, 3, 5]);
    assert_eq!(all.votes_a_turn(), Some((3, 4)));
    assert_eq!((all.ties(), all.without_absolute_majority()), (1, 1));
}

/// One turn in two halves has one bit, three thirds have log2 3, one label none.
#[test]
fn entropy_is_the_mean_of_the_turns() {
    let all = tallies(&[[1, 0, 1], [3, 3, 3], [5, 0, 0], [0, 5, 0]]);
    let expected = (1.0 + 3_f64.log2()) / 4.0;
    assert!((all.entropy().unwrap() - expected).abs() < 1e-15);
    assert_eq!(tallies(&[]).entropy(), Err(UndefinedReason::NoAnswers));
    assert_eq!(tallies(&[]).votes_a_turn(), None);
}

#[test]
fn majorities() {
    let tally = |counts| Tally { counts };
    assert_eq!(tally([8, 11, 11]).majority(), Some(Breakdown::T));
    assert_eq!(tally([8, 11, 11]).lenient(0.0), Some(LenientLabel::Breakdown));
    assert_eq!(tally([8, 11, 11]).tie(), Some(vec![Breakdown::T, Breakdown::X]));
    assert_eq!(tally([15, 10, 5]).lenient(0.0), Some(LenientLabel::O));
    assert_eq!(tally([1, 0, 0]).tie(), None);
    assert_eq!(tally([0, 0, 0]).majority(), None);
    assert_eq!(tally([0, 0, 0]).entropy(), None);
    assert_eq!(tally([5, 0, 5]).entropy(), Some(1.0));
    assert_eq!(tally([0, 7, 0]).entropy(), Some(0.0));
    assert!(tally([15, 10, 5]).lacks_absolute_majority());
    assert!(!tally([16, 9, 5]).lacks_absolute_majority());
}

#[test]
fn a_threshold_leaves_what_is_not_clear_to_o() {
    let tally = Tally { counts: [2, 3, 5] };
    assert_eq!(tally.strict(0.5), Some(Breakdown::X));
    assert_eq!(tally.strict(0.51), Some(Breakdown::O));
    assert_eq!(tally.lenient(0.8), Some(LenientLabel::Breakdown));
    assert_eq!(tally.lenient(0.81), Some(LenientLabel::O));
    // O also wins below the threshold, as the fallback.
    let tally = Tally { counts: [4, 3, 3] };
    assert_eq!(tally.strict(0.9), Some(Breakdown::O));
}

#[test]
fn a_tie_is_o_whatever_the_threshold() {
    let even = Tally { counts: [5, 3, 2] };
    let labels = [0.0, 0.5, 0.6].map(|threshold| even.lenient(threshold));
    assert_eq!(labels, [Some(LenientLabel::O); 3]);
}

/// Shares are summed as floating-point numbers and still never disagree with the votes.
#[test]
fn the_lenient_majority_is_that_of_the_votes() {
    for total in 1..=100 {
        for o in 0..=total {
            for t in 0..=total - o {
                let tally = Tally { counts: [o, t, total - o - t] };
                let expected =
                    if 2 * o >= total { LenientLabel::O } else { LenientLabel::Breakdown };
                assert_eq!(tally.lenient(0.0), Some(expected), "{tally:?}");
            }
        }
    }
}

/// The votes of a turn.
type Votes<'a> = &'a [(&'a str, Option<Breakdown>)];

/// A dialog with turns of the system.
fn log(turns: &[Votes<'_>]) -> Dialog {
    let vote = |(annotator, breakdown): &(&str, Option<Breakdown>)| Vote {
        annotator: (*annotator).into(),
        breakdown: *breakdown,
        ..Vote::default()
    };
    let turn = |votes: &Votes<'_>| Turn {
        speaker: Speaker::named("S".into()),
        votes: votes.iter().map(vote).collect(),
        ..Turn::default()
    };
    Dialog { turns: turns.iter().map(turn).collect(), ..Dialog::new(Units::CodePoints) }
}

#[test]
fn a_missing_label_is_reported() {
    let why = |log: &Dialog, annotator: &str| {
        let whose = VoteSource::Annotator(annotator.to_owned());
        verdicts(log, &whose, 0.0).unwrap_err().to_string()
    };
    let (o, x) = (Some(Breakdown::O), Some(Breakdown::X));
    let some = log(&[&[("a", o), ("b", x)], &[("a", o)], &[("a", x), ("a", o)]]);
    assert_eq!(why(&some, "b"), "\"b\" has no vote on turns 1, 2, which others judged");
    assert_eq!(why(&some, "c"), "\"c\" judged no turn");
    assert!(why(&some, "a").contains("several votes on turn 2"));
    assert_eq!(why(&log(&[&[("a", None)]]), "a"), "no vote on turn 0 is O, T or X");
    assert_eq!(why(&log(&[&[]]), "a"), "no turn was judged");
}
