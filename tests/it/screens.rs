//! Every window, tab, prompt and mode as it was looked at and found good: keys in, cells out.
//!
//! `INSTA_UPDATE=always cargo test --test it screens` takes what is there now; read the difference before it is committed.

use std::collections::BTreeMap;
use std::{fs, mem};

use ratatui::buffer::Buffer;
use ratatui::layout::Size;
use ratatui::style::{Modifier, Style};
use turnwise::app::Msg;

use crate::browse::{Driver, conflicts, demo, leaving, suggestions};
use crate::codes::coded;
use crate::judgements::judging;
use crate::pairs;
use crate::support::project;
use crate::team::team;

/// A name, what is open, columns and rows, and keys. One with `~` before it is typed, with `+` for a space; behind `--`
/// are those whose changes are shown.
type Case = (&'static str, fn() -> Driver, (u16, u16), &'static str);

const SMALL: (u16, u16) = (80, 24);
const USUAL: (u16, u16) = (120, 40);
const LARGE: (u16, u16) = (200, 60);

fn tasks() -> Driver {
    Driver::demo("taskmaster-3.json", 120, 40)
}

fn restaurants() -> Driver {
    Driver::demo("taskmaster-1.json", 120, 40)
}

fn chats() -> Driver {
    Driver::demo("messages.jsonl", 120, 40)
}

fn session() -> Driver {
    Driver::demo("sessions/claude-code-ferry.jsonl", 120, 40)
}

fn services() -> Driver {
    Driver::demo("sgd/dialogues_001.json", 120, 40)
}

fn logs() -> Driver {
    let names = ["dbdc/demo_001.log.json", "dbdc/demo_002.log.json", "dbdc/demo_003.log.json"];
    let mut driver = Driver::open(&names.map(demo), 120, 40);
    "mk".clone_into(&mut driver.app.judging.annotator);
    driver.press("esc");
    driver
}

fn everything() -> Driver {
    let files = ["messages.jsonl", "multiwoz/gardens.json", "sim-m.json", "taskmaster-3.json"];
    Driver::open(&files.map(demo), 120, 40)
}

fn broken() -> Driver {
    let (name, text) = demo("taskmaster-3.json");
    let broken = text.replacen("\"speaker\"", "\"speaker", 1);
    Driver::open(&[(name, broken), demo("sim-m.json")], 120, 40)
}

fn changed() -> Driver {
    let mut driver = tasks();
    driver.press("l ]");
    driver.tell(Msg::Changed { file: 0, saving: false });
    driver
}

