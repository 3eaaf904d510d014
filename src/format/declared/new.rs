//! Makes new elements: as the template of a rule says, or with the members that its places name.

use std::collections::BTreeMap;

use super::forms::{Parts, Template};
use super::place::{Place, Step, Target};
use super::trail::{Trail, each};
use super::write::names::{Part, split};
use super::writer::Writer;
use crate::dialog::EditError;
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Splice, Value};

/// The parts of a new element.
pub struct NewParts<'r> {
    template: Option<&'r Template>,
    parts: Vec<(String, &'r Place, NewValue)>,
    /// The parts to add to an element whose template has no place for them.
    required: Vec<String>,
    /// True if the places show the form of the element, even without a template or another one at its place.
    pub has_form: bool,
    /// The first byte of the element of a list that it goes before; it goes behind the others if none begins there.
    pub next: Option<u32>,
}

impl<'r> NewParts<'r> {
    pub fn new(template: Option<&'r Template>) -> Self {
        Self { template, parts: Vec::new(), required: Vec::new(), has_form: false, next: None }
    }

    /// Gives the element a part that its neighbours have, even if the template does not have it.
    pub fn require(&mut self, name: &str) {
        self.required.push(name.to_owned());
    }

    /// Adds the part that a template calls `$name`, and whose place in the element is `place`.
    pub fn add(&mut self, name: &str, place: &'r Place, value: NewValue) {
        self.parts.push((name.to_owned(), place, value));
    }

    /// Returns the element.
    fn element(&self) -> Result<NewValue, String> {
        if let Some(template) = self.template {
            let mut element = self.filled(template);
            if let NewValue::Object(members) = &mut element {
                let required = self.required.iter();
                members.extend(required.filter_map(|name| self.required_member(name, template)));
            }
            return Ok(element);
        }
        let mut tree = Tree::default();
        for (_, place, value) in &self.parts {
            if place.up == 0 && place.target == Target::Value {
                tree.set(&place.steps, value.clone())?;
            }
        }
        tree.value()
    }

    /// Returns the member that holds a required part, unless the template has it.
    fn required_member(&self, required: &str, template: &Template) -> Option<(String, NewValue)> {
        let mut parts = self.parts.iter();
        let (_, place, value) = parts.find(|(name, ..)| name == required)?;
        let [Step::Member(key)] = place.steps.as_slice() else {
            return None;
        };
        let Template::Object(members) = template else {
            return None;
        };
        let is_new = place.up == 0 && members.iter().all(|(own, _)| own != key);
        is_new.then(|| (key.clone(), value.clone()))
    }

    fn filled(&self, template: &Template) -> NewValue {
        match template {
            Template::Text(text) => match text.strip_prefix('$') {
                Some(name) => {
                    let part = self.parts.iter().find(|(own, ..)| own == name);
                    part.map_or(NewValue::String(String::new()), |(.., value)| value.clone())
                }
                None => NewValue::String(text.clone()),
            },
            Template::Raw(raw) => NewValue::Raw(raw.clone()),
            Template::Array(all) => NewValue::Array(all.iter().map(|v| self.filled(v)).collect()),
            Template::Object(members) => {
                let members = members.iter();
                let members = members.map(|(key, v)| (key.clone(), self.filled(v)));
                NewValue::Object(members.collect())
            }
        }
    }
}

/// A value that is put together from its parts.
#[derive(Default)]
enum Tree {
    #[default]
    Nothing,
    Leaf(NewValue),
    Object(Vec<(String, Tree)>),
    Array(BTreeMap<usize, Tree>),
}

impl Tree {
    fn set(&mut self, steps: &[Step], new: NewValue) -> Result<(), String> {
        let Some((step, rest)) = steps.split_first() else {
            *self = Self::Leaf(new);
            return Ok(());
        };
        match (step, &mut *self) {
            (Step::Member(name), Self::Nothing) => {
                *self = Self::Object(vec![(name.clone(), Self::Nothing)]);
                self.set(steps, new)
            }
            (Step::Member(name), Self::Object(members)) => {
                let known = members.iter().position(|(own, _)| own == name);
                let at = known.unwrap_or_else(|| {
                    members.push((name.clone(), Self::Nothing));
                    members.len() - 1
                });
                members[at].1.set(rest, new)
            }
            (Step::Position(_), Self::Nothing) => {
                *self = Self::Array(BTreeMap::new());
                self.set(steps, new)
            }
            (Step::Position(at), Self::Array(elements)) => {
                elements.entry(*at).or_default().set(rest, new)
            }
            // A list of its own.
            (Step::Elements, Self::Nothing) if rest.is_empty() => {
                let list = matches!(new, NewValue::Array(_));
                *self = Self::Leaf(if list { new } else { NewValue::Array(vec![new]) });
                Ok(())
            }
            _ => Err("its form is not known without a `new` template".to_owned()),
        }
    }

