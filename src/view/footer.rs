//! The last row: a prompt, a message, or the most useful keys.

use ratatui::layout::Position;
use unicode_segmentation::UnicodeSegmentation as _;

use super::painter::Painter;
use crate::app::command;
use crate::app::hints::Hint;
use crate::app::key::{Code, Key};
use crate::app::keymap::{KeyLookup, Keymap, Scope};
use crate::app::layout::Area;
use crate::app::line::{Ink, Line, truncated, wrapped};
use crate::app::{App, Overlay};
use crate::text::{visible, width};

/// The most additional rows for a message.
const MESSAGE: u16 = 4;

/// Draws the row. Returns the cell of the cursor if there is a prompt.
pub fn draw(app: &App, area: Area, painter: &mut Painter<'_>) -> Option<Position> {
    let theme = painter.theme;
    if let Some(Overlay::Prompt(prompt)) = &app.overlay
        && prompt.kind.is_long()
    {
        let keys = long_text_keys(&app.keymap);
        painter.text(area.x + 1, area.y, area.columns, &keys, theme.dim());
        return None;
    }
    if let Some(Overlay::Prompt(prompt)) = &app.overlay {
        let sign = prompt.kind.prefix();
        let x = painter.text(area.x, area.y, area.columns, sign, theme.ink(Ink::Key));
        let text = prompt.input.field.text();
        let room = usize::from((area.x + area.columns).saturating_sub(x + 1));
        let before: String = text.chars().take(prompt.input.field.cursor().1).collect();
        // Show the end of a long line.
        let hidden = width(&visible(&before)).saturating_sub(room);
        let visible_text = visible(&text);
        let (mut shown, mut skipped) = (visible_text.as_ref(), 0);
        for grapheme in visible_text.graphemes(true) {
            if skipped >= hidden {
                break;
            }
            skipped += width(grapheme);
            shown = &shown[grapheme.len()..];
        }
        if text.is_empty() {
            painter.text(
                x,
                area.y,
                room as u16,
                &truncated(prompt.kind.hint(), room),
                theme.dim(),
            );
        } else {
            painter.text(x, area.y, room as u16, shown, theme.plain());
        }
        return Some(Position::new(
            x + width(&visible(&before)).saturating_sub(skipped) as u16,
            area.y,
        ));
    }
    let right = app.position_hint();
    let room = area.columns.saturating_sub(width(&right) as u16 + 1);
    if app.status.is_empty() {
        for Hint { x, key, word, .. } in app.hints() {
            let x = painter.text(x, area.y, room.saturating_sub(x), key, theme.ink(Ink::Key)) + 1;
            painter.text(x, area.y, room.saturating_sub(x), word, theme.dim());
        }
    } else {
        let ink = if app.status.bad {
            Ink::Error
        } else {
            Ink::Plain
        };
        let area = Area {
            columns: room,
            ..area
        };
        // A question covers all but the last row of a message, which would make no sense alone.
        let asked = matches!(app.overlay, Some(Overlay::Question(_)));
        status(&app.status.text(), ink, (area, asked), painter);
    }
    let x = area.x + area.columns - width(&right) as u16;
    painter.text(x, area.y, area.columns, &right, theme.dim());
    None
}

/// Returns the keys of a prompt for a text of several lines.
fn long_text_keys(keymap: &Keymap) -> String {
    let [accept, cancel] =
        [&command::ACCEPT, &command::CANCEL].map(|command| keymap.shown(command));
    let enter = Key::plain(Code::Enter);
    let alt_enter = Key { alt: true, ..enter };
    // No command inserts a line break: the text field takes these keys where they are not bound.
    let is_free = |key: &Key| matches!(keymap.find(&[Scope::Prompt], &[*key]), KeyLookup::Nothing);
    let new_line = [enter, alt_enter].into_iter().find(is_free);
    let new_line = new_line.map_or_else(String::new, |key| {
        format!("{} new line · ", key.shown(keymap.names))
    });
    format!("{accept} saves · {new_line}{cancel} cancels")
}

/// Draws a message. If one row is too short, it extends over the rows above, or is hidden if those are
/// `covered`.
fn status(text: &str, ink: Ink, (area, covered): (Area, bool), painter: &mut Painter<'_>) {
    let room = usize::from(area.columns).saturating_sub(2);
    let lines = wrapped(Line::of(ink, " "), ink, text, room);
    if covered && lines.len() > 1 {
        return;
    }
    let more = (lines.len().saturating_sub(1) as u16)
        .min(area.y.saturating_sub(2))
        .min(MESSAGE);
    for y in area.y - more..area.y {
        painter.window(area.x, y, painter.canvas.size().columns);
    }
    let area = Area {
        y: area.y - more,
        rows: more + 1,
        ..area
    };
    painter.lines(area, lines.iter());
}
