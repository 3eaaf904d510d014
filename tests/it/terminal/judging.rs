//! Judging in a terminal: what is saved and restored, what a project asks, and what a blind judge is not told.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use serde_json::{Value, json};

use super::repair::wait_for_lines;
use super::setup::Setup;
use crate::support::{project, run_in};

fn demo_log() -> Setup {
    Setup::demo("dbdc/demo_001.log.json")
}

/// Votes of `annotator` in a log.
fn own(text: &str, annotator: &str) -> Vec<String> {
    let log: Value = serde_json::from_str(text).unwrap();
    let turns = log["turns"].as_array().unwrap();
    let votes = turns.iter().flat_map(|turn| turn["annotations"].as_array().unwrap());
    let own = votes.filter(|vote| vote["annotator-id"] == annotator);
    own.map(|vote| vote["breakdown"].as_str().unwrap().to_owned()).collect()
}

/// The logs in the folder of votes, and their contents.
fn logs(folder: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(folder.join("votes")).into_iter().flatten();
    let file = |entry: std::io::Result<fs::DirEntry>| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        (name, fs::read_to_string(path).unwrap())
    };
    let mut logs: Vec<_> = entries.map(file).collect();
    logs.sort();
    logs
}

#[test]
fn votes_are_saved_in_a_pause() {
    // Without the setting that turns it off.
    let setup = demo_log().annotator("mk").configured("settings.toml", "theme = \"dark\"\n");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("judged 0/").keys("ox").shows("judged 2/").shows_not("unsaved");
    let log = terminal.folder().join("demo_001.log.json");
    assert_eq!(own(&fs::read_to_string(log).unwrap(), "mk"), ["O", "X"]);
}

#[test]
fn votes_on_a_corpus_without_votes_survive_a_kill_and_are_found_again() {
    let corpus = fs::read(project("assets/demo/taskmaster-3.json")).unwrap();
    let setup = Setup::demo("taskmaster-3.json").annotator("mk");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("judged 0/").keys("o").shows("judged 1/");
    terminal.keys("x").shows("judged 2/");
    terminal.keys("Jjt").shows("judged 3/");
    // Each of two journals has the head, the start of the log, and the file's description; and three votes.
    wait_for_lines(&terminal, 9);
    let folder = terminal.folder().to_owned();
    assert_eq!(logs(&folder), []);
    terminal.signal(Signal::KILL).ends();
    assert_eq!(logs(&folder), []);
    let mut terminal = terminal.again();
    terminal.shows("2 files: the last run left 3 unsaved edits");
    terminal.keys("y").shows("judged 3/").shows("●3 unsaved");
    terminal.keys("u").shows("judged 2/").keys("U").shows("judged 3/");
    terminal.keys("q").shows("3 unsaved edits;").keys("y").ends();
    let written = logs(&folder);
    let votes: Vec<_> = written.iter().map(|(_, text)| own(text, "mk")).collect();
    assert_eq!(votes, [vec!["O", "X"], vec!["T"]]);
    assert_eq!(written[0].0, "dlg-demo-tm3-01.log.json");
    assert_eq!(fs::read(folder.join("taskmaster-3.json")).unwrap(), corpus);
    let mut terminal = terminal.again();
    terminal.shows("judged 3/").shows("of 3").shows_not("unsaved");
    terminal.keys("J \x07\x07").keys("o").shows("●1 unsaved").keys("\x13").shows("saved votes/");
    assert!(terminal.keys("q").ends().success());
    let ran = run_in(&folder, &["votes", "votes"], "");
    assert!(ran.out.contains("4 turns in 3 of 3 dialogs, 3 files"), "{ran:?}");
    for command in ["check", "lint"] {
        let ran = run_in(&folder, &[command, "votes"], "");
        assert_eq!((ran.code, ran.err), (0, String::new()), "{command}: {}", ran.out);
    }
}

#[test]
fn a_log_that_somebody_else_began_meanwhile_is_not_overwritten() {
    let setup = Setup::demo("taskmaster-3.json").annotator("mk");
    let mut terminal = setup.size(120, 40).argument("--votes").argument("said/mine").start();
    terminal.shows("judged 0/").keys("o").shows("judged 1/");
    let folder = terminal.folder().join("said/mine");
    let other = Setup::demo("taskmaster-3.json").size(120, 40).annotator("js");
    let mut other = other.argument("--votes").argument("m").start();
    other.shows("judged 0/").keys("x\x13").shows("as a new file");
    fs::create_dir_all(&folder).unwrap();
    let name = "dlg-demo-tm3-01.log.json";
    fs::copy(other.folder().join("m").join(name), folder.join(name)).unwrap();
    terminal.keys("\x13").shows("was changed by another program");
    terminal.keys("y").shows("your unsaved edit was reapplied").shows("O 1  T 0  X 1");
    terminal.keys("\x13").shows("saved mine/");
    let text = fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!((own(&text, "mk"), own(&text, "js")), (vec!["O".to_owned()], vec!["X".to_owned()]));
}

