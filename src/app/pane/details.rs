//! The pane of details: which tab it shows, the selected item, and the visible lines.

use crate::app::pane::line::elided_left;
use crate::app::pane::parts::{ItemPosition, LazyParts};
use crate::app::pane::scrolling::{Blocks as _, LinePosition};
use crate::app::pane::{Ink, Item, Line};
use crate::workspace::DialogId;

/// Names of tabs that commands show.
pub const TURN: &str = "turn";
pub const API: &str = "api";
pub const ANSWERS: &str = "answers";
pub const PROBLEMS: &str = "problems";
pub const HITS: &str = "hits";
pub const INFO: &str = "info";
pub const SOURCE: &str = "source";

/// The most lines that are counted below the visible ones.
pub const MOST_MORE: usize = 1000;

/// So many lines to scroll by lead to the last one.
pub const TO_THE_END: isize = isize::MAX;

/// So many lines to scroll by lead to the first one.
pub const TO_THE_START: isize = isize::MIN;

/// The state of the program that lines are made for; when it changes, they are made again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderKey {
    pub tab: &'static str,
    pub at: Option<DialogId>,
    pub turn: usize,
    pub segment: Option<usize>,
    /// The call with the current hit.
    pub call: Option<usize>,
    pub columns: u16,
    pub rows: usize,
    /// The pane has the focus, so the selected item is highlighted.
    pub active: bool,
}

/// A match that a tab shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HitInTab {
    pub tab: &'static str,
    pub at: DialogId,
    /// Its position in the dialog.
    pub number: usize,
    /// The row with it, among those of the tab in which it occurs.
    pub row: usize,
}

/// The pane of details.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// The name of the tab the user chose; if that has nothing to show, another is shown.
    pub wanted: &'static str,
    /// The name of the visible tab.
    pub shown: &'static str,
    /// The first visible line: its part, and its position in the part.
    pub top: LinePosition<usize>,
    /// Lines to scroll by at the next layout; [`TO_THE_END`] and [`TO_THE_START`] also where the selected item is
    /// elsewhere.
    pub scrolled: isize,
    /// The visible lines.
    pub lines: Vec<Line>,
    /// Lines that are not visible, counting the last row, which tells their number; 0 if no line follows the
    /// visible ones. At most [`MOST_MORE`] are counted.
    pub more: usize,
    pub made_for: Option<RenderKey>,
    /// The content of the lines has changed.
    pub stale: bool,
    /// A dialog, and the line of its file on which it begins.
    pub line: Option<(DialogId, u64)>,
    /// The selected item, and its position.
    pub chosen: Option<(ItemPosition, Item)>,
    /// The item to select at the next layout, if it is listed then.
    pub next_item: Option<Item>,
    /// The item whose hits were listed last; back on its tab, it is selected again.
    pub left: Option<Item>,
    /// The match last scrolled to.
    pub followed: Option<HitInTab>,
    /// The row to scroll to, among those in which the current match occurs; the last one if there are fewer.
    pub found_row: usize,
    pub difference: Option<DialogDiff>,
    /// Ignored problems are listed too.
    pub with_ignored: bool,
    pub active: bool,
}

/// The lines in which a dialog differs from its file, cached while neither changes.
#[derive(Clone, Debug)]
pub struct DialogDiff {
    pub at: DialogId,
    pub columns: usize,
    pub lines: Vec<Line>,
}

impl Details {
    /// Returns the selected item; None if there are no items or the pane has no focus.
    pub fn item(&self) -> Option<&Item> {
        let chosen = self.chosen.as_ref().filter(|_| self.active);
        chosen.map(|(_, item)| item)
    }

    /// Selects a problem at the next layout, if the Problems tab is visible; the problem's dialog may not
    /// be on the screen before.
    pub fn choose_problem(&mut self, number: usize) {
        if self.shown == PROBLEMS {
            self.choose_next(Item::Problem(number));
        }
    }

    /// Selects an item at the next layout, when it may first be listed.
    pub fn choose_next(&mut self, item: Item) {
        (self.next_item, self.stale) = (Some(item), true);
    }

    /// Shows the tab called `name`.
    pub fn show(&mut self, name: &'static str) {
        (self.wanted, self.shown) = (name, name);
        (self.top, self.stale) = (LinePosition::default(), true);
    }

    /// Makes the lines again at the next layout.
    pub fn forget(&mut self) {
        (self.stale, self.difference) = (true, None);
    }

    /// Returns how the dialog of the selected step differs from its file.
    pub fn difference(&self) -> &[Line] {
        let known = self.difference.as_ref();
        known.map_or(&[], |known| known.lines.as_slice())
    }

    /// Scrolls to the last or the first line; the selected item stays, out of sight or not.
    pub fn scroll_to_end(&mut self, last: bool) {
        self.scrolled = if last { TO_THE_END } else { TO_THE_START };
        self.stale = true;
    }

    pub fn scroll(&mut self, by: isize) {
        self.scrolled = self.scrolled.saturating_add(by);
    }

