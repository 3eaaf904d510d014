//! Plain words: phrases that have to be read twice do not come back, and no message names a key that the
//! keymap can change.

use std::fs;
use std::path::PathBuf;

use crate::{files, project};

/// A phrase to avoid.
struct Phrase {
    /// Whole words in lower case.
    words: &'static str,
    better: &'static str,
    /// Good English that contains it.
    fine: &'static [&'static str],
}

const PHRASES: &[Phrase] = &[
    phrase("is no", "is not a …, is not valid, there is no …").but(&[
        "there is no",
        "is no more than",
        "is no larger than",
        "is no longer",
    ]),
    phrase("are no", "are not …, there are no …").but(&["there are no", "are no longer"]),
    phrase("anew", "again"),
    phrase("or no more", "toggle …"),
    phrase("no more", "no longer").but(&["no more than", "there are no more"]),
    phrase("any more", "no longer").but(&["any more of"]),
    phrase("is told", "is reported, turnwise reports"),
    phrase("are told", "are reported, turnwise reports"),
    phrase("was told", "was reported"),
    phrase("be told", "be reported"),
    phrase("told of", "reported"),
    phrase("told apart", "distinguished"),
    phrase("is said", "is reported, is uttered"),
    phrase("are said", "are reported"),
    phrase("let be", "ignored"),
    phrase("lets be", "ignores"),
    phrase("let go", "release"),
    phrase("lets go", "releases"),
    phrase("whoever", "the user, anyone who"),
    phrase("give the keys", "focus"),
    phrase("gives the keys", "focuses"),
    phrase("stand", "be, is"),
    phrase("stands", "is"),
    phrase("stood", "was"),
    phrase("at the most", "at most"),
    phrase("look for", "search for, find"),
    phrase("looks for", "searches for, finds"),
    phrase("looked for", "searched for"),
    phrase("a blank", "a space").but(&["a blank line", "a blank cell"]),
    phrase("blanks", "spaces").but(&["marks blanks"]),
    phrase("gone to", "opened"),
];

const fn phrase(words: &'static str, better: &'static str) -> Phrase {
    Phrase { words, better, fine: &[] }
}

impl Phrase {
    const fn but(self, fine: &'static [&'static str]) -> Self {
        Self { fine, ..self }
    }

    /// True if it occurs in a line that [`words`] returned.
    fn is_in(&self, line: &str) -> bool {
        let spaced = |words: &str| format!(" {words} ");
        let without = |line: String, fine: &&str| line.replace(&spaced(fine), " … ");
        let line = self.fine.iter().fold(line.to_owned(), without);
        line.contains(&spaced(self.words))
    }
}

/// Words that open no doc comment: a clause as a heading has to be decoded first.
const CLAUSES: &[&str] = &["What ", "Whoever ", "Where ", "Who ", "That "];

/// Returns the words of a line in lower case, those of identifiers too, with a space around each.
fn words(line: &str) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" ").to_lowercase())
}

/// Returns a message for each phrase in a text, and for each doc comment that opens with a clause.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut above = "";
    for (number, line) in text.lines().map(str::trim).enumerate() {
        let place = format!("{name}:{}", number + 1);
        let words = words(line);
        for Phrase { words, better, .. } in PHRASES.iter().filter(|phrase| phrase.is_in(&words)) {
            faults.push(format!("{place}: \"{words}\"; write: {better}\n    {line}"));
        }
        let opens = |mark: &str| {
            let is_first = !above.starts_with(mark) || above == mark;
            let doc = line.strip_prefix(mark).filter(|_| is_first);
            doc.is_some_and(|doc| CLAUSES.iter().any(|clause| doc.trim_start().starts_with(clause)))
        };
        if opens("///") || opens("//!") {
            faults.push(format!("{place}: begin with what it is or does\n    {line}"));
        }
        above = line;
    }
    faults
}

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
    ("src/app/input/key.rs", ""),
    // Hints: the arrow is the direction in which the edge of the segment moves.
    ("src/app/input/places.rs", "← end"),
    ("src/app/input/places.rs", "← start"),
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
    let source = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
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

#[test]
fn no_sentence_has_to_be_read_twice() {
    let mut all = vec![project("README.md"), project("CHANGELOG.md")];
    for folder in ["src", "tests", "assets", "keymaps"] {
        all.extend(files(&project(folder), &["rs", "md", "toml"]));
    }
    all.retain(|path| !path.ends_with(file!()));
    let fault = |path: &PathBuf| {
        let name = path.strip_prefix(project("")).unwrap();
        faults(&name.display().to_string(), &fs::read_to_string(path).unwrap())
    };
    let faults: Vec<_> = all.iter().flat_map(fault).collect();
    assert!(faults.is_empty(), "{} places\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn phrases_are_recognised() {
    for planted in [
        "// A line that is no JSON.",
        "fn what_is_no_json_is_refused() {",
        "say(\"reads the file anew\")",
        "/// What the rules report.",
    ] {
        assert_eq!(faults("x.rs", planted).len(), 1, "{planted}");
    }
    for good in [
        "// There is no file of that name, and it is no longer read.",
        "/// Reports what is wrong.\n/// What follows is skipped.",
    ] {
        assert_eq!(faults("x.rs", good), Vec::<String>::new());
    }
}

#[test]
fn no_message_names_a_key_that_the_keymap_can_change() {
    let mut named = Vec::new();
    for folder in ["src/app", "src/view"] {
        for path in files(&project(folder), &["rs"]) {
            let name = path.strip_prefix(project("")).unwrap().display().to_string();
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
    let better = "look keys up: `keymap.shown(name::UNDO)`";
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
