//! Columns of the user's choice in the list of dialogs.

use std::path::Path;

use serde_json::{Value, json};
use turnwise::app::settings::Settings;
use turnwise::app::{Msg, session};
use turnwise::corpus::Bytes;

use super::{Driver, demo};
use crate::support::files::indexed;

/// Dialogs of Taskmaster-3's form: most have a reward, one a member inside another.
fn rewarded() -> Vec<(&'static str, String)> {
    let (name, text) = demo("taskmaster-3.json");
    let demo: Vec<Value> = serde_json::from_str(&text).unwrap();
    let rewards = [
        json!({"reward": 0.5, "split": "train"}),
        json!({"info": {"reward": 10}}),
        json!({"split": "a long name that is cut"}),
        json!({"reward": -1.5, "split": "dev"}),
        json!({"reward": "none"}),
        json!({"reward": 9}),
    ];
    let mut dialogs = Vec::new();
    for (number, members) in rewards.into_iter().enumerate() {
        let mut dialog = demo[number % 3].clone();
        dialog["conversation_id"] = json!(format!("dlg-demo-{number}"));
        let all = dialog.as_object_mut().unwrap();
        all.extend(members.as_object().unwrap().clone());
        dialogs.push(dialog);
    }
    vec![(name, serde_json::to_string_pretty(&dialogs).unwrap())]
}

fn with_columns(columns: &str, size: (u16, u16)) -> Driver {
    let files = rewarded();
    let (settings, wrong) = Settings::read(&format!("[list]\ncolumns = {columns}"));
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut driver = Driver::with_settings(&files, settings, size.0, size.1);
    driver.read(0, files[0].1.clone().into_bytes());
    driver
}

/// Two logs that mk judges, with columns.
fn logs(columns: &str) -> Driver {
    let logs = [demo("dbdc/demo_001.log.json"), demo("dbdc/demo_002.log.json")];
    let settings = format!("annotator = \"mk\"\n[list]\ncolumns = {columns}");
    let mut driver = Driver::with_settings(&logs, Settings::read(&settings).0, 120, 40);
    for (file, (_, text)) in logs.into_iter().enumerate() {
        driver.read(file, text.into_bytes());
    }
    driver
}

/// The rows of the list, up to the edge of its pane.
fn rows(driver: &Driver) -> Vec<String> {
    let screen = driver.screen();
    let rows = screen.lines().skip(1).take(7);
    rows.map(|row| row.split('│').next().unwrap().trim_end().to_owned()).collect()
}

