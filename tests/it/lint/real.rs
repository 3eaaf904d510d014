//! Problems in real corpora: none where they are clean.

use std::path::Path;

use turnwise::lint::{Diagnostic, Selection, Severity, file_name};

use super::found_in;
use crate::support::files::{open_path, real_files};

/// The problems in all dialogs of a file.
fn found_in_file(path: &Path) -> Vec<Diagnostic> {
    let file = open_path(path).unwrap();
    let texts = (0..file.index().pieces.len()).map(|position| file.text(position).unwrap());
    texts.flat_map(|text| found_in(&text, &Selection::default())).collect()
}

/// Logs of which the annotators have no names are known.
#[test]
fn clean_real_corpora_are_clean() {
    let selection = Selection::default();
    for path in real_files("linting").into_iter().flatten() {
        let told = path.to_string_lossy();
        if told.contains("sim-") {
            let found = found_in_file(&path);
            let bad = found.iter().find(|d| d.severity > Severity::Note);
            assert!(bad.is_none(), "{told}: {bad:?}");
        } else if told.contains("dbdc") {
            let mut found = found_in_file(&path);
            found.retain(|d| d.rule.name.starts_with("vote"));
            let rules: Vec<_> = found.iter().map(|d| (d.rule.name, d.severity)).collect();
            let nameless: &[_] = &[("vote-anonymous", Severity::Note)];
            assert_eq!(rules, if told.contains("unnamed") { nameless } else { &[] }, "{told}");
            let file = open_path(&path).unwrap();
            let (dialog, _) = file.dialog(0).unwrap().unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            let is_wrong = |name| file_name(name, file.format().unwrap(), &dialog, &selection);
            assert!(is_wrong(name).is_none() && is_wrong("other.log.json").is_some(), "{told}");
        }
    }
}
