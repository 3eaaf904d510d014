//! The list of dialogs: filters that come and go, numbers, state that is kept between sessions; and
//! windows over the panes, and one pane on the whole screen.

use turnwise::app::{Effect, Focus, Msg};

use super::fixtures::said;
use super::{Driver, demo};

/// A filter that is given up changes nothing: keys go where they went before.
#[test]
fn a_cancelled_filter_leads_back() {
    for keys in ["j", "w d", "F7"] {
        let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
        driver.press(keys);
        let before = driver.app.panes.focus;
        driver.press("F").type_text("02").press("esc");
        assert_eq!(driver.app.panes.focus, before, "{keys}");
    }
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("J j j").shows("  2 of 3");
    driver.press("F").type_text("tm3-03").shows("  3 of 3");
    driver.press("esc").shows("  2 of 3").shows("turn 2 ·");
    // One that holds the dialog on the screen leads nowhere.
    driver.press("F").type_text("tm3").press("enter").shows("  2 of 3").shows("2 of 3 · tm3");
}

#[test]
fn a_kept_filter_is_reported_and_the_dialog_is_selected() {
    let mut before = Driver::demo("taskmaster-3.json", 120, 40);
    before.press("F").type_text("tm3-02").press("enter");
    let mut after = before.next_run(&[demo("taskmaster-3.json")], "");
    after.shows("still showing only dialogs whose id contains tm3-02; F Esc shows all");
    after.shows(" 1 of 1 · tm3-02").shows("▸ dlg-d");
}

#[test]
fn dialogs_are_opened_by_their_place_and_turns_count_from_0() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("f6").press("f6").press("f6");
    driver.app.panes.focus_on(Focus::Dialogs);
    driver.press("3 g").shows("Dialogs  3 of 3");
    driver.press("2 G").shows("Dialogs  2 of 3");
    driver.press("9 g").shows("Dialogs  3 of 3");
    driver.press("enter 5 g").shows("turn 5 ·");
    driver.press("0 g").shows("turn 0 ·");
    // While judging, too: `g` alone marks a turn.
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").press("o o 0 g").shows("turn 0 ·").shows_not("ungr.");
}

/// A file that could not be read is read again, whichever dialog is on the screen.
#[test]
fn an_unreadable_file_is_read_again() {
    let good = demo("taskmaster-3.json");
    let mut driver = Driver::open(&[good, ("other.json", "[{".to_owned())], 120, 40);
    driver.tell(Msg::Failed { file: 1, reason: "unreadable".to_owned() });
    driver.wanted.clear();
    driver.run("reload");
    let read: Vec<_> = (0..2).map(|file| Effect::Reload { file }).collect();
    assert!(read.iter().all(|read| driver.wanted.contains(read)), "{:?}", driver.wanted);
}

/// If there is room for one pane only, the requested one is shown.
#[test]
fn tabs_come_to_the_front_where_there_is_one_pane() {
    for keys in ["i", "P", "S", "dot"] {
        let mut driver = Driver::demo("taskmaster-3.json", 60, 15);
        let before = driver.screen();
        driver.press(keys);
        assert_ne!(driver.screen(), before, "{keys}");
        assert_eq!(driver.app.panes.focus, Focus::Details, "{keys}");
    }
}

fn click(driver: &mut Driver, on: &str) {
    let (column, row) = driver.place_of(on);
    driver.click(column, row);
}

/// A broken file, one that holds nothing, and a good one.
fn mixed() -> Driver {
    let good = demo("taskmaster-3.json");
    let bad = ("bad.json", String::new());
    let mut driver = Driver::unopened(&[bad, good.clone()], 120, 40);
    let reason = "line 1, column 9: a very long reason that no list has room for";
    driver.tell(Msg::Failed { file: 0, reason: reason.to_owned() });
    driver.read(1, good.1.into_bytes());
    driver
}

