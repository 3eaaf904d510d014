//! The laws of fixes, tried with every fix of every rule: in the examples of manual pages, the demo and the fixtures,
//! also with all of them spoiled.
//!
//! Each fix removes its problem, brings no worse one, touches nothing else, and gives the words that its title names; a safe
//! one loses nothing. `fix` applies every fix that `lint` counts, or reports why it does not, and comes to an end.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;
use turnwise::dialog::{Dialog, Edit, Segment};
use turnwise::format;
use turnwise::json::{Escapes, Parser};
use turnwise::lint::{Applicability, Diagnostic, Fix, Selection, SkipReason, SkippedFix};

use super::losses::lost;
use super::{fixed, format_of, found_in, registry, spoiled};
use crate::support::amount;
use crate::support::files::{dialogs_of, open, own_files, say};

/// Every rule, also those that are off by default.
fn everything() -> Selection {
    let mut selection = Selection::none();
    selection.select("all").unwrap();
    selection
}

pub fn read(text: &str) -> Dialog {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).unwrap();
    format_of(tree).read(tree).0
}

/// The dialogs before and after each of some edits, and the last text; None if one is refused.
fn steps(text: &str, edits: &[Edit]) -> Option<(Vec<Dialog>, String)> {
    let mut parser = Parser::new();
    let format = format_of(parser.parse_piece_str(text).unwrap());
    let (mut text, escapes) = (text.to_owned(), Escapes::seen_in(text));
    let mut dialogs = vec![read(&text)];
    for edit in edits {
        let edited = format::edit(format, &text, escapes, edit).ok()?;
        dialogs.push(edited.dialog);
        text = edited.text;
    }
    Some((dialogs, text))
}

/// The text after a fix.
pub fn apply(text: &str, fix: &Fix) -> String {
    steps(text, &fix.edits).unwrap_or_else(|| panic!("{fix:?} is refused\n{text}")).1
}

fn count(found: &[Diagnostic], like: &Diagnostic) -> usize {
    found.iter().filter(|d| std::ptr::eq(d.rule, like.rule)).count()
}

/// Tries every fix of every problem; how many there were. Where faults `meet` in one place, the repair of one may be refused
/// or bring another to light.
fn every_fix(text: &str, meet: bool) -> usize {
    let selection = everything();
    let before = found_in(text, &selection);
    let mut tried = 0;
    for problem in &before {
        let titles: BTreeSet<_> = problem.fixes.iter().map(|fix| &fix.title).collect();
        assert_eq!(titles.len(), problem.fixes.len(), "{}: {titles:?}\n{text}", problem.rule.name);
        for fix in &problem.fixes {
            let told =
                || format!("{}: {}: {}\n{text}", problem.rule.name, problem.message, fix.title);
            let Some((dialogs, after)) = steps(text, &fix.edits) else {
                assert!(meet, "it is refused: {}", told());
                continue;
            };
            if !meet {
                let after = found_in(&after, &selection);
                let solved = count(&after, problem) < count(&before, problem)
                    || !after.iter().any(|d| d.is_same(problem));
                assert!(solved, "it is still there: {}", told());
                for worse in after.iter().filter(|d| d.severity > problem.severity) {
                    let more = count(&after, worse) > count(&before, worse);
                    assert!(!more, "it brings {worse:?}: {}", told());
                }
            }
            let [first, .., last] = &dialogs[..] else {
                panic!("it has no edits: {}", told());
            };
            touches_only_its_own(first, last, fix);
            gives_its_words(last, fix);
            if fix.applicability == Applicability::Safe {
                assert_eq!(loses(&dialogs, &fix.edits), None, "{}", told());
            }
            tried += 1;
        }
    }
    if tried > 0 {
        let (_, all) = fixed(text, &selection, Applicability::Safe);
        let steps = steps(text, &all.edits).map(|(dialogs, _)| loses(&dialogs, &all.edits));
        assert_eq!(steps.flatten(), None, "{:?}\n{text}", all.done);
    }
    tried
}

