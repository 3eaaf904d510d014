//! Answers to the questions of a scheme, notes and tags, by keys.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use turnwise::app::{Blind, Msg, SchemeFrom};
use turnwise::dialog::{Answer, Breakdown, Detection, Edit, Judgement, Place};
use turnwise::judging::{Assignments, Scheme};
use turnwise::workspace::{DialogId, QueueJudge, QueueKind, to_judge};

use crate::browse::{Driver, demo};
use crate::support::files::open;

/// Demo dialogs that mk judges by a scheme.
pub fn judging(file: &str, scheme: &str) -> Driver {
    judging_by(file, Scheme::bundled(scheme).unwrap())
}

fn judging_by(file: &str, scheme: Scheme) -> Driver {
    let mut driver = Driver::open(&[demo(file)], 120, 40);
    driver.judge_as("mk").app.judging.scheme = Arc::new(scheme);
    driver.app.workspace.files.logs.judgements.folders = vec![Path::new("judgements").into()];
    driver.press("esc V");
    driver
}

/// The answers of mk, notes among them as null, in the order of the file.
fn values(driver: &Driver) -> Value {
    lines(driver).iter().map(|line| line["value"].clone()).collect()
}

/// The judgements of mk, as their file is saved or would be.
pub fn lines(driver: &Driver) -> Vec<Value> {
    lines_of(driver, 1)
}

/// Those of another file.
pub fn lines_of(driver: &Driver, file: usize) -> Vec<Value> {
    let text = String::from_utf8(driver.bytes(file)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The tags of the judgements, each list as it is answered or beside a note.
pub fn tags(driver: &Driver) -> Value {
    let lists =
        lines(driver).into_iter().flat_map(|line| [line["value"].clone(), line["tags"].clone()]);
    lists.filter(Value::is_array).collect()
}

#[test]
fn a_verdict_is_one_key_and_leads_to_the_next_dialog() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.shows("o pass  x fail  t defer");
    driver.shows("judged 0/3 dialogs").shows_not("a type");
    driver.press("5 g x").shows("  2 of 3").shows("verdict: fail");
    driver.press("o").shows("  3 of 3");
    let said = lines(&driver);
    assert_eq!(said.len(), 2);
    assert_eq!(said[0]["dialog"], "dlg-demo-tm3-01");
    assert_eq!((&said[0]["value"], &said[0]["at"]), (&"fail".into(), &5.into()));
    assert_eq!((&said[1]["value"], said[1].get("at")), (&"pass".into(), None));
    assert_eq!((&said[0]["by"], &said[0]["file"]), (&"mk".into(), &"taskmaster-3.json".into()));
    // The answer is under the turn that it points to, and its key has a mark.
    driver.press("K K").shows("mk  verdict fail at turn 5").shows("x fail ✓");
    driver.press("u u").shows_not("fail ✓");
    assert_eq!(driver.bytes(1), b"");
    driver.press("C-r");
    assert_eq!(lines(&driver).len(), 1);
    // The corpus has not changed.
    let (_, text) = demo("taskmaster-3.json");
    assert_eq!(driver.bytes(0), text.as_bytes());
}

#[test]
fn a_changed_answer_replaces_the_earlier_one_and_can_be_withdrawn() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("o K t K");
    assert_eq!(values(&driver), json!(["defer"]));
    driver.press("backspace").shows("verdict on the dialog withdrawn");
    assert_eq!(driver.bytes(1), b"");
    driver.press("backspace").shows("you have not answered any question here");
}

#[test]
fn tags_are_asked_after_a_failure_and_offered_again() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver.press("3 g x").shows("Which failures are these?").shows("no tags have been used yet");
    driver.type_text("invented-time #skipped").press("enter").shows("  2 of 3");
    driver.press("x").shows("invented-time").shows("skipped");
    driver.type_text("inv").press("down enter");
    assert_eq!(tags(&driver), json!([["invented-time", "skipped"], ["invented-time"]]));
    // The verdict is kept without a tag.
    driver.press("x esc").shows("queue done");
    assert_eq!(lines(&driver).len(), 5);
}

