//! Corpora to try: the demo, the fixtures, and those in the folders that `TURNWISE_CORPORA` names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use turnwise::corpus::{Contents, CorpusFile, FilePart, Index, index_all};
use turnwise::json::Parser;

use super::edited_file::EditedFile;
use super::is_named;
pub use super::project as own;
use super::value::mended;

/// Names folders with real corpora, separated as in `PATH`. Their families are detected from their
/// contents.
const CORPORA: &str = "TURNWISE_CORPORA";

/// The corpora of the repository in which each dialog is a value.
pub fn own_files() -> Vec<PathBuf> {
    let mut files = json_files(&own("assets/demo"));
    files.extend(json_files(&own("tests/fixtures")));
    files.retain(|path| !path.ends_with("ontology.json") && !path.ends_with("schema.json"));
    files.retain(|path| !path.starts_with(own(SESSIONS)));
    files
}

/// The sessions of the demo, in which each line is a turn.
const SESSIONS: &str = "assets/demo/sessions";

/// The sessions of the repository.
pub fn own_sessions() -> Vec<PathBuf> {
    json_files(&own(SESSIONS))
}

/// The families of corpora that are beside those of other families, by a part of their paths.
pub const READ: &[(&str, &str)] = &[
    ("chat/tau-bench", "messages"),
    ("chat/sharegpt", "sharegpt"),
    ("sgd/dev/dialogues", "sgd"),
    ("examples/SGD", "sgd"),
    ("examples/KETOD", "sgd"),
    ("examples/MULTIWOZ2_2", "sgd"),
    ("multiwoz-2.1", "multiwoz"),
    ("examples/MultiWOZ_2.1", "multiwoz"),
    ("examples/Disambiguation", "multiwoz-disambiguation"),
    ("convlab/", "convlab"),
    ("neighbours/crosswoz", "crosswoz"),
    ("topical-chat", "topical-chat"),
    ("KVRET", "kvret"),
    ("WOZ2_0", "woz-2.0"),
    ("CaSiNo", "casino"),
    ("ABCD", "abcd"),
    ("wizard_of_wikipedia", "wizard-of-wikipedia"),
    ("FRAMES", "frames"),
    ("Redial", "redial"),
    ("SODA", "soda"),
];

/// The files of corpora of the families that turnwise reads; None, with a notice, if there are none.
pub fn real_files(test: &str) -> Option<Vec<PathBuf>> {
    let mut files = files_beside("taskmaster-1", test)?;
    let is_read = |path: &PathBuf| {
        let path = path.to_string_lossy();
        let mut chats = READ.iter().filter(|(_, family)| ["messages", "sharegpt"].contains(family));
        chats.any(|(part, _)| path.contains(part))
    };
    files.extend(neighbours(test).into_iter().flatten().filter(is_read));
    Some(files)
}

/// The files of corpora of other families, and of chats; None, with a notice, if there are none.
pub fn neighbours(test: &str) -> Option<Vec<PathBuf>> {
    files_beside("sgd", test)
}

/// The files with sessions of agents; None, with a notice, if there are none.
pub fn traces(test: &str) -> Option<Vec<PathBuf>> {
    files_beside("claude-code", test)
}

/// The folders with real corpora. Tests that use them have `real` in their names.
pub fn real_folders() -> Vec<PathBuf> {
    is_named("real");
    let folders = std::env::var_os(CORPORA).unwrap_or_default();
    std::env::split_paths(&folders).collect()
}

/// The JSON files of the folder with real corpora that holds a folder `name`.
fn files_beside(name: &str, test: &str) -> Option<Vec<PathBuf>> {
    let mut folders = real_folders().into_iter();
    let found = folders.find(|folder| folder.join(name).is_dir());
    if found.is_none() {
        skipped(test, &format!("{CORPORA} names no folder with {name} in it"));
    }
    let files = json_files(&found?);
    assert!(!files.is_empty(), "there are no JSON files beside {name}");
    Some(files)
}

/// Prints that a test passed without its corpora.
pub fn skipped(test: &str, why: &str) {
    say(&format!("SKIPPED: {test}: {why}"));
}

/// Writes to the terminal itself: the test harness hides the output of passing tests.
pub fn say(message: &str) {
    use std::io::Write;
    let mut stderr = std::io::stderr();
    let _ = writeln!(stderr, "{message}");
}

