//! The list of dialogs.

use std::collections::HashMap;
use std::path::Path;

use compact_str::{CompactString, ToCompactString as _, format_compact};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::pane::{draw_lines, title_row};
use super::theme::Theme;
use crate::app::input::Command;
use crate::app::pane::line::path_end;
use crate::app::pane::{Ink, Line, ListRow, SortOrder, body, elided, problem_ink, truncated};
use crate::app::{App, Blind, Focus};
use crate::query::Column;
use crate::text::{grouped, visible, width};
use crate::workspace::{DialogId, LoadState};

pub fn draw(app: &App, area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let body = body(area);
    let list = &app.panes.list;
    let columns = usize::from(body.width);
    let progress = progress(app);
    let shown = list.rows.iter().enumerate().skip(list.top);
    let shown = shown.take(body.height.into());
    let numbers = NumberColumns::of(app, &progress, shown.clone().map(|(_, row)| *row));
    let rows = shown.clone().map(|(_, row)| *row);
    let own = OwnColumns::of(app, numbers, columns, &rows);
    let headings = own.headings(app);
    let room = usize::from(area.width).saturating_sub(1);
    let taken = if headings.is_empty() { 0 } else { width(&headings) + numbers.width() + 1 };
    let title = truncated(&title(app, room - taken.min(room)), room - taken.min(room));
    let focused = app.panes.focus == Focus::Dialogs;
    title_row(&[(&title, true)], 0, focused, area, theme, buffer);
    let end = area.right().saturating_sub(numbers.width() as u16);
    let start = end.saturating_sub(width(&headings) as u16);
    buffer.set_string(start, area.y, &headings, theme.title_bar(focused));
    let lines = shown.map(|(number, row)| {
        let chosen = number == list.cursor;
        let mut line = match row {
            ListRow::Folder(folder) => folder_line(app, *folder, columns),
            ListRow::File(file) => file_line(app, *file, columns),
            ListRow::Dialog(at) => {
                let turns = turns(app, *at, &progress);
                dialog_line(app, *at, chosen, &turns, (numbers, &own), columns)
            }
        };
        line.selected = chosen;
        line
    });
    draw_lines(&lines.collect::<Vec<_>>(), body, theme, buffer);
    if list.rows.is_empty() && list.is_narrowed() {
        let [filter, cancel, back] =
            [Command::Filter, Command::Cancel, Command::Back].map(|command| app.key(command));
        let ends = if app.search.query.is_some() || focused {
            format!(" {back} shows all dialogs")
        } else {
            format!(" {filter} {cancel} shows all dialogs")
        };
        let why = if list.filter.is_empty() && app.search.done {
            " no dialog has a hit"
        } else if list.filter.is_empty() {
            " searching …"
        } else {
            " no id contains this"
        };
        let lines = [why, &ends].map(|said| Line::of(Ink::Dim, said));
        draw_lines(&lines, body, theme, buffer);
    }
}

/// Returns the title: the selected dialog's place, the number of dialogs, the filter and the order, shortened to
/// `room` columns.
fn title(app: &App, room: usize) -> String {
    let list = &app.panes.list;
    let mut count = grouped(list.dialogs());
    if let Some(place) = list.place() {
        count = format!("{} of {count}", grouped(place));
    }
    if !list.filter.is_empty() {
        count = format!("{count} · {}", list.filter);
    }
    if list.found.is_some() {
        count = format!("{count} · hits");
    }
    let fits = |title: &String| width(title) <= room;
    let plain = Some(format!("Dialogs  {count}"));
    let plain = plain.filter(fits).unwrap_or(count.clone());
    if list.sort == SortOrder::File {
        return plain;
    }
    let (name, short) = list.sort_names();
    let sorted =
        [format!("{plain} · {name}"), format!("{plain} {short}"), format!("{count} {short}")];
    sorted.into_iter().find(fits).unwrap_or(plain)
}

/// Returns the sign of a folder or file in the tree: its dialogs are hidden or follow.
fn fold_sign(app: &App, row: ListRow) -> &'static str {
    if app.panes.list.is_folded(row) { "+ " } else { "- " }
}

