//! Puts JSON in place of an element or a member of a dialog, as the sides of conflicts are written.
//!
//! A part is found by what is there before, also if others have been added or removed before it. Where a whole turn comes or
//! goes, the numbers of those behind it follow.

use super::edit::not_editable;
use super::numbers::{Numbers, number_keys, renumbered};
use super::shape::lacks;
use crate::dialog::{Dialog, EditError, Extent, Turn};
use crate::format::Family;
use crate::json::{
    Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree, Value, canonical,
};

/// A part of a dialog that is replaced, added or removed.
#[derive(Clone, Copy, Debug)]
pub struct Part<'p> {
    /// The position of its turn; None if the path begins at the dialog.
    pub turn: Option<usize>,
    /// A JSON pointer from the element of the turn; empty for that itself.
    pub path: &'p str,
    /// The JSON that is there; None if it is new.
    pub was: Option<&'p str>,
    /// The JSON that is there then; None to remove it.
    pub json: Option<&'p str>,
}

/// Returns a dialog with a part put into it. `is_still` is true if a dialog, given by its root before and after that, is
/// recognized as before.
///
/// # Errors
/// If what the part replaces is not there, or there is something else where it would be added; or if the dialog would not
/// be recognized as before, or would have more schema violations.
pub fn put(
    format: &'static Family,
    is_still: impl FnOnce(Value<'_>, Value<'_>) -> bool,
    text: &str,
    escapes: Escapes,
    part: &Part<'_>,
) -> Result<String, EditError> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).map_err(|error| not_editable("the dialog", &error))?;
    let (dialog, issues) = format.read(tree);
    let putting =
        Putting { editor: Editor::new(&tree, escapes), keys: number_keys(&tree, &dialog), dialog };
    let new = match part.json {
        Some(json) if Parser::new().parse_str(json).is_err() => {
            return Err(not_editable("this", &"it would not be valid JSON"));
        }
        json => json.map(|json| NewValue::Raw(json.to_owned())),
    };
    let splice = match (part.was, new) {
        (None, None) => return Ok(text.to_owned()),
        (None, Some(new)) => putting.added(part, &new),
        (Some(was), new) => putting.replaced(part, was, new.as_ref()),
    };
    let gone = "the part to change is gone, or something else is in its place";
    let splice = splice.ok_or_else(|| not_editable("this", &gone))?;
    let mut after = Patch::from(splice).apply(text);
    if part.path.is_empty() {
        after = putting.numbered(format, after);
    }
    let mut parser = Parser::new();
    let new = parser.parse_piece_str(&after).map_err(|error| not_editable("the dialog", &error))?;
    if !is_still(tree.root(), new.root()) || lacks(format, new.root()).is_some() {
        let reason = format!("it would no longer be recognized as {}", format.title());
        return Err(EditError::BreaksForm(reason));
    }
    if format.read(new).1.len() > issues.len() {
        return Err(EditError::BreaksForm("it would have more format errors".to_owned()));
    }
    Ok(after)
}

struct Putting<'a> {
    editor: Editor<'a>,
    /// The keys under which turns have their numbers.
    keys: Vec<String>,
    dialog: Dialog,
}

impl<'a> Putting<'a> {
    fn tree(&self) -> &'a Tree<'a> {
        self.editor.tree()
    }

