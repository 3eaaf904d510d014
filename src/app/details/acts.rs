//! Dialogue acts, intents, and the dialogue state with what changed in this turn.

use super::Tab;
use crate::app::App;
use crate::app::line::{Ink, Line, wrapped};
use crate::app::transcript::{act_text, state_before};
use crate::format::embedded;

pub const TAB: Tab = Tab {
    name: "acts",
    title: "Acts",
    doc: "the current turn's dialogue acts and intents, and the dialogue state with its changes",
    has: |dialog| {
        dialog
            .turns
            .iter()
            .any(|turn| !turn.acts.is_empty() || turn.state.is_some())
    },
    lines,
};

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.transcript;
    let Some(turn) = t.current() else {
        return Vec::new();
    };
    let indent = || Line::of(Ink::Plain, "   ");
    let mut lines = vec![Line::of(Ink::Dim, &format!(" turn {}", t.turn))];
    let title = |text: &str| Line::of(Ink::Title, &format!(" {text}"));
    if !turn.acts.is_empty() {
        lines.push(title("Acts"));
        for act in &turn.acts {
            lines.extend(wrapped(
                indent(),
                Ink::Call,
                &act_text(&act.name, &act.slots),
                columns,
            ));
        }
    }
    if !turn.intents.is_empty() {
        lines.push(title("Intents"));
        lines.extend(wrapped(
            indent(),
            Ink::Plain,
            &turn.intents.join(", "),
            columns,
        ));
    }
    // A turn without a state of its own stands in the one it found.
    let before = state_before(t, t.turn);
    let state = turn.state.as_deref().unwrap_or(before);
    lines.push(title(if turn.state.is_some() {
        "State"
    } else {
        "State before"
    }));
    let find = |name: &str| before.iter().find(|slot| slot.slot == name);
    for slot in state {
        let value = embedded::shown(&slot.value);
        let (sign, ink, note) = match find(&slot.slot) {
            None => ("+", Ink::Added, None),
            Some(old) if old.value != slot.value => {
                ("~", Ink::Changed, Some(embedded::shown(&old.value)))
            }
            Some(_) => (" ", Ink::Plain, None),
        };
        let head = Line::of(ink, &format!(" {sign} "))
            .with(Ink::Name, &slot.slot)
            .with(Ink::Dim, "  ");
        let value = note.map_or_else(|| value.clone(), |old| format!("{value}  (was {old})"));
        lines.extend(wrapped(head, ink, &value, columns));
    }
    for old in before
        .iter()
        .filter(|old| !state.iter().any(|slot| slot.slot == old.slot))
    {
        let head = Line::of(Ink::Removed, " - ")
            .with(Ink::Name, &old.slot)
            .with(Ink::Dim, "  ");
        lines.extend(wrapped(
            head,
            Ink::Removed,
            &embedded::shown(&old.value),
            columns,
        ));
    }
    if state.is_empty() && before.is_empty() {
        lines.push(Line::of(Ink::Dim, "   (empty)"));
    }
    lines
}
