//! Writes the text of a turn: one value, or parts that are joined, perhaps with the name of its speaker or the reasoning
//! of a model before it.

use super::leaves::Val;
use super::{Result, Writer};
use crate::dialog::{Content, EditError, Turn};
use crate::format::declared::description::TurnRule;
use crate::format::declared::place::Place;
use crate::format::declared::texts::{LINE, list_of_parts, text_place};
use crate::format::declared::trail::Trail;
use crate::format::engine::compare::Change;
use crate::format::engine::edit::not_editable;
use crate::format::texts::reasoning;
use crate::json::Value;

impl<'a> Writer<'a, '_> {
    pub fn text(
        &mut self,
        rule: &'static TurnRule,
        trail: &Trail<'a>,
        change: Change<'_, Turn>,
    ) -> Result<()> {
        let Change { old, new } = change;
        let is_renamed = rule.prefix.is_some() && old.speaker.name != new.speaker.name;
        let has_new_thought = reasoning::new_thought(old, new).is_some();
        if old.text == new.text && !is_renamed && !has_new_thought {
            return Ok(());
        }
        if let Some(reason) = &rule.read_only {
            return Err(not_editable("the text", reason));
        }
        if let Some(texts) = self.description.hooks.texts {
            return self.text_in_values(&texts(trail.here().value), rule, trail, change);
        }
        let at = text_place(rule.text.at(), trail);
        let whole = rule.text_value(trail).and_then(|value| rule.text_in(value, trail));
        let whole = whole.unwrap_or_default();
        let text = if is_renamed || rule.parted(&whole).is_some() {
            rule.with_prefix(&new.speaker.name, &new.text)
        } else {
            reasoning::with_thought(&whole, old, new)
        };
        self.copies(rule, trail, (at, &whole), &text);
        if at.is_several() {
            return self.joined_text(rule, trail, at, &text);
        }
        self.set(trail, at, "the text", &Val::Text(text)).map(drop)
    }

    /// Sets the copies of a text at other places, which are not shown beside it.
    fn copies(&mut self, rule: &TurnRule, trail: &Trail<'a>, (at, old): (&Place, &str), new: &str) {
        let others = rule.text.at().all().filter(|place| **place != *at && !place.is_several());
        let values = others.filter_map(|place| trail.find_only(place)?.value());
        let copies = values.filter(|value| !old.is_empty() && value.is_text(old));
        for copy in copies {
            self.splices.push(self.editor.set_string(copy, new));
        }
    }

    /// Sets the text of a turn that is joined from these values. Where there are none, it gets the first place of a text.
    fn text_in_values(
        &mut self,
        values: &[Value<'a>],
        rule: &'static TurnRule,
        trail: &Trail<'a>,
        Change { old, new }: Change<'_, Turn>,
    ) -> Result<()> {
        let whole = values.first().filter(|_| values.len() == 1).and_then(|only| only.as_str());
        let text = reasoning::with_thought(&whole.unwrap_or_default(), old, new);
        if values.is_empty() {
            let first = Place { or: Vec::new(), ..rule.text.at().clone() };
            return self.set(trail, &first, "the text", &Val::Text(text)).map(drop);
        }
        self.joined(values, LINE, &text).ok_or_else(several_change)
    }

    /// Changes the only one of several texts that differs from those that a text is joined from; None if more differ.
    pub fn joined(&mut self, values: &[Value<'a>], separator: &str, text: &str) -> Option<()> {
        let parts: Vec<_> = values.iter().map(|value| value.as_str()).collect::<Option<_>>()?;
        for (number, value) in values.iter().enumerate() {
            let before = parts[..number]
                .iter()
                .try_fold(text, |rest, part| rest.strip_prefix(&**part)?.strip_prefix(separator));
            let behind = parts[number + 1..].iter().rev();
            let new = behind
                .fold(before, |rest, part| rest?.strip_suffix(&**part)?.strip_suffix(separator));
            if let Some(new) = new {
                self.splices.push(self.editor.set_string(*value, new));
                return Some(());
            }
        }
        None
    }

    /// Sets a text that is joined: tokens are those of the new text, and of other parts, such as sentences, one may change.
    fn joined_text(
        &mut self,
        rule: &TurnRule,
        trail: &Trail<'a>,
        at: &Place,
        text: &str,
    ) -> Result<()> {
        let separator = rule.text.separator().unwrap_or(LINE);
        let values = if at.is_one_list() {
            list_of_parts(at, trail).into_iter().flat_map(Value::elements).collect()
        } else {
            rule.spoken(at, trail)
        };
        let parts: Vec<_> = values.iter().filter_map(|value| value.as_str()).collect();
        // The only text of a list may have several lines.
        let is_only = rule.text.separator().is_none() && parts.len() == 1;
        let are_tokens =
            !is_only && !separator.is_empty() && !parts.iter().any(|part| part.contains(separator));
        if at.is_one_list() && (parts.is_empty() || are_tokens) {
            let tokens: Vec<_> =
                if parts.is_empty() { vec![text] } else { text.split(separator).collect() };
            let tokens = tokens.into_iter().map(|token| Content::Text(token.into())).collect();
            return self.set(trail, at, "the text", &Val::List(tokens)).map(drop);
        }
        self.joined(&values, separator, text).ok_or_else(several_change)
    }
}

fn several_change() -> EditError {
    not_editable("the text", &"several parts of the text would change; change one part at a time")
}
