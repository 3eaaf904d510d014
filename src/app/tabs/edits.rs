//! The Edits tab: all edits, the newest first, and how the selected edit's dialog differs from its file.

use std::collections::HashSet;
use std::ops::Range;

use similar::{ChangeTag, TextDiff};

use crate::app::core::{App, and_n_more};
use crate::app::input::Command;
use crate::app::pane::details::DialogDiff;
use crate::app::pane::parts::Parts;
use crate::app::pane::{Ink, Item, Line, elided, truncated, wrapped};
use crate::app::tabs::tab::Tab;
use crate::text::{clipped, width};
use crate::workspace::{DialogId, UndoStep, UndoneSave};

pub const TAB: Tab = Tab {
    name: "edits",
    title: "Edits",
    doc: "all edits, to revisit or revert; and how the selected edit's dialog differs from its file",
    has: |app| {
        !app.workspace.steps.all().is_empty()
            || app.workspace.files.any_modified()
            || app.workspace.files.any_undecided()
    },
    parts: |app, columns| Box::new(Edits::new(app, columns)),
};

/// Unchanged lines shown before and after a change.
const AROUND: usize = 1;
/// Rows that one long line may take, approximately.
const ROWS: usize = 4;
/// Columns for a dialog's id, at most.
const ID: usize = 14;

/// The parts of the tab: how much is unsaved, each undo step, and how the dialog differs.
struct Edits<'a> {
    app: &'a App,
    columns: usize,
    head: Vec<Line>,
    /// The steps, the newest first, each with whether it is applied and whether that is unsaved.
    steps: Vec<(Item, bool, bool)>,
    difference: &'a [Line],
}

impl<'a> Edits<'a> {
    fn new(app: &'a App, columns: usize) -> Self {
        let (saved, undone_saves) = (app.workspace.saved_steps(), app.workspace.undone_saves());
        let ahead = undone_saves.iter().filter_map(|undone| match undone {
            UndoneSave::Redoable(number) => Some(*number),
            UndoneSave::Orphaned(_) => None,
        });
        let ahead: HashSet<usize> = ahead.collect();
        // Other edits may have restored the dialog to the text in its file; then nothing is unsaved.
        let is_edited = |step: &UndoStep| app.workspace.files.is_edited(step.at);
        let mut steps = Vec::new();
        let mut end = app.workspace.steps.all().len();
        while let Some(last) = end.checked_sub(1) {
            let together = app.workspace.steps.together(last);
            let first = together.start;
            let differs = |number: usize| {
                let differs = if number < app.workspace.steps.done() {
                    !saved[number]
                } else {
                    ahead.contains(&number)
                };
                differs && is_edited(&app.workspace.steps.all()[number])
            };
            steps.push((
                Item::Step(first),
                first < app.workspace.steps.done(),
                together.clone().any(differs),
            ));
            end = first;
        }
        let orphaned = undone_saves.iter().rev().filter_map(|undone| match undone {
            UndoneSave::Orphaned(number) => Some(*number),
            UndoneSave::Redoable(_) => None,
        });
        let orphaned = orphaned
            .filter(|number| {
                app.workspace
                    .steps
                    .orphaned
                    .get(*number)
                    .is_some_and(is_edited)
            })
            .map(|number| (Item::Orphaned(number), false, true));
        Self {
            app,
            columns,
            head: head(app, columns),
            steps: steps.into_iter().chain(orphaned).collect(),
            difference: app.panes.details.difference(),
        }
    }
}

impl Parts for Edits<'_> {
    fn count(&self) -> usize {
        self.head.len() + self.steps.len() + self.difference.len()
    }

    fn item(&self, part: usize) -> Option<Item> {
        let step = self.steps.get(part.checked_sub(self.head.len())?);
        step.map(|(item, ..)| item.clone())
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        if let Some(line) = self.head.get(part) {
            return vec![line.clone()];
        }
        let place = part - self.head.len();
        let Some((item, in_force, unsaved)) = self.steps.get(place) else {
            return vec![self.difference[place - self.steps.len()].clone()];
        };
        let (sign, ink) = match (in_force, unsaved) {
            (true, true) => (" ● ", Ink::Plain),
            (true, false) => ("  saved  ", Ink::Dim),
            (false, true) => (" ● undone ", Ink::Plain),
            (false, false) => ("  undone ", Ink::Dim),
        };
        let step = step_of(self.app, item);
        let lines = step.map(|step| step_lines(self.app, step, (sign, ink, self.columns), item));
        lines.into_iter().flatten().collect()
    }
}

