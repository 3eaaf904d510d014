//! The tab of calls: the dialog's API calls, with arguments and responses as structures.

use std::collections::HashMap;
use std::rc::Rc;

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::feature::editing::items;
use crate::app::feature::editing::items::takes_calls;
use crate::app::input::Command;
use crate::app::pane::parts::Rows;
use crate::app::pane::transcript::Folds;
use crate::app::pane::transcript::block::FAILED;
use crate::app::pane::{Ink, Item, Line, problem_ink};
use crate::app::tabs::json;
use crate::dialog::{ApiCall, CallPart, Content, EditKind, Payload};
use crate::lint::{Diagnostic, Severity};
use crate::text::{counted, grouped, visible};

pub const TAB: Tab = Tab {
    name: "api",
    title: "Calls",
    doc: "the dialog's API calls in full: arguments, results, and the JSON inside strings",
    has: |app| app.panes.transcript.has(EditKind::Calls) || takes_calls(app),
    tells_no_side: false,
    rows,
};

/// Makes a row with the number of calls, then one per call.
fn rows(app: &App, columns: usize) -> Rows<'_> {
    let t = &app.panes.transcript;
    let turns = t.dialog.turns[..t.visible()].iter().enumerate();
    let calls = turns.flat_map(|(turn, of)| (0..of.calls.len()).map(move |call| (turn, call)));
    let calls: Rc<[(usize, usize)]> = calls.collect();
    let up_to = |turn: usize| 1 + calls.partition_point(|(of, _)| *of <= turn);
    let before = t.turn.checked_sub(1).map_or(1, up_to);
    let end = up_to(t.turn);
    let mut rows = Rows::default();
    rows.current = before..end;
    // For a turn without calls, start at the last call before it.
    rows.beginning = if end == 1 { 0 } else { end - 1 };
    let (listed, places) = (Rc::clone(&calls), Rc::clone(&calls));
    let count = calls.len();
    rows.row(move || head(app, count));
    let item = move |row: usize| {
        let (turn, call) = listed[row];
        Some(Item::Api { turn, call })
    };
    let lines = {
        let calls = Rc::clone(&calls);
        move |row: usize| lines(app, row + 1, calls[row], columns)
    };
    rows.list(calls.len(), item, lines);
    rows.found_by(move |item| places.binary_search(&item.call()?).ok());
    rows
}

fn head(app: &App, calls: usize) -> Vec<Line> {
    let (total, t) = (counted(calls, "call"), &app.panes.transcript);
    let place =
        if t.visible() < t.len() { "in the turns that are shown" } else { "in this dialog" };
    let mut lines = vec![Line::of(Ink::Dim, &format!(" {total} {place}"))];
    let failed = t.visible_failed().len();
    if failed > 0 {
        lines[0].push(Ink::Error, &format!(" · {FAILED}{} failed", grouped(failed)));
    }
    if calls == 0 && takes_calls(app) {
        let (add, turn) = (app.key(Command::ItemAdd), t.turn);
        lines.push(Line::of(Ink::Dim, &format!(" {add} adds a call to turn {turn}")));
    }
    lines
}

fn lines(app: &App, place: usize, (turn, number): (usize, usize), columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let call = &t.dialog.turns[turn].calls[number];
    let mut head = Line::of(Ink::Dim, &format!(" {place}. "));
    if t.failed.binary_search(&(turn, number)).is_ok() {
        head.push(Ink::Error, &[FAILED, &call.name].concat());
    } else {
        head.push(Ink::Call, &call.name);
    }
    let item = Item::Api { turn, call: number };
    let head = head.with(Ink::Dim, &format!("  turn {turn}")).of_item(item);
    let mut lines = vec![head];
    // The marks of problems need two columns.
    let columns = columns.saturating_sub(2);
    if t.folds.has_own(turn, number) {
        lines[0].push(Ink::Dim, " …");
    } else {
        lines.extend(call_lines(call, turn, number, columns, &t.folds));
    }
    for problem in t.problems_of(Some(turn)) {
        mark(app, &mut lines, turn, number, problem);
    }
    for line in &mut lines {
        line.selected = turn == t.turn;
    }
    lines
}

/// Marks the call, or what is wrong in it, if the problem is about that.
fn mark(app: &App, lines: &mut [Line], turn: usize, call: usize, problem: &Diagnostic) {
    let of = &app.panes.transcript.dialog.turns[turn];
    let item = Item::of_call(of, problem).filter(|item| item.call() == Some((turn, call)));
    let line = item.and_then(|item| {
        let is_its = |line: &Line| line.item.as_deref() == Some(&item);
        // A folded call has its first line only.
        let place = lines.iter().position(is_its).unwrap_or_default();
        lines.get_mut(place)
    });
    if let Some(line) = line.filter(|_| problem.severity > Severity::Note) {
        line.push(problem_ink(problem.severity), " ▲");
    }
}

/// True if an item has rows below its first one that can be folded.
pub fn can_be_folded(app: &App, item: &Item) -> bool {
    match item {
        Item::Inner { .. } => true,
        Item::Values { turn, call, part } => match items::payload(app, *turn, *call, *part) {
            Some(Payload::Fields(fields)) => !fields.is_empty(),
            _ => false,
        },
        Item::Json { .. } => {
            items::said_of(app, item).is_some_and(|text| json::is_structure(&text))
        }
        Item::Value { .. } => {
            let content = items::content_of(app, item);
            matches!(content, Some(Content::Raw(raw)) if json::is_structure(&raw))
        }
        _ => false,
    }
}

/// Lists the arguments and the response of call `call` of turn `turn`, some of them folded.
fn call_lines(of: &ApiCall, turn: usize, call: usize, columns: usize, folds: &Folds) -> Vec<Line> {
    let mut lines = Vec::new();
    let parts = [(CallPart::Arguments, &of.arguments), (CallPart::Response, &of.response)];
    for (part, payload) in parts {
        let Some(payload) = payload else {
            continue;
        };
        let title = Line::of(Ink::Dim, &format!("    {}", part.name())).at_level(5);
        let json = Item::Json { turn, call, part };
        match payload {
            Payload::Fields(fields) => {
                let item = Item::Values { turn, call, part };
                if folds.has_part(&item) {
                    let count = json::folded_members(fields.len());
                    lines.push(title.with(Ink::Dim, &format!("  {count}")).of_item(item));
                    continue;
                }
                lines.push(title.of_item(item));
                if fields.is_empty() {
                    lines.push(Line::of(Ink::Dim, "      (none)"));
                }
                let mut before: HashMap<&str, usize> = HashMap::new();
                for field in fields {
                    let before = before.entry(&field.name).or_default();
                    let nth = std::mem::replace(before, *before + 1);
                    let item = Item::Value { turn, call, part, name: field.name.to_string(), nth };
                    lines.extend(json::field(
                        &field.name,
                        &field.content,
                        6,
                        json::Shown::part(&item, folds, columns),
                    ));
                }
            }
            Payload::Embedded { text, .. } => {
                lines.extend(json::text(
                    title,
                    text,
                    true,
                    6,
                    json::Shown::part(&json, folds, columns),
                ));
            }
            Payload::Text { text, .. } => {
                lines.extend(json::text(
                    title,
                    text,
                    false,
                    6,
                    json::Shown::part(&json, folds, columns),
                ));
            }
        }
    }
    if let Some(other) = of.answered_as.as_ref().filter(|name| **name != of.name) {
        let name = visible(other);
        lines.push(Line::of(Ink::Dim, &format!("    the result has the name {name}")));
    }
    lines.extend(json::fields(&of.fields, 4, columns));
    lines
}
