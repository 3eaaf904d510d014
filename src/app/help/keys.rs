//! Lists the keys that work here, by topic.

use crate::app::core::{App, Unavailable};
use crate::app::input::{Command, Scope, Topic};
use crate::app::pane::{Ink, Line, wrapped};
use crate::judging::Kind;

/// Columns of the keys.
const KEYS: usize = 26;

pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let judging = app.scopes_under().contains(&Scope::Judging);
    // While judging, the keys for judging come first.
    let (first, rest): (Vec<_>, Vec<_>) =
        Topic::ALL.into_iter().partition(|topic| judging && *topic == Topic::Judging);
    for topic in first.into_iter().chain(rest) {
        lines.extend(of_topic(app, topic, columns));
    }
    lines
}

/// Lists the questions of the scheme that judges here, with the keys of their answers.
pub fn answers(app: &App, columns: usize) -> Vec<Line> {
    let judges = app.scopes_under().contains(&Scope::Judging) && app.asks_for_judgements();
    let Some(scheme) = app.scheme().filter(|_| judges) else {
        return Vec::new();
    };
    let title = format!(" Answers: {}", scheme.name);
    let mut lines = vec![Line::of(Ink::Title, &title)];
    for question in scheme.questions.iter().filter(|question| !question.again) {
        let head = Line::of(Ink::Strong, &format!("  {}  ", question.name));
        lines.extend(wrapped(head, Ink::Plain, &question.text, columns));
        let typed = match question.kind {
            Kind::Tags { .. } => Some("type tags, separated by commas"),
            Kind::Text => Some("type a text"),
            Kind::Choice | Kind::Scale(_) | Kind::YesNo => None,
        };
        if let Some(does) = typed {
            let keys = keys_here(app, Command::TypeAnswer);
            lines.extend(row(&keys, does, columns));
        }
        for choice in &question.choices {
            if let Some(key) = &choice.key {
                let gap = if choice.help.is_empty() { "" } else { ": " };
                let does = format!("{}{gap}{}", choice.answer, choice.help);
                lines.extend(row(&[key], &does, columns));
            }
        }
    }
    lines.push(Line::new());
    lines
}

/// Lists the commands of a topic that have a key here: those that can run now, then those that need a step
/// first, with that step.
fn of_topic(app: &App, topic: Topic, columns: usize) -> Vec<Line> {
    let mut now = Vec::new();
    let mut later: Vec<(Unavailable, Vec<Line>)> = Vec::new();
    for command in topic.commands().iter().copied() {
        let keys = keys_here(app, command);
        if keys.is_empty() {
            continue;
        }
        let row = || row(&keys, command.doc(), columns);
        match app.can(command) {
            Ok(()) => now.extend(row()),
            Err(Unavailable::Here(_)) => {}
            Err(why) => match later.iter_mut().find(|(other, _)| *other == why) {
                Some((_, rows)) => rows.extend(row()),
                None => later.push((why, row())),
            },
        }
    }
    if now.is_empty() && later.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![Line::new(), Line::of(Ink::Title, &format!(" {}", topic.title()))];
    lines.extend(now);
    for (why, rows) in later {
        let why = why.text(app);
        lines.extend(wrapped(Line::of(Ink::Dim, "  "), Ink::Dim, &why, columns));
        lines.extend(rows);
    }
    lines
}

/// Returns the keys that run `command` here.
pub fn keys_here(app: &App, command: Command) -> Vec<&str> {
    let mut keys = Vec::new();
    for key in app.input.keymap.working_keys(command, app.scopes_under()) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

fn row(keys: &[&str], doc: &str, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut line = Line::of(Ink::Plain, "  ").with(Ink::Key, &keys.join("  "));
    if line.width() >= KEYS {
        // Keys that need more room get a row of their own.
        lines.push(std::mem::take(&mut line));
    }
    line.fill(KEYS);
    lines.extend(wrapped(line, Ink::Plain, doc, columns));
    lines
}
