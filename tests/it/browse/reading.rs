//! Reading and finding: a newcomer follows the keys that the screen shows.

use serde_json::{Value, json};
use turnwise::app::session;

use ratatui::layout::Size;
use turnwise::app::Msg;
use turnwise::app::pane::transcript::{Folding, Folds, MarkDisplay};
use turnwise::workspace::QueueKind;

use super::fixtures::{answer, calls, chat, dialog, message, said, segment, turn};
use super::{Driver, demo};
use crate::support::{project, run};

/// A corpus in the form of Taskmaster-3 with these utterances, a dialog each.
fn corpus(dialogs: &[&[&str]]) -> String {
    let dialogs = dialogs.iter().enumerate();
    let dialogs = dialogs.map(|(number, texts)| said(&format!("dlg-{number}"), texts));
    dialogs.collect::<Value>().to_string()
}

fn open(dialogs: &[&[&str]]) -> Driver {
    Driver::open(&[("corpus.json", corpus(dialogs))], 100, 24)
}

#[test]
fn search_walks_through_the_corpus_and_around() {
    let mut driver = open(&[&["two tickets", "none"], &["nothing"], &["Two", "and two"]]);
    driver.find("two").shows("two: 1 of 3").shows("3 in 2 dialogs");
    driver.press("n").shows("  3 of 3").shows("two: 2 of 3");
    driver.press("n").shows("turn 1 ·").shows("two: 3 of 3");
    driver.press("n").shows("  1 of 3").shows("from the top again");
    driver.press("p").shows("  3 of 3").shows("from the end again");
    driver.press("esc").shows_not("two: ");
}

#[test]
fn capitals_matter_where_they_are_typed() {
    let mut driver = open(&[&["two"], &["Two"]]);
    driver.find("Two").shows("Two: 1 of 1").shows("  2 of 2");
    driver.find("three").shows("no hits: three").shows_not("capitals");
    driver.find("TWO").shows("no hits: TWO · capitals make the search case-sensitive");
}

/// To a match, to the caret, and to the chosen segment.
#[test]
fn the_view_follows_within_a_turn_that_is_higher_than_it() {
    let words: Vec<String> = (0..400).map(|number| format!("word{number}")).collect();
    let text = words.join(" ");
    let mut driver = open(&[&[&text, "short"]]);
    driver.shows("word0 ").shows_not("word390");
    driver.find("word390").shows("word390").shows_not("word0 ");
    // The view may be scrolled away, and comes back when the reader goes somewhere in the turn.
    driver.press("pgup pgup pgup").shows("word0 ");
    driver.press("enter end").shows("word399");
    driver.press("home").shows("word0 ").shows_not("word399");
    driver.press("end W W W").press("home").shows("word0 ");
    let segment = |word| segment(text.find(word).unwrap(), word, "a");
    let segments = ["word3", "word395", "word398"].map(segment);
    let corpus = dialog("d", vec![turn("user", &text, segments.to_vec())]);
    let mut driver = Driver::open(&[("corpus.json", corpus.to_string())], 80, 24);
    driver.press("right").shows("word3 ").shows_not("word395");
    driver.press("right").shows("word395").shows_not("word3 ");
    driver.press("right").shows("word398").press("left left").shows("word3 ");
}

#[test]
fn a_long_message_is_seen_whole() {
    let mut driver = Driver::open(&[("corpus.json", corpus(&[&["one"]]))], 60, 16);
    let said = "corpus.json: opening the file for writing failed, nothing was changed: \
                Read-only file system (os error 30)";
    driver.tell(Msg::Complaint(said.to_owned()));
    driver.shows("corpus.json: opening the file").shows("(os error 30)");
}

#[test]
fn known_names_are_offered_in_a_search() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("L").type_text("thea").shows("Known names").shows("  name.theater");
    driver.press("tab").shows("find label:name.theater");
    driver.press("enter").shows("label:name.theater: 1 of");
    // The last search is still behind the other key.
    driver.press("A down").shows("find api:").shows("▸ ");
    driver.press("esc / up").shows("find label:name.theater");
    driver.press("esc /").type_text("label:").press("tab tab up up");
    driver.shows("find label:name.theater");
    driver.press("esc").press("A").type_text("no such").shows_not("Known names");
    // Those of the condition that is typed, beside others.
    driver.press("esc / C-u").type_text("speaker:user api:").press("down");
    driver.shows("find speaker:user api:book_tickets");
}

