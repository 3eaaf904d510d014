//! Writes the canonical forms of the values of acts, which some corpora have in a list beside the values.
//!
//! A value that stays in its place keeps its form. A new value has the form that another act of the dialog has
//! for it, or is its own.

use super::description::ActRule;
use super::place::Place;
use super::trail::{Found, Trail, each};
use super::writer::Writer;
use crate::dialog::{EditError, EditValue};
use crate::format::engine::values::written;
use crate::json::{NewValue, NodeKind, Splice, Value};

impl<'a> Writer<'a, '_> {
    /// Writes the canonical forms of new values, if the act has a list of them. A value that stays in its place
    /// keeps its form.
    pub fn canonical(
        &self,
        rule: &ActRule,
        trail: &Trail<'a>,
        slot: &str,
        values: &[&EditValue],
    ) -> Result<Vec<Splice>, EditError> {
        let Some(place) = rule.canonical.as_ref() else {
            return Ok(Vec::new());
        };
        let old = Canonical::of(rule, trail);
        if old.forms.is_none() {
            return Ok(Vec::new());
        }
        let forms = values.iter().enumerate().map(|(at, value)| {
            let stays = trail.text(rule.slot.as_ref()?) == slot
                && old.values.get(at).map(|old| Found::Value(*old).content())
                    == Some(value.content());
            let kept = old.forms.as_ref()?.get(at).filter(|_| stays);
            kept.and_then(|kept| EditValue::of(&Found::Value(*kept).content()))
        });
        let forms: Vec<EditValue> = forms
            .zip(values)
            .map(|(kept, value)| kept.unwrap_or_else(|| self.form_of(rule, slot, value)))
            .collect();
        self.values(trail, place, &forms.iter().collect::<Vec<_>>())
    }

    /// Returns the canonical form of a value: the one that another act of the dialog has for it, or the value itself.
    fn form_of(&self, rule: &ActRule, slot: &str, value: &EditValue) -> EditValue {
        let mut found = None;
        let wanted = value.content();
        let mut look = |trail: &mut Trail<'a>| {
            let is_of_slot = rule.slot.as_ref().is_some_and(|own| trail.text(own) == slot);
            if found.is_some() || !is_of_slot {
                return;
            }
            let own = Canonical::of(rule, trail);
            let forms = own.forms.unwrap_or_default();
            let mut pairs = own.values.iter().zip(forms);
            let same = pairs.find(|(own, _)| Found::Value(**own).content() == wanted);
            found = same.and_then(|(_, form)| EditValue::of(&Found::Value(form).content()));
        };
        for mut trail in self.elements() {
            each(&mut trail, &rule.at, rule.when.as_ref(), &mut |trail| match &rule.slots {
                Some(slots) => trail.each(slots, &mut look),
                None => look(trail),
            });
        }
        found.unwrap_or_else(|| value.clone())
    }

    /// Returns the forms of the values of a new act; None if other acts of the dialog have no list of them.
    pub fn new_canonical(
        &self,
        rule: &ActRule,
        slot: &str,
        values: &[&EditValue],
    ) -> Option<NewValue> {
        let like = self.neighbour(&rule.at, rule.when.as_ref())?;
        Canonical::of(rule, &like).forms?;
        let forms = values.iter().map(|value| self.form_of(rule, slot, value));
        let forms = forms.map(|form| written(&form)).collect();
        Some(NewValue::Array(forms))
    }
}

/// The values of an act, and their canonical forms.
struct Canonical<'a> {
    values: Vec<Value<'a>>,
    /// None if the act has no list of them.
    forms: Option<Vec<Value<'a>>>,
}

impl<'a> Canonical<'a> {
    fn of(rule: &ActRule, trail: &Trail<'a>) -> Self {
        let list = |place: &Option<Place>| {
            let place = place.as_ref()?;
            let (_, before) = place.steps.split_last()?;
            let list = trail.find_of(place, before.len())?;
            let is_list = list.kind() == NodeKind::Array;
            is_list.then(|| list.elements().collect::<Vec<_>>())
        };
        Self { values: list(&rule.values).unwrap_or_default(), forms: list(&rule.canonical) }
    }
}
