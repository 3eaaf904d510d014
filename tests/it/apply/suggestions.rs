//! Records that quote words, and say who suggests them.

use super::{apply, corpus, saved};
use crate::support::CORPUS;

fn refused(record: &str) -> String {
    let folder = corpus();
    let ran = apply(folder.path(), record, &[]);
    assert_eq!(ran.code, 1, "{ran:?}");
    assert_eq!(saved(folder.path()), CORPUS);
    ran.err
}

fn quoting(quote: &str) -> String {
    format!(
        r#"{{"edit":"set_span","dialog":"dlg-a","turn":0,"segment":0,{quote},"by":"a model","score":0.93,"why":"the whole name"}}"#
    )
}

#[test]
fn a_quotation_is_as_good_as_offsets() {
    let expected = CORPUS
        .replace("\"end_index\": 16", "\"end_index\": 17")
        .replace("\"text\": \"Nosferat\"", "\"text\": \"Nosferatu\"");
    for quote in [r#""quote":"Nosferatu""#, r#""quote":"NOSFERATU","nth":0"#] {
        let folder = corpus();
        let ran = apply(folder.path(), &quoting(quote), &[]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert_eq!(saved(folder.path()), expected);
    }
}

#[test]
fn quotations_see_the_text_that_earlier_records_write() {
    let folder = corpus();
    let text = r#"{"edit":"set_text","dialog":"dlg-a","turn":0,"text":"Two for Nosferat at ten.","shrink":true}"#;
    let time =
        r#"{"edit":"add_segment","dialog":"dlg-a","turn":0,"quote":"ten","labels":["time.start"]}"#;
    let ran = apply(folder.path(), &format!("{text}\n{time}"), &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(saved(folder.path()).contains("\"text\": \"ten\""));
}

#[test]
fn quotations_count_the_turns_that_earlier_records_move() {
    let new =
        r#"{"edit":"add_turn","dialog":"dlg-a","turn":0,"speaker":"user","text":"Hello you."}"#;
    let quote = |turn: usize, words: &str| {
        format!(
            r#"{{"edit":"add_segment","dialog":"dlg-a","turn":{turn},"quote":"{words}","labels":["x"]}}"#
        )
    };
    let folder = corpus();
    let records = [new.to_owned(), quote(0, "you"), quote(1, "nine")].join("\n");
    let ran = apply(folder.path(), &records, &[]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let text = saved(folder.path());
    assert!(text.contains("\"text\": \"you\"") && text.contains("\"text\": \"nine\""), "{text}");
    let why = refused(&[new.to_owned(), quote(0, "nine")].join("\n"));
    assert!(why.contains("the turn does not contain \"nine\""), "{why}");
}

#[test]
fn quotations_that_have_no_place_are_refused_with_candidates() {
    let missing = refused(&quoting(r#""quote":"Nosfratu""#));
    assert!(
        missing.contains(":1: dialog \"dlg-a\": turn 0: the turn does not contain \"Nosfratu\"; similar: \"Nosferatu\""),
        "{missing}"
    );
    let several = refused(&quoting(r#""quote":"e""#));
    assert!(
        several.contains("turn 0: the turn contains \"e\" 4 times; choose with \"nth\": 0 \"Two for Nosferatu at nine…\", 1 \""),
        "{several}"
    );
    let few = refused(&quoting(r#""quote":"Nosferatu","nth":1"#));
    assert!(
        few.contains("no 1 among the places of \"Nosferatu\": 0 \"Two for Nosferatu at nine, p"),
        "{few}"
    );
    let turn = refused(&quoting(r#""quote":"Nosferatu""#).replace("\"turn\":0", "\"turn\":99"));
    assert!(turn.contains("there is no turn 99"), "{turn}");
    let both = refused(&quoting(r#""quote":"Nosferatu","start":8"#));
    assert!(both.contains("give a `quote` or `start` and `end`, not both"), "{both}");
}
