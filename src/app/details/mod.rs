//! The details of the current turn and dialog, in tabs.
//!
//! A tab is one file with one function that makes its `Parts`, and one row in [`TABS`]. Only visible parts
//! are made into lines.

mod acts;
mod api;
mod charts;
mod edits;
mod info;
mod item;
mod json;
mod parts;
mod problems;
mod segments;
mod source;
mod votes;

pub use edits::difference;
pub use item::Item;
pub use problems::ink as problem_ink;

use ratatui::layout::Rect;

use super::Focus;
use super::line::Line;
use super::window::{Blocks as _, LinePosition};
use super::{App, DialogId, Effect};
use parts::{ItemPosition, LazyParts, Parts, StaticParts};

/// A view of the current turn or dialog.
pub struct Tab {
    pub name: &'static str,
    /// The title above the pane.
    pub title: &'static str,
    /// The description for the help and the manual, one line.
    pub doc: &'static str,
    /// Returns whether there is something to show.
    pub has: fn(&App) -> bool,
    /// Makes the parts of the tab, for a number of columns.
    pub parts: for<'a> fn(&'a App, usize) -> Box<dyn Parts + 'a>,
}

/// Every tab, in the order in which their titles are shown.
pub static TABS: &[Tab] = &[
    segments::TAB,
    api::TAB,
    votes::TAB,
    charts::TAB,
    acts::TAB,
    problems::TAB,
    info::TAB,
    source::TAB,
    edits::TAB,
];

/// Returns the tab called `name`, or the first one if there is none.
pub fn named(name: &str) -> &'static Tab {
    TABS.iter().find(|tab| tab.name == name).unwrap_or(&TABS[0])
}

/// The state of the program that lines are made for; when it changes, they are made again.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RenderKey {
    tab: &'static str,
    at: Option<DialogId>,
    turn: usize,
    segment: Option<usize>,
    columns: u16,
    rows: usize,
    /// The pane has the focus, so the selected item is highlighted.
    active: bool,
}

/// The pane of details.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Position in [`TABS`] of the tab the user chose; if it is empty, another is shown.
    wanted: usize,
    shown: usize,
    /// The first visible line: its part, and its position in the part.
    top: LinePosition<usize>,
    /// Lines to scroll by at the next layout.
    scrolled: isize,
    /// The visible lines.
    pub lines: Vec<Line>,
    /// How many parts end after the last visible line but one; 0 if no line follows the visible ones.
    pub more: usize,
    made_for: Option<RenderKey>,
    /// The content of the lines has changed.
    stale: bool,
    /// A dialog, and the line of its file on which it begins.
    pub line: Option<(DialogId, u64)>,
    /// The selected item, and its position.
    chosen: Option<(ItemPosition, Item)>,
    /// The item to select at the next layout, if it is listed then.
    wish: Option<Item>,
    difference: Option<edits::DialogDiff>,
    /// Ignored problems are listed too.
    pub with_ignored: bool,
    active: bool,
}

impl Details {
    /// Returns the selected item; None if there are no items or the pane has no focus.
    pub fn item(&self) -> Option<&Item> {
        let chosen = self.chosen.as_ref().filter(|_| self.active);
        chosen.map(|(_, item)| item)
    }

    /// Returns whether there is an item to select.
    pub fn has_items(&self) -> bool {
        self.chosen.is_some()
    }

    /// Selects a problem if problems are listed, at the next layout if its dialog is opened only then.
    pub fn choose_problem(&mut self, number: usize) {
        if self.tab().name == "problems" {
            self.choose_next(Item::Problem(number));
        }
    }

    /// Selects an item at the next layout, when it may first be listed.
    pub(super) fn choose_next(&mut self, item: Item) {
        (self.wish, self.stale) = (Some(item), true);
    }

