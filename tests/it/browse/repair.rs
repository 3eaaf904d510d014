//! Repairing: text before, keys, text after.
//!
//! `«…»` is the current segment, `[…]` another one, `|` the caret.

use serde_json::{Value, json};

use super::{Driver, fixtures};

/// A turn in the notation, as a corpus: its text and its segments, the current one first in mind.
fn corpus(notation: &str) -> (String, usize) {
    let mut text = String::new();
    let mut open: Vec<(char, usize)> = Vec::new();
    let mut segments: Vec<(usize, usize, bool)> = Vec::new();
    let mut count = 0;
    for char in notation.chars() {
        match char {
            '«' | '[' => open.push((char, count)),
            '»' | ']' => {
                let (kind, start) = open.pop().unwrap();
                segments.push((start, count, kind == '«'));
            }
            _ => {
                text.push(char);
                count += 1;
            }
        }
    }
    segments.sort_unstable();
    let current = segments.iter().position(|segment| segment.2).unwrap_or(usize::MAX);
    let segments = segments.iter().map(|(start, end, _)| {
        let quote: String = text.chars().skip(*start).take(end - start).collect();
        fixtures::segment(*start, &quote, "a.label")
    });
    let turn = fixtures::turn("user", &text, segments.collect());
    let corpus = Value::from(vec![fixtures::dialog("d", vec![turn])]);
    (serde_json::to_string_pretty(&corpus).unwrap(), current)
}

/// The first turn of a file in the notation, and whether quotes and numbers agree.
pub fn notation(driver: &Driver) -> String {
    let bytes = driver.bytes(0);
    let value: Value = serde_json::from_slice(&bytes).unwrap();
    let turn = &value[0]["utterances"][0];
    let text: Vec<char> = turn["text"].as_str().unwrap().chars().collect();
    let mut marks: Vec<(usize, u8, char)> = Vec::new();
    for (number, segment) in turn["segments"].as_array().unwrap().iter().enumerate() {
        let offset = |key: &str| segment[key].as_u64().unwrap() as usize;
        let (start, end) = (offset("start_index"), offset("end_index"));
        let quote: String = text[start..end].iter().collect();
        assert_eq!(segment["text"], quote.as_str());
        let current = driver.app.panes.transcript.segment == Some(number);
        let (left, right) = if current { ('«', '»') } else { ('[', ']') };
        marks.push((start, 1, left));
        marks.push((end, 0, right));
    }
    marks.sort_unstable();
    let mut shown = String::new();
    for at in 0..=text.len() {
        shown.extend(marks.iter().filter(|mark| mark.0 == at).map(|mark| mark.2));
        if driver.app.panes.transcript.caret.is_some_and(|caret| caret.at as usize == at) {
            shown.push('|');
        }
        shown.extend(text.get(at));
    }
    shown
}

pub fn open(before: &str) -> Driver {
    let (text, current) = corpus(before);
    let mut driver = Driver::open(&[("corpus.json", text)], 120, 30);
    if current != usize::MAX {
        driver.app.panes.transcript.choose(Some(current));
    }
    driver
}

#[track_caller]
fn check(before: &str, keys: &str, after: &str) {
    let mut driver = open(before);
    let original = driver.bytes(0);
    driver.press(keys);
    assert_eq!(notation(&driver), after, "{before} {keys}\n{}", driver.screen());
    let steps = driver.app.workspace.steps.applied().len();
    driver.press("esc esc");
    for _ in 0..steps {
        driver.press("u");
    }
    assert_eq!(driver.bytes(0), original, "{before} {keys}: undone");
}

#[test]
fn edges_are_nudged_by_grapheme_or_word_within_the_turn() {
    check("Thursday «Kitche»n", "]", "Thursday «Kitchen»");
    check("at «AMC 16:» is", "[", "at «AMC 16»: is");
    check("at« AMC» 16", "}", "at «AMC» 16");
    check("at A«MC» 16", "{", "at «AMC» 16");
    check("at «A» 16", "] ] [", "at «A »16");
    check("«👍» ok", "]", "«👍 »ok");
    check("«a»👨‍👩‍👧b", "]", "«a👨‍👩‍👧»b");
    check("«ae\u{301}»x", "[", "«a»e\u{301}x");
    check("今日は«良»い天気", "]", "今日は«良い»天気");
    check("«שלו»ם", "]", "«שלום»");
    check("a«b\u{200b}»c", "[", "a«b»\u{200b}c");
    // By word.
    check("see «No» Time To Die now", ") )", "see «No Time To» Die now");
    check("see «No Time To» now", "( (", "see «No» Time To now");
    // An edge never leaves the turn or crosses the other.
    check("ab«c»", "]", "ab«c»");
    check("«a»bc", "{", "«a»bc");
    check("a«b»c", "[", "a«b»c");
    check("a«b»c", "}", "a«b»c");
}

