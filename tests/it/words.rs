//! Plain words: phrases that make a reader decode a sentence do not come back.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::project;

/// A phrase, and what to write instead.
struct Phrase {
    /// Whole words in lower case, one space between two.
    words: &'static str,
    better: &'static str,
    /// Longer phrases that hold it and are good English.
    fine: &'static [&'static str],
}

const fn phrase(words: &'static str, better: &'static str) -> Phrase {
    Phrase {
        words,
        better,
        fine: &[],
    }
}

impl Phrase {
    const fn but(self, fine: &'static [&'static str]) -> Self {
        Self { fine, ..self }
    }

    /// True if a line, as [`plain`] makes it, has the phrase where no good one holds it.
    fn is_in(&self, line: &str) -> bool {
        let spaced = |words: &str| format!(" {words} ");
        let mut line = line.to_owned();
        for fine in self.fine {
            line = line.replace(&spaced(fine), " … ");
        }
        line.contains(&spaced(self.words))
    }
}

const PHRASES: &[Phrase] = &[
    phrase("is no", "is not a …, is not valid, there is no …").but(&[
        "there is no",
        "is no longer",
        "is no more than",
        "is no larger than",
        "is no longer than",
    ]),
    phrase("are no", "are not …, there are no …").but(&["there are no", "are no longer"]),
    phrase("anew", "again"),
    phrase("or no more", "toggle …"),
    phrase("is told", "turnwise reports, the status line shows"),
    phrase("are told", "turnwise reports, the status line shows"),
    phrase("was told", "turnwise reported"),
    phrase("be told", "be reported, be shown"),
    phrase("told of", "reported, shown"),
    phrase("told apart", "distinguished"),
    phrase("is said", "is reported, is shown, is uttered"),
    phrase("are said", "are reported, are shown"),
    phrase("let be", "ignored"),
    phrase("lets be", "ignores"),
    phrase("whoever", "the user, anyone who"),
    phrase("give the keys", "focus"),
    phrase("gives the keys", "focuses"),
    phrase("stand", "is, are"),
    phrase("stands", "is"),
    phrase("stood", "was"),
    phrase("at the most", "at most"),
    phrase("looked for", "searched for"),
    phrase("look for", "search for, find"),
    phrase("looks for", "searches for, finds"),
    phrase("blank", "space").but(&["blank line"]),
    phrase("blanks", "spaces"),
    phrase("lets go", "releases"),
    phrase("let go", "release"),
    phrase("for others", "name the module that does it"),
    phrase("no more", "no longer").but(&["no more than", "there are no more"]),
    phrase("any more", "no longer").but(&["any more of"]),
    phrase("gone to", "opened"),
    phrase("in the row", "in the queue"),
];

/// How a doc comment does not begin: a clause as a heading has to be decoded first.
const CLAUSES: &[&str] = &["What ", "Whoever ", "Where ", "Who ", "That "];

/// A line in lower case, its words one space apart, a space at both ends.
fn plain(line: &str) -> String {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '-');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    format!(" {} ", words.join(" ").to_lowercase())
}

/// What is wrong with a text, a message each.
fn faults(name: &str, text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let mut above = "";
    for (number, line) in text.lines().enumerate() {
        let at = format!("{name}:{}", number + 1);
        let words = plain(line);
        for phrase in PHRASES.iter().filter(|phrase| phrase.is_in(&words)) {
            let (words, better) = (phrase.words, phrase.better);
            faults.push(format!("{at}: “{words}”: better {better}\n    {}", line.trim()));
        }
        let doc = line.trim_start();
        let begins = ["/// ", "//! "].iter().find_map(|mark| {
            let first = !above.starts_with(mark.trim_end()) || above.trim_end() == mark.trim_end();
            doc.strip_prefix(mark).filter(|_| first)
        });
        if begins.is_some_and(|doc| CLAUSES.iter().any(|clause| doc.starts_with(clause))) {
            faults.push(format!("{at}: begin with what it is or does\n    {doc}"));
        }
        above = doc;
    }
    faults
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs" || end == "md") {
            found.push(path);
        }
    }
}

#[test]
fn nobody_has_to_decode_a_sentence() {
    let mut files = vec![project("README.md"), project("CHANGELOG.md")];
    texts(&project("src"), &mut files);
    texts(&project("assets/manual"), &mut files);
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(project("")).unwrap_or(&file);
        all.extend(faults(&name.display().to_string(), &text));
    }
    assert!(all.is_empty(), "{} phrases:\n{}", all.len(), all.join("\n"));
}

#[test]
fn a_planted_phrase_is_found_and_good_english_is_not() {
    for planted in [
        "// A line that is no JSON.",
        "/// What is found in a dialog.",
        "say(\"the file is read anew\")",
    ] {
        assert_eq!(faults("x.rs", planted).len(), 1, "{planted}");
    }
    for good in [
        "// There is no file of that name, and it is no longer read.",
        "/// Says what is wrong.\n/// What follows is skipped.",
    ] {
        assert_eq!(faults("x.rs", good), Vec::<String>::new());
    }
}
