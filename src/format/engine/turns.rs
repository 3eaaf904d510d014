//! New turns, and the numbers of turns that follow them.

use crate::dialog::{Content, Dialog, Edit, EditKind, Field};
use crate::json::{NewValue, NodeKind, Value};

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
