//! The segments of the current turn: span, quoted text, labels, and what is wrong.

use super::{Item, Tab, problem_ink};
use crate::app::App;
use crate::app::line::{Ink, Line, label_ink, wrapped};
use crate::dialog::About;
use crate::text::{quoted, visible};

pub const TAB: Tab = Tab {
    name: "segments",
    title: "Segments",
    doc: "the current turn's segments: spans, quoted text, labels, what is wrong",
    has: |app| app.transcript.has(About::Segments),
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let Some(turn) = t.current() else {
        return Vec::new();
    };
    let count = match turn.segments.len() {
        0 => "no segments".to_owned(),
        1 => "1 segment".to_owned(),
        n => format!("{n} segments"),
    };
    let mut all = vec![Line::of(Ink::Dim, &format!(" turn {} · {count}", t.turn))];
    let units = t.dialog.units;
    for (number, segment) in turn.segments.iter().enumerate() {
        let chosen = t.segment == Some(number);
        let mut lines = Vec::new();
        let covered = segment.span.and_then(|span| turn.covered(span, units));
        let said = segment
            .quote
            .as_deref()
            .or(covered.as_deref())
            .unwrap_or_default();
        let ink = segment
            .labels
            .first()
            .map_or(Ink::Plain, |label| label_ink(&label.name));
        let span = segment
            .span
            .map_or_else(|| "no span".to_owned(), |span| span.to_string());
        let mut head = Line::of(Ink::Strong, if chosen { "▸" } else { " " });
        head.push(Ink::Dim, &format!("{span:>9} "));
        lines.extend(wrapped(head, Ink::Plain, &quoted(said), columns));
        let indent = || Line::of(Ink::Plain, "           ");
        for label in &segment.labels {
            lines.extend(wrapped(indent(), ink, &label.name, columns));
        }
        if let Some(annotator) = &segment.annotator {
            lines.extend(wrapped(
                indent(),
                Ink::Dim,
                &format!("by {annotator}"),
                columns,
            ));
        }
        let here = (Some(t.turn), Some(number));
        let found = t.problems.iter();
        for problem in found.filter(|d| (d.spot.turn, d.spot.segment) == here) {
            let ink = problem_ink(problem.severity);
            let head = indent().with(ink, "▲ ");
            lines.extend(wrapped(head, ink, &visible(&problem.message), columns));
            if let Some(fix) = problem.fixes.first() {
                let key = app.keymap.shown("fix");
                let head = indent().with(Ink::Key, &format!("{key} "));
                lines.extend(wrapped(head, Ink::Good, &visible(&fix.title), columns));
            }
        }
        for line in &mut lines {
            line.selected = chosen;
            line.item = Some(Box::new(Item::Segment {
                turn: t.turn,
                segment: number,
            }));
        }
        all.extend(lines);
    }
    all
}
