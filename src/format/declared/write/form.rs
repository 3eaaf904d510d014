//! The form of new elements: as the template of a rule says, or with the members that its places name.

use super::Result;
use super::leaves::{At, Leaf, List, Val};
use super::names::{Part, split};
use crate::format::declared::forms::{Parts, Template};
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::Trail;
use crate::format::engine::edit::not_editable;
use crate::json::NewValue;

/// A new element.
pub struct NewPart<'a> {
    /// How messages call it.
    pub what: &'static str,
    pub list: List,
    pub leaves: Vec<Leaf>,
    /// The first byte of the element that it goes before; it goes behind the others if none begins there.
    pub next: Option<u32>,
    /// One that shows its form.
    pub like: Option<Trail<'a>>,
}

/// A value of a new element.
struct Piece {
    /// Its name in templates: `label`, or `label.0` and `label.1` if a name is joined.
    called: String,
    spot: Spot,
    value: NewValue,
}

/// The place of a value in a new element.
#[derive(Clone, Copy)]
enum Spot {
    Inside(&'static Place),
    /// It is the name of the element in the object around.
    Key,
    /// It is there already.
    Outside,
}

impl Spot {
    fn of(at: &'static Place, is_member: bool) -> Self {
        match (at.up, at.target) {
            (0, Target::Value) => Self::Inside(at),
            (0, Target::Key) if is_member && at.steps.is_empty() => Self::Key,
            _ => Self::Outside,
        }
    }
}

impl Leaf {
    /// Returns the name that it is, if it is joined.
    pub fn name(&self) -> Option<(&'static Parts, &str)> {
        match (self.at, &self.value) {
            (At::Joined(parts), Val::Text(name)) => Some((parts, name)),
            _ => None,
        }
    }

    /// Returns the pieces of a new element at the end of the way `inside`; None if its name does not fit there.
    fn pieces(&self, inside: &Trail<'_>, is_member: bool) -> Option<Vec<Piece>> {
        let (called, spot) = (self.called, |at| Spot::of(at, is_member));
        let (parts, name) = match (self.at, self.name()) {
            (_, Some(name)) => name,
            (At::Joined(_), None) => return None,
            (At::Place(at), None) => {
                let value = self.value.written();
                return Some(vec![Piece { called: called.to_owned(), spot: spot(at), value }]);
            }
        };
        let kinds = parts.0.iter().map(|at| match spot(at) {
            Spot::Outside => Part::Fixed(inside.text(at).to_string()),
            _ => Part::Own(None),
        });
        let texts = split(name, &kinds.collect::<Vec<_>>())?;
        let is_one = texts.len() == 1;
        let piece = |(number, (at, text))| Piece {
            called: if is_one { called.to_owned() } else { format!("{called}.{number}") },
            spot: spot(at),
            value: NewValue::String(text),
        };
        Some(parts.0.iter().zip(texts).enumerate().map(piece).collect())
    }
}

impl NewPart<'_> {
    /// Returns the name of a value that it lacks, if it is a list, which has no room for none.
    pub fn lacks(&self) -> Option<&'static str> {
        let Some(Template::Array(all)) = self.list.new else { return None };
        let mut names = all.iter().filter_map(|one| match one {
            Template::Text(text) => text.strip_prefix('$')?.split('.').next(),
            _ => None,
        });
        names.find(|name| !self.leaves.iter().any(|leaf| leaf.called == *name))
    }

    /// Returns the name that it has, if that is joined.
    pub fn name(&self) -> Option<(&'static Parts, &str)> {
        self.leaves.iter().find_map(Leaf::name)
    }

    /// Returns its key, if it is a member of an object, and its value, at the end of the way `inside`; None if its name does
    /// not fit there.
    pub fn made(&self, inside: &Trail<'_>) -> Result<Option<(Option<String>, NewValue)>> {
        let last = self.list.at.steps.last();
        let is_member = last == Some(&Step::Members);
        let mut pieces = Vec::new();
        if let Some(Step::Naming(naming)) = last {
            let reason = "the turn has no id, by which elements of the list name it";
            let id = inside.turn_id(naming);
            let id = id.ok_or_else(|| not_editable(self.what, &reason))?;
            let (spot, value) = (Spot::Inside(&naming.named), NewValue::Raw(id.raw().to_owned()));
            pieces.push(Piece { called: "turn".to_owned(), spot, value });
        }
        for leaf in &self.leaves {
            match leaf.pieces(inside, is_member) {
                Some(own) => pieces.extend(own),
                None => return Ok(None),
            }
        }
        let key = pieces.iter().find_map(|piece| match (piece.spot, &piece.value) {
            (Spot::Key, NewValue::String(key)) => Some(key.clone()),
            _ => None,
        });
        if is_member && key.is_none() {
            return Err(not_editable(self.what, &"its name has no place"));
        }
        let value = self.built(pieces);
        let reason = "its form is not known without a `new` template";
        let value = value.ok_or_else(|| not_editable(self.what, &reason))?;
        Ok(Some((key, value)))
    }

    /// Returns its value: as the template says, or with each piece at its place.
    fn built(&self, pieces: Vec<Piece>) -> Option<NewValue> {
        let template = self.list.new;
        // An empty template says so, too.
        let are_all = match template {
            Some(Template::Object(members)) => members.is_empty(),
            other => other.is_none(),
        };
        let mut value = template.map_or(NewValue::Null, |template| filled(template, &pieces));
        for Piece { called, spot, value: piece } in pieces {
            let Spot::Inside(at) = spot else { continue };
            // Neighbours may have a quote that the template does not have.
            let in_others = || self.like.as_ref().is_some_and(|like| like.find(at).is_some());
            let is_usual = called == "turn" || called == "quote" && in_others();
            if are_all || is_usual && !has_member(&value, at) {
                fill(&mut value, &at.steps, piece)?;
            }
        }
        Some(value)
    }
}

