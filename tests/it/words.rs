//! Plain words: no message names a key that the keymap can change.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::project;

/// Names of keys that are not words of a message.
const KEYS: &[&str] = &[
    "Enter",
    "Esc",
    "Tab",
    "Space",
    "Backspace",
    "PgUp",
    "PgDn",
    "Del",
    "Ctrl-",
    "Alt-",
    "Shift-",
];

/// Files and strings that may name keys.
const KEY_EXCEPTIONS: &[(&str, &str)] = &[
    // It reads and shows the names of keys.
    ("src/app/key.rs", ""),
    // Hints: the arrow is the direction in which the edge of the segment moves.
    ("src/app/hints.rs", "← end"),
    ("src/app/hints.rs", "← start"),
];

/// True if a message names a key: `Esc cancels`, `u to undo`, `select a segment (→)`.
fn names_key(message: &str) -> bool {
    let words = message.split(|c: char| !c.is_alphanumeric() && c != '-');
    let named = words.flat_map(|word| KEYS.iter().filter(move |key| word.starts_with(**key)));
    let single = |c: char| "←→↑↓?".contains(c) || c.is_ascii_lowercase() && c != 'a';
    let opens_with_key = |clause: &str| {
        let mut chars = clause.chars();
        let key = chars.next().is_some_and(single);
        let next = chars.next();
        let verb = chars.next().is_some_and(char::is_lowercase);
        key && (next == Some(')') || next == Some(' ') && verb)
    };
    let mut clauses = message.split(['·', ';', ':', '(']).map(str::trim_start);
    named.count() > 0 || clauses.any(opens_with_key)
}

/// Returns the string literals of a source file with their lines; those of its unit tests are left out.
fn strings(source: &str) -> Vec<(usize, String)> {
    let source = source
        .split("#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or_default();
    let mut strings = Vec::new();
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'']) {
        let token = &rest[at..];
        let length = if token.starts_with("//") {
            token.find('\n').unwrap_or(token.len())
        } else if token.starts_with("'\"'") {
            3
        } else if token.starts_with('"') {
            let mut escaped = false;
            let ends = |(_, c): &(usize, char)| {
                let end = *c == '"' && !escaped;
                escaped = *c == '\\' && !escaped;
                end
            };
            let end = token.char_indices().skip(1).find(ends);
            let end = end.map_or(token.len(), |(end, _)| end);
            let line = 1 + source[..source.len() - token.len()].matches('\n').count();
            strings.push((line, token[1..end].to_owned()));
            end + 1
        } else {
            1
        };
        rest = token.get(length..).unwrap_or_default();
    }
    strings
}

/// Returns the files under `folder` with one of `endings`.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| {
        if path.is_dir() {
            files(&path, endings)
        } else {
            vec![path]
        }
    });
    let wanted = |path: &PathBuf| {
        path.extension()
            .is_some_and(|e| endings.iter().any(|end| e == *end))
    };
    all.filter(wanted).collect()
}

#[test]
fn no_message_names_a_key_that_the_keymap_can_change() {
    let mut named = Vec::new();
    for folder in ["src/app", "src/view"] {
        for path in files(&project(folder), &["rs"]) {
            let name = path
                .strip_prefix(project(""))
                .unwrap()
                .display()
                .to_string();
            for (line, text) in strings(&fs::read_to_string(&path).unwrap()) {
                let is_exception = KEY_EXCEPTIONS
                    .iter()
                    .any(|(file, string)| name == *file && (string.is_empty() || text == *string));
                if names_key(&text) && !is_exception {
                    named.push(format!("{name}:{line}: \"{text}\""));
                }
            }
        }
    }
    let better = "look keys up: `keymap.shown(&command::UNDO)`";
    assert!(named.is_empty(), "{better}\n{}", named.join("\n"));
}

#[test]
fn keys_in_messages_are_recognised() {
    for message in [
        "Enter saves · Alt-Enter new line",
        "6 fixes applied · u to undo",
        "select a segment first (→)",
        "? for help",
    ] {
        let source = format!("say('\"', \"{message}\"); // \"Esc\"");
        assert_eq!(strings(&source), [(1, message.to_owned())]);
        assert!(names_key(message), "{message}");
    }
    for message in ["a command", "{undo} to undo", "tie → O", "turn 3 (of 4)"] {
        assert!(!names_key(message), "{message}");
    }
}
