//! Texts that are lists of sentences or tokens.

use turnwise::dialog::Span;

use super::{declared, edited, issues, read, set_text};

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
    assert!(both.contains("change one part at a time"), "{both}");
    let filled = after(1, "Restart it.").unwrap();
    assert_eq!(filled, dialog.replace("\"sentences\":[]}", "\"sentences\":[\"Restart it.\"]}"));
    let added = after(2, "No.").unwrap();
    assert_eq!(added, dialog.replace("{\"who\":\"b\"}", "{\"who\":\"b\",\"sentences\":[\"No.\"]}"));
    let number = dialog.replace("\"What n\\u00f6w?\"", "7");
    assert_eq!(issues(format, &number).len(), 1);
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
