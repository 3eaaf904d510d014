//! Walks over a dialog along its shape: reports values of the wrong type, and keeps the fields that the
//! description does not know.

use std::fmt::Write as _;

use super::read::Element;
use super::read_asides::BEFORE_BRANCH;
use super::shape::{Leaf, ListForm, Owner, Shape};
use super::trail::text_of;
use crate::dialog::{Content, Dialog, Extent, Field};
use crate::format::engine::read::{Reader, extent};
use crate::json::{NodeKind, Value};

impl Shape {
    /// Reports values of the wrong type in the dialog `root`, and adds its unknown fields to `dialog`.
    /// `elements` may hold turns; they are in the order of the text. Objects that start at the bytes `kept`, in that
    /// order, too, are fields already.
    pub fn walk(
        &'static self,
        root: Value<'_>,
        dialog: &mut Dialog,
        (elements, kept): (&[Element], &[u32]),
        reader: &mut Reader,
    ) {
        let mut walk =
            Walk { dialog, reader, elements, kept, turn: None, path: String::new(), into: None };
        walk.value(self, root, false);
    }
}

/// A walk over one dialog.
struct Walk<'w> {
    dialog: &'w mut Dialog,
    reader: &'w mut Reader,
    elements: &'w [Element],
    kept: &'w [u32],
    turn: Option<usize>,
    /// The way from the element that keeps unknown fields.
    path: String,
    /// The segment or call that keeps unknown fields, by its place.
    into: Option<(Owner, u32)>,
}

