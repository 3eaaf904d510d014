//! The dialog list: its rows, its filter and order, and the selected dialog.

use crate::workspace::{DialogId, Files};

/// A row of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListRow {
    /// The name of a file, above its dialogs.
    File(u32),
    Dialog(DialogId),
}

/// The order of the dialogs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SortOrder {
    /// In the order of the files.
    #[default]
    File,
    Id,
    /// The longest first.
    Turns,
    /// Most problems first.
    Problems,
}

impl SortOrder {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::File => Self::Id,
            Self::Id => Self::Turns,
            Self::Turns => Self::Problems,
            Self::Problems => Self::File,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::File => "file order",
            Self::Id => "id",
            Self::Turns => "longest first",
            Self::Problems => "most problems first",
        }
    }

    /// Returns a short name, for narrow panes.
    pub fn short(self) -> &'static str {
        match self {
            Self::File => "",
            Self::Id => "↓id",
            Self::Turns => "↓turns",
            Self::Problems => "↓▲",
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
    /// Shows only dialogs whose ids contain this, ignoring case.
    pub filter: String,
    pub sort: SortOrder,
    /// Positions of the rows with file names, in order.
    names: Vec<usize>,
    /// A filter that was cleared because the user jumped to a dialog it excludes; kept until the status line
    /// has reported it.
    pub dropped: Option<String>,
    /// The direction of the last step: -1 up, 1 down.
    heading: isize,
    /// The selected row at the time the list was scrolled away from it.
    away: Option<usize>,
}

impl DialogList {
    /// Rebuilds the rows and keeps the selected dialog, if it is still there.
    pub fn rebuild(&mut self, files: &Files) {
        let chosen = self.rows.get(self.cursor).copied();
        let filter = self.filter.to_lowercase();
        let wanted = |at: DialogId| {
            filter.is_empty()
                || files
                    .summary(at)
                    .is_some_and(|o| o.id.to_lowercase().contains(&filter))
        };
        self.rows.clear();
        // If one file has its name above its dialogs, all have: otherwise the dialogs of the next file
        // would seem to belong to it.
        let shown = || files.all().iter().filter(|f| !f.is_log());
        let several = shown().count() > 1 && shown().any(|f| f.dialogs() > 1 || f.has_no_dialogs());
        for (number, file) in files.all().iter().enumerate() {
            if file.is_log() {
                continue;
            }
            let number = number as u32;
            let dialogs = (0..file.dialogs() as u32).map(|dialog| DialogId {
                file: number,
                dialog,
            });
            let before = self.rows.len();
            self.rows.push(ListRow::File(number));
            self.rows
                .extend(dialogs.filter(|at| wanted(*at)).map(ListRow::Dialog));
            let found = self.rows.len() - before - 1;
            let failed = file.has_no_dialogs() && filter.is_empty();
            // A file name is of little use above single dialogs, and of none above no dialogs.
            let named = several && found > 0 && self.sort == SortOrder::File;
            if !named && !failed {
                self.rows.remove(before);
            }
        }
        self.order(files);
        let rows = self.rows.iter().enumerate();
        let is_name = |(i, row): (usize, &ListRow)| matches!(row, ListRow::File(_)).then_some(i);
        self.names = rows.filter_map(is_name).collect();
        self.cursor = self.cursor.min(self.rows.len().saturating_sub(1));
        if let Some(chosen) = chosen
            && self.rows.get(self.cursor) != Some(&chosen)
            && let Some(row) = self.rows.iter().position(|row| *row == chosen)
        {
            self.cursor = row;
        }
    }

    fn order(&mut self, files: &Files) {
        let outline = |row: &ListRow| match row {
            ListRow::Dialog(at) => files.summary(*at),
            ListRow::File(_) => None,
        };
        let most = |number: fn(&crate::query::DialogSummary) -> u32| {
            move |row: &ListRow| std::cmp::Reverse(outline(row).map(number))
        };
        match self.sort {
            SortOrder::File => {}
            SortOrder::Id => self
                .rows
                .sort_by_cached_key(|row| outline(row).map(|o| o.id.clone())),
            SortOrder::Turns => self.rows.sort_by_key(most(|o| o.turns)),
            SortOrder::Problems => self.rows.sort_by_key(most(|o| o.problems)),
        }
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

    /// Selects the row `by` rows from the selected one, or the last one in that direction; skips file names
    /// where possible.
    pub fn step(&mut self, by: isize) {
        let last = self.rows.len().saturating_sub(1);
        self.heading = by.signum();
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.skip_names(by >= 0);
    }

    /// Returns the dialog that the next step in the same direction would select.
    pub fn ahead(&self) -> Option<DialogId> {
        let dialog = |row: &ListRow| match row {
            ListRow::Dialog(at) => Some(*at),
            ListRow::File(_) => None,
        };
        let (before, behind) = self.rows.split_at_checked(self.cursor)?;
        match self.heading {
            0.. => behind.iter().skip(1).find_map(dialog),
            _ => before.iter().rev().find_map(dialog),
        }
    }

    /// Moves from a file name to a dialog.
    pub fn skip_names(&mut self, down: bool) {
        let is_dialog = |row: &ListRow| matches!(row, ListRow::Dialog(_));
        let below = || (self.cursor..self.rows.len()).find(|&row| is_dialog(&self.rows[row]));
        let above = || {
            (0..self.cursor)
                .rev()
                .find(|&row| is_dialog(&self.rows[row]))
        };
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
            self.top = if walked {
                highest
            } else {
                lowest.min(highest + page)
            };
        } else if self.top > lowest {
            self.top = if walked {
                lowest
            } else {
                highest.max(lowest.saturating_sub(page))
            };
        }
        self.top = self.top.min(last_top);
    }
}