/// Returns an element that one of some edits loses.
fn loses(dialogs: &[Dialog], edits: &[Edit]) -> Option<String> {
    let mut steps = dialogs.windows(2).zip(edits);
    steps.find_map(|(dialogs, edit)| lost(edit, &dialogs[0], &dialogs[1]))
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

/// The words that a title gives to a segment; None if it gives none.
fn named(title: &str) -> Option<&str> {
    let gives = ["shorten ", "end at ", "start at ", "move to "];
    let (start, _) = title.trim_end_matches('"').rsplit_once(" \"")?;
    gives
        .iter()
        .any(|verb| title.starts_with(verb))
        .then(|| &title[start.len() + 2..title.len() - 1])
}

fn covered(dialog: &Dialog, turn: usize, segment: usize) -> Option<String> {
    let turn = &dialog.turns[turn];
    let span = turn.segments[segment].span?;
    turn.covered(span, dialog.units).map(String::from)
}

/// A segment covers the words that the title of its fix names.
fn gives_its_words(after: &Dialog, fix: &Fix) {
    if let (Some(words), [Edit::SetSpan { turn, segment, .. }]) =
        (named(&fix.title), &fix.edits[..])
    {
        let now = covered(after, *turn, *segment).unwrap_or_default();
        let is_named = match words.strip_suffix('…') {
            Some(beginning) => now.starts_with(beginning),
            None => now == words,
        };
        assert!(is_named, "{}, but it covers {now:?}", fix.title);
    }
}

/// Repairs that are not made, counted by their rule and reason.
type Counts = BTreeMap<String, usize>;

/// Every problem with a fix that may be taken is repaired, or there is a reason; and fixing once leaves nothing that fixing
/// again would do.
fn promises_are_kept(text: &str, skipped: &mut Counts) {
    for at_least in [Applicability::Safe, Applicability::Unsafe, Applicability::Display] {
        let selection = Selection::default();
        let found = found_in(text, &selection);
        let may = |d: &&Diagnostic| {
            let first = d.fixes.first();
            first.is_some_and(|fix| fix.applicability >= at_least)
        };
        let promised = found.iter().filter(may).count();
        let (after, fixed) = fixed(text, &selection, at_least);
        let made = fixed.repaired + fixed.skipped.len();
        assert_eq!(promised + fixed.uncovered, made, "{fixed:?}\n{text}");
        let left = found_in(&after, &selection);
        assert_eq!(left.len(), fixed.left.len());
        let still = |u: &&SkippedFix| !matches!(u.why, SkipReason::Lost);
        let still = fixed.skipped.iter().filter(still).count();
        assert_eq!(left.iter().filter(may).count(), still, "{:?}\n{after}", fixed.skipped);
        for told in fixed.skipped {
            let name = format!("{} {:?}", told.problem.rule.name, told.why);
            let short: String = name.chars().take(70).collect();
            *skipped.entry(short).or_default() += 1;
        }
        let (twice, again) = super::fixed(&after, &selection, at_least);
        assert!(again.done.is_empty() && twice == after, "{:?}\n{after}", again.done);
    }
}

/// The text of a dialog that can be read.
fn is_read(text: &str) -> bool {
    let mut parser = Parser::new();
    parser.parse_piece_str(text).is_ok_and(|tree| format::detect(tree.root()).is_ok())
}

/// The dialogs of a file.
fn dialogs_in(path: &std::path::Path) -> Vec<String> {
    let file = open(std::fs::read(path).unwrap());
    if file.format().is_none() {
        return Vec::new();
    }
    (0..file.index().pieces.len()).map(|position| file.text(position).unwrap()).collect()
}

#[test]
fn many_fixes_keep_the_laws() {
    let (mut skipped, mut tried) = (Counts::new(), 0);
    let mut keep = |text: &str, meet: bool| {
        tried += every_fix(text, meet);
        promises_are_kept(text, &mut skipped);
    };
    for text in registry::bad_examples() {
        keep(&text, false);
    }
    for path in own_files() {
        for text in dialogs_in(&path) {
            keep(&text, false);
        }
        // Slips in segments alone stay apart.
        let apart = path.to_string_lossy().contains("demo/taskmaster");
        let dialogs = dialogs_of(&std::fs::read(&path).unwrap());
        for (seed, dialog) in dialogs.iter().enumerate().step_by(amount(2, 1)) {
            for seed in [seed, seed + 40, seed + 200].into_iter().take(amount(1, 3)) {
                for (way, spoiled) in spoiled::all(dialog, seed).iter().enumerate() {
                    let text = spoiled.to_string();
                    if is_read(&text) {
                        keep(&text, way > 0 || !apart);
                    }
                }
            }
        }
    }
    say(&format!("{tried} fixes tried, not made: {skipped:#?}"));
    assert!(tried > amount(500, 3000), "{tried}");
}

/// `MultiWOZ` counts words.
#[test]
fn overlaps_are_shortened_by_words() {
    let act = |slot: &str, value: &str, start: u32, end: u32| {
        json!(["Restaurant-Inform", slot, value, start, end])
    };
    let said = "I would like the Golden Wok in the north of town please";
    let spans = [act("Name", "the Golden Wok in the north", 3, 8), act("Area", "the north", 7, 8)];
    let turn = json!({"text": said, "metadata": {}, "dialog_act": {}, "span_info": spans});
    let reply = json!({"text": "Fine.", "metadata": {"hotel": {"semi": {}, "book": {}}}, "dialog_act": {}, "span_info": []});
    let text = json!({"goal": {}, "log": [turn, reply]}).to_string();
    assert!(every_fix(&text, false) > 0, "{:#?}", found_in(&text, &everything()));
}
