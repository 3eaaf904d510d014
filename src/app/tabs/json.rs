//! JSON as lines: an indented structure, or the text as written, in colours.

use crate::app::pane::{Ink, Line, wrapped};
use crate::dialog::{Content, Field};
use crate::json::{NodeKind, Parser, Position, Value};

/// The deepest indentation, in columns; deeper values are shown as written.
const DEEPEST: usize = 24;

/// Lists fields, each with its value as a structure.
pub fn fields(fields: &[Field], indent: usize, columns: usize) -> Vec<Line> {
    fields
        .iter()
        .flat_map(|f| field(&f.name, &f.content, indent, columns))
        .collect()
}

/// Lists a field: its name, and its content as text or as a structure.
pub fn field(name: &str, content: &Content, indent: usize, columns: usize) -> Vec<Line> {
    let head = head(indent).with(Ink::Name, name).with(Ink::Dim, "  ");
    match content {
        Content::Text(text) => wrapped(head, Ink::Text, text, columns),
        Content::Raw(raw) => {
            let mut parser = Parser::new();
            match parser.parse_str(raw) {
                Ok(tree) => under(head, tree.root(), indent, columns),
                Err(_) => wrapped(head, Ink::Plain, raw, columns),
            }
        }
    }
}

/// Lists JSON inside a string: its structure, or its text and the syntax error.
pub fn embedded(text: &str, indent: usize, columns: usize) -> Vec<Line> {
    let mut parser = Parser::new();
    match parser.parse_str(text) {
        Ok(tree) if is_open(tree.root()) => structure(tree.root(), indent, columns),
        Ok(tree) => under(head(indent), tree.root(), indent, columns),
        Err(error) => {
            let mut lines = wrapped(head(indent), Ink::Plain, text, columns);
            let place = Position::of(text.as_bytes(), error.at);
            let wrong = format!("broken JSON at {place}: {error}");
            lines.extend(wrapped(
                head(indent).with(Ink::Error, "▲ "),
                Ink::Error,
                &wrong,
                columns,
            ));
            lines
        }
    }
}

/// Lists a text: its structure if it is a JSON object or array, or the text as it is.
pub fn text(text: &str, indent: usize, columns: usize) -> Vec<Line> {
    let mut parser = Parser::new();
    match parser.parse_str(text) {
        Ok(tree) if is_open(tree.root()) => structure(tree.root(), indent, columns),
        _ => wrapped(head(indent), Ink::Text, text, columns),
    }
}

fn head(indent: usize) -> Line {
    Line::of(Ink::Plain, &" ".repeat(indent))
}

/// Returns whether `value` is shown on lines of its own.
fn is_open(value: Value<'_>) -> bool {
    match value.kind() {
        NodeKind::Object => value.members().next().is_some(),
        NodeKind::Array => value.elements().next().is_some(),
        _ => false,
    }
}

fn structure(value: Value<'_>, indent: usize, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (key, member) in value.members() {
        let name = key.as_str().unwrap_or_default();
        lines.extend(under(
            head(indent).with(Ink::Name, &name).with(Ink::Dim, "  "),
            member,
            indent,
            columns,
        ));
    }
    for element in value.elements() {
        lines.extend(under(
            head(indent).with(Ink::Dim, "- "),
            element,
            indent,
            columns,
        ));
    }
    lines
}

/// Lists a value after `head`, or on the lines below it.
fn under(head: Line, value: Value<'_>, indent: usize, columns: usize) -> Vec<Line> {
    if is_open(value) && indent < DEEPEST {
        let mut lines = vec![head];
        lines.extend(structure(value, indent + 2, columns));
        return lines;
    }
    match value.as_str() {
        Some(text) => wrapped(head, Ink::Text, &text, columns),
        None => wrapped(head, Ink::Number, value.raw(), columns),
    }
}

/// Lists a JSON text as written, line by line, in colours.
pub fn source(text: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let line = line.trim_end_matches('\r');
        for row in crate::text::wrap(line, columns) {
            lines.push(coloured(&line[row]));
        }
    }
    lines
}

/// Colours one row. A string that is wrapped over rows keeps its colour only as far as the row alone
/// shows that it is one.
fn coloured(line: &str) -> Line {
    let mut shown = Line::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '"' => string_len(rest),
            '0'..='9' | '-' | 'a'..='z' => rest
                .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
                .unwrap_or(rest.len())
                .max(1),
            _ => rest
                .find(|c: char| {
                    c == '"' || c == '-' || c.is_ascii_digit() || c.is_ascii_lowercase()
                })
                .unwrap_or(rest.len())
                .max(first.len_utf8()),
        };
        let (piece, more) = rest.split_at(len);
        let ink = match first {
            '"' if more.trim_start().starts_with(':') => Ink::Name,
            '"' => Ink::Text,
            '0'..='9' | '-' | 'a'..='z' => Ink::Number,
            _ => Ink::Dim,
        };
        shown.push(ink, piece);
        rest = more;
    }
    shown
}

/// Returns the bytes of the string at the beginning of `text`, or of all of `text` if the string does
/// not end.
fn string_len(text: &str) -> usize {
    let mut escaped = true;
    for (at, char) in text.char_indices() {
        if char == '"' && !escaped {
            return at + 1;
        }
        escaped = char == '\\' && !escaped;
        if at == 0 {
            escaped = false;
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(lines: &[Line]) -> Vec<String> {
        lines.iter().map(Line::text).collect()
    }

    #[test]
    fn json_in_strings_is_shown_as_structure() {
        let text = r#"{"size": "large", "extras": [{"id": 1}, []], "to": null}"#;
        assert_eq!(
            texts(&embedded(text, 2, 40)),
            [
                "  size  large",
                "  extras  ",
                "    - ",
                "      id  1",
                "    - []",
                "  to  null",
            ]
        );
        let broken = texts(&embedded(r#"{"id": ""x""}"#, 0, 60));
        assert!(broken[1].starts_with("▲ broken JSON at 1:10"), "{broken:?}");
    }

    #[test]
    fn source_is_coloured_by_what_it_is() {
        let line = coloured(r#"  "a\"b": [1.5, true, "x"],"#);
        let inks: Vec<_> = line
            .runs
            .iter()
            .map(|run| (run.text.as_str(), run.ink))
            .collect();
        assert_eq!(
            inks,
            [
                ("  ", Ink::Dim),
                (r#""a\"b""#, Ink::Name),
                (": [", Ink::Dim),
                ("1.5", Ink::Number),
                (", ", Ink::Dim),
                ("true", Ink::Number),
                (", ", Ink::Dim),
                ("\"x\"", Ink::Text),
                ("],", Ink::Dim),
            ]
        );
    }
}
