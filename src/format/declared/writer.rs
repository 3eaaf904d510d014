//! Finds the parts that an edit changes by their places, and sets, adds and removes values there.
//!
//! A value that a place points at can be written. A part that is shared with other elements (`^`), alternates or is
//! given by the description cannot, and the refusal says so.

use super::description::{Description, TurnRule};
use super::forms::{Is, Parts};
use super::place::{Place, Step, Target};
use super::texts::text_place;
use super::trail::{Found, Trail, each};
use super::write::names::{Part, split};
use crate::dialog::{EditError, Turn};
use crate::format::engine::edit::{EditedDialog, not_editable};
use crate::format::engine::read::extent;
use crate::format::families::chat::call_answered_at;
use crate::json::{Editor, NewValue, NodeKind, Splice, Value};

/// Writes one edit.
pub struct Writer<'a, 'w> {
    pub description: &'static Description,
    pub editor: &'w Editor<'a>,
    pub edited: &'w EditedDialog<'w>,
}

impl<'a> Writer<'a, '_> {
    /// Returns the way to the element that holds a turn.
    pub fn trail_of(&self, turn: &Turn) -> Result<Trail<'a>, EditError> {
        let start = turn.whole().start;
        let mut elements = self.elements().into_iter();
        let found = elements.find(|trail| trail.here().value.range().start == start);
        found.ok_or_else(|| not_editable("the turn", &"it is not there"))
    }

    /// Returns the text of a turn that the user says before all others; None for another turn.
    pub fn opening(&self, turn: &Turn) -> Option<Value<'a>> {
        let root = self.editor.tree().root();
        let opening = self.description.opening(&Trail::new(root, None))?;
        (opening.range().start == turn.at.start).then_some(opening)
    }

    /// Returns the ways to the elements that may hold turns.
    pub fn elements(&self) -> Vec<Trail<'a>> {
        let tree = self.editor.tree();
        let mut trail = Trail::new(self.description.root(tree.root()), tree.key());
        let mut elements = Vec::new();
        self.description.each_turn(&mut trail, &mut |trail| {
            let mut own = trail.clone();
            own.enter_turn(elements.len());
            elements.push(own);
        });
        let turns = Some(elements.len());
        for trail in &mut elements {
            trail.turns = turns;
        }
        elements
    }

    /// Returns the rule that a turn of an element was read by.
    pub fn rule_of(&self, trail: &Trail<'a>, turn: &Turn) -> &'static TurnRule {
        let rules = &self.description.turn.0;
        let is_text = |rule: &&TurnRule| {
            let value = rule.text_value(trail);
            value.is_some_and(|value| value.range().start == turn.at.start)
        };
        match rules.as_slice() {
            [only] => only,
            several => several.iter().find(is_text).unwrap_or(&several[0]),
        }
    }

    /// Returns the turn whose call has the text of a turn as its response.
    pub fn answered_by_text(&self, turn: usize) -> Option<usize> {
        let turns = &self.edited.before.turns;
        let trail = self.trail_of(&turns[turn]).ok()?;
        let rule = self.rule_of(&trail, &turns[turn]);
        let at = text_place(rule.text.at(), &trail);
        let texts = if at.is_several() {
            rule.spoken(at, &trail)
        } else {
            rule.text_value(&trail).into_iter().collect()
        };
        let mut texts = texts.into_iter();
        texts.find_map(|text| Some(call_answered_at(turns, turn, extent(text))?.0))
    }

    /// Sets the speaker of the turn.
    pub fn set_speaker(&self) -> Result<Vec<Splice>, EditError> {
        let (before, after) = self.edited.turns();
        let trail = self.trail_of(before)?;
        let rule = self.rule_of(&trail, before);
        if rule.prefix.is_some() {
            return self.set_prefix(rule, &trail);
        }
        let Some(place) = &rule.speaker else {
            let reason = "the order of the turns says who speaks";
            return Err(not_editable("the speaker", &reason));
        };
        // A list beside the turns has a name for each.
        if place.up > 0 && !place.steps.contains(&Step::SamePosition) {
            let reason = format!("`{place}` is shared with other elements");
            return Err(not_editable("the speaker", &reason));
        }
        let name = &after.speaker.name;
        check_kind(&rule.is, place, "the speaker", name)?;
        let (turns, turn) = (&self.edited.before.turns, self.edited.edit.turn());
        if before.text.is_empty()
            && let Some((asked, _)) = call_answered_at(turns, turn, before.at)
        {
            let reason = format!("it holds the response of a call in turn {asked}");
            return Err(not_editable("the speaker", &reason));
        }
        let old = trail.find(place).and_then(Found::value);
        if old.is_some() && trail.find_only(place).is_none() {
            let reason = format!("there is no `{}`", place.first_text());
            return Err(not_editable("the speaker", &reason));
        }
        if old.is_some_and(|old| old.kind() == NodeKind::Number) && name.parse::<u64>().is_err() {
            let reason = "the speakers of this dialog are numbers";
            return Err(not_editable("the speaker", &reason));
        }
        Ok(vec![self.set(&trail, place, "the speaker", name)?])
    }

    /// Sets the value at a place to `text`, or adds the member that it names.
    pub fn set(
        &self,
        trail: &Trail<'a>,
        place: &Place,
        what: &'static str,
        text: &str,
    ) -> Result<Splice, EditError> {
        self.set_value(trail, place, what, &NewValue::String(text.to_owned()))
    }

    /// Like [`Self::set`], for any value.
    pub fn set_value(
        &self,
        trail: &Trail<'a>,
        place: &Place,
        what: &'static str,
        new: &NewValue,
    ) -> Result<Splice, EditError> {
        match (trail.find(place), new) {
            (Some(Found::Value(value)), NewValue::String(text)) => Ok(self.replace(value, text)),
            (Some(Found::Value(value)), new) => Ok(self.editor.replace(value, new)),
            (Some(Found::Key(key)), NewValue::String(text)) if place.up == 0 => {
                Ok(self.editor.set_string(key, text))
            }
            (Some(_), _) => {
                Err(not_editable(what, &format!("`{place}` is shared with other elements")))
            }
            (None, _) if !place.or.is_empty() => Err(not_editable(
                what,
                &format!("it is not there, and `{place}` are several places"),
            )),
            (None, new) => self.add(trail, place, what, new),
        }
    }

    /// Replaces a value by a text. A number, true or false stays one if the text is one.
    pub fn replace(&self, value: Value<'a>, text: &str) -> Splice {
        let is_scalar = matches!(value.kind(), NodeKind::Number | NodeKind::True | NodeKind::False);
        let same_kind = matches!(text, "true" | "false") || text.parse::<f64>().is_ok();
        let new = if is_scalar && same_kind {
            NewValue::Raw(text.to_owned())
        } else {
            NewValue::String(text.to_owned())
        };
        if value.is_text(text) {
            return Splice::new(0..0, "");
        }
        self.editor.replace(value, &new)
    }

    fn add(
        &self,
        trail: &Trail<'a>,
        place: &Place,
        what: &'static str,
        new: &NewValue,
    ) -> Result<Splice, EditError> {
        let missing = || not_editable(what, &format!("there is no `{place}` in the text"));
        let (last, before) = place.steps.split_last().ok_or_else(missing)?;
        let Step::Member(name) = last else {
            return Err(missing());
        };
        let parent = trail.find_of(place, before.len()).ok_or_else(missing)?;
        if parent.kind() != NodeKind::Object {
            return Err(missing());
        }
        let like = self.editor.holder(name, parent);
        Ok(self.editor.add_member(parent, name, new, like))
    }

    /// Sets a name that is joined from `parts`.
    pub fn set_joined(
        &self,
        trail: &Trail<'a>,
        parts: &Parts,
        what: &'static str,
        name: &str,
    ) -> Result<Vec<Splice>, EditError> {
        let known: Vec<Part> = parts
            .0
            .iter()
            .filter_map(|place| {
                let found = trail.find(place);
                let text = found.map(|found| found.text().to_string());
                let is_own = place.up == 0 && place.target != Target::Index;
                match text {
                    Some(text) if is_own => Some(Part::Own(Some(text))),
                    Some(text) => Some(Part::Fixed(text)),
                    None => None,
                }
            })
            .collect();
        let places = parts.0.iter().filter(|place| trail.find(place).is_some());
        let Some(texts) = split(name, &known) else {
            return Err(not_editable(what, &unfit(name, parts, &known)));
        };
        let mut splices = Vec::new();
        for ((place, part), text) in places.zip(&known).zip(texts) {
            if let Part::Own(old) = part
                && old.as_deref() != Some(text.as_str())
            {
                splices.push(self.set(trail, place, what, &text)?);
            }
        }
        Ok(splices)
    }

    /// Removes elements at `at` from their containers.
    pub fn remove(&self, at: &Place, elements: &[Trail<'a>]) -> Result<Vec<Splice>, EditError> {
        if !at.steps.last().is_some_and(Step::is_several) {
            let reason = format!("`{at}` is not a list");
            return Err(not_editable("it", &reason));
        }
        let mut containers: Vec<(Value<'a>, Vec<usize>)> = Vec::new();
        for trail in elements {
            let start = trail.here().value.range().start;
            let parent = trail.parent().map(|stop| stop.value);
            let place = parent.and_then(|parent| {
                let is_it = |value: Value<'_>| value.range().start == start;
                let place = match parent.kind() {
                    NodeKind::Array => parent.elements().position(is_it),
                    _ => parent.members().position(|(_, value)| is_it(value)),
                };
                Some((parent, place?))
            });
            let Some((parent, place)) = place else {
                return Err(not_editable("it", &"it is not in a list"));
            };
            let own = parent.range().start;
            match containers.iter_mut().find(|(c, _)| c.range().start == own) {
                Some((_, places)) => places.push(place),
                None => containers.push((parent, vec![place])),
            }
        }
        let mut splices = Vec::new();
        for (container, mut places) in containers {
            places.sort_unstable();
            let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
            for place in places {
                match ranges.last_mut() {
                    // Neighbours share a comma.
                    Some(last) if last.end == place => last.end += 1,
                    _ => ranges.push(place..place + 1),
                }
            }
            let removed = ranges.into_iter();
            splices.extend(removed.map(|range| self.editor.remove(container, range)));
        }
        Ok(splices)
    }
}

/// Returns the way to the element at `at` that starts at byte `start`.
pub fn element<'a>(
    trail: &Trail<'a>,
    at: &Place,
    when: Option<&Place>,
    start: u32,
) -> Option<Trail<'a>> {
    let mut found = None;
    each(&mut trail.clone(), at, when, &mut |trail| {
        if found.is_none() && trail.here().value.range().start == start {
            found = Some(trail.clone());
        }
    });
    found
}

