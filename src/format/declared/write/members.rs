//! Removes values from the objects and lists around them, and writes named values that were read from places of their own.

use std::ops::Range;

use super::Writer;
use crate::dialog::Field;
use crate::format::declared::trail::Trail;
use crate::format::engine::compare::{Change, Changes};
use crate::json::{Editor, NewValue, NodeKind, Value};

/// A value in the object or the list around it.
struct Child<'a> {
    container: Value<'a>,
    place: usize,
    /// Its name in an object.
    key: Option<Value<'a>>,
}

impl<'a> Child<'a> {
    fn of(editor: &Editor<'a>, value: Value<'_>) -> Option<Self> {
        let container = editor.parent(value)?;
        let is_it = |other: Value<'_>| other.range() == value.range();
        if container.kind() == NodeKind::Object {
            let mut members = container.members().enumerate();
            let (place, (key, _)) = members.find(|(_, (_, other))| is_it(*other))?;
            return Some(Self { container, place, key: Some(key) });
        }
        let place = container.elements().position(is_it)?;
        Some(Self { container, place, key: None })
    }

    fn of_field(editor: &Editor<'a>, field: &Field) -> Option<Self> {
        let value = editor.tree().value_at(field.at.start).filter(|_| field.at.is_placed());
        Self::of(editor, value?)
    }
}

impl<'a> Writer<'a, '_> {
    /// Returns a value with those of the members before it that have its name: once it is gone, one of these would count.
    pub fn with_repeated(&self, value: Value<'a>) -> Vec<Value<'a>> {
        match Child::of(self.editor, value) {
            Some(Child { container, key: Some(key), .. }) => {
                let same = container.members().filter(|(own, _)| own.as_str() == key.as_str());
                same.map(|(_, value)| value).collect()
            }
            _ => vec![value],
        }
    }

    /// Removes values, each with one comma. Neighbours share one.
    pub fn remove(&mut self, mut gone: Vec<Value<'a>>) {
        gone.sort_by_key(|value| value.range().start);
        let mut removed: Vec<(Value<'a>, Range<usize>)> = Vec::new();
        for value in gone {
            let Some(Child { container, place, .. }) = Child::of(self.editor, value) else {
                continue;
            };
            match removed.last_mut() {
                Some((own, last)) if own.range() == container.range() && last.end == place => {
                    last.end += 1;
                }
                _ => removed.push((container, place..place + 1)),
            }
        }
        let removed = removed.into_iter();
        self.splices.extend(removed.map(|(own, range)| self.editor.remove(own, range)));
    }

    /// Like [`Self::remove`]; a list of which nothing is left goes, too, unless the dialog has an empty one elsewhere.
    pub fn remove_or_drop(&mut self, gone: Vec<Value<'a>>) {
        let list = gone.first().and_then(|first| self.editor.parent(*first));
        let list = list.filter(|list| {
            let is_in = |value: &Value<'a>| {
                self.editor.parent(*value).is_some_and(|own| own.range() == list.range())
            };
            list.kind() == NodeKind::Array
                && gone.iter().all(is_in)
                && list.elements().count() == gone.len()
        });
        let list = list.filter(|list| {
            let key = Child::of(self.editor, *list).and_then(|child| child.key);
            let key = key.and_then(Value::as_str).unwrap_or_default();
            let is_empty =
                |own: Value<'_>| own.kind() == NodeKind::Array && own.elements().next().is_none();
            let has_empty = |trail: &Trail<'_>| trail.here().value.get(&key).is_some_and(is_empty);
            !key.is_empty() && !self.elements.iter().any(has_empty)
        });
        self.remove(list.map_or(gone, |list| vec![list]));
    }

    /// Writes named values. New ones become members of `holder`, or of the object with the others.
    pub fn fields(&mut self, Change { old, new }: Change<'_, [Field]>, holder: Option<Value<'a>>) {
        let changes = Changes::of(old, new, |field| field.at);
        for change in changes.stay.iter().filter(|Change { old, new }| old != new) {
            self.field(*change);
        }
        let beside = || Some(Child::of_field(self.editor, old.first()?)?.container);
        let holder = holder.or_else(beside).filter(|holder| holder.kind() == NodeKind::Object);
        let gone = changes.gone.iter();
        self.remove(gone.filter_map(|old| self.editor.tree().value_at(old.at.start)).collect());
        for (_, new) in changes.new {
            let value = NewValue::from(&new.content);
            let add = |holder| self.add_member(holder, &new.name, &value, None);
            let added = holder.and_then(add);
            self.splices.extend(added);
        }
    }

    fn field(&mut self, Change { old, new }: Change<'_, Field>) {
        let Some(value) = self.editor.tree().value_at(old.at.start) else { return };
        if old.content != new.content {
            self.splices.push(self.editor.replace(value, &NewValue::from(&new.content)));
        }
        if old.name != new.name {
            let key = Child::of(self.editor, value).and_then(|child| child.key);
            let name = key.and_then(|key| renamed(&key.as_str()?, old, new));
            let both = key.zip(name);
            self.splices.extend(both.map(|(key, name)| self.editor.set_string(key, name)));
        }
    }
}

/// Returns the new name of a member. Values of several results have numbers behind their names in the model only.
fn renamed<'n>(key: &str, old: &Field, new: &'n Field) -> Option<&'n str> {
    let number = old.name.strip_prefix(key)?;
    new.name.strip_suffix(number)
}
