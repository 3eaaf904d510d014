//! The first row: the current dialog and file, and the state of the program.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget as _;

use super::theme::Theme;
use crate::app::App;
use crate::app::pane::{Ink, elided, truncated};
use crate::text::{counted, grouped, width};

/// The most columns for the annotator's id.
const ID: usize = 16;

pub fn draw(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let style = theme.header();
    buffer.set_style(area, style);
    let columns = usize::from(area.width);
    let (whole, short) = place(app);
    // Show the annotator unless that would cut the place.
    let mut right = state(app, true);
    if width(&right) + width(&short) >= columns {
        right = state(app, false);
    }
    let right = truncated(&right, columns);
    let room = columns.saturating_sub(width(&right) + 1);
    let left = if width(&whole) > room { short } else { whole };
    Span::styled(truncated(&left, room), style).render(area, buffer);
    let wrong = problems(app) > 0 || is_broken(app);
    let ink = if wrong { Ink::Error } else { Ink::Dim };
    let right = Line::from(Span::styled(right, theme.on_header(ink)));
    right.right_aligned().render(area, buffer);
}

/// The most columns for a dialog's id.
const LONGEST: usize = 48;

/// The current dialog and file, and the same without the file.
fn place(app: &App) -> (String, String) {
    let nothing = " turnwise".to_owned();
    let Some((at, file)) = app
        .panes
        .transcript
        .at
        .and_then(|at| Some((at, app.workspace.files.get(at.file as usize)?)))
    else {
        return (nothing.clone(), nothing);
    };
    let mut number = grouped(at.dialog);
    if file.dialogs() > 1 {
        number = format!("{number} of 0–{}", grouped(file.dialogs() - 1));
    }
    let id = elided(&app.panes.transcript.dialog.id, LONGEST);
    (
        format!("{nothing}  {}  {id}  dialog {number}", file.name),
        format!(" {id}  {number}"),
    )
}

/// Progress and problems; with the annotator if `names` is true.
fn state(app: &App, names: bool) -> String {
    let mut parts = Vec::new();
    if let Some(percent) = app.workspace.files.progress() {
        parts.push(format!("reading {percent} %"));
    }
    if let Some((judged, all)) = app.judging.progress().filter(|_| app.judges()) {
        if names && !app.judging.annotator.is_empty() {
            parts.push(truncated(&app.judging.annotator, ID));
        }
        let what = app.judging.wanted.short();
        parts.push(format!("{what} {}/{}", grouped(judged), grouped(all)));
        if let Some((spent, left)) = app.judging.minutes() {
            parts.push(match left {
                0 => format!("{spent} min"),
                _ => format!("{spent} min, about {left} min left"),
            });
        }
    }
    if app.judging.adjudicates && app.judges() {
        parts.push("adjudicator".to_owned());
    }
    let unsaved = app.workspace.unsaved();
    if unsaved > 0 {
        parts.push(format!("●{unsaved} unsaved"));
    }
    let problems = problems(app);
    if problems > 0 {
        parts.push(format!("▲{}", counted(problems, "problem")));
    }
    if is_broken(app) {
        parts.push("▲ broken file".to_owned());
    }
    if parts.is_empty() {
        return String::new();
    }
    parts.join("  ") + " "
}

/// The number of problems in the current dialog.
fn problems(app: &App) -> u64 {
    let outline = app
        .panes
        .transcript
        .at
        .and_then(|at| app.workspace.files.summary(at));
    outline.map_or(0, |outline| outline.problems.into())
}

fn is_broken(app: &App) -> bool {
    let file = app.panes.transcript.at.map(|at| at.file as usize);
    file.is_some_and(|file| app.workspace.files.is_broken(file))
}
