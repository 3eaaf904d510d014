//! The Info tab: the dialog's own fields, its context, and fields of a turn that no other tab shows.

use std::ops::Range;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::pane::details::INFO;
use crate::app::pane::parts::Parts;
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::app::tabs::json;
use crate::dialog::{Content, Field};
use crate::text::grouped;

pub const TAB: Tab = Tab {
    name: INFO,
    title: "Info",
    doc: "the dialog's id, scenario, instructions and context, and fields no other tab shows",
    has: |_| true,
    tells_no_side: false,
    parts: |app, columns| Box::new(Info::new(app, columns)),
};

struct Info<'a> {
    app: &'a App,
    columns: usize,
    parts: Vec<Part<'a>>,
}

enum Part<'a> {
    /// The dialog as a whole: id, file, position, family, turns.
    Dialog,
    /// A field of the dialog.
    Field(&'a Field),
    Context(&'a str),
    /// The fields of the turn, or of a segment of it.
    Fields(String, &'a [Field]),
}

impl<'a> Info<'a> {
    fn new(app: &'a App, columns: usize) -> Self {
        let t = &app.panes.transcript;
        let mut parts = vec![Part::Dialog];
        parts.extend(t.dialog.fields.iter().map(Part::Field));
        parts.extend(t.context.as_deref().map(Part::Context));
        let mut fields = |of: &str, number: usize, fields: &'a [Field]| {
            if !fields.is_empty() {
                parts.push(Part::Fields(format!(" {of} {number}"), fields));
            }
        };
        if let Some(turn) = t.current() {
            fields("Turn", t.turn, &turn.fields);
            for (number, segment) in turn.segments.iter().enumerate() {
                fields("Segment", number, &segment.fields);
            }
        }
        Self { app, columns, parts }
    }
}

/// Returns the part that shows field `field` of the dialog.
pub fn part_of(field: usize) -> Range<usize> {
    // The first part is about the dialog as a whole.
    1 + field..2 + field
}

/// Returns the part that shows the fields of the current turn.
pub fn part_of_turn(app: &App) -> Range<usize> {
    let t = &app.panes.transcript;
    part_of(t.dialog.fields.len() + usize::from(t.context.is_some()))
}

impl Parts for Info<'_> {
    fn count(&self) -> usize {
        self.parts.len()
    }

    fn item(&self, _: usize) -> Option<Item> {
        None
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        let columns = self.columns;
        let text = |text: &str| {
            let head = Line::of(Ink::Plain, "   ");
            wrapped(head, Ink::Plain, text.trim_end(), columns)
        };
        let titled = |title: &str, lines: Vec<Line>| {
            let mut all = vec![Line::of(Ink::Title, title)];
            all.extend(lines);
            all
        };
        match &self.parts[part] {
            Part::Dialog => about_dialog(self.app, columns),
            Part::Field(field) => match &field.content {
                Content::Text(value) if value.contains('\n') || value.chars().count() > columns => {
                    titled(&format!(" {}", field.name), text(value))
                }
                content => json::field(&field.name, content, 1, json::Shown { columns, of: None }),
            },
            Part::Context(context) => titled(" Context", text(context)),
            Part::Fields(title, fields) => titled(title, json::fields(fields, 3, columns)),
        }
    }
}

/// Lists the dialog's id, its place, and the number of its turns.
fn about_dialog(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let mut lines = Vec::new();
    let mut pair = |name: &str, value: &str| {
        let head = Line::of(Ink::Name, &format!(" {name}  "));
        lines.extend(wrapped(head, Ink::Plain, value, columns));
    };
    pair("id", if t.dialog.id.is_empty() { "(none)" } else { &t.dialog.id });
    if !t.dialog.unread.is_empty() {
        pair("not read", &t.dialog.unread.names());
    }
    if let Some(line) = &t.excluded {
        pair(
            "excluded",
            Some(line.reason.as_str()).filter(|why| !why.is_empty()).unwrap_or("without a reason"),
        );
    }
    if let Some(at) = t.at
        && let Some(file) = app.workspace.files.get(at.file as usize)
    {
        pair("file", &file.name);
        let [place, all] = [at.dialog as usize + 1, file.dialogs()].map(grouped);
        let number = grouped(at.dialog);
        pair("dialog", &format!("{number} · {place} of {all} in the file"));
        if let Some(format) = app.workspace.files.format(at) {
            pair("family", format.title());
        }
    }
    pair("turns", &t.len().to_string());
    if let Some(beside) = &t.companion_error {
        lines.extend(wrapped(Line::of(Ink::Error, " ! "), Ink::Plain, beside, columns));
    }
    lines
}
