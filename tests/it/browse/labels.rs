//! The colours of labels on the screen.

use std::collections::HashMap;

use ratatui::style::{Color, Modifier};
use serde_json::Value;
use turnwise::app::pane::Ink;
use turnwise::app::pane::label_colours::{LabelColours, LabelOrder};
use turnwise::app::settings::{LabelPins, Settings};
use turnwise::query::{NameKind, Names};
use turnwise::view::theme::THEMES;
use turnwise::view::{Colours, Theme};

use super::fixtures::{segment, turn};
use super::{Driver, fixtures};
use crate::support::files::{open_path, own_files, real_files, say};

/// A dialog of a turn "w00 w01 w02 …" with a label on each word.
fn dialog(id: &str, labels: &[&str]) -> Value {
    let words: Vec<_> = (0..labels.len()).map(|n| format!("w{n:02}")).collect();
    let segments = labels.iter().enumerate().map(|(n, label)| segment(n * 4, &words[n], label));
    fixtures::dialog(id, vec![turn("user", &words.join(" "), segments.collect())])
}

fn corpus(dialogs: &[Value]) -> String {
    serde_json::to_string(dialogs).unwrap()
}

/// The colour and the emphasis of the first cell of a text.
fn style_of(driver: &Driver, text: &str) -> (Color, Modifier) {
    let (column, row) = driver.place_of(text);
    let cell = &driver.cells()[(column, row)];
    (cell.fg, cell.modifier)
}

#[test]
fn each_label_of_a_dialog_has_a_look_of_its_own() {
    let names: Vec<_> = (0..23).map(|n| format!("topic.slot{n}")).collect();
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let text = corpus(&[dialog("a", &names), dialog("b", &["topic.slot9", "new"])]);
    let mut driver = Driver::open(&[("corpus.json", text)], 140, 40);
    let mut looks = HashMap::new();
    for number in 0..23 {
        let look = style_of(&driver, &format!("w{number:02}"));
        assert_eq!(looks.insert(look, number), None, "{look:?}");
    }
    // The same label looks the same in the next dialog.
    let ninth = style_of(&driver, "w09");
    driver.press("J");
    assert_eq!(style_of(&driver, "w00"), ninth);
}

#[test]
fn colours_do_not_depend_on_which_file_is_read_first() {
    let files = [
        ("a.json", corpus(&[dialog("a", &["one", "two"])])),
        ("b.json", corpus(&[dialog("b", &["three", "one"])])),
    ];
    let colours = |order: [usize; 2]| {
        let mut driver = Driver::unopened(&files, 140, 40);
        for file in order {
            driver.read(file, files[file].1.clone().into_bytes());
        }
        driver.press("home");
        let ink = |label| driver.app.panes.transcript.label_ink(label);
        ["one", "two", "three"].map(ink)
    };
    assert_eq!(colours([0, 1]), [0, 1, 2].map(Ink::Label));
    assert_eq!(colours([1, 0]), colours([0, 1]));
}

#[test]
fn a_label_has_the_colour_that_the_settings_give_it() {
    let files = [("corpus.json", corpus(&[dialog("a", &["one", "two"])]))];
    let mut driver = Driver::unopened(&files, 140, 40);
    driver.app.settings.labels = toml::from_str("two = { colour = 1, digit = 4 }").unwrap();
    driver.read(0, files[0].1.clone().into_bytes());
    let ink = |label| driver.app.panes.transcript.label_ink(label);
    assert_eq!(["one", "two"].map(ink), [1, 0].map(Ink::Label));
    assert_eq!(driver.app.settings.labels.label_of_digit(4), Some("two"));
    for wrong in ["{ colour = 33 }", "{ digit = 0 }", "{ colours = 1 }"] {
        let (_, errors) = Settings::read(&format!("[labels]\na = {wrong}\n"));
        assert!(errors[0].reason.starts_with("`labels`: "), "{errors:?}");
    }
}

/// In all demo dialogs, and in real ones where there are some.
#[test]
fn no_two_labels_of_a_dialog_share_a_look_in_real_corpora() {
    let themes = THEMES.iter().filter(|(name, _)| *name != "monochrome");
    let themes: Vec<_> =
        themes.map(|(name, text)| (name, Theme::read(text, Colours::True).unwrap())).collect();
    let mut folders: HashMap<_, Vec<_>> = HashMap::new();
    let files = own_files().into_iter();
    for path in files.chain(real_files("label colours").unwrap_or_default()) {
        let folder = path.parent().unwrap().to_owned();
        folders.entry(folder).or_default().push(path);
    }
    let (mut most, mut dialogs) = (0, 0);
    for files in folders.into_values() {
        let (mut all, mut of_dialogs) = (Names::default(), Vec::new());
        for (number, path) in files.iter().enumerate() {
            let Some(file) = open_path(path) else {
                continue;
            };
            for position in 0..file.index().pieces.len() {
                let Ok(Some((dialog, _))) = file.dialog(position) else {
                    continue;
                };
                let mut names = Names::default();
                names.add(&dialog, number as u32, position as u32);
                of_dialogs.push(names.clone());
                all.merge(names);
            }
        }
        let order = LabelOrder::new(all.in_order(NameKind::Label), LabelPins::default());
        for names in of_dialogs {
            let labels = names.in_order(NameKind::Label);
            let colours = LabelColours::new(labels.clone(), &order);
            (most, dialogs) = (most.max(labels.len()), dialogs + 1);
            for (name, theme) in &themes {
                let mut seen = Vec::new();
                for look in labels.iter().map(|label| theme.ink(colours.ink(label, &order))) {
                    assert!(!seen.contains(&look), "{name}: {labels:?}");
                    seen.push(look);
                }
            }
        }
    }
    say(&format!("{dialogs} dialogs with up to {most} labels"));
    assert!(most > 3);
}

