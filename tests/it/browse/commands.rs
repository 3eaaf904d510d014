//! Every command, run by its keys, and its effect on the screen.

use std::collections::BTreeSet;

use serde_json::Value;
use turnwise::app::MouseAction;
use turnwise::app::input::{Command, Keymap};
use turnwise::shell::KEYMAPS;

use super::fixtures::said;
use super::suggestions::{self, DAY, NAME};
use super::{Driver, demo};

/// A command, the keys before it, its own keys, and text that only then is on the screen, or in the
/// [`report`] below it.
type Case = (&'static str, &'static str, &'static str, &'static str);

/// On taskmaster-3.json, 120 columns and 30 rows.
const CASES: &[Case] = &[
    ("turn_next", "", "down", "turn 1 ·"),
    ("turn_next", "", "3 j", "turn 3 ·"),
    ("turn_previous", "j j", "up", "turn 1 ·"),
    ("note", "j", "c", "our annotator id"),
    ("turn_previous", "", "k", "this is the first turn"),
    ("turn_first", "G", "g", "turn 0 ·"),
    ("turn_first", "", "4 g", "turn 4 ·"),
    ("turn_last", "", "G", "turn 15 · 16 turns"),
    ("turn_last", "", "6 G", "turn 6 ·"),
    ("segment_next", "", "right", "▸   28..33"),
    ("segment_previous", "l l l", "h", "▸   37..49"),
    ("page_down", "", "pgdn", "   8 user"),
    ("page_up", "G", "pgup", "   4 user"),
    ("half_page_down", "", "C-d", "turn 4 ·"),
    ("half_page_up", "G", "C-u", "turn 8 ·"),
    ("actions", "right", ";", "What you can do here"),
    ("actions", "right", "; enter", "●1 unsaved"),
    ("toggle_bookmark", "3 g", "'", "bookmarked;"),
    ("bookmarks", "", "\"", "there are no bookmarks"),
    ("count_hits", "/ t i c k e t enter", "C", "count hits by"),
    ("jump_back", "9 g", "C-o", "turn 0 ·"),
    ("jump_forward", "9 g C-o", "C-n", "turn 9 ·"),
    ("dialog_next", "", "J", "  2 of 3"),
    ("dialog_next", "J J", "J", "this is the last dialog"),
    ("dialog_previous", "J J", "K", "  2 of 3"),
    ("down", "f6", "j", "  2 of 3"),
    ("up", "f6 j j", "k", "  2 of 3"),
    ("first", "f6 G", "g", "  1 of 3"),
    ("last", "f6", "G", "  3 of 3"),
    ("down", "S f7", "j j j", "14 rows below"),
    ("up", "S f7 j j", "k k", "turn · taskmaster-3.json"),
    ("show_blame", ":", "s h o w _ b l a m e enter", "Who changed what in the dialog"),
    ("show_edits", "", "E", "nothing to show under Edits"),
    ("item_change", "f7", "enter", "caret"),
    ("item_change", "dot f7", "enter", "APIs"),
    ("item_change", "S f7", "enter", "→ segment"),
    ("item_add", "dot f7 j", "a", "Names"),
    ("item_rename", "dot f7 j j", "r", "Names"),
    ("item_delete", "dot f7 j j", "d", "●1 unsaved"),
    ("first", "S f7 G", "g", "turn · taskmaster-3.json"),
    ("last", "S f7", "G", "\"date.showing\""),
    ("search", "", "/", "find text, or in:…"),
    ("find_label", "", "L", "find label:"),
    ("find_api", "", "A", "find api:"),
    ("find_problem", "", "!", "problem: 1 of"),
    ("problem_next", "", "n", "includes the"),
    ("problem_previous", "", "p", "from the end again"),
    ("exclude", "", "C-x", "reason to exclude this dialog"),
    ("ignore", "", "I", "no problem here"),
    ("fix_all_of_rule", "n", "R", "span-edge-punctuation in this dialog"),
    ("fix_all_of_rule", "", "R", "no problem here"),
    ("fix_all_safe", "", "X", "safe fixes in this dialog"),
    ("label_alike", "", "&", "select a segment first"),
    ("down", "X tab", "j", "number 2"),
    ("up", "X tab j j", "k", "number 2"),
    ("review_tick", "n R", "space", "0 of 1 ticked"),
    ("review_tick_all", "n R", "a", "0 of 1 ticked"),
    ("review_reach", "n R", "tab", "in this file"),
    ("review_apply", "n R", "A", "1 fix applied"),
    ("review_close", "n R", "esc", "no fix was applied"),
    ("toggle_ignored", "n I enter", "Z", "1 ignored; Z hides them"),
    ("fix", "", "f", "no problem here"),
    ("show_problems", "", "P", "span-edge-punctuation"),
    ("find_next", "! ", "n", "turn 12 ·"),
    ("find_previous", "!", "p", "Dialogs  3 of 3"),
    ("find_same_label", "l", "*", "label:"),
    ("find_same_label", "", "*", "select a segment with a label first (→)"),
    ("goto_dialog", "", "#", "go to dialog id"),
    ("goto_dialog", "", "2 #", "  3 of 3"),
    ("goto_file", "", "@", "go to file part of its name"),
    ("filter", "", "F", "filter dialogs part of an id"),
    ("sort", "f6", "s", "sorted by id"),
    ("sort_backwards", "f6 s", "r", "sorted by id, backwards"),
    ("focus_next", "", "tab", "Esc transcript"),
    ("focus_previous", "", "S-tab", "f filter"),
    ("focus_dialogs", "", "f6", "f filter"),
    ("focus_transcript", "f6", "w t", "→ segment"),
    ("list_open", "f6", "enter", "→ segment"),
    ("focus_details", "", "f7", "Esc transcript"),
    ("fill_screen", "", "w z", "w z shows all panes again"),
    ("pin", "", "|", "pinned · go to another dialog"),
    ("pin_swap", "", "w w", "pin a dialog first (|)"),
    ("pin_together", "|", "w s", "· apart"),
    ("pin_same_id", "", "w i", "no other file has a dialog"),
    ("tab_next", "", "dot", "calls in this dialog"),
    ("tab_previous", "dot", "comma", "turn 0 · 3 segments"),
    ("show_info", "", "i", "Movie Tickets"),
    ("show_source", "", "S", "\"speaker\": "),
    ("toggle_details", "", "D", "scary at The Grand 12 tonight"),
    ("toggle_marks", "", "m", "marked under every turn"),
    ("toggle_calls", "", "z", "shown in full"),
    ("toggle_call", "j j j j dot f7", "z", "the call is folded"),
    ("judge", "", "V", "judge system turns"),
    ("back", "j l", "esc", "L label"),
    ("help", "", "?", "Help: reading a dialog"),
    ("down", "?", "j j", "next turn"),
    ("up", "? j", "k", "↓ ↑ turn"),
    ("page_down", "?", "pgdn pgdn pgdn pgdn pgdn", "The manual"),
    ("page_up", "? pgdn", "pgup", "↓ ↑ turn"),
    ("first", "? G", "home", "↓ ↑ turn"),
    ("last", "?", "G", "The manual"),
    ("help_search", "?", "/", "Lines of this page"),
    ("help_link_next", "?", "tab tab", "▸ searching"),
    ("help_link_previous", "? tab tab", "S-tab", "▸ browsing"),
    ("help_open", "? tab tab", "enter", "Manual: searching"),
    ("help_back", "? tab enter", "esc", "▸ browsing"),
    ("help_close", "? tab enter", "q", "→ segment"),
    ("palette", "", ":", "Commands"),
    ("accept", "/ e", "enter", "e: "),
    ("cancel", "/ e", "esc", "→ segment"),
    ("down", ":", "down", "▸ edit_text"),
    ("page_down", ": down", "pgdn", "3–16 of"),
    ("copy_text", "", "y", "asked the terminal to copy the text"),
    ("copy_id", "", "Y", "asked the terminal to copy the id"),
    ("copy_json", "", "C-y", "asked the terminal to copy the JSON of the turn"),
    ("redraw", "", "C-l", "[Redraw]"),
    ("suspend", "", "C-z", "[Suspend]"),
    ("quit", "", "q", "[Quit]"),
    ("span_enter", "", "enter", "W select word"),
    ("span_leave", "enter", "esc", "→ segment"),
    ("span_done", "enter", "enter", "→ segment"),
    ("caret_right", "enter", "right", "caret at 1."),
    ("caret_left", "enter right", "left", "caret at 0."),
    ("caret_word_right", "enter", "w", "caret at 4."),
    ("caret_word_left", "enter w", "b", "caret at 0."),
    ("caret_start", "enter w", "home", "caret at 0."),
    ("caret_end", "enter", "end", "caret at 57."),
    ("select_right", "enter", "S-right a", "label of the new segment"),
    ("select_left", "enter end", "S-left a", "label of the new segment"),
    ("select_word_right", "enter", "W a", "label of the new segment"),
    ("select_word_left", "enter end", "B a", "label of the new segment"),
    ("select_start", "enter end", "S-home a", "label of the new segment"),
    ("select_end", "enter", "S-end a", "label of the new segment"),
    ("select", "enter", "v w a", "label of the new segment"),
    ("select_all", "enter", "% a", "label of the new segment"),
    ("end_right", "l", "]", "28..34 \"scary \""),
    ("end_left", "l", "[", "28..32 \"scar\""),
    ("start_right", "l", "}", "29..33 \"cary\""),
    ("start_left", "l", "{", "27..33 \" scary\""),
    ("end_word_right", "l", ")", "28..36 \"scary at\""),
    ("end_word_left", "l )", "(", "28..33 \"scary\""),
    ("start_word_right", "l enter", ">", "at least one character"),
    ("start_word_left", "l enter", "<", "18..33 \"something scary\""),
    ("segment_to_selection", "l enter W", "=", "●1 unsaved"),
    ("add_segment", "enter", "a", "select what the segment should cover"),
    ("relabel", "l", "r", "Labels"),
    ("add_label", "l enter", "L 2", "●1 unsaved"),
    ("remove_label", "l enter", "R", "●1 unsaved"),
    ("delete_segment", "", "d", "select a segment first (→)"),
    ("split_segment", "l enter left left", "s", "turn 0 · 4 segments"),
    ("merge_segments", "l enter", "M", "turn 0 · 2 segments"),
    ("edit_text", "", "e", "Text of turn"),
    ("set_speaker", ": s e t _ s p e", "enter", "Speaker of turn 0"),
    ("add_call", ": a d d _ c a", "enter", "for the new call in turn 0"),
    ("add_turn", ": a d d _ t u", "enter", "Speaker of the new turn after turn 0"),
    ("remove_turn", ": r e m o v e _ t u", "enter", "turn 0 removed, with 3 segments; u brings"),
    ("set_field", ": s e t _ f i e", "enter", "Texts of the dialog"),
    ("undo", "l ]", "u", "undone: end 33 → 34 in turn 0"),
    ("redo", "l ] u", "U", "redone: end 33 → 34 in turn 0"),
    ("save", "l ]", "C-s", "saved taskmaster-3.json: 2 lines changed"),
    ("save_all", "l ]", "W", "saved taskmaster-3.json"),
    ("answer_yes", "l ] q", "y", "saved taskmaster-3.json"),
    ("answer_no", "l ] q", "n", "Quit]"),
    ("answer_later", "l ] q", "esc", "Ctrl-S save"),
    ("answer_later", "l ] q", "enter", "Ctrl-S save"),
    ("answer_later", "enter right right right S-right a 1 C-s", "esc", "nothing was saved"),
];

