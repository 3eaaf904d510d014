//! Reports of records that fit nowhere, and of files that no record is for.

use std::fs;

use super::{FIX, apply, corpus, saved};
use turnwise::dialog::Edit;

use crate::support::{CORPUS, project, run_in, scratch};

#[test]
fn records_that_fit_nowhere_change_nothing() {
    let records = [
        (r#"{"edit":"set_span"}"#, "`dialog` is missing"),
        (r#"{"edit":"fly"}"#, "unknown edit \"fly\"; the edits are set_span,"),
        (r#"{"edit":"fly","dialog":0,"turn":0}"#, "unknown edit \"fly\"; the edits are set_span,"),
        (
            r#"{"dialog":0,"turn":0}"#,
            "`edit` is missing; it should be one of set_span, add_segment,",
        ),
        (
            r#"{"edit":"remove_segment","dialog":0,"turn":0,"segment":0,"segment":1}"#,
            "`segment` appears more than once",
        ),
        ("nonsense", "not JSON at column 1: not a JSON value;"),
        (
            r#"{"edit":"remove_segment","dialog":"dlg-z","turn":0,"segment":0}"#,
            "is in none of the files",
        ),
        (r#"{"edit":"remove_segment","dialog":7,"turn":0,"segment":0}"#, "is in none of the files"),
        (r#"{"edit":"set_text","dialog":0,"turn":9,"text":"x"}"#, "there is no turn 9"),
        (r#"{"edit":"set_text","dialog":0,"turn":0,"text":"x"}"#, "the new text cuts segment 0"),
        (
            r#"{"edit":"cast_vote","dialog":0,"turn":1,"annotator":"me","breakdown":"X"}"#,
            "has no votes",
        ),
        (
            r#"{"edit":"add_segment","dialog":0,"turn":1,"start":0,"end":99,"labels":["x"]}"#,
            "14 code points",
        ),
        (r#"{"edit":"set_span","dialog":0,"turn":0,"segment":0,"start":9,"end":9}"#, "is empty"),
        (r#"{"edit":"set_span","dialog":0,"turn":0,"segment":0,"start":-1,"end":9}"#, "-1"),
    ];
    for (record, why) in records {
        let folder = corpus();
        let ran = apply(folder.path(), &format!("{FIX}\n{record}"), &[]);
        assert_eq!((ran.code, saved(folder.path()).as_str()), (1, CORPUS), "{record}: {ran:?}");
        assert!(ran.err.contains("-:2: ") && ran.err.contains(why), "{record}: {}", ran.err);
    }
}

#[test]
fn a_corpus_given_as_edits_is_reported_in_few_lines() {
    let folder = corpus();
    fs::write(folder.path().join("edits.jsonl"), FIX).unwrap();
    fs::write(folder.path().join("long.json"), CORPUS.repeat(9)).unwrap();
    let ran = run_in(folder.path(), &["apply", "long.json", "edits.jsonl"], "");
    let lines: Vec<_> = ran.err.lines().collect();
    let ends = [
        " more lines are not records",
        "edits.jsonl: these are edits; they come first: turnwise apply EDITS CORPUS",
    ];
    assert_eq!((ran.code, lines.len()), (1, 22), "{ran:?}");
    assert!(lines[20].ends_with(ends[0]) && lines[21].ends_with(ends[1]), "{ran:?}");
}

#[test]
fn help_lists_every_kind_of_edit_with_its_fields() {
    let help = run_in(&project("."), &["apply", "--help"], "").out;
    for kind in Edit::FIELDS {
        let line = help.lines().find(|line| line.trim_start().starts_with(kind.kind));
        let line = line.unwrap_or_else(|| panic!("{}: {help}", kind.kind));
        let fields: Vec<_> = line.split([' ', ',']).filter(|f| !f.is_empty()).skip(1).collect();
        let optional = kind.optional.iter().map(|name| format!("[{name}]"));
        let required = kind.required.iter().map(|name| (*name).to_owned());
        assert_eq!(fields, required.chain(optional).collect::<Vec<_>>(), "{}", kind.kind);
    }
}

/// The values before the edit are compared, for each record after those that precede it.
#[test]
fn a_record_is_refused_where_what_it_was_made_on_is_gone() {
    let on = |on: &str| FIX.replace('}', &format!(",\"on\":{on:?}}}"));
    let was = "user: Two for Nosferatu at nine, please. | 8..16 \"Nosferat\" name.movie";
    let now = was.replace("16 \"Nosferat\"", "17 \"Nosferatu\"");
    let wider = FIX.replace("17", "25");
    for (records, why) in [
        (on(was), None),
        (on(&now), Some("-:1: ")),
        (on(&was.replace("Two", "One")), Some("-:1: ")),
        (format!("{FIX}\n{}", on(&now)), None),
        (format!("{wider}\n{}", on(was)), Some("-:2: ")),
    ] {
        let folder = corpus();
        let ran = apply(folder.path(), &records, &[]);
        let expected = why.map_or_else(String::new, |line| {
            format!("turnwise: {line}dialog \"dlg-a\": the edit was made when turn 0 was `")
        });
        assert!(ran.err.starts_with(&expected), "{records}: {ran:?}");
        assert_eq!((ran.code == 0, why), (ran.err.is_empty(), why));
        assert_eq!(saved(folder.path()) == CORPUS, why.is_some(), "{records}");
    }
    let ran = apply(corpus().path(), &FIX.replace('}', ",\"on\":3}"), &[]);
    assert!(ran.err.contains("`on` should be the context of the edit"), "{ran:?}");
}

#[test]
fn a_missing_file_is_reported_with_the_existing_ones() {
    let folder = corpus();
    for name in ["train.json", "a.json", "b.json", "c.json"] {
        let text = CORPUS.replace("dlg-", &format!("{name}-"));
        fs::write(folder.path().join(name), text).unwrap();
    }
    for (file, why) in [
        (
            "Train.json",
            "no corpus file has a path that ends in \"Train.json\"; similar: ./train.json",
        ),
        (
            "x/data.json",
            "no corpus file has a path that ends in \"x/data.json\"; similar: ./data.json",
        ),
        (
            "corpus",
            "no corpus file has a path that ends in \"corpus\"; the files are ./a.json, ./b.json, ./c.json, ./data.json and 1 more",
        ),
        ("train.json", "dialog \"dlg-a\" is not in ./train.json"),
    ] {
        let record = FIX.replace("\"dialog\"", &format!("\"file\":\"{file}\",\"dialog\""));
        let ran = run_in(folder.path(), &["apply", "-", "."], &record);
        let told = format!("turnwise: -:1: {why}\nturnwise: nothing was changed\n");
        assert_eq!((ran.code, ran.err), (1, told));
    }
}

/// One broken dialog of a file with a dialog a line; the others are edited.
#[test]
fn a_broken_line_blocks_only_itself() {
    let folder = scratch();
    let line = |id: &str| {
        format!(
            r#"{{"conversation_id":"{id}","vertical":"v","utterances":[{{"index":0,"speaker":"user","text":"Hi there"}}]}}"#
        )
    };
    let text = [line("a"), "{\"conversation_id\":\"b\",".to_owned(), line("c")].join("\n");
    fs::write(folder.path().join("data.json"), &text).unwrap();
    let set = r#"{"edit":"set_text","dialog":2,"turn":0,"text":"Hi, there"}"#;
    assert_eq!(apply(folder.path(), set, &[]).code, 0);
    let end = text.rfind("Hi there").unwrap();
    assert_eq!(saved(folder.path()), text[..end].to_owned() + "Hi, there\"}]}");
    let told = |dialog: &str| {
        let ran = apply(folder.path(), &set.replace("2,", &format!("{dialog},")), &[]);
        assert_eq!(ran.code, 2, "{ran:?}");
        ran.err
    };
    let broken = |dialog: &str| {
        format!(
            "turnwise: data.json:2:1: dialog 1: `{{` is never closed [syntax]\n    \
             {{\"conversation_id\":\"b\",\n    ^\n\
             turnwise: -:1: {dialog} cannot be read\n\
             turnwise: data.json: not changed\n"
        )
    };
    assert_eq!(told("1"), broken("dialog number 1"));
    assert_eq!(told("\"b\""), broken("dialog \"b\""));
    let ran = run_in(folder.path(), &["show", "data.json", "--dialog", "b"], "");
    assert!(ran.code == 2 && ran.err.contains("data.json:2:1: "), "{ran:?}");
}

#[test]
fn files_without_dialogs_say_why_no_record_is_for_them() {
    let folder = corpus();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    let utf16: Vec<u8> = CORPUS.encode_utf16().flat_map(u16::to_le_bytes).collect();
    write("utf16.json", &utf16);
    write("other.json", b"{\"name\": \"turnwise\"}");
    write("empty.json", b"[]");
    write("calls.json", b"{\"find_movies\": {\"apis\": [], \"args\": {}}}");
    for (name, why, code) in [
        ("utf16.json", "utf16.json:1:1: ", 2),
        ("other.json", "other.json:1:1: not a known kind of dialog: ", 2),
        ("calls.json", "calls.json: this is a Taskmaster-3 API ontology, not a corpus", 1),
        ("empty.json", "empty.json: there are no dialogs in this file", 1),
    ] {
        let ran = run_in(folder.path(), &["apply", "-", name], FIX);
        assert!(ran.code == code && ran.err.contains(why), "{name}: {ran:?}");
        let ran = run_in(folder.path(), &["apply", "-", name, "data.json", "--dry-run"], FIX);
        assert_eq!(ran.err.is_empty(), code == 1, "nobody asked: {ran:?}");
    }
    let elsewhere = FIX.replace("dlg-a", "dlg-z");
    let ran = run_in(folder.path(), &["apply", "-", "."], &elsewhere);
    // Of files without records only the unreadable ones are reported, as by every command.
    assert!(ran.code == 2 && ran.err.contains("other.json:1:1: "), "{ran:?}");
    assert!(!ran.err.contains("calls.json"), "{ran:?}");
}

/// A file's name may contain anything.
#[cfg(unix)]
#[test]
fn names_cannot_speak_to_the_terminal() {
    let folder = scratch();
    let name = "a\u{1b}[31m\u{202e}\n\"b\\é.json";
    fs::write(folder.path().join(name), CORPUS).unwrap();
    let plain = |text: &str| {
        let odd = |c: &char| *c != '\n' && c.is_control() || *c == '\u{202e}';
        text.chars().find(odd).is_none() && !text.lines().any(|line| line.starts_with('"'))
    };
    let nowhere = FIX.replace("dlg-a", "dlg-\\u202e");
    let several = FIX.replace("\"dlg-a\"", "0");
    let broken = format!("{CORPUS}]");
    for (more, records, code) in [
        (vec![name], &nowhere, 1),
        (vec![name, "--dry-run"], &FIX.to_owned(), 0),
        (vec![name, "--diff"], &FIX.to_owned(), 0),
        (vec![name, "c\n\"c.json"], &several, 1),
        (vec![name, "d\n\"d.json"], &several, 2),
        (vec!["e\u{1b}\n\"e.json"], &several, 2),
        (vec![name], &FIX.to_owned(), 0),
    ] {
        fs::write(folder.path().join("c\n\"c.json"), CORPUS).unwrap();
        fs::write(folder.path().join("d\n\"d.json"), &broken).unwrap();
        let mut arguments = vec!["apply", "-"];
        arguments.extend(&more);
        let ran = run_in(folder.path(), &arguments, records);
        assert_eq!(ran.code, code, "{more:?}: {ran:?}");
        assert!(plain(&ran.out) && plain(&ran.err), "{more:?}: {ran:?}");
    }
    for command in ["check", "show"] {
        for name in [name, "d\n\"d.json", "e\u{1b}\n\"e.json"] {
            let ran = run_in(folder.path(), &[command, name], "");
            assert!(plain(&ran.out) && plain(&ran.err), "{command}: {ran:?}");
        }
    }
    let back = FIX.replace("17", "16");
    let ran = run_in(folder.path(), &["apply", "-", name, "--diff"], &back);
    fs::write(folder.path().join("fix.patch"), &ran.out).unwrap();
    let patched = std::process::Command::new("git")
        .args(["apply", "-p0", "--unsafe-paths", "fix.patch"])
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(patched.success(), "{}", ran.out);
    assert_eq!(fs::read_to_string(folder.path().join(name)).unwrap(), CORPUS);
}

/// Otherwise a user who passes two files of edits would believe that both were applied.
#[test]
fn a_second_file_of_edits_is_not_read_as_a_corpus() {
    let folder = corpus();
    fs::write(folder.path().join("more.edits.jsonl"), FIX).unwrap();
    let ran = apply(folder.path(), FIX, &["more.edits.jsonl"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("more.edits.jsonl: this is an edits file, not a corpus"),
        "{}",
        ran.err
    );
    assert_eq!(saved(folder.path()), CORPUS);
}

#[test]
fn copies_of_a_text_that_cannot_be_edited_are_named() {
    let folder = crate::support::scratch();
    let session = r#"{"type":"user","sessionId":"s","message":{"role":"user","content":"log in"}}
{"type":"assistant","sessionId":"s","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"login","input":{}}]}}
{"type":"user","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"the password is \"hunter2secret\""}]},"toolUseResult":{"stdout":"hunter2secret"}}
{"type":"progress","sessionId":"s","note":"hunter2secret"}
"#;
    std::fs::write(folder.path().join("s.jsonl"), session).unwrap();
    let edit = r#"{"edit":"set_json","dialog":"s","turn":1,"call":0,"part":"response","text":"the password is \"xxx\""}"#;
    let ran = crate::support::run_in(folder.path(), &["apply", "-", "s.jsonl"], edit);
    assert_eq!(ran.code, 0, "{ran:?}");
    assert_eq!(
        ran.err,
        "turnwise: s.jsonl: dialog \"s\": the text that was replaced is still in fields of the dialog that cannot be edited: \
         progress, toolUseResult\n"
    );
    // Nothing else has this text.
    let edit = r#"{"edit":"set_text","dialog":"s","turn":0,"text":"log in please"}"#;
    let ran = crate::support::run_in(folder.path(), &["apply", "-", "s.jsonl"], edit);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
    // A password may be short.
    std::fs::write(folder.path().join("s.jsonl"), session.replace("hunter2secret", "hunter"))
        .unwrap();
    let edit = r#"{"edit":"set_json","dialog":"s","turn":1,"call":0,"part":"response","text":"the password is \"xxx\""}"#;
    let ran = crate::support::run_in(folder.path(), &["apply", "-", "s.jsonl"], edit);
    assert!(ran.err.ends_with("progress, toolUseResult\n"), "{ran:?}");
    // Or in the middle of what was taken out.
    let framed = r"Chunk 7 took 0.1 seconds\nOutput:\nTOKEN=hunter2secret\nand that is all";
    let text = session.replace(r#"the password is \"hunter2secret\""#, framed);
    let text = text.replace(r#""stdout":"hunter2secret""#, r#""stdout":"TOKEN=hunter2secret""#);
    std::fs::write(folder.path().join("s.jsonl"), text).unwrap();
    let edit = r#"{"edit":"set_json","dialog":"s","turn":1,"call":0,"part":"response","text":"(removed)"}"#;
    let ran = crate::support::run_in(folder.path(), &["apply", "-", "s.jsonl"], edit);
    assert!(ran.err.ends_with(": toolUseResult\n"), "{ran:?}");
}

/// Values that a removed turn has in common with others, such as who asked for a call, are still theirs.
#[test]
fn members_that_other_turns_have_as_well_are_not_copies() {
    let folder = crate::support::scratch();
    let event = |id: u8, said: &str| {
        format!(
            r#"{{"id": {id}, "timestamp": "2026-05-04T10:00:00.000001", "source": "user", "cause": null, "action": "message", "args": {{"content": "{said}"}}}}"#
        )
    };
    let text = format!("[{}, {}, {}]", event(0, "tide?"), event(1, "wind?"), event(2, "both"));
    std::fs::write(folder.path().join("o.json"), text).unwrap();
    let edit = r#"{"edit":"remove_turn","dialog":0,"turn":1}"#;
    let ran = crate::support::run_in(folder.path(), &["apply", "-", "o.json"], edit);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{ran:?}");
}
