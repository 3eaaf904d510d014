//! Queries on the screen: lists and queues of what they find, and queries with names.

use serde_json::json;
use turnwise::app::settings::Settings;

use super::Driver;
use super::fixtures::{calls, chat, message};
use crate::support::{project, run_in};

#[test]
fn the_list_shows_only_dialogs_that_a_query_finds() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("F").type_text("arg:num.tickets=two").press("enter");
    driver.shows("Dialogs  1 of 1 · hits").shows("arg:num.tickets=two: 1 of 1");
    driver.shows_not("dlg-de…-tm3-02");
    driver.press("esc").shows("dlg-de…-tm3-02").shows_not("hits");
    // An error is reported, and the list stays.
    driver.press("F").type_text("(turns>3").press("enter");
    driver.shows("this parenthesis is not closed").shows("dlg-de…-tm3-02");
    // What was typed is still there, to be mended.
    driver.shows("filter dialogs (turns>3").type_text(")").press("enter").shows("· hits");
    driver.press("esc").find("turns>30 and").shows("find turns>30 and").press("esc");
}

#[test]
fn hits_of_a_search_are_listed_and_all_again() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("arg:num.tickets=two").shows("dlg-de…-tm3-02");
    let list = |driver: &mut Driver| {
        driver.run("list_found");
    };
    list(&mut driver);
    driver.shows_not("dlg-de…-tm3-02");
    list(&mut driver);
    driver.shows("dlg-de…-tm3-02");
    list(&mut driver);
    // A jump to another dialog shows all again.
    driver.press("#").type_text("tm3-03").press("enter");
    driver.shows("dlg-de…-tm3-02").shows("filter cleared: dialogs with hits");
}

/// From a question to its queue: the query and three keys.
#[test]
fn a_search_becomes_a_queue() {
    // In a corpus without votes, judging begins with the queue.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.judge_as("mk").find("speaker:assistant \"?\"").press("Q");
    let count = driver.app.judging.queue.as_ref().unwrap().len();
    assert!(count > 3, "{count}");
    driver.shows(&format!("judged 0/{count} found"));
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").find("votes.x>=5").press("Q");
    let expected = {
        let turns = &driver.app.panes.transcript.dialog.turns;
        let found = turns.iter().filter(|turn| {
            let votes = turn.votes.iter();
            votes.filter(|v| v.breakdown.is_some_and(|b| b.letter() == "X")).count() >= 5
        });
        found.count()
    };
    assert!(expected > 0);
    let queue = driver.app.judging.queue.as_ref().unwrap();
    assert_eq!(queue.len(), expected);
    driver.shows(&format!("{expected} to judge"));
    // Votes go through it.
    let first = driver.app.judging.queue.as_ref().unwrap()[0].turn;
    assert_eq!(driver.turn(), first as usize);
    driver.press("x");
    assert!(driver.app.judging.queue.as_ref().unwrap()[0].judged);
}

/// The list of hits shows the text around each; going through it shows the turns.
#[test]
fn hits_are_listed_with_the_text_around_them() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let place = |driver: &Driver| {
        let t = &driver.app.panes.transcript;
        (t.at.unwrap().dialog, t.turn, t.hit)
    };
    // The list opens at the hit on the screen, so that the next one follows it.
    driver.find("tickets").press("n H j");
    let third = place(&driver);
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("tickets").press("H");
    let found = &driver.app.search.found;
    let (dialogs, hits) = (found.len(), driver.app.search.count());
    assert!(dialogs > 1, "{found:?}");
    driver.shows(&format!("{hits} hits in {dialogs} dialogs")).shows("…");
    let mut places = vec![place(&driver)];
    for _ in 1..hits {
        driver.press("j");
        places.push(place(&driver));
    }
    let mut in_order = places.clone();
    in_order.sort_unstable();
    in_order.dedup();
    assert_eq!(places, in_order, "each hit is shown once, in order");
    assert_eq!(places[2], third);
    // The end of the list is its end; the last one is where enter reads on.
    driver.press("j");
    assert_eq!(place(&driver), places[places.len() - 1]);
    driver.press("enter");
    assert_eq!(driver.app.panes.focus, turnwise::app::pane::Focus::Transcript);
    // The list follows the hits.
    driver.press("p").press("w d k");
    assert_eq!(place(&driver), places[places.len() - 3]);
}

/// By name, in the filter and in the palette; one with an error is reported.
#[test]
fn saved_queries_are_known_by_their_names() {
    let (_, wrong) = Settings::read("[queries]\nbad = \"(a\"\n");
    assert!(wrong[0].reason.contains("`queries`: the query `bad`: "), "{wrong:?}");
    let (settings, _) = Settings::read("[queries]\n\"two tickets\" = \"arg:num.tickets=two\"\n");
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.app.settings = settings;
    driver.press("F").type_text("two tickets").press("enter");
    driver.shows("Dialogs  1 of 1 · hits").shows("“two tickets”: 1 of 1").press("esc");
    driver.press(":").type_text("two t").shows("search arg:num.tickets=two").press("enter");
    driver.shows("“two tickets”: 1 of 1");
}

