//! The dialog list: its rows, its filter and order, and the selected dialog.

use std::collections::HashSet;

use crate::app::pane::folders::FolderTree;
use crate::app::pane::headings::{Headings, folders_with_file_names};
use crate::dialog::Short;
use crate::query::Column;

use crate::workspace::{DialogId, Files, OpenFile};

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ListRow {
    /// A folder, by its position in [`DialogList::folders`], above its folders and files.
    Folder(u32),
    /// The name of a file, above its dialogs.
    File(u32),
    Dialog(DialogId),
}

/// The order of the dialogs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", from = "String")]
pub enum SortOrder {
    /// In the order of the files.
    #[default]
    File,
    Id,
    /// The longest first.
    Turns,
    /// Most problems first.
    Problems,
    /// By a column of the user's choice: numbers first, the greatest first of all, then texts.
    Column(u8),
}

/// The name of an order by a column in the session, before the number of the column.
const BY_COLUMN: &str = "column-";

impl From<SortOrder> for String {
    fn from(order: SortOrder) -> Self {
        match order {
            SortOrder::File => "file".to_owned(),
            SortOrder::Id => "id".to_owned(),
            SortOrder::Turns => "turns".to_owned(),
            SortOrder::Problems => "problems".to_owned(),
            SortOrder::Column(number) => format!("{BY_COLUMN}{number}"),
        }
    }
}

impl From<String> for SortOrder {
    fn from(name: String) -> Self {
        let column = name.strip_prefix(BY_COLUMN);
        match (name.as_str(), column.and_then(|number| number.parse().ok())) {
            (_, Some(number)) => Self::Column(number),
            ("id", _) => Self::Id,
            ("turns", _) => Self::Turns,
            ("problems", _) => Self::Problems,
            _ => Self::File,
        }
    }
}

/// The key by which dialogs are sorted by a column: first whether it is a number, a text or nothing.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum ColumnOrder {
    Number(std::cmp::Reverse<i64>),
    Text(Short),
    Nothing,
}

impl ColumnOrder {
    fn of(value: Short) -> Self {
        match value.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                // The bits of floating-point numbers are in their order, but those of negative ones backwards;
                // -0 is 0.
                let bits = (number + 0.0).to_bits().cast_signed();
                let bits = if bits < 0 { bits ^ i64::MAX } else { bits };
                Self::Number(std::cmp::Reverse(bits))
            }
            _ if value.is_empty() => Self::Nothing,
            _ => Self::Text(value),
        }
    }
}

/// The dialog list.
#[derive(Clone, Debug, Default)]
pub struct DialogList {
    pub rows: Vec<ListRow>,
    /// The selected row.
    pub cursor: usize,
    /// The first visible row.
    pub top: usize,
    /// The columns of the user's choice.
    pub columns: Vec<Column>,
    /// Shows only dialogs whose ids contain this, ignoring case.
    pub filter: String,
    /// Shows only these dialogs, with hits of the search.
    pub found: Option<HashSet<DialogId>>,
    pub sort: SortOrder,
    /// The order is reversed.
    pub backwards: bool,
    /// The folders of the files.
    pub folders: FolderTree,
    /// The number of files of which these are the folders, and of the logs among them.
    shape: (usize, usize),
    /// The number of dialogs in each folder that the filter lets through.
    pub in_folder: Vec<u64>,
    /// The number of dialogs in each file that the filter lets through.
    pub in_file: Vec<u64>,
    /// Whether the files of a folder have their names above their dialogs, by the position of the folder
    /// plus one; first those of files in no folder. Empty if none has.
    named: Vec<bool>,
    /// Folders and files whose dialogs are hidden.
    folded: HashSet<ListRow>,
    /// Positions of the rows of folders and files, in order.
    names: Vec<usize>,
    /// A filter that was cleared because the user jumped to a dialog it excludes; kept until the status line
    /// has reported it.
    pub dropped: Option<String>,
    /// The selected row at the time the list was scrolled away from it.
    away: Option<usize>,
}

impl DialogList {
    /// True if it does not show all dialogs.
    pub fn is_narrowed(&self) -> bool {
        !self.filter.is_empty() || self.found.is_some()
    }

