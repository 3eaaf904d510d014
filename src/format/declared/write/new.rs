//! Makes new elements: as the template of a rule says, or with the members that its places name. An element goes behind
//! those in the last container that its name fits, or comes together with a new list.

use super::elements::NewPart;
use super::leaves::{At, Leaf, Rule, Val};
use super::names::{Part, split};
use super::{Result, Writer};
use crate::format::declared::description::ActRule;
use crate::format::declared::forms::{Parts, Template};
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::Trail;
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Value};

/// A value of a new element.
struct Piece {
    /// Its name in templates: `label`, or `label.0` and `label.1` if a name is joined.
    called: String,
    spot: Spot,
    value: NewValue,
}

/// Where a value of a new element is.
#[derive(Clone, Copy, PartialEq)]
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

/// A new element with its key, if it is a member of an object.
struct Made {
    key: Option<String>,
    value: NewValue,
}

impl<'a> Writer<'a, '_> {
    /// Adds an element to a list in the element `own` of the dialog.
    ///
    /// # Errors
    /// If there is no such list that its name fits, or the form of the element is not known.
    pub fn new_element(&mut self, own: &Trail<'a>, new: &NewPart<'_>) -> Result<()> {
        let steps = &new.list.at.steps;
        let like = self.like(new.list).or_else(|| self.alike(new));
        if like.is_none() && new.list.new.is_none() {
            let reason = "the dialog has no other to show its form, and the format has no `new` template for it";
            return Err(not_editable(new.what, &reason));
        }
        if !steps.last().is_some_and(Step::is_several) {
            return self.new_member(own, new, like.as_ref());
        }
        let lists = ways(own, new.list.at, steps.len() - 1);
        for list in lists.iter().rev() {
            if let Some(made) = self.made(&list.to_new_element(), new, like.as_ref())? {
                return self.insert(list.here().value, made, new, like.as_ref());
            }
        }
        self.new_member(own, new, like.as_ref()).map_err(|refused| {
            match new.leaves.iter().find_map(Leaf::name) {
                Some((_, name)) if !lists.is_empty() => {
                    not_editable(new.what, &format!("no part of the turn is for {name:?}"))
                }
                _ => refused,
            }
        })
    }

    fn insert(
        &mut self,
        list: Value<'a>,
        Made { key, value }: Made,
        new: &NewPart<'_>,
        like: Option<&Trail<'a>>,
    ) -> Result<()> {
        let like = like.and_then(Trail::parent).map(|stop| stop.value);
        let is_next = |own: Value<'_>| Some(own.range().start) == new.next;
        let index = list.elements().position(is_next).unwrap_or(usize::MAX);
        self.splices.push(match (list.kind(), key) {
            (NodeKind::Array, None) => self.editor.insert(list, index, &[value], like),
            (NodeKind::Object, Some(key)) => self.editor.add_member(list, &key, &value, None),
            (NodeKind::Null, None) => {
                self.editor.replace_like(list, &NewValue::Array(vec![value]), like)
            }
            (other, _) => {
                let reason = format!("the list for it is {}", other.name());
                return Err(not_editable(new.what, &reason));
            }
        });
        Ok(())
    }

    /// Adds an element that is a member of an object, or is alone in a list that is one, with those of its leaves that are
    /// members beside it.
    fn new_member(
        &mut self,
        own: &Trail<'a>,
        new: &NewPart<'_>,
        like: Option<&Trail<'a>>,
    ) -> Result<()> {
        let refuse = |reason: &str| Err(not_editable(new.what, &reason));
        let no_list = "this turn has no list to add it to";
        let (above, member, is_list) = match new.list.at.steps.as_slice() {
            [above @ .., member, Step::Elements] => (above, member, true),
            [above @ .., member @ Step::Member(_)] => (above, member, false),
            _ => return refuse(no_list),
        };
        let mut leaves = new.leaves.to_vec();
        let is_key = |at: &Place| at.target == Target::Key && at.steps.is_empty() && at.up <= 1;
        let key = match (member, new.leaves.iter().find_map(Leaf::name)) {
            (Step::Member(key), _) => key,
            // The name is that of the list.
            (Step::Members, Some((parts, name))) if parts.0.iter().all(is_key) => {
                leaves.retain(|leaf| leaf.name().is_none());
                name
            }
            _ => return refuse(no_list),
        };
        let mut holders = ways(own, new.list.at, above.len());
        holders.retain(|holder| holder.here().value.kind() == NodeKind::Object);
        if holders.len() > 1 && !is_list {
            return refuse(&format!("the turn has {} places for it", holders.len()));
        }
        for holder in holders.iter().rev() {
            let mut inside = holder.to_new_element();
            if is_list {
                inside = inside.to_new_element();
            }
            let made = self.made(&inside, &NewPart { leaves: &leaves, ..*new }, like)?;
            let Some(Made { key: None, value }) = made else { continue };
            let value = if is_list { NewValue::Array(vec![value]) } else { value };
            let beside = leaves.iter().filter_map(Leaf::beside).filter(|_| !is_list);
            let object = holder.here().value;
            for (key, value) in [(key, value)].into_iter().chain(beside) {
                if object.get(key).is_some() {
                    return refuse("the turn already has one, and there is room for one");
                }
                let like = self.editor.holder(key, object);
                self.splices.push(self.editor.add_member(object, key, &value, like));
            }
            return Ok(());
        }
        refuse(no_list)
    }

    /// Returns an act of another list with the same members, which shows the form of one, too.
    fn alike(&self, new: &NewPart<'_>) -> Option<Trail<'a>> {
        let (parts, _) = new.leaves.iter().find_map(Leaf::name)?;
        let alike = |rule: &&ActRule| rule.name.0 == parts.0;
        let mut acts = self.description.act.0.iter().filter(alike);
        acts.find_map(|rule| self.like(Rule::Act(rule).list()))
    }

    /// Returns a new element at the end of the way `inside`; None if its name does not fit there.
    fn made(
        &self,
        inside: &Trail<'a>,
        new: &NewPart<'_>,
        like: Option<&Trail<'a>>,
    ) -> Result<Option<Made>> {
        let last = new.list.at.steps.last();
        let is_member = last == Some(&Step::Members);
        let mut pieces = Vec::new();
        if let Some(Step::Naming(naming)) = last {
            let reason = "the turn has no id, by which elements of the list name it";
            let id = inside.turn_id(naming);
            let id = id.ok_or_else(|| not_editable(new.what, &reason))?;
            let value = NewValue::Raw(id.raw().to_owned());
            pieces.push(Piece {
                called: "turn".to_owned(),
                spot: Spot::Inside(&naming.named),
                value,
            });
        }
        for leaf in new.leaves {
            match leaf.name() {
                None => pieces.extend(leaf.piece(is_member)),
                Some((parts, name)) => match named(leaf.called, parts, name, inside, is_member) {
                    Some(name) => pieces.extend(name),
                    None => return Ok(None),
                },
            }
        }
        let key = pieces.iter().find_map(|piece| match (piece.spot, &piece.value) {
            (Spot::Key, NewValue::String(key)) => Some(key.clone()),
            _ => None,
        });
        if is_member && key.is_none() {
            return Err(not_editable(new.what, &"its name has no place"));
        }
        Ok(Some(Made { key, value: built(new, pieces, like)? }))
    }
}

