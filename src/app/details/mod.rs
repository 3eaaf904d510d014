//! The details of the current turn and dialog, in tabs.
//!
//! A tab is one file with one function that makes lines, and one row in [`TABS`].

mod acts;
mod api;
mod charts;
mod edits;
mod info;
mod item;
mod json;
mod problems;
mod segments;
mod source;
mod votes;

pub use edits::difference;
pub use item::Item;
pub use problems::ink as problem_ink;

use super::Focus;
use super::layout::Area;
use super::line::Line;
use super::{App, At, Effect};

/// A view of the current turn or dialog.
pub struct Tab {
    pub name: &'static str,
    /// As it is shown above the pane.
    pub title: &'static str,
    /// What it shows, in one line.
    pub doc: &'static str,
    /// True if there is something to show.
    pub has: fn(&App) -> bool,
    /// Its lines, for a number of columns.
    pub lines: fn(&App, usize) -> Vec<Line>,
}

/// Every tab, in the order of their titles.
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

/// The tab called `name`; the first one, if there is none.
pub fn named(name: &str) -> &'static Tab {
    TABS.iter().find(|tab| tab.name == name).unwrap_or(&TABS[0])
}

/// What the lines were made for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Made {
    tab: &'static str,
    at: Option<At>,
    turn: usize,
    segment: Option<usize>,
    columns: u16,
    /// The chosen item, if the pane has the keys.
    item: Option<Item>,
}

/// The pane of details.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Position in [`TABS`] of the tab that is wanted; another is shown where it has nothing.
    wanted: usize,
    shown: usize,
    /// The first line shown.
    pub top: usize,
    pub lines: Vec<Line>,
    /// Rows there are.
    rows: usize,
    made: Option<Made>,
    /// What the lines were made of has changed.
    stale: bool,
    /// The line of its file on which a dialog begins.
    pub line: Option<(At, u64)>,
    /// What the lines show that can be chosen.
    items: Vec<Item>,
    /// Position of the chosen one.
    cursor: usize,
    /// Problems that are let be are listed too.
    pub with_ignored: bool,
    /// The pane has the keys, so that what is chosen is seen.
    active: bool,
}

impl Details {
    /// What is chosen; None if there is nothing to choose or the keys go elsewhere.
    pub fn item(&self) -> Option<&Item> {
        self.items.get(self.cursor).filter(|_| self.active)
    }

    /// True if there is something to choose.
    pub fn has_items(&self) -> bool {
        !self.items.is_empty()
    }

    /// Chooses the item `by` places further; None if there are none.
    pub fn step_item(&mut self, by: isize) -> Option<Item> {
        let last = self.items.len().checked_sub(1)?;
        self.cursor = self.cursor.saturating_add_signed(by).min(last);
        self.items.get(self.cursor).cloned()
    }

    /// Chooses an item.
    pub fn choose(&mut self, item: &Item) {
        if let Some(place) = self.items.iter().position(|other| other == item) {
            self.cursor = place;
        }
    }

    /// Chooses a problem where problems are listed, also one of a dialog that is listed only the next
    /// time.
    pub fn choose_problem(&mut self, number: usize) {
        if self.tab().name != "problems" {
            return;
        }
        let item = Item::Problem(number);
        if self.items.contains(&item) {
            self.choose(&item);
        } else {
            self.choose_next(item);
        }
    }

    /// Chooses something that is listed only the next time.
    pub(super) fn choose_next(&mut self, item: Item) {
        (self.items, self.cursor, self.stale) = (vec![item], 0, true);
    }

    /// The tab that is shown.
    pub fn tab(&self) -> &'static Tab {
        &TABS[self.shown]
    }

    /// Shows the tab called `name`; false if there is none.
    pub fn show(&mut self, name: &str) -> bool {
        let found = TABS.iter().position(|tab| tab.name == name);
        if let Some(tab) = found {
            (self.wanted, self.shown, self.top) = (tab, tab, 0);
        }
        found.is_some()
    }

    /// Makes the lines anew the next time.
    pub fn forget(&mut self) {
        self.stale = true;
    }

    pub fn scroll(&mut self, by: isize) {
        let last = self.lines.len().saturating_sub(self.rows);
        self.top = self.top.saturating_add_signed(by).min(last);
    }

    /// Takes new lines, and finds out what can be chosen in them. What was chosen stays chosen as far
    /// as it is of the current turn.
    fn take_lines(
        &mut self,
        lines: Vec<Line>,
        (turn, segment): (usize, Option<usize>),
        of_dialog: bool,
    ) {
        let chosen = self.items.get(self.cursor).cloned();
        self.items.clear();
        for item in lines.iter().filter_map(|line| line.item.as_deref()) {
            if self.items.last() != Some(item) {
                self.items.push(item.clone());
            }
        }
        let place = |wanted: &Item| self.items.iter().position(|item| item == wanted);
        let here = |item: &Item| item.turn().is_none_or(|of| of == turn);
        let kept = chosen.filter(|item| of_dialog && here(item));
        let by_segment = segment.and_then(|segment| place(&Item::Segment { turn, segment }));
        let same = kept.as_ref().and_then(place);
        let first = || {
            self.items
                .iter()
                .position(|item| item.turn().is_none_or(|of| of >= turn))
        };
        let last = self.items.len().saturating_sub(1);
        self.cursor = match (by_segment, same, kept) {
            (Some(place), _, _) | (None, Some(place), _) => place,
            // It is gone: what stands in its place now.
            (None, None, Some(_)) => self.cursor.min(last),
            (None, None, None) => first().unwrap_or(last),
        };
        self.lines = lines;
        if let Some(item) = self.item().cloned() {
            for line in &mut self.lines {
                line.selected = line.item.as_deref() == Some(&item);
            }
            // A background alone is easily overlooked, and some terminals have none.
            if let Some(first) = self.lines.iter_mut().find(|line| line.selected) {
                first.point_at();
            }
        }
    }

    /// Scrolls to where something is selected.
    fn show_selected(&mut self, rows: usize) {
        let Some(first) = self.lines.iter().position(|line| line.selected) else {
            return;
        };
        let selected = self.lines[first..].iter().take_while(|line| line.selected);
        let top = self
            .top
            .max((first + selected.count()).saturating_sub(rows));
        self.top = top.min(first);
    }

    /// Begins with the last call before a turn that has none, if calls are shown.
    fn show_last_before(&mut self, turn: usize) {
        let is_before = |line: &Line| match line.item.as_deref() {
            Some(Item::Api { turn: of, .. }) => *of <= turn,
            _ => false,
        };
        self.top = self.lines.iter().rposition(is_before).unwrap_or(0);
    }

    /// Rows that are shown at once.
    pub fn rows(&self) -> usize {
        self.rows
    }
}