/// Commands for breakdown logs, as [`CASES`].
const JUDGING: &[Case] = &[
    ("queue_found", "", "Q", "first search for turns to judge"),
    ("show_hits", "", "H", "search first"),
    ("list_fold", "w l", "left", "no file or folder to fold here"),
    ("vote_o", "", "o", "your annotator id"),
    ("vote_t", "", "t", "your annotator id"),
    ("vote_x", "home", "x", "only system turns"),
    ("vote_comment", "", "c", "you have not judged"),
    ("vote_ungrammatical", "", "C-g", "you have not judged"),
    ("type_answer", "", "a", "no scheme asks questions here"),
    ("vote_withdraw", "", "backspace", "you have not judged"),
    ("vote_skip", "", "space", "turn 3 ·"),
    ("blind", "", "b", "votes are hidden until"),
    ("hide_later", "", "B", "the rest is hidden"),
    ("guideline", "", "f2", "no guideline is set"),
    ("adjudicate", "", "=", "adjudicator mode"),
];

/// Commands for breakdown logs that the palette runs.
const JUDGING_BY_NAME: &[(&str, &str)] = &[
    ("annotator", "your annotator id"),
    ("ask_question", "Choose questions"),
    ("queue_all", "all system turns"),
    ("queue_ties", "ties"),
    ("queue_undecided", "absolute majority"),
    ("queue_entropy", "lowest agreement"),
    ("queue_gold", "turns without a gold label"),
    ("queue_detector", "detector disagrees"),
    ("queue_sample", "sample size"),
];

