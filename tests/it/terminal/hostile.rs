//! Output of commands on a terminal: hostile data is shown with marks, and the terminal obeys none of it.

use std::fs;

use serde_json::{Value, json};

use super::harness::outcome;
use super::setup::Setup;
use crate::support::hostile::{self, HOSTILE, is_obeyed, raw};
use crate::support::{amount, run};

/// The numbers of our own styles of printed text.
const STYLES: [u8; 9] = [0, 1, 2, 4, 31, 32, 34, 35, 36];

/// Command lines. `CORPUS` and `LOG` are files of hostile data under hostile names, `NAME` is hostile itself;
/// `own.json` is of a format whose description is hostile, and standard input is the corpus again. Those with a star
/// print the texts of the data.
const LINES: &str = "
    * check CORPUS LOG; check CORPUS LOG --format json; check own.json missing/NAME NAME
    check own.json --format json; check - --stdin-name NAME --format json; check .; check --NAME
    lint CORPUS LOG --extend-select all; lint CORPUS LOG --extend-select all --format json
    lint CORPUS LOG --extend-select all --format jsonl
    * lint CORPUS LOG --extend-select all --format github
    lint CORPUS LOG --extend-select all --format sarif; lint CORPUS LOG --statistics
    lint own.json --extend-select all; lint own.json --extend-select all --format json
    lint - --extend-select all --format jsonl; lint CORPUS --partial; lint CORPUS --select NAME
    fix CORPUS LOG --diff --unsafe-fixes; fix CORPUS LOG --diff=unified --unsafe-fixes
    fix CORPUS LOG --dry-run --unsafe-fixes; fix own.json --diff --unsafe-fixes
    fix - --unsafe-fixes; fix - --unsafe-fixes --stdin-name NAME
    * apply edits.jsonl CORPUS --diff; * apply edits.jsonl CORPUS --diff=unified
    apply edits.jsonl CORPUS --dry-run; apply bad.jsonl CORPUS; apply edits.jsonl -
    apply edits.jsonl own.json --diff=dialog; apply own.jsonl own.json --diff; apply own.json CORPUS
    diff CORPUS own.json; diff own.json CORPUS --format jsonl; diff own.json CORPUS --stat
    compare CORPUS CORPUS; compare CORPUS own.json LOG; compare CORPUS CORPUS --gamma --format json
    compare own.json own.json --format csv
    merge own.json own.json own.json -o merged.json; merge LOG other.json -o out
    git status --global; blame CORPUS; assign CORPUS --to mk --per 1000
    schemes check CORPUS; schemes print success; schemes; schemes print NAME; schemes check bad.toml
    * show CORPUS; show LOG; show CORPUS LOG; show CORPUS --format html --problems
    show own.json; show own.json --problems; show own.json -d NAME
    show CORPUS -d NAME; show -
    votes LOG; votes LOG --format json; votes LOG --format csv; votes LOG --by file
    votes LOG --by dialog; * votes LOG --by annotator; * votes LOG --by annotator --format csv
    votes LOG --by system; votes LOG --confusion NAME b; * votes LOG --confusion b NAME
    votes LOG --partial; votes --from own.json
    votes own.json --question verdict --scheme success --partial
    votes --question NAME --from bad.jsonl; votes LOG --by annotator --against gold
    votes LOG --gold NAME; progress LOG; progress LOG --gold NAME --format json
    report CORPUS LOG; report CORPUS LOG --format md; report CORPUS --format latex --title NAME
    report LOG --format json; report LOG --partial; report --from bad.jsonl
    suggest CORPUS --with cat --scheme success; suggest CORPUS --with NAME --run NAME
    suggest CORPUS --with NAME --run r; suggest CORPUS --remove-run NAME
    score LOG labels; score LOG NAME
    export labels LOG --annotator NAME -o out; export chat CORPUS own.json -o -
    export chat chat.jsonl -o -; export conll CORPUS own.json -o -
    export doccano CORPUS own.json -o -; export spacy CORPUS own.json -o -
    export kto LOG --annotator NAME -o -; export kto own.json --question NAME -o -
    export kto own.json --question verdict --scheme success --good NAME -o -
    export kto own.json --question verdict --scheme success --annotator NAME -o -
    export dpo CORPUS -o -; export tables CORPUS own.json -o NAME
    export labels LOG --annotator NAME -o -; rules NAME; rules; schema NAME; schema own
    keys --keymap NAME; keys; * config
    find turns>0 CORPUS LOG own.json; find turns>0 CORPUS LOG own.json --format jsonl
    find turns>0 CORPUS LOG own.json --format ids; find turns>0 own.json --sample 2 --format jsonl
    find turns>0 - --format jsonl; find lable:NAME CORPUS; find label:NAME CORPUS
    find speaker:a CORPUS own.json; find note:* own.json; find turns>0 own.json --count-by by
    import doccano doccano.jsonl CORPUS; import doccano edits.jsonl own.json
    import prodigy own.json CORPUS; import tables NAME CORPUS
    * formats .; formats NAME; * formats check formats/own.toml own.json
    formats check formats/own.toml CORPUS NAME; formats check bad.toml own.json
    formats new own.json; formats new CORPUS; help; help NAME; help find; help keys
    completions NAME; completions bash; man NAME; man; NAME; --NAME; NAME --suggestions edits.jsonl
