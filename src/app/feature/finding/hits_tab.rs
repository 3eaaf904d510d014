//! The Hits tab: the hits of the search by dialog, each with the text around it.

use std::rc::Rc;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::pane::details::HITS;
use crate::app::pane::line::TextRun;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Item, Line, elided, truncated};
use crate::query::HitExcerpt;
use crate::text::{counted, grouped, width};
use crate::workspace::DialogId;

pub const TAB: Tab = Tab {
    name: HITS,
    title: "Hits",
    doc: "the hits of the search in all dialogs, each with the text around it",
    has: |app| !app.search.found.is_empty(),
    tells_no_side: false,
    rows,
};

/// Makes a row with the count of all hits, and for each dialog a heading and its hits.
fn rows(app: &App, columns: usize) -> Rows<'_> {
    let (found, t) = (&app.search.found, &app.panes.transcript);
    // The first row of each dialog with hits, and the end.
    let mut starts = vec![0];
    starts.extend(found.iter().scan(0, |end, (at, _)| {
        *end += 1 + listed(app, *at);
        Some(*end)
    }));
    let starts: Rc<[usize]> = starts.into();
    let (listed, places) = (Rc::clone(&starts), Rc::clone(&starts));
    let hit = move |row: usize| {
        let dialog = listed.partition_point(|start| *start <= row) - 1;
        (found[dialog].0, (row - listed[dialog]).checked_sub(1))
    };
    let place = move |item: &Item| {
        let Item::Hit { at, number } = item else {
            return None;
        };
        let place = found.binary_search_by_key(at, |(at, _)| *at).ok()?;
        let row = places[place] + 1 + number;
        (row < places[place + 1]).then_some(row)
    };
    let current = t.at.zip(t.hit).map(|(at, number)| Item::Hit { at, number });
    let current = current.and_then(|hit| place(&hit));
    let mut rows = Rows::of(vec![count(app)]);
    rows.current = current.map_or(0..0, |row| 1 + row..2 + row);
    let item = {
        let hit = hit.clone();
        move |row: usize| {
            let (at, number) = hit(row);
            number.map(|number| Item::Hit { at, number })
        }
    };
    let lines = move |row: usize| {
        vec![match hit(row) {
            (at, None) => heading(app, at, columns),
            (at, Some(number)) => hit_line(app, at, number, columns),
        }]
    };
    rows.list(starts.last().copied().unwrap_or_default(), item, lines);
    rows.found_by(place);
    rows
}

/// Counts all hits.
fn count(app: &App) -> Line {
    let search = &app.search;
    let so_far = if search.done { "" } else { " so far" };
    let dialogs = counted(search.dialogs(), "dialog");
    let (hits, untried) = (counted(search.count(), "hit"), search.untried());
    Line::of(Ink::Dim, &format!(" {hits} in {dialogs}{so_far}{untried}"))
}

fn heading(app: &App, at: DialogId, columns: usize) -> Line {
    let files = &app.workspace.files;
    let id = files.summary(at).map_or("", |summary| summary.id.as_str());
    let id = match id {
        "" => format!("dialog {}", grouped(at.dialog)),
        id => id.to_owned(),
    };
    let found = &app.search.found;
    let place = found.binary_search_by_key(&at, |(at, _)| *at);
    let hits = place.map_or(0, |place| found[place].1);
    let hits = format!("  {}", grouped(hits));
    let mut room = columns.saturating_sub(hits.len() + 2);
    let id = elided(&id, room);
    room -= width(&id).min(room);
    let mut line = Line::of(Ink::Title, &format!(" {id}")).with(Ink::Dim, &hits);
    let name = files.name(at.file as usize);
    if files.shown().nth(1).is_some() && room > 12 {
        line.push(Ink::Dim, &format!("  {}", elided(name, room - 2)));
    }
    line
}

fn hit_line(app: &App, at: DialogId, number: usize, columns: usize) -> Line {
    let t = &app.panes.transcript;
    let query = app.search.query.as_ref();
    let excerpt = if t.at == Some(at) {
        let hit = query.zip(t.hits.get(number));
        hit.map(|(query, hit)| HitExcerpt::of(query, &t.dialog, hit))
    } else {
        let listed = app.search.excerpts.get(&at);
        listed.and_then(|listed| listed.get(number).cloned())
    };
    let Some(excerpt) = excerpt else {
        return Line::of(Ink::Dim, "      open the dialog to see its hits");
    };
    let mut line = Line::of(Ink::Dim, &format!("{:>4} ", excerpt.turn));
    if !excerpt.values.is_empty() {
        let values = truncated(&excerpt.values, columns / 2);
        line.push(Ink::Dim, &format!("{values} · "));
    }
    let (start, end) = (excerpt.hit.start, excerpt.hit.end);
    let parts = [
        (&excerpt.text[..start], false),
        (&excerpt.text[start..end], true),
        (&excerpt.text[end..], false),
    ];
    for (text, hit) in parts {
        let room = columns.saturating_sub(line.width());
        let text = truncated(text, room);
        if !text.is_empty() {
            line.runs.push(TextRun { text: text.as_str().into(), hit, ..TextRun::default() });
        }
    }
    line.selected = t.at == Some(at) && t.hit == Some(number);
    line
}

/// Returns the number of listed hits of a dialog, at least 1.
fn listed(app: &App, at: DialogId) -> usize {
    let t = &app.panes.transcript;
    let hits = if t.at == Some(at) {
        t.hits.len()
    } else {
        app.search.excerpts.get(&at).map_or(0, |hits| hits.len())
    };
    hits.max(1)
}
