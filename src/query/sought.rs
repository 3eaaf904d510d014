//! The texts that a query searches for, which lists and the screen mark.

use std::ops::Range;

use super::Pattern;
use super::expression::{Condition, Query, Wanted};
use super::places::{InJson, TextKind, TextPlace, any_text};
use super::value::RegexPattern;
use crate::dialog::Dialog;

/// A text or regular expression that a query searches for, and the kind of text it is restricted to.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    what: SoughtText,
    within: Option<TextKind>,
}

#[derive(Clone, Debug, PartialEq)]
enum SoughtText {
    Text(Pattern),
    Regex(RegexPattern),
}

impl Sought {
    /// Returns the text of a condition; None if it is about anything else.
    pub(super) fn of(condition: &Condition, within: Option<TextKind>) -> Option<Self> {
        let what = match condition {
            Condition::Text(pattern) => SoughtText::Text(pattern.clone()),
            Condition::Regex(regex) => SoughtText::Regex(regex.clone()),
            // A plain result is searched for the name.
            Condition::Has(Wanted { key, name: Some(name), test: None })
                if key.name == "result" =>
            {
                SoughtText::Text(Pattern::new(name.literal()))
            }
            _ => return None,
        };
        Some(Self { what, within })
    }

    /// True if a text at a place of a turn contains it.
    pub(super) fn is_at(&self, dialog: &Dialog, turn: usize, place: TextPlace) -> bool {
        let json = self.in_json();
        any_text(dialog, turn, place, json, &mut |text| self.is_in(text))
    }

    pub(super) fn in_json(&self) -> InJson {
        match self.what {
            SoughtText::Text(_) => InJson::Escaped,
            SoughtText::Regex(_) => InJson::Values,
        }
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.what {
            SoughtText::Text(pattern) => pattern.is_in(text),
            SoughtText::Regex(regex) => regex.regex.is_match(text),
        }
    }

    /// Returns its occurrences in `text`, in bytes, that are not empty.
    pub fn find_all(&self, text: &str) -> Vec<Range<usize>> {
        match &self.what {
            SoughtText::Text(pattern) => pattern.find_all(text),
            SoughtText::Regex(regex) => {
                let found = regex.regex.find_iter(text).map(|found| found.range());
                found.filter(|range| !range.is_empty()).collect()
            }
        }
    }

    /// Returns whether it is searched for in texts of a kind.
    pub fn looks_into(&self, kind: TextKind) -> bool {
        self.within.is_none_or(|within| within == kind)
    }
}

impl Query {
    /// Collects the conditions whose places show why a turn matches, and the kind of text that each is restricted
    /// to.
    pub(super) fn shown<'q>(
        &'q self,
        within: Option<TextKind>,
        conditions: &mut Vec<(&'q Condition, Option<TextKind>)>,
    ) {
        match self {
            Self::Is(condition) => conditions.push((condition, within)),
            Self::All(parts) | Self::Any(parts) => {
                let within = match self {
                    Self::All(parts) => Self::restricted(parts, within),
                    _ => within,
                };
                for part in parts {
                    part.shown(within, conditions);
                }
            }
            Self::Then { later: turn, .. } | Self::NotBefore { turn, .. } => {
                turn.shown(within, conditions);
            }
            Self::Not(_) | Self::InDialog(_) => {}
        }
    }

    /// Returns the texts whose occurrences show why a turn matches.
    pub fn sought(&self) -> Vec<Sought> {
        let mut shown = Vec::new();
        self.shown(None, &mut shown);
        let sought = shown.into_iter();
        sought.filter_map(|(condition, within)| Sought::of(condition, within)).collect()
    }

    /// True if it searches the comments of votes and the notes of judgements, which may be in other files.
    pub fn reads_comments(&self) -> bool {
        self.has(|condition| match condition {
            Condition::Text(_) | Condition::Regex(_) => true,
            Condition::In(kind) => *kind == TextKind::Comment,
            Condition::Has(_) => false,
        })
    }
}
