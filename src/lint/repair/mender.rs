//! Repairs broken JSON objects with as few changes as possible: the text is read as a tolerant parser would read it. Whatever
//! comes out is parsed, and counts only if it is an object.

use crate::json::{NodeKind, Parser};

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
        add(MendedJson { text: "{}".to_owned(), what: "no arguments".to_owned(), is_sure: true });
    }
    if let Some(text) = undoubled_object(text) {
        add(MendedJson { text, what: "remove doubled quotation marks".to_owned(), is_sure: true });
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

/// Returns the text with single instead of doubled quotation marks and with control characters escaped, if that
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

/// A repaired text.
#[derive(Debug)]
pub struct MendedJson {
    pub text: String,
    /// The repairs, for titles: "add the missing bracket".
    pub what: String,
    /// False if something at the end is missing or a guess was made.
    pub is_sure: bool,
}

/// Which quotation marks close a string.
#[derive(Clone, Copy, PartialEq)]
pub enum Closing {
    /// Every one that is not escaped.
    Strict,
    /// Those before a comma, a colon, a closing bracket or the end; others are part of the text.
    BeforePunctuation,
}

/// The deepest nesting that is repaired.
const DEEPEST: usize = 64;

const SPACES: [char; 4] = [' ', '\t', '\n', '\r'];

/// Returns the length of the letters, digits, underscores and hyphens at the start of `text`.
fn word_length(text: &str) -> usize {
    let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-');
    text.find(end).unwrap_or(text.len())
}

/// Returns the length of the name at the start of `text`, with its quotation marks, if a colon follows it.
fn name_length(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let length = word_length(&text[1..]);
    let behind = text[1 + length..].strip_prefix(quote)?;
    let is_name = length > 0 && behind.trim_start_matches(SPACES).starts_with(':');
    is_name.then_some(length + 2)
}

/// Reads a broken text and writes the repaired one.
pub struct Mender<'t> {
    source: &'t str,
    rest: &'t str,
    out: String,
    closing: Closing,
    /// The brackets that are still to come, the next one last.
    open: Vec<char>,
    repairs: Vec<&'static str>,
    is_sure: bool,
}

impl<'t> Mender<'t> {
    pub fn new(text: &'t str, closing: Closing) -> Self {
        Self {
            source: text,
            rest: text,
            out: String::with_capacity(text.len() + 8),
            closing,
            open: Vec::new(),
            repairs: Vec::new(),
            is_sure: closing == Closing::Strict,
        }
    }

    /// Returns the repaired text, and the number of kinds of mistakes in it.
    pub fn mended(mut self) -> Option<(MendedJson, usize)> {
        self.strip_fence();
        self.space();
        if self.is_before_name() {
            self.out.push('{');
            self.note("add a bracket", true);
            self.members('}')?;
        } else {
            self.value()?;
        }
        self.space();
        if !self.rest.is_empty() {
            // Brackets that close nothing.
            if !self.rest.chars().all(|c| "}] \n".contains(c)) {
                return None;
            }
            self.note("remove extra brackets", true);
        }
        let what = match &self.repairs[..] {
            [] => return None,
            [one] => (*one).to_owned(),
            [first, more @ ..] => format!("{first}, {}", more.join(", ")),
        };
        let mended = MendedJson { text: self.out, what, is_sure: self.is_sure };
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
            self.source = self.rest;
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
        self.rest.len() - self.rest.trim_start_matches(SPACES).len()
    }

    fn space(&mut self) {
        self.copy(self.space_length());
    }

    /// Returns the first character behind spaces.
    fn after_space(&self) -> Option<char> {
        self.rest[self.space_length()..].chars().next()
    }

    fn value(&mut self) -> Option<()> {
        match self.peek()? {
            '{' => {
                self.copy(1);
                self.members('}')
            }
            '[' => {
                self.copy(1);
                self.members(']')
            }
            '"' => self.string('"'),
            '\'' => self.string('\''),
            _ => self.word(),
        }
    }

