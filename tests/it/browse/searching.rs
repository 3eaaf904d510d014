//! Searches with several conditions, and the messages when there are no hits.

use serde_json::json;

use super::Driver;
use super::fixtures::{answer, calls, chat, message, said};
use crate::support::amount;

#[test]
fn conditions_hold_together_for_a_turn() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    for (text, first, told) in [
        ("grand", "turn 0 ·", "grand: 1 of 9"),
        ("speaker:user grand", "turn 0 ·", "speaker:user \"grand\": 1 of 5"),
        ("Grand speaker:assistant", "turn 1 ·", "\"Grand\" speaker:assistant: 1 of 4"),
        // The text is marked, or else the segments.
        ("label:name.theater 12", "turn 0 ·", "label:name.theater \"12\": 1 of 5"),
        ("label:name.theater api:find", "turn 3 ·", "api:find: 1 of 1"),
        ("speaker:user api:find_m", "turn 4 ·", "speaker:user api:find_m: 1 of 3"),
        ("problem:punctuation label:theater", "turn 5 ·", "label:theater: 1 of 1"),
        ("grand a:b", "turn 0 ·", "no hits: grand a:b"),
        ("label:\"name theater\"", "turn 0 ·", "no hits: label:\"name theater\""),
        ("label: grand", "turn 0 ·", "type a name or part of a name after `label:`"),
    ] {
        driver.press("esc K K g").find(text).shows(told).shows(first);
    }
    // Straight quotes enclose a text, and curly ones are part of it.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("\"tonight\"").shows("tonight: 1 of 6");
    driver.find("“tonight”").shows("quotation marks are searched for too; try without them");
    // A search for the id of a dialog names the key for it.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let told = "# goes to a dialog by its id";
    driver.find("DLG-demo-tm3-02").shows("no hits: DLG-demo-tm3-02").shows(told);
    driver.find("dlg-demo-tm4").shows("no hits").shows_not(told);
    driver.find("label:dlg-demo").shows("no hits").shows_not(told);
}

/// Keys act on what was found, wherever the search began; a list of dialogs stays in focus.
#[test]
fn what_is_found_has_the_focus() {
    use turnwise::app::pane::Focus;
    for (keys, text) in [("/", "tonight"), ("#", "dlg-demo-tm3-02")] {
        for pane in ["f7", "tab tab", ""] {
            let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
            driver.press(pane).press(keys).type_text(text).press("enter");
            assert_eq!(driver.app.panes.focus, Focus::Transcript, "{pane} {keys}");
            let before = driver.turn();
            driver.press("esc");
            assert_eq!(driver.turn(), before, "{pane} {keys}: it ends the search and stays");
        }
    }
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("f5 F").type_text("label:date").press("enter");
    assert_eq!(driver.app.panes.focus, Focus::Dialogs);
}

/// Several calls in one turn are visited one by one, like all other matches.
#[test]
fn calls_of_one_turn_are_counted_one_by_one() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("A").type_text("find").press("enter");
    let mut turns: Vec<_> = driver.app.panes.transcript.hits.iter().map(|hit| hit.turn).collect();
    let count = turns.len();
    turns.dedup();
    assert!(turns.len() < count, "a turn has two calls");
    driver.shows("api:find: 1 of ");
    for number in 2..=count {
        driver.press("n").shows(&format!("api:find: {number} of "));
    }
    for number in (1..count).rev() {
        driver.press("p").shows(&format!("api:find: {number} of "));
    }
}

/// A letter that is found tens of thousands of times in one turn is marked where it is seen.
#[test]
fn very_many_hits_in_a_turn_are_marked_on_the_screen_only() {
    let text = "tea to the tent ".repeat(40_000);
    let mut driver = Driver::open(&[("long.json", said("d", &[&text]).to_string())], 120, 40);
    driver.press("/").type_text("te");
    assert_eq!(driver.app.panes.transcript.hits.len(), 80_000);
    let (column, row) = driver.place_of("tea to the tent");
    let cells = driver.cells();
    let shown = |x: u16| cells[(column + x, row)].style();
    assert_eq!(shown(0), shown(1));
    assert_ne!(shown(1), shown(2));
    assert_eq!(shown(11), shown(0));
}

