//! The Problems tab: the dialog's problems by turn, each with its first fix, and for the file and all files
//! the number of problems of each rule.

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::input::Command;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Item, Line, problem_ink, problem_sign, wrapped, wrapped_name};
use crate::lint::{Diagnostic, RULES, Severity};
use crate::text::{counted, grouped, visible};

pub const TAB: Tab = Tab {
    name: "problems",
    title: "Problems",
    doc: "the dialog's problems with their fixes, and problem counts per rule for the file and all files",
    has: |app| {
        let t = &app.panes.transcript;
        !t.problems.is_empty() || !t.ignored.is_empty() || app.workspace.files.have_problems()
    },
    tells_no_side: false,
    rows,
};

/// Makes rows of the dialog's problems, of its ignored problems, and of the counts of each rule.
fn rows(app: &App, columns: usize) -> Rows<'_> {
    let t = &app.panes.transcript;
    let here = match (t.problem, t.segment) {
        (Some(chosen), _) => chosen..chosen + 1,
        (None, None) => t.numbers_of(Some(t.turn)),
        (None, Some(segment)) => {
            let first = t.problems_of_segment(t.turn, segment).next();
            first.map_or(0..0, |(number, _)| number..number + 1)
        }
    };
    let files = app.workspace.files.all().iter();
    let mut with_dialogs = files.filter(|file| file.dialogs() > 0 && !file.is_log());
    let rules = if with_dialogs.nth(1).is_some() {
        let file = by_rule(app, t.at.map(|at| at.file), "in this file", columns);
        [file, by_rule(app, None, "in all files", columns)].concat()
    } else {
        by_rule(app, None, "in this file", columns)
    };
    let mut rows = Rows::of(vec![counts(app)]);
    rows.current = 1 + here.start..1 + here.end;
    let problem = move |number| problem(app, number, columns);
    let item = |number| Some(Item::Problem(number));
    rows.list(t.visible_problems(), item, problem);
    rows.text(ignored_head(app));
    let ignored = move |number| ignored(app, number, columns);
    let listed = if app.panes.details.with_ignored { t.ignored.len() } else { 0 };
    rows.list(listed, |number| Some(Item::Ignored(number)), ignored);
    rows.extend(rules);
    rows
}

/// Counts the problems of the dialog on the screen by severity.
fn counts(app: &App) -> Line {
    let t = &app.panes.transcript;
    let of =
        |(severity, count): (Severity, usize)| (count > 0).then(|| counted(count, severity.name()));
    let counts = Severity::ALL.into_iter().zip(t.counts);
    let counts: Vec<_> = counts.filter_map(of).collect();
    let counts = match (&t.error, counts.is_empty()) {
        (Some(_), _) => "cannot be read".to_owned(),
        (None, true) => "no problems".to_owned(),
        (None, false) => counts.join(", "),
    };
    Line::of(Ink::Dim, &format!(" this dialog: {counts}"))
}

/// Lists a problem of the dialog, with its first fix.
fn problem(app: &App, number: usize, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let problem = &t.problems[number];
    let mut lines = one(problem, columns);
    lines.extend(first_fix(app, problem, indent(), columns));
    let selected = match t.problem {
        Some(chosen) => chosen == number,
        None => {
            problem.location.turn == Some(t.turn)
                && (t.segment.is_none() || problem.location.segment == t.segment)
        }
    };
    for line in &mut lines {
        line.selected = selected;
    }
    lines
}

/// Returns the first fix of a problem with its key, below the problem.
pub fn first_fix(app: &App, problem: &Diagnostic, indent: Line, columns: usize) -> Vec<Line> {
    let Some(fix) = problem.fixes.first() else {
        return Vec::new();
    };
    let key = app.key(Command::Fix);
    let head = indent.with(Ink::Key, &format!("{key} "));
    wrapped(head, Ink::Good, &visible(&fix.title), columns)
}

fn indent() -> Line {
    Line::of(Ink::Plain, "       ")
}

fn one(problem: &Diagnostic, columns: usize) -> Vec<Line> {
    let place = match problem.location.turn {
        Some(turn) => format!("{turn:>4} "),
        None => "     ".to_owned(),
    };
    let sign = format!("{} ", problem_sign(problem.severity));
    let head = Line::of(Ink::Dim, &place).with(problem_ink(problem.severity), &sign);
    let mut shown = wrapped(head, Ink::Plain, &visible(&problem.message), columns);
    shown.extend(wrapped_name(indent(), Ink::Dim, problem.rule.name, columns));
    shown
}

/// Reports how many problems of the dialog are ignored.
fn ignored_head(app: &App) -> Vec<Line> {
    let all = &app.panes.transcript.ignored;
    if all.is_empty() {
        return Vec::new();
    }
    let key = app.key(Command::ToggleIgnored);
    let list = if app.panes.details.with_ignored { "hides" } else { "lists" };
    vec![
        Line::of(Ink::Dim, &format!(" {} ignored; ", all.len()))
            .with(Ink::Key, &key)
            .with(Ink::Dim, &format!(" {list} them")),
    ]
}

/// Lists an ignored problem with the reason.
fn ignored(app: &App, number: usize, columns: usize) -> Vec<Line> {
    let (problem, line) = &app.panes.transcript.ignored[number];
    let place = problem.location.turn.map_or(String::new(), |t| t.to_string());
    let head = Line::of(Ink::Dim, &format!("{place:>4} △ "));
    let mut lines = wrapped(head, Ink::Dim, &visible(&problem.message), columns);
    let reason = if line.reason.is_empty() { "no reason given" } else { &line.reason };
    lines.extend(wrapped(indent(), Ink::Plain, reason, columns));
    let key = app.key(Command::Ignore);
    lines.push(indent().with(Ink::Key, &key).with(Ink::Dim, " stops ignoring it"));
    lines
}

/// Lists the number of problems that each rule reports in a file, or in all.
fn by_rule(app: &App, file: Option<u32>, place: &str, columns: usize) -> Vec<Line> {
    let counts = app.workspace.files.by_rule(file);
    let (known, all) = app.workspace.files.summarized_of(file);
    let wrong = app.workspace.files.summaries(file).filter_map(|(_, summary)| summary);
    let dialogs = wrong.filter(|summary| !summary.by_rule.is_empty()).count();
    let sum: u64 = counts.iter().map(|(_, count)| count).sum();
    let mut head = format!("{place}: {} in {}", grouped(sum), counted(dialogs, "dialog"));
    let level = |rule| app.workspace.files.rules.as_ref()?.linter.selection.level(rule);
    let severity = |rule: usize| level(RULES[rule]).unwrap_or(RULES[rule].severity);
    let notes = counts.iter().filter(|(rule, _)| severity(*rule) == Severity::Note);
    let notes: u64 = notes.map(|(_, count)| count).sum();
    if notes > 0 {
        // Searches for problems and the marks in the list leave out notes.
        let note = if notes == 1 { "a note" } else { "notes" };
        head = format!("{head}, {} of them {note}", grouped(notes));
    }
    if known < all {
        head = format!("{head} · {} % checked", known * 100 / all);
    }
    let mut lines = vec![Line::new()];
    lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &head, columns));
    for (rule, count) in counts {
        let sign = format!("{} ", problem_sign(severity(rule)));
        let head = Line::of(Ink::Number, &format!("{:>6} ", grouped(count)))
            .with(problem_ink(severity(rule)), &sign);
        let rule = RULES[rule].name;
        let line = wrapped_name(head, Ink::Plain, rule, columns);
        let item = |line: Line| line.of_item(Item::Rule { file, rule });
        lines.extend(line.into_iter().map(item));
    }
    lines
}
