//! Tests of `src/text/wrap.rs`.

use turnwise::text::*;

fn rows(text: &str, columns: usize) -> Vec<&str> {
    wrap(text, columns).into_iter().map(|row| &text[row]).collect()
}

#[test]
fn breaks_between_words() {
    assert_eq!(rows("one two three", 7), ["one two", "three"]);
    assert_eq!(rows("one two three", 8), ["one two", "three"]);
    assert_eq!(rows("the end, *really* is", 8), ["the end,", "*really*", "is"]);
    assert_eq!(rows("", 5), [""]);
    assert_eq!(rows("fits", 80), ["fits"]);
}

#[test]
fn lines_of_code_keep_their_breaks_and_their_indentation() {
    let code = "```rust\nfn a() {\n    b();\n\n}\n```";
    let lines = ["```rust\n", "fn a() {\n", "    b();\n", "\n", "}\n", "```"];
    assert_eq!(rows(code, 12), lines);
    assert_eq!(rows("- one two\n- three", 7), ["- one", "two\n", "- three"]);
}

#[test]
fn spaces_with_marks_are_visible_at_the_end_of_a_row() {
    assert_eq!(rows("one \n", 8), ["one \n"]);
    assert_eq!(rows("one\t\ntwo ", 5), ["one\t\n", "two"]);
    assert_eq!(rows("\n\n", 5).concat(), "\n\n");
}

#[test]
fn breaks_long_words_and_wide_text() {
    assert_eq!(rows("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
    assert_eq!(rows("今日は良い天気", 6), ["今日は", "良い天", "気"]);
    assert_eq!(rows("はい、そう。", 4), ["は", "い、", "そ", "う。"]);
    assert_eq!(rows("👨‍👩‍👧👨‍👩‍👧", 1), ["👨‍👩‍👧", "👨‍👩‍👧"]);
}

#[test]
fn breaks_rows_of_marks() {
    let flag = "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}";
    assert_eq!(rows(flag, 18), ["\u{1f3f4}\u{e0067}", "\u{e0062}\u{e007f}"]);
}

#[test]
fn no_row_is_too_wide_and_no_text_is_lost() {
    let text = "The 世界 is wide,  e\u{301}t  al. abcdefghijklmnopqrstuvwxyz \u{200b}x";
    for columns in 8..40 {
        let mut seen = 0;
        for row in wrap(text, columns) {
            assert!(text[seen..row.start].trim().is_empty());
            assert!(width(&visible(&text[row.clone()])) <= columns);
            seen = row.end;
        }
        assert!(text[seen..].trim().is_empty());
    }
}
