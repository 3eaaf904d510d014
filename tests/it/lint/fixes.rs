//! Fixes, tried on the demo, real corpora and dialogs with every fault: each removes its problem, brings no
//! worse one and touches nothing else; fixing comes to an end, and then stays there.

use serde_json::Value;
use turnwise::dialog::{Dialog, Edit, Segment};
use turnwise::format::{self, detect};
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{Applicability, Diagnostic, Fix, Selection};

use super::slips::{SLIPS, plant};
use super::{fixed, found_in, registry};
use crate::support::amount;
use crate::support::files::{dialogs_of, open_path, own_files, real_files, say, spread};

/// Every rule, also those that are off by default.
pub fn everything() -> Selection {
    let mut selection = Selection::none();
    selection.select("all").unwrap();
    selection
}

pub fn read(text: &str) -> Dialog {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    detect(tree.root()).unwrap().read(tree).0
}

/// The text after a fix.
pub fn apply(text: &str, fix: &Fix) -> String {
    let mut parser = Parser::new();
    let format = detect(parser.parse_piece_str(text).unwrap().root()).unwrap();
    let escapes = Escapes::seen_in(text);
    fix.edits.iter().fold(text.to_owned(), |text, edit| {
        let edited = format::edit(format, &text, escapes, edit);
        edited.unwrap_or_else(|e| panic!("{fix:?}: {e}\n{text}")).text
    })
}

fn count(found: &[Diagnostic], like: &Diagnostic) -> usize {
    found.iter().filter(|d| std::ptr::eq(d.rule, like.rule)).count()
}

/// Tries every fix of every problem; how many there were.
pub fn every_fix(text: &str) -> usize {
    let selection = everything();
    let before = found_in(text, &selection);
    let mut tried = 0;
    for problem in &before {
        for fix in &problem.fixes {
            let after_text = apply(text, fix);
            let after = found_in(&after_text, &selection);
            let told =
                || format!("{}: {}: {}\n{text}", problem.rule.name, problem.message, fix.title);
            let solved = count(&after, problem) < count(&before, problem)
                || !after.iter().any(|d| d.is_same(problem));
            assert!(solved, "it is still there: {}", told());
            for worse in after.iter().filter(|d| d.severity > problem.severity) {
                let more = count(&after, worse) > count(&before, worse);
                assert!(!more, "it brings {worse:?}: {}", told());
            }
            touches_only_its_own(&read(text), &read(&after_text), fix);
            tried += 1;
        }
    }
    tried
}

/// Only the turns that the edits of a fix name are changed, and of their segments only those.
fn touches_only_its_own(before: &Dialog, after: &Dialog, fix: &Fix) {
    let edits_of = |turn: usize| fix.edits.iter().filter(move |edit| edit.turn() == turn);
    assert_eq!(before.turns.len(), after.turns.len(), "{fix:?}");
    for (position, (old, new)) in before.turns.iter().zip(&after.turns).enumerate() {
        if edits_of(position).next().is_none() {
            assert_eq!(old, new, "{fix:?}");
            continue;
        }
        if edits_of(position).any(|edit| matches!(edit, Edit::SetText { .. })) {
            continue;
        }
        assert_eq!(old.text, new.text, "{fix:?}");
        let edited = |segment: usize| {
            edits_of(position).any(|edit| match edit {
                Edit::SetSpan { segment: s, .. }
                | Edit::SetLabels { segment: s, .. }
                | Edit::SetQuote { segment: s, .. }
                | Edit::RemoveSegment { segment: s, .. } => *s == segment,
                _ => false,
            })
        };
        let others = old.segments.iter().enumerate().filter(|(i, _)| !edited(*i));
        let others: Vec<&Segment> = others.map(|(_, segment)| segment).collect();
        assert!(others.iter().all(|segment| new.segments.contains(segment)), "{fix:?}");
    }
}

/// Fixing once leaves nothing that fixing again would do.
pub fn fixing_is_done_once(text: &str) {
    for at_least in [Applicability::Safe, Applicability::Unsafe, Applicability::Display] {
        let (once, _) = fixed(text, &Selection::default(), at_least);
        let (twice, again) = fixed(&once, &Selection::default(), at_least);
        assert!(again.done.is_empty(), "{:?}\n{once}", again.done);
        assert_eq!(once, twice);
    }
}

/// A dialog with something wrong in every segment in which it can go wrong.
pub fn spoiled(dialog: &Value, seed: usize) -> Value {
    let mut spoiled = dialog.clone();
    let mut next = seed;
    for utterance in spoiled["utterances"].as_array_mut().into_iter().flatten() {
        let count = utterance["segments"].as_array().map_or(0, Vec::len);
        for segment in 0..count {
            // Slips come in an order that is the same each time and differs from dialog to dialog.
            next = next * 13 + 7;
            let mut changed = utterance.clone();
            if plant(SLIPS[next % SLIPS.len()], &mut changed, segment).is_some() {
                *utterance = changed;
            }
            // Where segments overlap, one that occurs twice overlaps the rest of itself.
            if next.is_multiple_of(5)
                && count == 1
                && let Some(segments) = utterance["segments"].as_array_mut()
            {
                segments.push(segments[segment].clone());
            }
            next %= 1009;
        }
        if next.is_multiple_of(3) {
            let text = utterance["text"].as_str().unwrap_or_default();
            utterance["text"] = format!("{text} ").into();
        }
    }
    spoiled
}

pub fn dialogs_in(path: &std::path::Path) -> Vec<String> {
    let Some(file) = open_path(path) else {
        return Vec::new();
    };
    let positions = 0..file.index().pieces.len();
    positions.map(|position| file.text(position).unwrap()).collect()
}

#[test]
fn fixes_do_what_they_say() {
    let own = own_files().into_iter().flat_map(|path| dialogs_in(&path));
    let mut tried = 0;
    for text in registry::bad_examples().into_iter().chain(own) {
        tried += every_fix(&text);
        fixing_is_done_once(&text);
    }
    assert!(tried > 60, "{tried}");
}

#[test]
fn many_fixes_do_what_they_say_where_everything_is_wrong() {
    let mut tried = 0;
    for path in own_files().iter().filter(|p| p.to_string_lossy().contains("demo/taskmaster")) {
        for (seed, dialog) in dialogs_of(&std::fs::read(path).unwrap()).iter().enumerate() {
            for seed in [seed, seed + 100].into_iter().take(amount(1, 2)) {
                let text = serde_json::to_string_pretty(&spoiled(dialog, seed)).unwrap();
                tried += every_fix(&text);
                fixing_is_done_once(&text);
            }
        }
    }
    say(&format!("{tried} fixes tried where everything is wrong"));
    assert!(tried > amount(250, 500), "{tried}");
}

/// The most dialogs to read from each real file.
const DIALOGS: usize = 40;

#[test]
fn fixes_do_what_they_say_in_real_corpora() {
    let Some(files) = real_files("fixing") else {
        return;
    };
    let mut tried = 0;
    for path in &files {
        for text in spread(dialogs_in(path), DIALOGS) {
            if found_in(&text, &everything()).is_empty() {
                continue;
            }
            tried += every_fix(&text);
            fixing_is_done_once(&text);
        }
    }
    say(&format!("{tried} fixes tried in real corpora"));
}