#[test]
fn a_name_that_no_dialog_has_is_reported() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("speaker:user label:flying").shows("no dialog has label:flying");
    driver.find("label:date speaker:nobody").shows("no hits").shows_not("no dialog has");
    // While it is typed, the prompt says how it understands a query.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("/").type_text("turns>3 dialog(api:book*)");
    driver.shows("dialogs with turns>3 (of dialogs with turns with a call of book*)");
    driver.press("esc").press("/").type_text("(turns>3").shows("this parenthesis is not closed");
    // Plain text needs no explanation.
    driver.press("esc").press("/").type_text("two tickets").shows_not("that contain");
}

/// A query may find the user's turns that the judged ones answer.
#[test]
fn a_queue_of_users_turns_names_the_query_for_the_answers() {
    for file in ["dbdc/demo_001.log.json", "taskmaster-3.json"] {
        let mut driver = Driver::demo(file, 120, 40);
        driver.judge_beside().find("speaker:user turn>2").press("Q");
        driver.shows("`speaker:user turn>2 next speaker:system` finds the system turns");
        driver.find("speaker:user turn>2 next speaker:system").press("Q").shows("to judge");
    }
}

/// A search, its count by a field, and the rows that are listed.
fn count(driver: &mut Driver, query: &str, field: &str) {
    driver.find(query);
    driver.press("C").type_text(field).press("enter");
}

#[test]
fn values_of_hits_are_counted_and_narrow_the_search() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("api:*").press("C").shows("Fields").shows("speaker").shows("arg:");
    // The beginning of a field with a name, from the list, and then a known name.
    driver.type_text("ar").press("enter").shows("count hits by arg:");
    driver.type_text("name.mov").shows("arg:name.movie");
    // A field that does not exist, and one that no hit has, can be mended.
    driver.press("C-u").type_text("lable").press("enter");
    driver.shows("unknown field \"lable\"").shows("did you mean \"label\"?");
    driver.shows("count hits by lable");
    driver.press("C-u").type_text("arg:nosuch").press("enter");
    driver.shows("none of the hits has arg:nosuch").shows("count hits by arg:nosuch");
    driver.press("esc");
    // As the table on the command line has it.
    count(&mut driver, "api:*", "arg:name.movie");
    let counted = ["--count-by", "arg:name.movie", "--format", "jsonl"];
    let find = [&["find", "api:*", "taskmaster-3.json"], &counted[..]].concat();
    let ran = run_in(&project("assets/demo"), &find, "");
    let rows: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(rows.len() > 2);
    let total: u64 = driver.app.search.count();
    driver.shows(&format!("{total} hits by arg:name.movie: {} values", rows.len() - 1));
    for row in &rows {
        let value = row["value"].as_str().unwrap_or("(no value)");
        driver.shows(&format!("{}  {value}", row["hits"]));
    }
    // Enter narrows the search to the value; part of it is enough to find it.
    let (first, hits) = (rows[0]["value"].as_str().unwrap(), rows[0]["hits"].as_u64());
    driver.type_text(&first.to_lowercase()[..5]).press("enter");
    assert_eq!(Some(driver.app.search.count()), hits);
    let query = driver.app.search.query.as_ref().unwrap().to_string();
    assert_eq!(query, format!("api:* arg:name.movie=\"{first}\""));
    // The hits without a value.
    count(&mut driver, "api:*", "arg:name.movie");
    driver.type_text("no value").press("enter");
    assert_eq!(driver.app.search.query.as_ref().unwrap().to_string(), "api:* not arg:name.movie");
    // Hidden votes are not counted.
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").press("b");
    count(&mut driver, "words>3", "majority");
    driver.shows("majority would reveal others' votes, which are hidden");
    // Names of arguments are offered where they are in a string, too.
    let call = calls(&[("c", "fly", json!({"dest": "Oslo"}))]);
    let chat = chat(&[message("user", "Oslo"), call]);
    let mut driver = Driver::open(&[("chat.jsonl", chat)], 120, 30);
    driver.find("api:*").press("C");
    driver.type_text("arg:").shows("arg:dest").type_text("de").press("enter");
    driver.shows("1 hit by arg:dest").shows("Oslo");
}