#[test]
fn the_list_is_filtered_as_one_types() {
    let mut driver = open(&[&["a"], &["b"], &["c"]]);
    driver.press("F").type_text("DLG-1").shows("Dialogs  1").shows("  2 of 3");
    driver.press("enter").shows("f filter");
    driver.press("esc").shows("of 3");
    driver.press("F").type_text("zzz").shows("no id contains this");
    driver
        .press("enter")
        .shows("Esc shows all dialogs")
        .press("J")
        .shows("no dialog id contains zzz");
    driver.press("esc").shows("of 3");
}

#[test]
fn a_number_with_zeros_before_it_is_part_of_an_id() {
    let ids = ["x-1", "sim_00000001", "1", "sim_00000002"];
    let text = ids.iter().map(|id| said(id, &["a"])).collect::<Value>().to_string();
    let mut driver = Driver::open(&[("corpus.json", text)], 100, 24);
    for (typed, wanted) in [
        ("00000001", "sim_00000001"),
        ("00000002", "sim_00000002"),
        ("1", "  1  3 of 4"),
        ("3", "  4 of 4"),
        ("0", "  x-1  1 of 4"),
        ("2", "  1  3 of 4"),
        ("003", "  4 of 4"),
        ("x-", "  x-1  1 of 4"),
    ] {
        driver.press("#").type_text(typed).press("enter").shows(wanted);
        let told = format!("no dialog number {typed}; opened a dialog with this number in its id");
        assert_eq!(driver.screen().contains(&told), typed == "00000002", "{typed}");
    }
}

#[test]
fn a_turn_number_that_is_too_large_goes_to_the_last_turn_and_says_so() {
    let mut driver = open(&[&["a", "b", "c"]]);
    for key in ["g", "G", "home"] {
        driver.press("esc g 9 9").press(key);
        driver.shows("turn 2 · 3 turns").shows("there is no turn 99; the last is 2");
        driver.press("1").press(key).shows("turn 1 · 3 turns").shows_not("there is no turn");
    }
    driver.press("G").shows("turn 2 · 3 turns").shows_not("there is no turn");
}

/// 21 rows of the list are seen, and three are kept around the chosen one.
#[test]
fn the_list_turns_a_page_while_one_reads_and_scrolls_while_one_walks_in_it() {
    let turns: &[&str] = &["hi"];
    let mut driver = open(&[turns; 90]);
    let top = |driver: &Driver| driver.app.panes.list.top;
    driver.press(&"J ".repeat(17));
    assert_eq!(top(&driver), 0);
    driver.press("J").shows("dlg-18  19 of 90");
    let turned = top(&driver);
    assert!((6..=15).contains(&turned), "{turned}");
    driver.press("J J J");
    assert_eq!(top(&driver), turned);
    driver.press("K K K").press(&"K ".repeat(18)).shows("dlg-0  1 of 90");
    assert_eq!(top(&driver), 0);
    driver.press("S-tab").press(&"j ".repeat(18)).shows("dlg-18  19 of 90");
    assert_eq!(top(&driver), 1);
}

#[test]
fn a_long_utterance_is_scrolled_before_the_next_turn() {
    let long = "word ".repeat(400);
    let mut driver = open(&[&[&long, "short"]]);
    driver.press("j").shows("turn 0 ·");
    for _ in 0..10 {
        driver.press("j");
    }
    driver.shows("turn 1 ·").shows("short");
    driver.press("k").shows("turn 0 ·");
}

#[test]
fn a_broken_dialog_is_passed_over() {
    let good = corpus(&[&["fine"]]);
    let line = good.trim_matches(['[', ']']);
    let lines = format!("{line}\n{{\"conversation_id\": \"x\", \n{line}\n");
    let mut driver = Driver::open(&[("lines.jsonl", lines)], 100, 24);
    driver.press("J").shows("▲").shows("unreadable");
    driver.shows("1 unreadable").press("J").shows("fine");
}

