//! Tests of `src/app/input/field.rs`.

use turnwise::app::input::*;

#[test]
fn rows_are_those_of_the_wrapped_text() {
    let mut field = TextField::new("one two three\n\n日本語👨‍👩‍👧x four");
    let mut walk = |by| {
        field.step_row(8, by, false);
        let text = field.text();
        let byte = field.cursor_byte();
        text[byte..].chars().take(3).collect::<String>()
    };
    assert_eq!(walk(-1), "👨‍👩");
    assert_eq!(walk(-1), "\n日本");
    assert_eq!(walk(-1), "thr");
    assert_eq!(walk(-1), "one");
    assert_eq!(walk(-1), "one");
    assert_eq!(walk(9), "x f");
}

#[test]
fn steps_select_what_they_pass() {
    let mut field = TextField::new("one\ntwo");
    field.step_row(8, -1, true);
    assert_eq!(field.selection(), Some(3..7));
    field.step_row(8, 1, false);
    assert_eq!(field.selection(), None);
}