    /// Returns the element of a turn; the dialog without one.
    fn element(&self, turn: Option<usize>) -> Option<Value<'a>> {
        match turn {
            None => Some(self.tree().root()),
            Some(turn) => self.tree().value_at(self.dialog.turns.get(turn)?.whole().start),
        }
    }

    /// Returns the splice that adds something new; None if there is something else in its place.
    fn added(&self, part: &Part<'_>, new: &NewValue) -> Option<Splice> {
        let Some((above, last)) = part.path.rsplit_once('/') else {
            // A turn, before the one that is there, or behind the last.
            let count = self.dialog.turns.len();
            let turn = part.turn?.min(count);
            let beside = self.element(Some(turn.min(count.saturating_sub(1))))?;
            let list = self.editor.parent(beside).filter(|of| of.kind() == NodeKind::Array)?;
            let mut elements = list.elements().map(Value::range);
            let at = elements.position(|range| range == beside.range()).unwrap_or_default();
            let at = at + usize::from(turn == count);
            return Some(self.editor.insert(list, at, std::slice::from_ref(new), Some(list)));
        };
        let parent = at(self.element(part.turn)?, above)?;
        let key = key_of(last);
        match parent.kind() {
            NodeKind::Object if parent.get(&key).is_none() => {
                Some(self.editor.add_member(parent, &key, new, self.editor.holder(&key, parent)))
            }
            NodeKind::Array => {
                let at = key.parse().ok()?;
                Some(self.editor.insert(parent, at, std::slice::from_ref(new), Some(parent)))
            }
            _ => None,
        }
    }

    /// Returns the splice that puts something else in place of what was there, or nothing; None if that is gone.
    fn replaced(&self, part: &Part<'_>, was: &str, new: Option<&NewValue>) -> Option<Splice> {
        let mut parser = Parser::new();
        let was = parser.parse_str(was).ok()?;
        let (is_container, was) = (was.root().is_container(), self.said(was.root()));
        let is_it = |value: &Value<'a>| self.said(*value) == was;
        let element = self.element(part.turn);
        let here = element.and_then(|element| at(element, part.path)).filter(is_it);
        let found = here.or_else(|| {
            // The only one that is so, in its turn or among the turns. Texts and numbers may be anything.
            let inside = element.filter(|_| !part.path.is_empty()).map(Value::range);
            let is_near = |value: &Value<'a>| match inside {
                Some(of) => of.start < value.range().start && value.range().end <= of.end,
                None => {
                    let mut turns = self.dialog.turns.iter();
                    turns.any(|turn| turn.whole().start == value.range().start)
                }
            };
            let mut all = self.tree().values().filter(|value| is_near(value) && is_it(value));
            let first = all.next();
            first.filter(|_| is_container && all.next().is_none())
        });
        let value = found?;
        if let Some(new) = new {
            return Some(self.editor.replace_like(value, new, Some(value)));
        }
        let parent = self.editor.parent(value)?;
        let mut children: Vec<_> = parent.elements().map(Value::range).collect();
        children.extend(parent.members().map(|(_, value)| value.range()));
        let at = children.iter().position(|range| *range == value.range())?;
        Some(self.editor.remove(parent, at..at + 1))
    }

    /// Returns a value as it is compared: without the numbers of turns.
    fn said(&self, value: Value<'_>) -> String {
        let is_number = |key: &str, value: Value<'_>| {
            let is_digits = |text: &str| text.parse::<i64>().is_ok();
            self.keys.iter().any(|known| known == key)
                && (value.as_integer().is_some()
                    || value.as_str().is_some_and(|text| is_digits(&text)))
        };
        canonical(value, &is_number)
    }

    /// Returns the text after a turn has come or gone, with the numbers of the turns behind it.
    fn numbered(&self, format: &'static Family, text: String) -> String {
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_piece_str(&text) else {
            return text;
        };
        let (old, new) = (starts(&self.dialog), starts(&format.read(tree).0));
        if self.keys.is_empty() || old.len() == new.len() {
            return text;
        }
        let numbers = |tree: &Tree<'_>, start: u32| {
            tree.value_at(start).map(|element| Numbers::of(element, &self.keys))
        };
        let raw = |tree: &Tree<'_>, start: u32| {
            let element = tree.value_at(start)?;
            Some(element.raw().to_owned())
        };
        let pairs = old.iter().zip(&new);
        let same =
            pairs.take_while(|(old, new)| raw(self.tree(), **old) == raw(&tree, **new)).count();
        let mut splices = Vec::new();
        for (place, start) in new.iter().enumerate().skip(same) {
            // The place that had its number: that of the one that was there, or counted on from the last.
            let from = old.get(place).map(|old| (*old, 0));
            let from = from.or_else(|| old.last().map(|last| (*last, place + 1 - old.len())));
            let wanted = from.and_then(|(old, on)| Some((numbers(self.tree(), old)?, on as i64)));
            let now = tree.value_at(*start).zip(numbers(&tree, *start));
            if let (Some((wanted, on)), Some((element, now))) = (wanted, now) {
                let wanted = wanted.0.into_iter().map(|(key, number)| (key, number + on));
                let text = renumbered(element, &now, &Numbers(wanted.collect()));
                splices.push(Splice::new(element.range().bytes(), text));
            }
        }
        Patch::new(splices).map_or_else(|_| text.clone(), |patch| patch.apply(&text))
    }
}

/// Returns where the elements of turns begin.
fn starts(dialog: &Dialog) -> Vec<u32> {
    let places = dialog.turns.iter().map(Turn::whole).filter(|at: &Extent| at.is_placed());
    let mut starts: Vec<u32> = places.map(|at| at.start).collect();
    starts.dedup();
    starts
}

/// Returns the value at a JSON pointer.
fn at<'a>(value: Value<'a>, pointer: &str) -> Option<Value<'a>> {
    pointer.split('/').skip(1).try_fold(value, |value, step| match value.kind() {
        NodeKind::Array => value.elements().nth(step.parse().ok()?),
        _ => value.get(&key_of(step)),
    })
}

/// Returns the key that a step of a JSON pointer is.
fn key_of(step: &str) -> String {
    step.replace("~1", "/").replace("~0", "~")
}