#[test]
fn charts_count_what_a_blind_judge_may_see() {
    let setup = demo_log().argument("--blind").annotator("mk");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("judged 0/10").keys(":show_charts\r");
    terminal.shows("there are no votes on turns that you have judged").keys("q");
    terminal.shows_not("there are no");
    terminal.keys("o").shows("turn 3 ·").keys(":show_charts\r");
    terminal.shows("only turns that you have judged").shows("system").shows("turn");
}

#[test]
fn a_project_names_its_guideline_and_columns() {
    let toml = "guideline = \"guide.md\"\n\n[list]\ncolumns = [\"votes\", \"group-ip\"]\n";
    let setup = demo_log().size(160, 40).file("turnwise.toml", toml);
    let mut terminal = setup.file("guide.md", "# Breakdowns\n\nX ends the *talk*.\n").start();
    terminal
        .shows("votes")
        .shows(" 300 ")
        .shows("turnwise.toml: no dialog has a field for this column");
    terminal.keys("j").shows("turn 2 ·").shows_not("member for this column");
    terminal.keys("wg").shows("Guideline: guide.md").shows("X ends the talk.");
    fs::remove_file(terminal.folder().join("guide.md")).unwrap();
    terminal.keys("q").shows("turn 2 ·");
    // Without the columns, whose notice comes later, when all dialogs have been read.
    let path = terminal.folder().join("turnwise.toml");
    fs::write(path, "guideline = \"guide.md\"\n").unwrap();
    let mut terminal = terminal.again();
    terminal.shows("guide.md: ").keys("wg").shows("no guideline is set");
}

const CHAT: &str = r#"{"id":"d","messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"hello"}]}"#;

fn chat() -> Setup {
    Setup::text("chat.jsonl", CHAT).size(120, 24).annotator("mk")
}

#[test]
fn a_project_asks_its_questions() {
    let toml = "[[question]]\nname = \"tone\"\ntext = \"How is it?\"\nof = \"dialog\"\nkind = \"choice\"\n\
        values = [{ name = \"kind\", key = \"o\" }, { name = \"rude\", key = \"x\" }]\n";
    let mut terminal = chat().file("turnwise.toml", toml).start();
    terminal.shows("o kind  x rude").keys("x").shows("x rude ✓");
    terminal.keys("\x13").shows_not("unsaved").keys("q");
    let path = terminal.folder().join("judgements/mk.jsonl");
    let line = fs::read_to_string(path).unwrap();
    let start =
        r#"{"file":"chat.jsonl","dialog":"d","scheme":"judging","question":"tone","value":"rude""#;
    assert!(line.starts_with(start), "{line}");
}

/// The file of the answers was never there.
#[test]
fn answers_that_were_left_unsaved_are_given_again() {
    let mut terminal = chat().argument("--scheme").argument("quality").start();
    terminal.shows("judged 0/1").keys("4").shows("judged 1/1");
    terminal.keys("q").shows("Ctrl-R restores it next time").keys("n");
    terminal.ends();
    let mut terminal = terminal.again();
    terminal.shows("judged 0/1").keys("\x12").shows("redone: quality: 4").shows("judged 1/1");
    assert!(!terminal.folder().join("judgements").exists());
    terminal.keys("\x13").shows_not("unsaved");
    assert!(terminal.folder().join("judgements/mk.jsonl").exists());
}

