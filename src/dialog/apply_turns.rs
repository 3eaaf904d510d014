//! Removes turns, and moves what counts turns along.
//!
//! The numbers of later turns follow: those the corpus gives its turns, and those of fields that count them.

use super::edit::Edit;
use super::error::EditError;
use super::model::{Content, Dialog, Extent, Field, Short, Turn};

/// Applies an edit of whole turns; ignores other edits.
///
/// # Errors
/// If there is no such turn, or it is the only one.
pub fn apply(edit: &Edit, dialog: &mut Dialog) -> Result<(), EditError> {
    match edit {
        Edit::RemoveTurn { turn } => remove(dialog, *turn),
        _ => Ok(()),
    }
}

fn remove(dialog: &mut Dialog, turn: usize) -> Result<(), EditError> {
    let count = dialog.turns.len();
    if turn >= count {
        return Err(EditError::NoTurn { turn, count });
    }
    if count == 1 {
        return Err(EditError::NotEditable {
            what: "the turn",
            reason: "it is the only one, and a dialog has at least one".to_owned(),
        });
    }
    let counting = counting_fields(dialog);
    let removed = dialog.turns.remove(turn);
    for call in dialog.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call
            .response_place()
            .is_some_and(|at| holds(removed.at, at))
        {
            call.response = None;
            call.answered_as = None;
        }
    }
    let is_of_exchange =
        |other: &Turn| other.exchange.end > 0 && other.exchange.start == removed.exchange.start;
    if dialog.turns.iter().any(is_of_exchange) {
        return Ok(());
    }
    for later in &mut dialog.turns[turn..] {
        if later.index > removed.index && removed.index.is_some() {
            later.index = later.index.map(|index| index - 1);
        }
        shift(later, &counting, -1);
    }
    Ok(())
}

/// Returns the fields that count the turns from 0 or 1 on, such as `turn_id`: every turn has one.
fn counting_fields(dialog: &Dialog) -> Vec<Short> {
    let Some((first, others)) = dialog.turns.split_first() else {
        return Vec::new();
    };
    let only = |turn: &Turn, name: &Short| {
        let mut own = turn.fields.iter().filter(|field| field.name == *name);
        let number = own.next().and_then(number);
        number.filter(|_| own.next().is_none())
    };
    let counts = |name: &&Short| {
        let from = only(first, name).filter(|from| matches!(from, 0 | 1));
        from.is_some_and(|from| {
            let mut later = (from + 1..).zip(others);
            later.all(|(number, turn)| only(turn, name) == Some(number))
        })
    };
    let names = first.fields.iter().map(|field| &field.name);
    let is_exchange = first.exchange.end > 0 || others.is_empty();
    names
        .filter(|_| !is_exchange)
        .filter(counts)
        .cloned()
        .collect()
}

/// Returns the integer that a field is, or that is its text.
fn number(field: &Field) -> Option<i64> {
    let text = field.content.as_str();
    let number = text.parse::<i64>().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Adds `by` to the fields of a turn with these names.
fn shift(turn: &mut Turn, names: &[Short], by: i64) {
    for field in &mut turn.fields {
        if names.contains(&field.name)
            && let Some(number) = number(field)
        {
            let moved = number.saturating_add(by).to_string().into();
            field.content = match field.content {
                Content::Text(_) => Content::Text(moved),
                Content::Raw(_) => Content::Raw(moved),
            };
        }
    }
}

fn holds(outer: Extent, inner: Extent) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
