//! The list of codes: places, renaming, merging and defining, by keys.

use serde_json::{Value, json};
use turnwise::app::Blind;

use crate::browse::Driver;
use crate::judgements::{self, judging, lines};

/// Demo dialogs with tags of mk: two dialogs are slow, one of them rude too; and a note on the first.
pub fn coded() -> Driver {
    let mut driver = judging("taskmaster-3.json", "error-analysis");
    for (turn, tags) in [("3 g x", "slow, rude"), ("5 g x", "slow")] {
        driver.press(turn).type_text(tags).press("enter");
    }
    driver.press("K K 1 g c").type_text("So #Slow!").press("enter");
    driver.run("show_codes").press("f7");
    driver
}

/// All tags in mk's file, sorted.
fn tags(driver: &Driver) -> Vec<String> {
    let lists: Vec<Vec<String>> = serde_json::from_value(judgements::tags(driver)).unwrap();
    let mut tags = lists.concat();
    tags.sort();
    tags
}

#[test]
fn a_code_leads_to_its_places() {
    let mut driver = coded();
    driver.press("enter").shows("Hits").shows("3 hits in 2 dialogs").shows("tag:=slow: 1 of 3");
}

/// Answers a prompt for the name of the selected code.
fn rename<'d>(driver: &'d mut Driver, keys: &str, name: &str) -> &'d mut Driver {
    driver.press(keys).shows("an existing name merges the codes").press("home C-k");
    driver.type_text(name).press("enter")
}

/// Down goes from the end of a note to the codes below it that begin like its last word, and from there to the next one.
#[test]
fn a_note_completes_its_tags() {
    let mut driver = coded();
    driver.press("esc esc 2 g c").type_text("it is").shows_not("│      3  slow");
    driver.type_text(" #").shows("│      3  slow").shows("│      1  rude");
    driver.press("tab").shows("it is #slow").shows("▸     3  slow");
    driver.press("tab").shows("it is #rude").press("up up").shows("it is # ");
    driver
        .type_text("SL")
        .shows("│      3  slow")
        .shows_not("│      1  rude")
        .press("down")
        .shows("it is #slow");
    driver.type_text(", #rude").press("enter");
    let note =
        lines(&driver).into_iter().find(|line| line["note"] == "it is #slow, #rude").unwrap();
    assert_eq!(note["tags"], json!(["slow", "rude"]));
    // A prompt for tags counts them, too.
    driver.press("J J 5 g x").shows("│      4  slow").shows("│      2  rude");
}

#[test]
fn a_code_is_renamed_everywhere_as_one_step() {
    let mut driver = coded();
    let before = driver.bytes(1);
    rename(&mut driver, "r", "too slow").shows("code slow → too-slow: 3 judgements");
    assert_eq!(tags(&driver), ["rude", "too-slow", "too-slow", "too-slow"]);
    let note = lines(&driver).into_iter().find(|line| line.get("note").is_some());
    assert_eq!(note.unwrap()["note"], "So #too-slow!");
    driver.press("u").shows("3  slow");
    assert_eq!(driver.bytes(1), before, "one step");
}

#[test]
fn a_name_in_use_merges_the_two() {
    for keys in ["R U D E enter", "down enter"] {
        let mut driver = coded();
        driver.press("r home C-k").shows("an existing name merges the codes").press(keys);
        // The dialog that had both has it once.
        assert_eq!(tags(&driver), ["rude", "rude", "rude"]);
        driver.shows("1 code · 3 uses").press("u").shows("2 codes · 4 uses");
        assert_eq!(tags(&driver).len(), 4);
    }
}

#[test]
fn a_definition_is_kept_with_the_judgements_and_goes_with_its_code() {
    let mut driver = coded();
    driver.press("a").type_text("it takes a minute").press("enter");
    driver.shows("       it takes a minute");
    let first = lines(&driver).remove(0);
    let definition = json!({
        "dialog": "", "scheme": "codes", "question": "slow", "note": "it takes a minute", "by": "mk"
    });
    assert_eq!(first, definition);
    rename(&mut driver, "r", "late");
    assert_eq!(lines(&driver)[0]["question"], "late");
    driver.shows("3  late").shows("       it takes a minute");
    driver.press("u").shows("3  slow").shows("it takes a minute");
    // An emptied definition is gone.
    driver.press("g a home C-k enter").shows_not("a minute");
    assert!(lines(&driver).iter().all(|line| line["dialog"] != ""));
}

#[test]
fn only_ones_own_judgements_change() {
    let mut driver = coded();
    let before = driver.bytes(1);
    driver.judge_as("js").press("esc 3 g x").type_text("slow").press("enter");
    driver.run("show_codes").press("f7 g").shows("4  slow  yours 1");
    rename(&mut driver, "r", "late").shows("1 judgement · unchanged: 3 judgements of others");
    assert_eq!(driver.bytes(1), before);
    // rude is mk's alone.
    driver.shows("3  slow  yours 0").press("g r").shows("is not yours");
    // While blind, there is only one's own.
    driver.app.judging.blind = Blind::Yes;
    driver.press("esc b b").press("f7").shows("1 code · 1 use").shows_not("slow");
    driver.press("enter").shows("tag:=late: 1 of 1").shows("1 hit in 1 dialog");
}

#[test]
fn a_question_with_listed_tags_takes_no_other_code() {
    let mut driver = coded();
    let mut scheme = (*driver.app.judging.scheme).clone();
    for question in &mut scheme.questions {
        if let turnwise::judging::Kind::Tags { open } = &mut question.kind {
            *open = false;
        }
    }
    driver.app.judging.scheme = std::sync::Arc::new(scheme);
    let before: Vec<Value> = lines(&driver);
    rename(&mut driver, "r", "late").shows("takes tags of");
    assert_eq!(lines(&driver), before);
}