const CASES: &[Case] = &[
    // Where the others begin.
    ("one-file", tasks, SMALL, ""),
    ("one-file", tasks, USUAL, ""),
    ("files", everything, SMALL, ""),
    ("logs", logs, SMALL, ""),
    ("logs", logs, USUAL, ""),
    // Reading.
    ("list", everything, SMALL, "w l"),
    ("list-sorted", everything, USUAL, "w l s s r"),
    ("list-filtered", everything, SMALL, "F ~label:date enter"),
    ("file-that-is-broken", broken, SMALL, ""),
    ("folded-calls", tasks, USUAL, "j j j j z z"),
    ("marks-under-every-turn", tasks, SMALL, "m j j"),
    ("with-details", tasks, SMALL, "D"),
    ("one-pane", tasks, USUAL, "w z 5 g"),
    ("two-dialogs", tasks, LARGE, "| J j"),
    ("two-dialogs-narrow", tasks, SMALL, "| J"),
    ("session", session, LARGE, "j j j"),
    ("session-call", session, USUAL, "6 g f7"),
    // Tabs.
    ("tab-turn", restaurants, USUAL, "3 g l f7"),
    ("tab-api", tasks, USUAL, "4 g : ~show_api enter f7 j j"),
    ("tab-turn-with-acts", services, USUAL, "j : ~show_turn enter f7 j"),
    ("tab-answers", logs, USUAL, ": ~show_answers enter f7"),
    ("answers-by-system", logs, LARGE, ": ~show_charts enter"),
    ("tab-problems", everything, USUAL, "P f7 j j"),
    ("tab-hits", tasks, USUAL, "/ ~label:date enter -- H f7 j"),
    ("tab-info", services, USUAL, "i"),
    ("tab-source", tasks, USUAL, "l S f7"),
    ("tab-edits", tasks, USUAL, "l ] j l d -- E f7 j"),
    ("tab-codes", coded, USUAL, ""),
    ("team", team, USUAL, ": ~team enter"),
    ("tab-answers-of-questions", coded, LARGE, "esc w t K K"),
    // Finding.
    ("prompt-search", tasks, SMALL, "/ ~ticket"),
    ("prompt-search-refused", tasks, SMALL, "/ ~(label:date enter"),
    ("prompt-label", tasks, USUAL, "L ~na"),
    ("prompt-api", tasks, SMALL, "A"),
    ("prompt-dialog", everything, SMALL, "# ~dlg"),
    ("prompt-file", everything, SMALL, "@ ~sim"),
    ("prompt-bookmarks", tasks, SMALL, "3 g ' J ' -- \""),
    ("prompt-count", everything, USUAL, "/ ~label:date enter -- C ~label enter"),
    ("found", tasks, SMALL, "/ ~the+grand enter n n"),
    ("nothing-found", tasks, SMALL, "/ ~zebra enter"),
    // Help.
    ("help", tasks, USUAL, "?"),
    ("help-while-judging", logs, SMALL, "j -- ? pgdn"),
    ("manual", tasks, SMALL, "? tab tab enter tab"),
    ("menu", tasks, USUAL, "l -- ;"),
    ("palette", tasks, SMALL, ": ~turn"),
    ("key-without-meaning", tasks, SMALL, "C-b"),
    // Repairing.
    ("spans", tasks, USUAL, "5 g enter w W"),
    ("prompt-labels", tasks, USUAL, "l -- r ~mov"),
    ("prompt-new-segment", tasks, SMALL, "enter W -- a"),
    ("prompt-text", tasks, USUAL, "5 g -- e ~+Then+nine."),
    ("prompt-value", tasks, USUAL, "4 g : ~show_api enter f7 j j -- enter"),
    ("prompt-speaker", tasks, SMALL, ": ~set_speaker enter"),
    ("prompt-field", tasks, USUAL, ": ~set_field enter"),
    ("fixes", tasks, USUAL, "5 g l l -- f"),
    ("fixes-of-all", tasks, USUAL, "X tab tab j space"),
    ("alike", tasks, SMALL, "l -- & tab tab"),
    ("prompt-ignore", tasks, SMALL, "n -- I"),
    ("prompt-exclude", tasks, SMALL, "C-x"),
    ("undone", tasks, SMALL, "l ] ] -- u"),
    ("saved", tasks, SMALL, "l ] -- C-s"),
    ("question-quit", tasks, SMALL, "l ] -- q"),
    ("question-save", tasks, USUAL, "enter right right right S-right a 1 -- C-s"),
    ("question-changed", changed, SMALL, ""),
    ("question-restore", || leaving::next_run(None, leaving::unsaved("mk", "x x")), USUAL, ""),
    // Judging.
    ("judging", logs, SMALL, "o"),
    ("judging-blind", logs, USUAL, "b"),
    ("judging-later-hidden", logs, SMALL, "5 g B"),
    ("judging-adjudicator", logs, USUAL, "= 3 g"),
    ("prompt-annotator", tasks, SMALL, "V j -- o"),
    ("prompt-comment", logs, SMALL, "o -- c ~evasive"),
    ("prompt-sample", logs, SMALL, ": ~queue_sample enter"),
    ("queue", logs, SMALL, ": ~queue_ties enter"),
    ("scheme-success", || judging("taskmaster-3.json", "success"), USUAL, "5 g x K"),
    ("scheme-quality", || judging("messages.jsonl", "quality"), SMALL, "2 g"),
    ("scheme-codes", || judging("messages.jsonl", "error-analysis"), USUAL, "3 g -- x ~slow"),
    ("prompt-note", || judging("taskmaster-3.json", "success"), SMALL, "3 g -- c ~late+#slow"),
    ("pairs", || pairs::judging(pairs::ONCE, 120, 40), USUAL, ""),
    // Lists to decide.
    ("suggestions", suggested, USUAL, "enter"),
    ("conflicts", conflicting, USUAL, ""),
    ("conflicts-base", conflicting, SMALL, "v t"),
    ("chat-calls", chats, USUAL, "j j : ~show_api enter f7 j"),
];

