//! Rows that are one exchange, and pairs whose sides are members of the dialog.

use turnwise::corpus::explain::unread_members;
use turnwise::dialog::{Dialog, Edit};
use turnwise::format::{Family, named};
use turnwise::json::Parser;

use super::{edited, read, set_text};
use crate::support::files::{open, saved};

fn bundled(name: &str) -> &'static Family {
    named(name).unwrap_or_else(|| panic!("{name}"))
}

fn texts(dialog: &Dialog) -> Vec<&str> {
    dialog.turns.iter().map(|turn| turn.text.as_str()).collect()
}

fn other_side(format: &'static Family, text: &str) -> Option<Dialog> {
    let mut parser = Parser::new();
    let (dialog, issues) = format.other_side(parser.parse_piece_str(text).unwrap())?;
    assert!(issues.is_empty(), "{issues:?}");
    Some(dialog)
}

fn names(dialog: &Dialog) -> Option<[&str; 2]> {
    let sides = dialog.sides.as_ref()?;
    Some(sides.names.each_ref().map(turnwise::dialog::Short::as_str))
}

#[test]
fn plain_answers_are_sides_of_a_pair() {
    let format = bundled("preference");
    let row =
        r#"{"question": "Is moss green?", "note": 1, "rejected": "No.", "chosen": "Y\u0065s."}"#;
    let dialog = read(format, row);
    assert_eq!(texts(&dialog), ["Is moss green?", "Yes."]);
    assert_eq!(names(&dialog), Some(["chosen", "rejected"]));
    let fields: Vec<_> = dialog.fields.iter().map(|f| (f.name.as_str(), f.known)).collect();
    assert_eq!(fields, [("note", false), ("rejected", true)]);
    let other = other_side(format, row).unwrap();
    assert_eq!(texts(&other), ["Is moss green?", "No."]);
    assert_eq!(names(&other), Some(["rejected", "chosen"]));
    let after = edited(format, row, &set_text(1, "It is.")).unwrap().text;
    assert_eq!(after, row.replace(r"Y\u0065s.", "It is."));
    let added = r#"{"edit":"add_turn","turn":1,"speaker":"user","text":"Well?"}"#;
    let added: Edit = serde_json::from_str(added).unwrap();
    edited(format, row, &added).expect_err("a row has no list of turns");
}

#[test]
fn an_answer_with_a_label_makes_no_pair() {
    let format = bundled("preference");
    for row in [
        r#"{"prompt": "Is moss green?", "completion": "Yes.", "label": true}"#,
        r#"{"prompt": "Is moss green?", "chosen": "Yes.", "rejected": null}"#,
    ] {
        let dialog = read(format, row);
        assert_eq!(texts(&dialog), ["Is moss green?", "Yes."], "{row}");
        assert!(names(&dialog).is_none() && other_side(format, row).is_none(), "{row}");
    }
}

#[test]
fn lists_of_messages_are_sides_of_a_pair() {
    let row = r#"{"input":{"messages":[{"role":"user","content":"Is moss green?"}]},
      "preferred_output":[{"role":"assistant","content":"Yes."}],
      "non_preferred_output":[{"role":"assistant","content":"No."}]}"#;
    let file = open(row.as_bytes().to_vec());
    let format = file.format().unwrap();
    assert_eq!(format.name(), "openai-preference");
    assert_eq!(texts(&read(format, row)), ["Is moss green?", "Yes."]);
    assert_eq!(texts(&other_side(format, row).unwrap()), ["Is moss green?", "No."]);
}

#[test]
fn dialogs_are_found_in_a_list_of_a_member() {
    let sample = bundled("promptfoo").description().sample.clone().unwrap();
    let mut file = open(sample.clone().into_bytes());
    assert_eq!(file.format().map(Family::name), Some("promptfoo"));
    assert_eq!(texts(&file.dialog(0).unwrap().unwrap().0), ["Describe moss.", "It is green."]);
    assert_eq!(file.dialog_lists()[0].key, "results");
    let beside = ["evalId", "version", "timestamp", "prompts", "stats"];
    assert_eq!(unread_members(&file).unwrap(), beside);
    file.edit(0, &set_text(1, "Green.")).unwrap();
    assert_eq!(saved(&file), sample.replace("It is green.", "Green.").as_bytes());
}