/// Returns the step that `item` selects.
fn step_of<'a>(app: &'a App, item: &Item) -> Option<&'a UndoStep> {
    match item {
        Item::Step(number) => app.workspace.steps.all().get(*number),
        Item::Orphaned(number) => app.workspace.steps.orphaned.get(*number),
        _ => None,
    }
}

/// Reports how many edits are unsaved, and how many from the last session are undecided.
fn head(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let undecided = match app.workspace.files.undecided() {
        0 => None,
        1 => Some("1 edit from the last session".to_owned()),
        n => Some(format!("{n} edits from the last session")),
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
fn step_lines(
    app: &App,
    step: &UndoStep,
    (sign, ink, columns): (&str, Ink, usize),
    item: &Item,
) -> impl Iterator<Item = Line> {
    let at = app.workspace.files.judged_in(step.at);
    let head = Line::of(Ink::Changed, sign);
    let title = app.title_of(step);
    let more = match item {
        Item::Step(first) => {
            let together = app.workspace.steps.together(*first);
            and_n_more(app.workspace.steps.further(together))
        }
        _ => String::new(),
    };
    let by = step.by.as_deref();
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
        .into_iter()
        .map(move |line| line.of_item(item.clone()))
}

/// Compares the dialog of the selected step, or the one on the screen, with its file, unless the result
/// is cached.
pub fn compare(app: &mut App, columns: usize) {
    let chosen = match app.panes.details.item() {
        Some(item @ (Item::Step(_) | Item::Orphaned(_))) => step_of(app, item).map(|s| s.at),
        _ => app.panes.transcript.at.map(|at| {
            let log = app.workspace.files.log_of(at);
            log.filter(|_| !app.workspace.files.is_edited(at))
                .unwrap_or(at)
        }),
    };
    let edited = chosen.filter(|at| app.workspace.files.is_edited(*at));
    let known = app.panes.details.difference.as_ref();
    if known.map(|known| (known.at, known.columns)) != edited.map(|at| (at, columns)) {
        app.panes.details.difference = edited.map(|at| DialogDiff {
            at,
            columns,
            lines: changed(app, at, columns),
        });
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
    let id = app
        .workspace
        .files
        .summary(app.workspace.files.judged_in(at));
    let id = &id.map_or("", |summary| summary.id.as_str());
    let mut lines = vec![
        Line::new(),
        Line::of(Ink::Title, &format!(" Changes in {id}")),
    ];
    lines.extend(difference(&String::from_utf8_lossy(&old), &new, columns));
    lines
}

/// Lists the lines in which two texts differ, with a line of context on each side.
pub fn difference(old: &str, new: &str, columns: usize) -> Vec<Line> {
    let (old, new) = around_change(old, new);
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
            // The line of the other text that this one replaces.
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

/// Cuts the common first and last lines off two texts, except for those shown as context: a dialog may
/// have a million lines, and an edit changes two.
fn around_change<'t>(old: &'t str, new: &'t str) -> (&'t str, &'t str) {
    let lines = |text: &'t str| text.split_inclusive('\n');
    let same = |(old, new): &(&str, &str)| old == new;
    let alike = lines(old).zip(lines(new)).take_while(same).count();
    let bytes = |text, count| lines(text).take(count).map(str::len).sum::<usize>();
    let before = bytes(old, alike.saturating_sub(AROUND));
    let (old, new) = (&old[before..], &new[before..]);
    // Lines of the common beginning must not count towards the common end.
    let begin = bytes(old, alike.min(AROUND));
    let ends = || lines(&old[begin..]).rev();
    let alike = ends().zip(lines(&new[begin..]).rev()).take_while(same);
    let behind = alike.count().saturating_sub(AROUND);
    let behind: usize = ends().take(behind).map(str::len).sum();
    (&old[..old.len() - behind], &new[..new.len() - behind])
}

/// Returns a line; if it is long, from where it begins to differ from `other`, because a file may be a
/// single line.
fn excerpt(line: &str, other: &str, room: usize) -> String {
    if width(line) <= ROWS * room.max(1) {
        return line.to_owned();
    }
    truncated(&clipped(line, other).0, ROWS * room)
}