#[test]
fn spellings_of_a_tag_are_one_and_spaces_become_hyphens() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver
        .press("3 g x")
        .shows("tags separate tags with commas")
        .type_text("Wrong date, slow")
        .press("enter")
        .shows("spaces in tags became hyphens");
    driver.press("3 g x").type_text("WRONG-DATE").press("enter").shows_not("hyphens");
    driver.press("c").type_text("#wrong-date").press("enter");
    assert_eq!(tags(&driver), json!([["Wrong-date", "slow"], ["Wrong-date"], ["Wrong-date"]]));
    // The most used spelling is offered, once.
    driver
        .press("3 g x")
        .shows("Wrong-date")
        .shows_not("wrong-date")
        .type_text("sl, wrong d")
        .press("down enter");
    let last = json!(["sl", "Wrong-date"]);
    assert!(lines(&driver).iter().any(|line| line["value"] == last));
}

#[test]
fn unicode_forms_of_a_tag_are_offered_as_one() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver.press("3 g x").type_text("Größe").press("enter");
    driver.press("x").type_text("gro\u{308}").shows("Größe").press("down enter");
    driver.press("x").type_text("GRO\u{308}ße").press("enter");
    assert_eq!(tags(&driver), json!([["Größe"], ["Größe"], ["Größe"]]));
}

#[test]
fn a_scale_of_digits_leads_from_turn_to_turn() {
    let mut driver = judging("taskmaster-3.json", "quality");
    driver
        .press("1 g")
        .shows("1 useless")
        .press("4")
        .shows("quality: 4 on turn 1")
        .shows("turn 3 ·");
    driver.press("2").shows("judged 2/");
    assert_eq!(values(&driver), json!([4, 2]));
    // On a user's turn a digit is a count.
    driver.press("home 2 j").shows("turn 2 ·");
    driver.press("o").shows("not from the scheme `breakdown`");
}

/// Questions about turns and their segments, two with the same keys.
const PARTS: &str = r#"
    [[question]]
    name = "polite"
    of = "turn"
    kind = "yes-no"

    [[question]]
    name = "helpful"
    of = "turn"
    kind = "yes-no"

    [[question]]
    name = "right"
    of = "segment"
    kind = "choice"
    values = [{ name = "right", key = "1" }, { name = "wrong", key = "2" }]
"#;

fn judging_parts() -> Driver {
    judging_parts_and("")
}

/// Asks more questions, too.
fn judging_parts_and(more: &str) -> Driver {
    judging_by("taskmaster-1.json", Scheme::read(&[PARTS, more].concat(), "parts").unwrap())
}

/// A member of each answer, and its value.
fn told(driver: &Driver, member: &str) -> String {
    let of = |line: &Value| format!("{} {}", line[member], line["value"]);
    lines(driver).iter().map(of).collect::<Vec<_>>().join(", ").replace('"', "")
}

#[test]
fn questions_with_the_same_keys_are_answered_in_their_order() {
    let mut driver = judging_parts();
    driver.press("9 g").shows("y polite: yes  n no · 1 more");
    driver.press("y").shows("polite: yes on turn 9").shows("y helpful: yes");
    driver.press("n").shows("helpful: no on turn 9").shows("turn 10 ·");
    assert_eq!(told(&driver, "question"), "helpful false, polite true");
    // Where all are answered, a key does not guess which it changes.
    driver.press("9 g n").shows("all questions with this key are already answered");
    // The one that was given last is withdrawn first.
    driver
        .press("backspace")
        .shows("helpful on turn 9 withdrawn")
        .press("backspace")
        .shows("polite on turn 9 withdrawn");
    driver.press("n").shows("polite: no on turn 9");
    assert_eq!(told(&driver, "question"), "polite false");
}

