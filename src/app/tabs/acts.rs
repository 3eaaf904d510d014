//! In the Turn tab, the dialogue acts, intents, and the dialogue state with its changes in this turn.

use std::collections::HashMap;

use crate::app::core::App;
use crate::app::pane::transcript::block::{by_name, state_before};
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::dialog::{EditKind, Turn};
use crate::format::embedded;

pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let Some(turn) = t.current() else {
        return Vec::new();
    };
    let has = |about| app.family().is_some_and(|family| family.has().contains(&about));
    let here = t.turn;
    let mut lines = Vec::new();
    // Segments above say it.
    if !t.has(EditKind::Segments) {
        lines.push(Line::of(Ink::Dim, &format!(" turn {here}")));
    }
    let title = |text: &str| Line::of(Ink::Title, &format!(" {text}"));
    if !turn.acts.is_empty() || has(EditKind::Acts) {
        lines.push(title("Acts").of_item(Item::Acts { turn: here }));
        lines.extend(acts(turn, here, columns));
    }
    if !turn.intents.is_empty() || turn.state.is_some() && has(EditKind::Intents) {
        lines.push(title("Intents").of_item(Item::Intents { turn: here }));
        for (intent, name) in turn.intents.iter().enumerate() {
            let line = Line::of(Ink::Plain, "   ").with(Ink::Plain, name);
            lines.push(line.of_item(Item::Intent { turn: here, intent }));
        }
    }
    // A turn without a state of its own is in the state before it.
    let before = state_before(t, t.turn);
    let state = turn.state.as_deref().unwrap_or(before);
    let own = turn.state.is_some();
    lines.push(if own {
        title("State").of_item(Item::States { turn: here })
    } else {
        title("State before")
    });
    let (then, now) = (by_name(before), by_name(state));
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for slot in state {
        let earlier = counts.entry(&slot.slot).or_default();
        let nth = std::mem::replace(earlier, *earlier + 1);
        let value = embedded::shown(&slot.value);
        let (sign, ink, note) = match then.get(slot.slot.as_str()) {
            None => ("+", Ink::Added, None),
            Some(old) if old.value != slot.value => {
                ("~", Ink::Changed, Some(embedded::shown(&old.value)))
            }
            Some(_) => (" ", Ink::Plain, None),
        };
        let head =
            Line::of(ink, &format!(" {sign} ")).with(Ink::Name, &slot.slot).with(Ink::Dim, "  ");
        let value = note.map_or_else(|| value.clone(), |old| format!("{value}  (was {old})"));
        let shown = wrapped(head, ink, &value, columns);
        let item = Item::State { turn: here, slot: slot.slot.to_string(), nth };
        lines.extend(shown.into_iter().map(
            |line| {
                if own { line.of_item(item.clone()) } else { line }
            },
        ));
    }
    for old in before.iter().filter(|old| !now.contains_key(old.slot.as_str())) {
        let head = Line::of(Ink::Removed, " - ").with(Ink::Name, &old.slot).with(Ink::Dim, "  ");
        lines.extend(wrapped(head, Ink::Removed, &embedded::shown(&old.value), columns));
    }
    if state.is_empty() && before.is_empty() {
        lines.push(Line::of(Ink::Dim, "   (empty)"));
    }
    lines
}

/// Lists each act with its slots under it.
fn acts(turn: &Turn, here: usize, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for (number, act) in turn.acts.iter().enumerate() {
        let item = Item::Act { turn: here, act: number };
        let name = Line::of(Ink::Plain, "   ").with(Ink::Call, &act.name);
        lines.push(name.of_item(item));
        for (place, slot) in act.slots.iter().enumerate() {
            let item = Item::ActSlot { turn: here, act: number, slot: place };
            let head = Line::of(Ink::Plain, "     ").with(Ink::Name, &slot.slot);
            let value = slot.value.as_ref().map(embedded::shown);
            let shown =
                wrapped(head.with(Ink::Dim, "  "), Ink::Plain, &value.unwrap_or_default(), columns);
            lines.extend(shown.into_iter().map(|line| line.of_item(item.clone())));
        }
    }
    lines
}
