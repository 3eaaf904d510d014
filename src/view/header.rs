//! The first row: which dialog of which file is read.

use super::paint::Painter;
use crate::app::App;
use crate::app::layout::Area;
use crate::app::line::{Ink, cut};
use crate::text::{counted, grouped, width};

/// A row with fewer columns does not say who judges.
const WIDE: u16 = 100;
/// Columns of the judge's id, at the most.
const ID: usize = 16;

pub fn draw(app: &App, area: Area, painter: &mut Painter<'_>) {
    let style = painter.theme.header();
    painter.band(area.x, area.y, area.columns, style);
    let mut right = String::new();
    if let Some(percent) = app.files.progress() {
        right = format!("reading {percent} % ");
    }
    if let Some((judged, all)) = app.judging.progress().filter(|_| app.judges()) {
        if area.columns >= WIDE && !app.judging.annotator.is_empty() {
            right = format!("{right}{}  ", cut(&app.judging.annotator, ID));
        }
        right = format!("{right}judged {}/{}  ", grouped(judged), grouped(all));
        if let Some((spent, left)) = app.judging.minutes() {
            right = format!("{right}{spent} min, about {left} left  ");
        }
    }
    if app.judging.adjudicates && app.judges() {
        right = format!("{right}adjudicator  ");
    }
    let unsaved = app.files.unsaved();
    if unsaved > 0 {
        right = format!("{right}●{unsaved} unsaved  ");
    }
    let problems = app
        .transcript
        .at
        .and_then(|at| app.files.outline(at))
        .map_or(0, |outline| outline.problems);
    if problems > 0 {
        right = format!("{right}▲{} ", counted(problems, "problem"));
    }
    let broken = app
        .transcript
        .at
        .is_some_and(|at| app.files.broken(at.file as usize).is_some());
    if broken {
        right = format!("{right}▲ broken file ");
    }
    let right = cut(&right, area.columns.into());
    let room = usize::from(area.columns).saturating_sub(width(&right) + 1);
    let mut left = " turnwise".to_owned();
    if let Some(at) = app.transcript.at
        && let Some(file) = app.files.get(at.file as usize)
    {
        let mut number = grouped(at.dialog);
        if file.dialogs() > 1 {
            number = format!("{number} of 0–{}", grouped(file.dialogs() - 1));
        }
        left = format!(
            " turnwise  {}  {}  dialog {number}",
            file.name, app.transcript.dialog.id
        );
        if width(&left) > room {
            left = format!(" {}  {number}", app.transcript.dialog.id);
        }
    }
    painter.text(area.x, area.y, room as u16, &cut(&left, room), style);
    let x = area.x + area.columns - width(&right) as u16;
    let style = style.patch(painter.theme.ink(if problems > 0 || broken {
        Ink::Error
    } else {
        Ink::Dim
    }));
    painter.text(
        x,
        area.y,
        width(&right) as u16,
        &right,
        ratatui::style::Style {
            bg: painter.theme.header().bg,
            ..style
        },
    );
}