    /// Returns the position to select now. The selected item stays selected if it belongs to the current
    /// turn.
    pub fn choose(&self, made: &mut LazyParts<'_>, now: &RenderKey) -> Option<ItemPosition> {
        let RenderKey { turn, segment, call, .. } = *now;
        let of_dialog =
            self.made_for.as_ref().is_some_and(|old| (old.tab, old.at) == (now.tab, now.at));
        let here = |item: &Item| item.turn().is_none_or(|of| of == turn);
        let kept = self.chosen.as_ref();
        let kept = kept.filter(|(_, item)| of_dialog && here(item));
        // Of a turn with other items, too, the segment of the transcript counts when it is another than before.
        let is_known = self.made_for.as_ref().is_some_and(|old| old.segment == segment);
        let segment = segment.map(|segment| Item::Segment { turn, segment });
        let call = call.map(|call| Item::Api { turn, call });
        let wanted = [
            // The user may have moved on before the tab is visible.
            self.next_item.as_ref().filter(|item| here(item)),
            segment.as_ref().filter(|_| !is_known),
            kept.map(|(_, item)| item),
            segment.as_ref(),
            call.as_ref().filter(|_| kept.is_none()),
            self.left.as_ref(),
        ];
        let found = wanted.into_iter().flatten().find_map(|item| made.find(item));
        match (found, kept) {
            (Some(found), _) => Some(found),
            // The item was removed: select the one in its place.
            (None, Some((place, _))) => made.at(*place),
            (None, None) => made.first_or_last(|item| item.turn().is_none_or(|of| of >= turn)),
        }
    }

    /// Scrolls to the selected item, or to the parts of the current turn.
    pub fn show_chosen(&mut self, made: &mut LazyParts<'_>, rows: usize) {
        let item = self.item().cloned();
        let chosen = self.chosen.as_ref().map(|(place, _)| *place);
        let current = made.parts().current.clone();
        let (first, last) = match (chosen, item) {
            (Some(place), Some(item)) => match made.lines_of(place, &item) {
                // Where the item is in its structure takes the row above it.
                Some((first, last)) if first.line > 0 && made.is_deep(first) => {
                    (made.walk(first, -1), last)
                }
                Some(lines) => lines,
                None => return,
            },
            _ if current.is_empty() => return,
            _ => {
                let last = made.last_line(current.end - 1);
                (LinePosition::start(current.start), last)
            }
        };
        let lowest = made.walk(last, 1 - rows as isize);
        // Of an item that is taller than the pane, any rows will do.
        let is_tall = self.item().is_some() && lowest > first;
        self.top =
            if is_tall { self.top.clamp(first, lowest) } else { self.top.max(lowest).min(first) };
    }

    /// Scrolls to the line of the current match, unless that was done before.
    pub fn show_hit(
        &mut self,
        made: &mut LazyParts<'_>,
        hit: HitInTab,
        line: LinePosition<usize>,
        rows: usize,
    ) {
        if self.followed.replace(hit) != Some(hit) {
            // The first row may say where the others are, and the last one how many follow.
            let around = (rows / 6).clamp(1, 3).min(rows.saturating_sub(2)) as isize;
            let lowest = made.walk(line, 1 + around - rows as isize);
            let first = made.walk(line, -around);
            self.top = self.top.max(lowest).min(first);
        }
    }

    /// Makes the visible lines, in so many columns and rows.
    pub fn show_lines(&mut self, made: &mut LazyParts<'_>, columns: usize, rows: usize) {
        let count = made.parts().count();
        (self.lines, self.more) = (Vec::new(), 0);
        if count == 0 || rows == 0 {
            return;
        }
        if self.top.block >= count {
            self.top = made.last_line(count - 1);
        }
        self.top = made.walk(self.top, std::mem::take(&mut self.scrolled));
        let mut page = made.page(self.top, rows);
        if page.len() < rows {
            let end = made.last_line(count - 1);
            self.top = made.walk(end, 1 - rows as isize);
            page = made.page(self.top, rows);
        }
        if let Some(last) = page.last().filter(|_| page.len() == rows)
            && made.walk(*last, 1) != *last
        {
            self.more = made.lines_from(*last, MOST_MORE);
        }
        let lines = page.iter();
        let lines = lines.map(|place| made.lines(place.block)[place.line].clone());
        self.lines = lines.collect();
        self.mark_chosen(made, &page);
        // In the middle of a structure, its first row says where the others are.
        if let [first, second, ..] = page[..]
            && first.line > 0
            && first.block == second.block
        {
            let path = made.path(second);
            if !path.is_empty() {
                let path = elided_left(&path, columns.saturating_sub(1));
                self.lines[0] = Line::of(Ink::Dim, &format!(" {path}"));
            }
        }
    }

    /// Marks the lines of the selected item, which are at `page`.
    fn mark_chosen(&mut self, made: &mut LazyParts<'_>, page: &[LinePosition<usize>]) {
        let Some((place, item)) = self.chosen.clone().filter(|_| self.active) else {
            return;
        };
        for line in &mut self.lines {
            line.selected = line.is_of(&item);
        }
        // A background alone is easily overlooked, and some terminals show none.
        if let Some((first, _)) = made.lines_of(place, &item)
            && let Some(line) = page.iter().position(|place| *place == first)
        {
            self.lines[line].point_at();
        }
    }
}
