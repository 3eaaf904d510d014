//! Repairing: text before, keys, text after.
//!
//! `«…»` is the current segment, `[…]` another one, `|` the caret.

use serde_json::{Value, json};

use turnwise::app::{Effect, Msg};

use super::{Driver, demo};

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
    let current = segments
        .iter()
        .position(|segment| segment.2)
        .unwrap_or(usize::MAX);
    let quote = |start: usize, end: usize| {
        text.chars()
            .skip(start)
            .take(end - start)
            .collect::<String>()
    };
    let segments: Vec<_> = segments
        .iter()
        .map(|(start, end, _)| {
            json!({"start_index": start, "end_index": end, "text": quote(*start, *end),
                "annotations": [{"name": "a.label"}]})
        })
        .collect();
    let turn = json!({"index": 0, "speaker": "user", "text": text, "segments": segments});
    let dialog = json!([{"conversation_id": "d", "vertical": "v", "utterances": [turn]}]);
    (serde_json::to_string_pretty(&dialog).unwrap(), current)
}

/// The first turn of a file in the notation, and whether quotes and numbers agree.
fn notation(driver: &Driver) -> String {
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
        let current = driver.app.transcript.segment == Some(number);
        let (left, right) = if current { ('«', '»') } else { ('[', ']') };
        marks.push((start, 1, left));
        marks.push((end, 0, right));
    }
    marks.sort_unstable();
    let mut shown = String::new();
    for at in 0..=text.len() {
        shown.extend(marks.iter().filter(|mark| mark.0 == at).map(|mark| mark.2));
        if driver.app.span.is_some_and(|caret| caret.at as usize == at) {
            shown.push('|');
        }
        shown.extend(text.get(at));
    }
    shown
}

fn open(before: &str) -> Driver {
    let (text, current) = corpus(before);
    let mut driver = Driver::open(&[("corpus.json", text)], 120, 30);
    if current != usize::MAX {
        driver.app.transcript.choose(Some(current));
    }
    driver
}

#[track_caller]
fn check(before: &str, keys: &str, after: &str) {
    let mut driver = open(before);
    let original = driver.bytes(0);
    driver.press(keys);
    assert_eq!(
        notation(&driver),
        after,
        "{before} {keys}\n{}",
        driver.screen()
    );
    let steps = driver.app.steps.done;
    driver.press("esc esc");
    for _ in 0..steps {
        driver.press("u");
    }
    assert_eq!(driver.bytes(0), original, "{before} {keys}: undone");
}

#[test]
fn edges_are_nudged_by_grapheme() {
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
}

#[test]
fn edges_are_nudged_by_word() {
    check(
        "see «No» Time To Die now",
        ") )",
        "see «No Time To» Die now",
    );
    check("see «No Time To» now", "( (", "see «No» Time To now");
}

#[test]
fn an_edge_never_leaves_the_turn_or_crosses_the_other() {
    check("ab«c»", "]", "ab«c»");
    check("«a»bc", "{", "«a»bc");
    check("a«b»c", "[", "a«b»c");
    check("a«b»c", "}", "a«b»c");
}

#[test]
fn segments_are_added_on_what_is_selected() {
    check(
        "[two] for No Time To Die",
        "enter w w W W W W a 1",
        "[two] for «No Time To Die»|",
    );
    check(
        "[x] one",
        "enter end S-left S-left S-left a 1",
        "[x] «one»|",
    );
    check("[x] 世界", "v right right v right right a 1", "[x] «世界»|");
    check("all of it[!]", "v % a 1", "«all of it[!]»|");
}

#[test]
fn segments_are_moved_split_merged_and_deleted() {
    check(
        "at «AMC» Mountain 16",
        "enter w v w W = enter",
        "at AMC «Mountain 16»",
    );
    check("«three tickets» now", "v b s esc", "«three »[tickets] now");
    check("«three» [tickets] now", "v M esc", "«three tickets» now");
    check("«three» [tickets] now", "d", "three «tickets» now");
    check("one «two»", "d", "one two");
    check("«one [two] three»", "v d esc", "one «two» three");
}

/// The labels of the segments of the first turn.
fn labels(driver: &Driver) -> Vec<Vec<String>> {
    let segments = &driver.app.transcript.dialog.turns[0].segments;
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
    driver
        .press("l enter M")
        .shows("merged; it has the labels name.genre and name.theater");
    assert_eq!(
        labels(&driver),
        [
            vec!["name.genre".to_owned(), "name.theater".to_owned()],
            vec!["date.showing".to_owned()]
        ]
    );
    driver.press("esc u");
    assert_eq!(driver.bytes(0), before);
    // A label that both have is there once, and nothing needs to be said.
    let mut driver = open("«three» [tickets] now");
    driver.press("v M").shows_not("it has the labels");
    assert_eq!(labels(&driver), [["a.label"]]);
}