#[test]
fn files_are_opened_by_name_and_broken_ones_say_why() {
    let mut driver = mixed();
    driver.press("J J @").shows("▸ bad.json  ▲ line 1, column 9");
    driver.shows("taskmaster-3.json  3 dialogs · Taskmaster-3");
    driver.type_text("tm3").shows_not("▸ bad.json");
    driver.press("enter").shows("  1 of 3");
    driver.press("@").type_text("bad").press("enter");
    driver.shows("bad.json cannot be read: line 1, column 9: a very long reason that no list");
    driver.shows("  1 of 3");
    driver.press("esc").press("@").type_text("nosuch").shows("no matching entry").press("enter");
    driver.shows("  1 of 3").shows_not("bad.json cannot be read");
    // As when its row in the list is clicked.
    click(&mut driver, "bad.json");
    driver.shows("bad.json cannot be read: line 1, column 9").shows("  1 of 3");
}

#[test]
fn choices_are_taken_by_a_click_and_tell_how_many_there_are() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press(":").shows("Commands").shows(" 1–14 of ");
    driver.type_text("info").shows_not(" 1–14 of ");
    click(&mut driver, "show_info");
    driver.shows_not("Commands").shows("scenario");
    driver.press("#").type_text("tm3");
    click(&mut driver, "dlg-demo-tm3-03");
    driver.shows("  3 of 3");
    // A click on the title or on the prompt picks nothing; one outside the window closes it.
    driver.press(":");
    click(&mut driver, "Commands");
    driver.shows("Commands").click(4, 39).shows("Commands");
    driver.click(40, 3).shows_not("Commands");
    driver.press("/").type_text("label:").shows("Known names");
    let (column, row) = driver.place_of("Known names");
    let screen = driver.screen();
    let third = screen.lines().nth(usize::from(row) + 3).unwrap();
    driver.click(column, row + 3);
    let second = driver.screen();
    let typed = second.lines().last().unwrap();
    let name = typed.trim().strip_prefix("find label:").unwrap();
    assert!(!name.is_empty() && third.contains(name), "{third} {typed}");
}

#[test]
fn a_click_on_a_hint_runs_its_command() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    click(&mut driver, "J dialog");
    driver.shows("  2 of 3");
    click(&mut driver, "? help");
    driver.shows("Help: ");
    let first = driver.screen();
    click(&mut driver, "↓ scroll");
    assert_ne!(driver.shows("Help: ").screen(), first);
    click(&mut driver, "Esc close");
    driver.shows_not("Help: ");
    driver.press("R");
    click(&mut driver, "Esc close");
    driver.shows_not("Esc close");
    // The row now shows the message.
    driver.press("s").click(2, 39).shows("  2 of 3");
}

#[test]
fn a_line_of_another_family_is_shown_as_what_it_is() {
    let chat = r#"{"id":"a","messages":[{"role":"user","content":"Open?"}]}"#;
    let shared = r#"{"id":"b","conversations":[{"from":"human","value":"Room two?"}]}"#;
    let mut driver = Driver::open(&[("mixed.jsonl", format!("{chat}\n{shared}\n"))], 120, 40);
    driver.press("i").shows("Chat messages").press("J i").shows("ShareGPT");
}

/// Three folders; one holds two files, one a file of two dialogs.
fn in_folders() -> Driver {
    let dialog = |id: &str| said(id, &["hi"]).to_string();
    let files = [
        ("data/en/one.json", dialog("d-one")),
        ("data/en/two.json", dialog("d-two")),
        ("data/ja/deep/three.json", dialog("d-three")),
        ("more/four.json", format!("[{},{}]", dialog("d-four"), dialog("d-five"))),
    ];
    Driver::open(&files, 120, 30)
}

/// The lines of the dialog list.
fn listed(driver: &mut Driver) -> Vec<String> {
    let screen = driver.screen();
    let lines = screen.lines().skip(2);
    let list = lines.map(|line| line.split('│').next().unwrap().trim_end());
    let list = list.take_while(|line| !line.trim().is_empty());
    // One space before the numbers.
    list.map(|line| {
        let indent = line.len() - line.trim_start().len();
        let words: Vec<_> = line.split_whitespace().collect();
        format!("{}{}", &line[..indent], words.join(" "))
    })
    .collect()
}

