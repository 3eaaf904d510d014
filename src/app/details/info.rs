//! What else is known of the dialog: its own fields, the text it is about, unknown fields of a turn.

use super::{Tab, json};
use crate::app::App;
use crate::app::line::{Ink, Line, wrapped};
use crate::dialog::Content;
use crate::text::grouped;

pub const TAB: Tab = Tab {
    name: "info",
    title: "Info",
    doc: "the dialog's id, scenario, instructions and context, and fields no other tab shows",
    has: |_| true,
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let mut lines = Vec::new();
    let mut pair = |name: &str, value: &str| {
        let head = Line::of(Ink::Name, &format!(" {name}  "));
        lines.extend(wrapped(head, Ink::Plain, value, columns));
    };
    pair(
        "id",
        if t.dialog.id.is_empty() {
            "(none)"
        } else {
            &t.dialog.id
        },
    );
    if let Some(at) = t.at
        && let Some(file) = app.files.get(at.file as usize)
    {
        pair("file", &file.name);
        let last = grouped(file.dialogs().saturating_sub(1));
        pair("dialog", &format!("{} of 0–{last}", grouped(at.dialog)));
        if let Some(format) = file.format() {
            pair("family", format.title());
        }
    }
    pair("turns", &t.len().to_string());
    if let Some(beside) = &t.beside {
        lines.extend(wrapped(
            Line::of(Ink::Error, " ! "),
            Ink::Plain,
            beside,
            columns,
        ));
    }
    for field in &t.dialog.fields {
        match &field.content {
            Content::Text(text) if text.contains('\n') || text.chars().count() > columns => {
                lines.push(Line::of(Ink::Title, &format!(" {}", field.name)));
                lines.extend(wrapped(
                    Line::of(Ink::Plain, "   "),
                    Ink::Plain,
                    text.trim_end(),
                    columns,
                ));
            }
            content => lines.extend(json::field(&field.name, content, 1, columns)),
        }
    }
    if let Some(context) = &t.context {
        lines.push(Line::of(Ink::Title, " Context"));
        lines.extend(wrapped(
            Line::of(Ink::Plain, "   "),
            Ink::Plain,
            context.trim_end(),
            columns,
        ));
    }
    let Some(turn) = t.current() else {
        return lines;
    };
    if !turn.fields.is_empty() {
        lines.push(Line::of(Ink::Title, &format!(" Turn {}", t.turn)));
        lines.extend(json::fields(&turn.fields, 3, columns));
    }
    for (number, segment) in turn
        .segments
        .iter()
        .enumerate()
        .filter(|(_, s)| !s.fields.is_empty())
    {
        lines.push(Line::of(Ink::Title, &format!(" Segment {number}")));
        lines.extend(json::fields(&segment.fields, 3, columns));
    }
    lines
}