#[test]
fn segments_are_added_moved_split_merged_and_deleted() {
    check("[two] for No Time To Die", "enter w w W W W W a 1", "[two] for «No Time To Die»|");
    check("[x] one", "enter end S-left S-left S-left a 1", "[x] «one»|");
    check("[x] 世界", "v right right v right right a 1", "[x] «世界»|");
    check("all of it[!]", "v % a 1", "«all of it[!]»|");
    check("at «AMC» Mountain 16", "enter w v w W = enter", "at AMC «Mountain 16»");
    check("«three tickets» now", "v b s esc", "«three» [tickets] now");
    check("«three» [tickets] now", "v M esc", "«three tickets» now");
    check("«three» [tickets] now", "d", "three «tickets» now");
    check("one «two»", "d", "one two");
    check("«one [two] three»", "v d esc", "one «two» three");
}

/// The labels of the segments of the first turn.
fn labels(driver: &Driver) -> Vec<Vec<String>> {
    let segments = &driver.app.panes.transcript.dialog.turns[0].segments;
    let names = segments.iter().map(|segment| {
        let labels = segment.labels.iter();
        labels.map(|label| label.name.to_string()).collect()
    });
    names.collect()
}

#[test]
fn merged_segments_keep_the_labels_of_both() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let before = driver.bytes(0);
    driver.press("l enter M").shows("merged; labels: name.genre and name.theater");
    assert_eq!(
        labels(&driver),
        [vec!["name.genre".to_owned(), "name.theater".to_owned()], vec!["date.showing".to_owned()]]
    );
    driver.press("esc u");
    assert_eq!(driver.bytes(0), before);
    // A label that both have is kept once, and nothing is reported.
    let mut driver = open("«three» [tickets] now");
    driver.press("v M").shows_not("merged; labels");
    assert_eq!(labels(&driver), [["a.label"]]);
    // A third segment that contains one of the two would cross the result.
    let segments = [(0, "one two", "a"), (4, "two", "b"), (8, "four", "c")];
    let segments = segments.map(|(start, quote, label)| fixtures::segment(start, quote, label));
    let turn = fixtures::turn("user", "one two four", segments.to_vec());
    let corpus = Value::from(vec![fixtures::dialog("d", vec![turn])]).to_string();
    let mut driver = Driver::open(&[("a.json", corpus)], 120, 30);
    driver.press("l l v M").shows("a third segment is in the way");
}

/// Fields that others gave to a segment are its own: turnwise reports that they are lost or not copied.
#[test]
fn fields_of_a_segment_that_another_does_not_get_are_named() {
    let label = || json!([{"name": "a", "by": "mk"}]);
    let segments = json!([
        {"start_index": 0, "end_index": 2, "text": "aa", "annotations": label()},
        {"start_index": 3, "end_index": 8, "text": "bb cc", "note": 1, "annotations": label()}]);
    let turn = json!({"index": 0, "speaker": "USER", "text": "aa bb cc", "segments": segments});
    let corpus = json!([{"conversation_id": "d", "instruction_id": "i", "utterances": [turn]}]);
    for (keys, shown) in [
        ("l v M", "fields lost from the other segment: by, note"),
        ("l l v b s", "the new segment lacks: by, note"),
    ] {
        let mut driver = Driver::open(&[("a.json", corpus.to_string())], 120, 30);
        driver.press(keys).shows(shown);
    }
    // So is the annotator.
    let mut driver = Driver::demo("taskmaster-4.json", 120, 40);
    driver.press("J 2 g enter home W a 1").shows("2 segments").press("M");
    driver.shows("fields lost from the other segment: annotator_id");
}

