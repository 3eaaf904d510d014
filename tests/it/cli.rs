//! The command line as its users know it: arguments in, text and exit codes out.

use std::fs;

use crate::support::{CORPUS, project, run, run_in, scratch};

#[test]
fn every_subcommand_has_help_with_an_example() {
    for command in [
        "check",
        "show",
        "votes",
        "score",
        "apply",
        "export",
        "schema",
        "formats",
        "completions",
        "man",
        "help",
    ] {
        let ran = run(&[command, "--help"]);
        assert_eq!(ran.code, 0, "{command}");
        assert!(ran.out.contains(&format!("turnwise {command}")), "{command}: {}", ran.out);
        assert!(ran.out.contains("Example"), "{command}: {}", ran.out);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for argument in ["--help", "--version"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let program = env!("CARGO_BIN_EXE_turnwise");
        let ran = std::process::Command::new(program).arg(argument).stdout(full).output();
        let ran = ran.unwrap();
        let err = String::from_utf8(ran.stderr).unwrap();
        assert!(ran.status.code() == Some(2) && err.contains("No space left"), "{err}");
    }
}

/// Also where the output goes into a pipe, and they do not matter.
#[test]
fn unknown_themes_and_keymaps_are_errors_wherever_they_are_accepted() {
    let (corpus, themes) = (project("assets/demo/sim-m.json"), "auto, dark, light, ");
    let corpus = corpus.to_str().unwrap();
    let keymaps = "default, annotator";
    let cases: &[(&[&str], &str)] = &[
        (&["--theme", "nope", corpus], themes),
        (&["--theme", "nope"], themes),
        (&["demo", "--theme", "nope"], themes),
        (&["--keymap", "nope", corpus], keymaps),
        (&["demo", "--keymap", "nope"], keymaps),
        (&["keys", "--keymap", "nope"], keymaps),
    ];
    for (arguments, names) in cases {
        let ran = run(arguments);
        let what = arguments.iter().find_map(|a| a.strip_prefix("--")).unwrap();
        let why = format!("turnwise: unknown {what} nope; use one of: {names}");
        assert!(ran.err.starts_with(&why), "{arguments:?}: {}", ran.err);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
    }
    for known in ["auto", "colour-blind-safe"] {
        let ran = run(&["--theme", known, "--keymap", "annotator", corpus]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
}

#[test]
fn long_keys_are_cut_in_messages() {
    let folder = scratch();
    let key = "k".repeat(100_000);
    fs::write(folder.path().join("a.json"), format!("{{\"{key}\": 1}}")).unwrap();
    let ran = run_in(folder.path(), &["check", "a.json"], "");
    assert!(ran.out.contains("kkk…`") && ran.out.len() < 600, "{}", ran.out.len());
}

#[test]
fn piped_output_has_no_colours() {
    for arguments in
        [&["check", "assets/demo"][..], &["show", "assets/demo/sim-m.json"], &["formats"]]
    {
        let ran = run(arguments);
        assert!(!ran.out.contains('\u{1b}'), "{arguments:?}");
        assert!(!ran.err.contains('\u{1b}'), "{arguments:?}");
    }
}

#[test]
fn check_prints_json_for_programs() {
    let ran =
        run(&["check", "assets/demo/taskmaster-3.json", "assets/demo/dbdc", "--format", "json"]);
    let reports: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let reports = reports.as_array().unwrap();
    assert_eq!((ran.code, reports.len()), (0, 7));
    let first = &reports[0];
    assert_eq!(first["file"], "assets/demo/taskmaster-3.json");
    assert_eq!(first["family"], "taskmaster-3");
    for field in ["dialogs", "turns", "segments", "calls", "votes", "acts"] {
        assert!(first[field].is_u64(), "{field}");
    }
    assert_eq!(first["issues"], serde_json::json!([]));
}

#[test]
fn check_says_where_an_issue_is() {
    let folder = scratch();
    let broken = CORPUS
        .replace("\"start_index\": 8", "\"start_index\": \"8\"")
        .replace("\"text\": \"It", "\"txt\": \"It");
    fs::write(folder.path().join("data.json"), broken).unwrap();
    let ran = run_in(folder.path(), &["check", "."], "");
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("./data.json:12:28: dialog 0, turn 0: `start_index` should be an integer from 0 on, found \"8\""), "{}", ran.out);
    assert!(
        ran.out.contains("./data.json:23:7: dialog 0, turn 1: the utterance lacks `text`"),
        "{}",
        ran.out
    );
}

#[test]
fn check_reads_standard_input() {
    let ran = run_in(&project("."), &["check", "-", "--format", "json"], CORPUS);
    let reports: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, reports[0]["dialogs"].as_u64()), (0, Some(2)));
}