    /// Copies the inside of an object or an array with its bracket `close`.
    fn members(&mut self, close: char) -> Option<()> {
        if self.open.len() > DEEPEST {
            return None;
        }
        self.open.push(close);
        loop {
            self.space();
            match self.peek() {
                None => {
                    self.close("close open brackets and quotes");
                    return Some(());
                }
                Some(next) if next == close => {
                    self.copy(1);
                    self.open.pop();
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
            self.value()?;
            if self.is_left_open(close) {
                self.close("add a bracket");
                return Some(());
            }
            self.comma(close)?;
        }
    }

    /// True if an array or object goes on as the one around it does: its own bracket is lost.
    fn is_left_open(&self, close: char) -> bool {
        let around = self.open.iter().rev().skip(1);
        let rest = self.rest.trim_start_matches(SPACES);
        match rest.chars().next() {
            Some(next @ ('}' | ']')) => next != close && around.clone().any(|c| *c == next),
            Some(',') if close == ']' => {
                let is_object = around.clone().next() == Some(&'}');
                is_object && name_length(rest[1..].trim_start_matches(SPACES)).is_some()
            }
            _ => false,
        }
    }

    /// Adds the innermost bracket, which is missing.
    fn close(&mut self, repair: &'static str) {
        let kept = self.out.trim_end_matches(SPACES).len();
        self.out.truncate(kept);
        self.out.extend(self.open.pop());
        self.note(repair, false);
    }

    /// True if the rest starts with a name and a colon.
    fn is_before_name(&self) -> bool {
        name_length(self.rest).is_some()
    }

    fn key(&mut self) -> Option<()> {
        match self.peek()? {
            quote @ ('"' | '\'') => match self.unclosed_name() {
                Some(length) => {
                    self.skip(1);
                    self.out.push('"');
                    self.copy(length);
                    self.out.push('"');
                    self.note("add quotation marks", true);
                }
                None => self.string(quote)?,
            },
            first if first.is_alphabetic() || first == '_' => {
                let length = word_length(self.rest);
                self.out.push('"');
                self.copy(length);
                self.out.push('"');
                if self.rest.starts_with(['"', '\'']) {
                    self.skip(1);
                }
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
                let behind = self.rest[spaces + 1..].trim_start_matches(SPACES);
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
        let start = self.out.len();
        loop {
            let Some(next) = self.peek() else {
                let is_whole = self.end_before_brackets(start);
                self.out.push('"');
                let end =
                    if is_whole { "add quotation marks" } else { "close open brackets and quotes" };
                self.note(end, false);
                return Some(());
            };
            match next {
                ',' if name_length(self.rest[1..].trim_start_matches(SPACES)).is_some() => {
                    self.end_before_brackets(start);
                    self.out.push('"');
                    self.note("add quotation marks", false);
                    return Some(());
                }
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

    /// Gives the brackets at the end of a string without a quotation mark back to the rest, if they close
    /// what is open and not what the string itself, which starts at `start` of the output, opens.
    fn end_before_brackets(&mut self, start: usize) -> bool {
        let text = &self.out[start..];
        let without = |brackets: &[char]| {
            let mut kept = text.trim_end_matches(SPACES);
            for bracket in brackets {
                let opening = if *bracket == '}' { '{' } else { '[' };
                let count = |c: char| kept.matches(c).count();
                if count(opening) >= count(*bracket) {
                    return None;
                }
                kept = kept.strip_suffix(*bracket)?.trim_end_matches(SPACES);
            }
            Some(kept)
        };
        let mut inner = (0..self.open.len()).map(|outer| &self.open[outer..]);
        let Some(kept) = inner.find_map(without) else {
            return false;
        };
        let returned = text.len() - kept.len();
        let place = self.source.len() - self.rest.len() - returned;
        self.rest = &self.source[place..];
        self.out.truncate(self.out.len() - returned);
        true
    }

    /// Returns the length of the name at the start, if its second quotation mark is lost: no string there is
    /// followed by a colon, but a word is.
    fn unclosed_name(&self) -> Option<usize> {
        let inside = &self.rest[1..];
        let length = word_length(inside);
        let is_name = length > 0 && inside[length..].starts_with(':');
        let proper = inside
            .find(self.peek()?)
            .is_some_and(|end| inside[end + 1..].trim_start_matches(SPACES).starts_with(':'));
        (is_name && !proper).then_some(length)
    }

    /// True if the quotation mark at the start of the rest closes its string.
    fn closes(&self, quote: char) -> bool {
        if quote == '"' && self.closing == Closing::Strict {
            return true;
        }
        let behind = self.rest[quote.len_utf8()..].trim_start();
        behind.is_empty() || behind.starts_with([',', ':', '}', ']'])
    }

    /// Copies a text without quotation marks, or without the first one.
    fn bare(&mut self) -> Option<()> {
        let length = self.rest.find(['"', '\'', ',', '}', ']', '\n', '\\'])?;
        if self.rest[..length].contains([':', '{', '[']) {
            return None;
        }
        let has_quote = self.rest[length..].starts_with(['"', '\'']);
        let kept = self.rest[..length].trim_end().len();
        self.out.push('"');
        self.copy(if has_quote { length } else { kept });
        self.out.push('"');
        self.skip(usize::from(has_quote));
        self.note("add quotation marks", false);
        Some(())
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
            self.note("use JSON keywords", word != "NaN");
            return Some(());
        }
        let mut parser = Parser::new();
        let is_quoted = self.rest[length..].starts_with(['"', '\'']);
        if length > 0 && !is_quoted && parser.parse_str(word).is_ok() {
            self.copy(length);
            return Some(());
        }
        if self.rest.starts_with(|c: char| c.is_alphanumeric()) {
            return self.bare();
        }
        None
    }
}