/// Commands for suggestions, as [`CASES`].
const SUGGESTING: &[Case] = &[
    ("review_take", "", "enter", "2 of 2 · 1 taken"),
    ("review_leave", "", "-", "2 of 2 · 0 taken"),
    ("review_tick", "", "space", "1 of 2 · 0 taken · 1 ticked"),
    ("review_apply", "a", "A", "2 taken, 0 left"),
    ("review_both", "", "b", "only conflicts have two sides"),
    ("review_by_hand", "", "e", "edit turn 3 ·"),
    ("review_side", "", "v", "only conflicts have two sides"),
    ("review_undo", "enter", "u", "1 of 2 · 0 taken"),
    ("review_close", "", "esc", "0 taken, 0 left, 2 open"),
    ("suggestions", "esc :", "s u g g e s t i o n s enter", "1 of 2"),
];

#[test]
fn every_key_for_suggestions_does_what_its_command_says() {
    for case in SUGGESTING {
        let driver = suggestions::review("taskmaster-1.json", &[NAME, DAY], 120, 30);
        try_case(driver, *case);
    }
}

#[test]
fn every_key_and_name_for_logs_does_what_its_command_says() {
    let log = || Driver::demo("dbdc/demo_002.log.json", 120, 30);
    for case in JUDGING {
        try_case(log(), *case);
    }
    for (name, shown) in JUDGING_BY_NAME {
        log().run(name).shows(shown);
    }
}