/// One key asks a bundled question; another one is added to the same file, which keeps what it has.
#[test]
fn a_menu_asks_bundled_questions() {
    let mut terminal = chat().start();
    terminal.shows("judged 0/").keys(":ask_q\r").shows("How good is each of the system's turns?");
    terminal.keys("2");
    terminal.shows("judging.toml asks: quality").keys("4").shows("judged 1/");
    let path = terminal.folder().join("judging.toml");
    let quality = fs::read_to_string(project("assets/schemes/quality.toml")).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), quality);
    fs::write(&path, format!("# ours\n{quality}")).unwrap();
    terminal
        .keys(":ask_q\r")
        .shows("✓ quality")
        .keys("2")
        .shows("the questions of quality are already asked");
    terminal.keys(":ask_q\r1").shows("judging.toml asks: quality, verdict").shows("judged 0/");
    terminal.keys("o").shows("judged 1/").keys("\x13").shows_not("unsaved");
    let both = fs::read_to_string(&path).unwrap();
    assert!(
        both.starts_with(&format!("# ours\n{quality}\n[[question]]\nname = \"verdict\"")),
        "{both}"
    );
    // What cannot be asked together is refused, and the file stays as it is.
    terminal.keys(":ask_q\r4").shows("two questions have the name \"verdict\"");
    assert_eq!(fs::read_to_string(&path).unwrap(), both);
    let answers = fs::read_to_string(terminal.folder().join("judgements/mk.jsonl")).unwrap();
    assert_eq!(answers.matches(r#""scheme":"quality""#).count(), 2, "{answers}");
    // A mistake in the file is reported where it is.
    fs::write(&path, format!("{both}\n[[question]]\n")).unwrap();
    let line = both.lines().count() + 2;
    terminal.keys(":ask_q\r4").shows(&format!("judging.toml:{line}:"));
    let mut terminal = chat().argument("--scheme").argument("success").start();
    terminal.shows("o pass").keys(":ask_q\r").shows("start without it to add others");
}

/// The reason can be read as long as the program runs.
#[test]
fn a_scheme_is_not_used_if_it_hides_a_key_that_is_needed() {
    let toml = "[[question]]\nname = \"tone\"\nof = \"dialog\"\nkind = \"choice\"\n\
        values = [{ name = \"kind\", key = \"o\" }, { name = \"rude\", key = \"q\" }]\n";
    let mut terminal = chat().file("judging.toml", toml).start();
    let why = "judging.toml:5:64: the key `q` already has a use while you judge: quit";
    terminal.shows("judged 0/").shows(why).keys("j").shows("▲ settings").shows_not(why);
    terminal.keys("o").shows("the scheme beside the corpus cannot be used; the help says why");
    terminal.keys("?").shows("Cannot be used").shows(why).keys("\x1b").shows_not(why);
    terminal.keys("q").ends();
    let setup = chat().argument("--scheme").argument("own.toml").file("own.toml", toml);
    setup.start().shows("own.toml:5:64: the key `q` already has").ends();
}

/// Its log is named after the file, and the dialog on the screen is another one.
#[test]
fn a_restored_vote_on_a_dialog_without_an_id_is_counted() {
    let chat = CHAT.replacen("\"id\":\"d\",", "", 1);
    let setup = Setup::text("a.jsonl", &chat).file("b.jsonl", &chat).argument("b.jsonl");
    let mut terminal = setup.size(120, 24).annotator("mk").start();
    terminal.shows("judged 0/2").keys("Jx").shows("judged 1/2");
    let mut terminal = terminal.killed_after(4).again();
    terminal.shows("the last run left 1 unsaved edit").shows_not("with answers by");
    // Another annotator reads whose they are before deciding about them.
    terminal.keys("\u{1b}").shows("asks again").keys(":annotator\r");
    terminal.shows("your annotator id").keys("\u{1}\u{b}js\r").shows("judged 0/2");
    terminal.keys(":recover\r").shows("the last run left 1 unsaved edit, with answers by mk");
    terminal.keys("\u{1b}").shows_not("with answers by").keys(":annotator\r");
    terminal.shows("your annotator id").keys("\u{1}\u{b}mk\r").keys(":recover\r");
    terminal.shows("left 1 unsaved edit");
    terminal.keys("y").shows("judged 1/2").shows("●1 unsaved");
    terminal.keys("q").shows("1 unsaved edit;").keys("y").ends();
}

/// A line that cannot be read is neither replaced nor lost.
#[test]
fn a_file_of_judgements_with_a_line_that_is_not_utf_8_stays() {
    let setup = chat().argument("--scheme").argument("success");
    let text = b"{\"dialog\":\"d\",\"note\":\"read\",\"by\":\"mk\"}\n{\"dialog\":\"d\",\"note\":\"\xff\",\"by\":\"mk\"}\n";
    let mut terminal = setup.file("judgements/mk.jsonl", text).start();
    // Until the file of judgements is read, nobody can answer.
    terminal.shows("line 2, is not a judgement").keys("o");
    terminal.shows("line 2 of the judgement file is not UTF-8");
    terminal.keys("W").shows("nothing to save").keys("q");
    let path = terminal.folder().join("judgements/mk.jsonl");
    assert_eq!(fs::read(path).unwrap(), text);
}

/// The file is read again first, and the keys wait for that.
#[test]
fn answers_are_given_to_their_dialogs_while_another_program_changes_the_file() {
    let chats = format!("{CHAT}\n{}\n", CHAT.replace("\"d\"", "\"e\""));
    for is_there in [false, true] {
        let setup = Setup::text("chat.jsonl", &chats).size(120, 24).annotator("mk");
        let setup = setup.argument("--scheme").argument("success");
        let path = setup.path("judgements/mk.jsonl");
        let note = "{\"dialog\":\"d\",\"note\":\"read\",\"by\":\"js\"}\n";
        fs::create_dir(setup.path("judgements")).unwrap();
        if is_there {
            fs::write(&path, note).unwrap();
        }
        let mut terminal = setup.start();
        terminal.shows("judged 0/2");
        fs::write(&path, note.repeat(2)).unwrap();
        terminal.keys("xt").shows("judged 2/2").keys("W").shows("saved").keys("q").ends();
        let text = fs::read_to_string(&path).unwrap();
        for (dialog, value) in [("d", "fail"), ("e", "defer")] {
            let has = |line: &str| {
                line.contains(&format!("\"dialog\":\"{dialog}\"")) && line.contains(value)
            };
            assert!(text.lines().any(has), "{text}");
        }
        assert_eq!(text.lines().filter(|line| line.contains("read")).count(), 2, "{text}");
    }
}

#[test]
fn answers_of_others_in_an_earlier_run_are_hidden_from_the_blind_and_not_undone() {
    let log = || demo_log().annotator("alice");
    let scheme = Setup::demo("taskmaster-1.json").annotator("alice");
    for (setup, keys, file, hidden, told, refused) in [
        (
            log(),
            "x",
            "demo_001.log.json",
            "a vote on turn 1, hidden",
            "vote X",
            "alice cast that vote in an earlier run; = lets you undo others' votes",
        ),
        (
            log(),
            "=t",
            "gold/demo_001.labels.json",
            "a gold label on turn",
            "gold label T",
            "that gold label was set in an earlier run; = lets you undo gold labels",
        ),
        (
            scheme.argument("--scheme").argument("quality"),
            "5",
            "judgements/alice.jsonl",
            "an answer on turn",
            "quality: 5",
            "alice gave that answer in an earlier run; = lets you undo others' answers",
        ),
    ] {
        let mut terminal = setup.size(120, 40).start();
        terminal.shows("judged 0/").keys(keys).shows("●1 unsaved").keys("W");
        terminal.shows("saved ").shows_not("unsaved");
        let file = terminal.folder().join(file);
        let saved = fs::read(&file).unwrap();
        let mut terminal = terminal.again();
        terminal.shows("judged ").keys(":annotator\r").shows("your annotator id");
        terminal.keys("\u{1}\u{b}bob\r").shows("judged 0/").keys("b").shows("hidden");
        terminal.keys("E").shows(hidden).shows_not(told).keys("u").shows(refused);
        terminal.keys("b").shows_not(refused).keys("d").shows(refused).keys("q").ends();
        assert_eq!(fs::read(&file).unwrap(), saved, "{told}");
    }
}

#[test]
fn votes_on_changed_dialogs_are_reported_at_the_start() {
    let setup = Setup::demo("taskmaster-3.json").annotator("mk");
    let mut terminal = setup.size(140, 40).start();
    terminal.shows("judged 0/").keys("o").shows("judged 1/");
    terminal.keys("W").shows("saved votes/").shows_not("unsaved");
    let file = terminal.folder().join("taskmaster-3.json");
    terminal.keys("q").ends();
    let mut corpus: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let turns = corpus[0]["utterances"].as_array_mut().unwrap();
    turns.insert(0, turns[0].clone());
    fs::write(&file, corpus.to_string()).unwrap();
    let mut terminal = terminal.again();
    terminal.shows("1 dialog changed after judging; the votes stay in the logs");
}

/// The queue is kept as soon as it is chosen.
#[test]
fn a_chosen_queue_survives_a_kill() {
    let mut terminal = demo_log().annotator("mk").size(120, 40).start();
    terminal.shows("judged 0/").keys(":queue_undecided\r");
    terminal.shows("queue \"turns without an absolute majority\": 4 to judge");
    let sessions = terminal.folder().join(".state/turnwise/sessions");
    let kept = || {
        let mut all = fs::read_dir(&sessions).into_iter().flatten().flatten();
        all.any(|file| fs::read_to_string(file.path()).is_ok_and(|text| text.contains("undecided")))
    };
    while !kept() {
        std::thread::yield_now();
    }
    terminal.signal(Signal::KILL).ends();
    let mut terminal = terminal.again();
    terminal.shows("judged · turns without an absolute majority");
}

/// The progress shown behind the question counts the restored votes at once.
#[test]
fn the_progress_is_shown_again_once_votes_are_restored() {
    let mut terminal = demo_log().annotator("mk").size(160, 40).start();
    terminal.shows("judged 0/").keys("o").shows("judged 1/");
    // The head, the file's description, and a vote.
    let mut terminal = terminal.killed_after(3).again();
    terminal.shows("left 1 unsaved edit").shows("annotator mk · 0 of ").keys("y");
    terminal.shows("restored 1 unsaved edit from the last run").shows("annotator mk · 1 of ");
}

/// Votes of the last run that are exported name the dialog of their log, and go to it in a folder of many.
#[test]
fn exported_votes_go_to_their_dialog() {
    let corpus = fs::read_to_string(project("assets/demo/taskmaster-3.json")).unwrap();
    let setup = Setup::demo("taskmaster-3.json").annotator("mk");
    let mut terminal = setup.size(120, 40).start();
    terminal.shows("judged 0/").keys("Jjx").shows("judged 1/");
    // The head, how the log begins, the file's description, and the vote.
    let mut terminal = terminal.killed_after(4).again();
    terminal.shows("the last run left 1 unsaved edit").keys("f").shows("1 edit exported to");
    terminal.keys("q").ends();
    let folder = terminal.folder();
    let kept = fs::read_dir(folder.join(".state/turnwise/kept")).unwrap().next().unwrap().unwrap();
    let dialogs: Value = serde_json::from_str(&corpus).unwrap();
    let id = dialogs[1]["conversation_id"].as_str().unwrap();
    let record = fs::read_to_string(kept.path()).unwrap();
    assert!(record.contains(&format!("\"dialog\":\"{id}\"")), "{record}");
    fs::write(
        folder.join("other.json"),
        corpus.replace("conversation_id\": \"", "conversation_id\": \"o-"),
    )
    .unwrap();
    let ran = run_in(folder, &["apply", kept.path().to_str().unwrap(), "."], "");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [(name, log)] = &logs(folder)[..] else { panic!("one log") };
    assert!(name.starts_with(id) && log.contains(id), "{name}: {log}");
    assert_eq!(own(log, "mk"), ["X"]);
    // A number counts in the log, which is not there.
    let record = record.replace(&format!("\"dialog\":\"{id}\""), "\"dialog\":0");
    fs::remove_dir_all(folder.join("votes")).unwrap();
    let ran = run_in(folder, &["apply", "-", "taskmaster-3.json"], &record);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(logs(folder)[0].1.contains(id));
    let record = record.replace(id, "nobody");
    assert_eq!(run_in(folder, &["apply", "-", "taskmaster-3.json"], &record).code, 1);
}

/// Others' votes stay hidden in conflicts of the log beside a corpus, which can only be decided in the log itself.
#[test]
fn conflicts_beside_a_corpus_tell_a_blind_judge_no_votes() {
    let corpus = fs::read(project("assets/demo/taskmaster-3.json")).unwrap();
    let id = serde_json::from_slice::<Value>(&corpus).unwrap()[0]["conversation_id"].clone();
    let setup = Setup::text("c.json", corpus).annotator("mk");
    let folder = setup.path("");
    let record = json!({"edit": "cast_vote", "dialog": id, "turn": 1, "annotator": "shared", "breakdown": "O",
        "file": format!("votes/{}.log.json", id.as_str().unwrap())});
    let ran = run_in(&folder, &["apply", "-", "c.json"], &record.to_string());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (name, log) = logs(&folder).remove(0);
    let mut setup = setup.file("base", &log);
    for (side, label) in [("ours", "X"), ("theirs", "T")] {
        let log = log.replace("\"breakdown\": \"O\"", &format!("\"breakdown\": \"{label}\""));
        setup = setup.file(side, log);
    }
    let merged = format!("votes/{name}");
    let merge = ["merge", "base", "ours", "theirs", "-o", &merged, "--overwrite"];
    assert_eq!(run_in(&folder, &merge, "").code, 1);
    let mut terminal = setup.argument("--blind").size(120, 40).start();
    terminal.shows("conflict 1 of 1").shows("open that file alone");
    terminal.shows("vote: hidden until you have judged the turn").shows_not("shared: ");
    terminal.keys("\x1b").shows_not("conflict 1 of 1");
}