fn suggested() -> Driver {
    suggestions::review("taskmaster-1.json", &[suggestions::NAME, suggestions::DAY], 120, 40)
}

fn conflicting() -> Driver {
    use conflicts::{END_17, GONE, ROAD, STREET, merged};
    merged(&[ROAD, END_17], &[STREET, GONE], 120, 40)
}

/// The rows of a screen that differ from an earlier one, with `…` for those between, and, a line each, the styles in
/// them with the first words in each.
fn looks(driver: &Driver, before: Option<&Buffer>) -> String {
    let (cells, screen) = (driver.cells(), driver.screen());
    let width = cells.area.width;
    let (mut rows, mut is_left_out) = (String::new(), false);
    let mut styles: BTreeMap<String, String> = BTreeMap::new();
    for (y, row) in (0..cells.area.height).zip(screen.lines()) {
        if before.is_some_and(|before| (0..width).all(|x| before[(x, y)] == cells[(x, y)])) {
            is_left_out = true;
            continue;
        }
        rows += if mem::take(&mut is_left_out) { "…\n" } else { "" };
        rows.extend([row, "\n"]);
        for cell in (0..width).map(|x| &cells[(x, y)]) {
            let Style { fg, bg, add_modifier, .. } = cell.style();
            let [fg, bg] = [fg, bg].map(|colour| colour.unwrap_or_default().to_string());
            let marks = if add_modifier == Modifier::empty() {
                String::new()
            } else {
                format!("{add_modifier:?}")
            };
            let words =
                styles.entry(format!("{fg} on {bg} {marks}").trim_end().to_owned()).or_default();
            if words.chars().count() < 24 && !(cell.symbol() == " " && words.ends_with(' ')) {
                words.push_str(cell.symbol());
            }
        }
    }
    let styles = styles.iter().filter(|(_, words)| !words.trim().is_empty());
    let styles = styles.map(|(style, words)| format!("{style}: {}\n", words.trim()));
    format!("{rows}---\n{}", styles.collect::<String>())
}

/// A case without keys is a whole screen; the others are what their keys change.
#[test]
fn every_window_tab_prompt_and_mode_looks_as_it_did() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("screens");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        for (name, open, (columns, rows), keys) in CASES {
            let mut driver = open();
            driver.tell(Msg::Resize(Size::new(*columns, *rows)));
            let mut before = (!keys.is_empty()).then(|| driver.cells());
            for key in keys.split(' ').filter(|key| !key.is_empty()) {
                match key.strip_prefix('~') {
                    Some(text) => _ = driver.type_text(&text.replace('+', " ")),
                    None if key == "--" => before = Some(driver.cells()),
                    None => _ = driver.press(key),
                }
            }
            insta::assert_snapshot!(
                format!("{name}-{columns}x{rows}"),
                looks(&driver, before.as_ref())
            );
        }
    });
    let files = fs::read_dir(project("tests/it/screens")).unwrap();
    assert_eq!(files.count(), CASES.len(), "a snapshot that no case has; remove it");
}