/// True if an object has the member that a place names.
fn has_member(object: &NewValue, at: &Place) -> bool {
    let (NewValue::Object(members), [Step::Member(key)]) = (object, at.steps.as_slice()) else {
        return false;
    };
    members.iter().any(|(own, _)| own == key)
}

/// Returns what a template says, with the values that it names.
fn filled(template: &Template, pieces: &[Piece]) -> NewValue {
    match template {
        Template::Text(text) => {
            let Some(name) = text.strip_prefix('$') else {
                return NewValue::String(text.clone());
            };
            let piece = pieces.iter().find(|piece| piece.called == name);
            piece.map_or(NewValue::String(String::new()), |piece| piece.value.clone())
        }
        Template::Raw(raw) => NewValue::Raw(raw.clone()),
        Template::Array(all) => {
            NewValue::Array(all.iter().map(|one| filled(one, pieces)).collect())
        }
        Template::Object(members) => {
            let member = |(key, one): &(String, _)| (key.clone(), filled(one, pieces));
            NewValue::Object(members.iter().map(member).collect())
        }
    }
}

/// Puts a value at the end of a way into a new one, with the objects and lists on the way; None if it has no place there.
pub fn fill(into: &mut NewValue, steps: &[Step], new: NewValue) -> Option<()> {
    let Some((step, rest)) = steps.split_first() else {
        *into = new;
        return Some(());
    };
    match (step, &mut *into) {
        (Step::Member(_), NewValue::Null) => *into = NewValue::Object(Vec::new()),
        (Step::Position(_), NewValue::Null) => *into = NewValue::Array(Vec::new()),
        _ => {}
    }
    match (step, into) {
        (Step::Member(name), NewValue::Object(members)) => {
            let place = members.iter().position(|(own, _)| own == name);
            let place = place.unwrap_or_else(|| {
                members.push((name.clone(), NewValue::Null));
                members.len() - 1
            });
            fill(&mut members[place].1, rest, new)
        }
        (Step::Position(place), NewValue::Array(all)) if *place <= all.len() => {
            all.extend((*place == all.len()).then_some(NewValue::Null));
            fill(&mut all[*place], rest, new)
        }
        (Step::Elements, into @ (NewValue::Null | NewValue::Array(_))) => {
            let values = match new {
                NewValue::Array(values) => values,
                one => vec![one],
            };
            let element = |value| {
                let mut element = NewValue::Null;
                fill(&mut element, rest, value).map(|()| element)
            };
            *into = NewValue::Array(values.into_iter().map(element).collect::<Option<_>>()?);
            Some(())
        }
        // The members of a new object, all at once.
        (Step::Members, into @ NewValue::Null) if rest.is_empty() => {
            *into = new;
            Some(())
        }
        _ => None,
    }
}