    /// Shows all dialogs again, after a rebuild.
    pub fn widen(&mut self) {
        self.filter.clear();
        self.found = None;
    }

    /// Rebuilds the rows and keeps the selected dialog, if it is still there.
    pub fn rebuild(&mut self, files: &Files) {
        let chosen = self.rows.get(self.cursor).copied();
        let filter = self.filter.to_lowercase();
        let has_id = |at: DialogId| {
            let summary = files.summary(at);
            summary.is_some_and(|summary| summary.id.to_lowercase().contains(&filter))
        };
        let is_narrowed = self.is_narrowed();
        let wanted = |at: DialogId| {
            (filter.is_empty() || has_id(at))
                && self.found.as_ref().is_none_or(|found| found.contains(&at))
        };
        self.rows.clear();
        let all = files.all();
        let is_beside =
            |number: usize, file: &OpenFile| file.is_log() || files.is_judgements(number);
        let beside = all.iter().enumerate();
        let beside = { beside }.filter(|(number, file)| is_beside(*number, file));
        let shape = (all.len(), beside.count());
        if self.shape != shape {
            self.shape = shape;
            // Logs are not listed, and so are not their folders.
            let names = all.iter().enumerate().map(|(number, file)| {
                if is_beside(number, file) { "" } else { file.name.as_str() }
            });
            self.folders = FolderTree::new(names);
        }
        let is_companion = files.hidden_companions();
        let is_hidden = |file: &OpenFile| file.is_log() || is_companion(file);
        self.named = if self.sort == SortOrder::File {
            folders_with_file_names(&self.folders, all.iter().map(|f| (!is_hidden(f)).then_some(f)))
        } else {
            Vec::new()
        };
        let in_order = self.sort == SortOrder::File;
        let mut headings = Headings::new(in_order, &self.named, &self.folders);
        headings.in_file = vec![0; all.len()];
        for (number, file) in all.iter().enumerate().filter(|(_, f)| !is_hidden(f)) {
            let number = number as u32;
            let dialogs =
                (0..file.dialogs() as u32).map(|dialog| DialogId { file: number, dialog });
            let found = dialogs.filter(|at| wanted(*at));
            let failed = file.has_no_dialogs() && !is_narrowed;
            headings.add(&mut self.rows, &self.folded, number, found, failed);
        }
        (self.in_folder, self.in_file) = (headings.in_folder, headings.in_file);
        self.order(files);
        let rows = self.rows.iter().enumerate();
        let is_name =
            |(i, row): (usize, &ListRow)| (!matches!(row, ListRow::Dialog(_))).then_some(i);
        self.names = rows.filter_map(is_name).collect();
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        if let Some(chosen) = chosen
            && self.rows.get(self.cursor) != Some(&chosen)
            && let Some(row) = self.rows.iter().position(|row| *row == chosen)
        {
            self.cursor = row;
        }
    }

    /// Sorts by the next order.
    pub fn sort_differently(&mut self) {
        self.backwards = false;
        self.sort = match self.sort {
            SortOrder::File => SortOrder::Id,
            SortOrder::Id => SortOrder::Turns,
            SortOrder::Turns => SortOrder::Problems,
            SortOrder::Problems => self.by_column(0),
            SortOrder::Column(number) => self.by_column(number.saturating_add(1)),
        };
    }

    /// Returns the order by a column, or that of the files if there is no such column.
    pub fn by_column(&self, number: u8) -> SortOrder {
        if usize::from(number) < self.columns.len() {
            SortOrder::Column(number)
        } else {
            SortOrder::File
        }
    }

    /// True if its order tells how many votes dialogs have.
    pub fn is_sorted_by_votes(&self) -> bool {
        match self.sort {
            SortOrder::Column(number) => {
                self.columns.get(usize::from(number)) == Some(&Column::Votes)
            }
            _ => false,
        }
    }

