//! The Segments tab: the current turn's segments with span, quoted text, labels and problems.

use std::ops::Range;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::input::Command;
use crate::app::pane::parts::Parts;
use crate::app::pane::{Ink, Item, Line, problem_ink, problem_sign, wrapped, wrapped_name};
use crate::dialog::{EditKind, Label, Short, Turn};
use crate::text::{quoted, visible, width};

pub const TAB: Tab = Tab {
    name: "segments",
    title: "Segments",
    doc: "the current turn's segments: spans, quoted text, labels, problems",
    has: |app| app.panes.transcript.has(EditKind::Segments),
    tells_no_side: false,
    parts: |app, columns| Box::new(Segments { app, columns }),
};

/// The parts of the tab: a line with the number of segments, then one part per segment.
struct Segments<'a> {
    app: &'a App,
    columns: usize,
}

impl Segments<'_> {
    fn turn(&self) -> Option<&Turn> {
        self.app.panes.transcript.current()
    }

    fn len(&self) -> usize {
        self.turn().map_or(0, |turn| turn.segments.len())
    }
}

impl Parts for Segments<'_> {
    fn count(&self) -> usize {
        self.turn().map_or(0, |turn| 1 + turn.segments.len())
    }

    fn item(&self, part: usize) -> Option<Item> {
        let turn = self.app.panes.transcript.turn;
        let segment = part.checked_sub(1)?;
        Some(Item::Segment { turn, segment })
    }

    fn part_of(&self, item: &Item) -> Option<usize> {
        match item {
            Item::Segment { turn, segment } => {
                let here = *turn == self.app.panes.transcript.turn && *segment < self.len();
                here.then_some(1 + segment)
            }
            _ => None,
        }
    }

    fn current(&self) -> Range<usize> {
        let segment = self.app.panes.transcript.segment;
        segment.map_or(0..0, |segment| 1 + segment..2 + segment)
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        match (part.checked_sub(1), self.turn()) {
            (Some(number), Some(turn)) => self.segment(turn, number),
            _ => {
                let count = match self.len() {
                    0 => "no segments".to_owned(),
                    1 => "1 segment".to_owned(),
                    n => format!("{n} segments"),
                };
                let number = self.app.panes.transcript.turn;
                vec![Line::of(Ink::Dim, &format!(" turn {number} · {count}"))]
            }
        }
    }
}

impl Segments<'_> {
    fn segment(&self, turn: &Turn, number: usize) -> Vec<Line> {
        let (t, columns) = (&self.app.panes.transcript, self.columns);
        let segment = &turn.segments[number];
        let chosen = t.segment == Some(number);
        let mut lines = Vec::new();
        let covered = || turn.covered(segment.span?, t.dialog.units);
        let quote = segment.exact_quote().map(Short::from).or_else(covered).unwrap_or_default();
        let span = segment.span.map_or_else(|| "no span".to_owned(), |span| span.to_string());
        let mut head = Line::of(Ink::Strong, if chosen { "▸" } else { " " });
        head.push(Ink::Dim, &format!("{span:>9} "));
        lines.extend(wrapped(head, Ink::Plain, &quoted(&quote), columns));
        let indent = || Line::of(Ink::Plain, "           ");
        for (position, label) in segment.labels.iter().enumerate() {
            let is_same = |other: &&Label| other.name == label.name;
            if segment.labels[..position].iter().any(|other| is_same(&other)) {
                continue;
            }
            let times = segment.labels.iter().filter(is_same).count();
            let ink = t.label_ink(&label.name);
            let mut named = wrapped_name(indent(), ink, &label.name, columns);
            if times > 1 {
                let times = format!(" ×{times}");
                if let Some(last) =
                    named.last_mut().filter(|l| l.width() + width(&times) <= columns)
                {
                    last.push(Ink::Dim, &times);
                } else {
                    named.push(indent().with(Ink::Dim, times.trim_start()));
                }
            }
            lines.extend(named);
        }
        if let Some(annotator) = &segment.annotator {
            lines.extend(wrapped(indent(), Ink::Dim, &format!("by {annotator}"), columns));
        }
        for (_, problem) in t.problems_of_segment(t.turn, number) {
            let ink = problem_ink(problem.severity);
            let head = indent().with(ink, &format!("{} ", problem_sign(problem.severity)));
            lines.extend(wrapped(head, ink, &visible(&problem.message), columns));
            if let Some(fix) = problem.fixes.first() {
                let key = self.app.key(Command::Fix);
                let head = indent().with(Ink::Key, &format!("{key} "));
                lines.extend(wrapped(head, Ink::Good, &visible(&fix.title), columns));
            }
        }
        for line in &mut lines {
            line.selected = chosen;
            line.item = Some(Box::new(Item::Segment { turn: t.turn, segment: number }));
        }
        lines
    }
}