/// A chat with long instructions and long answers, each with a word that no utterance has.
fn needles() -> String {
    let long = |word: &str| {
        let lines: Vec<_> = (0..120).map(|n| format!("row {n} of many")).collect();
        format!("{}\n{word} here\n{}", lines.join("\n"), lines.join("\n"))
    };
    let mut rows: Vec<_> = (0..90).map(|n| json!({"n": n, "city": "Bonn"})).collect();
    rows[70]["city"] = "Zoë\nblueneedle".into();
    let mut messages = vec![
        message("system", &long("redneedle")),
        message("user", "Hi"),
        calls(&[("a", "look_up", json!({"kind": "cargo", "colour": "greenneedle"}))]),
        answer("a", &long("Error: greyneedle")),
    ];
    messages.extend((0..12).map(|n| message("user", &format!("Hm {n}?"))));
    messages.push(calls(&[("b", "look_up", json!({"kind": "tandem"}))]));
    messages.push(answer("b", &json!({"status": "found", "rows": rows})));
    json!([{"id": "d", "scenario": "They want a pinkneedle", "messages": messages}]).to_string()
}

/// The word that is found is on the screen at each size, whatever folded it, in the transcript and in the tab.
#[test]
fn many_hits_unfold_what_hides_them_and_scroll_to_it() {
    for (number, (columns, rows)) in [(80, 24), (120, 40), (200, 60)].into_iter().enumerate() {
        let all = ["", "z", "z z", "z z z"].into_iter();
        // At each size other ways of folding.
        let (first, step) = amount((number % 2, 2), (0, 1));
        for folds in all.skip(first).step_by(step) {
            for word in ["greyneedle", "blueneedle", "redneedle", "greenneedle", "pinkneedle"] {
                let mut driver = Driver::open(&[("chat.json", needles())], columns, rows);
                driver.press("esc").press(folds);
                if word == "blueneedle" {
                    driver.run("show_api");
                }
                driver.find(word);
                let place = || format!("{word} {columns} {folds}");
                let screen = driver.screen();
                let message = format!("{word}: 1 of 1");
                let on_screen = screen.replace(&message, "");
                assert!(screen.contains(&message), "{}\n{screen}", place());
                // At 80 columns, the list beside the transcript may leave no room for the details.
                let is_field = word == "pinkneedle" && columns == 80;
                assert!(is_field || on_screen.contains(word), "{}\n{screen}", place());
                // It stays when the user moves on and comes back.
                driver.press("n");
                let again = driver.screen();
                let is_shown = again.replace(&message, "").contains(word);
                assert!(is_field || is_shown, "{}\n{again}", place());
            }
        }
    }
}

#[test]
fn what_is_not_searched_for_folds_again() {
    let mut driver = Driver::open(&[("chat.json", needles())], 120, 40);
    driver.press("esc").find("greyneedle").shows("Error: greyneedle here");
    let ((column, row), cells) = (driver.place_of("greyneedle here"), driver.cells());
    assert_ne!(cells[(column, row)].style(), cells[(column + 11, row)].style(), "it is marked");
    driver.press("esc G g").shows_not("greyneedle");
    driver.find("row 100 of many").shows(" of 3");
    // One of the instructions, one of the answer; walking goes to each.
    driver.press("n").shows("2 of 3").press("n").shows("3 of 3").press("n").shows("1 of 3");
    // A search is narrowed to a kind of text.
    let mut driver = Driver::open(&[("chat.json", needles())], 120, 40);
    driver.press("esc").find("in:result needle").shows(": 1 of 2");
    driver.find("in:utterance needle").shows("no hits: in:utterance");
    driver.find("in:instructions needle").shows(": 1 of 2");
    driver.find("in:argument needle").shows(": 1 of 1");
    driver.press("/").type_text("in:re").shows("result").shows("reasoning");
    driver.press("esc /").type_text("in:result needle");
    driver.shows("turns that contain \"needle\" in a result");
}

