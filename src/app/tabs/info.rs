//! The Info tab: the dialog's own fields, its context, and fields of a turn that no other tab shows.

use std::ops::Range;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::pane::details::INFO;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Line, wrapped};
use crate::app::tabs::json;
use crate::dialog::{Content, EditKind, Field};
use crate::query::Totals;
use crate::text::grouped;

pub const TAB: Tab = Tab {
    name: INFO,
    title: "Info",
    doc: "the dialog's id, scenario, instructions and context, and fields no other tab shows",
    has: |_| true,
    tells_no_side: false,
    rows,
};

fn rows(app: &App, columns: usize) -> Rows<'_> {
    let t = &app.panes.transcript;
    let mut rows = Rows::default();
    rows.row(move || about_dialog(app, columns));
    for field in &t.dialog.fields {
        rows.row(move || field_lines(field, columns));
    }
    if let Some(context) = &t.context {
        rows.row(move || titled(" Context", text(context, columns)));
    }
    let turn = t.current().into_iter();
    let segments = turn.clone().flat_map(|turn| turn.segments.iter().enumerate());
    let of_segments = segments.map(|(number, segment)| ("Segment", number, &segment.fields));
    let of_turn = turn.map(|turn| ("Turn", t.turn, &turn.fields));
    let with_fields = of_turn.chain(of_segments).filter(|(.., fields)| !fields.is_empty());
    for (of, number, fields) in with_fields {
        let title = format!(" {of} {number}");
        rows.row(move || titled(&title, json::fields(fields, 3, columns)));
    }
    rows
}

fn text(text: &str, columns: usize) -> Vec<Line> {
    let head = Line::of(Ink::Plain, "   ");
    wrapped(head, Ink::Plain, text.trim_end(), columns)
}

fn titled(title: &str, lines: Vec<Line>) -> Vec<Line> {
    [vec![Line::of(Ink::Title, title)], lines].concat()
}

/// Returns the lines of a field of the dialog.
fn field_lines(field: &Field, columns: usize) -> Vec<Line> {
    match &field.content {
        Content::Text(value) if value.contains('\n') || value.chars().count() > columns => {
            titled(&format!(" {}", field.name), text(value, columns))
        }
        content => json::field(&field.name, content, 1, json::Shown { columns, of: None }),
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
    // Of a session that is still judged turn by turn, the end is not known.
    if t.has(EditKind::Calls) && t.visible() == t.len() {
        let pinned = app.panes.pinned.as_ref().filter(|pinned| pinned.is_dialog());
        let beside = pinned.map(|pinned| Totals::of(&pinned.transcript.dialog).lines());
        for (name, total) in Totals::of(&t.dialog).lines() {
            let other = beside.iter().flatten().find(|(other, _)| *other == name);
            let other = other.map_or(String::new(), |(_, other)| format!(" · beside: {other}"));
            pair(name, &format!("{total}{other}"));
        }
    }
    if let Some(beside) = &t.companion_error {
        lines.extend(wrapped(Line::of(Ink::Error, " ! "), Ink::Plain, beside, columns));
    }
    lines
}
