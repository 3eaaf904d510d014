//! Tests of `src/votes/ids.rs`.

use turnwise::votes::ids::*;

#[test]
fn ids_can_be_seen_and_are_not_everybodys() {
    for id in ["mk", " mk ", "Jörg S.", "判定者", "none"] {
        assert_eq!(may_judge(id), Ok(()), "{id:?}");
    }
    for id in ["", "  ", "crowd", "mk\u{200b}", "\u{202e}", "a\nb", "\u{1b}[31m"] {
        assert!(may_judge(id).is_err(), "{id:?}");
    }
}