/// All files in `folder`, at any depth, with the extensions of corpora; sorted.
pub fn json_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return found;
    };
    for entry in entries {
        let path = entry.expect("readable folder").path();
        let is = |end| path.extension().is_some_and(|e| e == end);
        if path.is_dir() {
            found.extend(json_files(&path));
        } else if is("json") || is("jsonl") || is("traj") {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub fn indexed(bytes: &Vec<u8>) -> Index {
    index_all(bytes, false).expect("bytes in memory")
}

pub fn open(bytes: Vec<u8>) -> EditedFile {
    let index = indexed(&bytes);
    CorpusFile::new(bytes, index).into()
}

/// The corpus file at `path`; None if it is an ontology.
pub fn open_path(path: &Path) -> Option<EditedFile> {
    let file = open(std::fs::read(path).expect("readable"));
    match file.index().contents {
        Contents::Dialogs(_) | Contents::Nothing => Some(file),
        Contents::Ontology(_) | Contents::Judgements => None,
        Contents::Unknown(ref unknown) => panic!("{}: {unknown}", path.display()),
    }
}

/// The file as it was opened or last saved.
pub fn original(file: &CorpusFile) -> Vec<u8> {
    let mut bytes = vec![0; file.source().len() as usize];
    file.source().read_at(0, &mut bytes).unwrap();
    bytes
}

/// The file as it would be saved.
pub fn saved(file: &CorpusFile) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in file.parts() {
        match part {
            FilePart::Kept(range) => {
                let mut kept = vec![0; (range.end - range.start) as usize];
                file.source().read_at(range.start, &mut kept).unwrap();
                bytes.extend(kept);
            }
            FilePart::New { text, .. } => bytes.extend_from_slice(text.as_bytes()),
        }
    }
    bytes
}

/// The dialogs of a file as another reader sees them.
pub fn dialogs_of(bytes: &[u8]) -> Vec<serde_json::Value> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let text = mended(text.strip_prefix('\u{feff}').unwrap_or(text));
    match serde_json::from_str(&text) {
        Ok(serde_json::Value::Array(dialogs)) => dialogs,
        Ok(serde_json::Value::Object(mut members)) => match members.remove("dialogs") {
            Some(serde_json::Value::Array(dialogs)) => dialogs,
            // The dialogs of MultiWOZ are members.
            _ if members.values().all(|member| member.get("log").is_some()) => {
                members.into_iter().map(|(_, dialog)| dialog).collect()
            }
            _ => vec![members.into()],
        },
        Ok(other) => vec![other],
        Err(_) => {
            let lines = text.lines().filter(|line| !line.trim().is_empty());
            let parse = |line| serde_json::from_str(line).expect("a dialog a line");
            lines.map(parse).collect()
        }
    }
}

/// The dialog in the text of a piece, without the key that may be before it.
pub fn without_key(piece: &str) -> &str {
    let mut parser = Parser::new();
    match parser.parse_piece_str(piece) {
        Ok(tree) => {
            let range = tree.root().range();
            &piece[range.start as usize..range.end as usize]
        }
        Err(_) => piece,
    }
}

/// `count` of `all`, evenly spread, with the first and the last.
pub fn spread<T>(all: Vec<T>, count: usize) -> Vec<T> {
    let most = all.len();
    if most <= count {
        return all;
    }
    let picked: Vec<_> = (0..count).map(|i| i * (most - 1) / (count - 1)).collect();
    let all = all.into_iter().enumerate();
    all.filter(|(i, _)| picked.contains(i)).map(|(_, item)| item).collect()
}

/// Up to `count` files of each folder.
pub fn some_of_each_folder(files: Vec<PathBuf>, count: usize) -> Vec<PathBuf> {
    let mut folders = BTreeMap::<_, Vec<_>>::new();
    for path in files {
        folders.entry(path.parent().unwrap().to_owned()).or_default().push(path);
    }
    folders.into_values().flat_map(|files| spread(files, count)).collect()
}

/// The text before, between and after the pieces.
pub fn gaps(file: &CorpusFile) -> Vec<Vec<u8>> {
    let source = original(file);
    let mut at = 0;
    let mut gaps = Vec::new();
    for piece in &file.index().pieces {
        gaps.push(source[at..piece.start as usize].to_vec());
        at = piece.end as usize;
    }
    gaps.push(source[at..].to_vec());
    gaps
}