/// Titles of the tabs that have something to show, and whether each is the one shown: as many as
/// there is room for in `columns`, that one among them; `‹` and `›` stand for others.
pub fn titles(app: &App, columns: usize) -> Vec<(&'static str, bool)> {
    let has = (0..TABS.len()).filter(|&tab| (TABS[tab].has)(app));
    let all: Vec<_> = has
        .map(|tab| (TABS[tab].title, tab == app.details.shown))
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
    // What follows is more interesting than what was before.
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

/// Makes the lines of the shown tab, if they were made for something else.
pub(super) fn lay_out(app: &mut App, area: Area) -> Vec<Effect> {
    let wanted = app.details.wanted;
    let shown = if (TABS[wanted].has)(app) {
        wanted
    } else {
        TABS.iter().position(|tab| (tab.has)(app)).unwrap_or(wanted)
    };
    let active = app.focus == Focus::Details;
    app.details.active = active;
    let t = &app.transcript;
    let mut made = Made {
        tab: TABS[shown].name,
        at: t.at,
        turn: t.turn,
        segment: t.segment,
        columns: area.columns,
        item: app.details.item().cloned(),
    };
    let rows = usize::from(area.rows);
    let mut effects = Vec::new();
    if app.details.stale || app.details.made.as_ref() != Some(&made) {
        app.details.stale = false;
        let columns = usize::from(area.columns).saturating_sub(1).max(12);
        let lines = (TABS[shown].lines)(app, columns);
        // The next turn begins at its top; the next segment of a turn stays where it can be seen.
        let old = app.details.made.take();
        let same = old
            .as_ref()
            .is_some_and(|old| (old.tab, old.at, old.turn) == (made.tab, made.at, made.turn));
        let of_dialog = old.is_some_and(|old| (old.tab, old.at) == (made.tab, made.at));
        if !same {
            app.details.top = 0;
        }
        let (turn, segment) = (made.turn, made.segment);
        app.details.take_lines(lines, (turn, segment), of_dialog);
        made.item = app.details.item().cloned();
        if !same {
            app.details.show_last_before(turn);
        }
        app.details.show_selected(rows);
        if made.tab == source::TAB.name
            && let Some(at) = made.at
            && app.details.line.is_none_or(|(known, _)| known != at)
        {
            effects.push(Effect::Locate { at });
        }
        app.details.made = Some(made);
    }
    app.details.shown = shown;
    app.details.rows = rows;
    app.details.scroll(0);
    effects
}

impl App {
    /// Shows the tab `by` places further, of those that have something to show.
    pub(super) fn step_tab(&mut self, by: isize) {
        let has: Vec<_> = (0..TABS.len())
            .filter(|&tab| (TABS[tab].has)(self))
            .collect();
        let here = has.iter().position(|tab| *tab == self.details.shown);
        let next = (here.unwrap_or_default() as isize + by).rem_euclid(has.len().max(1) as isize);
        if let Some(tab) = has.get(next as usize) {
            (self.details.wanted, self.details.top) = (*tab, 0);
        }
    }

    /// A click on the titles of the tabs, `column` columns from the pane's edge.
    pub(super) fn click_tab(&mut self, column: usize) -> Vec<Effect> {
        let mut end = 1;
        let columns = self.layout().map_or(0, |layout| layout.details.columns);
        for (title, _) in titles(self, columns.into()) {
            end += crate::text::width(title) + 2;
            if column < end {
                match title {
                    "‹" => self.step_tab(-1),
                    "›" => self.step_tab(1),
                    _ => {}
                }
                if let Some(tab) = TABS.iter().find(|tab| tab.title == title) {
                    self.details.show(tab.name);
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
    fn tabs_are_told_apart_and_explained() {
        let mut names: Vec<_> = TABS.iter().map(|tab| tab.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABS.len());
        for tab in TABS {
            assert!(tab.doc.len() > 15 && !tab.title.is_empty(), "{}", tab.name);
        }
    }
}
