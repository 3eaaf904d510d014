//! The first row: the current dialog and file, and the state of the program.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{self, Span};
use ratatui::widgets::Widget as _;

use super::theme::Theme;
use crate::app::App;
use crate::app::pane::{Ink, Line, elided, problem_ink, truncated};
use crate::query::DialogSummary;
use crate::text::{counted, grouped, width};
use crate::workspace::QueueKind;

/// The most columns for the annotator's id.
const ID: usize = 16;

pub fn draw(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let style = theme.header();
    buffer.set_style(area, style);
    let columns = usize::from(area.width);
    let (places, short) = place(app);
    // Say all in full unless that would cut the place; the annotator is shown until the first vote.
    let mut right = state(app, true);
    if right.width() + width(&short) >= columns {
        right = state(app, false);
    }
    let room = columns.saturating_sub(right.width() + 1);
    let fits = |place: &&String| !place.is_empty() && width(place) <= room;
    let left = places.iter().find(fits).unwrap_or(&short);
    Span::styled(truncated(left, room), style).render(area, buffer);
    let runs = right.runs.iter();
    let spans = runs.map(|run| Span::styled(run.text.as_str(), theme.on_header(run.ink)));
    let right: text::Line<'_> = spans.collect();
    let columns = (right.width() as u16).min(area.width);
    let end = Rect { x: area.right() - columns, width: columns, ..area };
    right.render(end, buffer);
}

/// The most columns for a dialog's id.
const LONGEST: usize = 48;

/// Returns the current dialog and file, in fewer and fewer words, and the dialog without its file. A dialog
/// without an id is called by its number, which counts from 0 as elsewhere.
fn place(app: &App) -> ([String; 4], String) {
    let nothing = " turnwise".to_owned();
    let Some((at, file)) = app
        .panes
        .transcript
        .at
        .and_then(|at| Some((at, app.workspace.files.get(at.file as usize)?)))
    else {
        return (Default::default(), nothing);
    };
    let id = match app.panes.transcript.dialog.id.as_str() {
        "" => format!("dialog {}", grouped(at.dialog)),
        id => elided(id, LONGEST),
    };
    let number = grouped(u64::from(at.dialog) + 1);
    let place = match file.dialogs() {
        1 => String::new(),
        all => format!("  {number} of {}", grouped(all)),
    };
    // The list of dialogs counts those of all files.
    let of_file = app.workspace.files.all().len() > 1 && !place.is_empty();
    let of_file = if of_file { " in this file" } else { "" };
    let file = &file.name;
    let short = format!(" {id}{place}");
    let places = [
        format!("{nothing}  {file}  {id}{place}{of_file}"),
        format!(" {file}  {id}{place}{of_file}"),
        format!(" {file}  {id}{place}"),
        format!(" {file}  {id}"),
    ];
    (places, short)
}

/// Progress and problems; with the annotator, and what is counted, if `in_full` is true.
fn state(app: &App, in_full: bool) -> Line {
    let mut line = Line::new();
    let mut add = |ink: Ink, text: &str| line.push(ink, &format!("{text}  "));
    if let Some(percent) = app.workspace.files.progress() {
        add(Ink::Dim, &format!("reading {percent} %"));
    }
    let id = truncated(&app.judging.annotator, ID);
    let votes = app.judges() && !app.judging.adjudicates && !id.is_empty();
    if votes && app.judging.cast == 0 {
        add(Ink::Dim, &format!("annotator {id}"));
    } else if votes && in_full && app.judging.progress().is_some() {
        add(Ink::Dim, &id);
    }
    if let Some((judged, all)) = app.judging.progress().filter(|_| app.judges()) {
        let done = if app.judging.adjudicates { "decided" } else { "judged" };
        let mut progress = format!("{done} {}/{}", grouped(judged), grouped(all));
        if in_full || app.judging.wanted != QueueKind::All {
            progress = format!("{progress} {}", app.judging.noun());
        }
        add(Ink::Dim, &progress);
        if let Some((spent, left)) = app.judging.minutes() {
            match (spent, left) {
                (0, 0) => {}
                (_, 0) => add(Ink::Dim, &format!("{spent} min")),
                (0, _) => add(Ink::Dim, &format!("about {left} min left")),
                _ => add(Ink::Dim, &format!("{spent} min, about {left} min left")),
            }
        }
    }
    if !app.judging.only.is_empty() {
        let only = app.judging.only.join(", ");
        add(Ink::Dim, &format!("answers of {}", truncated(&only, ID)));
    }
    if app.panes.transcript.judge.is_blind() {
        add(Ink::Dim, "blind");
    }
    if app.judging.adjudicates && app.judges() {
        add(Ink::Dim, "adjudicator");
    }
    if app.panes.transcript.excluded.is_some() {
        add(Ink::Dim, "⊘ excluded");
    }
    if app.is_read_only() {
        add(Ink::Warning, "read-only");
    }
    let unsaved = app.workspace.unsaved();
    if unsaved > 0 {
        add(Ink::Changed, &format!("●{unsaved} unsaved"));
    }
    let failed = app.panes.transcript.visible_failed().len();
    if failed > 0 && !app.hides_sides() {
        add(Ink::Error, &format!("✗{} failed", grouped(failed)));
    }
    let summary = summary(app).filter(|summary| summary.problems > 0 && !app.hides_sides());
    if let Some(summary) = summary {
        let problems = counted(summary.problems, "problem");
        add(problem_ink(summary.worst()), &format!("▲{problems}"));
    }
    if is_broken(app) {
        add(Ink::Error, "▲ broken file");
    }
    if !app.session.unusable.is_empty() {
        add(Ink::Error, "▲ settings");
    }
    // One space separates it from the edge of the screen.
    if let Some(last) = line.runs.last_mut() {
        last.text.pop();
    }
    line
}

/// Returns the summary of the current dialog.
fn summary(app: &App) -> Option<&DialogSummary> {
    let at = app.panes.transcript.at?;
    app.workspace.files.summary(at)
}

fn is_broken(app: &App) -> bool {
    let file = app.panes.transcript.at.map(|at| at.file as usize);
    file.is_some_and(|file| app.workspace.files.is_broken(file))
}
