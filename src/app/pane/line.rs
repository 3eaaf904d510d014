//! Lines to draw: text with its meaning, without colours.
//!
//! Panes are built from lines in this layer, as scrolling needs their number; when they are drawn, a
//! theme gives each [`Ink`] its style.

use unicode_segmentation::UnicodeSegmentation as _;

use crate::app::pane::Item;
use crate::dialog::{Breakdown, Role, Short};
use crate::lint::Severity;
use crate::text::{is_plain, visible, width, wrap};

/// The meaning of a piece of text, from which a theme derives its style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Ink {
    #[default]
    Plain,
    Dim,
    Strong,
    Title,
    Speaker(Role),
    /// Text under a label, or the label's name; the number is from 0, and another for each label of a
    /// dialog.
    Label(u8),
    /// The same, where a bar in a row below underlines the text, or the bar itself.
    Barred(u8),
    Call,
    Error,
    Warning,
    Good,
    /// Added, changed or removed text.
    Added,
    Changed,
    Removed,
    Vote(Breakdown),
    Key,
    /// Parts of JSON text.
    Name,
    Text,
    Number,
}

/// A piece of text in one ink.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mark of its own")]
pub struct TextRun {
    pub text: Short,
    pub ink: Ink,
    /// It is a search match.
    pub hit: bool,
    /// It differs from the dialog beside it.
    pub differs: bool,
    /// It is part of the selection.
    pub selected: bool,
    /// The caret is before it.
    pub caret: bool,
}

/// One line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    pub runs: Vec<TextRun>,
    /// The whole line is part of the selection.
    pub selected: bool,
    /// The start of a turn's text in it, if it shows some.
    pub anchor: Option<TextAnchor>,
    /// The selectable item it shows.
    pub item: Option<Box<Item>>,
    /// How deep it is in a structure: it belongs to the nearest line above that has a lower level. 0 for the
    /// first line of a structure, and outside.
    pub level: usize,
}

/// The column at which a turn's text begins in a line, and the first byte of the text shown there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextAnchor {
    pub column: usize,
    pub byte: usize,
}

impl Ink {
    /// Returns the ink of a segment's text with a bar in the row below.
    #[must_use]
    pub fn barred(self) -> Self {
        match self {
            Self::Label(number) => Self::Barred(number),
            other => other,
        }
    }
}

impl Line {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn of(ink: Ink, text: &str) -> Self {
        Self::new().with(ink, text)
    }

    /// Returns this line with `text` appended. Invisible characters become marks.
    #[must_use]
    pub fn with(mut self, ink: Ink, text: &str) -> Self {
        self.push(ink, text);
        self
    }

    pub fn push(&mut self, ink: Ink, text: &str) {
        if !text.is_empty() {
            self.runs.push(TextRun { text: visible(text).into(), ink, ..TextRun::default() });
        }
    }

    /// Returns this line with a selectable item.
    #[must_use]
    pub fn of_item(mut self, item: Item) -> Self {
        self.item = Some(Box::new(item));
        self
    }

    /// True if it shows `item`, or an object or a list in it.
    pub fn is_of(&self, item: &Item) -> bool {
        self.item.as_deref().is_some_and(|own| item.contains(own))
    }

    /// Returns this line at a level of a structure.
    #[must_use]
    pub fn at_level(mut self, level: usize) -> Self {
        self.level = level;
        self
    }

    /// Returns what names it in the path of the lines below: what it shows without its value.
    pub fn heading(&self) -> String {
        let is_name = |run: &&TextRun| matches!(run.ink, Ink::Dim | Ink::Name | Ink::Call);
        let names = self.runs.iter().filter(is_name);
        let text: String = names.map(|run| run.text.as_str()).collect();
        text.trim().to_owned()
    }

    /// Adds spaces up to column `column`.
    pub fn fill(&mut self, column: usize) {
        let used = self.width();
        if used < column {
            self.push(Ink::Plain, &" ".repeat(column - used));
        }
    }

    /// Replaces the space at its start, if any, with the marker of the current item.
    pub fn point_at(&mut self) {
        if let Some(first) = self.runs.first_mut()
            && let Some(rest) = first.text.strip_prefix(' ')
        {
            first.text = rest.into();
            let sign = Line::of(Ink::Strong, "▸");
            self.runs.splice(0..0, sign.runs);
        }
    }

    /// Returns its width in columns.
    pub fn width(&self) -> usize {
        self.runs.iter().map(|run| width(&run.text)).sum()
    }

    /// Returns its text.
    pub fn text(&self) -> String {
        self.runs.iter().map(|run| run.text.as_str()).collect()
    }
}

