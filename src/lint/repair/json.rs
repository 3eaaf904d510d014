//! Repairs broken JSON objects with as few changes as possible.
//!
//! The text is read as a tolerant parser would read it, and copied; only what JSON does not allow is
//! changed. Whatever comes out is parsed, and counts only if it is an object.

use crate::json::{NodeKind, Parser};

/// A repaired text.
#[derive(Debug)]
pub struct MendedJson {
    pub text: String,
    /// The repairs, for titles: "add the missing bracket".
    pub what: String,
    /// False if something at the end is missing or a guess was made.
    pub is_sure: bool,
}

/// Repaired versions of `text` that are JSON objects, the most likely first. Empty if it is one already.
pub fn mended_objects(text: &str) -> Vec<MendedJson> {
    let mut all: Vec<MendedJson> = Vec::new();
    if is_object(text) {
        return all;
    }
    let mut add = |mended: MendedJson| {
        if is_object(&mended.text) && all.iter().all(|other| other.text != mended.text) {
            all.push(mended);
        }
    };
    if text.trim().is_empty() {
        add(MendedJson {
            text: "{}".to_owned(),
            what: "no arguments".to_owned(),
            is_sure: true,
        });
    }
    if let Some(text) = undoubled_object(text) {
        add(MendedJson {
            text,
            what: "remove doubled quotation marks".to_owned(),
            is_sure: true,
        });
    }
    let readings = [Closing::Strict, Closing::BeforePunctuation];
    let mended = readings.map(|closing| Mender::new(text, closing).mended());
    let mut mended: Vec<_> = mended.into_iter().flatten().collect();
    // The reading with fewer kinds of mistakes is more likely.
    mended.sort_by_key(|(_, mistakes)| *mistakes);
    for (mended, _) in mended {
        add(mended);
    }
    if all.len() > 1 {
        for mended in &mut all {
            mended.is_sure = false;
        }
    }
    all
}

/// The text with single instead of doubled quotation marks and with control characters escaped, if that
/// makes it another text that is a JSON object.
pub fn undoubled_object(text: &str) -> Option<String> {
    let repaired = escaped(&undoubled(text));
    (repaired != text && is_object(&repaired)).then_some(repaired)
}

fn is_object(text: &str) -> bool {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text);
    tree.is_ok_and(|tree| tree.root().kind() == NodeKind::Object)
}

/// Turns `""word""` into `"word"`; keeps an empty string, after which JSON goes on.
fn undoubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\"\"") {
        let inside = &rest[start + 2..];
        let word = inside.split('"').next().unwrap_or_default();
        let doubled = !word.starts_with([',', '}', ']', ':', ' ']) && !word.is_empty();
        if doubled && inside[word.len()..].starts_with("\"\"") {
            out.push_str(&rest[..=start]);
            out.push_str(word);
            out.push('"');
            rest = &inside[word.len() + 2..];
        } else {
            out.push_str(&rest[..start + 2]);
            rest = inside;
        }
    }
    out + rest
}

/// Escapes tabs and line breaks inside strings.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escape) = (false, false);
    for char in text.chars() {
        match char {
            '\t' if inside => out.push_str("\\t"),
            '\n' if inside => out.push_str("\\n"),
            '\r' if inside => out.push_str("\\r"),
            _ => out.push(char),
        }
        inside ^= char == '"' && !escape;
        escape = inside && char == '\\' && !escape;
    }
    out
}

/// Which quotation marks close a string.
#[derive(Clone, Copy, PartialEq)]
enum Closing {
    /// Every one that is not escaped.
    Strict,
    /// Those before a comma, a colon, a closing bracket or the end; others are part of the text.
    BeforePunctuation,
}

/// The deepest nesting that is repaired.
const DEEPEST: usize = 64;

/// Reads a broken text and writes the repaired one.
struct Mender<'t> {
    rest: &'t str,
    out: String,
    closing: Closing,
    repairs: Vec<&'static str>,
    is_sure: bool,
}

impl<'t> Mender<'t> {
    fn new(text: &'t str, closing: Closing) -> Self {
        Self {
            rest: text,
            out: String::with_capacity(text.len() + 8),
            closing,
            repairs: Vec::new(),
            is_sure: closing == Closing::Strict,
        }
    }