#[test]
fn the_list_of_hits_shows_the_text_around_each_in_calls_too() {
    let mut driver = Driver::open(&[("chat.json", needles())], 200, 60);
    driver.press("esc");
    for (query, shown) in [
        ("greyneedle", "→ …of many↵Error: greyneedle here↵row 0"),
        ("greenneedle", "↳ look_up(colour=greenneedle, kind=cargo)"),
        ("pinkneedle", "scenario: They want a pinkneedle"),
        ("arg:kind", "↳ look_up(kind=cargo, colour=greenneedle)"),
        ("api:look_up", "↳ look_up(kind=tandem)"),
        ("result:status=found", "→ status=found, rows="),
    ] {
        driver.find(query).press("H");
        let start: String = shown.chars().take(30).collect();
        driver.shows(&start).press("esc esc");
    }
}

/// Comments of votes are found and shown, but those that a blind judge must not see are not.
#[test]
fn comments_are_found_unless_they_are_hidden() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").press("esc");
    let comment = {
        let turns = &driver.app.panes.transcript.dialog.turns;
        let mut votes = turns.iter().flat_map(|turn| &turn.votes);
        votes.find(|vote| vote.comment.len() > 5).unwrap().comment.to_string()
    };
    driver.find(&format!("in:comment \"{comment}\"")).shows("1 of ");
    assert_eq!(driver.app.panes.details.shown, "answers");
    driver.shows(&comment[..comment.len().min(12)]).press("esc b");
    driver.find(&format!("in:comment \"{comment}\"")).shows("no hits: in:comment");
}

/// With the focus in the details, `n` and `p` take every row of a long answer before they go on.
#[test]
fn matches_within_a_long_answer_are_gone_through_in_the_details() {
    let row = |number: usize| {
        let note = if number.is_multiple_of(10) { "redneedle" } else { "hay" };
        json!({"at": number, "note": note})
    };
    let long: Vec<_> = (0..60).map(row).collect();
    let plain = "hay\n".repeat(50) + "redneedle\n" + &"hay\n".repeat(50) + "a redneedle, too";
    let chat = chat(&[
        message("user", "What is there?"),
        calls(&[("a", "look_up", json!({}))]),
        answer("a", &json!({"rows": long})),
        calls(&[("b", "look_up", json!({}))]),
        answer("b", &plain),
        message("assistant", "A redneedle."),
    ]);
    for (columns, rows) in [(120, 40), (60, 12)] {
        let mut driver = Driver::open(&[("chat.jsonl", chat.clone())], columns, rows);
        driver.run("show_api").press("f7 w d");
        driver.find("redneedle").shows("1 of 3").press("f7");
        // The row that the message counts is on the screen.
        let at = |driver: &mut Driver, number: usize| {
            let screen = driver.screen();
            let rows: Vec<_> = screen.lines().collect();
            let [at, path] = [format!("at  {}", 10 * number), format!("[{}] of", 10 * number + 1)];
            let is_shown = rows.windows(2).any(|rows| {
                let is_named = rows[0].contains(&at) || rows[0].contains(&path);
                is_named && rows[1].contains("note  redneedle")
            });
            assert!(is_shown, "{number}\n{screen}");
        };
        at(&mut driver, 0);
        for number in 1..6 {
            driver.press("n").shows(&format!("1 of 3 · row {} of 6 here", number + 1));
            at(&mut driver, number);
            assert_eq!(driver.turn(), 1);
        }
        // What is redrawn stays there.
        driver.app.panes.details.forget();
        at(&mut driver, 5);
        driver.press("n").shows("2 of 3").shows("redneedle");
        assert_eq!(driver.turn(), 3);
        driver.press("n").shows("row 2 of 2 here").shows("redneedle, too");
        driver.press("n").shows("3 of 3");
        assert_eq!(driver.turn(), 5);
        // The way back takes the same rows.
        driver.press("p").shows("2 of 3").shows("redneedle, too");
        driver.press("p").shows("row 1 of 2 here");
        driver.press("p").shows("1 of 3");
        at(&mut driver, 5);
        driver.press("2 p").shows("row 4 of 6 here");
        at(&mut driver, 3);
        // In the transcript an answer is one match.
        driver.press("esc esc");
        assert_eq!(driver.app.panes.focus, turnwise::app::pane::Focus::Transcript);
        driver.find("redneedle").press("n").shows("2 of 3");
    }
}
