//! The Source tab: the JSON text of the current segment, turn or dialog as written, with its file and line.

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Line, wrapped};
use crate::app::tabs::json_text;
use crate::json::Position;

pub const TAB: Tab = Tab {
    name: "source",
    title: "Source",
    doc: "the JSON text of the current segment or turn, unchanged from the file",
    has: |_| true,
    tells_no_side: false,
    rows: |app, columns| Rows::whole(lines(app, columns)),
};

/// Bytes of a text that are shown, at most.
const LONGEST: usize = 64 << 10;

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let Some(at) = t.at else {
        return Vec::new();
    };
    let text = match app.workspace.files.text(at) {
        Ok(text) => text,
        Err(error) => {
            return wrapped(Line::of(Ink::Error, " ▲ "), Ink::Error, &error.to_string(), columns);
        }
    };
    if t.hides_here() {
        let until = t.judge.reveal.until();
        let text = format!("the JSON is hidden{until}: it contains others' votes");
        return wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &text, columns);
    }
    let whole = crate::dialog::Extent { start: 0, end: text.len() as u32 };
    let (what, range) = match (t.current(), t.current_segment()) {
        _ if t.error.is_some() => ("dialog", whole),
        (_, Some(segment)) => ("segment", segment.at),
        (Some(turn), None) => ("turn", turn.whole()),
        _ => ("dialog", t.dialog.at),
    };
    let (start, end) = (range.start as usize, (range.end as usize).min(text.len()));
    let Some(shown) = text.get(start..end) else {
        return Vec::new();
    };
    let mut place = format!(" {what}");
    if let Some(file) = app.workspace.files.get(at.file as usize) {
        place = format!("{place} · {}", file.name);
    }
    if let Some((_, line)) = app.panes.details.line.filter(|(known, _)| *known == at) {
        let within = Position::of(text.as_bytes(), start);
        place = format!("{place}:{}", line + within.line - 1);
    }
    let mut lines = wrapped(Line::new(), Ink::Dim, &place, columns);
    let mut cut = shown.len().min(LONGEST);
    while !shown.is_char_boundary(cut) {
        cut -= 1;
    }
    lines.extend(json_text::lines(&unindent(&text[..start], &shown[..cut]), columns));
    if cut < shown.len() {
        lines.push(Line::of(Ink::Dim, &format!(" … {} more bytes", shown.len() - cut)));
    }
    lines
}

/// Removes from all lines of `shown` the indentation that its first line has in the file.
fn unindent(before: &str, shown: &str) -> String {
    let line = before.rsplit('\n').next().unwrap_or_default();
    let indent = &line[..line.len() - line.trim_start().len()];
    if indent.is_empty() || !line.trim().is_empty() && !line.trim_end().ends_with(':') {
        return shown.to_owned();
    }
    let strip = |line: &str| line.strip_prefix(indent).unwrap_or(line).to_owned();
    shown.split('\n').map(strip).collect::<Vec<_>>().join("\n")
}
