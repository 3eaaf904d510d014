//! Typing the text of a turn: rows, cursor, and the segments under the text; and what gets into other prompts.

use ratatui::layout::Size;
use serde_json::{Value, json};
use turnwise::app::{Effect, Msg, Prompt};

use super::Driver;
use super::repair::{notation, open};

#[test]
fn segments_that_the_new_text_cuts_are_marked_before_it_is_accepted() {
    let mut driver = open("[two] for [Dune] at seven");
    driver.press("e home").type_text("just ");
    driver.shows_end("      ▔▔▔     ▔▔▔▔ a.label ×2").shows_not("shrinks");
    // A click beside it keeps the text.
    driver.click(1, 1).shows("Text of turn").press("C-a delete delete delete delete delete end");
    for _ in 0.." at seven".len() + 2 {
        driver.press("backspace");
    }
    driver.shows("Text of turn 0  shrinks 1 segment").shows_end("▔▔ a.label ▲ shrinks");
    driver.press("C-u").shows("Text of turn 0  removes 2 segments");
    driver.shows_end(" ▲ removed a.label  \"two\"").shows_end(" ▲ removed a.label  \"Dune\"");
    driver.type_text("for Dune").shows("removes 1 segment").shows_end("▔▔▔▔ a.label");
    driver.press("enter y");
    assert_eq!(notation(&driver), "for [Dune]");
    // Of many, the first are listed.
    let mut driver = open(&"[one] ".repeat(40));
    driver.press("e C-u").shows("removes 40 segments").shows_end(" more segments removed");
}

#[test]
fn a_text_wraps_at_words_and_the_cursor_moves_by_rows() {
    let mut driver = open(&format!("first {}last", "some more words ".repeat(14)));
    driver.tell(Msg::Resize(Size::new(80, 24)));
    driver.press("e").shows("first some").shows_end("words last");
    let (end, bottom) = driver.cursor();
    driver.press("up");
    assert_eq!(driver.cursor(), (end, bottom - 1));
    driver.press("up up up up home");
    assert!(driver.cursor().1 + 2 <= bottom);
    driver.press("C-n C-p").type_text("The ").shows(" The first some");
    driver.press("S-down backspace").shows(" The  ").press("pgdn");
    assert!(driver.cursor().1 + 1 >= bottom);
}

#[test]
fn the_cursor_is_where_the_grapheme_is() {
    let text = "日本👨‍👩‍👧e\u{301}x\u{200b}y שלום";
    let mut driver = open(text);
    driver.press("e home").shows("日本👨‍👩‍👧e\u{301}x⟨ZWSP⟩y שלום");
    let (start, row) = driver.cursor();
    let mut columns = Vec::new();
    for _ in 0..8 {
        columns.push(driver.cursor().0 - start);
        driver.press("right");
    }
    assert_eq!(columns, [0, 2, 4, 6, 7, 8, 14, 15]);
    driver.click(start + 5, row);
    assert_eq!(driver.cursor(), (start + 4, row));
    driver.press("delete").shows(" 日本e\u{301}x");
    // A motion to a word that begins inside a grapheme goes on to its start.
    let mut driver = open("see #\u{fe0f}\u{20e3}1");
    driver.press("e end C-left").type_text("x").shows(" see x#");
}

#[test]
fn tokens_are_marked_where_the_new_text_has_them() {
    let mut driver = Driver::demo("sim-m.json", 80, 24);
    driver.press("e home").type_text("so ,  ");
    driver.shows_end(" so ,  hi , 2 tickets for the last ferry .");
    driver.shows_end("            ▔ num_tickets ▔▔▔▔▔▔▔▔▔▔▔▔▔▔ movie");
    driver.press("enter").shows("●1 unsaved").shows_not("cuts");
}

/// A corpus with a turn, and something beside it that need not be one.
fn corpus(second: &Value) -> String {
    let first = json!({"index": 0, "speaker": "user", "text": "hello", "segments": []});
    json!([{"conversation_id": "d", "vertical": "v", "utterances": [first, second]}]).to_string()
}