    /// Returns the visible tab.
    pub fn tab(&self) -> &'static Tab {
        &TABS[self.shown]
    }

    /// Shows the tab called `name`. Returns false if there is none.
    pub fn show(&mut self, name: &str) -> bool {
        let found = TABS.iter().position(|tab| tab.name == name);
        if let Some(tab) = found {
            self.show_tab(tab);
            self.shown = tab;
        }
        found.is_some()
    }

    fn show_tab(&mut self, tab: usize) {
        (self.wanted, self.top, self.stale) = (tab, LinePosition::default(), true);
    }

    /// Makes the lines again at the next layout.
    pub fn forget(&mut self) {
        (self.stale, self.difference) = (true, None);
    }

    /// Returns how the dialog of the selected step differs from its file.
    fn difference(&self) -> &[Line] {
        let known = self.difference.as_ref();
        known.map_or(&[], |known| known.lines.as_slice())
    }

    pub fn scroll(&mut self, by: isize) {
        self.scrolled = self.scrolled.saturating_add(by);
    }

    /// Returns the position to select now. The selected item stays selected if it belongs to the current
    /// turn.
    fn choose(&self, made: &mut LazyParts<'_>, now: &RenderKey) -> Option<ItemPosition> {
        let RenderKey { turn, segment, .. } = *now;
        let of_dialog = self
            .made_for
            .as_ref()
            .is_some_and(|old| (old.tab, old.at) == (now.tab, now.at));
        let here = |item: &Item| item.turn().is_none_or(|of| of == turn);
        let kept = self.chosen.as_ref();
        let kept = kept.filter(|(_, item)| of_dialog && here(item));
        let segment = segment.map(|segment| Item::Segment { turn, segment });
        let wanted = [
            self.wish.as_ref(),
            segment.as_ref(),
            kept.map(|(_, item)| item),
        ];
        let found = wanted
            .into_iter()
            .flatten()
            .find_map(|item| made.find(item));
        match (found, kept) {
            (Some(found), _) => Some(found),
            // The item was removed: select the one in its place.
            (None, Some((place, _))) => made.at(*place),
            (None, None) => made.first_or_last(|item| item.turn().is_none_or(|of| of >= turn)),
        }
    }

    /// Scrolls to the selected item, or to the parts of the current turn.
    fn show_chosen(&mut self, made: &mut LazyParts<'_>, rows: usize) {
        let item = self.item().cloned();
        let chosen = self.chosen.as_ref().map(|(place, _)| *place);
        let current = made.parts().current();
        let (first, last) = match (chosen, item) {
            (Some(place), Some(item)) => match made.lines_of(place, &item) {
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
        self.top = self.top.max(lowest).min(first);
    }

    /// Makes the visible lines.
    fn show_lines(&mut self, made: &mut LazyParts<'_>, rows: usize) {
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
            self.more = count - last.block;
        }
        let lines = page.iter();
        let lines = lines.map(|place| made.lines(place.block)[place.line].clone());
        self.lines = lines.collect();
        let Some((place, item)) = self.chosen.clone().filter(|_| self.active) else {
            return;
        };
        for line in &mut self.lines {
            line.selected = line.item.as_deref() == Some(&item);
        }
        // A background alone is easily overlooked, and some terminals show none.
        if let Some((first, _)) = made.lines_of(place, &item)
            && let Some(line) = page.iter().position(|place| *place == first)
        {
            self.lines[line].point_at();
        }
    }
}

/// Steps of this size or more go to the first or last item.
const FAR: usize = 1 << 24;

/// Returns the titles of the tabs that have something to show, and whether each tab is the visible one:
/// as many as fit into `columns`, including the visible one; `‹` and `›` replace the rest.
pub fn titles(app: &App, columns: usize) -> Vec<(&'static str, bool)> {
    let has = (0..TABS.len()).filter(|&tab| (TABS[tab].has)(app));
    let all: Vec<_> = has
        .map(|tab| (TABS[tab].title, tab == app.panes.details.shown))
        .collect();
    let wide = |titles: &[(&str, bool)]| -> usize {
        titles
            .iter()
            .map(|(title, _)| crate::text::width(title) + 2)
            .sum()
    };
    if wide(&all) < columns {
        return all;
    }
    let shown = all.iter().position(|(_, shown)| *shown).unwrap_or_default();
    let (mut first, mut end) = (shown, shown + 1);
    // Titles that follow the visible one take precedence over those before it.
    let room = columns.saturating_sub(4);
    while end < all.len() && wide(&all[first..=end]) < room {
        end += 1;
    }
    while first > 0 && wide(&all[first - 1..end]) + 3 < room {
        first -= 1;
    }
    let mut titles = Vec::new();
    titles.extend((first > 0).then_some(("‹", false)));
    titles.extend_from_slice(&all[first..end]);
    titles.extend((end < all.len()).then_some(("›", false)));
    titles
}