/// Wraps `text` in one ink to `columns`: the first row after `head`, the others indented to match. Within a
/// structure, they are a level deeper.
pub fn wrapped(head: Line, ink: Ink, text: &str, columns: usize) -> Vec<Line> {
    let margin = head.width();
    let deeper = if head.level > 0 { head.level + 1 } else { 0 };
    let room = columns.saturating_sub(margin).max(8);
    let mut lines = Vec::new();
    let mut head = Some(head);
    for paragraph in text.split('\n') {
        for row in wrap(paragraph, room) {
            let mut line = head.take().unwrap_or_else(|| {
                let mut line = Line::new().at_level(deeper);
                line.fill(margin);
                line
            });
            line.push(ink, paragraph[row].trim_end_matches('\r'));
            lines.push(line);
        }
    }
    lines
}

/// Wraps a name to `columns` like [`wrapped`], but after full stops, underscores and hyphens where it can.
pub fn wrapped_name(head: Line, ink: Ink, name: &str, columns: usize) -> Vec<Line> {
    let margin = head.width();
    let room = columns.saturating_sub(margin).max(8);
    let mut rows = vec![String::new()];
    for part in visible(name).split_inclusive(['.', '_', '-', '/']) {
        match rows.last_mut() {
            Some(row) if row.is_empty() || width(row) + width(part) <= room => row.push_str(part),
            _ => rows.push(part.to_owned()),
        }
    }
    wrapped(head, ink, &rows.join("\n"), columns)
}

/// Cuts `text` to `columns`, with `…` at the end if something is missing. What is cut off costs nothing, so
/// the text may be long.
pub fn truncated(text: &str, columns: usize) -> String {
    // Fast path: printable ASCII is as wide as it is long.
    let start = text.get(..=columns).unwrap_or(text);
    if columns > 0 && start.is_ascii() && is_plain(start) {
        return if start.len() > columns {
            format!("{}…", &text[..columns - 1])
        } else {
            text.to_owned()
        };
    }
    let mut kept = String::new();
    let mut used = 0;
    // The bytes of `kept` that leave room for `…`.
    let mut short = 0;
    for grapheme in text.graphemes(true) {
        let shown = visible(grapheme);
        used += width(&shown);
        if used > columns {
            kept.truncate(short);
            if columns > 0 {
                kept.push('…');
            }
            break;
        }
        kept.push_str(&shown);
        if used < columns {
            short = kept.len();
        }
    }
    kept
}

/// Cuts `text` in the middle to fit `columns`: ids often differ only at their ends.
pub fn elided(text: &str, columns: usize) -> String {
    let text = visible(text);
    if width(&text) <= columns || columns < 8 {
        return truncated(&text, columns);
    }
    if text.is_ascii() {
        // Ids are ASCII, and the list shows many.
        let front = columns / 2 - 1;
        let back = text.len() - (columns - front - 1);
        return [&text[..front], "…", &text[back..]].concat();
    }
    let front = truncated(&text, columns / 2);
    let mut room = columns - width(&front);
    let mut back: Vec<&str> = Vec::new();
    for grapheme in text.graphemes(true).rev() {
        room = match room.checked_sub(width(grapheme)) {
            Some(left) => left,
            None => break,
        };
        back.push(grapheme);
    }
    back.into_iter().rev().fold(front, |shown, grapheme| shown + grapheme)
}

/// Cuts `text` at its start to fit `columns`: labels differ most at their ends.
pub fn elided_left(text: &str, columns: usize) -> String {
    let text = visible(text);
    if width(&text) <= columns {
        return text.into_owned();
    }
    let starts = text.grapheme_indices(true).map(|(start, _)| start);
    let mut ends = starts.map(|start| &text[start..]);
    match ends.find(|end| width(end) < columns) {
        Some(end) => format!("…{end}"),
        None => truncated(&text, columns),
    }
}

/// Cuts the path `name` at its start to fit `columns`, so that the file's own name stays visible.
pub fn path_end(name: &str, columns: usize) -> String {
    let name = visible(name);
    let own = name.rsplit(['/', '\\']).next().unwrap_or(&name);
    if width(&name) > columns && width(own) + 2 > columns {
        return elided(own, columns);
    }
    elided_left(&name, columns)
}

/// Returns the sign before a problem of a severity. That of a note, which is not counted, is quiet.
pub fn problem_sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Warning => "▲",
        Severity::Note => "·",
    }
}

/// Returns the ink of a severity.
pub fn problem_ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Error,
        Severity::Warning => Ink::Warning,
        Severity::Note => Ink::Dim,
    }
}
