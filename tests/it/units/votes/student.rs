//! Tests of `src/votes/student.rs`.

use turnwise::votes::student::*;

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
