//! The details of the current turn and dialog, in tabs.
//!
//! A tab is one file with one function that makes its `Parts`, and one row in [`TABS`]; a tab of a feature is
//! in the folder of that. Only visible parts are made into lines.

mod acts;
pub mod api;
mod found;
mod info;
mod json;
mod json_text;
mod segments;
mod source;
mod turn;

use ratatui::layout::Rect;

use crate::app::core::{App, Effect, Tab};
use crate::app::feature::editing::edits_tab;
use crate::app::feature::finding::hits_tab;
use crate::app::feature::judging::answers_tab;
use crate::app::feature::problems;
use crate::app::pane::details::{RenderKey, SOURCE, TO_THE_END, TO_THE_START};
use crate::app::pane::parts::LazyParts;
use crate::app::pane::scrolling::{Blocks as _, LinePosition};
use crate::app::pane::{Details, Focus, Item, mark_found};
use crate::text::Direction;
use crate::workspace::DialogId;

/// Every tab, in the order in which their titles are shown.
pub static TABS: &[Tab] = &[
    turn::TAB,
    api::TAB,
    answers_tab::TAB,
    problems::tab::TAB,
    hits_tab::TAB,
    info::TAB,
    source::TAB,
    edits_tab::TAB,
];

/// Returns the tab called `name`, or the first one if there is none.
pub fn named(name: &str) -> &'static Tab {
    TABS.iter().find(|tab| tab.name == name).unwrap_or(&TABS[0])
}

/// Returns the visible tab.
pub fn shown(app: &App) -> &'static Tab {
    named(app.panes.details.shown)
}

/// Shows the tab called `name`, if there is one.
pub fn show(details: &mut Details, name: &str) {
    if let Some(tab) = TABS.iter().find(|tab| tab.name == name) {
        details.show(tab.name);
    }
}

/// Steps of this size or more go to the first or last item.
const FAR: usize = 1 << 24;

/// The titles of all tabs that have something to show.
pub struct Strip {
    pub titles: Vec<Title>,
    /// Columns between two titles.
    pub gap: usize,
}

pub struct Title {
    pub tab: &'static Tab,
    /// As much of its title as there is room for.
    pub text: &'static str,
    pub is_shown: bool,
}

/// Returns the titles of all tabs that have something to show. Where they do not fit into `columns`, they are closer
/// together, and those of the tabs that are not visible are cut to as many letters as fit.
pub fn strip(app: &App, columns: usize) -> Strip {
    let tabs = TABS.iter().filter(|tab| tab.is_shown(app));
    let strip = |(letters, gap): (usize, usize)| {
        let title = |tab: &'static Tab| {
            let is_shown = tab.name == app.panes.details.shown;
            let end = tab.title.floor_char_boundary(letters);
            let text = if is_shown { tab.title } else { &tab.title[..end] };
            Title { tab, text, is_shown }
        };
        Strip { titles: tabs.clone().map(title).collect(), gap }
    };
    let longest = TABS.iter().map(|tab| tab.title.len()).max().unwrap_or_default();
    let cut = (2..=longest).rev().map(|letters| (letters, 1));
    let mut strips = std::iter::once((longest, 2)).chain(cut).map(strip);
    strips.find(|strip| strip.ends().last() < Some(columns)).unwrap_or_else(|| strip((1, 1)))
}

impl Strip {
    /// Returns the column after each title and its gap.
    fn ends(&self) -> impl Iterator<Item = usize> {
        self.titles.iter().scan(0, |end, title| {
            *end += crate::text::width(title.text) + self.gap;
            Some(*end)
        })
    }
}

