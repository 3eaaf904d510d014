//! The matches of the search in the tabs that show arguments, answers, comments, fields of the dialog and JSON.

use crate::app::core::App;
use crate::app::pane::details::{ANSWERS, API, HitInTab, INFO, SOURCE};
use crate::app::pane::parts::LazyParts;
use crate::app::pane::scrolling::LinePosition;
use crate::app::pane::transcript::Folds;
use crate::app::pane::{Item, Line, mark_found};
use crate::app::tabs;
use crate::app::tabs::{api, info};
use crate::dialog::CallPart;
use crate::query::{Sought, TextKind, TextPlace};

/// Columns of details that are not on the screen.
const USUAL: usize = 80;

/// Returns the texts that the search finds in what a tab shows.
pub fn sought(app: &App, tab: &'static str) -> Vec<Sought> {
    let kinds: &[TextKind] = match tab {
        API => &[TextKind::Argument, TextKind::Result],
        ANSWERS => &[TextKind::Comment],
        INFO => &[TextKind::Result, TextKind::Reasoning, TextKind::Instructions],
        // The JSON of a turn has all of its texts.
        SOURCE => &[
            TextKind::Utterance,
            TextKind::Argument,
            TextKind::Result,
            TextKind::Reasoning,
            TextKind::Comment,
        ],
        _ => &[],
    };
    let is_sought = |sought: &&Sought| kinds.iter().any(|kind| sought.looks_into(*kind));
    let sought = app.panes.transcript.sought.iter();
    sought.filter(is_sought).cloned().collect()
}

/// Returns the current match and the line to scroll to, if the tab shows it.
pub fn current(
    app: &App,
    tab: &'static str,
    made: &mut LazyParts<'_>,
) -> Option<(HitInTab, LinePosition<usize>)> {
    let t = &app.panes.transcript;
    let (at, number) = t.at.zip(t.hit)?;
    let rows = rows(app, tab, made);
    let row = app.panes.details.found_row.min(rows.len().checked_sub(1)?);
    let hit = HitInTab { tab, at, number, row };
    Some((hit, rows[row]))
}

/// Returns the rows of the tab in which the current match occurs.
pub fn rows(app: &App, tab: &'static str, made: &mut LazyParts<'_>) -> Vec<LinePosition<usize>> {
    let Some(hit) = app.panes.transcript.current_hit() else {
        return Vec::new();
    };
    let parts = match (hit.place, tab) {
        (TextPlace::Arguments(call) | TextPlace::Result(call), API) => {
            let turn = hit.turn;
            let part = made.parts().row_of(&Item::Api { turn, call });
            part.map_or(0..0, |part| part..part + 1)
        }
        (TextPlace::Field(field), INFO) => info::part_of(field),
        (TextPlace::TurnField(_), INFO) => info::part_of_turn(app),
        (TextPlace::Field(_) | TextPlace::Note(_), SOURCE) => 0..0,
        (TextPlace::Comment(_) | TextPlace::Note(_), ANSWERS) | (_, SOURCE) => {
            0..made.parts().count()
        }
        _ => 0..0,
    };
    let sought = sought(app, tab);
    let wanted = match hit.place {
        _ if tab == SOURCE => None,
        TextPlace::Arguments(_) => Some(CallPart::Arguments),
        TextPlace::Result(_) => Some(CallPart::Response),
        _ => None,
    };
    let part_of = |line: &Line| line.item.as_deref().and_then(Item::call_part);
    let is_shown = |line: &Line| wanted.is_none() || part_of(line) == wanted;
    let found = parts.into_iter().find_map(|block| {
        let lines = made.lines(block);
        let first = lines.iter().position(is_shown)?;
        let mut shown: Vec<_> =
            lines[first..].iter().take_while(|line| is_shown(line)).cloned().collect();
        let rows = mark_found(&mut shown, &sought).into_iter();
        let rows = rows.map(|line| LinePosition { block, line: first + line });
        Some(rows.collect()).filter(|rows: &Vec<_>| !rows.is_empty())
    });
    found.unwrap_or_default()
}

/// Unfolds the parts of a call that hide the current match.
pub fn reveal(app: &mut App) {
    let t = &mut app.panes.transcript;
    if t.current_hit().is_none() || !t.folds.has_parts() {
        return;
    }
    let unfolded = Folds::alike(t.folds.all);
    let folds = std::mem::replace(&mut t.folds, unfolded);
    let columns = tabs::columns(app).unwrap_or(USUAL);
    let parts = (api::TAB.rows)(app, columns);
    let mut made = LazyParts::new(&parts);
    let rows = rows(app, API, &mut made).into_iter();
    let items = rows.filter_map(|row| made.lines(row.block)[row.line].item.clone());
    let found: Vec<_> = items.collect();
    drop(parts);
    let hides = |part: &Item| match part {
        Item::Values { .. } => found
            .iter()
            .any(|item| (item.call(), item.call_part()) == (part.call(), part.call_part())),
        _ => found.iter().any(|item| part.contains(item)),
    };
    let t = &mut app.panes.transcript;
    t.folds = folds;
    t.folds.unfold_parts(hides);
    app.panes.details.forget();
}
