//! Drafts of descriptions: what they read in real files, what they say, and which files they refuse.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;
use turnwise::dialog::Turn;
use turnwise::format::Family;
use turnwise::format::declared::draft;
use turnwise::json::Parser;

use super::declared;
use crate::support::files::{neighbours, open, own, own_files, real_files, say};
use crate::support::{Ran, run_in, scratch};

fn new(folder: &Path, file: &str) -> Ran {
    fs::write(folder.join("c.json"), file).unwrap();
    run_in(folder, &["formats", "new", "c.json"], "")
}

#[test]
fn a_draft_says_where_most_of_the_text_is() {
    let folder = scratch();
    let notes = r#"{"notes": "A note about the keeper of the garden, who says nothing at all in this dialog, and about her hat.", "talk": [{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]}"#;
    let ran = new(folder.path(), &format!("[{notes}]"));
    let why = "c.json: that is 21 % of the text of the dialogs; most of the rest is at `notes`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
    let short = notes
        .replace(" of the garden, who says nothing at all in this dialog, and about her hat.", ".");
    let ran = new(folder.path(), &format!("[{short}]"));
    assert!(ran.code == 0 && !ran.err.contains("of the text"), "{ran:?}");
    // Columns of a table, and lists of dialogs.
    let table = r#"{"reasons": [["because of that", "it is so"], ["because of this", "it was so"]], "said": ["Why would you ever think that about a man?", "Well, that is what I have always heard of him."]}"#;
    let ran = new(folder.path(), table);
    let why = "most of the rest is at `said`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
    // Lists in a table, most of whose text is in them, beside columns of other texts.
    let table = r#"{"said": ["Why would you think that?", "That is what I have heard."], "rules": [["Never think that of a man.", "Or hear it of him."], ["Do not say all of it.", "And never twice."]]}"#;
    let ran = new(folder.path(), table);
    let why = "that is 61 % of the text of the dialogs; most of the rest is at `said`";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
}

/// Guesses are on standard error, and not only in the draft.
#[test]
fn a_draft_says_what_it_guesses() {
    let folder = scratch();
    for (file, why) in [
        (
            r#"[{"talk": ["Is it open today?", "It is open until five."]}]"#,
            "nothing looks like a speaker, so that `user` and `system` alternate",
        ),
        (
            r#"[{"talk": [{"name": "Mara", "line": "The lamp is dark."}, {"name": "Otto", "line": "I see to it."}]}]"#,
            "the user is \"Mara\", who speaks first, and the system is \"Otto\"",
        ),
        (
            r#"[{"talk": [{"by": "user", "says": "A room in Porto.", "marks": [{"start": 10, "end": 15, "label": "town"}]}, {"by": "bot", "says": "For two nights?"}]}]"#,
            "`end` of `marks[*]` is exclusive, as no quote shows it",
        ),
    ] {
        let ran = new(folder.path(), file);
        assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
        assert!(ran.out.contains(why), "{ran:?}");
    }
}

/// The better of two columns is the speaker, and the other one may hold ids of dialogs.
#[test]
fn a_draft_finds_the_speakers_in_a_column() {
    let folder = scratch();
    let columns = r#"{"conv_id": ["c0", "c0", "c1", "c1"], "speaker_idx": [0, 1, 0, 1], "utterance": ["I had a bad day at work.", "What happened to you?", "My dog won a prize.", "That must feel good!"]}"#;
    let ran = new(folder.path(), columns);
    assert!(ran.code == 0 && ran.err.contains("reads 4 turns in 1 dialog"), "{ran:?}");
    let line = "speaker = \"^.speaker_idx[@index]\"";
    assert!(ran.out.contains(line), "{ran:?}");
}