/// A dialog without segments whose second dialog has the labels.
fn unlabelled_and(labels: &[&str]) -> String {
    corpus(&[dialog("a", &[]), dialog("b", labels)]).replacen(
        "\"text\":\"\"",
        "\"text\":\"two for Dune\"",
        1,
    )
}

#[test]
fn a_digit_labels_the_selection() {
    let files = [("corpus.json", unlabelled_and(&["one", "two"]))];
    let mut driver = Driver::open(&files, 120, 30);
    driver.press("enter W").shows("1 one  2 two");
    driver.press("2").shows("labelled two").shows("u undoes");
    let turn = driver.app.panes.transcript.current().unwrap();
    let segment = &turn.segments[0];
    assert_eq!((segment.labels[0].name.as_str(), segment.span.unwrap().end), ("two", 3));
    // Digits stay as they are, as in the label picker.
    driver.press("W").shows("1 one  2 two");
    driver.press("a").shows("1 one").press("esc");
    driver.press("7").shows("no label has the digit 7");
    // Without a selection, a digit is a count.
    driver.press("esc 2");
    assert_eq!(driver.app.input.pending.count, Some(2));
    assert_eq!(driver.app.panes.transcript.current().unwrap().segments.len(), 1);
}

/// No edit moves the digit of a label; a new label gets one that is free.
#[test]
fn labels_keep_their_digits_while_one_edits() {
    let labels = ["c", "b", "b", "a", "a", "a"];
    let files = [("corpus.json", unlabelled_and(&labels))];
    let mut driver = Driver::open(&files, 120, 30);
    driver.press("enter W").shows("1 a  2 b  3 c");
    driver.press("3").shows("labelled c");
    driver.press("W").shows("1 a  2 b  3 c").press("a");
    driver.type_text("new").press("enter W W");
    driver.shows("1 a  2 b  3 c  4 new").press("4 esc esc J enter W").shows("1 a  2 b  3 c  4 new");
    driver.press("esc esc l r").shows("1 a").shows("2 b").shows("3 c");
}

/// Enter in the label picker takes the label that the segment has.
#[test]
fn the_label_of_the_segment_is_selected_in_the_picker() {
    for keys in ["l", "3 g l l"] {
        let mut driver = Driver::demo("taskmaster-1.json", 120, 40);
        driver.press(keys);
        let labels = |driver: &Driver| {
            let segment = driver.app.panes.transcript.current_segment().cloned();
            let labels = segment.unwrap().labels.into_iter();
            labels.map(|label| label.name.to_string()).collect::<Vec<_>>()
        };
        let before = labels(&driver);
        driver.press("r");
        let screen = driver.screen();
        let is_selected = |line: &str| line.contains('▸') && line.contains(&before[0]);
        assert!(screen.lines().any(is_selected), "{screen}");
        driver.press("enter").shows("no change");
        assert_eq!(labels(&driver), before);
        assert!(driver.app.workspace.steps.applied().is_empty());
    }
}

#[test]
fn pinned_labels_keep_their_digits() {
    let files = [("corpus.json", unlabelled_and(&["one", "two"]))];
    let mut driver = Driver::unopened(&files, 120, 30);
    driver.app.settings.labels =
        toml::from_str("two = { digit = 1 }\nnew = { digit = 7 }").unwrap();
    driver.read(0, files[0].1.clone().into_bytes());
    driver.press("enter W").shows("1 two  2 one  7 new");
    driver.press("a").shows("1 two").shows("2 one").shows("7 new  new name").press("esc");
    driver.press("7").shows("labelled new, a new name");
    driver.press("W 1").shows("labelled two");
    driver.press("r").shows("1 two").shows("2 one").press("7");
    let turn = driver.app.panes.transcript.current().unwrap();
    let labels = turn.segments.iter().map(|s| s.labels[0].name.as_str());
    assert_eq!(labels.collect::<Vec<_>>(), ["new", "new"]);
}

/// In the picker, labels of this file come before those of other files that match better.
#[test]
fn the_picker_offers_the_labels_of_this_file_first() {
    let files = [
        ("a.json", corpus(&[dialog("a", &["food.item", "food.size", "food.size"])])),
        ("b.json", corpus(&[dialog("b", &["x.name"]), dialog("c", &["x.type.food", "food.end"])])),
    ];
    let mut driver = Driver::open(&files, 140, 40);
    driver.press("J").shows("b.json  b  1 of 2 in this file");
    driver.press("enter tab L").type_text("food");
    let offered = |driver: &Driver| {
        let screen = driver.screen();
        let place = |label: &str| screen.find(&format!(" {label} "));
        ["food.end", "x.type.food", "food.item", "food.size"]
            .map(|label| place(label).expect(&screen))
    };
    let places = offered(&driver);
    assert!(places[..2].iter().all(|own| places[2..].iter().all(|other| own < other)));
    // A label typed in full is first wherever it is used.
    driver.type_text(".item").press("enter").shows("food.item").shows("●1 unsaved");
}
