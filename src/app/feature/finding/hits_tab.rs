//! The Hits tab: the hits of the search by dialog, each with the text around it.

use std::ops::Range;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::pane::details::HITS;
use crate::app::pane::line::TextRun;
use crate::app::pane::parts::Parts;
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
    parts: |app, columns| Box::new(Hits::new(app, columns)),
};

/// The parts of the tab: the count of all hits, and for each dialog a heading and its hits.
struct Hits<'a> {
    app: &'a App,
    columns: usize,
    /// The first part of each dialog with hits, and the end.
    starts: Vec<usize>,
}

/// A part below the count.
enum Part {
    Heading(DialogId),
    Hit(DialogId, usize),
}

impl<'a> Hits<'a> {
    fn new(app: &'a App, columns: usize) -> Self {
        let mut starts = vec![1];
        let mut end = 1;
        for (at, _) in &app.search.found {
            end += 1 + listed(app, *at);
            starts.push(end);
        }
        Self { app, columns, starts }
    }

    /// Returns the part, which is not the first one.
    fn part(&self, part: usize) -> Part {
        let dialog = self.starts.partition_point(|start| *start <= part) - 1;
        let at = self.app.search.found[dialog].0;
        match (part - self.starts[dialog]).checked_sub(1) {
            None => Part::Heading(at),
            Some(number) => Part::Hit(at, number),
        }
    }

    fn heading(&self, at: DialogId) -> Line {
        let files = &self.app.workspace.files;
        let id = files.summary(at).map_or("", |summary| summary.id.as_str());
        let id = match id {
            "" => format!("dialog {}", grouped(at.dialog)),
            id => id.to_owned(),
        };
        let found = &self.app.search.found;
        let place = found.binary_search_by_key(&at, |(at, _)| *at);
        let hits = place.map_or(0, |place| found[place].1);
        let hits = format!("  {}", grouped(hits));
        let mut room = self.columns.saturating_sub(hits.len() + 2);
        let id = elided(&id, room);
        room -= width(&id).min(room);
        let mut line = Line::of(Ink::Title, &format!(" {id}")).with(Ink::Dim, &hits);
        let name = files.name(at.file as usize);
        if files.shown().nth(1).is_some() && room > 12 {
            line.push(Ink::Dim, &format!("  {}", elided(name, room - 2)));
        }
        line
    }

    fn hit(&self, at: DialogId, number: usize) -> Line {
        let t = &self.app.panes.transcript;
        let query = self.app.search.query.as_ref();
        let excerpt = if t.at == Some(at) {
            let hit = query.zip(t.hits.get(number));
            hit.map(|(query, hit)| HitExcerpt::of(query, &t.dialog, hit))
        } else {
            let listed = self.app.search.excerpts.get(&at);
            listed.and_then(|listed| listed.get(number).cloned())
        };
        let Some(excerpt) = excerpt else {
            return Line::of(Ink::Dim, "      open the dialog to see its hits");
        };
        let mut line = Line::of(Ink::Dim, &format!("{:>4} ", excerpt.turn));
        if !excerpt.values.is_empty() {
            let values = truncated(&excerpt.values, self.columns / 2);
            line.push(Ink::Dim, &format!("{values} · "));
        }
        let (start, end) = (excerpt.hit.start, excerpt.hit.end);
        let parts = [
            (&excerpt.text[..start], false),
            (&excerpt.text[start..end], true),
            (&excerpt.text[end..], false),
        ];
        for (text, hit) in parts {
            let room = self.columns.saturating_sub(line.width());
            let text = truncated(text, room);
            if !text.is_empty() {
                line.runs.push(TextRun { text: text.as_str().into(), hit, ..TextRun::default() });
            }
        }
        line.selected = t.at == Some(at) && t.hit == Some(number);
        line
    }
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

impl Parts for Hits<'_> {
    fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or(1)
    }

    fn item(&self, part: usize) -> Option<Item> {
        match part.checked_sub(1).map(|_| self.part(part))? {
            Part::Heading(_) => None,
            Part::Hit(at, number) => Some(Item::Hit { at, number }),
        }
    }

    fn part_of(&self, item: &Item) -> Option<usize> {
        let Item::Hit { at, number } = item else {
            return None;
        };
        let found = &self.app.search.found;
        let place = found.binary_search_by_key(at, |(at, _)| *at).ok()?;
        let part = self.starts[place] + 1 + number;
        (part < self.starts[place + 1]).then_some(part)
    }

    fn current(&self) -> Range<usize> {
        let t = &self.app.panes.transcript;
        let hit = t.at.zip(t.hit).map(|(at, number)| Item::Hit { at, number });
        let part = hit.and_then(|hit| self.part_of(&hit));
        part.map_or(0..0, |part| part..part + 1)
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        if part == 0 {
            let search = &self.app.search;
            let so_far = if search.done { "" } else { " so far" };
            let dialogs = counted(search.dialogs(), "dialog");
            let hits = counted(search.count(), "hit");
            let untried = search.untried();
            let text = format!(" {hits} in {dialogs}{so_far}{untried}");
            return vec![Line::of(Ink::Dim, &text)];
        }
        match self.part(part) {
            Part::Heading(at) => vec![self.heading(at)],
            Part::Hit(at, number) => {
                let line = self.hit(at, number);
                vec![line.of_item(Item::Hit { at, number })]
            }
        }
    }
}
