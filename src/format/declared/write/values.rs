//! Sets the values at places: single ones, lists, maps, and names that are joined from several.

use super::form::fill;
use super::leaves::{At, Leaf, Val};
use super::names::{Part, split};
use super::{Result, Writer};
use crate::dialog::{Content, EditValue, Short};
use crate::format::declared::forms::Parts;
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::{Found, Trail};
use crate::format::engine::edit::not_editable;
use crate::format::engine::values::set_members;
use crate::json::{NewValue, NodeKind, Splice, Value};

impl<'a> Writer<'a, '_> {
    /// Sets the leaves of an element that were others; none of them if one has no place. Refusals call it `what`, or name
    /// the leaf.
    pub fn set_changed(
        &mut self,
        trail: &Trail<'a>,
        what: Option<&'static str>,
        was: &[Leaf],
        wanted: &[Leaf],
    ) -> Result<()> {
        let is_set = |leaf: &&Leaf| was.iter().any(|was| was.is_same(leaf));
        let (first, mut have_places) = (self.splices.len(), true);
        for Leaf { called, at, value } in wanted.iter().filter(|leaf| !is_set(leaf)) {
            let what = what.unwrap_or(called);
            have_places &= match at {
                At::Place(at) => self.set(trail, at, what, value)?,
                At::Joined(parts) => self.set_name(trail, parts, what, value)?,
            };
        }
        let is_gone = |was: &&Leaf| wanted.iter().all(|leaf| leaf.called != was.called);
        let mut gone = Vec::new();
        for Leaf { at, .. } in was.iter().filter(is_gone) {
            let own = match at {
                At::Place(at @ Place { up: 0, .. }) if self.description.strict => {
                    trail.find(at).and_then(Found::value)
                }
                _ => None,
            };
            have_places &= own.is_some();
            gone.extend(own.into_iter().flat_map(|own| self.with_repeated(own)));
        }
        if have_places {
            self.remove(gone);
        } else {
            self.splices.truncate(first);
        }
        Ok(())
    }

    /// Sets the value at a place, or adds the member that it names; false if it has no place.
    ///
    /// # Errors
    /// If the place leads to what other elements share.
    pub fn set(
        &mut self,
        trail: &Trail<'a>,
        at: &Place,
        what: &'static str,
        value: &Val,
    ) -> Result<bool> {
        let into = at.steps.iter().rposition(Step::is_several);
        let list = into.map(|list| ListAt { trail, at, list });
        let splices = match (value, list, trail.find(at)) {
            (Val::List(values), Some(list), _) => list.set(self, values),
            (Val::Map(values), Some(list), _) => list.set_map(self, values),
            (_, _, Some(Found::Value(old))) => self.replaced(old, value),
            (Val::Text(text), _, Some(Found::Key(key))) if at.up == 0 => {
                Some(vec![self.editor.set_string(key, text)])
            }
            (_, _, Some(_)) => {
                let reason = format!("`{at}` is shared with other elements");
                return Err(not_editable(what, &reason));
            }
            (_, _, None) => self.added(trail, at, value.written()).map(|added| vec![added]),
        };
        let has_place = splices.is_some();
        self.splices.extend(splices.unwrap_or_default());
        Ok(has_place)
    }

    /// Replaces a value, unless it has the same text; None if it cannot be that. What is a number, true or false stays one,
    /// and digits in a string stay there.
    pub fn replaced(&self, old: Value<'a>, value: &Val) -> Option<Vec<Splice>> {
        let is_number = |number| old.kind() == NodeKind::Number && old.as_integer() == Some(number);
        let splice = match (value, old.kind()) {
            (Val::Number(number), _) if is_number((*number).into()) => return Some(Vec::new()),
            (Val::Text(text), _) if old.is_text(text) => return Some(Vec::new()),
            (Val::Digits(number), NodeKind::Number) => {
                return self.replaced(old, &Val::Number(*number));
            }
            (Val::Digits(number), _) => {
                return self.replaced(old, &Val::Text(number.to_string()));
            }
            // What else is in it would be lost, and nobody reads it.
            (Val::Text(_), NodeKind::Array | NodeKind::Object) => return None,
            // It is of another type than the corpus has.
            (Val::Number(_), NodeKind::String) | (Val::Text(_), _) if self.description.strict => {
                self.editor.replace(old, &value.written())
            }
            (Val::Text(text), NodeKind::Number | NodeKind::True | NodeKind::False) => {
                match EditValue::like(Some(&Found::Value(old).content()), text) {
                    EditValue::Text(_) => return None,
                    new => self.editor.replace(old, &NewValue::from(&new.content())),
                }
            }
            (Val::Number(number), _) => self.editor.set_integer(old, (*number).into()),
            (value, _) => self.editor.replace(old, &value.written()),
        };
        Some(vec![splice])
    }

    /// Adds the member that a place names, with the objects around it that are missing, too.
    pub fn added(&self, trail: &Trail<'a>, at: &Place, new: NewValue) -> Option<Splice> {
        if at.or.iter().any(Place::is_several) {
            return None;
        }
        let at = self.nearest(trail, at);
        let mut above = (0..at.steps.len()).rev();
        let parent = above.find_map(|count| Some((count, trail.find_of(at, count)?)));
        let (count, parent) = parent?;
        let mut value = NewValue::Null;
        fill(&mut value, &at.steps[count + 1..], new)?;
        match &at.steps[count] {
            Step::Member(name) if parent.kind() == NodeKind::Object => {
                // One without most of its members, elsewhere, is of another kind.
                let list = |own: Value<'_>| self.editor.parent(own).map(Value::range);
                let is_alike = |like: &Value<'a>| {
                    let has = |key: Value<'a>| key.as_str().is_some_and(|k| like.get(&k).is_some());
                    let shared = parent.members().filter(|(key, _)| has(*key)).count();
                    2 * shared > parent.members().count() || list(*like) == list(parent)
                };
                let like = self.editor.holder(name, parent).filter(is_alike);
                self.add_member(parent, name, &value, like)
            }
            _ => None,
        }
    }

    /// Returns the splice that adds a member to an object, written like the one in the object `like`; None if it is made
    /// already: of two with one name, some readers see one.
    pub fn add_member(
        &self,
        object: Value<'a>,
        name: &str,
        value: &NewValue,
        like: Option<Value<'a>>,
    ) -> Option<Splice> {
        let is_new = self.made.borrow_mut().insert((object.range().start, name.to_owned()));
        is_new.then(|| self.editor.add_member(object, name, value, like))
    }

    /// Returns that of several places for a new member whose object is there and whose name the nearest other object uses;
    /// the first one if there is no other.
    fn nearest<'p>(&self, trail: &Trail<'a>, at: &'p Place) -> &'p Place {
        let distance = |place: &&Place| {
            let count = place.steps.len().checked_sub(1)?;
            let parent =
                trail.find_of(place, count).filter(|own| own.kind() == NodeKind::Object)?;
            let other = self.editor.holder(place.last_name(), parent);
            let start = |own: Value<'_>| own.range().start;
            Some(other.map_or(u32::MAX, |other| start(other).abs_diff(start(parent))))
        };
        let places = at.all().filter(|place| distance(place).is_some());
        places.min_by_key(distance).unwrap_or(at)
    }

    /// Sets a name that is joined from `parts`, each where it is.
    fn set_name(
        &mut self,
        trail: &Trail<'a>,
        parts: &Parts,
        what: &'static str,
        name: &Val,
    ) -> Result<bool> {
        let Val::Text(name) = name else { return Ok(false) };
        let mut have_places = true;
        let there = parts.0.iter().filter(|at| trail.find(at).is_some());
        let known = there.clone().map(|at| {
            let text = trail.text(at).to_string();
            let is_own = at.up == 0 && at.target != Target::Index;
            if is_own { Part::Own(Some(text)) } else { Part::Fixed(text) }
        });
        let known: Vec<_> = known.collect();
        let texts = split(name, &known);
        let texts = texts.ok_or_else(|| not_editable(what, &unfit(name, parts, &known)))?;
        for ((at, part), text) in there.zip(&known).zip(texts) {
            if matches!(part, Part::Own(old) if old.as_ref() != Some(&text)) {
                have_places &= self.set(trail, at, what, &Val::Text(text))?;
            }
        }
        Ok(have_places)
    }
}