/// Seven answers, none of which has room for its whole word.
#[test]
fn answers_are_cut_to_what_fits() {
    let faults = r#"
        [[question]]
        name = "fault"
        of = "turn"
        kind = "choice"
        values = [
            { name = "undecided", key = "1" }, { name = "irrelevant", key = "2" },
            { name = "repetitive", key = "3" }, { name = "incoherent", key = "4" },
            { name = "offensive", key = "5" }, { name = "misleading", key = "6" },
            { name = "acceptable", key = "7" },
        ]
    "#;
    let mut driver = judging_by("taskmaster-1.json", Scheme::read(faults, "faults").unwrap());
    driver.app.panes.size.width = 80;
    driver.press("1 g").shows("1 undeci…").shows("7 accept…");
}

#[test]
fn what_follows_an_answer_that_led_nowhere_is_about_it() {
    let mut driver = judging_parts();
    // The answers of turn 4 lead on to turn 5, where one of two questions is answered.
    driver.press("4 g 1 2").shows("turn 5 ·");
    driver
        .press("y")
        .shows("polite: yes on turn 5")
        .press("backspace")
        .shows("polite on turn 5 withdrawn")
        .shows("turn 5 ·");
    driver.press("y c").shows("Your note on turn 5");
}

#[test]
fn tags_are_asked_while_questions_about_the_turn_are_open() {
    let of_dialog = r#"
        [[question]]
        name = "verdict"
        of = "dialog"
        kind = "choice"
        values = [{ name = "pass", key = "o" }, { name = "fail", key = "x", turn = true }]

        [[question]]
        name = "code"
        text = "Which failures are these?"
        of = "dialog"
        for = "verdict:fail"
        kind = "tags"
    "#;
    let mut driver = judging_parts_and(of_dialog);
    driver.press("9 g x").shows("Which failures are these?");
    driver.type_text("loop").press("enter");
    driver.shows("turn 9 ·").shows("y polite: yes");
    // A tag on offer is put into the line, where the text goes on.
    driver.press("J 9 g x").type_text("lo").press("down");
    driver.shows("tags loop").type_text(", slow").press("enter");
    assert_eq!(values(&driver), json!([["loop"], "fail", ["loop", "slow"], "fail"]));
}

#[test]
fn an_answer_about_the_dialog_leaves_what_is_asked_about_the_turn() {
    let of_dialog = r#"
        [[question]]
        name = "outcome"
        of = "dialog"
        kind = "choice"
        values = [{ name = "good", key = "+" }, { name = "bad", key = "-", turn = true }]

        [[question]]
        name = "remark"
        of = "turn"
        kind = "text"
    "#;
    let mut driver = judging_parts_and(of_dialog);
    driver.press("9 g -").shows("outcome: bad on the dialog, at turn 9");
    driver.shows("turn 9 ·").shows("y polite: yes");
    driver.press("1 g -").shows("outcome: bad on the dialog, at turn 1 (was bad, at turn 9)");
    // It is withdrawn where it points to.
    driver.press("3 g backspace").shows("you have not answered any question here");
    driver.press("k k backspace").shows("outcome on the dialog withdrawn");
    // What is typed may be left empty, and then leads on.
    driver.press("9 g y n").shows("remark").press("esc").shows("turn 10 ·");
}

#[test]
fn segments_are_judged_one_after_the_other_or_as_they_are_selected() {
    let mut driver = judging_parts();
    // A user's turn with two segments.
    driver.press("4 g").shows("1 right «five»: right  2 wrong · 1 more");
    driver.press("1").shows("turn 4 ·").shows("1 right «7:30 pm»: right");
    driver.press("2").shows("turn 5 ·");
    assert_eq!(told(&driver, "quote"), "five right, 7:30 pm wrong");
    driver.press("4 g right right 1");
    assert_eq!(told(&driver, "quote"), "five right, 7:30 pm right");
}

