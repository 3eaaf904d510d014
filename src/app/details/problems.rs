//! What the rules find in the dialog: turn by turn, with the first repair of each.

use super::{Item, Tab};
use crate::app::App;
use crate::app::line::{Ink, Line, wrapped};
use crate::lint::Severity;

pub const TAB: Tab = Tab {
    name: "problems",
    title: "Problems",
    doc: "what the rules find in the dialog, and how it might be repaired",
    has: |app| !app.transcript.problems.is_empty(),
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let of = |severity: Severity| {
        let count = t.problems.iter().filter(|d| d.severity == severity).count();
        let plural = if count == 1 { "" } else { "s" };
        (count > 0).then(|| format!("{count} {}{plural}", severity.name()))
    };
    let counts: Vec<_> = Severity::ALL.into_iter().filter_map(of).collect();
    let mut lines = vec![Line::of(Ink::Dim, &format!(" {}", counts.join(", ")))];
    for (number, problem) in t.problems.iter().enumerate() {
        let ink = ink(problem.severity);
        let place = match problem.spot.turn {
            Some(turn) => format!("{turn:>4} "),
            None => "     ".to_owned(),
        };
        let head = Line::of(Ink::Dim, &place).with(ink, "▲ ");
        let mut shown = wrapped(head, Ink::Plain, &problem.message, columns);
        let indent = || Line::of(Ink::Plain, "       ");
        shown.push(indent().with(Ink::Dim, problem.rule.name));
        if let Some(fix) = problem.fixes.first() {
            let key = app.keymap.shown("fix");
            let head = indent().with(Ink::Key, &format!("{key} "));
            shown.extend(wrapped(head, Ink::Good, &fix.title, columns));
        }
        lines.extend(shown.into_iter().map(|line| {
            let mut line = line.of_item(Item::Problem(number));
            line.selected = problem.spot.turn == Some(t.turn)
                && (t.segment.is_none() || problem.spot.segment == t.segment);
            line
        }));
    }
    lines
}

/// How a problem of this severity is shown.
pub fn ink(severity: Severity) -> Ink {
    match severity {
        Severity::Error => Ink::Error,
        Severity::Warning => Ink::Warning,
        Severity::Info => Ink::Dim,
    }
}
