//! Tests of `src/dialog/tag.rs`.

use turnwise::dialog::*;

#[test]
fn spellings_of_a_tag_are_one() {
    let known = ["Größe".to_owned(), "wrong tool".to_owned()];
    assert_eq!(spelled_tag("gro\u{308}ße", &known), "Größe");
    assert_eq!(spelled_tag("Wrong-Tool", &known), "wrong tool");
    assert_eq!(spelled_tag(" Too  slow ", &known), "Too-slow");
}

#[test]
fn tags_of_notes_have_a_number_sign() {
    let note = "It made up #invented-date, and #wrong_tool. #";
    let tags: Vec<_> = tags_in_note(note).collect();
    assert_eq!(tags, ["invented-date", "wrong_tool"]);
}

#[test]
fn a_tag_is_renamed_in_notes_and_answers() {
    let texts = |all: &[&str]| all.iter().map(ToString::to_string).collect::<Vec<_>>();
    let judgement = Judgement {
        note: "A #Slow, #slower\nanswer #slow".to_owned(),
        tags: texts(&["Slow", "slower", "late"]),
        value: Some(Answer::Several(texts(&["slow"]))),
        ..Judgement::default()
    };
    let renamed = judgement.with_tag(&texts(&["Slow", "slow"]), "late");
    assert_eq!(renamed.note, "A #late, #slower\nanswer #late");
    assert_eq!(renamed.tags, ["late", "slower"]);
    assert_eq!(renamed.value, Some(Answer::Several(texts(&["late"]))));
}
