//! Dialogs that are long, or have many problems: the work for each problem does not grow with them.

use turnwise::lint::{Applicability, FixedDialog, Selection};

use super::{fixed, notation, previewed};

/// Turns with one segment each, which covers the blank after a word.
fn one_in_each_turn(count: usize) -> String {
    let speakers = ["user", "assistant"];
    let turn = |number: usize| {
        let speaker = speakers[number % 2];
        format!("{speaker}: two tickets for «Dune »{{movie.name}}please, {number}")
    };
    notation::dialog(&(0..count).map(turn).collect::<Vec<_>>().join("\n"))
}

/// A turn with many segments, each of which covers the blank after a word.
fn all_in_one_turn(count: usize) -> String {
    let segments = (0..count).map(|number| format!("«película{number} »{{task{number}.name}}"));
    notation::dialog(&format!("user: {}.\nassistant: right", segments.collect::<String>()))
}

fn repaired(text: &str) -> FixedDialog {
    let (after, fixed) = fixed(text, &Selection::default(), Applicability::Safe);
    assert_eq!(fixed.text.as_deref(), Some(after.as_str()));
    let (again, none) = super::fixed(&after, &Selection::default(), Applicability::Safe);
    assert!(none.done.is_empty() && again == after);
    fixed
}

#[test]
fn rounds_of_fix_do_not_grow_with_the_number_of_fixes() {
    for make in [one_in_each_turn, all_in_one_turn] {
        let [some, many] = [40, 160].map(|count| (count, repaired(&make(count))));
        for (count, fixed) in [&some, &many] {
            assert_eq!(fixed.repaired, *count);
            assert!(fixed.skipped.is_empty(), "{:?}", fixed.skipped);
        }
        assert!(some.1.runs == many.1.runs && many.1.runs <= 3, "{}", many.1.runs);
    }
}

#[test]
fn a_preview_of_a_fix_shows_the_text_around_it_only() {
    let previews = previewed(&all_in_one_turn(400));
    assert_eq!(previews.len(), 400);
    for (number, preview) in previews.iter().enumerate() {
        let (before, label) = (&preview.before, format!("{{task{number}.name}}"));
        assert!(before.contains(&format!("«película{number} »{label}")), "{before}");
        assert!(preview.after.contains(&format!("«película{number}»{label} ")), "{before}");
        assert!(before.chars().count() < 300, "{before}");
    }
    let middle = &previews[200].after;
    assert!(middle.starts_with('…') && middle.ends_with('…'), "{middle}");
}