#[test]
fn the_next_question_is_named_in_full_where_there_is_no_room_for_all() {
    let mut driver = judging_parts();
    driver.tell(Msg::Resize((80, 24).into()));
    driver.press("9 g j j").shows("y polite: yes  n no  1 right «9 pm»: right  2 wrong · 4 more");
    driver.tell(Msg::Resize((60, 24).into()));
    driver.shows("y polite: yes  n no · 5 more");
    driver.tell(Msg::Resize((40, 24).into()));
    driver.shows("y yes  n no");
}

#[test]
fn the_question_that_is_asked_now_is_above_the_keys() {
    let asked = "of = \"turn\"\ntext = \"Would a clerk behind a counter say it like this to somebody who waits?\"";
    let remark = r#"
        [[question]]
        name = "remark"
        text = "In a sentence?"
        of = "dialog"
        kind = "text"
    "#;
    let text = PARTS.replacen("of = \"turn\"", asked, 1) + remark;
    let mut driver = judging_by("taskmaster-1.json", Scheme::read(&text, "parts").unwrap());
    let above = |driver: &Driver| {
        let screen = driver.screen();
        let mut rows = screen.lines().rev().skip(1);
        rows.next().unwrap_or_default().trim().to_owned()
    };
    driver.press("9 g");
    let polite = "polite  Would a clerk behind a counter say it like this to somebody who waits?";
    assert_eq!(above(&driver), polite);
    // A message does not cover the next one, and a window that covers it takes its keys, too.
    driver.press("y").shows("polite: yes on turn 9");
    assert_eq!(above(&driver), "helpful");
    driver.press("?");
    assert!(!above(&driver).contains("helpful"));
    driver.press("esc 1 g y n home j").shows("type remark");
    assert_eq!(above(&driver), "remark  In a sentence? · a to type");
    for (size, shown) in [
        ((80, 24), polite),
        ((60, 24), "polite  Would a clerk behind a counter say it like this to…"),
        ((40, 12), "polite  Would a clerk behind a counter…"),
    ] {
        driver.tell(Msg::Resize(size.into()));
        driver.press("7 g");
        assert_eq!(above(&driver), shown);
    }
    // A low screen has room for turns instead.
    driver.tell(Msg::Resize((40, 11).into()));
    assert!(!above(&driver).contains("polite"));
}

#[test]
fn the_help_and_the_menu_list_the_answers_of_the_scheme() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver
        .press("?")
        .shows("Answers: error-analysis")
        .shows("verdict  Did the assistant do its job?")
        .shows("x                       fail: no; answer at the first failure")
        .shows("a                       type tags, separated by commas");
    // Where their keys do not work, they are not listed.
    driver.press("esc tab ?").shows_not("Answers:");
    driver.press("esc esc ;").shows("▸ verdict: pass");
    driver.type_text("fail").shows("▸ verdict: fail");
    driver.press("enter").shows("Which failures are these?");
    assert_eq!(lines(&driver)[0]["value"], "fail");
    // Votes have commands of their own.
    let mut driver = judging("taskmaster-3.json", "breakdown");
    driver.press("?").shows_not("Answers:");
}

#[test]
fn a_note_is_on_what_is_selected_and_its_tags_are_found_again() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("1 g c").shows("Your note on turn 1");
    driver.type_text("It ignores the 12. #wrong-theater!").press("enter");
    driver.shows("mk  It ignores the 12. #wrong-theater!");
    driver
        .press("l c")
        .shows("Your note on the segment in turn 1")
        .type_text("old name")
        .press("enter");
    let said = lines(&driver);
    assert_eq!((&said[0]["turn"], &said[0]["tags"][0]), (&1.into(), &"wrong-theater".into()));
    assert_eq!((&said[1]["quote"], &said[1]["span"][0]), (&"The Grand 16".into(), &44.into()));
    // An emptied note is gone.
    driver.press("1 g c home C-k enter");
    assert_eq!(lines(&driver).len(), 1, "{}", driver.screen());
    // Notes need no judging.
    driver.press("esc V 2 g c").type_text("Read this again").press("enter");
    driver.shows("Read this again");
    assert_eq!(lines(&driver)[1]["note"], "Read this again");
}