#[test]
fn a_text_that_is_refused_is_not_lost() {
    let mut driver = Driver::open(&[("corpus.json", corpus(&json!("hello")))], 80, 24);
    let before = driver.bytes(0);
    driver.press("j e").type_text("a new text").press("enter");
    driver.shows_end(" a new text").shows("cannot be edited");
    driver.press("right").shows("Enter saves");
    assert_eq!(driver.bytes(0), before);
}

/// Another program rewrites the file under a text that is being typed.
#[test]
fn a_text_outlives_the_file_it_was_typed_for() {
    let mut driver = Driver::open(&[("corpus.json", corpus(&json!("hello")))], 80, 24);
    driver.press("j e").type_text("a new text");
    let saving = false;
    driver.tell(Msg::Changed { file: 0, saving });
    driver.shows_end(" a new text").press("enter");
    driver.shows("corpus.json was changed by another program").press("y");
    assert!(driver.wanted.contains(&Effect::Reload { file: 0 }));
    let turn = json!({"index": 1, "speaker": "user", "text": "hi", "segments": []});
    driver.reload(0, corpus(&turn));
    driver.shows("reloaded corpus.json").press("e");
    driver.shows_end(" a new text").shows("your earlier text");
    driver.press("enter").shows("●1 unsaved").shows("a new text");
    // The same without a change of the file that is known: what was typed is there again after Esc.
    let mut driver = Driver::open(&[("corpus.json", corpus(&json!("hello")))], 80, 24);
    driver.press("j e").type_text("a new text").press("enter");
    assert_eq!(driver.wanted.last(), Some(&Effect::CheckFiles));
    driver.press("esc").shows("reopen the prompt to get your text back");
    driver.press("e").shows_end(" a new text");
}

#[test]
fn a_long_text_shows_the_rows_around_the_cursor() {
    let text = format!("[first] {}[last]", "some more words ".repeat(60_000));
    let mut driver = open(&text);
    driver.tell(Msg::Resize(Size::new(80, 24)));
    driver.press("e").shows_end("words last").shows_end("▔▔▔▔ a.label");
    driver.press("backspace").shows_end("words las").shows("▲ shrinks");
    driver.press("home").shows(" first some").shows_end(" ▔▔▔▔▔ a.label");
    driver.press("delete").shows(" irst some").shows("removes 2 segments");
}

/// A text that Esc dropped is back when the same prompt opens again, until it is dropped a second time.
#[test]
fn a_text_that_was_cancelled_comes_back_in_the_same_prompt() {
    let mut driver = open("[two] for [Dune] at seven");
    driver.press("e").type_text(" sharp").press("esc");
    driver.shows("reopen the prompt to get your text back");
    assert_eq!(notation(&driver), "[two] for [Dune] at seven");
    driver.press("e").shows("at seven sharp").shows("your earlier text · Esc discards it");
    driver.press("esc e").shows_not("sharp").press("esc");
    // It is accepted like any other, and then it is gone.
    driver.press("e").type_text(" sharp").press("esc e enter");
    assert_eq!(notation(&driver), "[two] for [Dune] at seven sharp");
    driver.press("u e").shows_not("sharp");
    // A text that did not change is none.
    driver.press("esc").shows_not("to get your text back");
}

#[test]
fn a_prompt_for_a_short_text_stays_one_line() {
    for accept in ["enter", "A-enter", "C-m"] {
        let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 30);
        driver.press("/").type_text("ab");
        driver.tell(Msg::Paste("c\r\nd\re\tf\u{b}g\u{2028}h".to_owned()));
        driver.press(accept);
        let searched = driver.app.session.searched.last();
        assert_eq!(searched.map(String::as_str), Some("abc d e f g h"), "{accept}");
    }
    // A text of several lines takes line breaks.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("e").type_text("a").press("A-enter");
    driver.tell(Msg::Paste("b\r\nc".to_owned()));
    let prompt: &Prompt = driver.app.windows.get().expect("a prompt is open");
    assert!(prompt.input.text().ends_with("a\nb\nc"));
}