/// Makes the visible lines of the shown tab, unless nothing they depend on has changed.
pub fn lay_out(app: &mut App, area: Rect) {
    if app.panes.transcript.folds.take_hit() {
        found::reveal(app);
    }
    let wanted = named(app.panes.details.wanted);
    let tab = if wanted.is_shown(app) {
        wanted
    } else {
        TABS.iter().find(|tab| tab.is_shown(app)).unwrap_or(wanted)
    };
    let active = app.panes.focus == Focus::Details;
    (app.panes.details.shown, app.panes.details.active) = (tab.name, active);
    let now = RenderKey {
        tab: tab.name,
        at: app.panes.transcript.at,
        turn: app.panes.transcript.turn,
        segment: app.panes.transcript.segment,
        call: app.panes.transcript.current_hit().and_then(|hit| hit.place.call()),
        columns: area.width,
        rows: area.height.into(),
        active,
    };
    let rebuild = app.panes.details.stale || app.panes.details.made_for.as_ref() != Some(&now);
    if !rebuild && app.panes.details.scrolled == 0 {
        return;
    }
    let columns = room(area.width);
    if now.tab == edits_tab::TAB.name {
        edits_tab::compare(app, columns);
    }
    app.panes.details.lines.clear();
    let mut details = app.panes.details.clone();
    let parts = (tab.rows)(app, columns);
    let mut made = LazyParts::new(&parts);
    if rebuild {
        // Another turn begins at its top, unless an item of it was selected here; another segment of the same turn
        // keeps the scroll position.
        let of_next = details.next_item.as_ref().and_then(Item::turn);
        let same = details.made_for.as_ref().is_some_and(|old| {
            let is_same_turn = old.turn == now.turn || of_next == Some(now.turn);
            (old.tab, old.at) == (now.tab, now.at) && is_same_turn
        });
        if !same {
            details.top = LinePosition::start(parts.beginning);
        }
        let chosen = details.choose(&mut made, &now);
        let chosen = chosen.and_then(|place| Some((place, made.item(place)?)));
        (details.chosen, details.next_item, details.stale) = (chosen, None, false);
        if details.scrolled == TO_THE_END {
            details.scrolled = 0;
            let last = made.last_line(parts.count().saturating_sub(1));
            details.top = made.walk(last, 1 - now.rows as isize);
        } else if details.scrolled == TO_THE_START {
            (details.scrolled, details.top) = (0, LinePosition::default());
        } else {
            match found::current(app, tab.name, &mut made) {
                // The selected item stays where it is until the user selects another.
                Some((hit, line)) if details.followed != Some(hit) || !active => {
                    details.show_hit(&mut made, hit, line, now.rows);
                }
                hit => {
                    details.followed = hit.map(|(hit, _)| hit);
                    details.show_chosen(&mut made, now.rows);
                }
            }
        }
    }
    details.show_lines(&mut made, columns, now.rows);
    mark_found(&mut details.lines, &found::sought(app, tab.name));
    let unknown = |at: &DialogId| details.line.is_none_or(|(known, _)| known != *at);
    let locate = now.at.filter(|_| rebuild && now.tab == source::TAB.name);
    let locate = locate.filter(unknown);
    details.made_for = Some(now);
    drop(parts);
    app.panes.details = details;
    if let Some(at) = locate {
        app.request(Effect::Locate { at });
    }
}

/// Shows the tab `by` places further among those that have something to show.
pub fn step_tab(app: &mut App, by: isize) {
    let has: Vec<_> = (0..TABS.len()).filter(|&tab| TABS[tab].is_shown(app)).collect();
    let here = has.iter().position(|tab| TABS[*tab].name == app.panes.details.shown);
    let next = (here.unwrap_or_default() as isize + by).rem_euclid(has.len().max(1) as isize);
    if let Some(tab) = has.get(next as usize) {
        app.panes.details.show(TABS[*tab].name);
    }
}

/// Returns the columns that the visible lines have room for; None if there are none yet.
fn columns(app: &App) -> Option<usize> {
    let columns = app.panes.details.made_for.as_ref()?.columns;
    Some(room(columns))
}

/// Returns the columns for lines in a pane of so many.
fn room(columns: u16) -> usize {
    usize::from(columns).saturating_sub(1).max(12)
}

/// Returns the last or the first item; None if there are no items.
pub fn item_at_end(app: &App, last: bool) -> Option<Item> {
    app.panes.details.chosen.as_ref()?;
    let columns = columns(app)?;
    let parts = (shown(app).rows)(app, columns);
    let mut made = LazyParts::new(&parts);
    let place = made.end(last)?;
    made.item(place)
}

/// Selects and returns the item `by` places further, or the first or last; None if there are no items.
pub fn choose_item(app: &mut App, by: isize) -> Option<Item> {
    let (place, selected) = app.panes.details.chosen.clone()?;
    let columns = columns(app)?;
    let parts = (shown(app).rows)(app, columns);
    let mut made = LazyParts::new(&parts);
    // From an item that was scrolled out of sight, the first or last one in sight is next.
    let is_seen = app.panes.details.lines.iter().any(|line| line.is_of(&selected));
    let mut in_sight = app.panes.details.lines.iter().filter_map(|line| line.item.as_deref());
    let nearest = if by > 0 { in_sight.next() } else { in_sight.next_back() };
    let place = if let Some(nearest) = nearest.filter(|_| !is_seen && by.unsigned_abs() < FAR) {
        made.find(nearest)
    } else if by.unsigned_abs() < FAR {
        made.step(place, by)
    } else {
        made.end(by > 0)
    };
    let item = place.and_then(|place| Some((place, made.item(place)?)));
    drop(parts);
    app.panes.details.stale = true;
    if by >= FAR as isize {
        app.panes.details.scrolled = TO_THE_END;
    }
    if !is_seen {
        // The lines stay where the user has scrolled to.
        app.panes.details.next_item = item.clone().map(|(_, item)| item);
    }
    app.panes.details.chosen = item;
    app.panes.details.chosen.clone().map(|(_, item)| item)
}

