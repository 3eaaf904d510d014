//! The condition that a user is typing, for completion.

use std::borrow::Cow;
use std::ops::Range;

use super::ConditionKey;
use super::print::value;
use super::scan::quoted;

/// A condition with a colon in a query that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedCondition<'a> {
    /// The name of one of [`CONDITIONS`](super::CONDITIONS).
    pub key: &'static str,
    /// The value as far as it is typed, up to a comparison.
    pub value: Cow<'a, str>,
    /// The range of the value in the input, in bytes, with its quotes.
    range: Range<usize>,
}

impl<'a> TypedCondition<'a> {
    /// Returns the condition at the end of the input, which the user is still typing.
    pub fn last_of(text: &'a str) -> Option<Self> {
        let is_key = |at: &usize| {
            let before = text[..*at].chars().next_back();
            before.is_none_or(|c| c.is_whitespace() || "(-".contains(c))
        };
        let starts = text.char_indices().map(|(at, _)| at).filter(is_key);
        // Of a quoted value that contains a key, the outer one counts.
        let mut past = 0;
        let mut last = None;
        for start in starts {
            if start < past {
                continue;
            }
            let Some(condition) = Self::at(text, start) else {
                continue;
            };
            past = condition.range.end;
            last = Some(condition);
        }
        last.filter(|last| last.range.end == text.len())
    }

    /// Returns the condition that begins at `start`, if there is one.
    fn at(text: &'a str, start: usize) -> Option<Self> {
        let rest = &text[start..];
        let (name, behind) = rest.split_once(':')?;
        let key = ConditionKey::named(name).filter(|key| key.has_colon())?;
        let from = start + name.len() + 1;
        let ends = |c: char| c.is_whitespace() || "()=<>!".contains(c);
        let (value, len) = quoted(behind).unwrap_or_else(|| {
            let len = behind.find(ends).unwrap_or(behind.len());
            (behind[..len].into(), len)
        });
        Some(Self { key: key.name, value, range: from..from + len })
    }

    /// Returns the input with another value in this condition.
    pub fn replaced(&self, text: &str, by: &str) -> String {
        let Range { start, end } = self.range;
        format!("{}{}{}", &text[..start], value(by), &text[end..])
    }
}