fn folder_line(app: &App, folder: u32, columns: usize) -> Line {
    let list = &app.panes.list;
    let Some(known) = list.folders.all.get(folder as usize) else {
        return Line::new();
    };
    let count = grouped(list.in_folder.get(folder as usize).copied().unwrap_or_default());
    let indent = " ".repeat(known.depth.into());
    let sign = fold_sign(app, ListRow::Folder(folder));
    let room = columns.saturating_sub(indent.len() + sign.len() + count.len() + 3);
    Line::of(Ink::Dim, &format!("{indent}{sign}"))
        .with(Ink::Title, &format!("{}/", path_end(&known.name, room)))
        .with(Ink::Dim, &format!("  {count}"))
}

fn file_line(app: &App, file: u32, columns: usize) -> Line {
    let Some(open) = app.workspace.files.get(file as usize) else {
        return Line::new();
    };
    let (ink, note) = match &open.state {
        LoadState::Failed(reason) => (Ink::Error, format!("▲ {reason}")),
        LoadState::Ontology(_) => (Ink::Dim, "ontology".to_owned()),
        LoadState::Reading { .. } => (Ink::Title, format!("{} …", grouped(open.dialogs()))),
        _ if app.workspace.files.is_broken(file as usize) => {
            (Ink::Error, format!("▲ {}", grouped(open.dialogs())))
        }
        _ => {
            // With a filter, as many as are listed.
            let listed = app.panes.list.in_file.get(file as usize).copied();
            let all = open.dialogs() as u64;
            (Ink::Title, grouped(listed.unwrap_or(all)))
        }
    };
    let list = &app.panes.list;
    let around = list.folders.around(file);
    let in_tree = list.sort == SortOrder::File && !list.folders.all.is_empty();
    let shown_name = match open.name.rsplit_once('/') {
        Some((_, name)) if in_tree => name,
        _ => &open.name,
    };
    let folds = list.sort == SortOrder::File && open.dialogs() > 0;
    let sign = if folds { fold_sign(app, ListRow::File(file)) } else { "" };
    let head = format!("{}{sign}", " ".repeat(if in_tree { around.len() } else { 0 }));
    let columns = columns.saturating_sub(head.len());
    let name = path_end(shown_name, columns.saturating_sub(2 + width(&note).min(columns / 2)));
    let note = truncated(&note, columns.saturating_sub(width(&name) + 2));
    Line::of(Ink::Dim, &head).with(ink, &name).with(Ink::Plain, "  ").with(Ink::Dim, &note)
}

/// Returns the number of judged turns and of all turns to judge, for each dialog while the user judges.
fn progress(app: &App) -> HashMap<DialogId, (u32, u32)> {
    let mut progress = HashMap::new();
    let queue = app.judging.queue.as_deref().filter(|_| app.judges());
    for item in queue.unwrap_or_default() {
        let (judged, all) = progress.entry(item.at).or_default();
        *judged += u32::from(item.judged);
        *all += 1;
    }
    progress
}

/// Returns the number of turns of a dialog, or how many of them are judged. A dialog that is not in the queue
/// has nothing to judge.
fn turns(
    app: &App,
    at: DialogId,
    progress: &HashMap<DialogId, (u32, u32)>,
) -> (CompactString, Ink) {
    match progress.get(&at) {
        Some((judged, all)) if judged == all => (format_compact!("{judged}/{all}"), Ink::Good),
        Some((judged, all)) => (format_compact!("{judged}/{all}"), Ink::Dim),
        None if !progress.is_empty() => (format_compact!("–"), Ink::Dim),
        None => {
            let summary = app.workspace.files.summary(at);
            let turns = summary.map_or(0, |summary| summary.turns);
            (turns.to_compact_string(), Ink::Dim)
        }
    }
}

/// Returns the sign and the number of the problems of a dialog; empty if it has none. Those of a pair are the problems
/// of one side.
fn problems(app: &App, problems: u32) -> CompactString {
    // A truncated number would be wrong.
    match problems {
        _ if app.asks_about_pairs() => format_compact!(""),
        0 => format_compact!(""),
        few @ ..1000 => format_compact!("▲{few}"),
        many => format_compact!("▲{}k", (many / 1000).min(99)),
    }
}