/// Where a segment can have one label only, none is lost: they are not merged.
#[test]
fn segments_whose_labels_cannot_stand_together_are_not_merged() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    let turns = &driver.app.transcript.dialog.turns;
    let differ = |turn: &turnwise::dialog::Turn| {
        let names = turn.segments.iter().map(|s| &s.labels[0].name);
        names.collect::<std::collections::HashSet<_>>().len() > 1
    };
    let turn = turns.iter().position(differ).unwrap();
    let before = driver.bytes(0);
    driver.app.transcript.go(turn);
    driver.press("l enter M");
    assert!(driver.app.status.bad, "{}", driver.screen());
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn labels_are_picked_by_digit_by_name_and_new() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l r").shows("Labels").shows("1 ");
    driver.type_text("nametheat").press("enter");
    let label = |driver: &Driver| {
        driver.app.transcript.current_segment().unwrap().labels[0]
            .name
            .to_string()
    };
    assert_eq!(label(&driver), "name.theater");
    driver.press("l r 1");
    assert_eq!(label(&driver), "name.theater");
    driver.press("r").type_text("brand.new").shows("a new one");
    driver.press("up up enter");
    driver.press("u u").shows("undone: ");
}

#[test]
fn nudges_of_one_edge_are_one_step() {
    let mut driver = open("at «AMC» Mountain 16");
    let original = driver.bytes(0);
    driver
        .press("] ] ] ] [")
        .shows("●1 unsaved")
        .shows("3..9 \"AMC Mo");
    driver.press("u").shows("undone: end").shows_not("unsaved");
    assert_eq!(driver.bytes(0), original);
    driver.press("C-r").shows("●1 unsaved").shows("redone: end");
    driver.press("u U u C-r u");
    assert_eq!(driver.bytes(0), original);
    driver.press("u").shows("nothing to undo");
}

#[test]
fn undoing_goes_back_over_dialogs_to_where_each_edit_was() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l ] J j j j l [");
    let there = (driver.app.transcript.at, driver.app.transcript.turn);
    driver.press("J u");
    assert_eq!(
        (driver.app.transcript.at, driver.app.transcript.turn),
        there
    );
    driver
        .press("u")
        .shows("dialog 0 of 0–2")
        .shows_not("unsaved");
}

#[test]
fn saving_changes_the_lines_that_were_meant_and_no_others() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let before = String::from_utf8(driver.bytes(0)).unwrap();
    driver
        .press("l ] C-s")
        .shows("saved taskmaster-3.json: 2 lines changed")
        .shows_not("●");
    let after = String::from_utf8(driver.bytes(0)).unwrap();
    let differ = before
        .lines()
        .zip(after.lines())
        .filter(|(a, b)| a != b)
        .count();
    assert_eq!((differ, before.lines().count()), (2, after.lines().count()));
    driver.press("C-s").shows("no unsaved changes");
    driver.press("u").shows("●1 unsaved");
    driver.press("C-s").shows("2 lines changed");
    assert_eq!(String::from_utf8(driver.bytes(0)).unwrap(), before);
}

#[test]
fn saving_several_files_is_told_as_one() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("l ] J J J l ]").shows("●2 unsaved");
    driver
        .press("W")
        .shows("saved all 2 files: ")
        .shows_not("●");
    driver.press("l ] C-s").shows("saved sim-m.json: ");
    // One of them fails.
    driver.press("[ K K K l [").shows("●2 unsaved");
    let saving = driver.app.update(Msg::Key("W".parse().unwrap()));
    assert_eq!(saving, [Effect::Save { file: 0 }, Effect::Save { file: 1 }]);
    let reason = "no room".to_owned();
    driver.tell(Msg::NotSaved { file: 0, reason });
    driver.shows("0 of 2 files are saved");
    driver.tell(Msg::Gone { file: 1 });
    driver.shows("saved 0 of 2 files: 0 lines changed; taskmaster-3.json was not saved: no room");
}

#[test]
fn undoing_says_that_it_goes_back_behind_a_save() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l ] C-s J l ] u");
    driver.shows("undone: end").shows_not("which was saved");
    driver.press("u").shows("in turn 0, which was saved");
}

#[test]
fn labels_that_were_tried_and_undone_are_not_offered_first() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l r").shows("Labels");
    let first = |driver: &mut Driver| {
        let screen = driver.press("r").screen();
        driver.press("esc");
        let row = screen.lines().find(|row| row.contains("1 "));
        screen.contains("1 brand.new") && row.is_some()
    };
    driver.type_text("brand.new").press("enter");
    assert!(first(&mut driver));
    driver.press("u l l h h");
    assert!(!first(&mut driver));
    driver.press("U");
    assert!(first(&mut driver));
}

