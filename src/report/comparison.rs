//! Compares the reports of two copies of a corpus.

use crate::page::{Cell, Column, Part, Report, Section, Shown, numbers, table, texts};

/// The most rows of a table.
const ROWS: usize = 30;

/// Tables about files, whose names differ between copies.
const OF_FILES: &str = "file";

/// A value in both copies; None in one that does not have it.
struct Change {
    name: String,
    before: Option<Cell>,
    now: Option<Cell>,
}

impl Change {
    fn difference(&self) -> f64 {
        let value = |cell: &Option<Cell>| cell.as_ref().and_then(Cell::size).unwrap_or(0.0);
        value(&self.now) - value(&self.before)
    }

    fn row(self) -> Vec<Cell> {
        let difference = self.difference();
        let is_whole =
            |cell: &Option<Cell>| !matches!(cell, Some(Cell::Statistic(..) | Cell::Mean(_)));
        let change = if is_whole(&self.before) && is_whole(&self.now) {
            format!("{difference:+.0}")
        } else {
            format!("{difference:+.3}")
        };
        let cell = |cell: Option<Cell>| cell.unwrap_or(Cell::Nothing);
        vec![
            Cell::text(self.name),
            cell(self.before),
            cell(self.now),
            Cell::text(change.replace('-', "−")),
        ]
    }
}

impl Report {
    /// Adds a section on what differs from the report of an older copy, which is called `name`; `command` gives the
    /// differences one by one.
    pub fn compare(&mut self, old: &Self, name: &str, command: String) {
        let mut parts = vec![Part::Text(format!(
            "Figures that differ from those of {name}; all others are the same."
        ))];
        let mut figures = Vec::new();
        let nothing = Section::default();
        for section in &self.sections {
            let before = old.sections.iter().find(|old| old.name == section.name);
            let before = before.unwrap_or(&nothing);
            figures.extend(figure_changes(before, section));
            parts.extend(table_changes(before, section));
        }
        let gone = |old: &&Section| self.sections.iter().all(|now| now.name != old.name);
        for section in old.sections.iter().filter(gone) {
            figures.extend(figure_changes(section, &nothing));
        }
        if !figures.is_empty() {
            parts.insert(1, changed("Figures", "figure".to_owned(), figures));
        }
        let place = self.sections.len().min(1);
        self.sections.insert(
            place,
            Section { name: "changes", title: "Changes", commands: vec![command], parts },
        );
    }
}

fn figure_changes(before: &Section, now: &Section) -> Vec<Change> {
    let of = |section: &Section| {
        let figures = section.parts.iter().filter_map(|block| match block {
            Part::Figures(figures) => Some(figures.clone()),
            _ => None,
        });
        let figures = figures.flatten();
        let head = |column: Column| column.head.unwrap_or_default().into_owned();
        figures.map(|(column, cell)| (head(column), cell)).collect::<Vec<_>>()
    };
    let title = if now.title.is_empty() { before.title } else { now.title };
    let changes = changes(&of(before), &of(now)).into_iter();
    changes.map(|change| Change { name: format!("{title}: {}", change.name), ..change }).collect()
}

/// Returns the tables of a section whose first values have changed, those that changed the most first.
fn table_changes(before: &Section, now: &Section) -> Vec<Part> {
    let tables = now.parts.iter().filter_map(|block| match block {
        Part::Shown(table) if first_head(table) != OF_FILES => Some(table),
        _ => None,
    });
    let mut found = Vec::new();
    for now in tables {
        let twin = before.parts.iter().find_map(|block| match block {
            Part::Shown(table) if table.caption == now.caption => Some(table),
            _ => None,
        });
        let Some(before) = twin else {
            continue;
        };
        let mut changes = changes(&rows(before), &rows(now));
        // A row that is not among those listed may be there all the same.
        changes.retain(|change| match (&change.before, &change.now) {
            (None, _) => before.left_out == 0,
            (_, None) => now.left_out == 0,
            _ => true,
        });
        changes.sort_by(|one, other| {
            let size = |change: &Change| change.difference().abs();
            size(other).total_cmp(&size(one))
        });
        if !changes.is_empty() {
            found.push(changed(&now.caption, first_head(now).to_owned(), changes));
        }
    }
    found
}

/// Returns the head of a table's first column.
fn first_head(shown: &Shown) -> &str {
    shown.table.columns.first().and_then(|column| column.head.as_deref()).unwrap_or_default()
}

/// Returns the names of a table's rows with their first values.
fn rows(shown: &Shown) -> Vec<(String, Cell)> {
    let columns = shown.table.shown();
    let [name, value, ..] = &columns[..] else {
        return Vec::new();
    };
    let rows = shown.table.rows.iter().filter_map(|row| match &row[name.at] {
        Cell::Text(name) => Some((name.clone(), row[value.at].clone())),
        _ => None,
    });
    rows.collect()
}

/// Returns the values that are not the same, in the order of the new ones.
fn changes(before: &[(String, Cell)], now: &[(String, Cell)]) -> Vec<Change> {
    let find = |all: &[(String, Cell)], name: &str| {
        let found = all.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| value.clone())
    };
    let is_gone = |(name, _): &&(String, Cell)| find(now, name).is_none();
    let gone = before.iter().filter(is_gone).map(|(name, value)| Change {
        name: name.clone(),
        before: Some(value.clone()),
        now: None,
    });
    let gone: Vec<_> = gone.collect();
    let both = now.iter().map(|(name, value)| Change {
        name: name.clone(),
        before: find(before, name),
        now: Some(value.clone()),
    });
    let mut all: Vec<_> = both.chain(gone).collect();
    all.retain(|change| change.before != change.now);
    all
}

fn changed(caption: &str, head: String, changes: Vec<Change>) -> Part {
    let left_out = changes.len().saturating_sub(ROWS) as u64;
    let mut columns = texts([""]);
    columns[0].head = Some(head.into());
    columns.extend(numbers(["before", "now", "change"]));
    table(caption, columns, changes.into_iter().take(ROWS).map(Change::row), left_out)
}
