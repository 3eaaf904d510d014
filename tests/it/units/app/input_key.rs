//! Tests of `src/app/input/key.rs`.

use turnwise::app::input::*;

#[test]
fn keys_can_be_read_as_they_are_written_and_shown() {
    for text in [
        "a", "A", "?", "C-p", "A-x", "C-A-x", "S-tab", "pgdn", "space", "f12", "é", "C-left", "-",
        "C--", "#", "up", "enter", "del", "ins",
    ] {
        let key: Key = text.parse().expect(text);
        assert_eq!(key.to_string().parse(), Ok(key), "{text}");
        for names in [KeyNames::Signs, KeyNames::Words] {
            assert_eq!(key.shown(names).parse(), Ok(key), "{text}");
        }
    }
}

#[test]
fn case_matters_only_in_a_letter_by_itself() {
    for (text, same) in [
        ("ctrl-x", "C-x"),
        ("CTRL-X", "C-x"),
        ("ctrl-alt-x", "C-A-x"),
        ("alt-x", "A-x"),
        ("alt-X", "A-X"),
        ("C-P", "C-P"),
        ("shift-tab", "S-tab"),
        ("SHIFT-F5", "S-f5"),
        ("PGDN", "pgdn"),
        ("ctrl-left", "C-left"),
        ("Ctrl+X", "C-x"),
        ("ctrl+alt+left", "C-A-left"),
        ("PageDown", "pgdn"),
        ("Escape", "esc"),
    ] {
        let key: Key = text.parse().expect(text);
        assert_eq!(key.to_string(), same, "{text}");
    }
}

#[test]
fn names_of_unknown_keys_are_refused() {
    for text in [
        "", "ab", "C-", "S-a", "f0", "f25", "f1x", " ", "ctrl-", "ctrl a", "C-C-a", "C-ctrl-a",
        "Returned",
    ] {
        assert!(text.parse::<Key>().is_err(), "{text}");
    }
}
