//! A turn with many calls: which one is wrong, and folding each of them.

use serde_json::{Value, json};
use turnwise::app::pane::Item;
use turnwise::app::{Effect, MouseAction};

use super::Driver;
use super::fixtures::{answer, calls, chat, message};

/// A turn with three parallel calls, the second of which has an argument that the tool does not declare.
fn parallel() -> Driver {
    let sky = "grey, with a chance of herons over the canal, ".repeat(6);
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}},
        "required": ["city"], "additionalProperties": false});
    let chat = json!({"messages": [
        message("user", "Weather?"),
        calls(&[
            ("c0", "weather", json!({"city": "Bruges"})),
            ("c1", "weather", json!({"city": "Ghent", "town": "Ghent"})),
            ("c2", "weather", json!({"city": "Ypres"})),
        ]),
        answer("c0", &json!({"sky": sky})),
        answer("c1", &json!({"sky": sky})),
        answer("c2", &json!({"sky": sky})),
        message("assistant", "Grey.")],
        "tools": [{"type": "function", "function": {"name": "weather", "parameters": parameters}}]});
    let mut driver = Driver::open(&[("chat.jsonl", format!("{chat}\n"))], 200, 60);
    driver.press("w t g");
    driver
}

/// The rows of the transcript that begin with a text, or have it beside the speaker.
fn rows<'s>(screen: &'s str, text: &str) -> Vec<&'s str> {
    let rows = screen.lines().filter_map(|line| line.split('│').nth(1));
    let is_head = |char: char| char.is_alphanumeric() || "▸▲ ".contains(char);
    rows.filter(|row| row.trim_start_matches(is_head).starts_with(text)).collect()
}

#[test]
fn the_wrong_call_carries_the_mark_and_the_details_open_on_it() {
    let mut driver = parallel();
    driver.press("n");
    let screen = driver.screen();
    let calls = rows(&screen, "↳");
    assert_eq!(calls.len(), 3, "{screen}");
    let marked: Vec<_> = calls.iter().map(|row| row.contains("↳ ▲ ")).collect();
    assert_eq!(marked, [false, true, false], "{screen}");
    // In the details, its arguments are marked: JSON in a string is one value.
    let second = screen.lines().skip_while(|line| !line.contains("2. weather"));
    let marked = second.filter(|line| line.contains("arguments ▲")).count();
    assert_eq!(marked, 1, "{screen}");
    // The turns of the tool have no rows of their own until everything is shown, since the results are below the calls.
    let mut driver = parallel();
    let answers = |screen: &str| screen.matches("→ result of weather").count();
    assert_eq!(answers(&driver.screen()), 0, "{}", driver.screen());
    driver.press("z");
    assert_eq!(answers(&driver.screen()), 3, "{}", driver.screen());
}

#[test]
fn one_call_is_folded_in_the_details() {
    let mut driver = parallel();
    let answers = |driver: &Driver| rows(&driver.screen(), "→").len();
    assert_eq!(answers(&driver), 3);
    driver.press("j f7 z").shows("the call is folded");
    assert_eq!(answers(&driver), 2);
    driver.press("z").shows("the call is shown in full");
    assert_eq!(answers(&driver), 3);
}

