//! Writes the elements of a turn: changes their leaves, removes them from their lists and adds new ones.

use std::cmp::Reverse;

use super::calls;
use super::form::NewPart;
use super::leaves::{List, Part, Rule};
use super::{Around, Result, WaysByStart, Writer};
use crate::dialog::Act;
use crate::format::declared::description::ActRule;
use crate::format::declared::place::Step;
use crate::format::declared::trail::{Trail, each, joined};
use crate::format::engine::compare::{Change, Changes};
use crate::format::engine::edit::not_editable;

/// How unlike a new element is to those of a rule: what is compared first comes first.
type Unlikeness = (bool, Reverse<usize>, Reverse<usize>, bool);

impl<'a> Writer<'a, '_> {
    /// Writes the segments, the acts, the state and the calls of a turn.
    pub fn parts(&mut self, around: Around<'_>) -> Result<()> {
        self.calls_in_texts(around);
        let Around { element, old, new, .. } = around;
        let calls = self.description.hooks.calls;
        if let Some(write) = calls.filter(|_| old.calls != new.calls) {
            let element = self.elements[element].here().value;
            self.splices.extend(write(self.editor, element, Change { old, new }));
        }
        let kinds = |turn| Part::kinds(turn, |call| calls.is_some() || self.is_in_text(call));
        let (old, new) = (kinds(around.old), kinds(around.new));
        for (old, new) in old.iter().zip(&new) {
            let changes = Changes::of(old, new, |part| part.at());
            for change in changes.stay {
                self.change(around, change)?;
            }
            let (mut gone, mut may_drop) = (Vec::new(), false);
            for part in &changes.gone {
                let Some((rule, trail)) = self.find(around, **part) else { continue };
                gone.extend(calls::beside(rule, &trail));
                gone.push(trail.here().value);
                // A list of calls, or of all acts of a name.
                let is_named = rule.list().at.steps.ends_with(&[Step::Members, Step::Elements]);
                may_drop |= matches!(rule, Rule::Call(_)) || is_named;
            }
            if may_drop {
                self.remove_or_drop(gone);
            } else {
                self.remove(gone);
            }
            for (place, part) in changes.new {
                let next = new[place..].iter().find(|part| part.at().is_placed());
                self.add(around, *part, next.map(|next| next.at().start))?;
            }
        }
        Ok(())
    }

    /// Sets the leaves of an element that differ.
    fn change(
        &mut self,
        around: Around<'_>,
        Change { old, new }: Change<'_, Part<'_>>,
    ) -> Result<()> {
        // Offsets in bytes follow the text.
        let follows = matches!(old, Part::Segment(_)) && around.has_new_text;
        if old == new && !follows {
            return Ok(());
        }
        let Some((rule, trail)) = self.find(around, *old) else {
            return Ok(());
        };
        let was = self.leaves(*old, rule, around.old, Some(&trail))?;
        let wanted = self.leaves(*new, rule, around.new, Some(&trail))?;
        let (what, _) = new.rules(self.description);
        self.set_changed(&trail, Some(what), &was, &wanted)?;
        if let (Rule::Call(rule), Part::Call(old), Part::Call(new)) = (rule, old, new) {
            self.values_of_call(around, rule, &trail, Change { old, new });
        }
        Ok(())
    }

    /// Adds an element by the rule that fits it best of those which have a place for it.
    fn add(&mut self, around: Around<'_>, part: Part<'_>, next: Option<u32>) -> Result<()> {
        if let (Part::Call(call), Some(new_call)) = (part, self.description.hooks.new_call) {
            let element = self.elements[around.element].here().value;
            let turns = &self.before.turns;
            self.splices.extend(new_call(self.editor, element, turns, around.new, call));
            return Ok(());
        }
        let (what, mut rules) = part.rules(self.description);
        if rules.len() > 1 {
            rules.sort_by_cached_key(|rule| self.unlikeness(part, *rule));
        }
        let mut refused = not_editable(what, &"this turn has no place for it");
        for rule in rules {
            let list = rule.list();
            let Some(own) = self.owner(around, list.of).cloned() else {
                continue;
            };
            let added = calls::may_be_new(self.description, rule)
                .and_then(|()| self.leaves(part, rule, around.new, None))
                .and_then(|leaves| {
                    let like = self.shows_form(rule);
                    self.new_element(&own, &NewPart { what, list, leaves, next, like })
                });
            match added {
                Ok(()) => return Ok(()),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }

    fn unlikeness(&self, part: Part<'_>, rule: Rule) -> Unlikeness {
        match (part, rule) {
            (Part::Act(act), Rule::Act(own)) => self.unlikeness_of_act(act, own),
            // A name of several parts is rather that of a place deep inside than has dots in it.
            (_, Rule::Slot(rule)) => (false, Reverse(rule.name.0.len()), Reverse(0), false),
            _ => (false, Reverse(0), Reverse(0), false),
        }
    }

    /// The best list is the one for its kind of slot by the ontology, then one whose acts have the slot, then one of acts
    /// with values if it has one.
    fn unlikeness_of_act(&self, act: &Act, rule: &'static ActRule) -> Unlikeness {
        let slot = act.slots.first().map(|slot| slot.slot.clone());
        let has_value = act.slots.iter().any(|slot| slot.value.is_some());
        // Without the intent: the domain.
        let domain = |name: &str| name.split_once('.').map(|(_, domain)| domain.to_owned());
        let (mut alike, mut of_slot) = (0, 0);
        self.each(Rule::Act(rule).list(), &mut |trail| {
            let name = joined(&rule.name, trail);
            let own = rule.slot.as_ref().map(|at| trail.text(at));
            let value = rule.values.as_ref().is_some_and(|at| trail.find(at).is_some());
            if slot.is_none() {
                // It may get a slot and a value later.
                alike += usize::from(name == act.name);
            } else if own == slot && value == has_value {
                of_slot += 1;
                alike += usize::from(domain(&name) == domain(&act.name));
            }
        });
        let whole = domain(&act.name).zip(slot.as_ref());
        let whole = whole.map(|(domain, slot)| format!("{domain}.{slot}"));
        let is_closed = self.slots.zip(whole).and_then(|(slots, whole)| slots.get(&whole));
        let kinds = is_closed.zip(rule.categorical.as_ref());
        let is_other_kind = has_value && kinds.is_some_and(|(slot, own)| slot != own);
        let takes_value = slot.is_none() || rule.values.is_some() == has_value;
        (is_other_kind, Reverse(alike), Reverse(of_slot), !takes_value)
    }

    /// Returns the element of the text that has such parts of a turn.
    fn owner(&self, around: Around<'_>, of: Option<&str>) -> Option<&Trail<'a>> {
        match of {
            Some("turn-before") => self.elements.get(around.element + 1),
            Some(role) if around.old.speaker.role.name() != role => None,
            _ => self.elements.get(around.element),
        }
    }

    /// Returns the rule and the way by which a part of a turn was read.
    fn find(&self, around: Around<'_>, part: Part<'_>) -> Option<(Rule, Trail<'a>)> {
        let (what, rules) = part.rules(self.description);
        for (number, rule) in rules.into_iter().enumerate() {
            let last = match rule.list().of {
                // An element between may be no turn.
                Some("turn-before") => self.elements.len() - 1,
                _ => around.element,
            };
            for element in around.element..=last {
                let mut known = self.ways.parts.borrow_mut();
                let own = known.entry((element, what, number));
                let own = own.or_insert_with(|| self.ways_to(element, rule));
                if let Some(trail) = own.get(&part.at().start) {
                    return Some((rule, trail.clone()));
                }
            }
        }
        None
    }

    /// Returns the ways to the parts of an element that a rule reads.
    fn ways_to(&self, element: usize, rule: Rule) -> WaysByStart<'a> {
        let List { at, when, .. } = rule.list();
        let mut ways = WaysByStart::new();
        each(&mut self.elements[element].clone(), at, when, &mut |trail| {
            if rule.fits(trail) {
                let start = trail.here().value.range().start;
                ways.entry(start).or_insert_with(|| trail.clone());
            }
        });
        ways
    }

    /// Calls `visit` at each element of a list, in all of the dialog.
    pub fn each(&self, list: List, visit: &mut dyn FnMut(&mut Trail<'a>)) {
        for trail in self.elements {
            each(&mut trail.clone(), list.at, list.when, visit);
        }
    }

    /// Returns the first element of a list in the dialog, which shows the form of one.
    pub fn like(&self, list: List) -> Option<Trail<'a>> {
        self.elements.iter().find_map(|way| {
            let mut found = None;
            each(&mut way.clone(), list.at, list.when, &mut |trail| {
                found.get_or_insert_with(|| trail.clone());
            });
            found
        })
    }
}