/// Refuses a value at a place that tells what an element is, unless it is one of those that the place may have.
pub fn check_kind(is: &Is, place: &Place, what: &'static str, new: &str) -> Result<(), EditError> {
    let known = is.0.iter().find(|(at, _)| at == place);
    match known.filter(|(_, values)| values.0.iter().all(|value| value != new)) {
        None => Ok(()),
        Some((_, values)) => {
            let reason = format!("it would be none of {}", values.0.join(", "));
            Err(not_editable(what, &reason))
        }
    }
}

/// Why a name does not fit the parts that it is joined from.
fn unfit(name: &str, parts: &Parts, known: &[Part]) -> String {
    let shown = known.iter().map(|part| match part {
        Part::Fixed(text) => text.clone(),
        Part::Own(_) => "…".to_owned(),
    });
    let shown: Vec<_> = shown.collect();
    let places: Vec<_> = parts.0.iter().map(ToString::to_string).collect();
    format!(
        "{name:?} is not of the form `{}`, as it is joined from `{}`",
        shown.join("."),
        places.join("`, `")
    )
}

/// True if a rule's `of` means this turn.
pub fn is_of(of: Option<&str>, turn: &Turn) -> bool {
    match of {
        None | Some("turn-before") => true,
        Some(role) => turn.speaker.role.name() == role,
    }
}
