//! The canonical forms of the values of acts, which some corpora have in a list beside the values.

use super::Writer;
use super::leaves::{At, Leaf, Rule, Val};
use crate::dialog::{Act, Content, Short};
use crate::format::declared::description::ActRule;
use crate::format::declared::place::Place;
use crate::format::declared::texts::list_of_parts;
use crate::format::declared::trail::{Found, Trail};
use crate::json::NodeKind;

impl<'a> Writer<'a, '_> {
    /// Returns the canonical forms of the values of an act, if it has a list of them or its neighbours do: that of a value
    /// that stays, that which another act of the dialog has for it, or the value itself.
    pub fn canonical(
        &self,
        rule: &'static ActRule,
        act: &Act,
        trail: Option<&Trail<'a>>,
    ) -> Option<Leaf> {
        let at = At::Place(rule.canonical.as_ref()?);
        let list = Rule::Act(rule).list();
        let own = match trail {
            Some(trail) => Some(Canonical::of(rule, trail)?),
            None => Canonical::of(rule, &self.like(list)?).map(|_| None)?,
        };
        let slot = act.slots.first().map(|slot| slot.slot.clone()).unwrap_or_default();
        let kept = |place: usize, value: &Content| {
            let own = own.as_ref().filter(|own| own.slot == slot)?;
            own.forms.get(place).filter(|_| own.values.get(place) == Some(value)).cloned()
        };
        let elsewhere = |value: &Content| {
            let mut found = None;
            self.each(list, &mut |trail| {
                let of_slot = Canonical::of(rule, trail).filter(|other| other.slot == slot);
                found = found.take().or_else(|| of_slot?.form_of(value));
            });
            found
        };
        let form = |(place, value): (usize, &Content)| {
            kept(place, value).or_else(|| elsewhere(value)).unwrap_or_else(|| value.clone())
        };
        let values = act.slots.iter().filter_map(|slot| slot.value.as_ref());
        let forms = Val::List(values.enumerate().map(form).collect());
        Some(Leaf { called: "canonical", at, value: forms })
    }
}

/// The values of an act, and their canonical forms.
struct Canonical {
    slot: Short,
    values: Vec<Content>,
    forms: Vec<Content>,
}

impl Canonical {
    /// Returns those of the act at the end of a way; None if it has no list of them.
    fn of(rule: &ActRule, trail: &Trail<'_>) -> Option<Self> {
        let list = |at: &Option<Place>| {
            let list = list_of_parts(at.as_ref()?, trail)?;
            let contents = list.elements().map(|value| Found::Value(value).content());
            (list.kind() == NodeKind::Array).then(|| contents.collect())
        };
        let slot = rule.slot.as_ref().map(|at| trail.text(at)).unwrap_or_default();
        let values = list(&rule.values).unwrap_or_default();
        Some(Self { slot, values, forms: list(&rule.canonical)? })
    }

    fn form_of(&self, value: &Content) -> Option<Content> {
        let place = self.values.iter().position(|own| own == value)?;
        self.forms.get(place).cloned()
    }
}
