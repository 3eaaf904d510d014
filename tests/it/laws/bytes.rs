//! Every corpus there is: found, read, edited, and given back to the byte.

use std::path::Path;

use turnwise::corpus::Arrangement;
use turnwise::format::Family;

use crate::support::amount;
use crate::support::check::{Tried, every_edit, family, many_edits};
use crate::support::files::{
    dialogs_of, gaps, open, open_path, original, own, own_files, own_sessions, real_files, say,
    some_of_each_folder, spread, traces, without_key,
};
use crate::support::value::mended;

/// Files edited of each folder.
const FILES: usize = 5;

fn expected_family(path: &Path) -> Option<&'static str> {
    let path = path.to_string_lossy().to_lowercase();
    let families = [
        (".labels.", "dbdc-labels"),
        ("dbdc", "dbdc"),
        ("taskmaster-1", "taskmaster-1-2"),
        ("taskmaster-2", "taskmaster-1-2"),
        ("taskmaster-3", "taskmaster-3"),
        ("taskmaster-4", "taskmaster-4"),
        ("sim-gen", "sim-gen"),
        ("sim-m", "sim"),
        ("sim-r", "sim"),
    ];
    let found = families.iter().find(|(part, _)| path.contains(part));
    found.map(|(_, family)| *family)
}

/// Finds all dialogs of a file and reads them; returns how many there are.
fn reads(path: &Path) -> usize {
    let told = path.display();
    let Some(file) = open_path(path) else {
        let name = path.to_string_lossy();
        assert!(name.contains("ontology"), "{told} was taken for an ontology");
        return 0;
    };
    assert_eq!(file.index().error, None, "{told}");
    let seen = dialogs_of(&original(&file));
    let pieces = &file.index().pieces;
    // The lines of a session are turns of one dialog.
    let are_turns = file.index().arrangement == Arrangement::Turns;
    let seen = if are_turns { &seen[..1] } else { &seen };
    assert_eq!(pieces.len(), seen.len(), "{told}");
    let mut bytes = Vec::new();
    for (position, gap) in gaps(&file).into_iter().enumerate() {
        bytes.extend(gap);
        let Some(seen) = seen.get(position) else {
            continue;
        };
        let text = file.text(position).unwrap();
        if !are_turns {
            let piece: serde_json::Value =
                serde_json::from_str(&mended(without_key(&text))).unwrap();
            assert!(piece == *seen, "{told}: dialog {position} was cut wrongly");
        }
        bytes.extend_from_slice(text.as_bytes());
    }
    assert!(bytes == original(&file), "{told}: gaps and pieces are not the file");
    if !seen.is_empty() {
        assert_eq!(Some(family(&file)), expected_family(path).or(Some(family(&file))), "{told}");
    }
    for position in 0..pieces.len() {
        let (dialog, issues) = file.dialog(position).unwrap().unwrap();
        assert!(issues.is_empty(), "{told}: dialog {position}: {issues:?}");
        // Many chats have no id.
        let has_id = !dialog.id.is_empty() || matches!(family(&file), "messages" | "sharegpt");
        assert!(has_id, "{told}: dialog {position} has no id");
    }
    seen.len()
}

/// Edits a sample of the dialogs of a file.
pub fn edits(path: &Path) -> Tried {
    let mut tried = Tried::default();
    let Some(mut file) = open_path(path) else {
        return tried;
    };
    // Edits of formats that are described in TOML are tried in `declared`.
    if file.format().is_some_and(Family::is_described) {
        return tried;
    }
    let positions = spread((0..file.index().pieces.len()).collect(), amount(2, 4));
    for position in &positions {
        tried += every_edit(&mut file, *position);
    }
    if tried.edits > 0 {
        many_edits(&mut file, &positions);
    }
    tried
}

#[test]
fn own_files_read() {
    let files = [own_files(), own_sessions()].concat();
    assert!(files.len() > 10);
    let dialogs: usize = files.iter().map(|path| reads(path)).sum();
    assert!(dialogs > 10);
}

#[test]
fn demo_takes_many_edits() {
    let mut tried = Tried::default();
    for path in own_files() {
        if path.starts_with(own("assets/demo")) {
            tried += edits(&path);
        }
    }
    assert!(tried.edits > 100 && tried.refused > 5, "{tried:?}");
    assert!(tried.printed > tried.edits / 2, "{tried:?}");
}

#[test]
fn real_corpora_read() {
    let Some(files) = real_files("reading") else {
        return;
    };
    let dialogs: usize = files.iter().map(|path| reads(path)).sum();
    say(&format!("{dialogs} real dialogs read in {} files", files.len()));
}

#[test]
fn real_corpora_take_many_edits() {
    let Some(files) = real_files("editing") else {
        return;
    };
    let mut tried = Tried::default();
    for path in some_of_each_folder(files, FILES) {
        tried += edits(&path);
    }
    // Logs of Inspect and chats of LLaMA-Factory.
    for path in traces("editing").into_iter().flatten() {
        if open(std::fs::read(&path).unwrap()).format().is_some() {
            tried += edits(&path);
        }
    }
    say(&format!("real corpora: {tried:?}"));
    assert!(tried.edits > 100, "{tried:?}");
}