#[test]
fn folders_are_a_tree_that_folds() {
    let mut driver = in_folders();
    driver.press("w l");
    assert_eq!(
        listed(&mut driver),
        [
            "- data/ 3",
            " - en/ 2",
            "▸ d-one 1",
            "  d-two 1",
            " - ja/deep/ 1",
            "  d-three 1",
            "- more/ 2",
            " - four.json 2",
            "  d-four 1",
            "  d-five 1",
        ]
    );
    // The folder, then the folder around it.
    driver.press("left");
    assert_eq!(listed(&mut driver)[1..4], [" + en/ 2", " - ja/deep/ 1", "  d-three 1"]);
    driver.press("left");
    assert_eq!(listed(&mut driver)[..3], ["+ data/ 3", "- more/ 2", " - four.json 2"]);
    driver.press("j j left");
    assert_eq!(listed(&mut driver)[..3], ["+ data/ 3", "- more/ 2", " + four.json 2"]);
    driver.press("right k");
    driver.press("left").shows("no file or folder to fold here");
    // The next dialog is below; going back up stops at the folder, which opens as it was.
    driver.press("j").shows("d-four  1 of 2");
    driver.press("k enter enter").shows("one.json  d-one");
    // Elsewhere, folded dialogs are passed over, and going to one shows it.
    driver.press("left left w t J").shows("d-four  1 of 2");
    driver.press("K").shows("this is the first dialog of the list");
    driver.press("#").type_text("d-three").press("enter");
    assert!(listed(&mut driver).contains(&"▸ d-three 1".to_owned()));
}

#[test]
fn the_output_of_a_detector_is_not_listed() {
    let files = [demo("dbdc/demo_001.log.json"), demo("dbdc/demo_001.labels.json")];
    let mut driver = Driver::open(&files, 120, 40);
    driver.shows("Dialogs  1 of 1");
    // Without the log, there is nothing else to show.
    let mut driver = Driver::open(&files[1..], 120, 40);
    driver.shows("Dialogs  1 of 1");
}

#[test]
fn a_filter_opens_each_dialog_at_its_first_hit_and_counts_what_it_lists() {
    let files = [demo("taskmaster-3.json"), demo("taskmaster-1.json")];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("F").type_text("speaker:user turn>2").press("enter").shows("· hits");
    let listed = driver.app.panes.list.dialogs();
    assert!(listed > 1);
    for _ in 1..listed {
        driver.press("down");
        let t = &driver.app.panes.transcript;
        assert_eq!(Some(t.turn), t.hits.first().map(|hit| hit.turn));
        assert_eq!(t.hit, Some(0));
    }
    let found = |driver: &Driver, file: u32| {
        let found = driver.app.search.found.iter();
        found.filter(|(at, _)| at.file == file).count()
    };
    for file in [0, 1] {
        let count = found(&driver, file);
        assert_eq!(driver.app.panes.list.in_file[file as usize], count as u64);
    }
    // One that finds nothing says so, and how all are back.
    driver.press("F").type_text("words>9999").press("enter");
    driver.shows("no dialog has a hit").shows("Esc shows all dialogs");
    driver.press("esc").shows(" of 6");
    assert!(driver.app.panes.list.dialogs() >= listed);
}

#[test]
fn a_pane_fills_the_screen_until_escape() {
    for (columns, rows) in [(80, 24), (120, 40)] {
        let mut driver = Driver::demo("dbdc/demo_002.log.json", columns, rows);
        driver.press("f7");
        let before = driver.screen();
        driver.press("w z").shows("w z shows all panes again");
        driver.shows("entropy").shows_not("Transcript");
        let title = driver.screen().lines().nth(1).unwrap_or_default().to_owned();
        assert!(title.starts_with(" Answers"), "{title}");
        driver.press("w t").shows("Transcript").shows_not("entropy");
        driver.press("w d").shows_not("Transcript");
        driver.press("w z");
        assert_eq!(driver.screen(), before);
        driver.press("w z esc").shows("Transcript");
        driver.press("esc esc").shows("quits");
    }
}

/// The fixes of a turn, on a screen where the turn would be behind the window.
#[test]
fn a_window_does_not_cover_the_turn_it_is_about() {
    let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
    driver.press(&"j ".repeat(12)).press("f").shows("▸ 1");
    let (_, title) = driver.place_of("▸ 1");
    let (_, turn) = driver.place_of(&format!("▸▲ {:>2} ", driver.turn()));
    assert!(turn.max(1) < title, "{}", driver.screen());
}
