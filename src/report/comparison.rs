//! Compares the reports of two copies of a corpus.

use super::document::{Block, Cell, Report, Section, Table, heads};

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
        let value = |cell: &Option<Cell>| cell.as_ref().and_then(Cell::value).unwrap_or(0.0);
        value(&self.now) - value(&self.before)
    }

    fn row(self) -> Vec<Cell> {
        let difference = self.difference();
        let is_whole = |cell: &Option<Cell>| !matches!(cell, Some(Cell::Number(_) | Cell::Mean(_)));
        let change = if is_whole(&self.before) && is_whole(&self.now) {
            format!("{difference:+.0}")
        } else {
            format!("{difference:+.3}")
        };
        let cell = |cell: Option<Cell>| cell.unwrap_or_else(|| Cell::Undefined(String::new()));
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
        let mut blocks = vec![Block::Text(format!(
            "Figures that differ from those of {name}; what is not listed is the same."
        ))];
        let mut figures = Vec::new();
        let nothing = Section::default();
        for section in &self.sections {
            let before = old.sections.iter().find(|old| old.name == section.name);
            let before = before.unwrap_or(&nothing);
            figures.extend(figure_changes(before, section));
            blocks.extend(table_changes(before, section));
        }
        let gone = |old: &&Section| self.sections.iter().all(|now| now.name != old.name);
        for section in old.sections.iter().filter(gone) {
            figures.extend(figure_changes(section, &nothing));
        }
        if !figures.is_empty() {
            blocks.insert(1, table("Figures", "figure", figures));
        }
        let place = self.sections.len().min(1);
        self.sections.insert(
            place,
            Section { name: "changes", title: "Changes", commands: vec![command], blocks },
        );
    }
}

fn figure_changes(before: &Section, now: &Section) -> Vec<Change> {
    let of = |section: &Section| {
        let figures = section.blocks.iter().filter_map(|block| match block {
            Block::Figures(figures) => Some(figures.clone()),
            _ => None,
        });
        let figures = figures.flatten();
        figures.map(|figure| (figure.name.to_owned(), figure.value)).collect::<Vec<_>>()
    };
    let title = if now.title.is_empty() { before.title } else { now.title };
    let changes = changes(&of(before), &of(now)).into_iter();
    changes.map(|change| Change { name: format!("{title}: {}", change.name), ..change }).collect()
}

/// Returns the tables of a section whose first values have changed, those that changed the most first.
fn table_changes(before: &Section, now: &Section) -> Vec<Block> {
    let tables = now.blocks.iter().filter_map(|block| match block {
        Block::Table(table) if table.heads.first().is_none_or(|head| head != OF_FILES) => {
            Some(table)
        }
        _ => None,
    });
    let mut found = Vec::new();
    for now in tables {
        let twin = before.blocks.iter().find_map(|block| match block {
            Block::Table(table) if table.caption == now.caption => Some(table),
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
            found.push(table(&now.caption, &now.heads[0], changes));
        }
    }
    found
}

/// Returns the names of a table's rows with their first values.
fn rows(table: &Table) -> Vec<(String, Cell)> {
    let rows = table.rows.iter().filter_map(|row| match &row[..] {
        [Cell::Text(name), value, ..] => Some((name.clone(), value.clone())),
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

fn table(caption: &str, head: &str, changes: Vec<Change>) -> Block {
    let left_out = changes.len().saturating_sub(ROWS) as u64;
    Block::Table(Table {
        caption: caption.to_owned(),
        heads: heads([head, "before", "now", "change"]),
        rows: changes.into_iter().take(ROWS).map(Change::row).collect(),
        left_out,
    })
}