#[test]
fn a_new_run_begins_in_the_transcript() {
    for focus in ["f6", "f7", "enter W"] {
        let mut before = Driver::demo("taskmaster-3.json", 80, 24);
        before.press(focus);
        let mut after = before.next_run(&[demo("taskmaster-3.json")], "");
        after.press("j").shows("turn 1 · 16 turns");
    }
}

#[test]
fn another_annotator_does_not_continue_silently() {
    let name = "dbdc/demo_002.log.json";
    let mut before = Driver::demo(name, 80, 24);
    before.judge_as("ada");
    let run = |id: &str| before.next_run(&[demo(name)], id);
    run("ben").shows("ada judged here last; you judge as ben").shows("annotator ben");
    run("").shows("ada judged here last; :annotator sets your id");
    let mut decides = Driver::unopened(&[demo(name)], 80, 24);
    decides.app.judging.adjudicates = true;
    session::restore(&mut decides.app, session::session(&before.app));
    decides.read(0, demo(name).1.into_bytes());
    decides.shows_not("judged here last").shows("decided");
    let mut same = run("ada");
    same.shows_not("judged here last").shows("annotator ada");
    // Until the first vote.
    same.press("j j").shows("annotator ada").press("space o");
    assert_eq!(same.app.judging.cast, 1);
    same.press("u").shows_not("annotator ada  ");
    // Nor does judging go on for another one where it was turned on.
    let mut before = Driver::demo("taskmaster-3.json", 120, 24);
    before.judge_as("ada").press("V");
    for (id, on) in [("ada", true), ("ben", false)] {
        let after = before.next_run(&[demo("taskmaster-3.json")], id);
        assert_eq!(after.app.judging.on, on, "{id}");
    }
}

#[test]
fn the_session_is_that_of_its_annotator_and_a_new_one_starts_at_the_first_open_turn() {
    let names = ["dbdc/demo_001.log.json", "dbdc/demo_002.log.json"];
    let files = |driver: &Driver| {
        let text = |file| String::from_utf8(driver.bytes(file)).unwrap();
        [(names[0], text(0)), (names[1], text(1))]
    };
    let mut ada = Driver::open(&names.map(demo), 120, 40);
    ada.judge_as("ada").press("esc");
    let first = ada.app.place();
    ada.run("queue_entropy").press("o t x");
    let (place, queue) = (ada.app.place(), ada.app.judging.wanted.clone());
    assert_ne!(place, first);
    // Somebody new.
    let mut ben = ada.next_run(&files(&ada), "ben");
    assert_eq!(ben.app.place(), first);
    assert_eq!(ben.app.judging.wanted, QueueKind::All);
    ben.shows("ada judged here last; you judge as ben").press("o");
    let after = ben.app.place();
    // Who left the session goes on there.
    let ada = ada.next_run(&files(&ada), "ada");
    assert_eq!((ada.app.place(), &ada.app.judging.wanted), (place, &queue));
    assert_eq!(ben.next_run(&files(&ben), "ben").app.place(), after);
    assert_eq!(ben.next_run(&files(&ben), "carl").app.place(), first);
    // Ben judged the first turn on another machine, and is new here.
    let mut here = Driver::unopened(&names.map(demo), 120, 40);
    here.judge_as("ben");
    here.read_all(&files(&ben));
    assert_eq!(here.app.place(), after);
}

#[test]
fn a_session_goes_on_where_it_ended() {
    let mut before = Driver::demo("taskmaster-3.json", 120, 30);
    before.press("J J j j j i m");
    let after = before.next_run(&[demo("taskmaster-3.json")], "");
    assert_eq!(session::session(&before.app), session::session(&after.app));
    assert_eq!(before.place(), after.place());
}

#[test]
fn an_adjudicator_begins_at_what_is_undecided_wherever_a_session_ended() {
    let files = ["dbdc/demo_001.log.json", "dbdc/demo_002.log.json"].map(demo);
    let mut before = Driver::open(&files, 120, 40);
    before.press("J G");
    let begun = |session: Option<&Driver>| {
        let mut next = Driver::unopened(&files, 120, 40);
        if let Some(before) = session {
            session::restore(&mut next.app, session::session(&before.app));
        }
        let judging = &mut next.app.judging;
        (judging.adjudicates, judging.on, judging.wanted) = (true, true, QueueKind::Undecided);
        next.read_all(&files);
        next.app.place()
    };
    assert_eq!(begun(Some(&before)), begun(None));
    assert_ne!(begun(None), before.app.place());
}

