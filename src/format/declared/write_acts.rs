//! Writes acts and the dialogue state through their places.

use std::cmp::Reverse;

use super::description::{ActRule, StateRule};
use super::new::NewParts;
use super::place::{Place, Step};
use super::trail::{Found, Trail, each, joined};
use super::writer::{Writer, element, is_of};
use crate::dialog::{Act, Edit, EditError, EditValue, EditedPart, SlotValue, StateSlot, Turn};
use crate::format::engine::edit::not_editable;
use crate::format::engine::values::{ONE_VALUE, set_members, written};
use crate::json::{NewValue, NodeKind, Splice, Value};

/// Returns the splices for an edit of acts or state.
///
/// # Errors
/// If a part has no place in the text.
pub fn write(writer: &Writer<'_, '_>) -> Result<Vec<Splice>, EditError> {
    let (before, _) = writer.edited.turns();
    match writer.edited.edit {
        Edit::SetAct { act, name, slots, .. } => {
            writer.set_act(before, &before.acts[*act], name, slots)
        }
        Edit::AddAct { name, slots, .. } => writer.add_act(before, name, slots),
        Edit::RemoveAct { act, .. } => {
            let (rule, trail) = writer.act(before, &before.acts[*act])?;
            writer.remove(&rule.at, &[trail])
        }
        Edit::SetState { slot, value, .. } => {
            let state = before.state.iter().flatten();
            match state.into_iter().find(|s| s.slot == *slot) {
                Some(old) => writer.set_state(old, value),
                None => writer.add_state(before, slot, value),
            }
        }
        Edit::RenameState { slot, to, .. } => {
            let mut state = before.state.iter().flatten();
            let Some(old) = state.find(|s| s.slot == *slot) else {
                return Ok(Vec::new());
            };
            let (rule, trail) = writer.state(old.at.start)?;
            writer.set_joined(&trail, &rule.name, "the slot", to)
        }
        Edit::RemoveState { .. } => match writer.edited.edit.touches(before) {
            EditedPart::Element(_, start) => {
                let (rule, trail) = writer.state(start)?;
                writer.remove(&rule.at, &[trail])
            }
            _ => Err(not_editable("the state", &"the slot is not in the text")),
        },
        _ => Ok(Vec::new()),
    }
}

