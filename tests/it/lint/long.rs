//! Dialogs that are long, or have many problems: the work for each problem does not grow with them.

use serde_json::{Value, json};
use turnwise::lint::{Applicability, FixedDialog, Selection};

use super::{fixed, previewed};

fn segment(start: usize, text: &str, label: &str) -> Value {
    json!({"start_index": start, "end_index": start + text.chars().count(), "text": text,
           "annotations": [{"name": label}]})
}

fn dialog(turns: Vec<(String, Vec<Value>)>) -> String {
    let turn = |(index, (text, segments)): (usize, (String, Vec<Value>))| {
        let speaker = if index % 2 == 0 { "user" } else { "assistant" };
        json!({"index": index, "speaker": speaker, "text": text, "segments": segments})
    };
    let turns: Vec<_> = turns.into_iter().enumerate().map(turn).collect();
    let dialog = json!({"conversation_id": "d", "instruction_id": "i", "utterances": turns});
    serde_json::to_string_pretty(&dialog).unwrap()
}

/// Turns with one segment each, which covers the blank after a word.
fn one_in_each_turn(count: usize) -> String {
    let turn = |number: usize| {
        let text = format!("two tickets for Dune please, {number}");
        (text, vec![segment(16, "Dune ", "movie.name")])
    };
    dialog((0..count).map(turn).collect())
}

/// A turn with many segments, each of which covers the blank after a word.
fn all_in_one_turn(count: usize) -> String {
    let (mut text, mut segments) = (String::new(), Vec::new());
    for number in 0..count {
        let word = format!("película{number} ");
        segments.push(segment(text.chars().count(), &word, &format!("task{number}.name")));
        text.push_str(&word);
    }
    dialog(vec![(text + ".", segments), ("right".to_owned(), Vec::new())])
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
