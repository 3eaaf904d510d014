//! Tests of `src/text/moments.rs`.

use turnwise::text::*;

#[test]
fn moments_are_in_utc() {
    let cases = [
        (0, "1970-01-01T00:00:00Z"),
        (951_782_399, "2000-02-28T23:59:59Z"),
        (951_782_400, "2000-02-29T00:00:00Z"),
        (1_772_323_199, "2026-02-28T23:59:59Z"),
        (1_772_323_200, "2026-03-01T00:00:00Z"),
        (1_798_761_599, "2026-12-31T23:59:59Z"),
        (4_107_542_400, "2100-03-01T00:00:00Z"),
    ];
    for (seconds, expected) in cases {
        assert_eq!(moment(seconds), expected);
    }
}