#[test]
fn an_answer_to_a_text_that_has_changed_is_open_again() {
    let mut driver = judging("taskmaster-3.json", "quality");
    driver.press("home j 4").shows("judged 1/23").press("home j e");
    driver.type_text("!").press("enter").shows("judged 0/23");
    driver.press("home j . .").shows("the judged text has changed");
    assert_eq!(lines(&driver)[0]["value"], 4);
    // The message names the answer to the former text, which can be undone.
    driver
        .press("2")
        .shows("judged 1/23")
        .shows("quality: 2 on turn 1 (was 4, about an earlier text: «");
    assert_eq!(lines(&driver).len(), 1);
    driver.press("u");
    assert_eq!(lines(&driver)[0]["value"], 4);
}

#[test]
fn answers_of_a_scheme_that_had_another_name_are_left_out_with_a_message() {
    let mut driver = judging("taskmaster-3.json", "quality");
    driver.press("home j 4");
    let renamed = Scheme { name: "value".to_owned(), ..Scheme::bundled("success").unwrap() };
    driver.app.judging.scheme = Arc::new(renamed);
    driver.press("V V").shows_not("left out");
    let said = String::from_utf8(driver.bytes(1)).unwrap();
    let said = said.replace("\"quality\",\"value", "\"question\",\"value");
    driver.read(1, said.replace("\"quality\"", "\"old\"").into_bytes());
    driver
        .press("V V")
        .shows("judged 0/3")
        .shows("skipped 1 answer: no scheme here is called \"old\"");
}

#[test]
fn an_annotator_is_led_through_the_dialogs_assigned_to_them() {
    let mut driver = judging("taskmaster-3.json", "success");
    let mut assignments = Assignments::default();
    let line = r#"{"file":"taskmaster-3.json","dialog":"dlg-demo-tm3-03"}"#;
    assert_eq!(assignments.add("mk", line), 0);
    driver.app.judging.assignments = Arc::new(assignments);
    driver.press("V V").shows("judged 0/1 dialogs").press("space").shows("  3 of 3");
    // Nothing is assigned to js, who judges all.
    driver.run("annotator").press("home C-k");
    driver.type_text("js").press("enter").shows("judged 0/3 dialogs");
}

#[test]
fn tags_of_a_failure_go_with_it() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver.press("3 g x").type_text("slow").press("enter K");
    assert_eq!(lines(&driver)[0]["at"], 3, "tags are found where it failed");
    driver.press("o").shows("verdict: pass on the dialog (was fail, at turn 3) · code withdrawn");
    let said = lines(&driver);
    assert_eq!((said.len(), &said[0]["value"]), (1, &"pass".into()));
    assert_eq!(said[0].get("at"), None, "it failed nowhere");
    driver.press("u");
    assert_eq!(lines(&driver).len(), 2, "one step");
}

/// A file of judgements is found by its name in any case, as some file systems ignore it: nobody's answer replaces
/// another's.
#[test]
fn an_answer_leaves_those_of_others_in_its_file() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.judge_as("MK").press("x");
    driver.judge_as("mk").press("home esc V V").press("o");
    assert!(driver.app.workspace.files.name(1).eq_ignore_ascii_case("judgements/mk.jsonl"));
    let said = lines(&driver);
    let of = |by: &str| said.iter().find(|line| line["by"] == by).map(|line| &line["value"]);
    assert_eq!((of("MK"), of("mk")), (Some(&"fail".into()), Some(&"pass".into())), "{said:?}");
    assert_eq!(said.len(), 2);
}

