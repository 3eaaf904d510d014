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
    // Show the annotator unless that would cut the place, but always until the first vote.
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
    let end = Rect {
        x: area.right() - columns,
        width: columns,
        ..area
    };
    right.render(end, buffer);
}

/// The most columns for a dialog's id.
const LONGEST: usize = 48;

/// The current dialog and file, in fewer and fewer words, and the dialog without its file.
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
    let dialog = format!("dialog {}", grouped(at.dialog));
    let dialogs = counted(file.dialogs(), "dialog");
    let id = elided(&app.panes.transcript.dialog.id, LONGEST);
    let file = &file.name;
    let short = format!(" {id}  {dialog}");
    let places = [
        format!("{nothing}  {file}  {id}  {dialog} · {dialogs}"),
        format!(" {file}  {id}  {dialog} · {dialogs}"),
        format!(" {file}  {id}  {dialog}"),
        format!(" {file}  {id}"),
    ];
    (places, short)
}

/// Progress and problems; with the annotator if `names` is true.
fn state(app: &App, names: bool) -> Line {
    let mut line = Line::new();
    let mut add = |ink: Ink, text: &str| line.push(ink, &format!("{text}  "));
    if let Some(percent) = app.workspace.files.progress() {
        add(Ink::Dim, &format!("reading {percent} %"));
    }
    let id = truncated(&app.judging.annotator, ID);
    let votes = app.judges() && !app.judging.adjudicates && !id.is_empty();
    if votes && app.judging.cast == 0 {
        add(Ink::Dim, &format!("annotator {id}"));
    } else if votes && names && app.judging.progress().is_some() {
        add(Ink::Dim, &id);
    }
    if let Some((judged, all)) = app.judging.progress().filter(|_| app.judges()) {
        // "undecided 1/10" would read as one that is left.
        let what = match app.judging.wanted {
            _ if app.judging.adjudicates => "decided",
            QueueKind::Undecided | QueueKind::Gold => "judged",
            ref other => other.short(),
        };
        let progress = match app.judging.wanted {
            QueueKind::Found(_) if what != "decided" => {
                format!("judged {}/{} found", grouped(judged), grouped(all))
            }
            _ => format!("{what} {}/{}", grouped(judged), grouped(all)),
        };
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
    if app.judging.adjudicates && app.judges() {
        add(Ink::Dim, "adjudicator");
    }
    if app.is_read_only() {
        add(Ink::Warning, "read-only");
    }
    let unsaved = app.workspace.unsaved();
    if unsaved > 0 {
        add(Ink::Changed, &format!("●{unsaved} unsaved"));
    }
    if let Some(summary) = summary(app).filter(|summary| summary.problems > 0) {
        let problems = counted(summary.problems, "problem");
        add(problem_ink(summary.worst()), &format!("▲{problems}"));
    }
    if is_broken(app) {
        add(Ink::Error, "▲ broken file");
    }
    // One space separates it from the edge of the screen.
    if let Some(last) = line.runs.last_mut() {
        last.text.pop();
    }
    line
}

/// The summary of the current dialog.
fn summary(app: &App) -> Option<&DialogSummary> {
    let at = app.panes.transcript.at?;
    app.workspace.files.summary(at)
}

fn is_broken(app: &App) -> bool {
    let file = app.panes.transcript.at.map(|at| at.file as usize);
    file.is_some_and(|file| app.workspace.files.is_broken(file))
}
