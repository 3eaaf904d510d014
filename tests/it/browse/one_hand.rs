//! Few keys for what one does all day: the caret, the selection, the hit and the segment know each other.

use serde_json::{Value, json};
use turnwise::dialog::{ApiCall, Payload, Role, Span};

use super::Driver;
use super::fixtures::{dialog, said, segment, turn};

const WORDS: &str = "we would like four seats in the very last row of the old house near the river \
                     for the late show please if there are any left at all";

/// A file with a turn of each text; the first has one segment, over all of it.
fn corpus(id: &str, texts: &[&str]) -> String {
    let mut dialog = said(id, texts);
    dialog["utterances"][0]["segments"] = json!([segment(0, texts[0], "wish")]);
    json!([dialog]).to_string()
}

fn open(texts: &[&str]) -> Driver {
    Driver::open(&[("corpus.json", corpus("a", texts))], 120, 40)
}

/// The texts that the segments of a turn cover.
fn covered(driver: &Driver, turn: usize) -> Vec<String> {
    let dialog = &driver.app.panes.transcript.dialog;
    let turn = &dialog.turns[turn];
    let of = |span: Span| turn.covered(span, dialog.units).expect("inside").to_string();
    let segments = turn.segments.iter();
    segments.map(|segment| of(segment.span.expect("a span"))).collect()
}

#[test]
fn a_hit_is_labelled_with_enter_and_a_digit() {
    let mut driver = open(&["hello there", "two seats, please: two seats"]);
    driver.find("two seats").press("enter 1");
    assert_eq!(covered(&driver, 1), ["two seats"]);
    // The next hit begins after that.
    driver.press("esc n enter 1");
    assert_eq!(covered(&driver, 1), ["two seats", "two seats"]);
    let spans = &driver.app.panes.transcript.dialog.turns[1].segments;
    assert_eq!(spans[1].span.map(|span| span.start), Some(19));
    // Each search begins afresh, also in a turn that was entered for the one before.
    let mut driver = open(&["row nine", "the old house near the river"]);
    driver.find("house").press("enter").type_text("1");
    driver.find("river").press("enter").type_text("1");
    assert_eq!(covered(&driver, 1), ["house", "river"]);
    driver.find("the").press("n enter").type_text("1");
    assert_eq!(covered(&driver, 1), ["house", "the", "river"]);
    // A hit that a segment covers already is that segment: a digit changes its label.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.find("tonight").press("enter");
    assert_eq!(driver.app.panes.transcript.segment, Some(2));
    let before = covered(&driver, 0);
    driver.type_text("1");
    assert_eq!(covered(&driver, 0), before, "no second segment");
    let turn = driver.app.panes.transcript.current().expect("a turn");
    assert_ne!(turn.segments[2].labels[0].name, "date.showing");
}

#[test]
fn the_caret_selects_the_segment_that_it_is_in() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let chosen = |driver: &Driver| driver.app.panes.transcript.segment;
    driver.press("right right");
    let second = driver.app.panes.transcript.current_segment().expect("one").span.expect("a span");
    let turn = driver.turn();
    driver.press("esc").press("enter home");
    assert_eq!(driver.turn(), turn);
    while driver.app.panes.transcript.caret.expect("a caret").at <= second.start {
        driver.press("right");
    }
    assert_eq!(chosen(&driver), Some(1));
    // Tab takes the caret along.
    driver.press("home S-tab");
    let caret = driver.app.panes.transcript.caret.expect("a caret");
    let first = driver.app.panes.transcript.current_segment().expect("one").span.expect("a span");
    assert_eq!((chosen(&driver), caret.at, caret.anchor), (Some(0), first.start, None));
}

#[test]
fn a_number_before_a_motion_repeats_it() {
    let mut driver = open(&[WORDS]);
    driver.press("enter home 4 w");
    let at = |driver: &Driver| driver.app.panes.transcript.caret.expect("a caret");
    assert_eq!(at(&driver).at as usize, WORDS.find("seats").unwrap());
    driver.press("2 b 3 W");
    let selected = at(&driver).selection().expect("a selection");
    assert_eq!(&WORDS[selected.range()], "like four seats");
    driver.press("esc 3 [");
    assert_eq!(covered(&driver, 0), [&WORDS[..WORDS.len() - 3]]);
    driver.press("2 ]");
    assert_eq!(covered(&driver, 0), [&WORDS[..WORDS.len() - 1]]);
}

#[test]
fn a_speaker_is_picked_among_those_of_the_corpus_or_typed() {
    let said = |driver: &Driver| {
        let speaker = driver.app.panes.transcript.dialog.turns[0].speaker.clone();
        (speaker.name.to_string(), speaker.role)
    };
    let log = corpus("a", &["may I", "you may", "thanks"]);
    let mut driver = Driver::open(&[("corpus.json", log)], 120, 40);
    driver.run("set_speaker");
    // The speaker of the turn is not offered.
    driver.press("1").shows("speaker of turn 0: assistant; u undoes");
    assert_eq!(said(&driver), ("assistant".to_owned(), Role::System));
    driver.press("u");
    assert_eq!(said(&driver), ("user".to_owned(), Role::User));
    driver.run("set_speaker").type_text("narrator").shows("narrator  new name");
    driver.press("enter").shows("a new name");
    assert_eq!(said(&driver), ("narrator".to_owned(), Role::Other));
}

/// A file of Taskmaster-3 whose turns have no calls, or one.
fn tickets(calls: Value) -> String {
    let mut dialog = said("a", &["may I", "you may"]);
    if !calls.is_null() {
        dialog["utterances"][1]["apis"] = calls;
    }
    json!([dialog]).to_string()
}

