//! Searches with several conditions, and the messages when there is no match.

use super::Driver;
use crate::support::amount;

fn find<'a>(driver: &'a mut Driver, text: &str) -> &'a mut Driver {
    driver.press("/").type_text(text).press("enter")
}

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
        ("grand a:b", "turn 0 ·", "no match: grand a:b"),
        ("label:\"name theater\"", "turn 0 ·", "no match: label:\"name theater\""),
        ("label: grand", "turn 0 ·", "type a name, or part of one, after label:"),
    ] {
        driver.press("esc K K g");
        find(&mut driver, text).shows(told).shows(first);
    }
}

#[test]
fn names_are_offered_for_the_condition_that_is_typed() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("/").type_text("speaker:user api:").press("down");
    driver.shows("find speaker:user api:book_tickets");
    driver.press("enter").shows("speaker:user api:book_tickets: 1 of");
}

#[test]
fn a_search_for_the_id_of_a_dialog_names_the_key_for_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let told = "# goes to a dialog by its id";
    find(&mut driver, "DLG-demo-tm3-02").shows("no match: DLG-demo-tm3-02").shows(told);
    find(&mut driver, "dlg-demo-tm4").shows("no match").shows_not(told);
    find(&mut driver, "label:dlg-demo").shows("no match").shows_not(told);
}

/// Several calls in one turn are visited one by one, like all other matches.
#[test]
fn calls_of_one_turn_are_counted_one_by_one() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("A").type_text("find").press("enter");
    let count = driver.app.panes.transcript.hits.len();
    let turns: std::collections::HashSet<_> =
        driver.app.panes.transcript.hits.iter().map(|hit| hit.turn).collect();
    assert!(turns.len() < count, "a turn has two calls");
    driver.shows("api:find: 1 of ");
    for number in 2..=count {
        driver.press("n").shows(&format!("api:find: {number} of "));
    }
    for number in (1..count).rev() {
        driver.press("p").shows(&format!("api:find: {number} of "));
    }
}

#[test]
fn a_filter_that_ends_with_a_jump_is_reported() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("F").type_text("tm3-02").press("enter");
    driver.press("#").type_text("tm3-03").press("enter");
    driver.shows("filter cleared: tm3-02");
    driver.shows("Dialogs  3 of 3").press("j").shows_not("filter cleared");
}

#[test]
fn straight_quotes_enclose_a_text_and_curly_ones_are_part_of_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("/").type_text("\"tonight\"").press("enter");
    driver.shows("tonight: 1 of 6");
    driver.press("esc / ctrl-u").type_text("“tonight”").press("enter");
    driver.shows("quotation marks are searched for too; try without them");
}

/// A letter that is found tens of thousands of times in one turn is marked where it is seen.
#[test]
fn very_many_hits_in_a_turn_are_marked_on_the_screen_only() {
    let text = "tea to the tent ".repeat(40_000);
    let corpus = serde_json::json!([{"conversation_id": "d", "vertical": "v", "utterances": [
        {"index": 0, "speaker": "user", "text": text, "segments": []}
    ]}]);
    let mut driver = Driver::open(&[("long.json", corpus.to_string())], 120, 40);
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
fn chat() -> String {
    let long = |word: &str| {
        let lines: Vec<_> = (0..120).map(|n| format!("row {n} of many")).collect();
        format!("{}\n{word} here\n{}", lines.join("\n"), lines.join("\n"))
    };
    let call = |id: &str, arguments: serde_json::Value| {
        serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": id, "type": "function",
            "function": {"name": "look_up", "arguments": arguments.to_string()}}]})
    };
    let answer = |id: &str, text: String| serde_json::json!({"role": "tool", "tool_call_id": id, "content": text});
    let rows: Vec<_> = (0..90).map(|n| serde_json::json!({"n": n, "city": "Bonn"})).collect();
    let mut json = serde_json::json!({"status": "found", "rows": rows});
    json["rows"][70]["city"] = "Zoë\nblueneedle".into();
    let mut filler: Vec<_> = (0..12)
        .map(|n| serde_json::json!({"role": "user", "content": format!("Hm {n}?")}))
        .collect();
    let mut messages = vec![
        serde_json::json!({"role": "system", "content": long("redneedle")}),
        serde_json::json!({"role": "user", "content": "Hi"}),
        call("a", serde_json::json!({"kind": "cargo", "colour": "greenneedle"})),
        answer("a", long("Error: greyneedle")),
    ];
    messages.append(&mut filler);
    messages.push(call("b", serde_json::json!({"kind": "tandem"})));
    messages.push(answer("b", json.to_string()));
    let dialog =
        serde_json::json!({"id": "d", "scenario": "They want a pinkneedle", "messages": messages});
    serde_json::json!([dialog]).to_string()
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
                let mut driver = Driver::open(&[("chat.json", chat())], columns, rows);
                driver.press("esc").press(folds);
                if word == "blueneedle" {
                    driver.press(":").type_text("show_api").press("enter");
                }
                find(&mut driver, word);
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
    let mut driver = Driver::open(&[("chat.json", chat())], 120, 40);
    driver.press("esc");
    find(&mut driver, "greyneedle").shows("Error: greyneedle here");
    driver.press("esc G g").shows_not("greyneedle");
    find(&mut driver, "row 100 of many").shows(" of 3");
    // One of the instructions, one of the answer; walking goes to each.
    driver.press("n").shows("2 of 3").press("n").shows("3 of 3").press("n").shows("1 of 3");
}

