//! Output of commands on a terminal: hostile data is shown with marks, and the terminal obeys none of it.

use std::fs;

use serde_json::{Value, json};

use super::harness::outcome;
use super::setup::Setup;
use crate::support::hostile::{self, HOSTILE, is_obeyed, raw};
use crate::support::{amount, run};

/// Escape sequences of our own: the styles of printed text.
const STYLES: &[&str] = &[
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[4m",
    "\u{1b}[31m",
    "\u{1b}[32m",
    "\u{1b}[34m",
    "\u{1b}[35m",
    "\u{1b}[36m",
];

/// A command line. `CORPUS` and `LOG` are files of hostile data under hostile names, `NAME` is hostile itself;
/// `own.json` is of a format whose description is hostile, and standard input is the corpus again.
const LINES: &[&str] = &[
    "check CORPUS LOG",
    "check CORPUS LOG --format json",
    "lint CORPUS LOG --extend-select all",
    "lint CORPUS LOG --extend-select all --format json",
    "lint CORPUS LOG --extend-select all --format jsonl",
    "lint CORPUS LOG --extend-select all --format github",
    "lint CORPUS LOG --extend-select all --format sarif",
    "lint CORPUS LOG --statistics",
    "fix CORPUS LOG --diff --unsafe-fixes",
    "fix CORPUS LOG --diff=unified --unsafe-fixes",
    "fix CORPUS LOG --dry-run --unsafe-fixes",
    "apply edits.jsonl CORPUS --diff",
    "apply edits.jsonl CORPUS --diff=unified",
    "apply edits.jsonl CORPUS --dry-run",
    "apply bad.jsonl CORPUS",
    "diff CORPUS own.json",
    "diff own.json CORPUS --format jsonl",
    "diff own.json CORPUS --stat",
    "compare CORPUS CORPUS",
    "compare CORPUS own.json LOG",
    "compare CORPUS CORPUS --gamma --format json",
    "compare own.json own.json --format csv",
    "merge own.json own.json own.json -o merged.json",
    "git status --global",
    "blame CORPUS",
    "assign CORPUS --to mk --per 1000",
    "schemes check CORPUS",
    "schemes print success",
    "show CORPUS",
    "show LOG",
    "show CORPUS LOG",
    "votes LOG",
    "votes LOG --format json",
    "votes LOG --format csv",
    "votes LOG --by file",
    "votes LOG --by dialog",
    "votes LOG --by annotator",
    "votes LOG --by annotator --format csv",
    "votes LOG --by system",
    "votes LOG --confusion NAME b",
    "votes LOG --confusion b NAME",
    "progress LOG",
    "report CORPUS LOG",
    "report CORPUS LOG --format md",
    "report CORPUS --format latex --title NAME",
    "report LOG --format json",
    "report LOG --partial",
    "show CORPUS --format html --problems",
    "suggest CORPUS --with cat --scheme success",
    "suggest CORPUS --with NAME --run NAME",
    "suggest CORPUS --with NAME --run r",
    "suggest CORPUS --remove-run NAME",
    "progress LOG --gold NAME --format json",
    "merge LOG other.json -o out",
    "score LOG labels",
    "export labels LOG --annotator NAME -o out",
    "rules NAME",
    "schema NAME",
    "keys --keymap NAME",
    "keys",
    "config",
    "check own.json missing/NAME NAME",
    "check own.json --format json",
    "check - --stdin-name NAME --format json",
    "show own.json",
    "show own.json --problems",
    "show own.json -d NAME",
    "show CORPUS -d NAME",
    "show -",
    "lint own.json --extend-select all",
    "lint own.json --extend-select all --format json",
    "lint - --extend-select all --format jsonl",
    "lint CORPUS --partial",
    "lint CORPUS --select NAME",
    "report --from bad.jsonl",
    "fix own.json --diff --unsafe-fixes",
    "fix - --unsafe-fixes",
    "fix - --unsafe-fixes --stdin-name NAME",
    "apply edits.jsonl -",
    "apply edits.jsonl own.json --diff=dialog",
    "apply own.jsonl own.json --diff",
    "apply own.json CORPUS",
    "find turns>0 CORPUS LOG own.json",
    "find turns>0 CORPUS LOG own.json --format jsonl",
    "find turns>0 CORPUS LOG own.json --format ids",
    "find turns>0 own.json --sample 2 --format jsonl",
    "find turns>0 - --format jsonl",
    "find lable:NAME CORPUS",
    "find label:NAME CORPUS",
    "find speaker:a CORPUS own.json",
    "find note:* own.json",
    "find turns>0 own.json --count-by by",
    "check .",
    "schemes",
    "schemes print NAME",
    "schemes check bad.toml",
    "export chat CORPUS own.json -o -",
    "export chat chat.jsonl -o -",
    "export conll CORPUS own.json -o -",
    "export doccano CORPUS own.json -o -",
    "export spacy CORPUS own.json -o -",
    "export kto LOG --annotator NAME -o -",
    "export kto own.json --question NAME -o -",
    "export kto own.json --question verdict --scheme success --good NAME -o -",
    "export kto own.json --question verdict --scheme success --annotator NAME -o -",
    "export dpo CORPUS -o -",
    "export tables CORPUS own.json -o NAME",
    "export labels LOG --annotator NAME -o -",
    "import doccano doccano.jsonl CORPUS",
    "import doccano edits.jsonl own.json",
    "import prodigy own.json CORPUS",
    "import tables NAME CORPUS",
    "votes LOG --partial",
    "votes --from own.json",
    "votes own.json --question verdict --scheme success --partial",
    "votes --question NAME --from bad.jsonl",
    "votes LOG --by annotator --against gold",
    "votes LOG --gold NAME",
    "score LOG NAME",
    "formats .",
    "formats NAME",
    "formats check formats/own.toml own.json",
    "formats check formats/own.toml CORPUS NAME",
    "formats check bad.toml own.json",
    "formats new own.json",
    "formats new CORPUS",
    "schema own",
    "help",
    "help NAME",
    "help find",
    "help keys",
    "rules",
    "completions NAME",
    "completions bash",
    "man NAME",
    "man",
    "NAME",
    "--NAME",
    "check --NAME",
    "NAME --suggestions edits.jsonl",
];

/// Those of them that print the texts of the data.
const MARKED: &[&str] = &[
    "check CORPUS LOG",
    "formats .",
    "formats check formats/own.toml own.json",
    "lint CORPUS LOG --extend-select all --format github",
    "apply edits.jsonl CORPUS --diff",
    "apply edits.jsonl CORPUS --diff=unified",
    "show CORPUS",
    "votes LOG --by annotator",
    "votes LOG --by annotator --format csv",
    "votes LOG --confusion b NAME",
    "config",
];

/// A description of a format, with the hostile `text` wherever a text may be.
fn description(text: &str) -> String {
    let text = toml(text);
    let sample = toml(&own().to_string());
    format!(
        "name = \"own\"\ntitle = {text}\nholds = {text}\nhas = [\"log[*].say\"]\nid = \"name\"\nsample = {sample}\n\
        [turn]\nat = \"log[*]\"\nalternate = [{text}, \"b\"]\nuser = [{text}]\nsystem = [\"b\"]\ntext = \"say\"\n\
        [[act]]\nat = \"acts[*]\"\nname = \"@key\"\nslot = \"slot\"\nvalues = \"value\"\n"
    )
}

/// A string of TOML, which cannot have a raw DEL.
fn toml(text: &str) -> String {
    serde_json::to_string(text).unwrap().replace('\u{7f}', "\\u007f")
}

/// A corpus of the format of [`description`].
fn own() -> Value {
    json!([{
        "name": HOSTILE,
        HOSTILE: {HOSTILE: HOSTILE},
        "log": [
            {"say": HOSTILE, "acts": {HOSTILE: {"slot": HOSTILE, "value": HOSTILE}}, HOSTILE: [HOSTILE]},
            {"say": "yes  ", "acts": {}},
        ],
    }])
}

/// A chat with a call whose arguments and answer are hostile.
fn chat() -> Value {
    let arguments = json!({HOSTILE: HOSTILE}).to_string();
    json!({"id": HOSTILE, "tools": [{"type": "function", "function": {"name": HOSTILE, "parameters": {}}}],
        "messages": [
        {"role": "user", "content": HOSTILE},
        {"role": "assistant", "content": HOSTILE, "tool_calls": [
            {"id": "c", "type": "function", "function": {"name": HOSTILE, "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": "c", "content": HOSTILE},
        {"role": "assistant", "content": "Done."},
    ]})
}

/// Standard output is the terminal, standard error a file.
const OUT: &str = "exec \"$0\" \"$@\" <in.json 2>errors";
/// Standard error is the terminal, standard output a file.
const ERRORS: &str = "exec \"$0\" \"$@\" <in.json >errors";

fn on_terminal(
    line: &str,
    variables: &[(&'static str, &'static str)],
    script: &str,
) -> (String, String, String) {
    let setup = Setup::new().auto_theme().size(200, 50);
    let mut setup = setup.variable("PAGER", "cat");
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    let [corpus, log] = hostile::write(setup.folder.path());
    let mut other = hostile::log();
    other["turns"][1]["annotations"][0]["breakdown"] = "X".into();
    other["turns"][1]["annotations"][0]["comment"] = format!("{HOSTILE}!").into();
    fs::write(setup.path("other.json"), raw(&other)).unwrap();
    let edit =
        |turn: usize| json!({"edit": "set_text", "dialog": 0, "turn": turn, "text": HOSTILE});
    fs::write(setup.path("edits.jsonl"), edit(1).to_string()).unwrap();
    let mut bad: Value = edit(9);
    bad["dialog"] = HOSTILE.into();
    fs::write(setup.path("bad.jsonl"), bad.to_string()).unwrap();
    fs::create_dir(setup.path("labels")).unwrap();
    let text = |value: Value| value.to_string();
    fs::write(setup.path("own.json"), raw(&own())).unwrap();
    fs::create_dir(setup.path("judgements")).unwrap();
    let judgement = |dialog: &str| {
        text(
            json!({"dialog": dialog, "turn": 0, "question": HOSTILE, "value": HOSTILE, "note": HOSTILE,
            "tags": [HOSTILE], "by": HOSTILE}),
        )
    };
    let lines = [judgement(HOSTILE), judgement(&format!("{HOSTILE}!")), HOSTILE.to_owned()];
    fs::write(setup.path("judgements/a.jsonl"), lines.join("\n")).unwrap();
    let mut edit = edit(1);
    edit["dialog"] = HOSTILE.into();
    fs::write(setup.path("own.jsonl"), text(edit)).unwrap();
    fs::write(setup.path("chat.jsonl"), text(chat())).unwrap();
    let record = json!({"text": HOSTILE, "label": [[0, 1, HOSTILE]], "dialog": 0, "turn": 0, "file": HOSTILE});
    fs::write(setup.path("doccano.jsonl"), text(record)).unwrap();
    // The styles of the program are not styles in data.
    let styled = format!("\u{1b}[1m{HOSTILE}\u{1b}[0m");
    fs::create_dir(setup.path("formats")).unwrap();
    fs::write(setup.path("formats/own.toml"), description(&styled)).unwrap();
    let bad = format!("{}\n{} = 1\n", description(&styled), toml(&styled));
    fs::write(setup.path("bad.toml"), bad).unwrap();
    fs::copy(setup.path(&corpus), setup.path("in.json")).unwrap();
    // An argument of a process has no NUL, and neither has the id that is asked for then.
    let name = HOSTILE.replace('\0', "");
    let text = fs::read_to_string(setup.path(&log)).unwrap();
    let text = text.replacen("\"annotator-id\": \"a\\u0000b", "\"annotator-id\": \"ab", 1);
    fs::write(setup.path(&log), text).unwrap();
    let settings = setup.path(".config/turnwise");
    fs::create_dir_all(&settings).unwrap();
    let quoted = serde_json::to_string(&HOSTILE.replace('\u{7f}', "")).unwrap();
    let quoted =
        format!("annotator = {quoted}\nkeymap = {quoted}\nvotes = {quoted}\n{quoted} = 1\n");
    fs::write(settings.join("settings.toml"), &quoted).unwrap();
    fs::write(settings.join("keys.toml"), &quoted).unwrap();
    for word in line.split(' ') {
        let word = word.replace("NAME", &name);
        let word = match word.as_str() {
            "CORPUS" => &corpus,
            "LOG" => &log,
            other => other,
        };
        setup = setup.argument(word);
    }
    // Standard error is checked separately: a progress bar would be there too.
    let mut terminal = setup.script(script).start();
    let status = outcome(terminal.ends());
    let bytes = terminal.bytes();
    let errors = fs::read(terminal.folder().join("errors")).unwrap();
    (status, String::from_utf8(bytes).unwrap(), String::from_utf8(errors).unwrap())
}

/// `text` without our own styles and line ends.
fn without_styles(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    STYLES.iter().fold(text, |text, style| text.replace(style, ""))
}

#[test]
fn no_control_character_of_the_data_reaches_a_terminal_by_many_commands() {
    // A tab only leaves some columns empty.
    let raw = |char: char| !"\n\t".contains(char) && is_obeyed(char);
    for (number, line) in LINES.iter().enumerate() {
        let both = [&[][..], &[("NO_COLOR", "1")]];
        for variables in amount(&both[number % 2..][..1], &both) {
            let (status, out, errors) = on_terminal(line, variables, OUT);
            assert!(["exit 0", "exit 1", "exit 2"].contains(&&*status), "{line}: {status}");
            let plain = without_styles(&out);
            assert!(!plain.contains(raw), "{line}: {plain:?}");
            if line.contains("--format json")
                || line.contains("--partial")
                || line.ends_with("-o -")
            {
                assert_json(&plain, line);
            }
            assert!(!errors.contains(raw), "{line}: {errors:?}");
            assert!(!plain.is_empty() || !errors.is_empty(), "{line}");
            if !variables.is_empty() {
                assert!(!out.contains('\u{1b}'), "{line}: {out:?}");
            }
            // They are not left out either: each has its mark, also where there are no colours.
            let is_marked = |mark| !MARKED.contains(line) || out.contains(mark);
            assert!(["⟨U+202E⟩", "⟨U+0085⟩"].into_iter().all(is_marked), "{line}: {out:?}");
        }
    }
}

/// Panics unless a text is JSON, or each of its lines is.
fn assert_json(text: &str, line: &str) {
    let is_json = |text: &str| serde_json::from_str::<Value>(text).is_ok();
    let is_lines = text.lines().all(is_json);
    let is_other = line.starts_with("export conll") || line.contains("github");
    assert!(is_other || is_lines || is_json(text), "{line}: {text:?}");
}

#[test]
fn no_control_character_reaches_a_terminal_in_an_error() {
    for line in [
        "NAME",
        "--NAME",
        "check --NAME",
        "export NAME CORPUS -o -",
        "find lable:NAME CORPUS",
        "formats check bad.toml",
        "formats check formats/own.toml NAME",
        "help NAME",
        "keys --keymap NAME",
        "rules NAME",
        "schema NAME",
        "show NAME",
    ] {
        let (_, errors, _) = on_terminal(line, &[("NO_COLOR", "1")], ERRORS);
        let errors = errors.replace("\r\n", "\n");
        let raw = |char: char| !"\n\t".contains(char) && is_obeyed(char);
        assert!(!errors.contains(raw), "{line}: {errors:?}");
        assert!(
            errors.contains("⟨U+202E⟩") || errors.contains("\\u{202e}") || line.contains("toml"),
            "{line}: {errors:?}"
        );
    }
}

/// Each command that prints is tried above.
#[test]
fn every_command_is_tried_with_hostile_data() {
    let help = run(&["help"]).out;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    for line in commands.lines().filter(|line| line.starts_with("  ")) {
        let command = line.split_whitespace().next().unwrap();
        let is_tried = LINES.iter().any(|line| line.split(' ').next() == Some(command));
        assert!(is_tried || command == "demo", "{command}");
    }
}