fn calls(driver: &Driver, turn: usize) -> Vec<String> {
    let turn = &driver.app.panes.transcript.dialog.turns[turn];
    let of = |call: &ApiCall| match &call.arguments {
        Some(Payload::Fields(fields)) => {
            let fields = fields.iter();
            let all = fields.map(|f| format!("{}={}", f.name, f.content.as_str()));
            format!("{}({})", call.name, all.collect::<Vec<_>>().join(" "))
        }
        other => format!("{} {other:?}", call.name),
    };
    turn.calls.iter().map(of).collect()
}

#[test]
fn a_call_with_two_arguments_is_added_in_six_keys_and_its_letters() {
    for there in [Value::Null, json!([{"name": "ask", "args": {}}])] {
        let mut driver = Driver::open(&[("tickets.json", tickets(there.clone()))], 120, 40);
        driver.press("j f7");
        if there.is_null() {
            driver.shows("0 calls in this dialog").shows("a adds a call to turn 1");
        }
        driver.press("a").type_text("find").press("enter");
        driver.type_text("day").press("enter").type_text("3").press("enter");
        driver.type_text("town").press("enter").type_text("Ghent").press("enter");
        let all = calls(&driver, 1);
        assert_eq!(all.last().unwrap(), "find(day=3 town=Ghent)", "{all:?}");
        // The next argument is asked for until there is none.
        driver.shows("next argument").press("esc").press("3 u");
        assert_eq!(written(&driver), tickets(there));
    }
}

#[test]
fn a_new_call_offers_the_arguments_of_others_of_its_api() {
    // Also where they are JSON in a string.
    let mut driver = Driver::demo("messages.jsonl", 120, 40);
    driver.run("show_api").press("f7 a");
    driver.type_text("find_bike").press("enter").shows("1 kind").shows("2 day").shows("3 count");
    driver.press("2").type_text("Sunday").press("enter");
    driver.shows("1 kind").shows("2 count").press("esc");
    let call = driver.app.panes.transcript.dialog.turns[2].calls[1].clone();
    let text = call.arguments.as_ref().and_then(Payload::text).unwrap();
    assert_eq!(text, r#"{"day": "Sunday"}"#);
}

#[test]
fn a_call_is_deleted_with_its_answer() {
    let there = json!([{"name": "ask", "args": {"a": "b"}, "response": {"c": "d"}},
        {"name": "tell", "args": {}}]);
    let mut driver = Driver::open(&[("tickets.json", tickets(there))], 120, 40);
    driver.press("j f7").press("d").shows("deleted · u to undo");
    assert_eq!(calls(&driver, 1), ["tell()"]);
    assert_eq!(written(&driver), tickets(json!([{"name": "tell", "args": {}}])));
}

/// The text of the file with all edits.
fn written(driver: &Driver) -> String {
    String::from_utf8(driver.bytes(0)).expect("UTF-8")
}

#[test]
fn a_text_of_the_whole_dialog_is_changed() {
    let mut driver = Driver::open(&[("tickets.json", tickets(Value::Null))], 120, 40);
    driver.run("set_field");
    driver.press("1").type_text(" é").press("enter").shows("●1 unsaved");
    let changed = tickets(Value::Null).replace(r#""vertical":"v""#, r#""vertical":"v é""#);
    assert_eq!(written(&driver), changed);
}

/// One segment, and the others like it in a dialog, a file or all files, after a look at them; one step takes them back.
#[test]
fn mentions_like_a_segment_are_labelled_together() {
    let texts = ["row nine", "the old house or the Old House", "no old houses", "an old house"];
    let files = [("a.json", corpus("a", &texts)), ("b.json", corpus("b", &["x", "our old house"]))];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("j enter w W W").type_text("1").shows("added in turn 1 · & labels other mentions");
    assert_eq!(covered(&driver, 1), ["old house"]);
    driver.press("&").shows("label \"old house\" as wish in this dialog: 2 of 2 ticked");
    driver.press("space").shows("1 of 2 ticked").press("space tab");
    driver.shows("in this file: 2 of 2 ticked").press("tab").shows("in all files: 3 of 3 ticked");
    driver.press("A").shows("3 segments added in 2 dialogs");
    assert_eq!(covered(&driver, 1), ["old house", "Old House"]);
    assert_eq!(covered(&driver, 2), [""; 0], "another word");
    assert_eq!(covered(&driver, 3), ["old house"]);
    driver.press("esc & ").shows("no other mention in this dialog");
    driver.press("tab tab").shows("every mention of this text has a segment");
    driver.press("esc u");
    assert_eq!(covered(&driver, 3), [""; 0]);
    assert_eq!(covered(&driver, 1), ["old house"]);
    // Where spans count tokens, the text is that of the tokens.
    Driver::demo("sim-m.json", 120, 40).press("l &").shows("label \"2\" as num_tickets in this");
    // A label that a segment has twice, from two annotators, is added once.
    let mut segment = segment(3, "old house", "wish");
    segment["annotations"] = json!([{"name": "wish"}, {"name": "wish"}]);
    let dialog = dialog("a", vec![turn("user", "an old house and an old house", vec![segment])]);
    let mut driver = Driver::open(&[("a.json", dialog.to_string())], 120, 40);
    driver.press("l &").shows("1 of 1 ticked").press("A").shows("1 segment added");
    let turn = driver.app.panes.transcript.current().unwrap();
    let counts: Vec<_> = turn.segments.iter().map(|s| s.labels.len()).collect();
    assert_eq!(counts, [2, 1]);
}
