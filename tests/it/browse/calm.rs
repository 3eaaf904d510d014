//! A calm screen for judging: nothing of what follows, the guideline at hand, and the keys of the answers
//! always there. And what moves while one only reads on: nothing else.

use turnwise::app::{Guideline, MouseAction};

use super::{Driver, demo};

const LOG: &str = "dbdc/demo_001.log.json";

/// The texts of the turns of the log on the screen.
fn seen(driver: &Driver) -> Vec<bool> {
    let screen = driver.screen();
    let turns = &driver.app.panes.transcript.dialog.turns;
    let seen = |turn: &turnwise::dialog::Turn| {
        let beginning: String = turn.text.chars().take(14).collect();
        screen.contains(&beginning)
    };
    turns.iter().map(seen).collect()
}

fn judging(settings: &str, columns: u16, rows: u16) -> Driver {
    Driver::configured(&format!("annotator = \"mk\"\n{settings}"), &[demo(LOG)], columns, rows)
}

#[test]
fn what_follows_the_turn_to_judge_is_hidden() {
    let mut driver = judging("", 120, 60);
    assert!(seen(&driver)[..8].iter().all(|seen| *seen), "{}", driver.screen());
    driver.press("B").shows("the turns after this one are hidden").press("esc");
    let upto = |driver: &Driver, turn: usize| {
        let seen = seen(driver);
        assert!(seen[..=turn].iter().all(|seen| *seen), "{}", driver.screen());
        assert!(!seen[turn + 1..].iter().any(|seen| *seen), "{}", driver.screen());
    };
    upto(&driver, 1);
    driver.shows("turn 1 · the rest is hidden");
    // Nothing but the next turn itself leads on.
    driver.press("pgdn C-d");
    let (column, row) = driver.place_of("turn 1 ·");
    for _ in 0..5 {
        driver.wheel(MouseAction::WheelDown, column, row + 1);
    }
    upto(&driver, 1);
    driver.press("o");
    upto(&driver, 3);
    // What one has seen stays when one goes back.
    driver.press("k k");
    upto(&driver, 3);
    driver.press("B").shows("the turns after this one are shown");
    assert!(seen(&driver)[..8].iter().all(|seen| *seen), "{}", driver.screen());
    // Turned on again, it begins where one is.
    driver.press("B");
    upto(&driver, 1);
    let mut driver = judging("hide_later = true", 120, 60);
    driver.shows("the rest is hidden").press("B").shows("turn 1 · 20 turns");
}

/// The lists of the details do not tell either.
#[test]
fn the_details_hide_what_follows_too() {
    let settings = "annotator = \"mk\"\nhide_later = true";
    let mut driver = Driver::configured(settings, &[demo("taskmaster-3.json")], 160, 50);
    driver.run("show_api").shows("find_showtimes").shows(" 16 turns");
    driver.press("V").shows("the rest is hidden");
    driver.shows("0 calls in the turns that are shown").shows_not("find_showtimes");
    driver.press("j j j j").shows("2 calls in the turns that are shown");
    driver.press("g P").shows_not("includes the").press("esc 9 g");
    driver.press("P").shows("includes the");
    // Majorities of later turns.
    let mut driver = judging("hide_later = true", 160, 40);
    driver.run("show_answers").press("j j").shows("dialog O   O").shows_not("dialog O   O   O");
}

#[test]
fn the_guideline_is_a_key_away() {
    let mut driver = judging("", 80, 24);
    driver.press("f2").shows("no guideline is set in turnwise.toml or the settings");
    let guideline = |name: &str, text: String| Some(Guideline { name: name.to_owned(), text });
    let steps: Vec<_> = (1..60).map(|step| format!("{step}. Step *{step}*\n")).collect();
    let text = format!("# How to judge\n\nRead **every** turn.\n\n{}", steps.concat());
    driver.app.judging.guideline = guideline("guide.md", text);
    driver.press("f2").shows("Guideline: guide.md").shows("How to judge").shows("Step 3");
    driver.shows_not("**").press("pgdn pgdn").shows_not("How to judge");
    let page = driver.screen();
    driver.press("esc").shows("turn 1 ·").press("f2");
    assert_eq!(driver.screen(), page, "it opens where it was left");
    driver.press("G").shows("Step 59").press("g q").shows_not("Guideline");
    // Plain text keeps its lines.
    driver.app.judging.guideline = guideline("guide.txt", "*one*\ntwo\u{1b}[31m".to_owned());
    driver.press("f2").shows("*one*").shows("two␛[31m");
}

/// The keys of the three answers are on the screen, whatever else is.
#[test]
fn the_keys_of_the_answers_are_never_pushed_out() {
    for (columns, rows) in [(200, 60), (120, 40), (80, 24), (60, 15), (40, 24), (40, 8)] {
        let mut driver = judging("", columns, rows);
        driver.app.judging.guideline = Some(Guideline::default());
        for keys in ["esc", "o", "x", "b", "b", "B", "C-s", "/ y o u enter", "n", "esc", "1 g", "u"]
        {
            driver.press(keys);
            let turn = driver.app.panes.transcript.current();
            if turn.is_none_or(|turn| !turn.is_judgeable()) {
                driver.press("j");
            }
            let screen = driver.screen();
            let last = screen.lines().last().unwrap_or_default();
            for key in [" o ", " t ", " x "] {
                assert!(format!("{last} ").contains(key), "{columns}x{rows} {keys}\n{screen}");
            }
        }
    }
}

#[test]
fn the_ends_of_the_details_leave_the_transcript_where_it_is() {
    let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
    driver.press("4 g").run("show_api").press("f7");
    let place = |driver: &Driver| {
        let transcript = &driver.app.panes.transcript;
        (transcript.at, transcript.turn, transcript.page.first().map(|row| row.place))
    };
    let before = place(&driver);
    for keys in ["G", "g", "pgdn", "C-d", "pgup", "end", "home"] {
        driver.press(keys);
        assert_eq!(place(&driver), before, "{keys}");
    }
    // The selected call is the one of the turn, still.
    driver.press("j");
    assert!(driver.turn() >= 4);
}