/// Presses a key that copies, and returns the copied text and its name in messages.
fn copied(driver: &mut Driver, key: &str) -> (String, String) {
    driver.press(key).shows("asked the terminal to copy the");
    match driver.wanted.pop() {
        Some(Effect::Copy { text, what }) => (text, what),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_selected_is_copied() {
    let mut driver = Driver::demo("taskmaster-3.json", 160, 40);
    let pair = |text: &str, what: &str| (text.to_owned(), what.to_owned());
    let turn = driver.app.panes.transcript.dialog.turns[0].text.clone();
    assert_eq!(copied(&mut driver, "y"), pair(&turn, "text"));
    driver.press("enter W W");
    assert_eq!(copied(&mut driver, "y"), pair("hi, i", "selected text"));
    // In the details, a call and its values.
    driver.press("esc esc").run("show_api").press("f7 g");
    let (text, what) = copied(&mut driver, "C-y");
    assert_eq!(what, "JSON of the call");
    let call: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(call["name"], "find_movies");
    driver.press("j j");
    assert_eq!(copied(&mut driver, "y"), pair("horror", "value of name.genre"));
    assert_eq!(copied(&mut driver, "C-y"), pair("\"horror\"", "JSON of the value of name.genre"));
}

#[test]
fn the_text_of_an_answer_is_edited_at_its_call() {
    let mut driver = parallel();
    driver.press("3 g").shows("turn 3 ·").press("e");
    driver.shows("turn 3 is the result of this call in turn 1");
    driver.press("enter").shows("herons");
    assert!(driver.app.windows.open.is_some());
    driver.press("esc");
    assert_eq!(driver.turn(), 1);
}

/// Each row that comes into sight is one less below, down to the end.
#[test]
fn rows_below_are_those_that_scrolling_shows() {
    let mut driver = bikes(12);
    driver.press("f7 home");
    let below = |driver: &Driver| -> Option<usize> {
        let screen = driver.screen();
        let (before, _) = screen.split_once(" rows below ↓")?;
        before.rsplit(' ').next()?.replace(',', "").parse().ok()
    };
    let mut known = below(&driver).unwrap();
    loop {
        driver.wheel(MouseAction::WheelDown, 115, 10);
        // The row under the note counts, too: the last count is at least 2.
        match below(&driver) {
            Some(now) => assert_eq!(now, known - 3, "{}", driver.screen()),
            None => break assert!(known < 5, "{known}\n{}", driver.screen()),
        }
        known -= 3;
    }
    driver.shows("Ask before").shows_not("rows below");
    // Only so many are counted.
    bikes(300).press("f7 home").shows("1,000+ rows below ↓");
}

/// A call with an answer in JSON: a list of so many bikes, each with a list of parts.
fn bikes(count: usize) -> Driver {
    let bike = |number: usize| {
        json!({"bike": format!("bike-{number}"), "colour": "green", "parts": [
            {"part": "bell", "of": number}, {"part": "basket", "of": number}],
            "note": "Ask before you lend it: the brakes were changed last week. ".repeat(3)})
    };
    let bikes: Vec<_> = (0..count).map(bike).collect();
    let chat = chat(&[
        message("user", "Which bikes are there?"),
        calls(&[("c", "list_bikes", json!({}))]),
        answer("c", &json!({"bikes": bikes})),
        message("assistant", "Many."),
    ]);
    let mut driver = Driver::open(&[("chat.jsonl", chat)], 120, 30);
    driver.press("j f7 w d");
    driver
}

/// The rows of the details, without the marks of the selected one.
fn detail_rows(driver: &Driver) -> Vec<String> {
    let screen = driver.screen();
    let rows = screen.lines().filter_map(|line| line.split('│').next_back());
    let rows = rows.map(|row| row.replace('▸', " ").trim().to_owned());
    rows.collect()
}

fn shows_row(driver: &Driver, row: &str) -> bool {
    detail_rows(driver).iter().any(|own| own == row)
}

/// However far a long answer is scrolled, its first row says where the rows below it are.
#[test]
fn a_scrolled_answer_says_where_one_is_in_it() {
    let count = 20;
    let mut driver = bikes(count);
    driver.shows("1. list_bikes  turn 1");
    // Two rows of the screen are above those of the pane.
    let rows = |driver: &Driver| detail_rows(driver).split_off(2);
    assert!(!rows(&driver)[0].contains('›'), "{}", driver.screen());
    let (mut paths, mut inner) = (0, 0);
    for _ in 0..200 {
        driver.wheel(MouseAction::WheelDown, 100, 10);
        let rows = rows(&driver);
        let Some((path, below)) = rows.split_first().filter(|(path, _)| path.contains('›'))
        else {
            continue;
        };
        paths += 1;
        // The bike that the path names is the one before the next in the list.
        let of = format!(" of {count}");
        let number = |text: &str| -> Option<usize> {
            let (before, _) = text.split_once(&of)?;
            before.rsplit_once('[')?.1.strip_suffix(']')?.parse().ok()
        };
        let next = below.iter().find_map(|row| number(row));
        if let (Some(here), Some(next)) = (number(path), next) {
            assert_eq!(here + 1, next, "{}", driver.screen());
            inner += 1;
        }
        // What the first row below belongs to, and not what it is.
        let first = &below[0];
        if first.starts_with("part ") || first.starts_with("of ") {
            assert!(path.contains("parts › ["), "{path}: {first}");
        } else if first.starts_with("bike ") {
            assert!(path.ends_with(&of), "{path}: {first}");
        }
    }
    assert!(paths > 50 && inner > 50, "{paths} {inner}");
    driver.press("g").shows("1. list_bikes  turn 1");
}

/// A turn whose answer is an object with a list of objects.
fn long_answer() -> Driver {
    let flight = |number: usize| json!({"flight": format!("KL{number}"), "seats": {"economy": number, "note": format!("by window {number}")}});
    let flights: Vec<_> = (0..12).map(flight).collect();
    let chat = chat(&[
        message("user", "Flights?"),
        calls(&[("c", "find", json!({}))]),
        answer("c", &json!({"date": "May 4", "results": flights, "airport": "Ostend"})),
        message("assistant", "KL7 is best."),
    ]);
    let mut driver = Driver::open(&[("chat.jsonl", chat)], 160, 40);
    driver.press("j").run("show_api").press("f7");
    driver
}

#[test]
fn an_object_or_a_list_of_an_answer_is_folded_at_its_row() {
    let mut driver = long_answer();
    // The call, its arguments, its answer, the list in it.
    driver.press("down down down").shows("Enter fold");
    driver.press("enter").shows("folded to one line");
    assert!(shows_row(&driver, "results  … 12 items"), "{}", driver.screen());
    assert!(!driver.screen().contains("KL3"), "{}", driver.screen());
    assert!(shows_row(&driver, "airport  Ostend"), "{}", driver.screen());
    driver.press("enter").shows("shown whole");
    // An element, and the object in it, with the key that folds calls.
    driver.press("down z");
    assert!(shows_row(&driver, "[1] of 12 … 2 fields"), "{}", driver.screen());
    driver.press("down down z");
    assert!(shows_row(&driver, "seats  … 2 fields"), "{}", driver.screen());
    assert!(shows_row(&driver, "flight  KL1"), "{}", driver.screen());
    assert!(!shows_row(&driver, "economy  1"), "{}", driver.screen());
    assert!(shows_row(&driver, "economy  2"), "{}", driver.screen());
    // The whole answer; what was folded in it stays folded.
    driver.press("up up up up z");
    assert!(shows_row(&driver, "result  … 3 fields"), "{}", driver.screen());
    assert!(!shows_row(&driver, "airport  Ostend"), "{}", driver.screen());
    // Enter unfolds; an editor opens only on what is shown.
    driver.press("enter").shows("shown whole").shows_not("as JSON");
    assert!(shows_row(&driver, "[1] of 12 … 2 fields"), "{}", driver.screen());
    driver.press("enter").shows("result, as JSON").press("esc");
    // Nothing of this is an edit.
    assert_eq!(driver.app.workspace.steps.applied().len(), 0);
}

#[test]
fn steps_through_an_answer_visit_each_list_and_object_once() {
    let mut driver = long_answer();
    let mut seen = Vec::new();
    for _ in 0..40 {
        let item = driver.app.panes.details.item().cloned();
        seen.extend(item.filter(|item| !seen.contains(item)));
        driver.press("down");
    }
    // The call, its arguments, its answer, the list, and two objects of each element.
    assert_eq!(seen.len(), 4 + 2 * 12, "{seen:?}");
    for expected in seen.iter().rev() {
        assert_eq!(driver.app.panes.details.item(), Some(expected));
        driver.press("up");
    }
}

#[test]
fn a_search_unfolds_what_hides_its_match_and_nothing_else() {
    let mut driver = long_answer();
    driver.press("down down down down z down z up up enter");
    assert!(shows_row(&driver, "results  … 12 items"), "{}", driver.screen());
    driver.find("\"window 1\"");
    assert!(shows_row(&driver, "note  by window 1"), "{}", driver.screen());
    assert!(shows_row(&driver, "[1] of 12 … 2 fields"), "{}", driver.screen());
    // Rows that are folded while the search goes on are found, too.
    driver.press("f7 z");
    driver.press("n").shows("row 2 of 3 here");
    driver.press("f7 z n").shows("row 3 of 3 here");
    assert!(shows_row(&driver, "note  by window 11"), "{}", driver.screen());
}

/// The best match is first, and a name that is typed but not known comes last.
#[test]
fn the_beginning_of_an_argument_finds_the_argument() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.run("add_call").shows("APIs").type_text("find_theat").shows("▸   find_theaters");
    driver.press("enter").shows("next argument").type_text("theat");
    driver.shows("▸   name.theater").shows("theat  new name");
    driver.press("C-u").type_text("theatre").shows("theatre  new name");
    driver.press("C-u").type_text("name.theater").press("enter").shows("name.theater");
}

/// The selection follows the page: the next key goes on from what is in sight.
#[test]
fn a_page_of_the_details_takes_the_selection_along() {
    let mut driver = long_answer();
    let selected = |driver: &Driver| driver.app.panes.details.item().cloned().unwrap();
    let first = selected(&driver);
    driver.press("pgdn");
    let rows = detail_rows(&driver);
    let here = selected(&driver);
    assert_ne!(here, first);
    driver.press("down");
    assert_eq!(detail_rows(&driver)[3..30], rows[3..30], "{}", driver.screen());
    // The key that folds is about what is in sight.
    driver.press("z");
    assert!(!detail_rows(&driver).contains(&"result  … 3 fields".to_owned()));
    driver.press("z pgdn pgdn pgdn pgdn pgdn");
    let last = selected(&driver);
    driver.press("down");
    assert_eq!(selected(&driver), last);
    driver.press("pgup");
    assert_ne!(selected(&driver), last);
    driver.press("C-u C-u C-u C-u C-u C-u C-u C-u");
    assert_eq!(selected(&driver), first);
    // Without items, the lines scroll as before.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 24);
    driver.press("S f7");
    let before = detail_rows(&driver);
    driver.press("pgdn");
    assert_ne!(detail_rows(&driver), before);
}

/// Names of arguments and names of answers are offered where they belong.
#[test]
fn pickers_keep_arguments_and_answers_apart() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.run("show_api").press("f7 j j a");
    driver.type_text("name.movie_1").shows("name.movie_1  new name");
    driver.press("esc").shows("result");
    let is_response = |driver: &Driver| {
        let item = driver.app.panes.details.item().cloned();
        item.and_then(|item| item.call_part()) == Some(turnwise::dialog::CallPart::Response)
    };
    while !is_response(&driver) {
        driver.press("j");
    }
    driver.press("a").type_text("name.movie_").shows_not("new name\n").shows("▸   name.movie_");
}