/// Scrolls by rows, and selects and returns an item of this turn in sight; at an end, the last one there. None if the
/// selected item is still in sight, or if there is no such item: the transcript stays at its turn.
pub fn choose_on_page(app: &mut App, by: isize) -> Option<Item> {
    let (_, before) = app.panes.details.chosen.clone()?;
    let columns = columns(app)?;
    let rows = app.panes.details.made_for.as_ref()?.rows;
    let turn = app.panes.transcript.turn;
    let parts = (shown(app).rows)(app, columns);
    let mut made = LazyParts::new(&parts);
    let end = made.last_line(parts.count().checked_sub(1)?);
    let lowest = made.walk(end, 1 - rows as isize);
    let was = app.panes.details.top;
    let top = made.walk(was, by).min(lowest);
    let (mut in_sight, mut beginning) = (Vec::new(), Vec::new());
    for place in made.page(top, rows) {
        let lines = made.lines(place.block);
        let item = lines[place.line].item.as_deref();
        if let Some(item) = item.filter(|item| item.turn().is_none_or(|of| of == turn)) {
            if !lines[..place.line].iter().any(|line| line.is_of(item)) {
                beginning.push(item.clone());
            }
            in_sight.push(item.clone());
        }
    }
    let is_at_end = top == was;
    if !is_at_end && in_sight.contains(&before) {
        return None;
    }
    let among = if beginning.is_empty() { in_sight } else { beginning };
    // The item nearest to the one before, or at an end the one farthest from it.
    let takes_last = (by > 0) == is_at_end;
    let item = if takes_last { among.last() } else { among.first() };
    let item = item?.clone();
    let place = made.find(&item)?;
    drop(parts);
    let details = &mut app.panes.details;
    (details.top, details.chosen) = (top, Some((place, item.clone())));
    details.choose_next(item.clone());
    Some(item)
}

/// Goes to the next or previous row in which the current match occurs, if the details have the focus. Returns which
/// one of how many it is, for the message; None if there is none.
pub fn step_found(app: &mut App, direction: Direction) -> Option<String> {
    let tab = Some(shown(app)).filter(|_| app.panes.focus == Focus::Details)?;
    found::reveal(app);
    let columns = columns(app)?;
    let parts = (tab.rows)(app, columns);
    let rows = found::rows(app, tab.name, &mut LazyParts::new(&parts)).len();
    let row = app.panes.details.found_row.min(rows.checked_sub(1)?);
    let next = if direction.is_forward() {
        Some(row + 1).filter(|next| *next < rows)
    } else {
        row.checked_sub(1)
    };
    drop(parts);
    let next = next?;
    (app.panes.details.found_row, app.panes.details.stale) = (next, true);
    Some(format!(" · row {} of {rows} here", next + 1))
}

/// Returns the turn of the current match if all matches in it were shown at once, so that the next one is in another
/// turn: in its JSON, with the focus there.
pub fn turn_passed(app: &App) -> Option<(DialogId, usize)> {
    let is_there = app.panes.focus == Focus::Details && shown(app).name == SOURCE;
    let columns = columns(app).filter(|_| is_there)?;
    let parts = (source::TAB.rows)(app, columns);
    let rows = found::rows(app, SOURCE, &mut LazyParts::new(&parts));
    (!rows.is_empty()).then_some(app.place())
}

/// Handles a click on the titles of the tabs, `column` columns from the pane's edge.
pub fn click_tab(app: &mut App, column: usize) {
    let columns = app.panes.layout().map_or(0, |layout| layout.details.width);
    let strip = strip(app, columns.into());
    let clicked = strip.ends().position(|end| column < 1 + end);
    if let Some(clicked) = clicked {
        app.panes.details.show(strip.titles[clicked].tab.name);
    }
}