/// Answers to questions after a failed save or an earlier run: see `leaving`.
const OF_OTHER_QUESTIONS: [&str; 2] = ["answer_keep", "answer_show"];

/// Commands that have no key: the palette runs them.
const BY_NAME: &[(&str, &str)] = &[
    ("list_found", "search first"),
    ("hits_to_file", "search first"),
    ("report", "write a report to"),
    ("show_turn", "turn 0 · "),
    ("show_api", "calls in this dialog"),
    ("reload", "Transcript"),
    ("theme_next", "[NextTheme]"),
    ("recover", "the last run left no edits to decide about"),
    ("show_answers", "nothing to show under Answers"),
    ("show_charts", "there are no votes"),
    ("show_codes", "nothing to show under Answers"),
    ("team", "no judgements or assignments"),
];

/// The screen, what it shows by colours, and what was asked of the shell.
fn report(driver: &Driver) -> String {
    let caret = driver.app.panes.transcript.caret;
    let caret = caret.map_or(String::new(), |caret| format!("caret at {}.", caret.at));
    format!("{}\n{caret}\n{:?}", driver.screen(), driver.wanted)
}

fn try_case(mut driver: Driver, (name, before, keys, shown): Case) {
    driver.press(before);
    let earlier = report(&driver);
    assert!(!earlier.contains(shown), "{name}: {shown:?} is already on\n{earlier}");
    driver.press(keys);
    let later = report(&driver);
    assert!(later.contains(shown), "{name}: {shown:?} is not on\n{later}");
}

#[test]
fn every_key_does_what_its_command_says() {
    for case in CASES {
        try_case(Driver::demo("taskmaster-3.json", 120, 30), *case);
    }
}

#[test]
fn the_palette_runs_commands_without_keys() {
    for (name, shown) in BY_NAME {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
        let later = report(driver.run(name));
        assert!(later.contains(shown), "{name}: {shown:?} is not on\n{later}");
    }
}

#[test]
fn the_palette_finds_commands_by_the_words_people_use() {
    for (word, command) in [
        ("join", "merge_segments"),
        ("cut", "split_segment"),
        ("autofix", "fix_all_safe"),
        ("exit", "quit"),
        ("export", "copy_json"),
        ("category", "relabel"),
        ("delete", "delete_segment"),
        ("label", "find_label"),
        ("write", "save"),
    ] {
        let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
        let screen = driver.press(":").type_text(word).screen();
        let mut lines = screen.lines();
        lines.find(|line| line.contains(" Commands"));
        let first = lines.next().unwrap_or_default();
        assert!(first.contains(&format!(" {command} ")), "{word}\n{screen}");
    }
}