/// A turn has two calls: what is done in the tab is done to the one that was found.
#[test]
fn the_call_that_a_search_finds_is_selected() {
    for keys in ["f7 d", "A esc f7 d", "n N f7 d"] {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
        driver.find("api:find_showtimes");
        let calls = |driver: &Driver| driver.app.panes.transcript.current().unwrap().calls.len();
        assert_eq!(calls(&driver), 2);
        driver.press(keys);
        let left = &driver.app.panes.transcript.current().unwrap().calls;
        let names: Vec<_> = left.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["find_movies"], "{keys}");
    }
}

#[test]
fn calls_of_a_session_are_counted_by_tool() {
    let mut driver = Driver::demo("sessions/claude-code-ferry.jsonl", 200, 60);
    driver.press("i").shows("calls  10 (2 failed)").shows("Edit 3 (1 failed), Read 3, WebFetch 2");
}

/// Three turns with calls, some of which say something about herons.
fn herons() -> Driver {
    let ask = |id: &'static str, name: &'static str, city: &str| (id, name, json!({"city": city}));
    let chat = chat(&[
        message("user", "Weather?"),
        calls(&[ask("a0", "weather", "Bruges"), ask("a1", "weather", "Mons")]),
        answer("a0", &json!({"sky": "grey"})),
        answer("a1", &json!({"sky": "grey"})),
        calls(&[
            ask("b0", "weather", "Ghent"),
            ask("b1", "birds", "Heron"),
            ask("b2", "tides", "Ypres"),
        ]),
        answer("b0", &json!({"sky": "grey"})),
        answer("b1", &json!({"sky": "herons"})),
        answer("b2", &json!({"sky": "grey"})),
        calls(&[ask("c0", "weather", "Namur")]),
        answer("c0", &json!({"sky": "grey"})),
        message("assistant", "Grey."),
    ]);
    Driver::open(&[("chat.jsonl", chat)], 160, 40)
}

