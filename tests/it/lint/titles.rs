//! A fix does what its title says: the words that it names are those that the segment then covers; and no two
//! fixes of a problem have one title.

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::json;
use turnwise::dialog::{Dialog, Edit};
use turnwise::format::{self, detect};
use turnwise::json::{Escapes, Parser};

use super::fixes::everything;
use super::fixes::{dialogs_in, spoiled};
use super::{found_in, registry};
use crate::support::files::{dialogs_of, neighbours, own_files, real_files, say, spread};

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

/// Tries each fix that names the words of a segment; returns the number of them.
fn titles_are_true(text: &str) -> usize {
    let mut parser = Parser::new();
    // A line of a session is not a dialog.
    let Ok(format) = detect(parser.parse_piece_str(text).unwrap().root()) else {
        return 0;
    };
    let mut tried = 0;
    for problem in found_in(text, &everything()) {
        let titles: BTreeSet<_> = problem.fixes.iter().map(|fix| &fix.title).collect();
        let rule = problem.rule.name;
        assert_eq!(titles.len(), problem.fixes.len(), "{rule}: {titles:?}\n{text}");
        for fix in &problem.fixes {
            let (Some(words), [edit @ Edit::SetSpan { turn, segment, .. }]) =
                (named(&fix.title), fix.edits.as_slice())
            else {
                continue;
            };
            let Ok(edited) = format::edit(format, text, Escapes::seen_in(text), edit) else {
                continue;
            };
            let now = covered(&edited.dialog, *turn, *segment).unwrap_or_default();
            let is_named = match words.strip_suffix('…') {
                Some(beginning) => now.starts_with(beginning),
                None => now == words,
            };
            assert!(is_named, "{rule}: {}, but it covers {now:?}\n{text}", fix.title);
            tried += 1;
        }
    }
    tried
}

#[test]
fn titles_of_fixes_name_the_words_that_segments_get() {
    let examples: usize = registry::bad_examples().iter().map(|text| titles_are_true(text)).sum();
    let mut tried = examples;
    for path in own_files() {
        for text in dialogs_in(&path) {
            tried += titles_are_true(&text);
        }
        let dialogs = dialogs_of(&std::fs::read(&path).unwrap());
        for (seed, dialog) in dialogs.iter().enumerate() {
            let text = spoiled(dialog, seed).to_string();
            let mut parser = Parser::new();
            let is_read = parser.parse_str(&text).is_ok_and(|tree| detect(tree.root()).is_ok());
            if is_read {
                tried += titles_are_true(&text);
            }
        }
    }
    assert!(tried > 100, "{tried}");
}

/// The most dialogs of each real file.
const DIALOGS: usize = 40;

#[test]
fn titles_of_fixes_name_the_words_that_segments_get_in_real_corpora() {
    let (Some(files), Some(others)) = (real_files("titles"), neighbours("titles")) else {
        return;
    };
    let mut tried = 0;
    let paths: Vec<PathBuf> = files.into_iter().chain(others).collect();
    for path in paths {
        let file = crate::support::files::open(std::fs::read(&path).unwrap());
        if file.format().is_none() {
            continue;
        }
        for position in spread((0..file.index().pieces.len()).collect(), DIALOGS) {
            let text = file.text(position).unwrap();
            let mut parser = Parser::new();
            let is_read =
                parser.parse_piece_str(&text).is_ok_and(|tree| detect(tree.root()).is_ok());
            if is_read {
                tried += titles_are_true(&text);
            }
        }
    }
    say(&format!("{tried} titles name the words that segments get"));
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
    let tried = titles_are_true(&text);
    assert!(tried > 0, "{:#?}", found_in(&text, &everything()));
}
