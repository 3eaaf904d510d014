//! Splices that add and remove whole turns, and write the numbers of the turns behind them.

use crate::dialog::{Content, Dialog, Edit, EditError, EditKind, Field, Turn};
use crate::format::EditCheck;
use crate::format::engine::edit::{not_editable, object_of, set_index, value_of};
use crate::json::{Editor, Splice, Value};

/// Removes the element that a turn was read from, and writes the new numbers of the turns behind it. `number` is
/// the member with the number of a turn, if the family has one.
///
/// # Errors
/// If the element is not in a list, or a number cannot be written.
pub fn remove_turn(
    editor: &Editor<'_>,
    changed: &EditCheck<'_>,
    number: Option<&str>,
) -> Result<Vec<Splice>, EditError> {
    let turn = &changed.before.turns[changed.edit.turn()];
    let element = value_of(editor, turn.at, "the turn")?;
    let mut splices = vec![remove_element(editor, element)?];
    splices.extend(numbers(editor, changed, |turn, index| {
        let object = object_of(editor, turn.at, "the turn")?;
        let key = number.ok_or_else(|| not_editable("the turn", &"its number is not written"))?;
        Ok(set_index(editor, object, key, index))
    })?);
    Ok(splices)
}

/// Removes an element of a list.
///
/// # Errors
/// If it is not in a list.
pub fn remove_element<'a>(editor: &Editor<'a>, element: Value<'a>) -> Result<Splice, EditError> {
    let list = editor.parent(element);
    let removed = list.and_then(|list| editor.remove_at(list, element.range().start));
    removed.ok_or_else(|| not_editable("the turn", &"it is not in a list"))
}

/// Writes the numbers of later turns that have changed: with `set` the numbers of the turns themselves, and those of
/// fields of turns and calls.
///
/// # Errors
/// If one cannot be written.
pub fn numbers(
    editor: &Editor<'_>,
    changed: &EditCheck<'_>,
    set: impl Fn(&Turn, u32) -> Result<Splice, EditError>,
) -> Result<Vec<Splice>, EditError> {
    let mut splices = Vec::new();
    for (before, after) in later_turns(changed.edit, changed.before, changed.after) {
        if before.index != after.index
            && let Some(index) = after.index
        {
            splices.push(set(before, index)?);
        }
        let calls = before.calls.iter().zip(&after.calls);
        let of_calls = calls.flat_map(|(before, after)| before.fields.iter().zip(&after.fields));
        let fields = before.fields.iter().zip(&after.fields).chain(of_calls);
        for (before, after) in fields.filter(|(before, after)| before.content != after.content) {
            let value = value_of(editor, before.at, "the number of a turn")?;
            let new = after.content.as_str().parse::<i64>();
            let new = new.map_err(|error| not_editable("the number of a turn", &error))?;
            splices.push(editor.set_integer(value, new));
        }
    }
    Ok(splices)
}

/// Returns the turns behind one that an edit removes, before and after it.
fn later_turns<'d>(
    edit: &Edit,
    before: &'d Dialog,
    after: &'d Dialog,
) -> impl Iterator<Item = (&'d Turn, &'d Turn)> {
    let first = edit.turn();
    let before = before.turns.get(first + 1..).unwrap_or_default();
    before.iter().zip(&after.turns[first..])
}

/// Moves the numbers in the fields `name` of the calls of later turns that were the numbers of their turns.
pub fn number_calls(edit: &Edit, after: &mut Dialog, name: &str) {
    if edit.about() != EditKind::Turns {
        return;
    }
    let by = match edit {
        Edit::RemoveTurn { .. } => 1,
        _ => -1,
    };
    let is_number = |field: &&mut Field| field.name == name;
    for turn in after.turns.iter_mut().skip(edit.turn()) {
        let Some(number) = turn.index.map(i64::from) else {
            continue;
        };
        let fields = turn.calls.iter_mut().flat_map(|call| &mut call.fields);
        for field in fields.filter(is_number) {
            let was = field.content.as_str().parse::<i64>();
            if was.is_ok_and(|was| was == number + by) {
                field.content = match field.content {
                    Content::Text(_) => Content::Text(number.to_string().into()),
                    Content::Raw(_) => Content::Raw(number.to_string().into()),
                };
            }
        }
    }
}