#[test]
fn every_command_is_tested_and_can_be_reached() {
    let tested: BTreeSet<_> =
        [CASES, JUDGING, SUGGESTING].concat().into_iter().map(|(name, ..)| name).collect();
    let by_name = BY_NAME.iter().chain(JUDGING_BY_NAME).map(|(name, _)| *name);
    let by_name: BTreeSet<_> = by_name.chain(OF_OTHER_QUESTIONS).collect();
    let keymap = Keymap::read(KEYMAPS[0].1).unwrap();
    for command in Command::ALL.iter().copied() {
        let name = command.name();
        assert!(tested.contains(name) || by_name.contains(name), "{name} has no test");
        let bound = keymap.bindings().iter().any(|b| b.command == command);
        assert!(bound || command.row().in_palette, "{name} cannot be reached");
    }
}

#[test]
fn every_keymap_that_comes_with_the_program_can_be_used() {
    for (name, text) in KEYMAPS {
        let keymap = Keymap::read(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        for needed in ["help", "palette", "quit", "search", "accept", "cancel", "turn_next"] {
            let bound = keymap.bindings().iter().any(|b| b.command.name() == needed);
            assert!(bound, "{name} has no key for {needed}");
        }
    }
}

#[test]
fn the_mouse_focuses_chooses_and_scrolls() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.find("zzz").shows("no hits: zzz");
    driver.click(5, 3).shows("  2 of 3").shows("f filter").shows_not("no hits");
    driver.click(40, 20);
    assert!(driver.turn() > 0);
    driver.shows("→ segment");
    let turn = driver.turn();
    driver.wheel(MouseAction::WheelDown, 40, 5);
    driver.wheel(MouseAction::WheelUp, 40, 5);
    assert!(driver.turn() >= turn);
    driver.wheel(MouseAction::WheelDown, 5, 3).shows("  2 of 3");
    // In the list, the wheel opens no other dialog.
    let all = (0..90).map(|number| said(&format!("dlg-{number}"), &["hi"]));
    let text = all.collect::<Value>().to_string();
    let mut driver = Driver::open(&[("a.json", text)], 120, 30);
    driver.shows(" dlg-0 ").wheel(MouseAction::WheelDown, 5, 3);
    driver.shows("  1 of 90").shows_not(" dlg-1 ").shows(" dlg-3 ");
    driver.press("J").shows(" dlg-1 ").shows("  2 of 90");
}

#[test]
fn past_searches_come_back() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 30);
    driver.press("/ g r a n d enter / c a n a l enter");
    driver.press("/ x up").shows("find canal");
    driver.press("up").shows("find grand");
    driver.press("up").shows("find grand");
    driver.press("down down").shows("find x");
}

#[test]
fn one_after_the_other_files_are_read() {
    let files = [demo("taskmaster-3.json"), demo("sim-m.json")];
    let mut driver = Driver::unopened(&files, 120, 30);
    driver.shows("reading …").shows("reading 0 %");
    driver.read(0, files[0].1.clone().into_bytes());
    driver.shows("reading 50 %").shows("  1 of 3");
    driver.read(1, files[1].1.clone().into_bytes());
    driver.shows_not("reading").shows("sim-m.json  3");
}

/// One key shows the details, and the focus leaves a list that they hide.
#[test]
fn the_focus_is_on_a_pane_that_is_seen_at_80_columns() {
    let is_seen = |driver: &Driver| {
        let layout = driver.app.panes.layout().unwrap();
        !layout.pane(driver.app.panes.focus).is_empty()
    };
    for focus in ["", "f6", "enter", "f6 enter"] {
        let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
        driver.press(focus).press("esc esc").press(focus);
        driver.press("D").shows("Turn").press("j").shows("Transcript");
        assert!(is_seen(&driver), "{focus}");
    }
    for keys in ["f6 P", "w l P", "f6 : s h o w _ e d i t s enter"] {
        let mut driver = Driver::demo("taskmaster-3.json", 80, 24);
        driver.press(keys);
        assert!(is_seen(&driver), "{keys}");
    }
}

#[test]
fn the_palette_begins_with_what_was_run_from_it() {
    let mut driver = Driver::demo("taskmaster-3.json", 120, 40);
    let first = |driver: &mut Driver| {
        let screen = driver.press(":").screen();
        driver.press("esc");
        let (_, window) = screen.split_once("┌ Commands").unwrap();
        let (_, row) = window.split_once("│▸").unwrap();
        row.split_whitespace().next().unwrap().to_owned()
    };
    for name in ["show_api", "sort", "show_api"] {
        driver.run(name);
        assert_eq!(first(&mut driver), name);
    }
    driver.press(":").shows("show_api").shows("sort");
}