/// Unreadable input is reported with its place and exit code 2; nothing is changed, nothing panics.
#[test]
fn bad_files_are_explained() {
    let deep = "[".repeat(100_000);
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.json", b"", "expected a JSON value"),
        ("blank.json", b" \n ", "expected a JSON value"),
        ("text.json", b"This is not JSON.", ":1:1: "),
        (
            "truncated.json",
            &CORPUS.as_bytes()[..300],
            "the file ends inside the value that starts here",
        ),
        (
            "utf8.json",
            b"[{\"conversation_id\": \"\xff\", \"utterances\": []}]",
            ":1:23: dialog 0: not valid UTF-8",
        ),
        ("deep.json", deep.as_bytes(), "the file ends inside"),
        (
            "other.json",
            b"[{\"id\": 1, \"name\": \"x\"}]",
            "not a known kind of dialog: an object with `id`, `name`",
        ),
        ("near.json", b"[{\"conversation_id\": \"x\", \"turns\": []}]", "close to"),
        ("number.json", b"17", "not a known kind of dialog: a number"),
        ("comma.json", b"[{\"conversation_id\": \"x\", \"utterances\": []},]", ":1:45: "),
        ("more.json", b"[] []", "unexpected text after the value"),
    ];
    for (name, bytes, expected) in cases {
        let folder = scratch();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        for command in [&["check", name][..], &["show", name]] {
            let ran = run_in(folder.path(), command, "");
            assert_eq!(ran.code, 2, "{name}: {ran:?}");
        }
        let ran = run_in(folder.path(), &["check", name], "");
        assert!(ran.out.contains(expected), "{name}: {}", ran.out);
        assert_eq!(&fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn a_broken_dialog_leaves_the_others_usable() {
    let lines = "{\"conversation_id\": \"a\", \"utterances\": []}\n{\"conversation_id\": \"b\", \n{\"conversation_id\": \"c\", \"utterances\": []}\n";
    let folder = scratch();
    fs::write(folder.path().join("x.jsonl"), lines).unwrap();
    let ran = run_in(folder.path(), &["check", "x.jsonl", "--format", "json"], "");
    let reports: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, reports[0]["dialogs"].as_u64()), (2, Some(3)));
    assert_eq!(reports[0]["issues"][0]["line"], 2);
    let shown = run_in(folder.path(), &["show", "x.jsonl", "--dialog", "c"], "");
    assert_eq!(shown.code, 0, "{shown:?}");
}

/// Also if the broken line is the first one, from which turnwise detects a dialog per line.
#[test]
fn a_broken_first_line_leaves_the_others_usable() {
    let lines = "{\"conversation_id\": \"a\", \"utterances\": [}\n{\"conversation_id\": \"b\", \"utterances\": []}\n";
    let ran = run_in(&project("."), &["check", "-", "--format", "json"], lines);
    let reports: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, reports[0]["dialogs"].as_u64()), (2, Some(2)));
    assert_eq!(reports[0]["issues"].as_array().unwrap().len(), 1);
    let shown = run_in(&project("."), &["show", "-", "--dialog", "b"], lines);
    assert_eq!(shown.code, 0, "{shown:?}");
}

#[test]
fn folders_without_json_and_missing_files_are_errors() {
    let folder = scratch();
    let ran = run_in(folder.path(), &["check", "."], "");
    assert!(ran.code == 2 && ran.out.contains("no .json"), "{ran:?}");
    let ran = run_in(folder.path(), &["check", "missing.json"], "");
    assert!(ran.code == 2 && ran.out.contains("missing.json: cannot be opened"), "{ran:?}");
}

