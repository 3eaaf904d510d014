//! The Problems tab: the dialog's problems by turn, each with its first fix, and for the file and all files
//! the number of problems of each rule.

use std::ops::Range;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::input::Command;
use crate::app::pane::parts::{Parts, StaticParts};
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
    parts: |app, columns| Box::new(Problems::new(app, columns)),
};

/// The parts of the tab: the dialog's problems, its ignored problems, and the counts of each rule.
struct Problems<'a> {
    app: &'a App,
    columns: usize,
    /// How many problems of the dialog are ignored; shown below its problems.
    ignored: Vec<Line>,
    /// Rules, each with its count; shown below these.
    rules: StaticParts,
}

impl<'a> Problems<'a> {
    fn new(app: &'a App, columns: usize) -> Self {
        let here = app.panes.transcript.at.map(|at| at.file);
        let files = app.workspace.files.all().iter();
        let mut with_dialogs = files.filter(|file| file.dialogs() > 0 && !file.is_log());
        let mut rules = Vec::new();
        if with_dialogs.nth(1).is_some() {
            rules.extend(by_rule(app, here, "in this file", columns));
            rules.extend(by_rule(app, None, "in all files", columns));
        } else {
            rules.extend(by_rule(app, None, "in this file", columns));
        }
        Self { app, columns, ignored: ignored_head(app), rules: StaticParts::new(rules) }
    }

    /// Returns how many ignored problems are listed.
    fn listed(&self) -> usize {
        if self.app.panes.details.with_ignored {
            self.app.panes.transcript.ignored.len()
        } else {
            0
        }
    }

    fn part(&self, part: usize) -> Part {
        let problems = 1 + self.app.panes.transcript.visible_problems();
        let head = problems + self.ignored.len();
        let ignored = head + self.listed();
        match part {
            0 => Part::Counts,
            _ if part < problems => Part::Problem(part - 1),
            _ if part < head => Part::IgnoredHead(part - problems),
            _ if part < ignored => Part::Ignored(part - head),
            _ => Part::Rule(part - ignored),
        }
    }
}

/// The kind of a part, with its position among the parts of that kind.
enum Part {
    Counts,
    Problem(usize),
    IgnoredHead(usize),
    Ignored(usize),
    Rule(usize),
}

impl Parts for Problems<'_> {
    fn count(&self) -> usize {
        let problems = self.app.panes.transcript.visible_problems();
        1 + problems + self.ignored.len() + self.listed() + self.rules.count()
    }

    fn item(&self, part: usize) -> Option<Item> {
        match self.part(part) {
            Part::Problem(number) => Some(Item::Problem(number)),
            Part::Ignored(number) => Some(Item::Ignored(number)),
            Part::Rule(number) => self.rules.item(number),
            Part::Counts | Part::IgnoredHead(_) => None,
        }
    }

    fn current(&self) -> Range<usize> {
        let t = &self.app.panes.transcript;
        let problems = match (t.problem, t.segment) {
            (Some(chosen), _) => chosen..chosen + 1,
            (None, None) => t.numbers_of(Some(t.turn)),
            (None, Some(segment)) => {
                let mut of_segment = t.problems_of_segment(t.turn, segment);
                let first = of_segment.next().map(|(number, _)| number);
                first.map_or(0..0, |first| first..first + 1)
            }
        };
        1 + problems.start..1 + problems.end
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        match self.part(part) {
            Part::Counts => vec![counts(self.app)],
            Part::Problem(number) => problem(self.app, number, self.columns),
            Part::IgnoredHead(line) => vec![self.ignored[line].clone()],
            Part::Ignored(number) => ignored(self.app, number, self.columns),
            Part::Rule(number) => self.rules.lines(number),
        }
    }
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
    if let Some(fix) = problem.fixes.first() {
        let key = app.key(Command::Fix);
        let head = indent().with(Ink::Key, &format!("{key} "));
        lines.extend(wrapped(head, Ink::Good, &visible(&fix.title), columns));
    }
    let selected = match t.problem {
        Some(chosen) => chosen == number,
        None => {
            problem.location.turn == Some(t.turn)
                && (t.segment.is_none() || problem.location.segment == t.segment)
        }
    };
    for line in &mut lines {
        line.selected = selected;
        line.item = Some(Box::new(Item::Problem(number)));
    }
    lines
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
    let item = |line: Line| line.of_item(Item::Ignored(number));
    lines.into_iter().map(item).collect()
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