    /// Returns the name of the order, and a short one for narrow panes.
    pub fn sort_names(&self) -> (String, String) {
        let (name, reversed, short) = match self.sort {
            SortOrder::File => ("file order", "file order", ""),
            SortOrder::Id => ("id", "id, backwards", "id"),
            SortOrder::Turns => ("longest first", "shortest first", "turns"),
            SortOrder::Problems => ("most problems first", "fewest problems first", "▲"),
            SortOrder::Column(number) => {
                let column = self.columns.get(usize::from(number));
                let name = column.map_or("", Column::name);
                let backwards = if self.backwards { ", backwards" } else { "" };
                return (format!("{name}{backwards}"), format!("{}{name}", self.arrow()));
            }
        };
        let name = if self.backwards { reversed } else { name };
        (name.to_owned(), format!("{}{short}", self.arrow()))
    }

    /// Returns the sign of the direction of the order; nothing in the order of the files.
    pub fn arrow(&self) -> &'static str {
        match (self.sort, self.backwards) {
            (SortOrder::File, _) => "",
            (_, false) => "↓",
            (_, true) => "↑",
        }
    }

    fn order(&mut self, files: &Files) {
        let summary = |row: &ListRow| match row {
            ListRow::Dialog(at) => files.summary(*at),
            ListRow::Folder(_) | ListRow::File(_) => None,
        };
        let most = |number: fn(&crate::query::DialogSummary) -> u32| {
            move |row: &ListRow| std::cmp::Reverse(summary(row).map(number))
        };
        match self.sort {
            SortOrder::File => {}
            SortOrder::Id => {
                self.rows.sort_by_cached_key(|row| summary(row).map(|summary| summary.id.clone()))
            }
            SortOrder::Turns => self.rows.sort_by_key(most(|summary| summary.turns)),
            SortOrder::Problems => self.rows.sort_by_key(most(|summary| summary.problems)),
            SortOrder::Column(number) => self.rows.sort_by_cached_key(|row| match row {
                ListRow::Dialog(at) => ColumnOrder::of(files.column(*at, number.into(), None)),
                ListRow::Folder(_) | ListRow::File(_) => ColumnOrder::Nothing,
            }),
        }
        if self.backwards && self.sort != SortOrder::File {
            self.rows.reverse();
            if let SortOrder::Column(number) = self.sort {
                // Dialogs without a value are last in both directions.
                self.rows.sort_by_key(|row| match row {
                    ListRow::Dialog(at) => files.column(*at, number.into(), None).is_empty(),
                    ListRow::Folder(_) | ListRow::File(_) => true,
                });
            }
        }
    }

    /// Returns whether a file has its name above its dialogs.
    pub fn has_its_name(&self, file: u32) -> bool {
        let folder = FolderTree::slot(self.folders.of(file));
        self.named.get(folder).is_some_and(|named| *named)
    }

    /// Returns whether the dialogs of a file or folder are hidden.
    pub fn is_folded(&self, row: ListRow) -> bool {
        self.folded.contains(&row)
    }

    /// Hides the dialogs of the file or folder at the selection, and selects its name; next, those of the
    /// folder around it. Returns false if there is none.
    pub fn fold(&mut self, files: &Files) -> bool {
        let names = self.names.partition_point(|name| *name <= self.cursor);
        let file = match self.rows.get(self.cursor) {
            Some(ListRow::Dialog(at)) => Some(at.file),
            Some(ListRow::File(file)) => Some(*file),
            _ => None,
        };
        let around = |row: &ListRow| match (row, file) {
            (ListRow::Folder(folder), Some(file)) => self.folders.around(file).contains(folder),
            (ListRow::Folder(folder), None) => {
                let inner = match self.rows.get(self.cursor) {
                    Some(ListRow::Folder(inner)) => *inner,
                    _ => return false,
                };
                self.folders.is_in(inner, *folder)
            }
            (ListRow::File(name), _) => Some(*name) == file,
            (ListRow::Dialog(_), _) => false,
        };
        let mut before = self.names[..names].iter().rev();
        let open =
            before.find(|row| around(&self.rows[**row]) && !self.is_folded(self.rows[**row]));
        let Some(row) = open.map(|row| self.rows[*row]) else {
            return false;
        };
        self.folded.insert(row);
        self.rebuild(files);
        let place = self.rows.iter().position(|other| *other == row);
        self.cursor = place.unwrap_or(self.cursor);
        true
    }

    /// Shows the dialogs of the selected file or folder again, and selects the first. Returns false if
    /// they are not hidden.
    pub fn unfold(&mut self, files: &Files) -> bool {
        let row = self.rows.get(self.cursor).copied();
        let was_folded = row.is_some_and(|row| self.folded.remove(&row));
        if was_folded {
            self.rebuild(files);
            self.skip_names(true);
        }
        was_folded
    }

    /// Shows the folders and the file of a dialog; returns true if they were folded.
    pub fn unfold_around(&mut self, at: DialogId) -> bool {
        let around = self.folders.around(at.file).into_iter().map(ListRow::Folder);
        let rows: Vec<_> = around.chain([ListRow::File(at.file)]).collect();
        let before = self.folded.len();
        self.folded.retain(|row| !rows.contains(row));
        self.folded.len() < before
    }

    /// Returns the selected dialog.
    pub fn chosen(&self) -> Option<DialogId> {
        match self.rows.get(self.cursor) {
            Some(ListRow::Dialog(at)) => Some(*at),
            _ => None,
        }
    }

    /// Selects the row of a dialog; returns false if it has none.
    pub fn choose(&mut self, at: DialogId) -> bool {
        if self.chosen() == Some(at) {
            return true;
        }
        let row = self.rows.iter().position(|row| *row == ListRow::Dialog(at));
        self.cursor = row.unwrap_or(self.cursor);
        row.is_some()
    }

    /// Selects the row `by` rows from the selected one, or the last one in that direction; skips names of
    /// folders and files where possible, except folded ones.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.skip_names(by >= 0);
    }

    /// Moves from the name of a file or folder to a dialog, unless its dialogs are hidden.
    pub fn skip_names(&mut self, down: bool) {
        let is_dialog =
            |row: &ListRow| matches!(row, ListRow::Dialog(_)) || self.folded.contains(row);
        let below = || (self.cursor..self.rows.len()).find(|&row| is_dialog(&self.rows[row]));
        let above = || (0..self.cursor).rev().find(|&row| is_dialog(&self.rows[row]));
        let found = if down {
            below().or_else(above)
        } else {
            self.rows
                .get(self.cursor)
                .filter(|r| is_dialog(r))
                .map(|_| self.cursor)
                .or_else(above)
                .or_else(below)
        };
        self.cursor = found.unwrap_or(self.cursor);
    }

    /// Returns the position of the selected dialog among the dialogs, from 1.
    pub fn place(&self) -> Option<usize> {
        self.chosen()?;
        let names = self.names.partition_point(|name| *name < self.cursor);
        Some(self.cursor + 1 - names)
    }

    /// Selects the dialog at a position, from 1, or the last one.
    pub fn go_to_place(&mut self, place: usize) {
        let dialogs = self.rows.iter().enumerate();
        let mut dialogs = dialogs.filter(|(_, row)| matches!(row, ListRow::Dialog(_)));
        let last = self.dialogs().saturating_sub(1);
        if let Some((row, _)) = dialogs.nth(place.saturating_sub(1).min(last)) {
            self.cursor = row;
        }
    }

    /// Returns the number of dialogs in it.
    pub fn dialogs(&self) -> usize {
        self.rows.len() - self.names.len()
    }

    /// Scrolls by rows; the selection stays, and may be out of sight until it changes.
    pub fn scroll(&mut self, by: isize) {
        self.top = self.top.saturating_add_signed(by);
        self.away = Some(self.cursor);
    }

    /// Scrolls so that the selected row is among the `rows` visible ones. If the user `walked` in the list
    /// itself, by single rows; otherwise by larger parts, so that the list stays still most of the time.
    pub fn keep_visible(&mut self, rows: usize, walked: bool) {
        let context = (rows / 5).min(3);
        let last_top = self.rows.len().saturating_sub(rows);
        if self.away == Some(self.cursor) {
            self.top = self.top.min(last_top);
            return;
        }
        self.away = None;
        let lowest = self.cursor.saturating_sub(context);
        let highest = (self.cursor + context + 1).saturating_sub(rows);
        let page = rows.saturating_sub(2 * context + 1) * 3 / 4;
        if self.top < highest {
            self.top = if walked { highest } else { lowest.min(highest + page) };
        } else if self.top > lowest {
            self.top = if walked { lowest } else { highest.max(lowest.saturating_sub(page)) };
        }
        self.top = self.top.min(last_top);
    }
}