/// Segments are not merged if the result could have only one of their labels.
#[test]
fn segments_whose_labels_exclude_each_other_are_not_merged() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    let turns = &driver.app.panes.transcript.dialog.turns;
    let differ = |turn: &turnwise::dialog::Turn| {
        let names = turn.segments.iter().map(|s| &s.labels[0].name);
        names.collect::<std::collections::HashSet<_>>().len() > 1
    };
    let turn = turns.iter().position(differ).unwrap();
    let before = driver.bytes(0);
    driver.app.panes.transcript.go(turn);
    driver.press("l enter M");
    assert!(driver.app.status.bad, "{}", driver.screen());
    assert_eq!(driver.bytes(0), before);
}

/// Undoing a step of the turn that is edited does not end editing it.
#[test]
fn undo_stays_in_the_turn_with_the_caret_where_it_was() {
    let mut driver = open("two for Dune at seven");
    driver.press("enter w w W a x enter");
    let caret = |driver: &Driver| driver.app.panes.transcript.caret;
    let before = caret(&driver);
    driver.press("u").shows("undone");
    assert_eq!(caret(&driver), before);
    assert!(before.is_some());
    driver.press("U").shows("redone");
    assert_eq!(caret(&driver), before);
    driver.press("W").shows("a add").press("u esc");
    assert_eq!(notation(&driver), "two for Dune at seven");
    // A step of another turn leads to that turn, as before.
    driver.press("esc esc j");
    driver.press("U");
    assert_eq!(caret(&driver), None);
    // In a text that is another one, the caret is at the start.
    let mut driver = open("two for Dune at seven");
    driver.press("e").type_text("!").press("enter enter end u").shows("undone");
    assert_eq!(caret(&driver).map(|caret| caret.at), Some(0));
}

#[test]
fn tokens_are_walked_where_tokens_are_counted() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    driver.press("l");
    let span =
        |driver: &Driver| driver.app.panes.transcript.current_segment().unwrap().span.unwrap();
    let before = span(&driver);
    driver.press("]");
    assert_eq!(span(&driver).end, before.end + 1);
    driver.press("[ [");
    driver.press("u").shows_not("unsaved");
    assert_eq!(span(&driver), before);
}

#[test]
fn text_is_changed_and_segments_follow_or_are_cut() {
    let mut driver = open("[two] for [Dune] at seven");
    driver.press("e").shows("Text of turn");
    driver.press("home").type_text("just ").press("enter").shows("●1 unsaved");
    assert_eq!(notation(&driver), "just [two] for [Dune] at seven");
    driver.press("e");
    for _ in 0.." at seven".len() + 2 {
        driver.press("backspace");
    }
    driver.shows("a.label ▲ shrinks").press("enter");
    driver.shows("the new text shortens or removes 1 segment; u undoes it");
    assert_eq!(notation(&driver), "just [two] for [Du]");
    driver.press("u u");
    assert_eq!(notation(&driver), "[two] for [Dune] at seven");
    driver.press("e enter").shows("no change");
}

#[test]
fn dragging_selects_and_a_click_chooses_the_innermost_segment() {
    let text = "[x] see 世界👨‍👩‍👧 and [all of [it] x] now";
    let mut driver = open(text);
    let ((x, y), (end, _)) = (driver.place_of("世界"), driver.place_of(" and"));
    driver.drag((x, y), (end - 1, y)).press("a 1");
    assert_eq!(notation(&driver), "[x] see «世界👨‍👩‍👧»| and [all of [it] x] now");
    let (x, y) = driver.place_of("all of it");
    driver.press("esc").click(x + 7, y);
    assert_eq!(notation(&driver), "[x] see [世界👨‍👩‍👧] and [all of «it» x] now");
    driver.click(x, y);
    assert_eq!(notation(&driver), "[x] see [世界👨‍👩‍👧] and «all of [it] x» now");
    // Backwards, and beyond the end of the line.
    let mut driver = open("[x] to be");
    let (x, y) = driver.place_of("to be");
    driver.drag((x + 30, y), (x + 3, y)).press("a 1");
    assert_eq!(notation(&driver), "[x] to «be»|");
    // Tokens, where tokens are counted.
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    let turn = driver.app.panes.transcript.current().unwrap().clone();
    let (x, y) = driver.place_of(&turn.text[..12]);
    let second = turn.tokens[0].len() as u16 + 1;
    driver.drag((x, y), (x + second, y));
    let caret = driver.app.panes.transcript.caret.unwrap();
    assert_eq!((caret.anchor, caret.at), (Some(0), 2));
}
