//! The numbers that the elements of turns have, which follow from their places.

use std::borrow::Cow;

use crate::dialog::{Dialog, Short};
use crate::json::{Editor, Escapes, Patch, Splice, Tree, Value};

/// The numbers of a turn: members of its element, by their keys. Those of its calls are the same.
#[derive(Clone, Default)]
pub struct Numbers(pub Vec<(String, i64)>);

impl Numbers {
    pub fn of(element: Value<'_>, keys: &[String]) -> Self {
        let number = |key: &String| Some((key.clone(), integer(element.get(key)?)?));
        Self(keys.iter().filter_map(number).collect())
    }

    pub fn is_number(&self, key: &str, value: Value<'_>) -> bool {
        let same =
            |(other, number): &(String, i64)| key == other && integer(value) == Some(*number);
        self.0.iter().any(same)
    }

    pub fn get(&self, key: &str) -> Option<i64> {
        let found = self.0.iter().find(|(other, _)| other == key);
        found.map(|(_, number)| *number)
    }
}

/// Returns the integer that a value is, or that its text is.
fn integer(value: Value<'_>) -> Option<i64> {
    match value.as_str() {
        Some(text) => text.parse().ok(),
        None => value.as_integer(),
    }
}

/// Returns an element as it is written, with other numbers.
pub fn renumbered(element: Value<'_>, was: &Numbers, is: &Numbers) -> String {
    let range = element.range().bytes();
    let editor = Editor::new(element.tree(), Escapes::default());
    let mut splices = Vec::new();
    for object in element.tree().objects() {
        let at = object.range().bytes();
        if at.start < range.start || range.end < at.end {
            continue;
        }
        for (key, value) in object.members() {
            let key = key.as_str().unwrap_or_default();
            if was.is_number(&key, value)
                && let Some(number) = is.get(&key).filter(|is| was.get(&key) != Some(*is))
            {
                let Splice { range: at, text, .. } = editor.set_integer(value, number);
                splices.push(Splice::new(at.start - range.start..at.end - range.start, text));
            }
        }
    }
    let patch = Patch::new(splices).unwrap_or_default();
    patch.apply(element.raw())
}

/// Returns the keys under which the elements of all turns have their numbers.
pub fn number_keys(tree: &Tree<'_>, dialog: &Dialog) -> Vec<String> {
    let counting = dialog.counting_fields();
    let mut keys: Vec<String> = counting.iter().map(Short::to_string).collect();
    let numbered = dialog.turns.iter().filter_map(|turn| {
        let index = turn.index.map(i64::from)?;
        Some((tree.value_at(turn.at.start)?, index))
    });
    let numbered: Vec<_> = numbered.collect();
    if let Some((first, _)) = numbered.first() {
        let has = |key: &str, (element, index): &(Value<'_>, i64)| {
            element.get(key).and_then(integer) == Some(*index)
        };
        let own = first.members().filter_map(|(key, _)| key.as_str());
        let own = own.filter(|key| numbered.iter().all(|one| has(key, one)));
        keys.extend(own.map(Cow::into_owned));
    }
    keys
}
