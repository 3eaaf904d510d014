//! Changed strings: unchanged characters keep their spelling, new ones are spelled like the rest.

use super::{edited, string};

/// Changes the string in `before`, an array whose first element it is, to `text`.
fn set(before: &str, text: &str) -> String {
    edited(before, "0", |editor, v| vec![editor.set_string(v, text)])
}

#[test]
fn unchanged_characters_keep_their_spelling() {
    let before = r#"["a\u0062\/\u00e9 mid \u00E9\/\u0062a"]"#;
    assert_eq!(set(before, "ab/é mid é/ba"), before);
    let after = |mid: &str| before.replace(" mid ", mid);
    assert_eq!(set(before, "ab/é mad é/ba"), after(" mad "));
    assert_eq!(set(before, "ab/éé/ba"), after(""));
    assert_eq!(set(before, "ab/é mid’s é/ba"), after(r" mid\u2019s "));
    assert_eq!(set(before, "ab/é m/d é/ba"), after(r" m\/d "));
    assert_eq!(set(before, "!ab/é mid é/ba!"), r#"["!a\u0062\/\u00e9 mid \u00E9\/\u0062a!"]"#);
    assert_eq!(set(before, ""), r#"[""]"#);
    // Between two changes too.
    let before = r#"["It\u0027s at \u003c 7 \u0026 it\u0027s ok"]"#;
    let after = r#"["That\u0027s at \u003c 8 \u0026 it\u0027s good"]"#;
    assert_eq!(set(before, "That's at < 8 & it's good"), after);
}

#[test]
fn repeated_letters_do_not_overlap() {
    assert_eq!(set(r#"["aaa"]"#, "aa"), r#"["aa"]"#);
    assert_eq!(set(r#"["aa"]"#, "aaaa"), r#"["aaaa"]"#);
    assert_eq!(set(r#"["\u0061\u0061"]"#, "aaa"), r#"["\u0061\u0061a"]"#);
    assert_eq!(set(r#"["abab"]"#, "ab"), r#"["ab"]"#);
}

#[test]
fn new_characters_are_spelled_like_the_others() {
    let cases = [
        // Nothing to imitate: written raw.
        (r#"["x"]"#, r#"["’👍🏽/é"]"#),
        // Escapes with small digits, with large ones, with none to tell.
        (r#"["x", "\u201c"]"#, r#"["\u2019\ud83d\udc4d\ud83c\udffd/\u00e9"]"#),
        (r#"["x", "\u201C"]"#, r#"["\u2019\uD83D\uDC4D\uD83C\uDFFD/\u00E9"]"#),
        (r#"["x", "\u2019"]"#, r#"["\u2019\ud83d\udc4d\ud83c\udffd/\u00e9"]"#),
        (r#"["x", "\u00e9"]"#, r#"["\u2019\ud83d\udc4d\ud83c\udffd/\u00e9"]"#),
        // Raw UTF-8.
        (r#"["x", "é"]"#, r#"["’👍🏽/é"]"#),
        (r#"["x", "é", "\u2028", "\ud83d"]"#, r#"["’👍🏽/é"]"#),
        // Escapes that say nothing of characters beyond ASCII.
        (r#"["x", "\u0007\n\u007f"]"#, r#"["’👍🏽/é"]"#),
        (r#"["x", "\\u2019"]"#, r#"["’👍🏽/é"]"#),
        // A slash with a backslash, or without.
        (r#"["x", "a\/b"]"#, r#"["’👍🏽\/é"]"#),
        (r#"["x", "a/b"]"#, r#"["’👍🏽/é"]"#),
    ];
    for (before, first) in cases {
        let after = before.replacen(r#"["x"#, &first[..first.len() - 2], 1);
        assert_eq!(set(before, "’👍🏽/é"), after, "{before}");
    }
}

#[test]
fn a_string_is_spelled_like_itself_first() {
    assert_eq!(set(r#"["’x", "\u2019"]"#, "’’"), r#"["’’", "\u2019"]"#);
    assert_eq!(set(r#"["\u2019x", "’"]"#, "’’"), r#"["\u2019\u2019", "’"]"#);
}

#[test]
fn characters_that_need_an_escape_get_the_short_one() {
    let all = "\"\\\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{7f}";
    assert_eq!(set(r#"[""]"#, all), "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f\u{7f}\"]");
    assert_eq!(set(r#"["", "\u00E9"]"#, "\u{1f}"), r#"["\u001F", "\u00E9"]"#);
}

#[test]
fn halves_of_pairs_stay_where_nothing_changes() {
    let before = r#"["a\ud83db c"]"#;
    assert_eq!(set(before, "a\u{fffd}b"), r#"["a\ud83db"]"#);
    assert_eq!(set(before, "a\u{fffd}b d"), r#"["a\ud83db d"]"#);
    assert_eq!(set(before, "ab c"), r#"["ab c"]"#);
}

/// Two halves that meet would become one character, which was not intended.
#[test]
fn halves_of_pairs_do_not_join() {
    let before = r#"["\ud83d, \ude00"]"#;
    assert_eq!(set(before, "\u{fffd}\u{fffd}"), r#"["\ufffd\ufffd"]"#);
    assert_eq!(set(before, "\u{fffd}\u{fffd}!"), r#"["\ufffd\ufffd!"]"#);
    assert_eq!(set(before, "\u{fffd} \u{fffd}"), r#"["\ud83d \ude00"]"#);
}

#[test]
fn keys_can_be_renamed() {
    let renamed = edited(r#"{"caf\u00e9": 1, "x": 2}"#, "", |editor, v| {
        let (key, _) = v.members().next().unwrap();
        vec![editor.set_string(key, "café’s")]
    });
    assert_eq!(renamed, r#"{"caf\u00e9\u2019s": 1, "x": 2}"#);
}

#[test]
fn replacing_a_string_by_a_string_changes_only_what_differs() {
    let after = edited(r#"["it\u2019s  ok"]"#, "0", |editor, v| {
        let splice = editor.replace(v, &string("it’s ok"));
        assert_eq!(splice.text, "");
        assert_eq!(splice.range.len(), 1);
        vec![splice]
    });
    assert_eq!(after, r#"["it\u2019s ok"]"#);
}
