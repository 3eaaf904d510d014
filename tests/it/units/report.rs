//! Tests of `src/report/histogram.rs`.

use turnwise::page::Bar;
use turnwise::report::*;

#[test]
fn figures_are_those_of_the_numbers() {
    let mut all = Histogram::default();
    for number in [4, 1, 1, 2, 12_345] {
        all.add(number);
    }
    assert_eq!((all.count(), all.sum()), (5, 12_353));
    assert_eq!(all.percentile(50), Some(2));
    assert_eq!((all.percentile(1), all.greatest()), (Some(1), Some(12_345)));
    let mut twice = all.clone();
    twice.join(&all);
    assert_eq!((twice.count(), twice.mean()), (10, all.mean()));
    assert_eq!(Histogram::default().percentile(50), None);
}

#[test]
fn bars_hold_all_numbers() {
    let mut all = Histogram::default();
    for number in 0..1000 {
        all.add(number % 100);
    }
    all.add(100_000);
    let plot = all.plot("", "dialogs").unwrap();
    assert!(plot.bars.len() as u64 <= 24 + 1);
    let sum: u64 = plot.bars.iter().map(Bar::total).sum();
    assert_eq!(sum, 1001);
    assert_eq!(plot.bars.last().unwrap().label, "100 or more");
}
