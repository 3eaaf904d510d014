//! Tests of `src/text/codepoints.rs`.

use turnwise::text::*;

#[test]
fn look_ups_are_those_of_the_whole_text() {
    for unit in ["a", "é", "世a", "a👍🏽 e\u{301}"] {
        for times in [0, 1, 20, 63, 64, 65, 130] {
            let text = unit.repeat(times);
            let points = CodePoints::new(&text);
            for at in 0..count(&text) + 70 {
                assert_eq!(points.byte_of(at), byte_of(&text, at), "{unit} {times} {at}");
            }
            for at in 0..text.encode_utf16().count() + 70 {
                let meant = byte_of_utf16(&text, at);
                assert_eq!(points.byte_of_utf16(at), meant, "{unit} {times} {at}");
            }
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for (number, byte) in ends.enumerate() {
                assert_eq!(points.before(byte), number, "{unit} {times} {byte}");
            }
        }
    }
}
