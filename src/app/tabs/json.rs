//! JSON as lines of an indented structure.

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
    Line::of(Ink::Plain, &" ".repeat(indent)).at_level(indent + 1)
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
    let count = value.elements().count();
    for (number, element) in value.elements().enumerate() {
        // In long lists of structures, each says which one of how many it is.
        let name = if count > 1 && is_open(element) {
            format!("[{number}] of {count} ")
        } else if count > 1 {
            format!("[{number}] ")
        } else {
            "- ".to_owned()
        };
        let head = head(indent).with(Ink::Dim, &name);
        lines.extend(under(head, element, indent, columns));
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
                "    [0] of 2 ",
                "      id  1",
                "    [1] []",
                "  to  null",
            ]
        );
        let broken = texts(&embedded(r#"{"id": ""x""}"#, 0, 60));
        assert!(broken[1].starts_with("▲ broken JSON at 1:10"), "{broken:?}");
    }
}
