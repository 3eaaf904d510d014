//! Descriptions that are wrong or hostile: each has a clear error, and none stops the program or takes long.

use std::fs;

use turnwise::format::Family;

use super::{declared, edited, issues, read, read_any};
use crate::support::{run_in, scratch};

/// A description of chats about rivers.
const RIVERS: &str = r#"name = "rivers"
has = ["talk[*].said"]
id = "nr"
sample = '''
{"nr": "r-1", "talk": [{"by": "a", "said": "The Elbe is long.", "marks": [{"a": 4, "z": 8, "tag": "river"}]},
 {"by": "b", "said": "So is the Oder."}]}
'''

[turn]
at = "talk[*]"
text = "said"
speaker = "by"

[[span]]
at = "marks[*]"
start = "a"
end = "z"
label = "tag"
"#;

const DIALOG: &str = r#"{"nr": "r-1", "talk": [{"by": "a", "said": "The Elbe is long."}]}"#;

fn refused(text: &str) -> (String, String) {
    match Family::read_from(text, None) {
        Err(error) => (error.at.map(|at| at.to_string()).unwrap_or_default(), error.reason),
        Ok(_) => panic!("{text} is accepted"),
    }
}

#[test]
fn errors_have_a_line_a_column_and_a_reason() {
    declared(RIVERS);
    let deep = "a.".repeat(100_000);
    let high = "^".repeat(100_000);
    let many = "\"talk\", ".repeat(200);
    let tables = "[[act]]\nat = \".\"\nname = \"by\"\n".repeat(101);
    let several = format!("label = [{many}\"tag\"]");
    let signs = format!("has = [{many}");
    let [speaker, label, said] = ["speaker = \"by\"", "label = \"tag\"", "\"said\"\n"];
    let two_roles = format!("{speaker}\nuser = [\"a\", \"b\"]\nsystem = [\"c\", \"b\"]");
    let judged = format!("{speaker}\n[[vote]]\nat = \"marks[*].tag\"\nannotator = \"by\"");
    let state = "[state]\nat = \"s{*}\"\nname = \"@key\"\nof = \"turn-after\"\n";
    for (right, wrong, place, reason) in [
        ("label", "lable", "18:1", "unknown field `lable`"),
        ("[turn]", "[turns]", "9:2", "unknown field `turns`"),
        ("\"said\"\n", "\"said\n", "11:13", "invalid basic string"),
        ("\"said\"\n", "7\n", "11:8", "expected a place or a table"),
        ("\"said\"\n", "\"talk[*].said\"\n", "11:9", "a turn has one text"),
        (
            speaker,
            &two_roles,
            "13:15",
            "\"b\" is in both `user` and `system`; a speaker has one role",
        ),
        (
            speaker,
            &judged,
            "15:1",
            "`annotator` has no use here, because turnwise shows judgements on a scale as fields",
        ),
        (
            said,
            "{ at = \"said\", separator = \" \" }\n",
            "11:16",
            "the place of the text must end in `[*]`",
        ),
        ("\"said\"\n", &format!("\"{deep}a\"\n"), "11:8", "more than 64 steps"),
        ("\"said\"\n", &format!("\"{high}.a\"\n"), "11:8", "more than 64 steps"),
        ("\"said\"\n", "\"a[18446744073709551615]\"\n", "11:8", "a number up to 999"),
        ("\"said\"\n", "\"a[1e99]\"\n", "11:8", "a number up to 999"),
        ("\"said\"\n", "\"../said\"\n", "11:8", "begins with a dot"),
        ("\"marks[*]\"", "\"^.talk[*].marks[*]\"", "15:7", "cannot begin with `^`"),
        ("\"rivers\"", "\"../../rivers\"", "1:1", "must begin with a letter"),
        ("\"rivers\"", "\"..\"", "1:1", "must begin with a letter"),
        ("\"rivers\"", "\"\"", "1:1", "must begin with a letter"),
        ("label = \"tag\"", &several, "18:9", "one to 16 places"),
        ("has = [", &signs, "2:1", "list at most 100 places"),
        ("[[span]]", &format!("{tables}[[span]]"), "14:1", "at most 100 tables"),
        ("\"nr\"", &"[".repeat(100_000), "3:86", "max recursion depth"),
        ("\"nr\"", "9999999999999999999999", "3:6", ""),
        ("\"nr\"", "1979-05-27", "3:6", "expected a string"),
        ("\"talk[*]\"", "\"talk[\"", "10:6", "`[` is not closed"),
        ("at = \"talk[*]\"", "at = \"talk\"", "10:7", "must end in `[*]` or `{*}`"),
        (label, "label = \"tag\"\nunit = \"inches\"", "19:8", "unknown variant `inches`"),
        (label, "label = \"tag\"\nunit = \"tokens\"", "19:9", "need `tokens`"),
        ("[[span]]", &format!("{state}[[span]]"), "17:7", "`of` must be"),
        ("has = [\"talk[*].said\"]", "", "1:1", "`has` must name the places"),
        ("id = \"nr\"", "split = \"nr\"", "3:1", "`split` needs lines that are turns"),
        ("id = \"nr\"", "files = [\"a/b\"]", "3:11", "`files` lists file names"),
        ("id = \"nr\"", "files = [\"*\"]", "3:11", "`files` lists file names"),
        ("speaker = \"by\"", "others = [\"a\"]", "12:1", "`others` lists values"),
        ("speaker = \"by\"", "is = 3", "12:6", "a table of places and their values"),
        ("speaker = \"by\"", "is = { \"a..b\" = \"c\" }", "12:8", "a name is missing"),
    ] {
        let (at, why) = refused(&RIVERS.replacen(right, wrong, 1));
        let wrong: String = wrong.chars().take(60).collect();
        assert!(at == place && why.contains(reason), "{wrong}: {at}: {why}");
        assert!(why.len() < 300, "{wrong}: {why}");
    }
}

