//! Texts that begin with the name of their speaker.

use std::fs;

use crate::support::{TempDir, run_in, scratch};

const TALK: &str = r#"[{"id": 7, "talk": ["Anna: Is it open?", "Clerk: It is: until six.", "(a bell)", "Anna: Bye."]}]
"#;

fn project(names: &str) -> TempDir {
    let folder = scratch();
    fs::write(folder.path().join("talk.json"), TALK).unwrap();
    fs::create_dir(folder.path().join("formats")).unwrap();
    let description = format!(
        "name = \"talk\"\nhas = [\"talk\"]\nid = \"id\"\n[turn]\nat = \"talk[*]\"\ntext = \".\"\n\
         prefix = \": \"\n{names}"
    );
    fs::write(folder.path().join("formats/talk.toml"), description).unwrap();
    folder
}

const NAMES: &str = "user = [\"Anna\"]\nsystem = [\"Clerk\"]\n";

#[test]
fn speakers_are_before_their_texts() {
    for names in [NAMES, ""] {
        let folder = project(names);
        let ran = run_in(folder.path(), &["show", "talk.json"], "");
        for line in ["0  Anna      Is it open?", "1  Clerk     It is: until six.", "(a bell)"] {
            assert!(ran.out.contains(line), "{line}: {ran:?}");
        }
    }
    let folder = project(NAMES);
    let ran =
        run_in(folder.path(), &["find", "speaker:system", "talk.json", "--format", "count"], "");
    assert_eq!(ran.out, "1\n");
}

#[test]
fn texts_and_speakers_are_edited_apart() {
    let folder = project(NAMES);
    for (edit, from, to) in [
        (
            r#"{"edit":"set_text","dialog":"7","turn":1,"text":"Yes: until five."}"#,
            "Clerk: It is: until six.",
            "Clerk: Yes: until five.",
        ),
        (
            r#"{"edit":"set_speaker","dialog":"7","turn":0,"speaker":"Clerk"}"#,
            "Anna: Is it open?",
            "Clerk: Is it open?",
        ),
        (r#"{"edit":"set_text","dialog":"7","turn":2,"text":"(bells)"}"#, "(a bell)", "(bells)"),
        (
            r#"{"edit":"add_turn","dialog":"7","turn":4,"speaker":"Clerk","text":"Bye."}"#,
            r#""Anna: Bye.""#,
            r#""Anna: Bye.", "Clerk: Bye.""#,
        ),
    ] {
        let path = folder.path().join("talk.json");
        fs::write(&path, TALK).unwrap();
        let ran = run_in(folder.path(), &["apply", "-", "talk.json"], edit);
        assert_eq!(ran.code, 0, "{edit} {ran:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), TALK.replacen(from, to, 1), "{edit}");
    }
    // Nobody of this name would be found in the text.
    let edit = r#"{"edit":"set_speaker","dialog":"7","turn":0,"speaker":"Boss"}"#;
    let ran = run_in(folder.path(), &["apply", "-", "talk.json"], edit);
    assert!(ran.code != 0 && ran.err.contains("also change the text of turn 0"), "{ran:?}");
}

#[test]
fn a_prefix_is_alone_in_saying_who_speaks() {
    for (more, why) in [
        ("speaker = \"who\"\n", "neither `speaker` nor `alternate`"),
        (
            "[[span]]\nat = \"^.marks[*]\"\nstart = \"a\"\nend = \"b\"\nlabel = \"l\"\n",
            "would count the name of the speaker",
        ),
    ] {
        let folder = project(more);
        let ran = run_in(folder.path(), &["check", "talk.json"], "");
        assert_eq!(ran.code, 2, "{ran:?}");
        assert!(ran.out.contains(why), "{why}: {ran:?}");
    }
}