";

/// The command lines, and whether each prints the texts of the data.
fn lines() -> impl Iterator<Item = (&'static str, bool)> {
    let lines = LINES.split(['\n', ';']).map(str::trim).filter(|line| !line.is_empty());
    lines.map(|line| (line.trim_start_matches("* "), line.starts_with('*')))
}

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
    let mut setup = Setup::new().auto_theme().size(200, 50).variable("PAGER", "cat");
    for (name, value) in variables {
        setup = setup.variable(name, value);
    }
    let [corpus, log] = hostile::write(setup.folder.path());
    let mut other = hostile::log();
    other["turns"][1]["annotations"][0]["breakdown"] = "X".into();
    other["turns"][1]["annotations"][0]["comment"] = format!("{HOSTILE}!").into();
    let edit = |dialog: Value, turn: usize| {
        json!({"edit": "set_text", "dialog": dialog, "turn": turn, "text": HOSTILE}).to_string()
    };
    let judgement = |dialog: &str| {
        json!({"dialog": dialog, "turn": 0, "question": HOSTILE, "value": HOSTILE, "note": HOSTILE,
            "tags": [HOSTILE], "by": HOSTILE})
        .to_string()
    };
    let lines = [judgement(HOSTILE), judgement(&format!("{HOSTILE}!")), HOSTILE.to_owned()];
    let record = json!({"text": HOSTILE, "label": [[0, 1, HOSTILE]], "dialog": 0, "turn": 0, "file": HOSTILE});
    // The styles of the program are not styles in data.
    let styled = format!("\u{1b}[1m{HOSTILE}\u{1b}[0m");
    let bad = format!("{}\n{} = 1\n", description(&styled), toml(&styled));
    let mut setup = setup
        .file("other.json", raw(&other))
        .file("edits.jsonl", edit(0.into(), 1))
        .file("bad.jsonl", edit(HOSTILE.into(), 9))
        .file("own.json", raw(&own()))
        .file("judgements/a.jsonl", lines.join("\n"))
        .file("own.jsonl", edit(HOSTILE.into(), 1))
        .file("chat.jsonl", chat().to_string())
        .file("doccano.jsonl", record.to_string())
        .file("formats/own.toml", description(&styled))
        .file("bad.toml", bad);
    fs::create_dir(setup.path("labels")).unwrap();
    fs::copy(setup.path(&corpus), setup.path("in.json")).unwrap();
    // An argument of a process has no NUL, and neither has the id that is asked for then.
    let name = HOSTILE.replace('\0', "");
    let text = fs::read_to_string(setup.path(&log)).unwrap();
    let text = text.replacen("\"annotator-id\": \"a\\u0000b", "\"annotator-id\": \"ab", 1);
    fs::write(setup.path(&log), text).unwrap();
    let quoted = serde_json::to_string(&HOSTILE.replace('\u{7f}', "")).unwrap();
    let quoted =
        format!("annotator = {quoted}\nkeymap = {quoted}\nvotes = {quoted}\n{quoted} = 1\n");
    setup = setup.configured("settings.toml", &quoted).configured("keys.toml", &quoted);
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
    STYLES.iter().fold(text, |text, style| text.replace(&format!("\u{1b}[{style}m"), ""))
}

#[test]
fn no_control_character_of_the_data_reaches_a_terminal_by_many_commands() {
    // A tab only leaves some columns empty.
    let raw = |char: char| !"\n\t".contains(char) && is_obeyed(char);
    for (number, (line, is_printed)) in lines().enumerate() {
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
            let is_marked = |mark| !is_printed || out.contains(mark);
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
        let is_tried = lines().any(|(line, _)| line.split(' ').next() == Some(command));
        assert!(is_tried || command == "demo", "{command}");
    }
}