    fn value(self) -> Result<NewValue, String> {
        Ok(match self {
            Self::Nothing => return Err("it has no parts of its own".to_owned()),
            Self::Leaf(value) => value,
            Self::Object(members) => {
                let member = |(name, tree): (String, Self)| Ok((name, tree.value()?));
                NewValue::Object(members.into_iter().map(member).collect::<Result<_, String>>()?)
            }
            Self::Array(elements) => {
                if elements.keys().copied().ne(0..elements.len()) {
                    return Err("its form is not known without a `new` template".to_owned());
                }
                let values = elements.into_values().map(Self::value);
                NewValue::Array(values.collect::<Result<_, String>>()?)
            }
        })
    }
}

impl<'a> Writer<'a, '_> {
    /// Adds an element at `at`, relative to the turn, whose joined name is `named`: its parts, what a
    /// template calls them, and the name. The element goes after those in the last container that the
    /// name fits.
    ///
    /// # Errors
    /// If there is no such container, or the form of the element is not known.
    pub fn add_element(
        &self,
        trail: &Trail<'a>,
        at: &Place,
        when: Option<&Place>,
        named: Option<(&Parts, &str, &str)>,
        parts: &NewParts<'_>,
        what: &'static str,
    ) -> Result<Vec<Splice>, EditError> {
        let refuse = |reason: &str| not_editable(what, &reason);
        let Some((last, list)) = at.steps.split_last().filter(|(last, _)| last.is_several()) else {
            return Err(refuse("its place is not a list"));
        };
        let neighbour = self.neighbour(at, when);
        if neighbour.is_none() && parts.template.is_none() && !parts.has_form {
            return Err(refuse(
                "the dialog has no other to show its form, and the format has no `new` template for it",
            ));
        }
        let like = neighbour.as_ref().and_then(|n| Some(n.parent()?.value));
        let mut containers = Vec::new();
        trail.clone().each_of(at, list.len(), &mut |trail| containers.push(trail.clone()));
        let mut unfit = None;
        for container in containers.iter().rev() {
            let inside = container.to_new_element();
            let Some(mut own) = own_parts(&inside, last, named) else {
                unfit = Some(());
                continue;
            };
            if let Step::Naming(naming) = last {
                let id = trail.turn_id(naming).ok_or_else(|| {
                    refuse("the turn has no id, by which elements of the list name it")
                })?;
                own.turn = Some((naming.named.clone(), NewValue::Raw(id.raw().to_owned())));
            }
            let (key, element) = made(own, parts, last).map_err(|reason| refuse(&reason))?;
            let list = container.here().value;
            let is_next = |own: Value<'_>| Some(own.range().start) == parts.next;
            let index = list.elements().position(is_next).unwrap_or(usize::MAX);
            return self.insert(list, (index, key), element, like, what);
        }
        self.add_container(trail, at, named, parts, neighbour.as_ref(), what).unwrap_or_else(|| {
            let name = named.map_or("", |(.., name)| name);
            Err(match unfit {
                Some(()) => refuse(&format!("no part of the turn is for {name:?}")),
                None => refuse("this turn has no list to add it to"),
            })
        })
    }

    fn insert(
        &self,
        container: Value<'a>,
        (index, key): (usize, Option<String>),
        element: NewValue,
        like: Option<Value<'a>>,
        what: &'static str,
    ) -> Result<Vec<Splice>, EditError> {
        let splice = match (container.kind(), key) {
            (NodeKind::Array, None) => self.editor.insert(container, index, &[element], like),
            (NodeKind::Object, Some(key)) => {
                self.editor.add_member(container, &key, &element, None)
            }
            (NodeKind::Null, None) => {
                self.editor.replace_like(container, &NewValue::Array(vec![element]), like)
            }
            (other, _) => {
                let reason = format!("the list for it is {}", other.name());
                return Err(not_editable(what, &reason));
            }
        };
        Ok(vec![splice])
    }

    /// Adds an element together with the list that holds it; None if the list has no place.
    fn add_container(
        &self,
        trail: &Trail<'a>,
        at: &Place,
        named: Option<(&Parts, &str, &str)>,
        parts: &NewParts<'_>,
        neighbour: Option<&Trail<'a>>,
        what: &'static str,
    ) -> Option<Result<Vec<Splice>, EditError>> {
        let [before @ .., list, Step::Elements] = at.steps.as_slice() else {
            return None;
        };
        let mut holders = Vec::new();
        trail.clone().each_of(at, before.len(), &mut |trail| holders.push(trail.clone()));
        let refuse = |reason: String| not_editable(what, &reason);
        for holder in holders.iter().rev() {
            let object = holder.here().value;
            if object.kind() != NodeKind::Object {
                continue;
            }
            let (key, own) = match (list, named) {
                (Step::Member(key), named) => {
                    let inside = holder.to_new_element();
                    let Some(own) = own_parts(&inside.to_new_element(), &Step::Elements, named)
                    else {
                        continue;
                    };
                    (key.clone(), own)
                }
                // The name is that of the list.
                (Step::Members, Some((parts, _, name))) if parts.0.iter().all(is_list_key) => {
                    (name.to_owned(), Own::default())
                }
                _ => continue,
            };
            let element = match made(own, parts, &Step::Elements) {
                Ok((_, element)) => element,
                Err(reason) => return Some(Err(refuse(reason))),
            };
            let like = match list {
                Step::Member(key) => self.editor.holder(key, object),
                _ => None,
            };
            let array = NewValue::Array(vec![element]);
            let splice = match (like, neighbour.and_then(Trail::parent)) {
                (None, Some(_)) | (_, None) => self.editor.add_member(object, &key, &array, None),
                (like, Some(_)) => self.editor.add_member(object, &key, &array, like),
            };
            return Some(Ok(vec![splice]));
        }
        None
    }

    /// Returns an element of the same rule, anywhere in the dialog.
    pub fn neighbour(&self, at: &Place, when: Option<&Place>) -> Option<Trail<'a>> {
        let mut found = None;
        for mut trail in self.elements() {
            each(&mut trail, at, when, &mut |trail| {
                found.get_or_insert_with(|| trail.clone());
            });
            if found.is_some() {
                break;
            }
        }
        found
    }
}

