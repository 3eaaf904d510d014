//! Writes segments through their places.

use super::description::{Quoted, SpanRule};
use super::new::NewParts;
use super::offsets;
use super::place::Step;
use super::shape::offset;
use super::trail::{Found, Trail};
use super::writer::{Writer, element, is_of};
use crate::dialog::{Edit, EditError, Segment, Short, Span, Turn};
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Splice};
use crate::text::Units;

impl<'a> Writer<'a, '_> {
    /// Returns the rule and the way by which a segment was read.
    pub fn segment(
        &self,
        turn_trail: &Trail<'a>,
        turn: &Turn,
        segment: &Segment,
    ) -> Result<(&'static SpanRule, Trail<'a>), EditError> {
        for rule in &self.description.span.0 {
            if !is_of(rule.of.as_deref(), turn) {
                continue;
            }
            if let Some(trail) = element(turn_trail, &rule.at, rule.when.as_ref(), segment.at.start)
            {
                return Ok((rule, trail));
            }
        }
        Err(not_editable("the segment", &"it is not there"))
    }

    pub fn segments(&self) -> Result<Vec<Splice>, EditError> {
        let (before, after) = self.edited.turns();
        let trail = self.trail_of(before)?;
        match self.edited.edit {
            Edit::SetSpan { segment, .. } | Edit::SetQuote { segment, .. } => {
                let (old, new) = (&before.segments[*segment], &after.segments[*segment]);
                let (rule, element) = self.segment(&trail, before, old)?;
                self.span(rule, &element, old, new, after)
            }
            Edit::RemoveSegment { segment, .. } => {
                let (rule, element) = self.segment(&trail, before, &before.segments[*segment])?;
                self.remove(&rule.at, &[element])
            }
            Edit::SetLabels { segment, labels, .. } => {
                let (rule, element) = self.segment(&trail, before, &before.segments[*segment])?;
                self.labels(rule, &element, labels)
            }
            Edit::AddSegment { labels, .. } => {
                let (place, new) = self.edited.new_segment().unwrap_or((0, &after.segments[0]));
                let next = before.segments.get(place).map(|next| next.at.start);
                self.add_segment(&trail, before, (new, next), after, labels)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// Writes a changed span, and the quote that follows it.
    pub fn span(
        &self,
        rule: &SpanRule,
        trail: &Trail<'a>,
        before: &Segment,
        after: &Segment,
        turn: &Turn,
    ) -> Result<Vec<Splice>, EditError> {
        let mut splices = Vec::new();
        if let Some(span) = after.span {
            let (start, end) = offsets::written(rule, span, turn);
            for (place, number, what) in
                [(&rule.start, start, "the start"), (&rule.end, end, "the end")]
            {
                match trail.find(place).and_then(Found::value) {
                    Some(value) if offset(value) == Some(number) => {}
                    Some(value) => splices.push(self.editor.set_integer(value, number.into())),
                    None => {
                        let number = NewValue::Integer(number.into());
                        splices.push(self.set_value(trail, place, what, &number)?);
                    }
                }
            }
        }
        let Some(place) = &rule.quote else {
            return Ok(splices);
        };
        if after.quote.is_some() && before.quote != after.quote {
            let quote = self.quote(after, turn);
            splices.push(self.set_value(trail, place, "the quote", &quote)?);
        }
        Ok(splices)
    }

    /// Returns the quoted text of a segment. Half of a surrogate pair reads as U+FFFD, so the text is copied.
    pub fn quote(&self, segment: &Segment, turn: &Turn) -> NewValue {
        let units = self.edited.before.units;
        let quote = match (&segment.quote, segment.span) {
            (Some(quote), _) => quote.clone(),
            (None, Some(span)) => turn.covered(span, units).unwrap_or_default(),
            (None, None) => Short::default(),
        };
        let text = self.editor.tree().value_at(turn.at.start);
        let text = text.and_then(|value| {
            let trail = self.trail_of(turn).ok()?;
            let rule = self.rule_of(&trail, turn);
            rule.text_value(&trail).or(Some(value))
        });
        match (text, segment.span) {
            (Some(text), Some(span))
                if units == Units::CodePoints
                    && text.kind() == NodeKind::String
                    && quote.contains(char::REPLACEMENT_CHARACTER) =>
            {
                self.editor.quote(text, span.range())
            }
            _ => NewValue::String(quote.into()),
        }
    }

    fn labels(
        &self,
        rule: &SpanRule,
        trail: &Trail<'a>,
        labels: &[String],
    ) -> Result<Vec<Splice>, EditError> {
        if let [list] = rule.label.0.as_slice()
            && list.is_several()
        {
            let names: Vec<_> = labels.iter().map(String::as_str).collect();
            let array = match list.steps.split_last() {
                Some((Step::Elements, before)) => trail.find_of(list, before.len()),
                _ => None,
            };
            let array = array.filter(|array| array.elements().next().is_some());
            return match array {
                Some(array) => Ok(self.editor.set_strings(array, &names)),
                None => Err(not_editable("the labels", &"there is no list of them yet")),
            };
        }
        self.set_joined(trail, &rule.label, "the label", self.only(labels)?)
    }

    fn only<'l>(&self, labels: &'l [String]) -> Result<&'l str, EditError> {
        match labels {
            [label] => Ok(label),
            _ => Err(EditError::OneLabel { family: &self.description.name }),
        }
    }

    fn add_segment(
        &self,
        trail: &Trail<'a>,
        turn: &Turn,
        (segment, next): (&Segment, Option<u32>),
        after: &Turn,
        labels: &[String],
    ) -> Result<Vec<Splice>, EditError> {
        let span = segment.span.unwrap_or(Span { start: 0, end: 0 });
        let mut refused = not_editable("the segment", &"this turn has no place for it");
        for rule in &self.description.span.0 {
            if !is_of(rule.of.as_deref(), turn) {
                continue;
            }
            let (start, end) = offsets::written(rule, span, after);
            let quote = || match rule.quoted {
                Quoted::Exact => self.quote(segment, after),
                Quoted::Normalised => {
                    let covered = match self.edited.before.units {
                        Units::Tokens(_) => {
                            let tokens = after.tokens.get(span.range());
                            tokens.map(|tokens| tokens.join(" ").into())
                        }
                        units @ Units::CodePoints => after.covered(span, units),
                    };
                    NewValue::String(covered.unwrap_or_default().into())
                }
            };
            let mut parts = NewParts::new(rule.new.as_ref());
            parts.next = next;
            parts.add("start", &rule.start, NewValue::Integer(start.into()));
            parts.add("end", &rule.end, NewValue::Integer(end.into()));
            if let Some(place) = &rule.quote {
                parts.add("quote", place, quote());
                let like = self.neighbour(&rule.at, rule.when.as_ref());
                if like.is_some_and(|like| like.find(place).is_some()) {
                    parts.require("quote");
                }
            }
            let list = matches!(rule.label.0.as_slice(), [list] if list.is_several());
            let name = if list { "" } else { self.only(labels)? };
            if list {
                let names = labels.iter().cloned().map(NewValue::String).collect();
                parts.add("label", &rule.label.0[0], NewValue::Array(names));
            }
            let named = (!list).then_some((&rule.label, "label", name));
            match self.add_element(
                trail,
                &rule.at,
                rule.when.as_ref(),
                named,
                &parts,
                "the segment",
            ) {
                Ok(splices) => return Ok(splices),
                Err(error) => refused = error,
            }
        }
        Err(refused)
    }
}