#[test]
fn numbers_of_any_size_are_problems_of_the_data() {
    let format = declared(RIVERS);
    for (start, end) in [
        ("0", "18446744073709551615"),
        ("1e999", "3"),
        ("-1", "3"),
        ("4294967296", "4294967297"),
        ("0.5", "[]"),
    ] {
        let marks =
            format!(r#""said": "Elbe", "marks": [{{"a": {start}, "z": {end}, "tag": "x"}}]"#);
        let text = DIALOG.replace("\"said\": \"The Elbe is long.\"", &marks);
        let segment = &read_any(format, &text).turns[0].segments[0];
        assert!(!issues(format, &text).is_empty() && segment.span.is_none(), "{text}");
    }
    // The largest that fit are read, and the text has no such place.
    let text = DIALOG.replace(
        "\"by\": \"a\"",
        r#""by": "a", "marks": [{"a": 4294967294, "z": 4294967295, "tag": "x"}]"#,
    );
    let dialog = read(format, &text);
    assert_eq!(dialog.turns[0].segments[0].span.map(|span| span.end), Some(u32::MAX));
    let move_it = |end| turnwise::dialog::Edit::SetSpan { turn: 0, segment: 0, start: 4, end };
    assert!(edited(format, &text, &move_it(u32::MAX)).is_err());
    let moved = edited(format, &text, &move_it(8)).unwrap().text;
    assert!(moved.contains(r#""a": 4, "z": 8"#), "{moved}");
}

#[test]
fn dialogs_nested_as_deeply_as_the_parser_allows_are_searched() {
    let place = format!("talk{}", "[*]".repeat(60));
    let description = format!(
        "name = \"deep\"\nhas = [\"{place}\"]\n[turn]\nat = \"{place}\"\ntext = \".\"\nalternate = [\"a\"]\n"
    );
    let format = declared(&description);
    let nested =
        |depth: usize| format!(r#"{{"talk": {}"said"{}}}"#, "[".repeat(depth), "]".repeat(depth));
    assert_eq!(read(format, &nested(60)).turns.len(), 1);
    for depth in [59, 61, 100] {
        let dialog = read_any(format, &nested(depth));
        assert!(dialog.turns.iter().all(|turn| turn.text.is_empty()), "{depth}");
    }
    let folder = scratch();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("formats")).unwrap();
    write("formats/deep.toml", &description);
    write("corpus.json", &nested(100_000));
    let ran = run_in(folder.path(), &["check", "corpus.json"], "");
    assert!((1..=2).contains(&ran.code) && !ran.err.contains("panicked"), "{ran:?}");
}