/// True for the name of the list that holds an element, if that is a member of an object.
fn is_list_key(place: &Place) -> bool {
    place.target == Target::Key && place.steps.is_empty() && place.up <= 1
}

/// The parts of a name that a new element has itself.
#[derive(Default)]
struct Own {
    /// The key of the element.
    key: Option<String>,
    /// Other parts: their places, what a template calls them, and their texts.
    parts: Vec<(Place, String, String)>,
    /// Parts that the element does not have, for templates.
    fixed: Vec<(String, String)>,
    /// The place of the id of the turn in an element of a list beside the turns, and the id.
    turn: Option<(Place, NewValue)>,
}

/// Splits the name of a new element at the end of the trail `inside`; None if it does not fit there.
fn own_parts(inside: &Trail<'_>, last: &Step, named: Option<(&Parts, &str, &str)>) -> Option<Own> {
    let Some((parts, called, name)) = named else {
        return Some(Own::default());
    };
    let is_own_key = |place: &Place| {
        place.target == Target::Key
            && place.up == 0
            && place.steps.is_empty()
            && *last == Step::Members
    };
    let kinds: Vec<Part> = parts
        .0
        .iter()
        .map(|place| {
            if is_own_key(place) || place.up == 0 && place.target == Target::Value {
                Part::Own(None)
            } else {
                Part::Fixed(inside.text(place).to_string())
            }
        })
        .collect();
    let texts = split(name, &kinds)?;
    let mut own = Own::default();
    for (number, (place, text)) in parts.0.iter().zip(texts).enumerate() {
        let called = match parts.0.len() {
            1 => called.to_owned(),
            _ => format!("{called}.{number}"),
        };
        if is_own_key(place) {
            own.key = Some(text);
        } else if kinds[number] == Part::Own(None) {
            own.parts.push((place.clone(), called, text));
        } else {
            own.fixed.push((called, text));
        }
    }
    Some(own)
}

/// Returns the key and the value of a new element.
fn made(own: Own, parts: &NewParts<'_>, last: &Step) -> Result<(Option<String>, NewValue), String> {
    let mut all = NewParts::new(parts.template);
    all.required.clone_from(&parts.required);
    if let Some((place, id)) = &own.turn {
        all.add("turn", place, id.clone());
        all.require("turn");
    }
    // In the order in which rules name them: the name first.
    for (place, called, text) in &own.parts {
        all.add(called, place, NewValue::String(text.clone()));
    }
    for (called, place, value) in &parts.parts {
        all.add(called, place, value.clone());
    }
    // Not in the element.
    let nowhere = Place { up: 1, ..Place::here() };
    for (called, text) in &own.fixed {
        all.add(called, &nowhere, NewValue::String(text.clone()));
    }
    if *last == Step::Members && own.key.is_none() {
        return Err("its name has no place".to_owned());
    }
    Ok((own.key, all.element()?))
}
