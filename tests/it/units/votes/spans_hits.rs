//! Tests of `src/votes/spans/hits.rs`.

use turnwise::votes::spans::*;
use turnwise::votes::*;

fn units(of: &[(u64, u64, usize)]) -> Vec<Unit> {
    let unit = |&(start, end, label): &(u64, u64, usize)| Unit { start, end, label };
    of.iter().map(unit).collect()
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
