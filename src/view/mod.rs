//! Draws the state on the screen.
//!
//! [`draw`] shows what [`App`] holds and changes nothing. It does not know terminals: the shell writes the
//! cells there. The layers below decide what is where; this layer adds the style.

mod ascii;
mod colours;
mod dialogs;
mod footer;
mod header;
mod pane;
pub mod theme;

pub use ascii::to_ascii;
pub use colours::{Colours, indexed};
pub use theme::Theme;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use crate::app::pane::details::MOST_MORE;
use crate::app::pane::layout::SMALLEST;
use crate::app::pane::line::path_end;
use crate::app::pane::transcript::Transcript;
use crate::app::pane::transcript::cache::ScreenRow;
use crate::app::pane::{Ink, Pinned, PinnedContent, body, elided, line, wrapped};
use crate::app::{App, Focus, Proposed, hints, tabs};
use crate::compare::{ConflictLine, Side};
use crate::text::{counted, grouped, width};
use crate::workspace::LoadState;
use pane::{draw_lines, edge, title_row};

/// Draws the whole screen, which is of the size that `app` knows.
pub fn draw(app: &App, theme: &Theme, frame: &mut Frame<'_>) {
    let screen = frame.area();
    let buffer = frame.buffer_mut();
    if theme.plain() != Style::new() {
        buffer.set_style(screen, theme.plain());
    }
    let Some(layout) = app.panes.layout() else {
        too_small(app, theme, buffer);
        return;
    };
    header::draw(app, layout.header, theme, buffer);
    if !layout.dialogs.is_empty() {
        dialogs::draw(app, layout.dialogs, theme, buffer);
    }
    if !layout.transcript.is_empty() {
        let focused = app.panes.focus == Focus::Transcript;
        let t = &app.panes.transcript;
        transcript(app, t, focused, layout.transcript, theme, buffer);
    }
    if let Some(pinned) = app.panes.pinned.as_ref().filter(|_| !layout.pinned.is_empty()) {
        let t = &pinned.transcript;
        // The focus would reveal which side of a pair is which.
        let focused = pinned.is_side() && app.panes.focus == Focus::Transcript;
        transcript(app, t, focused, layout.pinned, theme, buffer);
    }
    if !layout.details.is_empty() {
        details_pane(app, layout.details, theme, buffer);
    }
    let focused = match app.panes.focus {
        Focus::Dialogs => [layout.dialogs, Rect::default()],
        Focus::Details => [layout.details, Rect::default()],
        Focus::Transcript if app.panes.pinned.as_ref().is_some_and(Pinned::is_side) => {
            [layout.transcript, layout.pinned]
        }
        Focus::Transcript => [layout.transcript, Rect::default()],
    };
    for pane in [layout.dialogs, layout.transcript, layout.pinned] {
        if !pane.is_empty() && pane.right() < screen.right() {
            let is_beside = |focused: &Rect| *focused == pane || focused.x == pane.right() + 1;
            let is_bright = focused.iter().filter(|pane| !pane.is_empty()).any(is_beside);
            edge(pane, is_bright, theme, buffer);
        }
    }
    footer::draw(app, &layout, theme, frame);
    window(app, theme, frame);
    footer::draw_over(app, &layout, theme, frame.buffer_mut());
}

/// Draws the open window, and puts the cursor into a text that is typed there.
fn window(app: &App, theme: &Theme, frame: &mut Frame<'_>) {
    let open = app.windows.open.as_ref();
    let Some(shown) = open.map_or_else(|| hints::next_keys(app), |open| open.content(app)) else {
        return;
    };
    let buffer = frame.buffer_mut();
    let area = pane::window(shown.frame, &shown.title, &shown.note, theme, buffer);
    draw_lines(&shown.lines, area, theme, buffer);
    if let Some((row, column)) = shown.cursor {
        frame.set_cursor_position((area.x + column as u16, area.y + row as u16));
    }
}

/// Draws the size that is needed, and the last error.
fn too_small(app: &App, theme: &Theme, buffer: &mut Buffer) {
    let needed = format!("turnwise needs {} columns and {} rows", SMALLEST.width, SMALLEST.height);
    let columns = usize::from(buffer.area.width);
    let mut lines = wrapped(line::Line::new(), Ink::Plain, &needed, columns);
    if app.status.bad {
        let head = line::Line::new();
        lines.extend(wrapped(head, Ink::Error, &app.status.text(), columns));
    }
    draw_lines(&lines, buffer.area, theme, buffer);
}

