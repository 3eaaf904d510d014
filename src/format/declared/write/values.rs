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
use crate::format::engine::values::{set_members, written_content};
use crate::json::{NewValue, NodeKind, Splice, Value};

impl<'a> Writer<'a, '_> {
    /// Sets the leaves of an element that were others. Refusals call it `what`, or name the leaf.
    pub fn set_changed(
        &mut self,
        trail: &Trail<'a>,
        what: Option<&'static str>,
        was: &[Leaf],
        wanted: &[Leaf],
    ) -> Result<()> {
        let is_set = |leaf: &&Leaf| was.iter().any(|was| was.is_same(leaf));
        for Leaf { called, at, value } in wanted.iter().filter(|leaf| !is_set(leaf)) {
            let what = what.unwrap_or(called);
            match at {
                At::Place(at) => self.set(trail, at, what, value)?,
                At::Joined(parts) => self.set_name(trail, parts, what, value)?,
            }
        }
        let is_gone = |was: &&Leaf| wanted.iter().all(|leaf| leaf.called != was.called);
        let mut gone = Vec::new();
        for Leaf { called, at, .. } in was.iter().filter(is_gone) {
            let own = match at {
                At::Place(at @ Place { up: 0, .. }) if self.description.strict => {
                    trail.find(at).and_then(Found::value)
                }
                _ => None,
            };
            let needs = || format!("it needs its {called}");
            let own = own.ok_or_else(|| not_editable(what.unwrap_or(called), &needs()))?;
            gone.extend(self.with_repeated(own));
        }
        self.remove(gone)
    }

    /// Sets the value at a place, or adds the member that it names.
    ///
    /// # Errors
    /// If the place does not exist and is not a member, or leads to what other elements share.
    pub fn set(
        &mut self,
        trail: &Trail<'a>,
        at: &Place,
        what: &'static str,
        value: &Val,
    ) -> Result<()> {
        let into = at.steps.iter().rposition(Step::is_several);
        let list = into.map(|list| ListAt { trail, at, list, what });
        let splice = match (value, list, trail.find(at)) {
            (Val::List(values), Some(list), _) => return list.set(self, values),
            (Val::Map(values), Some(list), _) => return list.set_map(self, values),
            (_, _, Some(Found::Value(old))) => {
                self.splices.extend(self.replaced(old, what, value)?);
                return Ok(());
            }
            (Val::Text(text), _, Some(Found::Key(key))) if at.up == 0 => {
                self.editor.set_string(key, text)
            }
            (_, _, Some(_)) => {
                let reason = format!("`{at}` is shared with other elements");
                return Err(not_editable(what, &reason));
            }
            (_, _, None) => self.added(trail, at, what, value.written())?,
        };
        self.splices.push(splice);
        Ok(())
    }

    /// Replaces a value, unless it has the same text. What is a number, true or false stays one, and digits in a string stay
    /// there.
    fn replaced(&self, old: Value<'a>, what: &'static str, value: &Val) -> Result<Option<Splice>> {
        let refuse = || Err(not_editable(what, &format!("it is {}", old.kind().name())));
        let is_number = |number| old.kind() == NodeKind::Number && old.as_integer() == Some(number);
        Ok(Some(match (value, old.kind()) {
            (Val::Number(number), _) if is_number((*number).into()) => return Ok(None),
            // A string of digits is not what the corpus has.
            (Val::Number(_), NodeKind::String) if self.description.strict => {
                self.editor.replace(old, &value.written())
            }
            (Val::Text(text), _) if old.is_text(text) => return Ok(None),
            // What else is in it would be lost, and nobody reads it.
            (Val::Text(_), NodeKind::Array | NodeKind::Object) => return refuse(),
            (Val::Text(text), NodeKind::Number | NodeKind::True | NodeKind::False) => {
                match EditValue::like(Some(&Found::Value(old).content()), text) {
                    EditValue::Text(_) => return refuse(),
                    new => self.editor.replace(old, &written_content(&new.content())),
                }
            }
            (Val::Number(number), _) => self.editor.set_integer(old, (*number).into()),
            (value, _) => self.editor.replace(old, &value.written()),
        }))
    }

    /// Adds the member that a place names, with the objects around it that are missing, too.
    pub fn added(
        &self,
        trail: &Trail<'a>,
        at: &Place,
        what: &'static str,
        new: NewValue,
    ) -> Result<Splice> {
        if at.or.iter().any(Place::is_several) {
            let reason = format!("it is not there, and `{at}` are several places");
            return Err(not_editable(what, &reason));
        }
        let at = self.nearest(trail, at);
        let missing = || not_editable(what, &format!("there is no `{at}` in the text"));
        let mut above = (0..at.steps.len()).rev();
        let parent = above.find_map(|count| Some((count, trail.find_of(at, count)?)));
        let (count, parent) = parent.ok_or_else(missing)?;
        let mut value = NewValue::Null;
        fill(&mut value, &at.steps[count + 1..], new).ok_or_else(missing)?;
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
                self.made_member(parent, name, &value, like, what)
            }
            _ => Err(missing()),
        }
    }

    /// Returns the splice that adds a member to an object, written like the one in the object `like`.
    ///
    /// # Errors
    /// If it is made already.
    pub fn made_member(
        &self,
        object: Value<'a>,
        name: &str,
        value: &NewValue,
        like: Option<Value<'a>>,
        what: &'static str,
    ) -> Result<Splice> {
        self.make_once(object, name, what)?;
        Ok(self.editor.add_member(object, name, value, like))
    }

    /// Notes that an object gets a new member.
    ///
    /// # Errors
    /// If it is made already.
    pub fn make_once(&self, container: Value<'a>, name: &str, what: &'static str) -> Result<()> {
        if !self.made.borrow_mut().insert((container.range().start, name.to_owned())) {
            return Err(not_editable(what, &"its place is made for another one"));
        }
        Ok(())
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
    ) -> Result<()> {
        let Val::Text(name) = name else { return Ok(()) };
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
                self.set(trail, at, what, &Val::Text(text))?;
            }
        }
        Ok(())
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
    format!("{name:?} is not of the form `{shown}`, as it is joined from `{places}`")
}