/// The widths of the columns of numbers in the visible rows, which are the same in all of them.
#[derive(Clone, Copy, Debug, Default)]
struct NumberColumns {
    turns: usize,
    /// With the space before; 0 if no row has a problem.
    problems: usize,
}

impl NumberColumns {
    /// Returns the columns that the numbers take at the end of a row.
    fn width(self) -> usize {
        self.turns + 1 + self.problems
    }

    fn of(
        app: &App,
        progress: &HashMap<DialogId, (u32, u32)>,
        rows: impl Iterator<Item = ListRow>,
    ) -> Self {
        let mut widest = Self::default();
        for row in rows {
            if let ListRow::Dialog(at) = row {
                let summary = app.workspace.files.summary(at);
                let problems = summary.map_or(0, |summary| width(&problems(app, summary.problems)));
                let turns = width(&turns(app, at, progress).0);
                widest.turns = widest.turns.max(turns);
                // Most counts have one digit: a longer one should not move the others.
                let room = if problems > 0 { problems.max(2) + 1 } else { 0 };
                widest.problems = widest.problems.max(room);
            }
        }
        widest
    }
}

/// The most columns of a value, and of a heading that is wider than its values.
const WIDEST_VALUE: usize = 16;
const WIDEST_HEADING: usize = 8;

/// The most columns of the first words of a dialog.
const WIDEST_BEGINNING: usize = 32;

/// The fewest columns of texts, which are cut where there is no room for them. Numbers and days are not.
const NARROWEST_TEXT: usize = 6;

/// The columns that the rest leaves to an id, or to the first words, before other columns are left out.
const NARROWEST_ID: usize = 10;
const NARROWEST_BEGINNING: usize = 18;

/// A column of the user's choice, as wide as what it shows.
#[derive(Debug)]
struct OwnColumn {
    /// With the space after it.
    width: usize,
    /// True if no visible value is a number or a day.
    is_text: bool,
    /// True if the beginning of a value tells more than its end.
    is_beginning: bool,
}

impl OwnColumn {
    /// Returns a text as it is in the column, with a space after it.
    fn aligned(&self, text: &str) -> String {
        // The ends of values often tell them apart, as those of ids do.
        let shorten = if self.is_beginning { truncated } else { elided };
        let text = shorten(text, self.width.saturating_sub(1));
        let rest = " ".repeat(self.width.saturating_sub(width(&text) + 1));
        if self.is_text { format!("{text}{rest} ") } else { format!("{rest}{text} ") }
    }
}

/// The first of the user's columns, as many as there is room for.
#[derive(Debug, Default)]
struct OwnColumns {
    shown: Vec<OwnColumn>,
    /// The position of the first one: 1 if the first words of dialogs are their names.
    first: usize,
}

impl OwnColumns {
    fn of(
        app: &App,
        numbers: NumberColumns,
        columns: usize,
        rows: &(impl Iterator<Item = ListRow> + Clone),
    ) -> Self {
        let mut shown = Vec::new();
        let list = &app.panes.list.columns;
        let first = usize::from(list.first() == Some(&Column::Beginning));
        let name = if first > 0 { NARROWEST_BEGINNING } else { NARROWEST_ID };
        let mut left = columns.saturating_sub(numbers.width() + 4 + name);
        for (number, column) in list.iter().enumerate().skip(first) {
            let values = rows.clone().filter_map(|row| match row {
                ListRow::Dialog(at) => Some(own_value(app, at, number)),
                ListRow::Folder(_) | ListRow::File(_) => None,
            });
            let heading = heading(app, number, column.name());
            let is_beginning = *column == Column::Beginning;
            let most = if is_beginning { WIDEST_BEGINNING } else { WIDEST_VALUE };
            let mut widest = width(&heading).min(WIDEST_HEADING);
            let mut is_text = *column != Column::Started;
            for value in values {
                widest = widest.max(width(&value).min(most));
                is_text &= value.parse::<f64>().is_err();
            }
            if is_text {
                widest = widest.min(left.saturating_sub(1).max(NARROWEST_TEXT));
            }
            let width = widest + 1;
            if width > left {
                break;
            }
            left -= width;
            shown.push(OwnColumn { width, is_text, is_beginning });
        }
        Self { shown, first }
    }