#[test]
fn a_dialog_that_is_judged_as_a_whole_opens_where_reading_begins() {
    let mut driver = judging("messages.jsonl", "success");
    driver.press("o").shows("  2 of");
    let transcript = &driver.app.panes.transcript;
    let first = transcript.dialog.turns.iter().position(turnwise::dialog::Turn::is_judgeable);
    assert_eq!(Some(transcript.turn), first);
}

const TYPED: &str = r#"
[[question]]
name = "topics"
text = "Topics?"
of = "dialog"
kind = "tags"

[[question]]
name = "summary"
text = "A sentence?"
of = "dialog"
kind = "text"
"#;

#[test]
fn each_answer_that_is_typed_can_be_reached_again() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.app.judging.scheme = Arc::new(Scheme::read(TYPED, "typed").unwrap());
    driver.press("V V a").shows("Topics?").type_text("film").press("enter");
    driver.shows("A sentence?").type_text("They book.").press("enter");
    driver.press("K").shows("  1 of 3");
    for question in ["Topics?", "A sentence?", "Topics?"] {
        driver.press("a").shows(question).press("esc");
    }
}

#[test]
fn a_text_is_found_in_notes() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("3 g c").type_text("Never confirmed; see #late").press("enter");
    driver
        .press("home")
        .find("confirmed; see")
        .shows("turn 3 ·")
        .shows("Answers")
        .shows("1 in 1 dialog")
        .press("H")
        .shows("mk: Never confirmed");
    // Another's note is hidden from a blind judge.
    driver.judge_as("js");
    driver.app.judging.blind = Blind::Yes;
    driver.press("esc esc").find("confirmed; see").shows("no hits");
}

#[test]
fn questions_and_tags_are_offered_in_searches_and_counts() {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    driver.press("3 g x").type_text("late, rude").press("enter");
    driver.press("/").type_text("question:").shows("verdict").shows("code");
    driver.press("C-k").press("esc /").type_text("tag:la").shows("late").shows_not("│  rude");
    driver.press("esc").find("verdict:fail").press("C");
    driver.type_text("question:").shows("question:verdict").shows("question:code");
}

#[test]
fn a_note_right_after_an_answer_is_about_what_was_judged() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("5 g x").shows("  2 of 3").press("c").shows("Your note on turn 5");
    driver.type_text("a full stop").press("enter").shows("  2 of 3");
    let said = lines(&driver);
    assert_eq!((&said[1]["turn"], &said[1]["dialog"]), (&5.into(), &"dlg-demo-tm3-01".into()));
}

#[test]
fn a_broken_scheme_lets_nobody_vote() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.app.judging.scheme = Arc::default();
    driver.app.judging.scheme_from = SchemeFrom::Nowhere;
    driver.app.cannot_use("line 7: no key".to_owned());
    driver
        .press("home j o")
        .shows("the scheme beside the corpus cannot be used; the help says why");
    driver.press("?").shows("Cannot be used").shows("line 7: no key").press("esc");
    assert_eq!(driver.app.workspace.files.len(), 1);
}

#[test]
fn an_answer_asks_for_the_annotator_first() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.app.judging.annotator.clear();
    driver
        .press("o")
        .shows("Before your first answer")
        .shows("stored with your answers")
        .type_text("js")
        .press("enter")
        .shows("judged 1/3 dialogs");
    assert_eq!(lines(&driver)[0]["by"], "js");
    // A note goes on as well.
    driver.app.judging.annotator.clear();
    driver
        .press("2 g c")
        .shows("Before your first note")
        .type_text("js")
        .press("enter")
        .shows("Your note on turn 2");
}

#[test]
fn others_judgements_are_hidden_while_blind() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("3 g x K");
    driver.judge_as("js");
    driver.app.judging.blind = Blind::Yes;
    driver.press("esc").shows("blind");
    driver.shows_not("mk  verdict");
    driver.press("2 g t K").shows("mk  verdict fail at turn 3");
}