#[test]
fn leaving_with_unsaved_edits_asks() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver
        .press("l ] q")
        .shows("1 edit is not saved")
        .shows("leave without saving");
    driver.press("esc").shows_not("not saved");
    assert!(!driver.wanted.contains(&Effect::Quit));
    driver.press("q y");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
    assert!(!driver.app.files.any_modified());
}

/// Enter, which habit presses, answers nothing that changes anything; what it does is shown.
#[test]
fn enter_is_the_harmless_answer() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l ] q").shows("Esc Enter stay").press("enter");
    driver.shows("●1 unsaved").shows_not("is not saved");
    driver.tell(Msg::Changed {
        file: 0,
        saving: false,
    });
    driver.shows("Esc Enter ask again").press("enter");
    assert!(
        driver
            .wanted
            .iter()
            .all(|effect| !matches!(effect, Effect::Quit | Effect::Reread { .. }))
    );
    let mut driver = open("[two] for [Dune] at seven");
    let before = driver.bytes(0);
    driver.press("e C-u enter").shows("n Enter go on typing");
    driver.press("enter").shows("What the turn says");
    driver.press("enter enter esc");
    assert_eq!(driver.bytes(0), before);
}

#[test]
fn tokens_are_walked_where_tokens_are_counted() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    driver.press("l");
    let span = |driver: &Driver| {
        driver
            .app
            .transcript
            .current_segment()
            .unwrap()
            .span
            .unwrap()
    };
    let before = span(&driver);
    driver.press("]");
    assert_eq!(span(&driver).end, before.end + 1);
    driver.press("[ [");
    driver.press("u").shows_not("unsaved");
    assert_eq!(span(&driver), before);
}

/// How many keys the usual repairs take, from seeing what is wrong.
#[test]
fn usual_repairs_take_few_keys() {
    for (keys, most) in [("right ]", 2), ("right r 2", 3), ("enter W W W a 1", 7)] {
        assert!(keys.split(' ').count() <= most);
        let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
        driver.press(keys).shows("●1 unsaved");
    }
}

#[test]
fn text_is_changed_and_segments_follow_or_are_asked_about() {
    let mut driver = open("[two] for [Dune] at seven");
    driver.press("e").shows("What the turn says");
    driver.press("home");
    driver.type_text("just ").press("enter").shows("●1 unsaved");
    assert_eq!(notation(&driver), "just [two] for [Dune] at seven");
    driver.press("e");
    for _ in 0.." at seven".len() + 2 {
        driver.press("backspace");
    }
    driver.press("enter").shows("the new text cuts 1 segment");
    driver
        .shows("  \"Dune\" shrinks to \"Du\"")
        .shows("    a.label\n");
    driver.press("n").shows("What the turn says");
    driver.press("enter").shows("y shrink it").press("y");
    assert_eq!(notation(&driver), "just [two] for [Du]");
    driver.press("u u");
    assert_eq!(notation(&driver), "[two] for [Dune] at seven");
    driver.press("e enter").shows("nothing was changed");
}

/// What is left of a segment keeps its label; each segment that a new text cuts is named.
#[test]
fn segments_that_a_new_text_cuts_are_named_and_cover_what_is_left() {
    let rewrite = |before: &str, text: &str| {
        let mut driver = open(before);
        driver.press("e C-u").type_text(text).press("enter");
        driver
    };
    let before = "[two] for [Dune Part Two] at [seven] pm";
    let mut driver = rewrite(before, "two for Dune at 8 pm");
    driver.shows("the new text cuts 2 segments");
    driver.shows("\"Dune Part Two\" shrinks to \"Dune\"");
    driver.shows("\"seven\" is removed");
    driver.shows("y shrink and remove them so").press("y");
    assert_eq!(notation(&driver), "[two] for [Dune] at 8 pm");
    driver.press("u");
    assert_eq!(notation(&driver), before);
    let mut driver = rewrite(before, "two for Dune Part 2.5 Two at seven pm");
    driver.shows("shrinks to \"Dune Part 2.5 Two\"").press("y");
    assert_eq!(
        notation(&driver),
        "[two] for [Dune Part 2.5 Two] at [seven] pm"
    );
}

