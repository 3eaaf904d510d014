//! Tests of `src/export/left_out.rs`.

use turnwise::export::*;

#[test]
fn counts_have_the_right_number() {
    let mut left_out = LeftOut::default();
    assert!(left_out.is_empty());
    left_out.several(["vote", "votes"], 0);
    assert!(left_out.is_empty());
    left_out.several(["vote", "votes"], 1200);
    left_out.one(["segment without a label", "segments without a label"]);
    assert_eq!(left_out.listed(), "1 segment without a label, 1,200 votes");
}