/// Why a name does not fit the parts that it is joined from.
fn unfit(name: &str, parts: &Parts, known: &[Part]) -> String {
    let shown = known.iter().map(|part| match part {
        Part::Fixed(text) => text.as_str(),
        Part::Own(_) => "…",
    });
    let shown = shown.collect::<Vec<_>>().join(".");
    let places: Vec<_> = parts.0.iter().map(ToString::to_string).collect();
    let places = places.join("`, `");
    format!("{name:?} does not have the form `{shown}`, which is joined from `{places}`")
}

/// The values at a place that leads into a list or a map.
struct ListAt<'p, 'a> {
    trail: &'p Trail<'a>,
    at: &'p Place,
    /// How many of its steps lead to the list.
    list: usize,
}

impl<'a> ListAt<'_, 'a> {
    /// Returns the list, if it is there and the only one.
    fn find(&self) -> Option<Value<'a>> {
        let is_one = !self.at.steps[..self.list].iter().any(Step::is_several);
        self.trail.find_of(self.at, self.list).filter(|_| is_one)
    }

    /// Adds the list; None if it would be one of several.
    fn added(&self, writer: &Writer<'a, '_>, new: NewValue) -> Option<Splice> {
        if self.at.steps[..self.list].iter().any(Step::is_several) {
            return None;
        }
        let at = Place { steps: self.at.steps[..self.list].to_vec(), ..self.at.clone() };
        writer.added(self.trail, &at, new)
    }

    /// Changes the values to `wanted`, touching only those that differ; None if they do not fit in.
    fn set(&self, writer: &Writer<'a, '_>, wanted: &[Content]) -> Option<Vec<Splice>> {
        let mut own = Vec::new();
        let steps = self.at.steps.len();
        self.trail.clone().each_of(self.at, steps, &mut |trail| own.push(trail.here().value));
        let is_same = |(old, new): (&Value<'a>, &Content)| Found::Value(*old).content() == *new;
        let head = own.iter().zip(wanted).take_while(|pair| is_same(*pair)).count();
        let most = own.len().min(wanted.len()) - head;
        let ends = own.iter().rev().zip(wanted.iter().rev()).take(most);
        let tail = ends.take_while(|pair| is_same(*pair)).count();
        let (end, new_end) = (own.len() - tail, wanted.len() - tail);
        let both = end.min(new_end);
        let pairs = own[head..both].iter().zip(&wanted[head..both]);
        let replaced = pairs.filter(|pair| !is_same(*pair)).map(|(old, new)| {
            let value = match new {
                Content::Text(text) => Val::Text(text.to_string()),
                Content::Raw(_) => Val::Value(new.clone()),
            };
            writer.replaced(*old, &value)
        });
        let mut splices = replaced.collect::<Option<Vec<_>>>()?.concat();
        if end == new_end {
            return Some(splices);
        }
        let new: Vec<_> =
            wanted[both..new_end].iter().map(|new| self.element(new)).collect::<Option<_>>()?;
        let splice = match self.find() {
            Some(list) if list.kind() == NodeKind::Array => {
                let is_nothing = |element: Value<'_>| !element.is_container();
                if list.elements().count() == own.len() {
                    // Each of them is one of the values.
                } else if own.is_empty() && list.elements().all(is_nothing) {
                    // Nobody reads these.
                    return Some(vec![writer.editor.replace(list, &NewValue::Array(new))]);
                } else {
                    return None;
                }
                if new.is_empty() {
                    writer.editor.remove(list, both..end)
                } else {
                    let like = writer.editor.namesake(self.at.last_name(), list);
                    writer.editor.insert(list, both, &new, like)
                }
            }
            // A single value, where others have lists.
            Some(old) => writer.editor.replace(old, &NewValue::Array(new)),
            None => self.added(writer, NewValue::Array(new))?,
        };
        splices.push(splice);
        Some(splices)
    }

    /// Returns a new element of the list.
    fn element(&self, value: &Content) -> Option<NewValue> {
        let mut element = NewValue::Null;
        fill(&mut element, &self.at.steps[self.list + 1..], NewValue::from(value))?;
        Some(element)
    }

    /// Changes a map from names to values; None if one of these is an object, or something else is in its place.
    fn set_map(&self, writer: &Writer<'a, '_>, wanted: &[(Short, Content)]) -> Option<Vec<Splice>> {
        let value = |(name, value): &(Short, _)| Some((name.clone(), EditValue::of(value)?));
        let values: Vec<_> = wanted.iter().map(value).collect::<Option<_>>()?;
        let values: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value)).collect();
        match self.find() {
            Some(map) => set_members(writer.editor, map, &values),
            None => Some(vec![self.added(writer, Val::Map(wanted.to_vec()).written())?]),
        }
    }
}