/// An export that finds nothing writes such a file, which holds no lines.
#[test]
fn files_without_lines_have_no_issues() {
    let folder = scratch();
    for (name, code) in [("a.jsonl", 0), ("b.ndjson", 0), ("c.json", 2)] {
        std::fs::write(folder.path().join(name), "").unwrap();
        let ran = run_in(folder.path(), &["check", name], "");
        assert_eq!(ran.code, code, "{ran:?}");
        let ran = run_in(folder.path(), &["find", "hello", name], "");
        assert_eq!(ran.code, code.max(1), "{ran:?}");
    }
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_handled() {
    let folder = scratch();
    std::os::unix::fs::symlink("nowhere.json", folder.path().join("dangling.json")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.json")).status();
    assert!(made.unwrap().success());
    let ran = run_in(folder.path(), &["check", "."], "");
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("dangling.json: cannot be opened"), "{}", ran.out);
    assert!(ran.out.contains("pipe.json: cannot be opened: this is a pipe"), "{}", ran.out);
}

#[test]
fn large_things_are_read() {
    let turn = |i: usize| format!("{{\"index\": {i}, \"speaker\": \"user\", \"text\": \"t\"}}");
    let turns: Vec<_> = (0..10_000).map(turn).collect();
    let many = format!("[{{\"conversation_id\": \"a\", \"utterances\": [{}]}}]", turns.join(","));
    let long = format!(
        "[{{\"conversation_id\": \"a\", \"utterances\": [{{\"index\": 0, \"speaker\": \"u\", \"text\": \"{}\"}}]}}]",
        "word ".repeat(200_000)
    );
    let deep = format!(
        "[{{\"conversation_id\": \"a\", \"utterances\": [], \"deep\": {}{}}}]",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for text in [many, long, deep] {
        for command in ["check", "show"] {
            let ran = run_in(&project("."), &[command, "-"], &text);
            assert_eq!(ran.code, 0, "{}", ran.err);
        }
    }
}

/// A trainer that goes by the list would leave out what does not fit it.
#[test]
fn check_names_a_file_that_the_data_list_beside_it_contradicts() {
    let folder = scratch();
    let chat = r#"[{"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}]}]"#;
    fs::write(folder.path().join("c.json"), chat).unwrap();
    let list = |set: serde_json::Value| {
        let mut set = set;
        set["file_name"] = "c.json".into();
        let text = serde_json::json!({"tides": set}).to_string();
        fs::write(folder.path().join("dataset_info.json"), text).unwrap();
        run_in(folder.path(), &["check", "c.json"], "")
    };
    let sharegpt =
        |more: serde_json::Value| serde_json::json!({"formatting": "sharegpt", "tags": more});
    for (tags, why) in [
        (
            serde_json::json!({"user_tag": "user"}),
            "`from` is \"human\", and not one of [\"user\", ",
        ),
        (serde_json::json!({"role_tag": "who"}), "a message has no `who`"),
    ] {
        let ran = list(sharegpt(tags));
        assert!(ran.code == 1 && ran.out.contains(why), "{ran:?}");
    }
    assert_eq!(list(sharegpt(serde_json::json!({}))).code, 0);
    assert_eq!(list(serde_json::json!({"formatting": "alpaca"})).code, 0);
}

#[test]
fn show_finds_dialogs_by_id_and_number() {
    for name in ["dlg-b", "1"] {
        let ran = run_in(&project("."), &["show", "-", "--dialog", name], CORPUS);
        assert!(ran.code == 0 && ran.out.starts_with("dlg-b"), "{ran:?}");
    }
    let ran = run_in(&project("."), &["show", "-", "-d", "0", "-t", "1"], CORPUS);
    assert!(ran.out.contains("It’s sold out.") && !ran.out.contains("Nosferatu"), "{}", ran.out);
    for arguments in [&["show", "-", "-d", "dlg-c"][..], &["show", "-", "-d", "0", "-t", "2"]] {
        assert_eq!(run_in(&project("."), arguments, CORPUS).code, 2);
    }
}

#[test]
fn show_takes_the_beginning_of_an_id_that_no_other_has() {
    let corpus = CORPUS.replace("dlg-b", "other-b");
    for name in ["other-b", "oth", "o", "dlg-"] {
        let ran = run_in(&project("."), &["show", "-", "-d", name], &corpus);
        let expected = if name == "dlg-" { "dlg-a" } else { "other-b" };
        assert!(ran.code == 0 && ran.out.starts_with(expected), "{ran:?}");
    }
    let folder = scratch();
    for (file, text) in [("a.json", CORPUS), ("b.json", &corpus.replace("dlg-a", "third"))] {
        fs::write(folder.path().join(file), text).unwrap();
    }
    let show = |more: &[&str]| run_in(folder.path(), &[&["show"], more].concat(), "");
    let ran = show(&["a.json", "-d", "dlg"]);
    let why = "turnwise: a.json: 2 ids begin with \"dlg\": dlg-a, dlg-b; give more of the id\n";
    assert_eq!((ran.code, ran.err.as_str()), (2, why));
    let ran = show(&[".", "-d", "dlg"]);
    assert_eq!((ran.code, ran.err.as_str()), (2, why.replace("a.json: ", "").as_str()));
    let ran = show(&[".", "-d", "thi"]);
    assert!(ran.code == 0 && ran.out.starts_with("third"), "{ran:?}");
    let ran = show(&[".", "-d", "fourth"]);
    assert!(ran.code == 2 && ran.err.contains("no dialog with id"), "{ran:?}");
}

#[test]
fn show_and_find_fold_what_the_screen_folds() {
    let long = "0123456789".repeat(500);
    let image = format!("data:image/png;base64,{long}");
    let call = serde_json::json!({"id": "c", "type": "function", "function": {"name": "look", "arguments": "{}"}});
    let chat = serde_json::json!({"id": "d", "messages": [
        {"role": "system", "content": long},
        {"role": "user", "content": [{"type": "text", "text": long},
            {"type": "image_url", "image_url": {"url": image}}]},
        {"role": "assistant", "content": null, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": long},
    ]});
    let rows = |arguments: &[&str]| {
        let ran = run_in(&project("."), arguments, &chat.to_string());
        assert_eq!(ran.code, 0, "{ran:?}");
        (ran.out.lines().count(), ran.out.matches("more rows").count())
    };
    let (whole, notes) = rows(&["show", "-", "--full"]);
    assert_eq!(notes, 0);
    let (folded, notes) = rows(&["show", "-"]);
    // The message is whole.
    assert!(notes == 3 && folded < whole / 2 && folded > 50, "{folded} of {whole}, {notes}");
    assert_eq!(rows(&["find", "api:look", "-"]).1, 1);
}

#[test]
fn show_leaves_instructions_out_and_marks_problems_on_request() {
    let show = |more: &[&str]| {
        let all = ["show", "assets/demo/taskmaster-3.json", "-d", "dlg-demo-tm3-01"];
        let ran = run(&[&all[..], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        ran.out
    };
    let plain = show(&[]);
    assert!(plain.contains("  instructions  ") && !plain.contains('▲'), "{plain}");
    let short = show(&["--no-instructions"]);
    assert!(!short.contains("  instructions  "), "{short}");
    assert!(short.contains("  vertical  ") && plain.ends_with(short.split_once("\n\n").unwrap().1));
    let marked = show(&["--problems", "--turn", "5"]);
    let problem =
        "  ▲ warning  \"The Grand 12:\" includes the trailing \":\" [span-edge-punctuation]\n";
    assert!(marked.contains(problem), "{marked}");
    assert!(!show(&["--problems", "--turn", "2"]).contains('▲'));
}

#[test]
fn show_puts_companions_beside_a_log() {
    let ran = run(&["show", "assets/demo/dbdc/demo_003.log.json"]);
    assert!(ran.out.contains("  context  "), "{}", ran.out);
    assert!(ran.out.contains("detector  "), "{}", ran.out);
}

#[test]
fn show_says_why_labels_are_not_shown() {
    let folder = scratch();
    let demo = |name: &str| fs::read_to_string(project("assets/demo/dbdc").join(name)).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let show = || run_in(folder.path(), &["show", "a.log.json"], "");
    let good = demo("demo_001.labels.json");
    write("a.log.json", &demo("demo_001.log.json"));
    for (text, why) in [
        (&good[..100], "the file ends inside the value that starts here, at 4:9"),
        (&good.replacen("1,", "1", 1), "expected `,` or `}`, at 6:13"),
        ("{\"a\": 1}", "not a known kind of dialog: an object with `a`"),
        (&demo("demo_002.log.json"), "not a detector's output"),
        (&demo("demo_003.labels.json"), "it is not about \"demo_001\""),
    ] {
        write("a.labels.json", text);
        let ran = show();
        let told = format!("turnwise: a.log.json: a.labels.json is not shown: {why}");
        assert!(ran.code == 1 && ran.err.starts_with(&told), "{ran:?}");
        assert!(ran.err.lines().count() == 1 && !ran.out.contains("detector"));
    }
    // The one that bears the dialog's own name is good.
    write("demo_001.labels.json", &good);
    let ran = show();
    assert!((ran.code, ran.err.as_str()) == (0, "") && ran.out.contains("detector"), "{ran:?}");
    // So is one for many dialogs.
    let other = demo("demo_003.labels.json");
    write("demo_001.labels.json", &format!("[{other},{good}]"));
    assert!(show().out.contains("detector"));
}

#[test]
fn a_detectors_labels_are_shown_by_their_turns() {
    let path = "assets/demo/dbdc/demo_001.labels.json";
    let ran = run(&["show", path]);
    let first = "\n  1\n               detector  O  O 0.71  T 0.21  X 0.08\n  3\n";
    assert!(ran.out.contains(first), "{}", ran.out);
    let ran = run(&["show", path, "--turn", "3"]);
    assert!(ran.out.ends_with("\n  3\n               detector  O  O 0.82  T 0.13  X 0.05\n\n"));
    let ran = run(&["show", path, "--turn", "2"]);
    assert!(ran.code == 2 && ran.err.contains("no turn 2 in dialog"));
    let odd = r#"{"dialogue-id":"a","turns":[{"turn-index":7,"labels":[]}]}"#;
    let ran = run_in(&project("."), &["show", "-"], odd);
    assert!(ran.out.contains("! turn 7: `labels` should be"), "{ran:?}");
}

#[test]
fn nothing_raw_reaches_the_terminal() {
    let text = "a\\u001b[31mb\\u202ec\\u0007";
    let corpus = CORPUS.replace("It\\u2019s sold out.", text);
    let ran = run_in(&project("."), &["show", "-"], &corpus);
    assert!(
        ran.out.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("a␛[31mb⟨U+202E⟩c␇"), "{}", ran.out);
}

#[test]
fn schemas_are_printed_by_every_name() {
    for name in ["taskmaster-1", "taskmaster-1-2", "taskmaster-3", "dbdc", "sim-M", "sim-gen"] {
        let ran = run(&["schema", name]);
        let schema: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((ran.code, schema["type"].as_str()), (0, Some("object")), "{name}");
    }
    let ran = run(&["schema", "taskmaster-9"]);
    assert!(ran.code == 2 && ran.err.contains("taskmaster-4"), "{ran:?}");
}

#[test]
fn utf_16_is_named() {
    let folder = scratch();
    let utf16: Vec<u8> = CORPUS.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(folder.path().join("plain.json"), &utf16).unwrap();
    fs::write(folder.path().join("bom.json"), [b"\xff\xfe", utf16.as_slice()].concat()).unwrap();
    for name in ["plain.json", "bom.json"] {
        let ran = run_in(folder.path(), &["check", name], "");
        assert!(ran.code == 2 && ran.out.contains("UTF-16"), "{ran:?}");
    }
}

#[test]
fn no_line_of_a_shown_dialog_is_too_long_or_ends_in_spaces() {
    for file in ["taskmaster-1.json", "taskmaster-3.json", "taskmaster-4.json", "sim-m.json"] {
        let path = project("assets/demo").join(file);
        for columns in [76, 80, 100] {
            let ran = run(&["show", path.to_str().unwrap(), "--width", &columns.to_string()]);
            for line in ran.out.lines() {
                assert!(turnwise::text::width(line) <= columns, "{file} {columns}: {line}");
                assert_eq!(line.trim_end(), line);
            }
        }
    }
}

#[test]
fn show_takes_several_files_and_folders() {
    let both = run(&["show", "assets/demo/sim-m.json", "assets/demo/dbdc"]);
    assert_eq!(both.code, 0, "{}", both.err);
    let at = |id: &str| both.out.find(id).unwrap_or_else(|| panic!("{id} is shown"));
    assert!(at("dlg-demo-simm-03") < at("demo_001"));
    assert!(at("demo_001") < at("demo_003"));
    // Each is printed as it would be alone.
    let one = run(&["show", "assets/demo/dbdc/demo_003.log.json"]).out;
    assert!(both.out.contains(&one));
    assert!(at("assets/demo/dbdc/demo_003.log.json\n") > at("dlg-demo-simm-03"));
    // Files that name corpora are next to them; a file that the user names is shown.
    let folder = scratch();
    let entities = r#"{"movie":{"vertical":"v","required":["name.movie"],"optional":["mood"]}}"#;
    fs::write(folder.path().join("ontology.json"), entities).unwrap();
    fs::copy(project("assets/demo/sim-m.json"), folder.path().join("m.json")).unwrap();
    let all = run_in(folder.path(), &["show", "."], "");
    assert_eq!((all.code, all.err.as_str()), (0, ""));
    assert_eq!(run_in(folder.path(), &["show", "ontology.json"], "").code, 2);
}

#[test]
fn show_finds_a_dialog_in_whichever_file_has_it() {
    let one = run(&["show", "assets/demo/dbdc/demo_001.log.json"]);
    // A detector's output is shown with its log, not a second time.
    let found = run(&["show", "assets/demo", "--dialog", "demo_001"]);
    assert_eq!((found.code, found.out), (0, one.out), "{}", found.err);
    let files = ["assets/demo/sim-m.json", "assets/demo/sim-r.json"];
    let numbered = run(&["show", files[0], files[1], "--dialog", "1"]);
    let each = files.map(|file| run(&["show", file, "--dialog", "1"]).out);
    assert_eq!(numbered.out, each.concat());
    let missing = run(&["show", files[0], files[1], "--dialog", "nobody"]);
    assert_eq!((missing.code, missing.out.as_str()), (2, ""));
    let told = "no dialog with id or number \"nobody\" in 2 files";
    assert!(missing.err.contains(told), "{}", missing.err);
    let folder = scratch();
    let empty = run_in(folder.path(), &["show", "."], "");
    assert_eq!(empty.code, 2);
    assert!(empty.err.contains("no .json"), "{}", empty.err);
}

#[test]
fn a_long_name_of_a_speaker_does_not_touch_the_text() {
    let folder = scratch();
    let format = "name = \"own\"\nhas = [\"talk[*].says\"]\n[turn]\nat = \"talk[*]\"\nspeaker = \"who\"\ntext = \"says\"\n";
    std::fs::create_dir(folder.path().join("formats")).unwrap();
    std::fs::write(folder.path().join("formats/own.toml"), format).unwrap();
    let talk = ["participant2", "assistant", "assistants", "参加者一二"]
        .map(|who| format!(r#"{{"who": "{who}", "says": "I do."}}"#));
    let text = format!(r#"[{{"talk": [{}]}}]"#, talk.join(", "));
    std::fs::write(folder.path().join("c.json"), text).unwrap();
    let ran = run_in(folder.path(), &["show", "c.json"], "");
    let rows: Vec<_> =
        ran.out.lines().skip(1).filter(|row| row.contains('I') || row.starts_with("  ")).collect();
    let text = format!("{:15}I do.", "");
    let expected = [
        "  0  participant2",
        &text,
        "  1  assistant I do.",
        "  2  assistants",
        &text,
        "  3  参加者一二",
        &text,
    ];
    assert_eq!(rows, expected, "{}", ran.out);
}

#[test]
fn show_names_the_problems_of_the_turn_it_shows() {
    let folder = scratch();
    let turn = |index: usize| format!(r#"{{"index": {index}, "speaker": "user", "text": 3}}"#);
    let text = format!(
        r#"{{"conversation_id": "d", "vertical": "v", "utterances": [{}, {}]}}"#,
        turn(0),
        turn(1)
    );
    std::fs::write(folder.path().join("a.json"), text).unwrap();
    let all = run_in(folder.path(), &["show", "a.json"], "");
    assert!(all.out.contains("turn 0: ") && all.out.contains("turn 1: "), "{all:?}");
    let one = run_in(folder.path(), &["show", "a.json", "-t", "1"], "");
    assert!(!one.out.contains("turn 0: ") && one.out.contains("turn 1: "), "{one:?}");
    assert_eq!(one.code, all.code);
}

#[test]
fn the_manual_is_found_by_its_name() {
    let [manual, help] = ["manual", "help"].map(|command| run(&[command, "sessions"]));
    assert_eq!((manual.code, manual.out), (0, help.out));
}
