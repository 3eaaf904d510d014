//! In the Turn tab, the current turn's segments with span, quoted text, labels and problems.

use crate::app::core::App;
use crate::app::feature::problems::tab::first_fix;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Item, Line, problem_ink, problem_sign, wrapped, wrapped_name};
use crate::dialog::{Label, Short, Turn};
use crate::text::{counted, quoted, visible, width};

pub fn rows(app: &App, columns: usize) -> Rows<'_> {
    let t = &app.panes.transcript;
    let mut rows = Rows::default();
    let Some(of) = t.current() else {
        return rows;
    };
    let (turn, count) = (t.turn, of.segments.len());
    let counted = match count {
        0 => "no segments".to_owned(),
        _ => counted(count, "segment"),
    };
    rows.text(vec![Line::of(Ink::Dim, &format!(" turn {turn} · {counted}"))]);
    let item = move |segment| Some(Item::Segment { turn, segment });
    rows.list(count, item, move |segment| lines(app, of, segment, columns));
    rows.found_by(move |item| match item {
        Item::Segment { turn: other, segment } => {
            Some(*segment).filter(|segment| *other == turn && *segment < count)
        }
        _ => None,
    });
    rows.current = t.segment.map_or(0..0, |segment| 1 + segment..2 + segment);
    rows
}

fn lines(app: &App, turn: &Turn, number: usize, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
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
            if let Some(last) = named.last_mut().filter(|l| l.width() + width(&times) <= columns) {
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
        lines.extend(first_fix(app, problem, indent(), columns));
    }
    for line in &mut lines {
        line.selected = chosen;
    }
    lines
}