    /// The repaired text, and the number of kinds of mistakes in it.
    fn mended(mut self) -> Option<(MendedJson, usize)> {
        self.strip_fence();
        self.space();
        self.value(0)?;
        self.space();
        if !self.rest.is_empty() {
            // Brackets that close nothing.
            if !self.rest.chars().all(|c| "}] \n".contains(c)) {
                return None;
            }
            self.note("remove what follows", true);
        }
        let what = match &self.repairs[..] {
            [] => return None,
            [one] => (*one).to_owned(),
            [first, more @ ..] => format!("{first}, {}", more.join(", ")),
        };
        let mended = MendedJson {
            text: self.out,
            what,
            is_sure: self.is_sure,
        };
        Some((mended, self.repairs.len()))
    }

    fn note(&mut self, repair: &'static str, is_sure: bool) {
        self.is_sure &= is_sure;
        if !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    /// Removes the fence around a block of code.
    fn strip_fence(&mut self) {
        let inside = self.rest.trim().strip_prefix("```");
        if let Some(inside) = inside.and_then(|inside| inside.strip_suffix("```")) {
            self.rest = inside.strip_prefix("json").unwrap_or(inside).trim();
            self.note("remove the code fence", true);
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Copies `count` bytes.
    fn copy(&mut self, count: usize) {
        let (copied, rest) = self.rest.split_at(count);
        self.out.push_str(copied);
        self.rest = rest;
    }

    /// Skips `count` bytes.
    fn skip(&mut self, count: usize) {
        self.rest = &self.rest[count..];
    }

    fn space_length(&self) -> usize {
        self.rest.len() - self.rest.trim_start_matches([' ', '\t', '\n', '\r']).len()
    }

    fn space(&mut self) {
        self.copy(self.space_length());
    }

    /// The first character behind spaces.
    fn after_space(&self) -> Option<char> {
        self.rest[self.space_length()..].chars().next()
    }

    fn value(&mut self, depth: usize) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            '{' => self.members('}', depth),
            '[' => self.members(']', depth),
            '"' => self.string('"'),
            '\'' => self.string('\''),
            _ => self.word(),
        }
    }

    /// Copies an object or an array up to its bracket `close`.
    fn members(&mut self, close: char, depth: usize) -> Option<()> {
        self.copy(1);
        loop {
            self.space();
            match self.peek() {
                None => {
                    self.close(close);
                    return Some(());
                }
                Some(next) if next == close => {
                    self.copy(1);
                    return Some(());
                }
                Some(',') => {
                    self.skip(1);
                    self.note("remove a comma", true);
                    continue;
                }
                Some('}' | ']' | ':') => return None,
                Some(_) => {}
            }
            if close == '}' {
                self.key()?;
            }
            if self.peek().is_none() {
                continue;
            }
            self.value(depth + 1)?;
            self.comma(close)?;
        }
    }

    /// Adds the bracket that is missing at the end.
    fn close(&mut self, close: char) {
        let kept = self.out.trim_end_matches([' ', '\t', '\n', '\r']).len();
        self.out.truncate(kept);
        self.out.push(close);
        self.note("close what is open at the end", false);
    }

    fn key(&mut self) -> Option<()> {
        match self.peek()? {
            quote @ ('"' | '\'') => self.string(quote)?,
            first if first.is_alphabetic() || first == '_' => {
                let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
                let length = self.rest.find(end).unwrap_or(self.rest.len());
                self.out.push('"');
                self.copy(length);
                self.out.push('"');
                self.note("add quotation marks", true);
            }
            _ => return None,
        }
        match self.after_space() {
            Some(':') => {
                self.space();
                self.copy(1);
            }
            // The value is lost.
            None | Some(',' | '}') => return None,
            Some(_) => {
                self.out.push(':');
                self.note("add a colon", true);
            }
        }
        self.space();
        Some(())
    }

    /// Copies the comma behind a value if another one follows, adds one that is missing, and leaves out
    /// one before the bracket `close`.
    fn comma(&mut self, close: char) -> Option<()> {
        match self.after_space() {
            None => {
                self.skip(self.space_length());
                Some(())
            }
            Some(next) if next == close => Some(()),
            Some(',') => {
                let spaces = self.space_length();
                let behind = self.rest[spaces + 1..].trim_start_matches([' ', '\t', '\n', '\r']);
                if behind.is_empty() || behind.starts_with([close, ',']) {
                    self.copy(spaces);
                    self.skip(1);
                    self.note("remove a comma", true);
                } else {
                    self.copy(spaces + 1);
                }
                Some(())
            }
            Some('}' | ']' | ':') => None,
            Some(_) => {
                self.out.push(',');
                self.note("add a comma", true);
                Some(())
            }
        }
    }

    /// Copies a string in the quotation marks `quote`.
    fn string(&mut self, quote: char) -> Option<()> {
        if quote == '\'' {
            self.note("use double quotation marks", true);
        }
        self.skip(1);
        self.out.push('"');
        loop {
            let Some(next) = self.peek() else {
                self.out.push('"');
                self.note("close what is open at the end", false);
                return Some(());
            };
            match next {
                '\\' => match self.rest[1..].chars().next()? {
                    '\'' => self.skip(1),
                    escape if "\"\\/bfnrtu".contains(escape) => self.copy(2),
                    _ => {
                        self.out.push('\\');
                        self.copy(1);
                        self.note("escape a backslash", true);
                    }
                },
                _ if next == quote && self.closes(quote) => {
                    self.skip(1);
                    self.out.push('"');
                    return Some(());
                }
                '"' => {
                    self.skip(1);
                    self.out.push_str("\\\"");
                    self.note("escape quotation marks", true);
                }
                '\n' | '\r' | '\t' => {
                    let escape = match next {
                        '\n' => "\\n",
                        '\r' => "\\r",
                        _ => "\\t",
                    };
                    self.skip(1);
                    self.out.push_str(escape);
                    self.note("escape a line break or tab", true);
                }
                other => self.copy(other.len_utf8()),
            }
        }
    }

    /// True if the quotation mark at the start of the rest closes its string.
    fn closes(&self, quote: char) -> bool {
        if quote == '"' && self.closing == Closing::Strict {
            return true;
        }
        let behind = self.rest[quote.len_utf8()..].trim_start();
        behind.is_empty() || behind.starts_with([',', ':', '}', ']'])
    }

    /// Copies a number or a word such as `true`.
    fn word(&mut self) -> Option<()> {
        let end = |c: char| c.is_whitespace() || ",:]}\"'".contains(c);
        let length = self.rest.find(end).unwrap_or(self.rest.len());
        let word = &self.rest[..length];
        let meant = match word {
            "True" => Some("true"),
            "False" => Some("false"),
            "None" | "undefined" | "NaN" => Some("null"),
            _ => None,
        };
        if let Some(meant) = meant {
            self.out.push_str(meant);
            self.skip(length);
            self.note("use the words of JSON", word != "NaN");
            return Some(());
        }
        let mut parser = Parser::new();
        if length == 0 || parser.parse_str(word).is_err() {
            return None;
        }
        self.copy(length);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<(String, bool)> {
        let mended = mended_objects(text).into_iter().next()?;
        Some((mended.text, mended.is_sure))
    }

    #[test]
    fn the_first_repair_is_the_meant_one() {
        let good = r#"{"city": "Łódź", "people": 2, "food": ["a", "b\u00e9"], "late": true}"#;
        let spoiled = [
            (good[..good.len() - 1].to_owned(), false),
            (good.replacen("\": ", "\" ", 1), true),
            (format!("{},}}", &good[..good.len() - 1]), true),
            (good.replace('"', "'").replace("true", "True"), true),
            (good.replacen("\"people\"", "people", 1), true),
            (good.replacen("2, ", "2 ", 1), true),
            (good.replacen("\"b\\u00e9\"", "\"b\\u00e9\",", 1), true),
            (format!("```json\n{good}\n```"), true),
            (format!("{good}}}"), true),
        ];
        for (text, is_sure) in spoiled {
            assert_eq!(first(&text), Some((good.to_owned(), is_sure)), "{text}");
        }
    }

    #[test]
    fn quotation_marks_inside_a_text_are_escaped() {
        let text = r#"{"say": "the "old" mill"}"#;
        let meant = r#"{"say": "the \"old\" mill"}"#;
        assert_eq!(first(text), Some((meant.to_owned(), false)));
        let text = "{'say': 'it's late'}";
        assert_eq!(first(text).unwrap().0, r#"{"say": "it's late"}"#);
        let text = "{\"say\": \"two\nlines\"}";
        assert_eq!(first(text).unwrap().0, r#"{"say": "two\nlines"}"#);
    }

    #[test]
    fn texts_without_an_object_in_them_have_no_repair() {
        for text in [
            "42",
            "Error: no such room",
            "{\"a\": }",
            "{\"a\"",
            "[1, 2",
            "\"x\"",
        ] {
            assert_eq!(first(text), None, "{text}");
        }
        assert_eq!(first("{\"a\": 1}"), None);
        assert_eq!(first(" ").unwrap().0, "{}");
    }
}
