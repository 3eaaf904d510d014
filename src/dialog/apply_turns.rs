//! Adds and removes turns, and moves what counts turns along.
//!
//! The numbers of later turns follow: those the corpus gives its turns, and those of fields that count them.

use super::apply_text::tokens_of;
use super::edit::Edit;
use super::error::EditError;
use super::model::{Content, Dialog, Extent, Field, Role, Short, Speaker, Turn};

/// Applies an edit of whole turns; ignores other edits.
///
/// # Errors
/// If there is no such turn, it is the only one, or a new one has no speaker.
pub fn apply(edit: &Edit, dialog: &mut Dialog) -> Result<(), EditError> {
    match edit {
        Edit::RemoveTurn { turn } => remove(dialog, *turn),
        Edit::AddTurn { turn, speaker, text } => add(dialog, *turn, speaker, text),
        _ => Ok(()),
    }
}

fn remove(dialog: &mut Dialog, turn: usize) -> Result<(), EditError> {
    let count = dialog.turns.len();
    if turn >= count {
        return Err(EditError::NoTurn { turn, count });
    }
    if count == 1 {
        let reason = "it is the only one, and a dialog needs a turn";
        return Err(EditError::TurnStays(reason.to_owned()));
    }
    let counting = dialog.counting_fields();
    let removed = dialog.turns.remove(turn);
    for call in dialog.turns.iter_mut().flat_map(|turn| &mut turn.calls) {
        if call.response_place().is_some_and(|at| removed.at.holds(at)) {
            call.response = None;
            call.answered_as = None;
        }
        // An answer may say more of its call, such as that it failed.
        call.fields.retain(|field| !removed.at.holds(field.at) || field.at.end == 0);
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

fn add(dialog: &mut Dialog, turn: usize, speaker: &str, text: &str) -> Result<(), EditError> {
    let count = dialog.turns.len();
    if turn > count {
        return Err(EditError::NoTurn { turn, count });
    }
    if speaker.is_empty() {
        let reason = "the new turn needs a speaker";
        return Err(EditError::NoPlaceForTurn(reason.to_owned()));
    }
    let mut new = Turn {
        speaker: Speaker::named(speaker.into()),
        text: text.to_owned(),
        tokens: tokens_of(text, dialog.units),
        ..Turn::default()
    };
    let counting = dialog.counting_fields();
    let (before, behind) = dialog.turns.split_at(turn);
    let next = behind.first();
    let after_earlier = before.last().and_then(|turn| turn.index);
    new.index = after_earlier.map(|index| index.saturating_add(1));
    new.index = new.index.or_else(|| next.and_then(|turn| turn.index));
    let like = next.or(before.last());
    let fields = like.into_iter().flat_map(|like| &like.fields);
    let fields = fields.filter(|field| counting.contains(&field.name));
    new.fields = fields.cloned().collect();
    for field in &mut new.fields {
        field.at = Extent::default();
    }
    if next.is_none() {
        shift(&mut new, &counting, 1);
    }
    if let Some(next) = next.filter(|next| next.exchange.end > 0 && new.speaker.role != Role::User)
    {
        // It becomes a part of the exchange.
        new.index = next.index;
    } else {
        for later in &mut dialog.turns[turn..] {
            if later.index >= new.index && new.index.is_some() {
                later.index = later.index.map(|index| index.saturating_add(1));
            }
            shift(later, &counting, 1);
        }
    }
    dialog.turns.insert(turn, new);
    Ok(())
}

/// The ends of names of numbers, in lower case. Another number may count up by chance.
const NUMBERS: [&str; 7] = ["id", "idx", "index", "turn", "number", "num", "position"];

impl Dialog {
    /// Returns the fields that count the turns from 0 or 1 on, such as `turn_id`: every turn has one, and the family
    /// knows none of them.
    pub fn counting_fields(&self) -> Vec<Short> {
        counting_fields(&self.turns)
    }
}

fn counting_fields(turns: &[Turn]) -> Vec<Short> {
    let Some((first, others)) = turns.split_first() else {
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
    let is_number = |field: &&Field| {
        let name = field.name.to_lowercase();
        !field.known && NUMBERS.iter().any(|end| name.ends_with(end))
    };
    let names = first.fields.iter().filter(is_number);
    let names = names.map(|field| &field.name);
    let is_exchange = first.exchange.end > 0 || others.is_empty();
    names.filter(|_| !is_exchange).filter(counts).cloned().collect()
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
