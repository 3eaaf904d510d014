//! Problems in real corpora: none where they are clean, and the known ones elsewhere.

use std::path::Path;

use turnwise::lint::{Diagnostic, Selection, Severity, file_name};

use super::{found_in, only};
use crate::support::files::{open_path, real_files};

/// The problems in all dialogs of a file.
fn found_in_file(path: &Path, selection: &Selection) -> Vec<Diagnostic> {
    let Some(file) = open_path(path) else {
        return Vec::new();
    };
    let positions = 0..file.index().pieces.len();
    let found = positions.flat_map(|position| {
        let text = file.text(position).unwrap();
        found_in(&text, selection)
    });
    found.collect()
}

/// The rules that use the ontology of a corpus.
fn knowing() -> Selection {
    let mut selection = Selection::none();
    for group in [
        "label-unknown",
        "api",
        "tokens",
        "slot",
        "act",
        "intent",
        "state",
        "vote",
        "file-name-differs",
    ] {
        selection.select(group).unwrap();
    }
    selection
}

#[test]
fn clean_corpora_are_clean() {
    let Some(files) = real_files("linting") else {
        return;
    };
    for path in files.iter().filter(|p| p.to_string_lossy().contains("sim-")) {
        let found = found_in_file(path, &Selection::default());
        let bad = found.iter().find(|d| d.severity > Severity::Note);
        assert!(bad.is_none(), "{}: {bad:?}", path.display());
    }
}

#[test]
fn breakdown_logs_are_clean_but_for_those_without_annotators() {
    let Some(files) = real_files("linting") else {
        return;
    };
    let selection = knowing();
    for path in files.iter().filter(|p| p.to_string_lossy().contains("dbdc")) {
        let found = found_in_file(path, &selection);
        let nameless = path.to_string_lossy().contains("unnamed");
        let told: Vec<_> = found.iter().map(|d| (d.rule.name, d.severity)).collect();
        let expected: &[_] = if nameless { &[("vote-anonymous", Severity::Note)] } else { &[] };
        assert_eq!(told, expected, "{}", path.display());
        let file = open_path(path).unwrap();
        let (dialog, _) = file.dialog(0).unwrap().unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        let format = file.format().unwrap();
        assert!(file_name(name, format, &dialog, &selection).is_none());
        let renamed = file_name("other.log.json", format, &dialog, &selection);
        assert!(renamed.is_some(), "{}", path.display());
    }
}

#[test]
fn bookings_of_a_show_that_nobody_chose_are_found() {
    let Some(files) = real_files("linting") else {
        return;
    };
    let selection = only("api-argument-outdated");
    for path in files.iter().filter(|p| p.ends_with("taskmaster-3/examples.json")) {
        let found = found_in_file(path, &selection);
        assert_eq!(found.len(), 4, "{found:?}");
        for diagnostic in found {
            assert!(diagnostic.message.contains("4:30pm"), "{diagnostic:?}");
            assert_eq!(diagnostic.fixes[0].title, "change to 9:10pm");
        }
    }
}
