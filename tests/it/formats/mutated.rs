//! Edits of broken dialogs: made as meant, or refused; never a panic, never something else.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use turnwise::dialog::EditError;
use turnwise::format::{FORMATS, Family, edit};
use turnwise::json::Escapes;

use super::read;
use crate::schema::mutate::{Mutation, mutated, shortened};
use crate::support::amount;
use crate::support::check::{family, json};
use crate::support::edited_file::EditedFile;
use crate::support::files::{open_path, own_files};
use crate::support::plan;
use crate::support::value::Json;

/// Short dialogs of the family, from the repository.
fn dialogs(format: &'static Family) -> Vec<Json> {
    let files = own_files();
    let files = files.iter().filter_map(|path| open_path(path));
    let files = files.filter(|f| !f.index().pieces.is_empty() && family(f) == format.name());
    let all = |file: EditedFile| {
        let positions = 0..file.index().pieces.len();
        positions.map(move |p| shortened(&json(&file, p))).collect::<Vec<_>>()
    };
    files.flat_map(all).collect()
}

/// Tries every planned edit on `text`.
fn made_or_refused(format: &'static Family, text: &str) {
    let (before, issues) = read(format.name(), text);
    for change in plan::edits(format.name(), &before) {
        let edited = match edit(format, text, Escapes::default(), &change) {
            Ok(edited) => edited,
            Err(EditError::ReadsBackDifferently(how)) => {
                panic!("{change:?} would not read back: {how}\n{text}")
            }
            Err(_) => continue,
        };
        let mut meant = before.clone();
        format.apply(&change, &mut meant).expect("made");
        // Members of unread elements may have other positions then, as the engine allows.
        if format.chat().is_some() || format.is_companion() {
            assert_eq!(edited.dialog, meant);
        }
        let (found, left) = read(format.name(), &edited.text);
        assert_eq!(found, edited.dialog, "{change:?}");
        assert!(left.len() <= issues.len(), "{change:?}: {left:?}");
        let back = edited.patch.invert(text);
        assert_eq!(back.apply(&edited.text), text, "{change:?}");
    }
}

/// Checks `cases` dialogs of the family, each broken in small ways.
pub fn each_broken(format: &'static Family, cases: u32, look: impl Fn(&str)) {
    let dialogs = dialogs(format);
    assert!(!dialogs.is_empty(), "{format:?}");
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let choice = (0..dialogs.len(), proptest::collection::vec(any::<Mutation>(), 1..4));
    let outcome = runner.run(&choice, |(dialog, mutations)| {
        look(&mutated(&dialogs[dialog], &mutations));
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn many_broken_dialogs_are_edited_as_meant_or_not_at_all() {
    for format in FORMATS.iter() {
        each_broken(format, amount(20, 100), |text| {
            made_or_refused(format, text);
        });
    }
}
