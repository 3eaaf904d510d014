//! JSON as lines of an indented structure.

use crate::app::pane::transcript::Folds;
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::dialog::{Content, Field};
use crate::json::{Parser, Position, Value};
use crate::text::counted;

/// The deepest indentation, in columns; deeper values are shown as written.
const DEEPEST: usize = 24;

/// How structures are shown.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub columns: usize,
    /// The item that the lines show, and the folded parts of calls; None where nothing can be selected.
    pub of: Option<(&'a Item, &'a Folds)>,
}

impl<'a> Shown<'a> {
    /// Shows `item`, of whose objects and lists some are folded.
    pub fn part(item: &'a Item, folds: &'a Folds, columns: usize) -> Self {
        Self { columns, of: Some((item, folds)) }
    }
}

/// Lists fields, each with its value as a structure.
pub fn fields(fields: &[Field], indent: usize, columns: usize) -> Vec<Line> {
    let shown = Shown { columns, of: None };
    fields.iter().flat_map(|f| field(&f.name, &f.content, indent, shown)).collect()
}

/// Lists a field: its name, and its content as text or as a structure.
pub fn field(name: &str, content: &Content, indent: usize, shown: Shown<'_>) -> Vec<Line> {
    let head = head(indent).with(Ink::Name, name).with(Ink::Dim, "  ");
    let mut lines = Lines::new(shown);
    match content {
        Content::Text(text) => lines.wrap(head, Ink::Text, text),
        Content::Raw(raw) => {
            let mut parser = Parser::new();
            match parser.parse_str(raw) {
                Ok(tree) => lines.under(head, tree.root(), indent),
                Err(_) => lines.wrap(head, Ink::Plain, raw),
            }
        }
    }
    lines.all
}

/// Lists a text after `title`: its structure if it is a JSON object or list, or the text as it is. If it is
/// `embedded`, it has to be JSON, and a syntax error is reported.
pub fn text(title: Line, text: &str, embedded: bool, indent: usize, shown: Shown<'_>) -> Vec<Line> {
    let mut lines = Lines::new(shown);
    let mut parser = Parser::new();
    match parser.parse_str(text) {
        Ok(tree) if tree.root().has_children() => lines.under(title, tree.root(), indent - 2),
        parsed => {
            lines.push(title);
            match parsed {
                Ok(tree) if embedded => lines.under(head(indent), tree.root(), indent),
                Err(error) if embedded => {
                    lines.wrap(head(indent), Ink::Plain, text);
                    let place = Position::of(text.as_bytes(), error.at);
                    let wrong = format!("broken JSON at {place}: {error}");
                    let head = head(indent).with(Ink::Error, "▲ ");
                    lines.wrap(head, Ink::Error, &wrong);
                }
                _ => lines.wrap(head(indent), Ink::Text, text),
            }
        }
    }
    lines.all
}

/// True if a text is a JSON object or list with members, which can be folded.
pub fn is_structure(text: &str) -> bool {
    let mut parser = Parser::new();
    parser.parse_str(text).is_ok_and(|tree| tree.root().has_children())
}

fn head(indent: usize) -> Line {
    Line::of(Ink::Plain, &" ".repeat(indent)).at_level(indent + 1)
}

/// Lines of a structure while they are made.
struct Lines<'a> {
    shown: Shown<'a>,
    /// The positions that lead to the object or list whose members are listed now.
    path: Vec<usize>,
    all: Vec<Line>,
}

impl<'a> Lines<'a> {
    fn new(shown: Shown<'a>) -> Self {
        Self { shown, path: Vec::new(), all: Vec::new() }
    }

    /// Adds a line of the object or list whose members are listed now.
    fn push(&mut self, mut line: Line) {
        line.item = self.shown.of.map(|(of, _)| Box::new(of.inner(&self.path)));
        self.all.push(line);
    }

    fn wrap(&mut self, head: Line, ink: Ink, text: &str) {
        for line in wrapped(head, ink, text, self.shown.columns) {
            self.push(line);
        }
    }

    /// Lists a value after `head`, or on the lines below it.
    fn under(&mut self, head: Line, value: Value<'_>, indent: usize) {
        if !value.has_children() || indent >= DEEPEST {
            return match value.as_str() {
                Some(text) => self.wrap(head, Ink::Text, &text),
                None => self.wrap(head, Ink::Number, value.raw()),
            };
        }
        let of = self.shown.of;
        if of.is_some_and(|(of, folds)| folds.has_part(&of.inner(&self.path))) {
            let gap = if head.text().ends_with(' ') { "" } else { "  " };
            let note = format!("{gap}{}", folded(value));
            return self.push(head.with(Ink::Dim, &note));
        }
        self.push(head);
        for (number, (key, member)) in value.members().enumerate() {
            let name = key.as_str().unwrap_or_default();
            let head = self::head(indent + 2).with(Ink::Name, &name);
            self.member(number, head.with(Ink::Dim, "  "), member, indent + 2);
        }
        let count = value.elements().count();
        for (number, element) in value.elements().enumerate() {
            // In lists of structures, each says which one of how many it is, counted from one.
            let name = if count > 1 && element.has_children() {
                format!("[{}] of {count} ", number + 1)
            } else if count > 1 {
                format!("[{}] ", number + 1)
            } else {
                "- ".to_owned()
            };
            let head = self::head(indent + 2).with(Ink::Dim, &name);
            self.member(number, head, element, indent + 2);
        }
    }

    /// Lists a member of the object or list whose members are listed now.
    fn member(&mut self, number: usize, head: Line, value: Value<'_>, indent: usize) {
        let is_part = value.has_children() && indent < DEEPEST;
        self.path.extend(is_part.then_some(number));
        self.under(head, value, indent);
        if is_part {
            self.path.pop();
        }
    }
}

/// Returns what a folded object or list shows instead of its members.
fn folded(value: Value<'_>) -> String {
    match value.elements().count() {
        0 => folded_members(value.members().count()),
        items => format!("… {}", counted(items, "item")),
    }
}

/// Returns what so many folded members show.
pub fn folded_members(members: usize) -> String {
    format!("… {}", counted(members, "field"))
}
