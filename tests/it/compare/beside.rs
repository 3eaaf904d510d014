//! Members of a file beside its dialogs, and the lists in which these are: read, merged and listed.

use serde_json::Value;

use super::{Merged, are_in_conflict, diff, merge, merge_as};
use crate::support::Ran;

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

fn read(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Asserts that theirs becomes ours, where ours has changed nothing.
#[track_caller]
fn is_taken(base: &str, theirs: &str) {
    let merged = merge([base, base, theirs]);
    assert_eq!((merged.code, merged.text.as_str()), (0, theirs), "{merged:?}");
}

#[test]
fn dialogs_are_added_to_their_list_and_removed_from_it() {
    let cases = [
        (split(&["1"], &["2"]), split(&["1", "3"], &["2"])),
        (split(&["1"], &["2"]), split(&["1"], &["3", "2"])),
        (split(&["1"], &["2"]), split(&["1"], &["2", "3"])),
        (split(&["1", "2"], &["3", "4"]), split(&["1", "2"], &["5", "3", "4"])),
        (split(&["1", "2"], &["3", "4"]), split(&["2", "5"], &["4"])),
        (split(&["1", "2"], &["3", "4"]), split(&["5", "6"], &["3", "7", "4"])),
    ];
    for (base, theirs) in &cases {
        is_taken(base, theirs);
        is_taken(theirs, base);
    }
    // A dialog is not moved to another list, for one without dialogs is not one of the lists.
    let base = split(&["1", "2"], &["3"]);
    let Merged { code, out, .. } = merge([&base, &base, &split(&["1", "2", "3", "4"], &["5"])]);
    assert!(code == 1 && out.contains(r#"the list of dialog 2, now "train","#), "{out}");
}

#[test]
fn a_list_without_dialogs_takes_those_of_theirs() {
    let base = split(&["1"], &[]);
    let theirs = split(&["1"], &["2"]);
    let found = merge([&base, &base, &theirs]);
    assert_eq!((found.code, read(&found.text)), (0, read(&theirs)), "{}", found.out);
    // The last dialog of a list leaves the other list alone.
    for fewer in [split(&[], &["2"]), split(&["1"], &[])] {
        is_taken(&theirs, &fewer.replace("[]", "[\n  \n ]"));
    }
}

#[test]
fn members_beside_the_dialogs_are_merged() {
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
        let found = merge([&base, ours, theirs]);
        assert_eq!((found.code, &found.text), (0, expected), "{}", found.out);
    }
    // Beside changes of dialogs, and behind a byte order mark.
    let text = "\u{feff}".to_owned() + &version.replace("2th is free", "2th is taken");
    let mine = "\u{feff}".to_owned() + &note.replace("the 1th", "the first");
    let found = merge([&base, &mine, &text]);
    let expected = both.replace("2th is free", "2th is taken").replace("the 1th", "the first");
    assert_eq!((found.code, &found.text[3..]), (0, &expected[..]), "{}", found.out);

    let other = base.replace("\"version\": 1", "\"version\": 3");
    let found = merge([&base, &version, &other]);
    assert_eq!((found.code, &found.text), (1, &version));
    let line = "the file, member: ours version=2, theirs version=3, before version=1";
    assert!(found.out.contains(line), "{}", found.out);
    for (side, expected) in [("--ours", &version), ("--theirs", &other)] {
        let found = merge_as("json", [&base, &version, &other], &[side]);
        assert_eq!((found.code, &found.text), (0, expected), "{}", found.out);
    }
    let ran = diff("json", [&base, &both], &[]);
    assert_eq!(ran.code, 1);
    for member in ["version", "notes.on"] {
        let line = format!("! {member} differs in a way that no edit can express");
        assert!(ran.out.contains(&line), "{}", ran.out);
    }
    assert_eq!(diff("json", [&base, &base.replace(": 1", " :1")], &[]).code, 0);
}

/// The members of the outermost object are dialogs, and something else.
#[test]
fn members_among_dialogs_with_keys_are_merged() {
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
        is_taken(&base, &theirs);
    }
}

#[test]
fn another_order_of_dialogs_is_a_difference() {
    let (base, turned) = (list(&["1", "2", "3"]), list(&["2", "1", "3"]));
    let Ran { code, out, .. } = diff("json", [&base, &turned], &[]);
    assert_eq!(code, 1);
    assert!(
        out.contains("! the order of the dialogs differs in a way that no edit can express"),
        "{out}"
    );
    let found = merge([&base, &base, &turned]);
    assert_eq!((found.code, &found.text), (1, &base));
    assert!(found.out.contains("theirs the order of the dialogs changed"), "{}", found.out);
    for ours_is_turned in [&base, &turned] {
        let found = merge([ours_is_turned, &turned, ours_is_turned]);
        assert_eq!((found.code, &found.text), (0, &turned), "{}", found.out);
    }
}

#[test]
fn a_second_line_is_added_below_the_only_one() {
    let (one, two) = (dialog("1"), dialog("2"));
    for end in ["", "\n"] {
        let (base, theirs) = (format!("{one}{end}"), format!("{one}\n{two}{end}"));
        is_taken(&base, &theirs);
    }
}

/// One side has made the only dialog of a list something else, which the other has changed, in a file of one line.
#[test]
fn something_else_in_place_of_a_dialog_is_not_written_beside_it() {
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
                let found = merge_as("json", [&base, &ours, &theirs], more);
                serde_json::from_str::<serde_json::Value>(&found.text).unwrap();
            }
            let found = merge([&base, &ours, &theirs]);
            assert_eq!((found.code, &found.text), (1, &ours), "{}", found.out);
        }
    }
}

/// In a file whose members are dialogs, what is a dialog on one side may be none on the other.
#[test]
fn no_key_is_there_twice() {
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
        are_in_conflict("json", [&base, one, other]);
    }
    is_taken(&base, &nameless("1"));
    assert_eq!(diff("json", [&base, &nameless("1")], &[]).code, 1);
}

#[test]
fn elements_of_a_list_are_in_their_order() {
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
        let found = merge([&base.clone(), &ours, &theirs]);
        let expected = split(&["1"], &["2"]).replace("\"mk\"", expected);
        assert_eq!((found.code, found.text), (0, expected), "{}", found.out);
        assert!(found.out.contains("; members beside the dialogs changed"));
    }
}

/// A list that only theirs has comes with its dialogs; one to which they have moved a dialog does not.
#[test]
fn a_list_of_dialogs_that_one_side_adds_is_there() {
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
        let found = merge([&base, ours, theirs]);
        assert_eq!(found.code, 0, "{}", found.out);
        assert_eq!(read(&found.text), read(expected));
        let adds = found.out.contains("2 added");
        assert_eq!(adds, *theirs == new, "{}", found.out);
    }
    // Both add one: it has what both put into it.
    let found = merge([&base, &with_list(&["5"]), &new]);
    assert_eq!(found.code, 0, "{}", found.out);
    for id in ["d3", "d4", "d5"] {
        let count = found.text.matches(&format!("\"{id}\"")).count();
        assert_eq!(count, 1, "{}", found.text);
    }
    let moved = split(&["1"], &[])
        .replace(" \"notes\"", &format!(" \"dev\": {},\n \"notes\"", list(&["2"])));
    let found = merge([&base, &base, &moved]);
    assert_eq!(found.code, 1, "{}", found.out);
    assert_eq!(found.text.matches("\"d2\"").count(), 1, "{}", found.text);
}