#[test]
fn answers_tell_when_they_were_given_and_how_long_they_took() {
    let mut driver = judging("taskmaster-3.json", "quality");
    let clock = |driver: &mut Driver, seconds: u64| {
        driver.tell(Msg::Now(Duration::from_secs(seconds)));
        driver.tell(Msg::Utc(1_772_323_190 + seconds));
    };
    clock(&mut driver, 1);
    driver.press("home j");
    clock(&mut driver, 9);
    driver.press("4");
    clock(&mut driver, 10);
    driver.press("2");
    clock(&mut driver, 10 + 601);
    driver.press("3");
    let said = lines(&driver);
    let times: Vec<_> =
        said.iter().map(|line| (line["when"].as_str().unwrap(), line.get("seconds"))).collect();
    assert_eq!(
        times,
        [
            ("2026-02-28T23:59:59Z", Some(&8.into())),
            ("2026-03-01T00:00:00Z", Some(&1.into())),
            ("2026-03-01T00:10:01Z", None),
        ]
    );
    // Who says the same again changes nothing, whenever that is.
    clock(&mut driver, 700);
    driver.press("home j 4");
    assert_eq!(lines(&driver), said);
    driver.press("home j");
    clock(&mut driver, 705);
    driver.press("1");
    let changed = &lines(&driver)[0];
    assert_eq!((&changed["value"], &changed["seconds"]), (&1.into(), &5.into()));
}

#[test]
fn the_time_of_a_verdict_is_that_of_its_dialog() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.tell(Msg::Utc(0));
    driver.press("2 g");
    driver.tell(Msg::Now(Duration::from_secs(30)));
    driver.press("5 g");
    driver.tell(Msg::Now(Duration::from_secs(40)));
    driver.press("x");
    assert_eq!(lines(&driver)[0]["seconds"], 40);
}

#[test]
fn a_models_judgements_are_hidden_until_the_question_is_answered() {
    let mut driver = judging("taskmaster-3.json", "success");
    let by_model = Judgement {
        scheme: "success".to_owned(),
        question: "verdict".to_owned(),
        value: Some(Answer::Text("fail".to_owned())),
        at: Some(3),
        run: Some("r".to_owned()),
        ..driver.app.workspace.files.new_judgement(
            DialogId::new(0, 0),
            &driver.app.panes.transcript.dialog,
            Place::DIALOG,
            "model:r",
        )
    };
    let edit = Edit::Judge { judgement: Box::new(by_model) };
    assert!(driver.app.edit(&edit, String::new()));
    driver.press("esc").shows_not("model:r  verdict");
    driver.find("verdict:fail").shows("no hits");
    driver.press("esc 2 g o K").shows("model:r  verdict fail");
    // Those who do not judge see them, and who decides does.
    driver.press("backspace").shows_not("model:r  verdict");
    driver.press("V").shows("model:r  verdict fail");
}

#[test]
fn judgements_are_saved_in_a_pause() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.app.settings.autosave = turnwise::app::settings::Autosave::Votes;
    driver.press("o").shows("unsaved");
    driver.tell(Msg::Pause);
    driver.shows_not("unsaved");
    driver.press("t").shows("unsaved");
}

#[test]
fn queues_by_disagreement_are_for_any_question() {
    let mut driver = judging("taskmaster-3.json", "success");
    // The answers of others in the first two dialogs.
    for (by, second) in [("js", "o"), ("kk", "x")] {
        driver.judge_as(by).press("esc f6 g enter o f6 g j enter").press(second);
    }
    driver.judge_as("mk").press("esc");
    driver.run("queue_ties").shows("1 to judge").shows("  2 of 3").shows("judged 0/1");
    driver.run("queue_entropy").shows("2 to judge").shows("  2 of 3");
}

#[test]
fn found_dialogs_are_queued_wherever_the_hit_is() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("5 g");
    let text: String =
        driver.app.panes.transcript.current().unwrap().text.chars().take(12).collect();
    driver.find(&text).press("Q").shows("judged 0/1");
}

