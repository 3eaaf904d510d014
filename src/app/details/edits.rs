//! What was done: every step, the newest first, and how the chosen one's dialog differs from its file.

use std::ops::Range;

use similar::{ChangeTag, TextDiff};

use super::{Item, Tab};
use crate::app::editing::Step;
use crate::app::line::{Ink, Line, cut, elided, wrapped};
use crate::app::passed_over::Undone;
use crate::app::{App, At};
use crate::text::{clipped, width};

pub const TAB: Tab = Tab {
    name: "edits",
    title: "Edits",
    doc: "every edit that was made, to go to it or take it back, and what it changes in the file",
    has: |app| !app.steps.all.is_empty() || app.files.unsaved() > 0 || app.files.undecided() > 0,
    lines,
};

/// Lines around a change.
const AROUND: usize = 1;
/// Rows of one line, about.
const ROWS: usize = 4;
/// Columns of a dialog's id.
const ID: usize = 14;

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let undecided = match app.files.undecided() {
        0 => None,
        1 => Some("1 edit of the last run waits".to_owned()),
        n => Some(format!("{n} edits of the last run wait")),
    };
    let head = match (app.files.unsaved(), &undecided) {
        (0, Some(_)) => None,
        (0, None) => Some(" everything is saved".to_owned()),
        (1, _) => Some(" 1 edit is not saved".to_owned()),
        (n, _) => Some(format!(" {n} edits are not saved")),
    };
    lines.extend(head.map(|head| Line::of(Ink::Dim, &head)));
    if let Some(said) = undecided {
        let key = app.keymap.shown("recover");
        let said = format!("{said} to be restored or thrown away: {key} asks");
        let head = Line::of(Ink::Changed, " ● ");
        lines.extend(wrapped(head, Ink::Plain, &said, columns));
    }
    let (saved, undone_saves) = (app.saved_steps(), app.undone_saves());
    for (number, step) in app.steps.all.iter().enumerate().rev() {
        let in_force = number < app.steps.done;
        // What other edits have led back is as it is in the file.
        let is_edited = app.files.is_edited(step.at);
        let unsaved = is_edited
            && if in_force {
                !saved[number]
            } else {
                undone_saves.contains(&Undone::Ahead(number))
            };
        let (sign, ink) = match (in_force, unsaved) {
            (true, true) => (" ● ", Ink::Plain),
            (true, false) => ("  saved  ", Ink::Dim),
            (false, true) => (" ● undone ", Ink::Plain),
            (false, false) => ("  undone ", Ink::Dim),
        };
        lines.extend(told(app, step, (sign, ink, columns), &Item::Step(number)));
    }
    for undone in undone_saves.iter().rev() {
        if let Undone::PassedOver(number) = *undone
            && let Some(step) = app.steps.passed_over.get(number)
            && app.files.is_edited(step.at)
        {
            let looks = (" ● undone ", Ink::Plain, columns);
            lines.extend(told(app, step, looks, &Item::PassedOver(number)));
        }
    }
    let chosen = match app.details.item() {
        Some(Item::Step(number)) => app.steps.all.get(*number).map(|step| step.at),
        Some(Item::PassedOver(number)) => app.steps.passed_over.get(*number).map(|step| step.at),
        _ => app.transcript.at.map(|at| {
            let log = app.files.log_of(at);
            log.filter(|_| !app.files.is_edited(at)).unwrap_or(at)
        }),
    };
    if let Some(at) = chosen.filter(|at| app.files.is_edited(*at)) {
        lines.extend(changed(app, at, columns));
    }
    lines
}

/// A step, and where it is if that is somewhere else.
fn told(
    app: &App,
    step: &Step,
    (sign, ink, columns): (&str, Ink, usize),
    item: &Item,
) -> impl Iterator<Item = Line> {
    let at = app.files.judged_in(step.at);
    let head = Line::of(Ink::Changed, sign);
    let mut lines = wrapped(head, ink, &app.title_of(step), columns);
    if let Some(outline) = app.files.outline(at)
        && app.transcript.at != Some(at)
        && let Some(last) = lines.pop()
    {
        let id = elided(&outline.id, ID);
        let mut next = Line::new();
        next.fill(width(sign));
        if last.width() + 2 + width(&id) <= columns {
            lines.push(last.with(Ink::Dim, &format!("  {id}")));
        } else {
            lines.extend([last, next.with(Ink::Dim, &id)]);
        }
    }
    lines
        .into_iter()
        .map(move |line| line.of_item(item.clone()))
}

/// How the text of a dialog differs from that in its file.
fn changed(app: &App, at: At, columns: usize) -> Vec<Line> {
    let (Some(corpus), Ok(new)) = (app.files.corpus(at), app.files.text(at)) else {
        return Vec::new();
    };
    let Ok(old) = corpus.bytes(at.dialog as usize) else {
        return Vec::new();
    };
    let id = app.files.outline(app.files.judged_in(at));
    let id = &id.map_or("", |o| o.id.as_str());
    let mut lines = vec![
        Line::new(),
        Line::of(Ink::Title, &format!(" What differs in {id}")),
    ];
    lines.extend(difference(&String::from_utf8_lossy(&old), &new, columns));
    lines
}

/// The lines in which two texts differ, with those around them.
pub fn difference(old: &str, new: &str, columns: usize) -> Vec<Line> {
    let diff = TextDiff::from_lines(old, new);
    let mut lines = Vec::new();
    for group in diff.grouped_ops(AROUND) {
        let changes = group
            .iter()
            .flat_map(|op| diff.iter_changes(op).map(move |change| (op, change)));
        for (op, change) in changes {
            let (sign, ink) = match change.tag() {
                ChangeTag::Delete => ("- ", Ink::Removed),
                ChangeTag::Insert => ("+ ", Ink::Added),
                ChangeTag::Equal => ("  ", Ink::Dim),
            };
            // What stands in the place of a line in the other text.
            let (olds, news) = (op.old_range(), op.new_range());
            let in_place = |at: usize, own: Range<usize>, other: Range<usize>| {
                Some(other.start + at - own.start).filter(|at| *at < other.end)
            };
            let other = match (change.old_index(), change.new_index()) {
                (Some(at), None) => in_place(at, olds, news).and_then(|at| diff.new_slice(at)),
                (None, Some(at)) => in_place(at, news, olds).and_then(|at| diff.old_slice(at)),
                _ => None,
            };
            let text = change.value().trim();
            let other = other.map_or("", |line| line.trim());
            let room = columns.saturating_sub(4);
            let head = Line::of(ink, &format!(" {sign}"));
            lines.extend(wrapped(head, ink, &excerpt(text, other, room), columns));
        }
        lines.push(Line::of(Ink::Dim, "   ⋯"));
    }
    lines.pop();
    lines
}

/// A line, from where it begins to differ from `other` if it is a long one: a file may be a single line.
fn excerpt(line: &str, other: &str, room: usize) -> String {
    if width(line) <= ROWS * room.max(1) {
        return line.to_owned();
    }
    cut(&clipped(line, other).0, ROWS * room)
}
