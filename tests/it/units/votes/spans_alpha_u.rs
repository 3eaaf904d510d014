//! Tests of `src/votes/spans/alpha_u.rs`.

use turnwise::votes::spans::alpha_u::*;
use turnwise::votes::spans::*;

/// Krippendorff 2004, page 254: the categories c and k of two raters, from 150 to 450.
#[test]
fn disagreement_is_that_of_the_source() {
    let unit =
        |start: u64, length: u64| Unit { start: start - 150, end: start - 150 + length, label: 0 };
    let disagreement = |copies: [&[(u64, u64)]; 2]| {
        let copies = copies.map(|units| -> Vec<Unit> {
            units.iter().map(|(start, length)| unit(*start, *length)).collect()
        });
        let (mut lengths, mut gaps) = (Vec::new(), Gaps::new(80));
        for units in &copies {
            let mut end = 0;
            for unit in units {
                lengths.push(Lengths { length: unit.length(), times: 1 });
                gaps.add(unit.start - end, 1);
                end = unit.end;
            }
            gaps.add(300 - end, 1);
        }
        let units = copies.iter().flatten();
        let marked: u64 = units.clone().map(|unit| unit.length()).sum();
        gaps.complete(units.count() as u64 + 2, 600 - marked);
        let line = Line {
            length: 300,
            copies: 2,
            observed: observed(&copies[0], &copies[1]),
            units: &lengths,
            gaps: &gaps,
        };
        line.disagreement()
    };
    let [c_observed, c_expected] =
        disagreement([&[(225, 70), (370, 30)], &[(220, 80), (355, 20), (400, 20)]]);
    let [k_observed, k_expected] = disagreement([&[(180, 60), (300, 50)], &[(180, 60), (300, 50)]]);
    let close = |found: f64, expected: f64, by: f64| {
        assert!((found - expected).abs() < by, "{found} {expected}");
    };
    close(c_observed, 0.014_444_4, 1e-7);
    close(c_expected, 0.053_221_8, 1e-7);
    close(k_observed, 0.0, 1e-12);
    let both = 1.0 - (c_observed + k_observed) / (c_expected + k_expected);
    close(both, 0.858_665_405_184, 1e-12);
}