/// A layout that is kept equals a fresh one, and is made again if something is shown differently meanwhile.
#[test]
fn a_layout_that_is_kept_equals_a_fresh_one() {
    let names =
        ["taskmaster-3.json", "sim-gen.json", "dbdc/demo_001.log.json", "taskmaster-1.json"];
    let mut driver = Driver::open(&names.map(demo), 120, 40);
    driver.find("the");
    let foldings = [Folding::Calls, Folding::Nothing, Folding::Responses, Folding::Long];
    for step in 0..16 {
        match step % 4 {
            0 => driver.app.panes.transcript.folds = Folds::alike(foldings[usize::from(step / 4)]),
            1 => driver.app.panes.transcript.marks = MarkDisplay::All,
            2 => driver.tell(Msg::Resize(Size::new(120 - step, 40))),
            _ => {}
        }
        for key in ["J", "down", "pgdn", "right", "down", "e esc", "up"] {
            driver.press(key);
            let shown = driver.cells();
            driver.app.panes.transcript.forget();
            driver.tell(Msg::Resize(driver.app.panes.size));
            assert_eq!(driver.cells(), shown, "{}", driver.screen());
        }
    }
}

/// A search without a match says why: some files could not be searched, or a condition is unknown.
#[test]
fn a_search_without_a_match_may_have_a_reason() {
    let whole = corpus(&[&["one"], &["two"]]);
    let cut = whole[..whole.len() - 20].to_owned();
    let files = [("whole.json", whole.clone()), ("cut.json", cut)];
    let mut driver = Driver::open(&files, 160, 24);
    driver.find("three");
    driver.shows("no hits: three in any text · A searches names of APIs, L searches labels · 1 file could not be read completely");
    let mut driver = Driver::open(&[("whole.json", whole)], 160, 24);
    driver.find("turn:three");
    driver.shows("no hits: turn:three · unknown condition `turn:`; use in: label: api: ");
}

/// A dialog of one turn with one segment.
fn with_segment(text: &str, (start, end): (u32, u32), quote: &str) -> Driver {
    let segment = json!({"start_index": start, "end_index": end, "text": quote,
        "annotations": [{"name": "name.movie"}]});
    let turn = json!({"index": 0, "speaker": "USER", "text": text, "segments": [segment]});
    let corpus = json!([{"conversation_id": "dlg-0", "utterances": [turn]}]);
    Driver::open(&[("corpus.json", corpus.to_string())], 120, 40)
}

#[test]
fn segments_with_line_feeds_and_within_an_emoji_are_shown() {
    let mut driver = with_segment("one\nline\n", (0, 8), "one\nline");
    driver.press("l").shows(" one↵  ").shows(" line↵  ").shows("\"one↵line\"");
    // Within an emoji, all of it is underlined.
    let mut driver = with_segment("a👩‍👩 b", (3, 4), "👩");
    driver.press("l").shows(" ━━ name.movie");
}

/// The end of a row shows a line feed, so it has no mark there, unless it is searched for or the text ends with it.
#[test]
fn line_ends_of_markdown_have_no_marks() {
    let text = "# Rules  \nGo\\\n\n- one  \n- two\n";
    let chat = chat(&[message("system", text), message("user", text)]);
    let mut driver = Driver::open(&[("chat.jsonl", chat)], 120, 40);
    let marks = |driver: &mut Driver| driver.screen().matches('↵').count();
    driver.press("esc z").shows("- two↵");
    assert_eq!(marks(&mut driver), 2, "{}", driver.screen());
    // While spans are edited, each character has its place.
    let mut driver = with_segment("one\nline\nmore", (10, 14), "more");
    assert_eq!(marks(&mut driver), 0, "{}", driver.screen());
    driver.press("v").shows(" line↵");
    assert_eq!(marks(&mut driver), 2, "{}", driver.screen());
}