/// Lines of several speakers in each element: the draft has their turns, and names what it leaves out.
#[test]
fn a_draft_says_how_many_dialogs_it_reads() {
    let folder = scratch();
    let episodes = r#"[[{"recap": ["Ann opens the door."], "transcript": ["ANN : Who is there ?", "BO : Only me , and the cat ."], "filename": "a-1"},
        {"recap": ["Ann shuts the door."], "transcript": ["BO : Where is the cat ?", "ANN : In the kitchen ."], "filename": "a-2"}]]"#;
    let ran = new(folder.path(), episodes);
    assert!(ran.code == 0 && ran.err.contains("reads 4 turns in 1 dialog"), "{ran:?}");
    let why = "these members are fields and nothing else: `recap`;";
    assert!(ran.err.contains(why), "{ran:?}");
}

#[test]
fn a_draft_names_the_members_that_it_leaves_out() {
    let folder = scratch();
    let round =
        |q: &str, a: &str| format!(r#"{{"q": {{"text": "{q}"}}, "a": {{"text": "{a}"}}, "n": 1}}"#);
    let dialog = format!(
        r#"{{"rounds": [{}, {}], "acts": [{{"text": "look"}}]}}"#,
        round("How long is the ferry?", "Two hours."),
        round("And back?", "The same.")
    );
    let ran = new(folder.path(), &format!("[{dialog}, {dialog}]"));
    let why = "these members are fields and nothing else: `a`, `acts`;";
    assert!(ran.code == 0 && ran.err.contains(why), "{ran:?}");
}

#[test]
fn deep_and_wide_files_are_drafted() {
    let folder = scratch();
    let turns = r#""talk": [{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]"#;
    let deep = 200_000;
    let nested = format!("{}{}", "[".repeat(deep), "]".repeat(deep));
    let objects = format!("{}1{}", r#"{"a":"#.repeat(deep), "}".repeat(deep));
    let wide: Vec<_> =
        (0..5_000).map(|n| format!(r#""m{n}": ["one of them", "and another"]"#)).collect();
    for more in [format!(r#""deep": {nested}"#), format!(r#""deep": {objects}"#), wide.join(", ")] {
        let ran = new(folder.path(), &format!("[{{{turns}, {more}}}]"));
        let is_drafted = ran.code == 0 && ran.out.contains("at = \"talk[*]\"");
        assert!(is_drafted, "{:.300} {:.300}", ran.err, ran.out);
    }
}

#[test]
fn files_whose_dialogs_cannot_be_read_say_why() {
    let folder = scratch();
    let turns = r#"[{"who": "user", "says": "Is it open?"}, {"who": "system", "says": "Yes, it is open."}]"#;
    let keyed = format!(r#"{{"a": {turns}, "b": {turns}}}"#);
    for (file, why) in [
        (keyed.as_str(), "its members look like dialogs that are arrays of turns"),
        (
            r#"[{"talk": "Ann: Is it open?\nBo: It is."}, {"talk": "Cy: Rain again.\nDi: Boots, then."}]"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"[{"fname": "a", "talk": "Ann: Is it open?\nBo: It is.", "summary": "Ann asks Bo whether it is open."}, {"fname": "b", "talk": "Cy: Rain again.\nDi: Boots, then.", "summary": "Cy and Di talk of the rain."}]"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"{"talk": ["Ann: Is it open?\nBo: It is.", "Cy: Rain again.\nDi: Boots, then."], "summary": ["Ann asks Bo.", "Cy and Di talk of rain."]}"#,
            "`talk` holds a dialog as one text",
        ),
        (
            r#"[{"history": "Does anybody know when it is?"}, {"history": "It is at eight, I think."}]"#,
            "if each element is a turn, `dialogs = \".\"` with `at = \"[*]\"` in `[turn]` reads them as one dialog",
        ),
        (r#"[{"a": 1}, {"a": 2}]"#, "nothing in it looks like a list of turns"),
    ] {
        let ran = new(folder.path(), file);
        assert!(ran.code == 2 && ran.err.contains(why), "{file}: {ran:?}");
    }
}

/// The texts that a family and a draft read in a file.
struct Read {
    family: &'static str,
    by_family: Vec<String>,
    by_draft: Vec<String>,
}

/// Dialogs of a file that are compared.
const COMPARED: usize = 30;

/// None for files without dialogs, or without texts.
fn read_both(path: &Path) -> Option<Read> {
    let file = open(fs::read(path).unwrap());
    let format = file.format().filter(|format| format.name() != "dbdc-labels")?;
    let text = fs::read_to_string(path).unwrap();
    let drafted = draft(&text, "own").unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let own = declared(&drafted.toml);
    let texts = |format: &'static Family| -> Vec<String> {
        let pieces = 0..file.index().pieces.len().min(COMPARED);
        let turns = pieces.flat_map(|position| {
            let text = file.text(position).unwrap();
            let mut parser = Parser::new();
            let read = format.read(parser.parse_piece_str(&text).unwrap());
            read.0.turns
        });
        // Answers and calls of chats are not the texts of their turns.
        let is_utterance = |turn: &Turn| {
            let name = turn.speaker.name.as_str();
            !turn.text.is_empty() && !["tool", "observation", "function_call"].contains(&name)
        };
        let uttered = turns.filter(is_utterance);
        uttered.map(|turn| turn.text).collect()
    };
    Some(Read { family: format.name(), by_family: texts(format), by_draft: texts(own) })
}

#[test]
fn drafts_read_the_demo_as_its_families_do() {
    let mut families = BTreeSet::new();
    for path in own_files() {
        if !path.starts_with(own("assets/demo")) {
            continue;
        }
        let Some(read) = read_both(&path) else {
            continue;
        };
        assert_eq!(read.by_draft, read.by_family, "{}", path.display());
        families.insert(read.family);
    }
    assert!(families.len() >= 11, "{families:?}");
}

#[test]
fn drafts_read_real_files_as_their_families_do() {
    let (Some(mut files), Some(chats)) = (neighbours("drafting"), real_files("drafting")) else {
        return;
    };
    files.extend(chats);
    let mut tried: BTreeMap<_, usize> = BTreeMap::new();
    let (mut right, mut wrong) = (BTreeSet::new(), Vec::new());
    for path in files {
        let file = open(fs::read(&path).unwrap());
        let Some(format) = file.format() else {
            continue;
        };
        let of_folder =
            tried.entry((format.name(), path.parent().map(Path::to_owned))).or_default();
        *of_folder += 1;
        let Some(read) = read_both(&path).filter(|_| *of_folder <= 2) else {
            continue;
        };
        if read.by_draft == read.by_family {
            right.insert(read.family);
        } else {
            wrong.push((path, read.by_family.len(), read.by_draft.len()));
        }
    }
    say(&format!("drafts of {} families are right: {right:?}", right.len()));
    assert!(right.len() >= 15 && wrong.is_empty(), "{wrong:?}");
}

/// A draft is recognized, or there is none.
#[test]
fn files_with_odd_keys_have_a_draft_that_fits_or_none() {
    let folder = scratch();
    for key in ["", "a\"b", "a'b", "a|b", "a.b", "x y", "@index", "{*}", "[0]", "^", "\\", "\n"] {
        let turn = |at: usize| {
            let speaker = if at.is_multiple_of(2) { "user" } else { "system" };
            serde_json::json!({"text": format!("word {at}"), "speaker": speaker})
        };
        let turns: Vec<_> = (0..4).map(turn).collect();
        for member in ["turns", "text", "speaker"] {
            let text = serde_json::json!([{"id": "d", "turns": turns}]).to_string();
            let quoted = |key: &str| format!("{}:", Value::from(key));
            let text = text.replace(&quoted(member), &quoted(key));
            fs::write(folder.path().join("data.json"), text).unwrap();
            let _ = fs::remove_file(folder.path().join("own.toml"));
            let ran = run_in(folder.path(), &["formats", "new", "data.json", "-o", "own.toml"], "");
            if ran.code == 2 {
                assert!(ran.err.starts_with("turnwise: data.json: "), "{key:?}: {ran:?}");
                continue;
            }
            let ran = run_in(folder.path(), &["formats", "check", "own.toml", "data.json"], "");
            assert!(
                ran.code < 2 && ran.out.contains("data.json: "),
                "{key:?} for {member}: {ran:?}"
            );
        }
    }
}