/// The turn and the number of the selected call.
fn selected(driver: &Driver) -> Option<(usize, usize)> {
    driver.app.panes.details.item()?.call()
}

/// The calls that a key selects, one after the other.
fn selected_by(driver: &mut Driver, key: &str) -> Vec<(usize, usize)> {
    let mut visited = Vec::new();
    for _ in 0..30 {
        driver.press(key);
        visited.extend(selected(driver).filter(|call| visited.last() != Some(call)));
    }
    visited
}

/// The current match selects its call when the search goes there, and not when the user comes by.
#[test]
fn steps_visit_each_call_beside_the_one_that_a_search_finds() {
    let mut driver = herons();
    driver.find("heron").run("show_api").press("f7");
    assert_eq!(selected(&driver), Some((4, 1)));
    selected_by(&mut driver, "k");
    let mut all = vec![(1, 0), (1, 1), (4, 0), (4, 1), (4, 2), (8, 0)];
    assert_eq!(selected_by(&mut driver, "j"), all);
    all.reverse();
    assert_eq!(selected_by(&mut driver, "k"), all);
}

/// A call with two matches, and the next one of which the user has selected meanwhile.
#[test]
fn each_match_selects_its_call() {
    let mut driver = herons();
    driver.find("heron").run("show_api").press("f7");
    while selected(&driver) == Some((4, 1)) {
        driver.press("j");
    }
    assert_eq!(selected(&driver), Some((4, 2)));
    driver.press("n");
    assert_eq!(selected(&driver), Some((4, 1)));
}

/// The screen has no room for the details until the user has gone on.
#[test]
fn a_match_left_behind_selects_nothing() {
    let mut driver = herons();
    driver.app.panes.size.width = 60;
    driver.find("heron").press("j").run("show_api").press("f7");
    assert_eq!(selected(&driver), Some((8, 0)));
}

#[test]
fn the_end_of_a_search_leaves_the_selection() {
    let mut driver = Driver::demo("sgd/dialogues_001.json", 120, 60);
    driver.find("api:OrderCake").run("show_turn").press("right f7");
    assert!(driver.app.panes.transcript.segment.is_some());
    let item = |driver: &Driver| driver.app.panes.details.item().cloned();
    driver.press("j j");
    let before = item(&driver);
    assert!(!matches!(before, Some(Item::Segment { .. })));
    driver.press("esc");
    assert!(driver.app.search.query.is_none());
    assert_eq!(item(&driver), before);
}