#[test]
fn an_adjudicator_decides_any_question_apart_from_the_answers_of_people() {
    let mut driver = judging("taskmaster-3.json", "success");
    driver.press("x o").shows("judged 2/3 dialogs");
    let people = driver.bytes(1);
    // Own answers are shown and counted beside those of some annotators.
    driver.app.judging.only = vec!["mk".to_owned()];
    driver.run("adjudicate").shows("the answer keys set gold answers").shows("decided 0/2");
    driver.press("g g J K").shows("mk  verdict fail").press("o").shows("decided 1/2");
    let said = lines_of(&driver, 2);
    assert_eq!(
        (said.len(), &said[0]["by"], &said[0]["value"]),
        (1, &"gold".into(), &"pass".into())
    );
    assert_eq!(driver.bytes(1), people);
    driver.run("adjudicate").shows("judged 2/3 dialogs");
    assert_eq!(driver.bytes(1), people);
}

#[test]
fn what_is_undecided_of_any_question_is_adjudicated() {
    let scheme = r#"
        [[question]]
        name = "polite"
        of = "dialog"
        kind = "choice"
        values = [{ name = "yes", key = "1" }, { name = "no", key = "2" }]

        [[question]]
        name = "clear"
        of = "dialog"
        kind = "choice"
        values = [{ name = "clear", key = "3" }, { name = "vague", key = "4" }]
    "#;
    let mut driver = judging_by("taskmaster-3.json", Scheme::read(scheme, "two").unwrap());
    driver.press("1 3 1 3 1 3");
    // Somebody else says the same, but for the second question about the second dialog.
    driver.judge_as("js").press("esc K K 1 3 1 4 1 3");
    driver.run("adjudicate").shows("decided 0/1").shows("dlg-demo-tm3-02");
    driver.press("1 3").shows("decided 1/1");
}

/// A detector's labels are O, T and X; a scheme may have more values than these.
#[test]
fn a_detector_is_disputed_by_votes_whatever_the_scheme_asks() {
    let (_, log) = demo("dbdc/demo_001.log.json");
    let (mut dialog, _) = open(log.into_bytes()).dialog(0).unwrap().unwrap();
    for turn in [1, 3] {
        let breakdown = Some(if turn == 1 { Breakdown::X } else { Breakdown::O });
        dialog.turns[turn].detections.push(Detection { breakdown, ..Detection::default() });
        dialog.judgements.push(Judgement {
            scheme: "quality".to_owned(),
            question: "quality".to_owned(),
            by: "js".to_owned(),
            value: Some(Answer::Number(5.into())),
            ..Judgement::of(&dialog, Place::turn(turn))
        });
    }
    let scheme = Arc::new(Scheme::bundled("quality").unwrap());
    let judge = QueueJudge { annotator: "mk".to_owned(), scheme, ..QueueJudge::default() };
    let found = to_judge(&dialog, DialogId::default(), &QueueKind::Detector, &judge);
    assert_eq!(found.iter().map(|(_, item)| item.turn).collect::<Vec<_>>(), [1]);
}

#[test]
fn an_answer_withdraws_no_answer_to_what_was_not_asked_any_longer() {
    let scheme = |of: &str| {
        let text =
            format!("[[question]]\nname = \"polite\"\nof = \"turn\"\nkind = \"yes-no\"\n{of}");
        Arc::new(Scheme::read(&text, "parts").unwrap())
    };
    let mut driver = judging_by("taskmaster-1.json", scheme("").as_ref().clone());
    driver.press("1 g y y");
    assert_eq!(lines(&driver).len(), 2);
    // Fewer turns are asked about from now on.
    driver.app.judging.scheme = scheme("for = \"neighborhood\"");
    driver.press("1 g n").shows("polite: no on turn 1");
    let said = lines(&driver);
    let turns: Vec<_> = said.iter().map(|line| (&line["turn"], &line["value"])).collect();
    assert_eq!(turns, [(&1.into(), &false.into()), (&3.into(), &true.into())]);
}
