//! What the rules find: in the dialog turn by turn, with the first repair of each; in its file and in
//! all files counted by rule, from where one goes to what is counted.

use super::{Item, Tab};
use crate::app::App;
use crate::app::line::{Ink, Line, wrapped};
use crate::lint::{Diagnostic, RULES, Severity};
use crate::text::{counted, grouped, visible};

pub const TAB: Tab = Tab {
    name: "problems",
    title: "Problems",
    doc: "what the rules find in the dialog and how it might be repaired; what they find elsewhere, counted",
    has: |app| {
        let t = &app.transcript;
        !t.problems.is_empty() || !t.ignored.is_empty() || app.files.have_problems()
    },
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = of_dialog(app, columns);
    lines.extend(ignored(app, columns));
    let here = app.transcript.at.map(|at| at.file);
    if app
        .files
        .all()
        .iter()
        .filter(|file| file.dialogs() > 0 && !file.is_log())
        .count()
        > 1
    {
        lines.extend(by_rule(app, here, "in this file", columns));
        lines.extend(by_rule(app, None, "in all files", columns));
    } else {
        lines.extend(by_rule(app, None, "in this file", columns));
    }
    lines
}

/// What is found in the dialog on the screen.
fn of_dialog(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let of = |severity: Severity| {
        let count = t.problems.iter().filter(|d| d.severity == severity).count();
        (count > 0).then(|| counted(count, severity.name()))
    };
    let counts: Vec<_> = Severity::ALL.into_iter().filter_map(of).collect();
    let counts = match (&t.error, counts.is_empty()) {
        (Some(_), _) => "it cannot be read".to_owned(),
        (None, true) => "nothing is found".to_owned(),
        (None, false) => counts.join(", "),
    };
    let mut lines = vec![Line::of(Ink::Dim, &format!(" this dialog: {counts}"))];
    for (number, problem) in t.problems.iter().enumerate() {
        let mut shown = one(problem, columns);
        if let Some(fix) = problem.fixes.first() {
            let key = app.keymap.shown("fix");
            let head = indent().with(Ink::Key, &format!("{key} "));
            shown.extend(wrapped(head, Ink::Good, &visible(&fix.title), columns));
        }
        lines.extend(shown.into_iter().map(|line| {
            let mut line = line.of_item(Item::Problem(number));
            line.selected = match t.problem {
                Some(chosen) => chosen == number,
                None => {
                    problem.spot.turn == Some(t.turn)
                        && (t.segment.is_none() || problem.spot.segment == t.segment)
                }
            };
            line
        }));
    }
    lines
}

fn indent() -> Line {
    Line::of(Ink::Plain, "       ")
}

fn one(problem: &Diagnostic, columns: usize) -> Vec<Line> {
    let place = match problem.spot.turn {
        Some(turn) => format!("{turn:>4} "),
        None => "     ".to_owned(),
    };
    let head = Line::of(Ink::Dim, &place).with(ink(problem.severity), "▲ ");
    let mut shown = wrapped(head, Ink::Plain, &visible(&problem.message), columns);
    shown.extend(wrapped(indent(), Ink::Dim, problem.rule.name, columns));
    shown
}

/// What is let be in the dialog, or how many that are.
fn ignored(app: &App, columns: usize) -> Vec<Line> {
    let all = &app.transcript.ignored;
    if all.is_empty() {
        return Vec::new();
    }
    let key = app.keymap.shown("toggle_ignored");
    let list = if app.details.with_ignored {
        "hides"
    } else {
        "lists"
    };
    let mut lines = vec![
        Line::of(Ink::Dim, &format!(" {} ignored; ", all.len()))
            .with(Ink::Key, &key)
            .with(Ink::Dim, &format!(" {list} them")),
    ];
    if !app.details.with_ignored {
        return lines;
    }
    for (number, (problem, line)) in all.iter().enumerate() {
        let place = problem.spot.turn.map_or(String::new(), |t| t.to_string());
        let head = Line::of(Ink::Dim, &format!("{place:>4} △ "));
        let mut shown = wrapped(head, Ink::Dim, &visible(&problem.message), columns);
        let reason = if line.reason.is_empty() {
            "no reason is given"
        } else {
            &line.reason
        };
        shown.extend(wrapped(indent(), Ink::Plain, reason, columns));
        let key = app.keymap.shown("ignore");
        shown.push(
            indent()
                .with(Ink::Key, &key)
                .with(Ink::Dim, " makes it a problem again"),
        );
        let item = |line: Line| line.of_item(Item::Ignored(number));
        lines.extend(shown.into_iter().map(item));
    }
    lines
}

/// How often each rule finds something in a file, or in all.
fn by_rule(app: &App, file: Option<u32>, place: &str, columns: usize) -> Vec<Line> {
    let counts = app.by_rule(file);
    let (known, all) = app.files.outlined_of(file);
    let wrong = app.files.outlines(file).filter_map(|(_, outline)| outline);
    let dialogs = wrong.filter(|o| !o.by_rule.is_empty()).count();
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut head = format!(
        "{place}: {} in {}",
        grouped(sum),
        counted(dialogs, "dialog")
    );
    let level = |rule| app.files.rules.as_ref()?.selection.level(rule);
    let severity = |rule: usize| level(RULES[rule]).unwrap_or(RULES[rule].severity);
    let infos = counts
        .iter()
        .filter(|(rule, _)| severity(*rule) == Severity::Info);
    let infos: u64 = infos.map(|(_, count)| count).sum();
    if infos > 0 {
        // Searches for problems and the marks in the list leave these out.
        head = format!("{head}, {} only worth knowing", grouped(infos));
    }
    if known < all {
        head = format!("{head} · {} % looked at", known * 100 / all);
    }
    let mut lines = vec![Line::new()];
    lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &head, columns));
    for (rule, count) in counts {
        let head = Line::of(Ink::Number, &format!("{:>6} ", grouped(count)))
            .with(ink(severity(rule)), "▲ ");
        let rule = RULES[rule].name;
        let line = wrapped(head, Ink::Plain, rule, columns);
        let item = |line: Line| line.of_item(Item::Rule { file, rule });
        lines.extend(line.into_iter().map(item));
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