/// Returns the title of a dialog on the screen: of two, each has its name, and the pinned one is called so.
fn transcript_title(app: &App, t: &Transcript, room: usize) -> String {
    let mut place = String::new();
    if !t.is_empty() {
        let turns = if t.judge.hides_later {
            "the rest is hidden".to_owned()
        } else {
            counted(t.len(), "turn")
        };
        place = format!("  turn {} · {turns}", grouped(t.turn));
        if t.bookmarks.contains(&t.turn) {
            place = format!("{place} · bookmarked");
        }
    }
    let Some(pinned) = &app.panes.pinned else {
        return format!("Transcript{place}");
    };
    if !pinned.together {
        place = format!("{place} · apart");
    }
    if pinned.is_side() {
        let is_first = std::ptr::eq(t, &raw const pinned.transcript) == pinned.first;
        return format!("{}{place}", if is_first { "1" } else { "2" });
    }
    let is_pinned = std::ptr::eq(t, &raw const pinned.transcript);
    if let PinnedContent::OfConflict { number, side } = pinned.content {
        let one = app.suggestions.all.get(number);
        let names = one.and_then(Proposed::as_conflict).map(ConflictLine::names);
        let [ours, theirs] = names.unwrap_or_default();
        let name = match side {
            _ if !is_pinned => ours,
            Side::Ours | Side::Theirs => theirs,
            Side::Both => "both",
            Side::Base => "before",
        };
        let room = room.saturating_sub(width(&place)).max(8);
        return format!("{}{place}", path_end(name, room));
    }
    let sign = if is_pinned { "pinned  " } else { "" };
    let room = room.saturating_sub(width(&place) + sign.len()).max(8);
    let at = t.at.unwrap_or_default();
    let ids = [&app.panes.transcript, &pinned.transcript].map(|t| t.dialog.id.as_str());
    let files = [&app.panes.transcript, &pinned.transcript].map(|t| t.at.map(|at| at.file));
    let name = if ids[0] == ids[1] && files[0] != files[1] {
        path_end(app.workspace.files.name(at.file as usize), room)
    } else if t.dialog.id.is_empty() {
        format!("dialog {}", at.dialog)
    } else {
        elided(&t.dialog.id, room)
    };
    format!("{sign}{name}{place}")
}

fn transcript(
    app: &App,
    t: &Transcript,
    focused: bool,
    area: Rect,
    theme: &Theme,
    buffer: &mut Buffer,
) {
    let title = transcript_title(app, t, usize::from(area.width).saturating_sub(2));
    title_row(&[(&title, true)], 0, focused, area, theme, buffer);
    let body = body(area);
    if let Some(error) = &t.error {
        let head = line::Line::of(Ink::Error, " ▲ ");
        let lines = wrapped(head, Ink::Error, error, body.width.into());
        draw_lines(&lines, body, theme, buffer);
    } else if !t.is_empty() {
        draw_lines(t.page.iter().map(ScreenRow::line), body, theme, buffer);
    } else if t.at.is_some() {
        Span::styled(" this dialog has no turns", theme.dim()).render(body, buffer);
    } else if app.workspace.files.progress().is_some() {
        Span::styled(" reading …", theme.dim()).render(body, buffer);
    } else {
        nothing_to_read(app, body, theme, buffer);
    }
}

/// Draws the reasons why no file has a dialog.
fn nothing_to_read(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let mut lines = vec![line::Line::of(Ink::Plain, " there are no dialogs here")];
    for file in app.workspace.files.all() {
        if let LoadState::Failed(reason) = &file.state {
            let head = line::Line::of(Ink::Error, " ▲ ")
                .with(Ink::Strong, &file.name)
                .with(Ink::Plain, "  ");
            lines.push(line::Line::new());
            lines.extend(wrapped(head, Ink::Plain, reason, area.width.into()));
        }
        if let LoadState::Ontology(name) = &file.state {
            let said = format!("{}  {name}: contains no dialogs", file.name);
            let head = line::Line::of(Ink::Dim, "   ");
            lines.push(line::Line::new());
            lines.extend(wrapped(head, Ink::Dim, &said, area.width.into()));
        }
    }
    draw_lines(&lines, area, theme, buffer);
}

fn details_pane(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let strip = tabs::strip(app, area.width.into());
    let titles: Vec<_> = strip.titles.iter().map(|title| (title.text, title.is_shown)).collect();
    title_row(&titles, strip.gap, app.panes.focus == Focus::Details, area, theme, buffer);
    let mut body = body(area);
    let more = app.panes.details.more;
    if more > 0 && body.height > 1 {
        body.height -= 1;
        let last = Rect { y: body.bottom(), height: 1, ..body };
        let or_more = if more == MOST_MORE { "+" } else { "" };
        let rows = format!(" {}{or_more} rows below ↓ ", grouped(more));
        let text = Span::styled(rows, theme.dim());
        Line::from(text).right_aligned().render(last, buffer);
    }
    draw_lines(&app.panes.details.lines, body, theme, buffer);
}
