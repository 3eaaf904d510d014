//! Tests of `src/text/rows_around.rs`.

use turnwise::text::*;

fn rows(text: &str, columns: usize) -> Vec<&str> {
    let around = rows_around(text, text.len(), columns);
    around.rows.into_iter().map(|row| &text[row]).collect()
}

#[test]
fn spaces_and_empty_lines_keep_their_places() {
    assert_eq!(rows("one two three", 7), ["one two ", "three"]);
    assert_eq!(rows("one\n\ntwo ", 7), ["one", "", "two "]);
    assert_eq!(rows("", 7), [""]);
    assert_eq!(rows("ab     cd", 3), ["ab  ", "   ", "cd"]);
    assert_eq!(rows("ab\u{3000}\u{3000}\u{3000}", 4), ["ab\u{3000}", "\u{3000}\u{3000}"]);
    assert_eq!(rows("世界👨‍👩‍👧e\u{301}x", 6), ["世界👨‍👩‍👧", "e\u{301}x"]);
}

#[test]
fn cursor_at_a_break_is_in_the_row_after_it() {
    let text = "one two three";
    let row = |cursor| rows_around(text, cursor, 7).cursor;
    assert_eq!([0, 7, 8, 13].map(row), [0, 0, 1, 1]);
}

#[test]
fn only_the_text_near_the_cursor_is_read() {
    for text in [
        "one two three ".repeat(80_000),
        "日本語👨‍👩‍👧".repeat(40_000),
        "a\n".repeat(400_000),
        "x".repeat(1_000_000),
    ] {
        for cursor in [0, 500_000, text.len()] {
            let cursor = text.floor_char_boundary(cursor);
            let RowsAround { rows, cursor: row } = rows_around(&text, cursor, 60);
            let read = rows[0].start..rows[rows.len() - 1].end;
            assert!(read.len() <= 4 * 8192, "{read:?}");
            assert!((rows[row].start..=rows[row].end).contains(&cursor));
            assert!(rows.iter().all(|row| width(&visible(&text[row.clone()])) <= 61));
            assert!(rows.windows(2).all(|two| two[1].start - two[0].end <= 1));
            if cursor < text.len() {
                assert!(rows.len() > row + 40);
            }
            if cursor > 0 {
                assert!(row > 40);
            }
        }
    }
}

#[test]
fn rows_before_the_cursor_stay_while_it_moves() {
    let text = "one two three ".repeat(8000);
    let first = |cursor| rows_around(&text, cursor, 60).rows[0].start;
    assert_eq!(first(50_000), first(50_100));
}
