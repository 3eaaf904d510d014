//! The API calls of the dialog: arguments and responses as structures.

use super::{Item, Tab, json};
use crate::app::App;
use crate::app::line::{Ink, Line};
use crate::dialog::{About, ApiCall, Part, Payload};
use crate::text::{counted, visible};

pub const TAB: Tab = Tab {
    name: "api",
    title: "API",
    doc: "the dialog's API calls in full: arguments and responses, JSON in strings as structure",
    has: |app| app.transcript.has(About::Calls),
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let total: usize = t.dialog.turns.iter().map(|turn| turn.calls.len()).sum();
    let mut lines = vec![Line::of(
        Ink::Dim,
        &format!(" {} in this dialog", counted(total, "call")),
    )];
    let mut number = 0;
    for (position, turn) in t.dialog.turns.iter().enumerate() {
        for (place, call) in turn.calls.iter().enumerate() {
            number += 1;
            let from = lines.len();
            let mut head = Line::of(Ink::Dim, &format!(" {number}. "));
            head.push(Ink::Call, &call.name);
            let item = Item::Api {
                turn: position,
                call: place,
            };
            lines.push(
                head.with(Ink::Dim, &format!("  turn {position}"))
                    .of_item(item),
            );
            lines.extend(call_lines(call, (position, place), columns));
            if position == t.turn {
                lines[from..]
                    .iter_mut()
                    .for_each(|line| line.selected = true);
            }
        }
    }
    lines
}

/// The parts of call `call` of turn `turn`.
fn call_lines(of: &ApiCall, (turn, call): (usize, usize), columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let parts = [
        (Part::Arguments, &of.arguments),
        (Part::Response, &of.response),
    ];
    for (part, payload) in parts {
        let Some(payload) = payload else {
            continue;
        };
        let title = Line::of(Ink::Dim, &format!("    {}", part.name()));
        match payload {
            Payload::Fields(fields) => {
                lines.push(title.of_item(Item::Values { turn, call, part }));
                if fields.is_empty() {
                    lines.push(Line::of(Ink::Dim, "      (none)"));
                }
                for (place, field) in fields.iter().enumerate() {
                    let before = fields[..place].iter();
                    let item = Item::Value {
                        turn,
                        call,
                        part,
                        name: field.name.to_string(),
                        twin: before.filter(|other| other.name == field.name).count(),
                    };
                    let shown = json::field(&field.name, &field.content, 6, columns);
                    lines.extend(shown.into_iter().map(|line| line.of_item(item.clone())));
                }
            }
            Payload::Embedded { text, .. } => {
                let item = Item::Json { turn, call, part };
                lines.push(title.of_item(item.clone()));
                let shown = json::embedded(text, 6, columns);
                lines.extend(shown.into_iter().map(|line| line.of_item(item.clone())));
            }
        }
    }
    if let Some(other) = of.answered_as.as_ref().filter(|name| **name != of.name) {
        let name = visible(other);
        lines.push(Line::of(Ink::Dim, &format!("    the response says {name}")));
    }
    lines.extend(json::fields(&of.fields, 4, columns));
    lines
}