/// Returns the ways to the values that the first `count` steps of a place lead to.
fn ways<'a>(own: &Trail<'a>, at: &Place, count: usize) -> Vec<Trail<'a>> {
    let mut ways = Vec::new();
    own.clone().each_of(at, count, &mut |trail| ways.push(trail.clone()));
    ways
}

impl Leaf {
    /// Returns the name that it is, if it is joined.
    fn name(&self) -> Option<(&'static Parts, &str)> {
        match (self.at, &self.value) {
            (At::Joined(parts), Val::Text(name)) => Some((parts, name)),
            _ => None,
        }
    }

    fn piece(&self, is_member: bool) -> Option<Piece> {
        let At::Place(at) = self.at else { return None };
        let spot = Spot::of(at, is_member);
        Some(Piece { called: self.called.to_owned(), spot, value: self.value.written() })
    }

    /// Returns it as a member beside the element.
    fn beside(&self) -> Option<(&str, NewValue)> {
        let At::Place(Place { up: 1, steps, .. }) = self.at else { return None };
        let (Step::Member(key), inside) = steps.split_first()? else { return None };
        let mut value = NewValue::Null;
        fill(&mut value, inside, self.value.written())?;
        Some((key, value))
    }
}

/// Splits the name of a new element at the end of the way `inside`; None if it does not fit there.
fn named(
    called: &str,
    parts: &'static Parts,
    name: &str,
    inside: &Trail<'_>,
    is_member: bool,
) -> Option<Vec<Piece>> {
    let spots: Vec<_> = parts.0.iter().map(|at| Spot::of(at, is_member)).collect();
    let kinds = spots.iter().zip(&parts.0).map(|(spot, at)| match spot {
        Spot::Outside => Part::Fixed(inside.text(at).to_string()),
        _ => Part::Own(None),
    });
    let texts = split(name, &kinds.collect::<Vec<_>>())?;
    let piece = |(number, (spot, text))| Piece {
        called: if parts.0.len() == 1 { called.to_owned() } else { format!("{called}.{number}") },
        spot,
        value: NewValue::String(text),
    };
    Some(spots.into_iter().zip(texts).enumerate().map(piece).collect())
}

/// Returns the value of a new element: as the template says, or with each value at its place.
fn built(new: &NewPart<'_>, pieces: Vec<Piece>, like: Option<&Trail<'_>>) -> Result<NewValue> {
    let template = new.list.new;
    // An empty template says so, too.
    let are_all = matches!(template, Some(Template::Object(members)) if members.is_empty());
    let mut value = template.map_or(NewValue::Null, |template| filled(template, &pieces));
    for Piece { called, spot, value: part } in pieces {
        let Spot::Inside(at) = spot else { continue };
        // Neighbours may have a quote that the template does not have.
        let is_quote = called == "quote" && like.is_some_and(|like| like.find(at).is_some());
        let is_missing = (called == "turn" || is_quote) && !has_member(&value, at);
        if template.is_none() || are_all || is_missing {
            let placed = fill(&mut value, &at.steps, part);
            let reason = "its form is not known without a `new` template";
            placed.ok_or_else(|| not_editable(new.what, &reason))?;
        }
    }
    Ok(value)
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
        _ => None,
    }
}
