//! Lists beside the turns, and texts that are lists of sentences or tokens.

use std::fs;

use turnwise::dialog::{Edit, Span};

use super::{declared, edited, read};
use crate::support::{run_in, scratch};

/// Calls in a list beside the messages.
const CALLS: &str = r#"name = "errands"
has = ["talk[*].says"]
[turn]
at = "talk[*]"
speaker = "who"
text = "says"
[call]
at = "^.calls[@index]"
when = "tool"
name = "tool"
"#;

#[test]
fn a_list_beside_the_turns_counts_only_if_it_has_an_element_for_each() {
    let folder = scratch();
    let path = folder.path();
    fs::create_dir(path.join("formats")).unwrap();
    fs::write(path.join("formats/errands.toml"), CALLS).unwrap();
    let talk = r#""talk": [{"who": "a", "says": "Post it"}, {"who": "b", "says": "Done"}]"#;
    for (calls, code, found) in [
        (r#"[{}, {"tool": "send"}]"#, 0, true),
        (r#"[{"tool": "send"}]"#, 1, false),
        (r#"[{"tool": "a"}, {"tool": "b"}, {"tool": "c"}]"#, 1, false),
        ("[]", 1, false),
    ] {
        let dialog = format!(r#"[{{{talk}, "calls": {calls}}}]"#);
        fs::write(path.join("c.json"), dialog).unwrap();
        let ran = run_in(path, &["check", "c.json", "--format", "json"], "");
        assert_eq!(ran.code, code, "{calls}: {ran:?}");
        let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(report[0]["calls"], u64::from(found), "{calls}: {report}");
        let why = "`calls` should be an array with an element for each turn, found an array";
        assert_eq!(ran.out.contains(why), code == 1, "{calls}: {ran:?}");
        let tried = ["formats", "check", "formats/errands.toml", "c.json"];
        let ran = run_in(path, &tried, "");
        assert_eq!(ran.err.contains(why), code == 1, "{calls}: {ran:?}");
    }
}

/// Turns whose texts are lists of sentences.
const SENTENCES: &str = r#"name = "threads"
has = ["turns[*].sentences"]
[turn]
at = "turns[*]"
speaker = "who"
text = { at = "sentences[*]", separator = " " }
[[span]]
at = "marks[*]"
start = "from"
end = "to"
label = "is"
"#;

fn set_text(turn: usize, text: &str) -> Edit {
    Edit::SetText { turn, text: text.to_owned(), drop: false, shrink: false }
}

#[test]
fn sentences_are_one_text_and_one_of_them_can_change() {
    let format = declared(SENTENCES);
    let dialog = r#"{"turns":[{"who":"a","sentences":["My phone is dead.", "What n\u00f6w?"],
      "marks":[{"from":18,"to":22,"is":"question"}]},{"who":"b","sentences":[]},{"who":"b"}]}"#;
    let turns = read(format, dialog).turns;
    let texts: Vec<_> = turns.iter().map(|turn| turn.text.as_str()).collect();
    assert_eq!(texts, ["My phone is dead. What nöw?", "", ""]);
    assert_eq!(turns[0].segments[0].span, Some(Span { start: 18, end: 22 }));
    let after = |turn, text: &str| edited(format, dialog, &set_text(turn, text)).map(|o| o.text);
    // The other sentence keeps its bytes, and the segment moves.
    let shorter =
        dialog.replace("My phone is dead.", "It is dead.").replace("18,\"to\":22", "12,\"to\":16");
    assert_eq!(after(0, "It is dead. What nöw?").unwrap(), shorter);
    let longer = dialog.replace("What n\\u00f6w?", "What n\\u00f6w? Please.");
    assert_eq!(after(0, "My phone is dead. What nöw? Please.").unwrap(), longer);
    let both = after(0, "It is. What?").unwrap_err().to_string();
    assert!(both.contains("change one at a time"), "{both}");
    let filled = after(1, "Restart it.").unwrap();
    assert_eq!(filled, dialog.replace("\"sentences\":[]}", "\"sentences\":[\"Restart it.\"]}"));
    let added = after(2, "No.").unwrap();
    assert_eq!(added, dialog.replace("{\"who\":\"b\"}", "{\"who\":\"b\",\"sentences\":[\"No.\"]}"));
    let number = dialog.replace("\"What n\\u00f6w?\"", "7");
    let mut parser = turnwise::json::Parser::new();
    let (_, issues) = format.read(parser.parse_piece_str(&number).unwrap());
    assert_eq!(issues.len(), 1, "{issues:?}");
}

#[test]
fn tokens_without_a_text_are_one() {
    let description = SENTENCES
        .replace("sentences", "words")
        .replace("label = \"is\"", "label = \"is\"\nunit = \"tokens\"\nends = \"inclusive\"");
    let description = description.replace("[[span]]", "tokens = \"words[*]\"\n[[span]]");
    let format = declared(&description);
    let dialog = r#"{"turns":[{"who":"a","words":["Book","a","tab\u006ce","."],"marks":[{"from":2,"to":2,"is":"what"}]}]}"#;
    let turns = read(format, dialog).turns;
    assert_eq!(turns[0].text, "Book a table .");
    assert_eq!(turns[0].tokens.len(), 4);
    let after = edited(format, dialog, &set_text(0, "Please book a table .")).unwrap().text;
    assert_eq!(
        after,
        dialog
            .replace("\"Book\"", "\"Please\",\"book\"")
            .replace("\"from\":2,\"to\":2", "\"from\":3,\"to\":3")
    );
    let back = edited(format, &after, &set_text(0, "Book a table .")).unwrap();
    assert_eq!(back.text, dialog);
}
