//! Tests of `src/corpus/suggestion.rs`.

use turnwise::corpus::*;
use turnwise::dialog::Span;

#[test]
fn a_quotation_takes_the_place_of_offsets() {
    let line = r#"{"edit":"add_segment","dialog":"a","turn":2,"quote":"ten","nth":1,"labels":["time"],"by":"m","score":0.5,"why":"a time"}"#;
    let suggestion: Suggestion = line.parse().expect(line);
    assert_eq!(suggestion.origin.by.as_deref(), Some("m"));
    let Proposal::Quoted(quoted) = &suggestion.proposal else {
        panic!("{suggestion:?}");
    };
    assert_eq!((quoted.quote.as_str(), quoted.nth), ("ten", Some(1)));
    let edit = quoted.at(Span { start: 4, end: 7 });
    assert_eq!(
        suggestion.clone().with(edit).to_string(),
        r#"{"dialog":"a","edit":"add_segment","turn":2,"start":4,"end":7,"labels":["time"],"by":"m","score":0.5,"why":"a time"}"#
    );
    assert!(matches!(line.parse::<Record>(), Err(BadRecord::Quoted)));
}

#[test]
fn bad_quotations_say_why() {
    let why = |more: &str| {
        let line = format!(r#"{{"dialog":0,"turn":0,{more}}}"#);
        line.parse::<Suggestion>().expect_err(&line).to_string()
    };
    let span = r#""edit":"set_span","segment":0"#;
    for (more, expected) in [
        (
            format!(r#"{span},"quote":"a","start":1"#),
            "give a `quote` or `start` and `end`, not both",
        ),
        (format!(r#"{span},"start":0,"end":1,"nth":0"#), "`nth` needs a `quote`"),
        (format!(r#"{span},"quote":"a","nth":-1"#), "`nth` should be a number from 0 on, found -1"),
        (format!(r#"{span},"quote":" ""#), "`quote` should be words of the turn, found \" \""),
        (format!(r#"{span},"quote":"a","by":7"#), "`by` should be a string, found 7"),
        (
            format!(r#"{span},"quote":"a","score":"high""#),
            "`score` should be a number, found \"high\"",
        ),
        (
            r#""edit":"remove_segment","segment":0,"quote":"a""#.to_owned(),
            "remove_segment takes no `quote`; set_span and add_segment do",
        ),
    ] {
        assert_eq!(why(&more), expected);
    }
}
