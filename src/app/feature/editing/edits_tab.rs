//! The Edits tab: all edits, the newest first, and how the selected edit's dialog differs from its file.

use std::rc::Rc;

use crate::app::core::Tab;
use crate::app::core::{App, and_n_more};
use crate::app::input::Command;
use crate::app::pane::details::DialogDiff;
use crate::app::pane::difference::difference;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Item, Line, elided, wrapped};
use crate::text::width;
use crate::workspace::{DialogId, UndoStep};

pub const TAB: Tab = Tab {
    name: "edits",
    title: "Edits",
    doc: "all edits, to revisit or revert, and the unsaved changes to the dialog of the selected edit",
    has: |app| {
        !app.workspace.steps.all().is_empty()
            || app.workspace.files.any_modified()
            || app.workspace.files.any_undecided()
    },
    tells_no_side: true,
    rows,
};

/// Columns for a dialog's id, at most.
const ID: usize = 14;

/// An edit in the list.
struct ListedStep<'a> {
    step: &'a UndoStep,
    /// The position of the first step that is undone with it; None if redo does not reach it.
    first: Option<usize>,
    is_applied: bool,
    /// Its being applied, or undone, is not saved.
    is_unsaved: bool,
}

/// Makes rows of how much is unsaved, of each undo step, the newest first, and of how the dialog differs.
fn rows(app: &App, columns: usize) -> Rows<'_> {
    let unsaved = app.workspace.unsaved_steps();
    // Other edits may have restored the dialog to the text in its file; then nothing is unsaved.
    let is_edited = |step: &UndoStep| app.workspace.files.is_edited(step.at);
    let all = &app.workspace.steps;
    let mut steps = Vec::new();
    let mut end = all.all().len();
    while let Some(last) = end.checked_sub(1) {
        let together = all.together(last);
        end = together.start;
        let differs =
            |number: usize| unsaved.in_list.contains(&number) && is_edited(&all.all()[number]);
        steps.push(ListedStep {
            step: &all.all()[end],
            first: Some(end),
            is_applied: end < all.applied().len(),
            is_unsaved: together.clone().any(differs),
        });
    }
    let orphaned = unsaved.orphaned.into_iter().rev().filter(|step| is_edited(step));
    steps.extend(orphaned.map(|step| ListedStep {
        step,
        first: None,
        is_applied: false,
        is_unsaved: true,
    }));
    let mut rows = Rows::default();
    rows.text(head(app, columns));
    let steps = Rc::new(steps);
    let items = Rc::clone(&steps);
    let item = move |row: usize| items[row].first.map(Item::Step);
    rows.list(steps.len(), item, move |row| step_lines(app, &steps[row], columns));
    rows.text(app.panes.details.difference().to_vec());
    rows
}

/// Reports how many edits are unsaved, and how many from the last session are undecided.
fn head(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let undecided = match app.workspace.files.undecided() {
        0 => None,
        1 => Some("1 edit from the last run".to_owned()),
        n => Some(format!("{n} edits from the last run")),
    };
    let head = match (app.workspace.unsaved(), &undecided) {
        (0, Some(_)) => None,
        (0, None) => Some(" everything is saved".to_owned()),
        (1, _) => Some(" 1 edit is not saved".to_owned()),
        (n, _) => Some(format!(" {n} edits are not saved")),
    };
    lines.extend(head.map(|head| Line::of(Ink::Dim, &head)));
    if let Some(undecided) = undecided {
        let key = app.key(Command::Recover);
        let text = format!("{undecided}: restore or discard with {key}");
        let head = Line::of(Ink::Changed, " ● ");
        lines.extend(wrapped(head, Ink::Plain, &text, columns));
    }
    lines
}

/// Lists a step, with the id of its dialog unless that dialog is on the screen.
fn step_lines(app: &App, listed: &ListedStep<'_>, columns: usize) -> Vec<Line> {
    let step = listed.step;
    let (sign, ink) = match (listed.is_applied, listed.is_unsaved) {
        (true, true) => (" ● ", Ink::Plain),
        (true, false) => ("  saved  ", Ink::Dim),
        (false, true) => (" ● undone ", Ink::Plain),
        (false, false) => ("  undone ", Ink::Dim),
    };
    let at = app.workspace.files.dialog_of(step.at, step.made.edit());
    let head = Line::of(Ink::Changed, sign);
    let title = app.title_of(step);
    let together = listed.first.map(|first| app.workspace.steps.together(first));
    let more = and_n_more(together.map_or(0, |steps| app.workspace.steps.further(steps)));
    let by = step.made.by.as_deref();
    let by = by.map_or_else(String::new, |by| format!(" · by {by}"));
    let mut lines = wrapped(head, ink, &format!("{title}{more}{by}"), columns);
    if let Some(summary) = app.workspace.files.summary(at)
        && app.panes.transcript.at != Some(at)
        && let Some(last) = lines.pop()
    {
        let id = elided(&summary.id, ID);
        let mut next = Line::new();
        next.fill(width(sign));
        if last.width() + 2 + width(&id) <= columns {
            lines.push(last.with(Ink::Dim, &format!("  {id}")));
        } else {
            lines.extend([last, next.with(Ink::Dim, &id)]);
        }
    }
    lines
}

/// Compares the dialog of the selected step, or the one on the screen, with its file, unless the result
/// is cached.
pub fn compare(app: &mut App, columns: usize) {
    let chosen = match app.panes.details.item() {
        Some(Item::Step(step)) => app.workspace.steps.all().get(*step).map(|step| step.at),
        _ => app.panes.transcript.at.map(|at| {
            let log = app.workspace.files.linked_log(at);
            log.filter(|_| !app.workspace.files.is_edited(at)).unwrap_or(at)
        }),
    };
    let edited = chosen.filter(|at| app.workspace.files.is_edited(*at));
    let known = app.panes.details.difference.as_ref();
    if known.map(|known| (known.at, known.columns)) != edited.map(|at| (at, columns)) {
        app.panes.details.difference =
            edited.map(|at| DialogDiff { at, columns, lines: changed(app, at, columns) });
    }
}

/// Lists how the text of a dialog differs from that in its file.
fn changed(app: &App, at: DialogId, columns: usize) -> Vec<Line> {
    let (Some(corpus), Ok(new)) = (app.workspace.files.corpus(at), app.workspace.files.text(at))
    else {
        return Vec::new();
    };
    let Ok(old) = corpus.bytes(at.dialog as usize) else {
        return Vec::new();
    };
    let id = app.workspace.files.summary(app.workspace.files.judged_in(at));
    let id = &id.map_or("", |summary| summary.id.as_str());
    let mut lines = vec![Line::new(), Line::of(Ink::Title, &format!(" Changes in {id}"))];
    let steps = app.workspace.steps.all().iter().filter(|step| step.at == at);
    let is_hidden = |step: &UndoStep| app.hides_edit(step.made.edit());
    let mut made = app.workspace.unsaved_steps().orphaned.into_iter().chain(steps);
    // Around a change, the file may tell what others answered.
    if made.any(is_hidden) || app.hides_text(at) {
        lines.push(Line::of(Ink::Dim, " hidden: the text would reveal others' answers"));
    } else {
        lines.extend(difference(&String::from_utf8_lossy(&old), &new, columns));
    }
    lines
}
