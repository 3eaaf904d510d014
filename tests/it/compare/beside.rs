//! Members of a file beside its dialogs, and the lists in which these are: read, merged and listed.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::merge_texts;
use crate::support::{run_in, scratch};

/// Returns a dialog of Taskmaster in one line.
fn dialog(id: &str) -> String {
    let turn = |index: usize, speaker: &str, text: &str| {
        format!(r#"{{"index":{index},"speaker":"{speaker}","text":"{text}"}}"#)
    };
    let turns = [
        turn(0, "USER", &format!("A table on the {id}th.")),
        turn(1, "ASSISTANT", &format!("The {id}th is free.")),
    ];
    let turns = turns.join(",");
    format!(r#"{{"conversation_id":"d{id}","instruction_id":"tables","utterances":[{turns}]}}"#)
}

/// Returns a list of dialogs, each in a line of its own.
fn list(ids: &[&str]) -> String {
    let dialogs: Vec<_> = ids.iter().map(|id| dialog(id)).collect();
    if dialogs.is_empty() {
        return "[]".to_owned();
    }
    format!("[\n  {}\n ]", dialogs.join(",\n  "))
}

/// Returns a corpus with two lists of dialogs.
fn split(train: &[&str], test: &[&str]) -> String {
    let (train, test) = (list(train), list(test));
    format!(
        "{{\n \"version\": 1,\n \"train\": {train},\n \"test\": {test},\n \"notes\": {{\"by\": \"mk\"}}\n}}\n"
    )
}

struct Merged {
    code: i32,
    text: String,
    out: String,
}

/// Merges three texts.
fn merged(folder: &Path, texts: [&str; 3], more: &[&str]) -> Merged {
    let ran = merge_texts(folder, texts, more);
    Merged {
        code: ran.code,
        text: fs::read_to_string(folder.join("out.json")).unwrap_or_default(),
        out: ran.out,
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn diff(folder: &Path, one: &str, other: &str) -> (i32, String) {
    fs::write(folder.join("one.json"), one).unwrap();
    fs::write(folder.join("other.json"), other).unwrap();
    let ran = run_in(folder, &["diff", "one.json", "other.json"], "");
    (ran.code, ran.out)
}

#[test]
fn dialogs_are_added_to_their_list_and_removed_from_it() {
    let folder = scratch();
    let cases = [
        (split(&["1"], &["2"]), split(&["1", "3"], &["2"])),
        (split(&["1"], &["2"]), split(&["1"], &["3", "2"])),
        (split(&["1"], &["2"]), split(&["1"], &["2", "3"])),
        (split(&["1", "2"], &["3", "4"]), split(&["1", "2"], &["5", "3", "4"])),
        (split(&["1", "2"], &["3", "4"]), split(&["2", "5"], &["4"])),
        (split(&["1", "2"], &["3"]), split(&["1", "2", "3", "4"], &["5"])),
        (split(&["1", "2"], &["3", "4"]), split(&["5", "6"], &["3", "7", "4"])),
    ];
    for (base, theirs) in &cases {
        let Merged { code, text, out } = merged(folder.path(), [base, base, theirs], &[]);
        // A list without dialogs is not one of the lists.
        let moved = theirs.contains("d3") && theirs.find("d3") < theirs.find("test");
        if moved && base.find("d3") > base.find("test") {
            assert_eq!(code, 1, "{out}");
            assert!(out.contains(r#"the list of dialog 2, now "train","#), "{out}");
            continue;
        }
        assert_eq!((code, &text), (0, theirs), "{out}");
        let undone = merged(folder.path(), [theirs, theirs, base], &[]);
        assert_eq!((undone.code, &undone.text), (0, base), "{}", undone.out);
    }
}

#[test]
fn a_list_without_dialogs_takes_those_of_theirs() {
    let folder = scratch();
    let base = split(&["1"], &[]);
    let theirs = split(&["1"], &["2"]);
    let found = merged(folder.path(), [&base, &base, &theirs], &[]);
    assert_eq!(found.code, 0, "{}", found.out);
    assert_eq!(read(&found.text), read(&theirs));
}

#[test]
fn the_last_dialog_of_a_list_leaves_the_other_list_alone() {
    let folder = scratch();
    let base = split(&["1"], &["2"]);
    for theirs in [split(&[], &["2"]), split(&["1"], &[])] {
        let theirs = theirs.replace("[]", "[\n  \n ]");
        let found = merged(folder.path(), [&base, &base, &theirs], &[]);
        assert_eq!((found.code, &found.text), (0, &theirs), "{}", found.out);
    }
}

#[test]
fn members_beside_the_dialogs_are_merged() {
    let folder = scratch();
    let base = split(&["1"], &["2"]);
    let version = base.replace("\"version\": 1", "\"version\": 2");
    let note = base.replace("{\"by\": \"mk\"}", "{\"by\": \"mk\", \"on\": \"May 2\"}");
    let both = version.replace("{\"by\": \"mk\"}", "{\"by\": \"mk\", \"on\": \"May 2\"}");
    let gone = base.replace(",\n \"notes\": {\"by\": \"mk\"}", "");
    for [ours, theirs, expected] in [
        [&base, &version, &version],
        [&version, &note, &both],
        [&note, &version, &both],
        [&base, &gone, &gone],
        [&version, &base, &version],
    ] {
        let found = merged(folder.path(), [&base, ours, theirs], &[]);
        assert_eq!((found.code, &found.text), (0, expected), "{}", found.out);
    }
    // Beside changes of dialogs, and behind a byte order mark.
    let text = "\u{feff}".to_owned() + &version.replace("2th is free", "2th is taken");
    let mine = "\u{feff}".to_owned() + &note.replace("the 1th", "the first");
    let found = merged(folder.path(), [&base, &mine, &text], &[]);
    let expected = both.replace("2th is free", "2th is taken").replace("the 1th", "the first");
    assert_eq!((found.code, &found.text[3..]), (0, &expected[..]), "{}", found.out);

    let other = base.replace("\"version\": 1", "\"version\": 3");
    let found = merged(folder.path(), [&base, &version, &other], &[]);
    assert_eq!((found.code, &found.text), (1, &version));
    let line = "the file, member: ours version=2, theirs version=3, before version=1";
    assert!(found.out.contains(line), "{}", found.out);
    for (side, expected) in [("--ours", &version), ("--theirs", &other)] {
        let found = merged(folder.path(), [&base, &version, &other], &[side]);
        assert_eq!((found.code, &found.text), (0, expected), "{}", found.out);
    }
    let (code, out) = diff(folder.path(), &base, &both);
    assert_eq!(code, 1);
    assert!(out.contains("! version differs; no edit says how"), "{out}");
    assert!(out.contains("! notes.on differs; no edit says how"), "{out}");
    assert_eq!(diff(folder.path(), &base, &base.replace(": 1", " :1")).0, 0);
}

/// The members of the outermost object are dialogs, and something else.
#[test]
fn members_among_dialogs_with_keys_are_merged() {
    let folder = scratch();
    let corpus = |parts: &[&str]| format!("{{\n{}\n}}\n", parts.join(",\n"));
    let talk = |key: &str, text: &str| {
        format!(
            r#" "{key}": {{"goal": {{}}, "log": [{{"text": "{text}", "metadata": {{}}}}, {{"text": "Which day?", "metadata": {{}}}}]}}"#
        )
    };
    let (one, two) = (talk("PMUL1.json", "A train."), talk("PMUL2.json", "A taxi."));
    let (version, later) = (r#" "version": 1"#, r#" "version": 2"#);
    let new = talk("PMUL3.json", "A room.");
    let base = corpus(&[&one, version, &two]);
    for theirs in [
        corpus(&[&one, later, &two]),
        corpus(&[version, &two]),
        corpus(&[&one, version]),
        corpus(&[&one, later, &two, &new]),
        corpus(&[&one, &new, later, &two]),
        corpus(&[&one, &two]),
        corpus(&[later, &talk("PMUL2.json", "A blue taxi.")]),
    ] {
        let found = merged(folder.path(), [&base, &base, &theirs], &[]);
        assert_eq!((found.code, &found.text), (0, &theirs), "{}", found.out);
    }
}

#[test]
fn another_order_of_dialogs_is_a_difference() {
    let folder = scratch();
    let (base, turned) = (list(&["1", "2", "3"]), list(&["2", "1", "3"]));
    let (code, out) = diff(folder.path(), &base, &turned);
    assert_eq!(code, 1);
    assert!(out.contains("! the order of the dialogs differs; no edit says how"), "{out}");
    let found = merged(folder.path(), [&base, &base, &turned], &[]);
    assert_eq!((found.code, &found.text), (1, &base));
    assert!(found.out.contains("theirs the order of the dialogs changed"), "{}", found.out);
    for ours_is_turned in [&base, &turned] {
        let found = merged(folder.path(), [ours_is_turned, &turned, ours_is_turned], &[]);
        assert_eq!((found.code, &found.text), (0, &turned), "{}", found.out);
    }
}

#[test]
fn a_second_line_is_added_below_the_only_one() {
    let folder = scratch();
    let (one, two) = (dialog("1"), dialog("2"));
    for end in ["", "\n"] {
        let (base, theirs) = (format!("{one}{end}"), format!("{one}\n{two}{end}"));
        let found = merged(folder.path(), [&base, &base, &theirs], &[]);
        assert_eq!((found.code, &found.text), (0, &theirs), "{}", found.out);
    }
}

/// One side has made the only dialog of a list something else, which the other has changed, in a file of one line.
#[test]
fn something_else_in_place_of_a_dialog_is_not_written_beside_it() {
    let folder = scratch();
    let in_a_line = |text: &str| {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        value.to_string()
    };
    let base = split(&["1"], &["2"]);
    for ours in [base.clone(), in_a_line(&base)] {
        let ours = ours.replace("2th is free", "2th is taken");
        for other in ["{}", "{\"c\":1}", "[]"] {
            let theirs = base.replace(&dialog("2"), other);
            for more in [&[][..], &["--ours"], &["--theirs"], &["--union"]] {
                let found = merged(folder.path(), [&base, &ours, &theirs], more);
                serde_json::from_str::<serde_json::Value>(&found.text).unwrap();
            }
            let found = merged(folder.path(), [&base, &ours, &theirs], &[]);
            assert_eq!((found.code, &found.text), (1, &ours), "{}", found.out);
        }
    }
}

/// In a file whose members are dialogs, what is a dialog on one side may be none on the other.
#[test]
fn no_key_is_there_twice() {
    let folder = scratch();
    let one = r#" "PMUL1.json": {"goal": {}, "log": [{"text": "A train.", "metadata": {}}, {"text": "When?", "metadata": {}}]}"#;
    let two = one.replace("PMUL1", "PMUL2").replace("train", "taxi");
    let changed = one.replace("A train", "A fast train");
    let corpus = |members: &[&str]| format!("{{\n{}\n}}\n", members.join(",\n"));
    let base = corpus(&[one, &two]);
    let note = |value: &str| corpus(&[one, &two, &format!(" \"note\": {value}")]);
    let nameless = |value: &str| corpus(&[one, &two, &format!(" \"\": {value}")]);
    let cases = [
        (note("{\"by\": \"mk\"}"), note("\"js\"")),
        (note("{\"by\": \"mk\"}"), note("[1]")),
        (corpus(&[&changed, &two]), corpus(&[" \"PMUL1.json\": 7", &two])),
        (nameless("1"), nameless("2")),
    ];
    for (one, other) in &cases {
        for (ours, theirs) in [(one, other), (other, one)] {
            let found = merged(folder.path(), [&base, ours, theirs], &[]);
            assert_eq!((found.code, &found.text), (1, ours), "{}", found.out);
        }
    }
    let found = merged(folder.path(), [&base, &base, &nameless("1")], &[]);
    assert_eq!((found.code, found.text), (0, nameless("1")), "{}", found.out);
    assert_eq!(diff(folder.path(), &base, &nameless("1")).0, 1);
}

#[test]
fn elements_of_a_list_are_in_their_order() {
    let folder = scratch();
    let base = split(&["1"], &["2"]);
    let of = |by: &str| base.replace("\"mk\"", by);
    let base = of("[\"a\"]");
    for (ours, theirs, expected) in [
        ("[\"a\", \"o\"]", "[\"a\", \"t1\", \"t2\"]", "[\"a\", \"o\", \"t1\", \"t2\"]"),
        (
            "[\"o\", \"a\"]",
            "[\"a\", \"t1\", \"t2\", \"t3\"]",
            "[\"o\", \"a\", \"t1\", \"t2\", \"t3\"]",
        ),
    ] {
        let (ours, theirs) = (of(ours), of(theirs));
        let found = merged(folder.path(), [&base.clone(), &ours, &theirs], &[]);
        let expected = split(&["1"], &["2"]).replace("\"mk\"", expected);
        assert_eq!((found.code, found.text), (0, expected), "{}", found.out);
        assert!(found.out.contains("; members beside the dialogs changed"));
    }
}

/// A list that only theirs has comes with its dialogs; one to which they have moved a dialog does not.
#[test]
fn a_list_of_dialogs_that_one_side_adds_is_there() {
    let folder = scratch();
    let base = split(&["1"], &["2"]);
    let with_list = |ids: &[&str]| {
        let notes = r#" "notes""#;
        base.replace(notes, &format!(" \"dev\": {},\n{notes}", list(ids)))
    };
    let new = with_list(&["3", "4"]);
    let changed = base.replace("\"version\": 1", "\"version\": 2");
    let both = new.replace("\"version\": 1", "\"version\": 2");
    for ([ours, theirs], expected) in [
        ([&base, &new], &new),
        ([&new, &base], &new),
        ([&changed, &new], &both),
        ([&new, &changed], &both),
    ] {
        let found = merged(folder.path(), [&base, ours, theirs], &[]);
        assert_eq!(found.code, 0, "{}", found.out);
        assert_eq!(read(&found.text), read(expected));
        let adds = found.out.contains("2 added");
        assert_eq!(adds, *theirs == new, "{}", found.out);
    }
    // Both add one: it has what both put into it.
    let found = merged(folder.path(), [&base, &with_list(&["5"]), &new], &[]);
    assert_eq!(found.code, 0, "{}", found.out);
    for id in ["d3", "d4", "d5"] {
        let count = found.text.matches(&format!("\"{id}\"")).count();
        assert_eq!(count, 1, "{}", found.text);
    }
    let moved = split(&["1"], &[])
        .replace(" \"notes\"", &format!(" \"dev\": {},\n \"notes\"", list(&["2"])));
    let found = merged(folder.path(), [&base, &base, &moved], &[]);
    assert_eq!(found.code, 1, "{}", found.out);
    assert_eq!(found.text.matches("\"d2\"").count(), 1, "{}", found.text);
}