/// A long answer that is folded ends between two members, if its last row has a whole one.
#[test]
fn folded_json_is_cut_between_members() {
    for spaces in ["", " "] {
        let member =
            |n: usize| format!("{{\"at\":{spaces}{n},{spaces}\"place\":{spaces}\"Old Mill {n}\"}}");
        let list: Vec<_> = (0..200).map(member).collect();
        let list = format!("[{}]", list.join(&format!(",{spaces}")));
        let places = calls(&[("c", "places", json!({}))]);
        let chat = chat(&[message("user", "Where?"), places, answer("c", &list)]);
        let driver = Driver::open(&[("chat.jsonl", chat)], 120, 40);
        let screen = driver.screen();
        let cut = screen.lines().find_map(|line| line.split_once(" … "));
        assert!(cut.unwrap().0.ends_with(','), "{screen}");
    }
}

/// A chat with a long prompt, two parallel calls, a long answer, and code in a reply.
fn long_chat() -> String {
    let rules: Vec<String> = (1..=30).map(|n| format!("{n}. Rule number {n} holds.")).collect();
    let found = vec![r#"{"name": "Alder House", "rooms": 12}"#; 60].join(", ");
    let code = "Sort them so:\n```python\ndef by_rooms(all):\n    return sorted(all)\n```";
    chat(&[
        message("system", &rules.join("\n")),
        message("user", "Hotels in Bergen and Turku, and code that sorts them."),
        calls(&[
            ("a", "find_hotels", json!({"city": "Bergen"})),
            ("b", "find_hotels", json!({"city": "Turku"})),
        ]),
        answer("a", &format!("[{found}]")),
        answer("b", &"[]"),
        message("assistant", code),
    ])
}

#[test]
fn long_prompts_and_answers_are_folded_until_a_key_unfolds_them() {
    let mut driver = Driver::open(&[("chat.jsonl", long_chat())], 80, 24);
    // The whole chat is there: the prompt, both calls and the reply.
    driver.shows("4. Rule num").shows("… 26 more rows · 761 bytes");
    driver.shows_not("5. Rule number 5 holds.");
    driver.shows("city=Bergen").shows("city=Turku").shows(" more rows · 2.2 kB");
    driver.press("z").shows("5. Rule number 5 holds.").shows_not("more rows");
    driver.press("z").shows("results are one line each").shows("26 more rows").shows("→ [");
    driver.press("z").shows("calls are one line each; failed calls also show results");
    driver.shows("26 more rows").shows("city=Turku").shows_not("→ [");
    driver.press("z").shows("only prompts are shown").shows_not("city=Turku");
    driver.press("z").shows("26 more rows").shows(" more rows · 2.2 kB");
    // A match unfolds the prompt, as long as it is the match.
    driver.find("number 29").shows("29. Rule number 29 holds.");
    driver.find("Turku").press("g").shows("26 more rows");
    // Code keeps its lines.
    driver.press("esc G").shows("Sort them so:\n").shows(" ```python\n");
    driver.shows(" def by_rooms(all):\n").shows("     return sorted(all)\n").shows(" ```\n");
}

#[test]
fn parts_that_are_not_read_and_acts_are_on_the_screen() {
    let chat = r#"{"messages":[{"role":"user","content":[{"type":"text","text":"See this."},
        {"type":"image_url","image_url":{"url":"x"}},{"type":"tool_result","content":"1"}]},
        {"role":"assistant","content":"A moss."}]}"#;
    let mut driver = Driver::open(&[("chat.json", chat.to_owned())], 100, 30);
    driver.shows("image, not shown").shows("not read tool_result");
    // Acts of one name are named once, here and in `show`.
    let corpus = "sgd/dialogues_001.json";
    let grouped = "INFORM price=34 euros · NOTIFY_SUCCESS";
    let listed = "INFORM flavour=Walnut, day=this Saturday";
    let mut driver = Driver::demo(corpus, 160, 60);
    driver.shows(listed).shows(grouped);
    let shown = run(&["show", project("assets/demo").join(corpus).to_str().unwrap()]).out;
    assert!(shown.contains(grouped) && shown.contains(listed), "{shown}");
}