/// The values at a place that leads into a list or a map.
struct ListAt<'p, 'a> {
    trail: &'p Trail<'a>,
    at: &'p Place,
    /// How many of its steps lead to the list.
    list: usize,
    what: &'static str,
}

impl<'a> ListAt<'_, 'a> {
    /// Returns the list; None if it is not there.
    ///
    /// # Errors
    /// If the values are in several lists.
    fn find(&self) -> Result<Option<Value<'a>>> {
        let at = self.at;
        if at.steps[..self.list].iter().any(Step::is_several) {
            let reason = format!("each `{at}` holds one, and none can be added or removed");
            return Err(not_editable(self.what, &reason));
        }
        Ok(self.trail.find_of(at, self.list))
    }

    /// Adds the list.
    fn added(&self, writer: &Writer<'a, '_>, new: NewValue) -> Result<Splice> {
        let at = Place { steps: self.at.steps[..self.list].to_vec(), ..self.at.clone() };
        writer.added(self.trail, &at, self.what, new)
    }

    /// Changes the values to `wanted`, touching only those that differ.
    fn set(&self, writer: &mut Writer<'a, '_>, wanted: &[Content]) -> Result<()> {
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
        for (old, new) in pairs.filter(|pair| !is_same(*pair)) {
            let value = match new {
                Content::Text(text) => Val::Text(text.to_string()),
                Content::Raw(_) => Val::Value(new.clone()),
            };
            writer.splices.extend(writer.replaced(*old, self.what, &value)?);
        }
        if end == new_end {
            return Ok(());
        }
        let new: Option<Vec<_>> =
            wanted[both..new_end].iter().map(|new| self.element(new)).collect();
        let new = new.ok_or_else(|| not_editable(self.what, &"its form is not known"))?;
        let splice = match self.find()? {
            Some(list) if list.kind() == NodeKind::Array => {
                let is_nothing = |element: Value<'_>| {
                    !matches!(element.kind(), NodeKind::Array | NodeKind::Object)
                };
                if list.elements().count() == own.len() {
                    // Each of them is one of the values.
                } else if own.is_empty() && list.elements().all(is_nothing) {
                    // Nobody reads these.
                    writer.splices.push(writer.editor.replace(list, &NewValue::Array(new)));
                    return Ok(());
                } else {
                    return Err(not_editable(self.what, &"its list holds more"));
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
        writer.splices.push(splice);
        Ok(())
    }

    /// Returns a new element of the list.
    fn element(&self, value: &Content) -> Option<NewValue> {
        let mut element = NewValue::Null;
        fill(&mut element, &self.at.steps[self.list + 1..], written_content(value))?;
        Some(element)
    }

    /// Changes a map from names to values.
    fn set_map(&self, writer: &mut Writer<'a, '_>, wanted: &[(Short, Content)]) -> Result<()> {
        let value = |(name, value): &(Short, _)| Some((name.clone(), EditValue::of(value)?));
        let values: Option<Vec<_>> = wanted.iter().map(value).collect();
        let values = values.ok_or_else(|| not_editable(self.what, &"a value is an object"))?;
        let values: Vec<_> = values.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let splices = match self.find()? {
            Some(map) => set_members(writer.editor, map, &values)?,
            None => vec![self.added(writer, Val::Map(wanted.to_vec()).written())?],
        };
        writer.splices.extend(splices);
        Ok(())
    }
}