impl<'a> Writer<'a, '_> {
    /// Returns the rule and the way by which an act was read.
    fn act(&self, turn: &Turn, act: &Act) -> Result<(&'static ActRule, Trail<'a>), EditError> {
        let own = self.trail_of(turn)?;
        for rule in &self.description.act.0 {
            if let Some(trail) = element(&own, &rule.at, rule.when.as_ref(), act.at.start) {
                return Ok((rule, trail));
            }
        }
        Err(not_editable("the act", &"it is not there"))
    }

    fn set_act(
        &self,
        turn: &Turn,
        old: &Act,
        name: &str,
        slots: &[SlotValue],
    ) -> Result<Vec<Splice>, EditError> {
        let (rule, trail) = self.act(turn, old)?;
        let mut splices = Vec::new();
        if old.name != name {
            splices.extend(self.set_joined(&trail, &rule.name, "the act", name)?);
        }
        let same = |old: &crate::dialog::ActSlot, new: &SlotValue| {
            old.slot == new.slot && old.value == new.value.as_ref().map(EditValue::content)
        };
        let is_same = old.slots.len() == slots.len()
            && old.slots.iter().zip(slots).all(|(old, new)| same(old, new));
        if is_same {
            return Ok(splices);
        }
        let Some(each) = &rule.slots else {
            splices.extend(self.act_slot(rule, &trail, slots)?);
            return Ok(splices);
        };
        // A map from slots to values.
        if let Some(values) = slots.iter().map(|s| s.value.as_ref()).collect::<Option<Vec<_>>>()
            && let Some((Step::Members, before)) = each.steps.split_last()
            && rule.slot.as_ref().is_some_and(|slot| slot.text == "@key")
            && rule.values.as_ref().is_some_and(|values| values.text == ".")
            && let Some(map) = trail.find_of(each, before.len())
        {
            let wanted: Vec<_> = slots.iter().map(|s| s.slot.as_str()).zip(values).collect();
            splices.extend(set_members(self.editor, map, &wanted)?);
            return Ok(splices);
        }
        let mut own = Vec::new();
        trail.clone().each(each, &mut |trail| own.push(trail.clone()));
        if own.len() != slots.len() {
            let reason = format!("the number of its `{each}` cannot change");
            return Err(not_editable("the act", &reason));
        }
        for (trail, slot) in own.iter().zip(slots) {
            splices.extend(self.act_slot(rule, trail, std::slice::from_ref(slot))?);
        }
        Ok(splices)
    }

    /// Writes the one slot at the end of `trail`, with its values.
    fn act_slot(
        &self,
        rule: &ActRule,
        trail: &Trail<'a>,
        slots: &[SlotValue],
    ) -> Result<Vec<Splice>, EditError> {
        let slot = only_slot(&self.description.name, slots)?;
        let mut splices = Vec::new();
        match &rule.slot {
            Some(place) if trail.text(place) != slot => {
                splices.push(self.set(trail, place, "the slot", slot)?);
            }
            None if !slot.is_empty() => {
                return Err(not_editable("the slot", &"acts of this format have none"));
            }
            _ => {}
        }
        let values: Vec<_> = slots.iter().filter_map(|slot| slot.value.as_ref()).collect();
        if let Some(place) = &rule.values {
            splices.extend(self.canonical(rule, trail, slot, &values)?);
            splices.extend(self.values(trail, place, &values)?);
        } else if !values.is_empty() {
            return Err(not_editable("the value", &"acts of this format have none"));
        }
        Ok(splices)
    }

    /// Writes the values at `place`, one or a list.
    pub fn values(
        &self,
        trail: &Trail<'a>,
        place: &Place,
        values: &[&EditValue],
    ) -> Result<Vec<Splice>, EditError> {
        let what = "the value";
        if !place.is_several() {
            let [value] = values else {
                let reason = if values.is_empty() {
                    "an act of this format has one"
                } else {
                    "an act of this format has only one"
                };
                let is_missing = values.is_empty() && trail.find(place).is_none();
                return if is_missing { Ok(Vec::new()) } else { Err(not_editable(what, &reason)) };
            };
            let old = trail.find(place).map(Found::content);
            if old.as_ref() == Some(&value.content()) {
                return Ok(Vec::new());
            }
            return Ok(vec![self.set_value(trail, place, what, &written(value))?]);
        }
        let list = match place.steps.split_last() {
            Some((Step::Elements, before)) => trail.find_of(place, before.len()),
            _ => None,
        };
        let Some(list) = list.filter(|list| list.kind() == NodeKind::Array) else {
            let (Some((Step::Elements, before)), false) =
                (place.steps.split_last(), values.is_empty())
            else {
                return Err(not_editable(what, &"its list is not there"));
            };
            let whole = Place { steps: before.to_vec(), ..place.clone() };
            let new = NewValue::Array(values.iter().map(|value| written(value)).collect());
            return Ok(vec![self.set_value(trail, &whole, what, &new)?]);
        };
        Ok(self.list(list, values))
    }

    /// Changes an array to `values`, touching only elements that differ.
    fn list(&self, list: Value<'a>, values: &[&EditValue]) -> Vec<Splice> {
        let old: Vec<_> = list.elements().collect();
        let both = old.len().min(values.len());
        let mut splices = Vec::new();
        for (value, new) in old.iter().zip(values) {
            if Found::Value(*value).content() != new.content() {
                splices.push(self.editor.replace(*value, &written(new)));
            }
        }
        if both < values.len() {
            let more: Vec<_> = values[both..].iter().map(|value| written(value)).collect();
            splices.push(self.editor.insert(list, both, &more, None));
        } else if both < old.len() {
            splices.push(self.editor.remove(list, both..old.len()));
        }
        splices
    }

    fn add_act(
        &self,
        turn: &Turn,
        name: &str,
        slots: &[SlotValue],
    ) -> Result<Vec<Splice>, EditError> {
        let trail = self.trail_of(turn)?;
        let mut refused = not_editable("the act", &"this turn has no place for it");
        let mut rules: Vec<_> = self.description.act.0.iter().collect();
        rules.retain(|rule| is_of(rule.of.as_deref(), turn));
        if rules.len() > 1 {
            rules.sort_by_cached_key(|rule| self.unlikeness(rule, name, slots));
        }
        for rule in rules {
            if rule.slots.is_some() && !slots.is_empty() {
                refused = not_editable("the act", &"add it without slots first");
                continue;
            }
            let slot = only_slot(&self.description.name, slots)?;
            let values: Vec<_> = slots.iter().filter_map(|slot| slot.value.as_ref()).collect();
            let mut parts = NewParts::new(rule.new.as_ref());
            // An act of another list with the same members shows the form, too.
            let is_alike =
                |other: &&ActRule| other.name.0 == rule.name.0 && other.slot == rule.slot;
            let mut alike = self.description.act.0.iter().filter(is_alike);
            parts.has_form = alike.any(|other| {
                let like = self.neighbour(&other.at, other.when.as_ref());
                like.is_some()
            });
            if let Some(place) = &rule.slot {
                parts.add("slot", place, NewValue::String(slot.to_owned()));
            }
            match (&rule.values, values.as_slice()) {
                (Some(place), values) if place.is_several() => {
                    let values = values.iter().map(|value| written(value)).collect();
                    parts.add("values", place, NewValue::Array(values));
                }
                (Some(place), [value]) => parts.add("value", place, written(value)),
                (_, []) => {}
                _ => {
                    refused = not_editable("the act", &"an act of this format has no such value");
                    continue;
                }
            }
            if let Some(place) = &rule.canonical
                && let Some(forms) = self.new_canonical(rule, slot, &values)
            {
                parts.add("canonical", place, forms);
            }
            let named = Some((&rule.name, "name", name));
            match self.add_element(&trail, &rule.at, rule.when.as_ref(), named, &parts, "the act") {
                Ok(splices) => return Ok(splices),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    /// How unlike a new act is to the acts of a rule, for the choice among several lists of acts: first comes the
    /// list for its kind of slot by the ontology, then one whose acts have the slot, then one of acts with values
    /// if it has one.
    fn unlikeness(&self, rule: &ActRule, name: &str, slots: &[SlotValue]) -> impl Ord + use<> {
        let slot = slots.first().map_or("", |slot| slot.slot.as_str());
        let has_value = slots.iter().any(|slot| slot.value.is_some());
        // Without the intent: the domain.
        let domain = |name: &str| name.split_once('.').map(|(_, domain)| domain.to_owned());
        let (mut alike, mut of_slot) = (0_usize, 0_usize);
        for mut trail in self.elements() {
            each(&mut trail, &rule.at, rule.when.as_ref(), &mut |trail| {
                let text = |place: &Option<Place>| place.as_ref().map(|place| trail.text(place));
                let mut value = false;
                if let Some(values) = &rule.values {
                    trail.clone().each(values, &mut |_| value = true);
                }
                let own = joined(&rule.name, trail);
                if slots.is_empty() {
                    // It may get a slot and a value later.
                    alike += usize::from(own == name);
                } else if text(&rule.slot).is_some_and(|own| own == slot) && value == has_value {
                    of_slot += 1;
                    alike += usize::from(domain(&own) == domain(name));
                }
            });
        }
        // The ontology beside the data knows best.
        let whole = domain(name).map(|domain| format!("{domain}.{slot}"));
        let listed = self.edited.slots.zip(whole);
        let is_categorical = listed.and_then(|(slots, whole)| slots.get(&whole));
        let kinds = is_categorical.zip(rule.categorical.as_ref());
        let is_other_kind = has_value && kinds.is_some_and(|(slot, own)| slot != own);
        let takes_value = slots.is_empty() || rule.values.is_some() == has_value;
        (is_other_kind, Reverse(alike), Reverse(of_slot), !takes_value)
    }

    /// Returns the rule and the way by which the slot of the state that starts at byte `start` was read.
    fn state(&self, start: u32) -> Result<(&'static StateRule, Trail<'a>), EditError> {
        let holds = |trail: &Trail<'a>| {
            let range = trail.here().value.range();
            (range.start..range.end).contains(&start)
        };
        // The state after a turn may be in the element of the next one.
        for own in self.elements().into_iter().filter(holds) {
            for rule in &self.description.state.0 {
                if let Some(trail) = element(&own, &rule.at, rule.when.as_ref(), start) {
                    return Ok((rule, trail));
                }
            }
        }
        Err(not_editable("the state", &"the slot is not there"))
    }

    fn set_state(&self, old: &StateSlot, value: &EditValue) -> Result<Vec<Splice>, EditError> {
        let (rule, trail) = self.state(old.at.start)?;
        let here = trail.here().value;
        let one = || match value {
            EditValue::Several(_) => Err(not_editable("the state", &ONE_VALUE)),
            _ => Ok(written(value)),
        };
        let Some(place) = &rule.values else {
            return Ok(vec![self.editor.replace(here, &one()?)]);
        };
        if place.steps != [Step::Elements] || place.up > 0 {
            return Ok(vec![self.set_value(&trail, place, "the value", &one()?)?]);
        }
        if here.kind() != NodeKind::Array {
            return Ok(vec![self.editor.replace(here, &one()?)]);
        }
        Ok(self.list(here, &value.each()))
    }

    fn add_state(
        &self,
        turn: &Turn,
        slot: &str,
        value: &EditValue,
    ) -> Result<Vec<Splice>, EditError> {
        let mut refused = not_editable("the state", &"this turn has no place for it");
        let is_list = matches!(value, EditValue::Several(_));
        // A name of several parts is rather that of a place deep inside than has dots in it.
        let mut rules: Vec<_> = self.description.state.0.iter().collect();
        rules.sort_by_key(|rule| Reverse(rule.name.0.len()));
        for rule in rules {
            let own = self.trail_of(turn)?;
            let trail = if rule.of.as_deref() == Some("turn-before") {
                let start = own.here().value.range().start;
                let after = |trail: &Trail<'a>| trail.here().value.range().start > start;
                match self.elements().into_iter().find(after) {
                    Some(next) => next,
                    None => continue,
                }
            } else if is_of(rule.of.as_deref(), turn) {
                own
            } else {
                continue;
            };
            let mut parts = NewParts::new(rule.new.as_ref());
            let here = Place::here();
            let is_plain = |n: Trail<'a>| n.here().value.kind() != NodeKind::Array;
            let (place, new) = match &rule.values {
                // As its neighbours are: some corpora have lists here, some have not.
                Some(values) if values.steps == [Step::Elements] => {
                    if !is_list
                        && self.neighbour(&rule.at, rule.when.as_ref()).is_some_and(is_plain)
                    {
                        (&here, written(value))
                    } else {
                        let all = value.each();
                        let all = all.into_iter().map(written).collect();
                        (&here, NewValue::Array(all))
                    }
                }
                _ if is_list => {
                    refused = not_editable("the state", &ONE_VALUE);
                    continue;
                }
                Some(values) => (values, written(value)),
                None => (&here, written(value)),
            };
            parts.add("value", place, new);
            let named = Some((&rule.name, "name", slot));
            match self.add_element(&trail, &rule.at, rule.when.as_ref(), named, &parts, "the slot")
            {
                Ok(splices) => return Ok(splices),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }
}

/// Returns the name of the slot that all of these values are for.
fn only_slot<'s>(family: &'static str, slots: &'s [SlotValue]) -> Result<&'s str, EditError> {
    let name = slots.first().map_or("", |slot| slot.slot.as_str());
    if slots.iter().any(|slot| slot.slot != name) {
        return Err(EditError::OneSlot { family });
    }
    Ok(name)
}
