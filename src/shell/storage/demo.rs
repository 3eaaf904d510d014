//! The built-in demo corpora, which the demo copies to a temporary folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use walkdir::WalkDir;

use super::disk::read_side_file;

/// The path and text of every demo file, in the order in which the demo lists them: first a file with segments
/// to repair, which needs no explanation.
pub static DEMO: &[(&str, &str)] = &[
    ("taskmaster-1.json", include_str!("../../../assets/demo/taskmaster-1.json")),
    ("taskmaster-2.json", include_str!("../../../assets/demo/taskmaster-2.json")),
    ("taskmaster-3.json", include_str!("../../../assets/demo/taskmaster-3.json")),
    ("taskmaster-4.json", include_str!("../../../assets/demo/taskmaster-4.json")),
    ("sim-m.json", include_str!("../../../assets/demo/sim-m.json")),
    ("sim-r.json", include_str!("../../../assets/demo/sim-r.json")),
    ("sim-gen.json", include_str!("../../../assets/demo/sim-gen.json")),
    ("dbdc/demo_001.labels.json", include_str!("../../../assets/demo/dbdc/demo_001.labels.json")),
    ("dbdc/demo_001.log.json", include_str!("../../../assets/demo/dbdc/demo_001.log.json")),
    ("dbdc/demo_002.log.json", include_str!("../../../assets/demo/dbdc/demo_002.log.json")),
    ("dbdc/demo_003.labels.json", include_str!("../../../assets/demo/dbdc/demo_003.labels.json")),
    ("dbdc/demo_003.log.context", include_str!("../../../assets/demo/dbdc/demo_003.log.context")),
    ("dbdc/demo_003.log.json", include_str!("../../../assets/demo/dbdc/demo_003.log.json")),
    ("dbdc/demo_004.log.json", include_str!("../../../assets/demo/dbdc/demo_004.log.json")),
    ("messages.jsonl", include_str!("../../../assets/demo/messages.jsonl")),
    ("sharegpt.json", include_str!("../../../assets/demo/sharegpt.json")),
    (
        "sessions/claude-code-ferry.jsonl",
        include_str!("../../../assets/demo/sessions/claude-code-ferry.jsonl"),
    ),
    (
        "sessions/codex-orchard.jsonl",
        include_str!("../../../assets/demo/sessions/codex-orchard.jsonl"),
    ),
    ("sgd/dialogues_001.json", include_str!("../../../assets/demo/sgd/dialogues_001.json")),
    ("sgd/schema.json", include_str!("../../../assets/demo/sgd/schema.json")),
    ("multiwoz/gardens.json", include_str!("../../../assets/demo/multiwoz/gardens.json")),
    ("multiwoz/ontology.json", include_str!("../../../assets/demo/multiwoz/ontology.json")),
    ("library/dialogues.json", include_str!("../../../assets/demo/library/dialogues.json")),
    ("library/ontology.json", include_str!("../../../assets/demo/library/ontology.json")),
];

/// Writes the demo to a temporary folder, and returns the folder and the paths to open. Dropping the
/// folder removes it.
///
/// # Errors
/// If it cannot be written.
pub fn demo() -> io::Result<(TempDir, Vec<PathBuf>)> {
    let folder = tempfile::Builder::new().prefix("turnwise-demo-").tempdir()?;
    for (name, text) in DEMO {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
        fs::write(path, text)?;
    }
    let paths = vec![folder.path().to_owned()];
    Ok((folder, paths))
}

/// Returns the place of a file in the demo's list.
pub fn place_in_demo(folder: &Path, path: &Path) -> Option<usize> {
    DEMO.iter().position(|(name, _)| folder.join(name) == path)
}

/// Returns true if the user changed anything in the demo's `folder`.
pub fn is_changed(folder: &Path) -> bool {
    let files = WalkDir::new(folder).into_iter().filter_map(Result::ok);
    let count = files.filter(|entry| entry.file_type().is_file()).count();
    let is_same = |(name, text): &(&str, &str)| {
        let there = read_side_file(&folder.join(name), text.len() as u64);
        there.is_ok_and(|bytes| bytes == text.as_bytes())
    };
    count != DEMO.len() || !DEMO.iter().all(is_same)
}
