//! The work of several annotators on the screen, by keys.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use turnwise::app::{Blind, Effect, Msg};
use turnwise::judging::{Assignments, Scheme};
use turnwise::workspace::FoundLog;

use crate::browse::{Driver, demo};

const TASKS: &str = "taskmaster-3.json";

fn verdict(by: &str, dialog: u32, value: &str, seconds: u32) -> Value {
    json!({
        "dialog": format!("dlg-demo-tm3-0{dialog}"),
        "scheme": "success",
        "question": "verdict",
        "value": value,
        // A failure is found at its turn.
        "at": (value == "fail").then_some(3),
        "by": by,
        "when": format!("2026-11-0{dialog}T10:00:00Z"),
        "seconds": seconds,
    })
}

/// Three dialogs, of which mk judged three, js two and lead one; new only has a list.
pub fn team() -> Driver {
    let note = json!({"dialog": "dlg-demo-tm3-01", "turn": 1, "note": "odd", "by": "mk"});
    let mk = [("pass", 10), ("fail", 20), ("pass", 60)];
    let mk = (1..).zip(mk).map(|(dialog, (value, seconds))| verdict("mk", dialog, value, seconds));
    let files = [
        ("mk", mk.chain([note]).collect()),
        ("js", vec![verdict("js", 1, "pass", 5), verdict("js", 2, "pass", 7)]),
        ("lead", vec![verdict("lead", 2, "fail", 9)]),
    ];
    let texts = files.map(|(by, lines)| {
        let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
        let lines = lines.join("\n");
        (format!("judgements/{by}.jsonl"), lines)
    });
    let (name, corpus) = demo(TASKS);
    let mut all = vec![(name, corpus)];
    all.extend(texts.iter().map(|(name, text)| (name.as_str(), text.clone())));
    let mut driver = Driver::unopened(&all, 120, 40);
    driver.judge_as("mk");
    driver.app.judging.scheme = Arc::new(Scheme::bundled("success").unwrap());
    driver.app.workspace.files.logs.judgements.folders = vec![Path::new("judgements").into()];
    for (number, (name, _)) in texts.iter().enumerate() {
        driver.app.workspace.files.expect_log(FoundLog {
            file: number + 1,
            place: PathBuf::from(name),
            new: false,
            named: false,
        });
    }
    let mut assignments = Assignments::default();
    let line =
        |dialog: u32| format!("{{\"file\":\"{TASKS}\",\"dialog\":\"dlg-demo-tm3-0{dialog}\"}}\n");
    assignments.add("js", &[line(1), line(2), line(3)].concat());
    assignments.add("new", &line(1));
    driver.app.judging.assignments = Arc::new(assignments);
    for (file, (_, text)) in all.into_iter().enumerate() {
        driver.read(file, text.into_bytes());
    }
    driver.press("esc V");
    driver
}

fn show(driver: &mut Driver) {
    driver.run("team");
}

/// Others judge while the program is open: their files are read again without a question.
#[test]
fn what_others_answer_meanwhile_is_counted() {
    let mut driver = team();
    let (file, saving) = (2, false);
    let effects = driver.app.update(Msg::Changed { file, saving });
    assert!(effects.contains(&Effect::Reload { file }), "{effects:?}");
    let lines = [1, 2, 3].map(|dialog| verdict("js", dialog, "pass", 5).to_string() + "\n");
    driver.reload(file, lines.concat());
    show(&mut driver);
    driver.shows("js            3         3        3");
}

/// The searches that are printed lead to the disagreements.
#[test]
fn the_searches_find_the_disagreements() {
    let mut driver = team();
    show(&mut driver);
    driver.press("q");
    let query =
        "dialog(by:=\"js\" question:=\"verdict\"=$value) dialog(question:=\"verdict\"!=$value)";
    driver.find(query).shows("1 of 1");
    assert_eq!(driver.app.panes.transcript.dialog.id, "dlg-demo-tm3-02");
    // It is where one of them found a failure, also if the others point to no turn.
    driver.shows("turn 3 ·");
}

#[test]
fn the_blind_do_not_see_the_work_of_others() {
    let mut driver = team();
    driver.press("esc b");
    show(&mut driver);
    driver.shows("would reveal others' votes, which are hidden");
    driver.app.judging.blind = Blind::No;
    show(&mut driver);
    driver.shows("agrees with");
}

#[test]
fn votes_are_work_too() {
    let mut driver = Driver::demo("dbdc/demo_001.log.json", 120, 40);
    driver.judge_as("mk").press("x");
    show(&mut driver);
    driver.shows("breakdown").shows("1 dialog").press("G").shows("/annotator:=\"mk\" entropy>0");
    driver.press("q").run("show_charts").shows("system").shows("turn");
}