    fn width(&self) -> usize {
        self.shown.iter().map(|column| column.width).sum()
    }

    /// Returns the names of the columns, each above its values.
    fn headings(&self, app: &App) -> String {
        let columns = app.panes.list.columns.iter().enumerate().skip(self.first);
        columns
            .zip(&self.shown)
            .map(|((number, named), shown)| shown.aligned(&heading(app, number, named.name())))
            .collect()
    }
}

/// Returns the name of a column with the sign of the order, if the list is sorted by it.
fn heading(app: &App, number: usize, name: &str) -> String {
    match app.panes.list.sort {
        SortOrder::Column(sorted) if usize::from(sorted) == number => {
            format!("{}{name}", app.panes.list.arrow())
        }
        _ => name.to_owned(),
    }
}

/// Returns the value of a dialog in a column of the user's choice. To a blind annotator, votes are only their own.
fn own_value(app: &App, at: DialogId, number: usize) -> String {
    let judging = &app.judging;
    let annotator = (judging.blind != Blind::No).then_some(judging.annotator.as_str());
    visible(&app.workspace.files.column(at, number, annotator)).into_owned()
}

fn dialog_line(
    app: &App,
    at: DialogId,
    chosen: bool,
    (turns, turns_ink): &(CompactString, Ink),
    (numbers, own): (NumberColumns, &OwnColumns),
    columns: usize,
) -> Line {
    let Some(summary) = app.workspace.files.summary(at) else {
        return Line::new();
    };
    let (name, ink) = if summary.broken {
        (&format_compact!("{} unreadable", at.dialog), Ink::Error)
    } else {
        let ink = if summary.excluded { Ink::Dim } else { Ink::Plain };
        match summary.id.as_str() {
            "" => (&format_compact!("dialog {}", at.dialog), ink),
            _ => (&summary.id, ink),
        }
    };
    // The first words, cut at their end, tell dialogs apart.
    let beginning = (own.first > 0).then(|| own_value(app, at, 0));
    let beginning = beginning.filter(|words| !words.is_empty() && !summary.broken);
    let name = beginning.map_or_else(|| name.clone(), CompactString::from);
    let shorten = if own.first > 0 { truncated } else { elided };
    let mark = |mark, ink, is_shown| {
        if is_shown { (mark, ink) } else { (" ", Ink::Plain) }
    };
    let (cursor, cursor_ink) = mark("▸", Ink::Strong, chosen);
    let (dot, dot_ink) = mark("●", Ink::Changed, app.workspace.files.is_changed(at));
    // Long ids are cut at the same place in all rows: two columns for marks are before, two spaces after it.
    let last = columns.saturating_sub(1 + numbers.problems);
    let room = last.saturating_sub(4 + numbers.turns + own.width());
    let mut line = Line::of(cursor_ink, cursor).with(dot_ink, dot);
    if !app.panes.list.has_its_name(at.file) && app.workspace.files.has_id_of_another(at) {
        // The name of its file tells it from the other one.
        let file = Path::new(app.workspace.files.name(at.file as usize)).file_stem();
        let file = file.unwrap_or_default().to_string_lossy();
        let file = truncated(&file, room / 2);
        line.push(Ink::Dim, &format!("{file} "));
        line.push(ink, &shorten(&name, room.saturating_sub(width(&file) + 1)));
    } else {
        line.push(ink, &shorten(&name, room));
    }
    line.fill(last.saturating_sub(numbers.turns + own.width()));
    for (number, column) in own.shown.iter().enumerate() {
        line.push(Ink::Plain, &column.aligned(&own_value(app, at, own.first + number)));
    }
    line.fill(last.saturating_sub(width(turns)));
    line.with(*turns_ink, turns)
        .with(Ink::Plain, if summary.excluded { "⊘" } else { " " })
        .with(problem_ink(summary.worst()), &problems(app, summary.problems))
}
