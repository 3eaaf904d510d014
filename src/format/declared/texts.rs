//! The text of a turn: one value, or the elements of a list, which are joined.

use std::borrow::Cow;

use super::description::{TextRule, TurnRule};
use super::forms::PlaceOr;
use super::place::Place;
use super::trail::{Found, Trail};
use super::writer::Writer;
use crate::dialog::EditError;
use crate::format::engine::edit::not_editable;
use crate::json::{NewValue, NodeKind, Splice, Value};

impl PlaceOr<TextRule> {
    pub fn at(&self) -> &Place {
        match self {
            Self::Place(at) | Self::Table(TextRule { at, .. }) => at,
        }
    }

    /// Returns the text between its parts, if it has parts.
    pub fn separator(&self) -> Option<&str> {
        match self {
            Self::Place(_) => None,
            Self::Table(rule) => Some(&rule.separator),
        }
    }
}

impl TurnRule {
    /// Returns the value that holds the text: a string, or the list of its parts.
    pub fn text_value<'a>(&self, trail: &Trail<'a>) -> Option<Value<'a>> {
        let at = self.text.at();
        match self.text.separator() {
            None => trail.find(at).and_then(Found::value),
            Some(_) => trail.find_of(at, at.steps.len().checked_sub(1)?),
        }
    }

    /// Returns the text in the value that holds it; None if there is none.
    pub fn text_in<'a>(&self, value: Value<'a>) -> Option<Cow<'a, str>> {
        let Some(separator) = self.text.separator() else {
            return value.as_str();
        };
        let parts: Vec<_> = value.elements().filter_map(Value::as_str).collect();
        (value.kind() == NodeKind::Array).then(|| parts.join(separator).into())
    }
}

impl<'a> Writer<'a, '_> {
    /// Sets a text that is joined: tokens are those of the new text, and of other parts, such as sentences, one
    /// may change.
    ///
    /// # Errors
    /// If several parts would change, so that nothing says where one ends.
    pub fn set_joined_text(
        &self,
        trail: &Trail<'a>,
        rule: &TurnRule,
        text: &str,
    ) -> Result<Vec<Splice>, EditError> {
        let refuse = |reason: &str| not_editable("the text", &reason);
        let list = rule.text_value(trail);
        let list = list.filter(|list| list.kind() == NodeKind::Array);
        let list = list.ok_or_else(|| refuse("the list of its parts is not there"))?;
        let separator = rule.text.separator().unwrap_or_default();
        let parts: Option<Vec<_>> = list.elements().map(Value::as_str).collect();
        let parts = parts.ok_or_else(|| refuse("not all of its parts are texts"))?;
        if parts.is_empty() {
            let new = NewValue::String(text.to_owned());
            return Ok(vec![self.editor.insert(list, 0, &[new], None)]);
        }
        let is_part = |part: &Cow<'_, str>| !part.contains(separator);
        if !separator.is_empty() && parts.iter().all(is_part) {
            let tokens: Vec<_> = text.split(separator).collect();
            return Ok(self.editor.set_strings(list, &tokens));
        }
        for (number, value) in list.elements().enumerate() {
            let (before, after) = (&parts[..number], &parts[number + 1..]);
            let mut rest = Some(text);
            for part in before {
                rest = rest.and_then(|rest| rest.strip_prefix(&**part)?.strip_prefix(separator));
            }
            for part in after.iter().rev() {
                rest = rest.and_then(|rest| rest.strip_suffix(&**part)?.strip_suffix(separator));
            }
            if let Some(new) = rest {
                return Ok(vec![self.editor.set_string(value, new)]);
            }
        }
        let reason = format!(
            "it is joined from `{}`, and more than one of them would change; change one at a time",
            rule.text.at()
        );
        Err(refuse(&reason))
    }
}