#[test]
fn columns_are_aligned_and_ids_whole_where_there_is_room() {
    let driver = with_columns(r#"["reward", "split", "segments"]"#, (200, 30));
    let shown = rows(&driver);
    assert!(shown[0].starts_with(" Dialogs  1 of 6 "), "{shown:#?}");
    let end = |row: &str, text: &str| {
        row.find(text).map(|at| row[..at].chars().count() + text.chars().count())
    };
    let start = |row: &str, text: &str| row.find(text).map(|at| row[..at].chars().count());
    let (reward, split) = (end(&shown[0], "reward"), start(&shown[0], "split"));
    assert!(reward.is_some() && split.is_some(), "{shown:#?}");
    for (row, value) in [(1, " 0.5"), (2, " 10"), (4, " -1.5"), (5, " none"), (6, " 9")] {
        assert_eq!(end(&shown[row], value), reward, "{shown:#?}");
    }
    for (row, value) in [(1, "train"), (3, "a long …t is cut"), (4, "dev")] {
        assert_eq!(start(&shown[row], value), split, "{shown:#?}");
    }
    for number in 0..6 {
        assert!(shown[number + 1].contains(&format!("dlg-demo-{number} ")), "{shown:#?}");
    }
}

#[test]
fn columns_give_way_to_ids_where_there_is_little_room() {
    for size in [(120, 40), (40, 12)] {
        let mut driver = with_columns(r#"["reward", "split", "votes"]"#, size);
        driver.press("f6").shows("dlg-demo-0 ").shows("reward").shows(" 0.5 ");
    }
}

#[test]
fn the_list_is_sorted_by_a_column() {
    let mut driver = with_columns(r#"["reward", "split"]"#, (200, 30));
    let order = |driver: &Driver| -> Vec<String> {
        let rows = rows(driver);
        let digit = |row: &String| row.split("demo-").nth(1)?.chars().next();
        rows.iter().filter_map(digit).map(String::from).collect()
    };
    driver.press("f6 s s s s").shows("sorted by reward");
    // Numbers as numbers, the greatest first; then texts; then dialogs without the member.
    assert_eq!(order(&driver).concat(), "150342");
    driver.shows("↓reward");
    // In the other direction, dialogs without the member are last, too.
    driver.press("r").shows("sorted by reward, backwards").shows("↑reward");
    assert_eq!(order(&driver).concat(), "430512");
    driver.press("s").shows("sorted by split");
    assert_eq!(order(&driver).concat(), "230145");
    // The next session has the order too, unless the column is gone.
    let session = session::session(&driver.app);
    let text = toml::to_string(&session).unwrap();
    let session: turnwise::app::Session = toml::from_str(&text).unwrap();
    let mut again = with_columns(r#"["reward", "split"]"#, (200, 30));
    session::restore(&mut again.app, session.clone());
    again.app.panes.list.rebuild(&again.app.workspace.files);
    assert_eq!(order(&again).concat(), "230145");
    let mut other = with_columns(r#"["reward"]"#, (200, 30));
    session::restore(&mut other.app, session);
    other.app.panes.list.rebuild(&other.app.workspace.files);
    assert_eq!(order(&other).concat(), "012345");
    driver.press("s").shows("sorted by file order");
}

#[test]
fn votes_are_counted_from_logs_and_with_each_vote() {
    let mut driver = logs(r#"["votes"]"#);
    driver.shows("votes").shows(" 300 ");
    driver.press("o").shows(" 301 ").press("u").shows(" 300 ");
    // A blind annotator sees where they have voted themselves, but not others.
    driver.press("o").shows(" 301 ");
    let own = |driver: &Driver| {
        let line = driver.screen().lines().nth(2).unwrap_or_default().to_owned();
        line.split('│').next().unwrap_or_default().contains(" 1 ")
    };
    assert!(!own(&driver), "{}", driver.screen());
    driver.press("b").shows_not(" 301 ");
    assert!(own(&driver), "{}", driver.screen());
    // Votes beside a corpus count, too.
    let files = rewarded();
    let (settings, _) = Settings::read("annotator = \"mk\"\n[list]\ncolumns = [\"votes\"]");
    let mut driver = Driver::with_settings(&files, settings, 120, 40);
    driver.app.workspace.files.logs.folders = vec![Path::new("/corpora/votes").into()];
    driver.read(0, files[0].1.clone().into_bytes());
    driver.press("V");
    let votes =
        |driver: &Driver| driver.app.workspace.files.column(super::at(0, 0), 0, None).to_string();
    assert_eq!(votes(&driver), "0");
    driver.press("j o o x");
    assert_eq!(votes(&driver), "3");
    driver.press("u");
    assert_eq!(votes(&driver), "2");
}

/// Values are there for the dialogs on the screen, before the rest is read.
#[test]
fn values_fill_in_as_dialogs_are_read() {
    let files = rewarded();
    let (settings, _) = Settings::read("[list]\ncolumns = [\"reward\"]");
    let mut driver = Driver::with_settings(&files, settings, 120, 40);
    let bytes = files[0].1.clone().into_bytes();
    let index = Box::new(indexed(&bytes));
    let bytes = Bytes::from(bytes);
    // Nothing but the message is handled: no job reads the file.
    driver.app.update(Msg::Opened { file: 0, bytes, index, complete: true });
    driver.shows(" 0.5 ").shows(" -1.5 ");
}

#[test]
fn a_column_that_no_dialog_has_is_reported() {
    let files = rewarded();
    let text = "[list]\ncolumns = [\n  \"reward\",\n  \"rewrd\",\n]\n";
    let (settings, wrong) = Settings::read(text);
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut driver = Driver::with_settings(&files, settings, 120, 40);
    driver.read(0, files[0].1.clone().into_bytes());
    driver.shows("no dialog has a member for this column of the list: `rewrd`");
    driver.press("j").shows_not("rewrd`");
}

/// The order of the dialogs would tell how many votes they have.
#[test]
fn a_blind_judge_cannot_sort_by_votes() {
    let judge = || logs(r#"["votes", "segments"]"#);
    let mut driver = judge();
    driver.press("b f6 s s s s").shows("sorted by segments").shows("sorting by votes would");
    driver.press("s").shows("sorted by file order");
    // An order that is there when the votes are hidden ends.
    let mut driver = judge();
    driver.press("f6 s s s s").shows("sorted by votes");
    let left = session::session(&driver.app);
    driver.press("w t b").shows("the list is in file order").shows("sorting by votes would");
    // So does that of the last session, of an annotator who is blind from the start.
    let mut next = judge();
    next.app.judging.blind = turnwise::app::Blind::Always;
    session::restore(&mut next.app, left);
    next.press("f6").shows_not("↓votes");
    next.press("s").shows("sorted by id");
}

/// A member with the name of a total is shown where there is no such total.
#[test]
fn totals_of_sessions_are_columns() {
    let said = |id: &str, kind: &str, time: &str, message: &Value| {
        json!({"type": kind, "sessionId": id, "timestamp": format!("2026-01-02T{time}Z"), "message": message})
            .to_string()
    };
    let asked = json!({"role": "user", "content": "wind?"});
    let answered = |read: u32, written: u32| {
        json!({
            "role": "assistant", "id": "m1", "model": "gust-2", "content": [{"type": "text", "text": "calm"}],
            "usage": {"input_tokens": read, "output_tokens": written},
        })
    };
    let session = |id: &str, end: &str, read: u32| {
        let lines =
            [said(id, "user", "09:00:00", &asked), said(id, "assistant", end, &answered(read, 7))];
        lines.join("\n") + "\n"
    };
    let files =
        [("a.jsonl", session("s-1", "09:12:30", 20)), ("b.jsonl", session("s-2", "10:40:00", 3))];
    let (settings, wrong) =
        Settings::read("[list]\ncolumns = [\"minutes\", \"tokens\", \"model\"]");
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut driver = Driver::with_settings(&files, settings, 160, 40);
    for (file, (_, text)) in files.into_iter().enumerate() {
        driver.read(file, text.into_bytes());
    }
    let values = |dialog: usize| {
        let at = super::at(dialog, 0);
        let of = |column| driver.app.workspace.files.column(at, column, None).to_string();
        [0, 1, 2].map(of)
    };
    assert_eq!(values(0), ["12", "27", "gust-2"]);
    assert_eq!(values(1), ["100", "10", "gust-2"]);
}