impl Walk<'_> {
    /// Walks over a value, which `is_item` says to be an element of a list.
    fn value(&mut self, shape: &'static Shape, value: Value<'_>, is_item: bool) {
        let is_kept = || self.kept.binary_search(&value.range().start).is_ok();
        if !self.kept.is_empty() && !value.is_lines() && is_kept() {
            return;
        }
        // A member may be a name in some turns and a list in others.
        let is_inner = match value.kind() {
            NodeKind::Object => shape.is_object(),
            NodeKind::Array => shape.is_array(),
            _ => false,
        };
        let is_joined = shape.list == ListForm::Joined && value.kind() == NodeKind::Array;
        let leaf = shape.leaf.as_ref().filter(|_| !is_joined);
        if let Some(leaf) = leaf.filter(|leaf| leaf.fits(value) || !is_inner) {
            if !leaf.fits(value) && shape.is_loose {
                self.unknown(value);
            } else if !leaf.fits(value) {
                match leaf {
                    // It says that a number is too large.
                    Leaf::Index => drop(self.reader.index(Some(value), &shape.name)),
                    _ => self.report((value, is_item), shape, leaf.expected()),
                }
            }
            let is_field = match leaf {
                Leaf::OneOf(_) | Leaf::IfRead => true,
                Leaf::DialogId => leaf.fits(value) && !self.is_own_id(value),
                _ => false,
            };
            if is_field {
                self.unknown(value);
            } else if *leaf == Leaf::Known {
                self.field(value, true);
            }
            return;
        }
        if !shape.is_object() && !shape.is_array() {
            // An element of which nothing is known, such as one whose name is all there is.
            return;
        }
        let saved = (self.path.len(), self.into, self.turn);
        let whole = self.enter(shape, value);
        match value.kind() {
            NodeKind::Object if shape.is_object() => self.members(shape, value),
            NodeKind::Array if shape.is_array() => self.elements(shape, value),
            NodeKind::Null if shape.may_be_null() => {}
            _ if shape.is_loose => self.unknown(value),
            _ => {
                let expected = match (shape.is_object(), shape.is_array()) {
                    (true, true) => "an object or an array",
                    (true, false) => "an object",
                    _ => "an array",
                };
                self.report((value, is_item), shape, expected);
                self.unknown(value);
            }
        }
        match whole {
            Some(path) => self.path = path,
            None => self.path.truncate(saved.0),
        }
        (self.into, self.turn) = (saved.1, saved.2);
        if matches!(shape.owner, Some(Owner::Turn | Owner::Side)) {
            self.reader.turn = self.turn;
        }
    }

    fn report(
        &mut self,
        (value, is_item): (Value<'_>, bool),
        shape: &'static Shape,
        expected: &'static str,
    ) {
        match shape.name.as_str() {
            "" => self.reader.report(value, "dialog", expected),
            name if is_item && shape.is_strict() => self.reader.report_item(value, name, expected),
            name => self.reader.report(value, name, expected),
        }
    }

    /// True for the id of the dialog, which that of its side branch may follow.
    fn is_own_id(&self, value: Value<'_>) -> bool {
        let rest = self.dialog.id.strip_prefix(text_of(value).as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(BEFORE_BRANCH))
    }

    /// Notes the owner of unknown fields below `value`. Returns the path, if it starts again.
    fn enter(&mut self, shape: &Shape, value: Value<'_>) -> Option<String> {
        let start = value.range().start;
        match shape.owner? {
            Owner::Turn => {
                let place = |element: &Element| element.start;
                let own = self.elements.binary_search_by_key(&start, place).ok()?;
                self.turn = self.elements[own].turn;
                self.reader.turn = self.turn;
            }
            Owner::Side => {
                let last = self.turn?;
                let mut turns = (last.saturating_sub(1)..=last).rev();
                let own = turns.find(|turn| self.dialog.turns[*turn].at.start == start)?;
                self.turn = Some(own);
                self.reader.turn = self.turn;
            }
            owner => {
                let turn = &self.dialog.turns[self.turn?];
                let is_there = match owner {
                    Owner::Segment => turn.segments.iter().any(|s| s.at.start == start),
                    Owner::Vote => turn.votes.iter().any(|vote| vote.at.start == start),
                    _ => turn.calls.iter().any(|c| c.at.start == start),
                };
                if !is_there {
                    return None;
                }
                self.into = Some((owner, start));
            }
        }
        Some(std::mem::take(&mut self.path))
    }

    fn members(&mut self, shape: &'static Shape, object: Value<'_>) {
        let length = self.path.len();
        let lacks = |name: &&String| object.get(name).is_none();
        for name in shape.required.iter().filter(lacks) {
            self.reader.missing(object, object_name(shape), name);
        }
        if let Some(last) = shape.any_of.last().filter(|_| shape.any_of.iter().all(|it| lacks(&it)))
        {
            self.reader.missing(object, object_name(shape), last);
        }
        for (key, value) in object.members() {
            let known = shape.members.iter().find(|(name, _)| key.is_text(name));
            // Of a member that is repeated, the last one counts.
            let start = |value: Value<'_>| value.range().start;
            let is_repeated = |name: &str| object.get(name).map(start) != Some(start(value));
            if known.is_some_and(|(name, _)| is_repeated(name)) {
                continue;
            }
            let known = known.map(|(_, shape)| shape).or(shape.all_members.as_deref());
            if length > 0 {
                self.path.push('.');
            }
            self.path.push_str(&key.as_str().unwrap_or_default());
            match known {
                Some(shape) => self.value(shape, value, false),
                None => self.unknown(value),
            }
            self.path.truncate(length);
        }
    }

    fn elements(&mut self, shape: &'static Shape, array: Value<'_>) {
        let length = self.path.len();
        if shape.list == ListForm::Parallel && array.elements().count() != self.elements.len() {
            let expected = "an array with an element for each turn";
            self.reader.report(array, &shape.name, expected);
        }
        for (at, value) in array.elements().enumerate() {
            let known = shape.positions.iter().find(|(other, _)| *other == at);
            let known = known.map(|(_, shape)| shape).or(shape.elements.as_deref());
            // Writing to a string cannot fail.
            let _ = write!(self.path, "[{at}]");
            match known {
                Some(shape) if shape.is_call() && value.kind() == NodeKind::Null => {
                    self.reader.is_object_in(value, &shape.name);
                }
                Some(shape) => self.value(shape, value, true),
                None => self.unknown(value),
            }
            self.path.truncate(length);
        }
    }

    /// Keeps a field that the description does not know. An empty list or object inside another value says
    /// nothing.
    fn unknown(&mut self, value: Value<'_>) {
        let is_inside = self.path.contains(['.', '[']);
        if is_inside && value.is_container() && !value.has_children() {
            return;
        }
        self.field(value, false);
    }

    /// Keeps a field of the innermost element around.
    fn field(&mut self, value: Value<'_>, known: bool) {
        let (name, content) = (self.path.as_str().into(), Content::of(value));
        let field = Field { name, content, known, at: extent(value) };
        let Some(turn) = self.turn else {
            return self.dialog.fields.push(field);
        };
        let turn = &mut self.dialog.turns[turn];
        let is = |at: Extent, start: u32| at.start == start;
        let fields = match self.into {
            None => Some(&mut turn.fields),
            Some((Owner::Segment, start)) => {
                let own = turn.segments.iter_mut().find(|s| is(s.at, start));
                own.map(|segment| &mut segment.fields)
            }
            Some((Owner::Vote, start)) => {
                let own = turn.votes.iter_mut().find(|vote| is(vote.at, start));
                own.map(|vote| &mut vote.fields)
            }
            Some((_, start)) => {
                let own = turn.calls.iter_mut().find(|c| is(c.at, start));
                own.map(|call| &mut call.fields)
            }
        };
        if let Some(fields) = fields {
            fields.push(field);
        }
    }
}

fn object_name(shape: &Shape) -> &'static str {
    if shape.called.is_empty() { "the dialog" } else { shape.called }
}