/// Makes the visible lines of the shown tab, unless nothing they depend on has changed.
pub(super) fn lay_out(app: &mut App, area: Rect) -> Vec<Effect> {
    let wanted = app.panes.details.wanted;
    let shown = if (TABS[wanted].has)(app) {
        wanted
    } else {
        TABS.iter().position(|tab| (tab.has)(app)).unwrap_or(wanted)
    };
    let active = app.panes.focus == Focus::Details;
    (app.panes.details.shown, app.panes.details.active) = (shown, active);
    let now = RenderKey {
        tab: TABS[shown].name,
        at: app.panes.transcript.at,
        turn: app.panes.transcript.turn,
        segment: app.panes.transcript.segment,
        columns: area.width,
        rows: area.height.into(),
        active,
    };
    let rebuild = app.panes.details.stale || app.panes.details.made_for.as_ref() != Some(&now);
    if !rebuild && app.panes.details.scrolled == 0 {
        return Vec::new();
    }
    let columns = usize::from(area.width).saturating_sub(1).max(12);
    if now.tab == edits::TAB.name {
        edits::compare(app, columns);
    }
    app.panes.details.lines.clear();
    let mut details = app.panes.details.clone();
    let parts = (TABS[shown].parts)(app, columns);
    let mut made = LazyParts::new(&*parts);
    if rebuild {
        // Another turn begins at its top; another segment of the same turn keeps the scroll position.
        let same = details
            .made_for
            .as_ref()
            .is_some_and(|old| (old.tab, old.at, old.turn) == (now.tab, now.at, now.turn));
        if !same {
            details.top = LinePosition::start(parts.beginning());
        }
        let chosen = details.choose(&mut made, &now);
        let chosen = chosen.and_then(|place| Some((place, made.item(place)?)));
        (details.chosen, details.wish, details.stale) = (chosen, None, false);
        details.show_chosen(&mut made, now.rows);
    }
    details.show_lines(&mut made, now.rows);
    let unknown = |at: &DialogId| details.line.is_none_or(|(known, _)| known != *at);
    let locate = now.at.filter(|_| rebuild && now.tab == source::TAB.name);
    let locate = locate.filter(unknown).map(|at| Effect::Locate { at });
    details.made_for = Some(now);
    drop(parts);
    app.panes.details = details;
    locate.into_iter().collect()
}

impl App {
    /// Shows the tab `by` places further among those that have something to show.
    pub(super) fn step_tab(&mut self, by: isize) {
        let has: Vec<_> = (0..TABS.len())
            .filter(|&tab| (TABS[tab].has)(self))
            .collect();
        let here = has.iter().position(|tab| *tab == self.panes.details.shown);
        let next = (here.unwrap_or_default() as isize + by).rem_euclid(has.len().max(1) as isize);
        if let Some(tab) = has.get(next as usize) {
            self.panes.details.show_tab(*tab);
        }
    }

    /// Selects and returns the item `by` places further, or the first or last; None if there are no items.
    pub(super) fn choose_item(&mut self, by: isize) -> Option<Item> {
        let (place, _) = self.panes.details.chosen.clone()?;
        let columns = self.panes.details.made_for.as_ref()?.columns;
        let columns = usize::from(columns).saturating_sub(1).max(12);
        let parts = (self.panes.details.tab().parts)(self, columns);
        let mut made = LazyParts::new(&*parts);
        let place = if by.unsigned_abs() < FAR {
            made.step(place, by)
        } else {
            made.end(by > 0)
        };
        let item = place.and_then(|place| Some((place, made.item(place)?)));
        drop(parts);
        self.panes.details.stale = true;
        self.panes.details.chosen = item;
        self.panes.details.chosen.clone().map(|(_, item)| item)
    }

    /// Handles a click on the titles of the tabs, `column` columns from the pane's edge.
    pub(super) fn click_tab(&mut self, column: usize) -> Vec<Effect> {
        let mut end = 1;
        let columns = self.layout().map_or(0, |layout| layout.details.width);
        for (title, _) in titles(self, columns.into()) {
            end += crate::text::width(title) + 2;
            if column < end {
                match title {
                    "‹" => self.step_tab(-1),
                    "›" => self.step_tab(1),
                    _ => {}
                }
                if let Some(tab) = TABS.iter().find(|tab| tab.title == title) {
                    self.panes.details.show(tab.name);
                }
                break;
            }
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tabs_are_distinct_and_explained() {
        let mut names: Vec<_> = TABS.iter().map(|tab| tab.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABS.len());
        for tab in TABS {
            assert!(tab.doc.len() > 15 && !tab.title.is_empty(), "{}", tab.name);
        }
    }
}