/// Texts are marked where they are shown.
#[test]
fn words_found_in_answers_are_marked() {
    let mut driver = Driver::open(&[("chat.json", chat())], 120, 40);
    driver.press("esc");
    find(&mut driver, "greyneedle");
    let (column, row) = driver.place_of("greyneedle here");
    let cells = driver.cells();
    let style = |x: u16| cells[(column + x, row)].style();
    assert_eq!(style(0), style(9));
    assert_ne!(style(0), style(11));
}

#[test]
fn the_list_of_hits_shows_the_text_around_each_in_calls_too() {
    let mut driver = Driver::open(&[("chat.json", chat())], 200, 60);
    driver.press("esc");
    for (query, shown) in [
        ("greyneedle", "→ …of many↵Error: greyneedle here↵row 0"),
        ("greenneedle", "↳ look_up(colour=greenneedle, kind=cargo)"),
        ("pinkneedle", "scenario: They want a pinkneedle"),
        ("arg:kind", "↳ look_up(kind=cargo, colour=greenneedle)"),
        ("api:look_up", "↳ look_up(kind=tandem)"),
        ("response:status=found", "→ status=found, rows="),
    ] {
        find(&mut driver, query).press("H");
        let start: String = shown.chars().take(30).collect();
        driver.shows(&start).press("esc esc");
    }
}

#[test]
fn a_search_is_narrowed_to_a_kind_of_text() {
    let mut driver = Driver::open(&[("chat.json", chat())], 120, 40);
    driver.press("esc");
    find(&mut driver, "in:answer needle").shows(": 1 of 2");
    find(&mut driver, "in:utterance needle").shows("no match: in:utterance");
    find(&mut driver, "in:instructions needle").shows(": 1 of 2");
    find(&mut driver, "in:argument needle").shows(": 1 of 1");
    driver.press("/").type_text("in:a").shows("argument").shows("answer");
    driver.press("esc /").type_text("in:answer needle");
    driver.shows("turns that contain \"needle\" in an answer");
}

/// Comments of votes are found and shown, but those that a blind judge must not see are not.
#[test]
fn comments_are_found_unless_they_are_hidden() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    "mk".clone_into(&mut driver.app.judging.annotator);
    driver.press("esc");
    let comment = {
        let turns = &driver.app.panes.transcript.dialog.turns;
        let mut votes = turns.iter().flat_map(|turn| &turn.votes);
        votes.find(|vote| vote.comment.len() > 5).unwrap().comment.to_string()
    };
    find(&mut driver, &format!("in:comment \"{comment}\"")).shows("1 of ");
    assert_eq!(driver.app.panes.details.shown, "answers");
    driver.shows(&comment[..comment.len().min(12)]).press("esc b");
    find(&mut driver, &format!("in:comment \"{comment}\"")).shows("no match: in:comment");
}

/// While a query is typed, its line says which members it means.
#[test]
fn the_prompt_says_which_members_are_meant() {
    let corpus = serde_json::json!([{"id": "d", "reward": 1.0, "info": {"reward_info": {"a": 1, "b": 2, "c": 3, "d": 4}},
        "messages": [{"role": "user", "content": "Hi"}]}]);
    let mut driver = Driver::open(&[("runs.json", corpus.to_string())], 120, 40);
    driver.press("/").type_text("field:reward=1");
    driver.shows("field:reward means `reward`; not 5 members under `info.reward_info`");
    driver.press("enter").shows("1 of 1");
}

/// With the focus in the details, `n` and `p` take every row of a long answer before they go on.
#[test]
fn matches_within_a_long_answer_are_gone_through_in_the_details() {
    let row = |number: usize| {
        let note = if number.is_multiple_of(10) { "redneedle" } else { "hay" };
        serde_json::json!({"at": number, "note": note})
    };
    let long: Vec<_> = (0..60).map(row).collect();
    let call = |id: &str| {
        serde_json::json!({"role": "assistant", "content": null, "tool_calls": [{"id": id,
            "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]})
    };
    let answer = |id: &str, content: String| serde_json::json!({"role": "tool", "tool_call_id": id, "content": content});
    let plain = "hay\n".repeat(50) + "redneedle\n" + &"hay\n".repeat(50) + "a redneedle, too";
    let chat = serde_json::json!([{"messages": [
        {"role": "user", "content": "What is there?"},
        call("a"), answer("a", serde_json::json!({ "rows": long }).to_string()),
        call("b"), answer("b", plain),
        {"role": "assistant", "content": "A redneedle."}]}]);
    for (columns, rows) in [(80, 24), (120, 40), (200, 60), (60, 12)] {
        let mut driver = Driver::open(&[("chat.json", chat.to_string())], columns, rows);
        driver.press(":").type_text("show_api").press("enter f7 w d");
        find(&mut driver, "redneedle").shows("1 of 3");
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
            driver.press("n");
            driver.shows(&format!("1 of 3 · row {} of 6 here", number + 1));
            at(&mut driver, number);
            assert_eq!(driver.app.panes.transcript.turn, 1);
        }
        // What is redrawn stays there.
        driver.app.panes.details.forget();
        at(&mut driver, 5);
        driver.press("n").shows("2 of 3").shows("redneedle");
        assert_eq!(driver.app.panes.transcript.turn, 3);
        driver.press("n").shows("row 2 of 2 here").shows("redneedle, too");
        driver.press("n").shows("3 of 3");
        assert_eq!(driver.app.panes.transcript.turn, 5);
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
        find(&mut driver, "redneedle").press("n").shows("2 of 3");
    }
}
