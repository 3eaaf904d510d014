//! JSON in strings, opened as if the strings were not there: `"[1, \"a\"]"` becomes `[1, "a"]`.
//!
//! The opened text is parsed and edited like any other. Its byte ranges and splices are translated back, so that only
//! the bytes of what was changed differ.

use std::ops::Range;

use super::parse::Parser;
use super::patch::Splice;
use super::string::{Escapes, StringChars};
use super::tree::{NodeKind, Tree, Value};

/// A text with some of its strings opened.
pub struct OpenedText {
    text: String,
    /// In the order of the text.
    marks: Vec<Mark>,
    strings: Vec<OpenedString>,
}

/// A byte of the opened text, and that of the original one in the same place. Those behind it follow one for one, up to the
/// next mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mark {
    opened: usize,
    original: usize,
}

struct OpenedString {
    /// Half-open bytes of the opened text.
    at: Range<usize>,
    escapes: Escapes,
}

impl OpenedText {
    /// Opens those of the `values` of a tree that are strings with a list or an object as JSON. They are in the order of
    /// the text. None if there are none.
    pub fn of<'a>(tree: &Tree<'_>, values: impl IntoIterator<Item = Value<'a>>) -> Option<Self> {
        let mut opened = Self {
            text: String::with_capacity(tree.text().len()),
            marks: Vec::new(),
            strings: Vec::new(),
        };
        let mut done = 0;
        for value in values {
            let whole = value.range().bytes();
            let is_next = value.kind() == NodeKind::String && whole.start >= done;
            if is_next && value.as_str().is_some_and(|text| holds_more(&text)) {
                opened.push(done, &tree.text()[done..whole.start]);
                opened.open(value);
                done = whole.end;
            }
        }
        if opened.strings.is_empty() {
            return None;
        }
        opened.push(done, &tree.text()[done..]);
        Some(opened)
    }

    /// Adds a part of the original text that begins at byte `original`.
    fn push(&mut self, original: usize, text: &str) {
        self.mark(original);
        self.text.push_str(text);
    }

    /// Adds the inside of a string. Its first byte is in the place of the quotation mark, and what is behind it, in that of
    /// what is behind the closing one.
    fn open(&mut self, value: Value<'_>) {
        let (quoted, start) = (value.quoted(), value.range().start as usize);
        let at = self.text.len();
        // Around the value there may be spaces.
        let is_space = |char: char| " \t\r\n".contains(char);
        let chars: Vec<_> = StringChars::new(quoted).collect();
        let first = chars.iter().position(|unit| !is_space(unit.char));
        let last = chars.iter().rposition(|unit| !is_space(unit.char));
        let (first, last) = (first.unwrap_or_default(), last.unwrap_or_default());
        for (number, unit) in chars[first..=last].iter().enumerate() {
            self.mark(if number == 0 { start } else { start + 1 + unit.start });
            // Between two values; a line of its own would end the value around it.
            self.text.push(match unit.char {
                '\r' | '\n' => ' ',
                char => char,
            });
        }
        self.strings
            .push(OpenedString { at: at..self.text.len(), escapes: Escapes::seen_in(quoted) });
    }

    /// Notes that the next byte of the opened text is in the place of this one.
    fn mark(&mut self, original: usize) {
        let opened = self.text.len();
        let follows = |last: &Mark| last.original + (opened - last.opened) == original;
        if !self.marks.last().is_some_and(follows) {
            self.marks.push(Mark { opened, original });
        }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the byte of the original text for one of the opened text at which a value begins, or behind which it ends.
    pub fn original(&self, opened: usize) -> usize {
        let behind = self.marks.partition_point(|mark| mark.opened <= opened);
        let mark = self.marks[behind.saturating_sub(1)];
        mark.original + (opened - mark.opened)
    }

    /// Returns the byte of the opened text for such a one of the original text.
    pub fn opened(&self, original: usize) -> usize {
        let behind = self.marks.partition_point(|mark| mark.original <= original);
        let mark = self.marks[behind.saturating_sub(1)];
        mark.opened + (original - mark.original)
    }

    /// Returns the splice of the original text that does what this one does to the opened text.
    ///
    /// New text is escaped as in the string where it comes, or else as `others` in the text are.
    pub fn closed(&self, splice: &Splice, others: Escapes) -> Splice {
        let Range { start, end } = splice.range;
        let range = self.original(start)..self.original(end);
        let has = |string: &&OpenedString| string.at.start <= start && end <= string.at.end;
        let Some(string) = self.strings.iter().find(has) else {
            return Splice::new(range, splice.text.as_str());
        };
        let is_whole = string.at == splice.range;
        // Beside the value.
        if !is_whole && (start == string.at.start || end == string.at.end) {
            return Splice::new(range, splice.text.as_str());
        }
        let mut text = String::new();
        string.escapes.or(others).encode(&splice.text, &mut text);
        if is_whole {
            text = format!("\"{text}\"");
        }
        Splice::new(range, text)
    }
}

/// True for JSON that is a list or an object.
fn holds_more(text: &str) -> bool {
    let mut parser = Parser::new();
    text.trim_start().starts_with(['[', '{']) && parser.parse_str(text).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Editor, NewValue};

    /// Sets each string "a" in the strings of the list `text` to `new`, and returns the text after that.
    fn edited(text: &str, new: &str) -> String {
        let mut parser = Parser::new();
        let tree = parser.parse_str(text).unwrap();
        let opened = OpenedText::of(&tree, tree.root().elements()).unwrap();
        let mut parser = Parser::new();
        let inner = parser.parse_str(opened.text()).unwrap();
        for value in inner.values() {
            let range = value.range().bytes();
            let back = opened.original(range.start);
            assert_eq!(opened.opened(back), range.start);
            assert_eq!(opened.opened(opened.original(range.end)), range.end);
        }
        let editor = Editor::new(&inner, Escapes::default());
        let values = inner.values().filter(|value| value.is_text("a"));
        let mut text = text.to_owned();
        let splices: Vec<_> = values
            .map(|value| editor.replace(value, &NewValue::String(new.to_owned())))
            .map(|splice| opened.closed(&splice, Escapes::default()))
            .collect();
        for splice in splices.into_iter().rev() {
            text.replace_range(splice.range, &splice.text);
        }
        text
    }

    #[test]
    fn strings_inside_strings_are_changed() {
        let text = r#"["[\"a\", {\"é\": \"\\u00e9\"}]", 1, "a", " {\"x\":\n\"a\"} ", "[broken"]"#;
        assert_eq!(
            edited(text, "b\"c\\"),
            r#"["[\"b\\\"c\\\\\", {\"é\": \"\\u00e9\"}]", 1, "b\"c\\", " {\"x\":\n\"b\\\"c\\\\\"} ", "[broken"]"#
        );
        let text = r#"["{\"x\": \"caf\u00e9\", \"y\": \"a\"}"]"#;
        assert_eq!(edited(text, "né"), r#"["{\"x\": \"caf\u00e9\", \"y\": \"n\u00e9\"}"]"#);
    }
}
