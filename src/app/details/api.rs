//! The API calls of the dialog: arguments and responses as structures.

use super::{Tab, json};
use crate::app::App;
use crate::app::line::{Ink, Line};
use crate::dialog::{ApiCall, Payload};

pub const TAB: Tab = Tab {
    name: "api",
    title: "API",
    doc: "the dialog's API calls in full: arguments and responses, JSON in strings as structure",
    has: |dialog| dialog.turns.iter().any(|turn| !turn.calls.is_empty()),
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let total: usize = t.dialog.turns.iter().map(|turn| turn.calls.len()).sum();
    let mut lines = vec![Line::of(
        Ink::Dim,
        &format!(
            " {total} call{} in this dialog",
            if total == 1 { "" } else { "s" }
        ),
    )];
    let mut number = 0;
    for (position, turn) in t.dialog.turns.iter().enumerate() {
        for call in &turn.calls {
            number += 1;
            let from = lines.len();
            let mut head = Line::of(Ink::Dim, &format!(" {number}. "));
            head.push(Ink::Call, &call.name);
            lines.push(head.with(Ink::Dim, &format!("  turn {position}")));
            lines.extend(call_lines(call, columns));
            if position == t.turn {
                lines[from..]
                    .iter_mut()
                    .for_each(|line| line.selected = true);
            }
        }
    }
    lines
}

fn call_lines(call: &ApiCall, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let parts = [("arguments", &call.arguments), ("response", &call.response)];
    for (name, payload) in parts {
        let Some(payload) = payload else {
            continue;
        };
        lines.push(Line::of(Ink::Dim, &format!("    {name}")));
        lines.extend(match payload {
            Payload::Fields(fields) if fields.is_empty() => {
                vec![Line::of(Ink::Dim, "      (none)")]
            }
            Payload::Fields(fields) => json::fields(fields, 6, columns),
            Payload::Embedded { text, .. } => json::embedded(text, 6, columns),
        });
    }
    lines.extend(json::fields(&call.fields, 4, columns));
    lines
}
