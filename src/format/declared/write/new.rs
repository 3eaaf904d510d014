//! Adds new elements. One goes behind the others in the last list that its name fits, or before the element that follows it
//! in the model. Where there is no list, it comes with a new one; some rules have room for one element and no list.

use super::form::{NewPart, fill};
use super::leaves::{At, Leaf, Rule};
use super::{Result, Writer};
use crate::format::declared::description::ActRule;
use crate::format::declared::place::{Place, Step, Target};
use crate::format::declared::trail::Trail;
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Value};

impl<'a> Writer<'a, '_> {
    /// Adds an element to a list in the element `own` of the dialog.
    ///
    /// # Errors
    /// If there is no such list that its name fits, or the form of the element is not known.
    pub fn new_element(&mut self, own: &Trail<'a>, new: &NewPart<'a>) -> Result<()> {
        let steps = &new.list.at.steps;
        if new.like.is_none() && new.list.new.is_none() {
            let reason = "the dialog has no other part of this kind to copy, and the format has no example in `new`";
            return Err(not_editable(new.what, &reason));
        }
        if !steps.last().is_some_and(Step::is_several) {
            return self.new_member(own, new);
        }
        let lists = ways(own, new.list.at, steps.len() - 1);
        for list in lists.iter().rev() {
            if let Some((key, value)) = new.made(&list.to_new_element()) {
                self.insert(list.here().value, key.as_deref(), value, new);
                return Ok(());
            }
        }
        self.new_member(own, new).map_err(|refused| match new.name() {
            Some((_, name)) if !lists.is_empty() => {
                not_editable(new.what, &format!("no part of the turn can hold {name:?}"))
            }
            _ => refused,
        })
    }

    fn insert(&mut self, list: Value<'a>, key: Option<&str>, value: NewValue, new: &NewPart<'a>) {
        let like = new.like.as_ref().and_then(Trail::parent).map(|stop| stop.value);
        let is_next = |own: Value<'_>| Some(own.range().start) == new.next;
        let index = list.elements().position(is_next).unwrap_or(usize::MAX);
        let splice = match (list.kind(), key) {
            (NodeKind::Array, None) => Some(self.editor.insert(list, index, &[value], like)),
            (NodeKind::Object, Some(key)) => self.add_member(list, key, &value, None),
            (NodeKind::Null, None) => {
                Some(self.editor.replace_like(list, &NewValue::Array(vec![value]), like))
            }
            _ => None,
        };
        self.splices.extend(splice);
    }

    /// Adds an element that is a member of an object, or is alone in a list that is one, with those of its leaves that are
    /// members beside it.
    fn new_member(&mut self, own: &Trail<'a>, new: &NewPart<'a>) -> Result<()> {
        let refuse = |reason: &str| Err(not_editable(new.what, &reason));
        let no_list = "this turn has no list to add it to";
        let (above, member, is_list) = match new.list.at.steps.as_slice() {
            [above @ .., member, Step::Elements] => (above, member, true),
            [above @ .., member @ Step::Member(_)] => (above, member, false),
            _ => return refuse(no_list),
        };
        let is_key = |at: &Place| at.target == Target::Key && at.steps.is_empty() && at.up <= 1;
        let mut leaves = new.leaves.clone();
        let key = match (member, new.name()) {
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
            return refuse(&format!("the turn has {} possible places for it", holders.len()));
        }
        let inner = NewPart { leaves, like: new.like.clone(), ..*new };
        for holder in holders.iter().rev() {
            let mut inside = holder.to_new_element();
            if is_list {
                inside = inside.to_new_element();
            }
            let Some((None, value)) = inner.made(&inside) else { continue };
            let value = if is_list { NewValue::Array(vec![value]) } else { value };
            let beside = inner.leaves.iter().filter_map(Leaf::beside).filter(|_| !is_list);
            let object = holder.here().value;
            for (key, value) in [(key, value)].into_iter().chain(beside) {
                if object.get(key).is_some() {
                    return refuse("the only place for it in the turn is already taken");
                }
                let like = self.editor.holder(key, object);
                let added = self.add_member(object, key, &value, like);
                self.splices.extend(added);
            }
            return Ok(());
        }
        refuse(no_list)
    }

    /// Returns an element that shows the form of a new one: another of the list, or an act of another list with the same
    /// members.
    pub fn shows_form(&self, rule: Rule) -> Option<Trail<'a>> {
        self.like(rule.list()).or_else(|| {
            let Rule::Act(rule) = rule else { return None };
            let alike = |other: &&ActRule| other.name.0 == rule.name.0;
            let mut acts = self.description.act.0.iter().filter(alike);
            acts.find_map(|other| self.like(Rule::Act(other).list()))
        })
    }
}

/// Returns the ways to the values that the first `count` steps of a place lead to.
fn ways<'a>(own: &Trail<'a>, at: &Place, count: usize) -> Vec<Trail<'a>> {
    let mut ways = Vec::new();
    own.clone().each_of(at, count, &mut |trail| ways.push(trail.clone()));
    ways
}

impl Leaf {
    /// Returns it as a member beside the element.
    fn beside(&self) -> Option<(&str, NewValue)> {
        let At::Place(Place { up: 1, steps, .. }) = self.at else { return None };
        let (Step::Member(key), inside) = steps.split_first()? else { return None };
        let mut value = NewValue::Null;
        fill(&mut value, inside, self.value.written())?;
        Some((key, value))
    }
}