/// What changes no byte is no edit, and what was led back to the file is not unsaved.
#[test]
fn what_is_unsaved_is_what_differs_from_the_file() {
    let mut driver = open("two for «Dune» at seven");
    let before = driver.bytes(0);
    driver.press("r").type_text("a.label").press("enter");
    driver.shows("nothing is changed").shows_not("unsaved");
    assert_eq!(driver.app.steps.all.len(), 0);
    // A segment is added and deleted again: two steps, and nothing to save.
    driver.press("esc enter W a 1").shows("●1 unsaved");
    driver.press("d").shows_not("unsaved").shows_not("●");
    assert_eq!(driver.bytes(0), before);
    driver.press("esc esc E").shows("everything is saved");
    driver.press("esc q");
    assert_eq!(driver.wanted.last(), Some(&Effect::Quit));
    driver.press("u").shows("●1 unsaved").press("u");
    driver
        .shows_not("unsaved")
        .press("u")
        .shows("nothing to undo");
    assert_eq!(driver.bytes(0), before);
    // Of two dialogs one is led back: the other's edits count.
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    driver.press("l");
    let label = driver.app.transcript.current_segment().unwrap().labels[0].clone();
    driver.press("r").type_text("brand.new").press("enter");
    driver.press("J l ]").shows("●2 unsaved").press("K l r");
    driver
        .type_text(&label.name)
        .press("enter")
        .shows("●1 unsaved");
    driver.press("E").shows("1 edit is not saved");
}

#[test]
fn dragging_selects_and_a_click_chooses_the_innermost_segment() {
    let text = "[x] see 世界👨‍👩‍👧 and [all of [it] x] now";
    let mut driver = open(text);
    let ((x, y), (end, _)) = (driver.place_of("世界"), driver.place_of(" and"));
    driver.drag((x, y), (end - 1, y)).press("a 1");
    assert_eq!(
        notation(&driver),
        "[x] see «世界👨‍👩‍👧»| and [all of [it] x] now"
    );
    let (x, y) = driver.place_of("all of it");
    driver.press("esc").click(x + 7, y);
    assert_eq!(
        notation(&driver),
        "[x] see [世界👨‍👩‍👧] and [all of «it» x] now"
    );
    driver.click(x, y);
    assert_eq!(
        notation(&driver),
        "[x] see [世界👨‍👩‍👧] and «all of [it] x» now"
    );
    // Backwards, and beyond the end of the line.
    let mut driver = open("[x] to be");
    let (x, y) = driver.place_of("to be");
    driver.drag((x + 30, y), (x + 3, y)).press("a 1");
    assert_eq!(notation(&driver), "[x] to «be»|");
}

#[test]
fn dragging_over_a_wrapped_text_selects_across_its_rows() {
    let text = "[x] ".to_owned() + &"many words ".repeat(12) + "last";
    let mut driver = open(&text);
    let (from, to) = (driver.place_of("many"), driver.place_of("last"));
    assert!(to.1 > from.1);
    driver.drag(from, (to.0 + 3, to.1)).press("a 1");
    let whole = notation(&driver);
    assert!(
        whole.starts_with("[x] «many") && whole.ends_with("last»|"),
        "{whole}"
    );
}

#[test]
fn dragging_selects_tokens_where_tokens_are_counted() {
    let mut driver = Driver::demo("sim-m.json", 120, 40);
    let turn = driver.app.transcript.current().unwrap().clone();
    let (x, y) = driver.place_of(&turn.text[..12]);
    let second = turn.tokens[0].len() as u16 + 1;
    driver.drag((x, y), (x + second, y));
    let caret = driver.app.span.unwrap();
    assert_eq!((caret.anchor, caret.at), (Some(0), 2));
}

#[test]
fn all_files_that_are_saved_are_counted() {
    let files = ["taskmaster-1.json", "taskmaster-3.json"].map(super::demo);
    let mut driver = Driver::open(&files, 120, 40);
    driver.press("l ]");
    let next = driver.app.transcript.at.unwrap().file;
    while driver.app.transcript.at.unwrap().file == next {
        driver.press("J");
    }
    driver.press("l ]").shows("●2 unsaved");
    driver.press("W").shows("2 files: 4 lines changed");
    driver
        .press("[")
        .press("C-s")
        .shows("saved taskmaster-3.json: ");
}

/// A file may be a single line: what differs in it is shown, and not how it begins.
#[test]
fn what_differs_in_a_long_line_is_seen() {
    let (name, text) = demo("taskmaster-3.json");
    let lines: String = text.lines().map(str::trim).collect();
    let mut driver = Driver::open(&[(name, lines)], 200, 60);
    driver.press("l ] E").shows("What differs in");
    let screen = driver.screen();
    let side = |sign: &str| screen.lines().find(|line| line.contains(sign));
    let (old, new) = (side("- …").unwrap(), side("+ …").unwrap());
    assert!(old.contains("\"end_index\": 33"), "{screen}");
    assert!(new.contains("\"end_index\": 34"), "{screen}");
}