/// Each value of each field that is counted is found again by the narrowed search.
#[test]
fn every_value_that_is_counted_is_found() {
    for (name, query, fields) in [
        (
            "taskmaster-3.json",
            "api:*",
            &["api", "speaker", "id", "file", "family", "arg:name.theater", "result:status"][..],
        ),
        ("taskmaster-1.json", "speaker:user", &["label"]),
        (
            "sgd/dialogues_001.json",
            "speaker:user then words>0",
            &["act", "intent", "service", "slot:city", "state:city"],
        ),
        ("dbdc/demo_001.log.json", "speaker:s", &["majority", "annotator"]),
    ] {
        for field in fields {
            let mut driver = Driver::demo(name, 120, 40);
            count(&mut driver, query, field);
            let narrowed = driver.screen();
            assert!(narrowed.contains(&format!("by {field}: ")), "{field}: {narrowed}");
            let mut row = 0;
            loop {
                count(&mut driver, query, field);
                for _ in 0..row {
                    driver.press("down");
                }
                driver.press("enter");
                let query = driver.app.search.query.as_ref().unwrap().to_string();
                assert!(driver.app.search.count() > 0, "{field}: {query}");
                if query.contains(" not ") || row == 3 {
                    break;
                }
                row += 1;
            }
        }
    }
}

/// A report has the dialogs as they are on the screen, and no votes that are hidden.
#[test]
fn a_report_is_written_with_unsaved_edits() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.run("report").shows("a new file; report.html if you type no name").press("enter");
    driver.shows("report of 3 dialogs written to report.html");
    let before = driver.exported.clone();
    assert!(before.starts_with("<!doctype html>"), "{before}");
    assert!(before.contains("name.theater"), "{before}");
    driver.press("right d").run("report").press("enter");
    let count = |page: &str| {
        let rest = page.split("<dt>segments</dt><dd>").nth(1).unwrap();
        rest.split('<').next().unwrap().parse::<u32>().unwrap()
    };
    assert_eq!(count(&driver.exported) + 1, count(&before));
    driver.run("report").type_text("there.html").press("enter");
    driver.shows("the report cannot be written: there.html exists");
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").press("b").run("report");
    driver.shows("a report would reveal others' votes, which are hidden");
}

/// Exported hits are those that `find` prints, with unsaved edits.
#[test]
fn hits_are_exported_as_find_prints_them() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let export = |driver: &mut Driver, query: &str, name: &str| {
        driver.find(query);
        driver.run("hits_to_file").type_text(name).press("enter");
    };
    for query in [
        "two",
        "label:date",
        "in:argument the",
        "arg:name.movie=$m then arg:name.movie=$m",
        "turns>3",
    ] {
        let demo = project("assets/demo");
        let ran = run_in(&demo, &["find", query, "taskmaster-3.json", "--format", "jsonl"], "");
        export(&mut driver, query, "");
        assert!(!ran.out.is_empty(), "{query}");
        assert_eq!(driver.exported, ran.out, "{query}");
        let count = driver.app.search.count();
        let hits = if count == 1 { "1 hit".to_owned() } else { format!("{count} hits") };
        driver.shows(&format!("{hits} exported to hits.jsonl"));
    }
    export(&mut driver, "label:date", "before.jsonl");
    let before = driver.exported.lines().count();
    driver.press("d").shows("●1 unsaved");
    export(&mut driver, "label:date", "after.jsonl");
    assert_eq!(driver.exported.lines().count(), before - 1);
    export(&mut driver, "two", "there.jsonl");
    driver.shows("the hits cannot be exported: there.jsonl exists");
}

#[test]
fn hits_show_the_values_of_variables() {
    let mut driver = Driver::demo("taskmaster-3.json", 220, 40);
    driver.press("/").type_text("arg:a=$m result:b=$m").shows("; $m has the same value throughout");
    driver.press("esc /");
    driver.type_text("arg:name.movie=$m then arg:name.movie=$m").press("enter");
    driver.shows("1 of 7 · $m=The Lodger Below · ").press("H").shows("$m=The Lodger Below · ↳ ");
    // An error while it is typed.
    driver.press("/").type_text("arg:name.movie!=$m").shows("$m: nothing gives $m a value");
    // Two variables with more values than are tried: the list of hits and the report of a hit say so.
    let call = |name: &str, most: usize| {
        let values: Vec<_> = (0..most).collect();
        calls(&[(name, "f", json!({ name: values }))])
    };
    let chat = |most: usize| {
        chat(&[message("user", "Hi"), call("x", most), call("y", most), call("w", 1)])
    };
    let corpus = chat(200) + &chat(3);
    let mut driver = Driver::open(&[("a.jsonl", corpus)], 220, 40);
    driver.find("arg:x=$x then arg:y=$y then arg:w<=$x");
    driver.shows("· not fully searched: 1 dialog with too many values").press("H");
    driver.shows("2 hits in 2 dialogs · not fully searched: 1 dialog with too ma");
}
