//! Splices that add and remove whole turns, and write the numbers of the turns behind them.

use crate::dialog::{Content, Dialog, Edit, EditError, EditKind, Field, Turn};
use crate::format::EditedDialog;
use crate::format::engine::edit::{not_editable, object_of, set_index, value_of};
use crate::format::engine::values::written_content;
use crate::json::{Editor, NewValue, NodeKind, Splice, Value};

/// Removes the element that a turn was read from, and writes the new numbers of the turns behind it. `number` is
/// the member with the number of a turn, if the family has one.
///
/// # Errors
/// If the element is not in a list, or a number cannot be written.
pub fn remove_turn(
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
    number: Option<&str>,
) -> Result<Vec<Splice>, EditError> {
    let turn = &edited.before.turns[edited.edit.turn()];
    let element = value_of(editor, turn.at, "the turn")?;
    let mut splices = vec![remove_element(editor, element)?];
    splices.extend(numbers(editor, edited, |turn, index| {
        let object = object_of(editor, turn.at, "the turn")?;
        let key = number.ok_or_else(|| not_editable("the turn", &"its number is not written"))?;
        Ok(set_index(editor, object, key, index))
    })?);
    Ok(splices)
}

/// The place of a new turn.
pub struct NewPlace<'a> {
    pub list: Value<'a>,
    /// The position in it.
    pub at: usize,
}

impl<'a> NewPlace<'a> {
    /// Returns the place of a new turn in the list under `key`, which has an element for each turn.
    ///
    /// # Errors
    /// If there is no such list.
    pub fn under(editor: &Editor<'a>, key: &'static str, edit: &Edit) -> Result<Self, EditError> {
        let list = editor.tree().root().get(key);
        let at = edit.turn();
        let list = list.filter(|list| list.kind() == NodeKind::Array);
        list.map(|list| Self { list, at }).ok_or_else(|| not_editable(key, &"it is not there"))
    }

    /// Returns the element that a new one is written like: the next one, or the last.
    pub fn like(&self) -> Option<Value<'a>> {
        let mut elements = self.list.elements();
        elements.nth(self.at).or_else(|| self.list.elements().last())
    }
}

/// Adds an element with `members` for a new turn, and writes the numbers of the turns behind it. `number` is the
/// member with the number of a turn, if the family has one.
///
/// # Errors
/// If the turns beside it have no number, or a number cannot be written.
pub fn add_turn<'a>(
    editor: &Editor<'a>,
    edited: &EditedDialog<'_>,
    place: &NewPlace<'a>,
    mut members: Vec<(String, NewValue)>,
    number: Option<&str>,
) -> Result<Vec<Splice>, EditError> {
    let new = &edited.after.turns[edited.edit.turn()];
    if let Some(key) = number {
        let index = new
            .index
            .ok_or_else(|| not_editable("the turn", &format!("no turn beside it has `{key}`")))?;
        members.insert(0, (key.to_owned(), NewValue::Integer(i64::from(index))));
    }
    let fields = new.fields.iter();
    members.extend(fields.map(|field| (field.name.to_string(), written_content(&field.content))));
    let new = NewValue::Object(members);
    let mut splices = vec![editor.insert(place.list, place.at, &[new], None)];
    splices.extend(numbers(editor, edited, |turn, index| {
        let object = object_of(editor, turn.at, "the turn")?;
        let key = number.ok_or_else(|| not_editable("the turn", &"its number is not written"))?;
        Ok(set_index(editor, object, key, index))
    })?);
    Ok(splices)
}

/// Gives the first turn of a dialog the number 0, for families that number their turns from there.
pub fn number_first(edit: &Edit, after: &mut Dialog) {
    if let (Edit::AddTurn { .. }, [only]) = (edit, &mut after.turns[..]) {
        only.index = only.index.or(Some(0));
    }
}

/// Returns the lists and objects that all elements of a list have, empty, except those that `is_out` leaves out: a
/// new element has them too.
pub fn empty_parts(
    like: Value<'_>,
    all: &[Value<'_>],
    is_out: &dyn Fn(&str) -> bool,
) -> Vec<(String, NewValue)> {
    let mut parts = Vec::new();
    for (key, value) in like.members() {
        let key = key.as_str().unwrap_or_default();
        let same: Option<Vec<_>> =
            all.iter().map(|one| one.get(&key).filter(|of| of.kind() == value.kind())).collect();
        let Some(same) = same.filter(|_| !is_out(&key)) else {
            continue;
        };
        match value.kind() {
            NodeKind::Array => parts.push((key.into_owned(), NewValue::Array(Vec::new()))),
            NodeKind::Object => {
                let inner = empty_parts(value, &same, &|_| false);
                parts.push((key.into_owned(), NewValue::Object(inner)));
            }
            _ => {}
        }
    }
    parts
}

/// Returns the members of a new turn with its speaker and its text, and the lists that all turns have.
pub fn new_members(
    edited: &EditedDialog<'_>,
    place: &NewPlace<'_>,
    keys: [&str; 2],
) -> Vec<(String, NewValue)> {
    let new = &edited.after.turns[edited.edit.turn()];
    let [speaker, text] = keys;
    let member = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    let mut members = vec![member(speaker, &new.speaker.name), member(text, &new.text)];
    let turns = &edited.before.turns;
    let all: Vec<_> = place.list.elements().collect();
    if let Some(like) = place.like() {
        let of = turns.iter().find(|turn| turn.at.start == like.range().start);
        let is_field = |key: &str| {
            let mut fields = of.into_iter().flat_map(|turn| &turn.fields);
            fields.any(|field| field.name == key) || keys.contains(&key)
        };
        members.extend(empty_parts(like, &all, &is_field));
    }
    members
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

/// Writes the numbers of later turns that have edited: with `set` the numbers of the turns themselves, and those of
/// fields of turns and calls.
///
/// # Errors
/// If one cannot be written.
pub fn numbers(
    editor: &Editor<'_>,
    edited: &EditedDialog<'_>,
    set: impl Fn(&Turn, u32) -> Result<Splice, EditError>,
) -> Result<Vec<Splice>, EditError> {
    let mut splices = Vec::new();
    for (before, after) in later_turns(edited.edit, edited.before, edited.after) {
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

/// Returns the turns behind one that an edit adds or removes, before and after it.
fn later_turns<'d>(
    edit: &Edit,
    before: &'d Dialog,
    after: &'d Dialog,
) -> impl Iterator<Item = (&'d Turn, &'d Turn)> {
    let first = edit.turn();
    let behind = |dialog: &'d Dialog, is_there: bool| {
        let behind = dialog.turns.get(first + usize::from(is_there)..);
        behind.unwrap_or_default().iter()
    };
    let adds = matches!(edit, Edit::AddTurn { .. });
    behind(before, !adds).zip(behind(after, adds))
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
