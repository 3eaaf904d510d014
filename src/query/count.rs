//! Counts which values hits have: of an argument, a label, a member.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::str::FromStr;

use super::asked::Asked;
use super::error::QueryProblem;
use super::expression::{Condition, LABEL, Query, Wanted};
use super::hits::Hit;
use super::keys::{About, CONDITIONS, ConditionKey, Found, Scope, Takes};
use super::target::Target;
use super::value::{NamePattern, Value, ValueTest};
use crate::dialog::Breakdown;
use crate::text::nearest;

/// The key, with a name for one of members, by whose values hits are counted.
#[derive(Clone, Debug, PartialEq)]
pub struct CountKey {
    text: String,
    key: &'static ConditionKey,
    name: Option<NamePattern>,
}

/// Returns the keys that no name follows.
fn plain() -> impl Iterator<Item = &'static ConditionKey> {
    // Notes are texts that hardly repeat.
    let is_counted = |key: &&ConditionKey| match key.takes {
        Takes::Name => key.name != "note",
        Takes::Letter => true,
        _ => key.name == LABEL,
    };
    CONDITIONS.iter().filter(is_counted)
}

/// Returns the keys that a name follows.
fn named() -> impl Iterator<Item = &'static ConditionKey> {
    CONDITIONS.iter().filter(|key| key.takes == Takes::Pair && key.name != LABEL)
}

impl FromStr for CountKey {
    type Err = String;

    /// Reads `label` or `arg:name.movie`.
    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(key) = plain().find(|key| key.name == text) {
            return Ok(Self { text: text.to_owned(), key, name: None });
        }
        match text.parse() {
            Ok(Query::Is(Condition::Has(Wanted { key, name: Some(name), test: None })))
                if !name.is_empty() && named().any(|other| other == key) =>
            {
                Ok(Self { text: text.to_owned(), key, name: Some(name) })
            }
            _ => Err(why_no_key(text)),
        }
    }
}

/// Returns why a text is not a key: what is wrong with it, and what to type.
fn why_no_key(text: &str) -> String {
    let (key, name) = text.split_once(':').unwrap_or((text, ""));
    if named().any(|of| of.name == key) {
        return match name.find(['=', '<', '>', '!']) {
            Some(at) if at > 0 => {
                format!("values are counted by name, as in `{key}:NAME`; leave out the comparison")
            }
            _ => format!("type a name after `{key}:`, as in `{key}:NAME`"),
        };
    }
    if plain().any(|of| of.name == key) {
        return format!("`{key}` takes no name; `{key}` alone counts all values");
    }
    let meant = nearest(key, named().chain(plain()).map(|of| of.name));
    let meant = meant.map_or_else(String::new, |near| format!("did you mean {near:?}? "));
    let named = named().map(|of| format!("{}:", of.name)).collect::<Vec<_>>().join(", ");
    let plain = plain().map(|of| of.name).collect::<Vec<_>>().join(", ");
    format!("unknown field {key:?}; {meant}(expected {named} with a name, or one of {plain})")
}

impl CountKey {
    /// Returns the key as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns what can be typed as a key: those that no name follows, and the beginnings of the others.
    pub fn known() -> impl Iterator<Item = (&'static str, bool)> {
        let plain = plain().map(|key| (key.name, false));
        plain.chain(named().map(|key| (key.name, true)))
    }

    /// True if votes, gold labels or other judgements are counted, which may be others'.
    pub fn is_about_judgements(&self) -> bool {
        matches!(self.key.about, About::Votes | About::Said | About::Answered)
    }

    /// Returns the condition that finds the turns with a value, or with any if it is None.
    ///
    /// # Errors
    /// If the value is too long.
    pub fn condition(&self, value: Option<&str>) -> Result<Query, QueryProblem> {
        let of = |name, test| Ok(Query::Is(Condition::Has(Wanted { key: self.key, name, test })));
        if let Some(name) = &self.name {
            let test = value.map(|value| NamePattern::whole(value).map(ValueTest::Is));
            return of(Some(name.clone()), test.transpose()?);
        }
        let letter = |label: Breakdown| of(Some(NamePattern::new(label.letter())?), None);
        match (self.key.takes, value) {
            (Takes::Letter, Some(value)) if Breakdown::from_letter(value).is_some() => {
                of(Some(NamePattern::new(value)?), None)
            }
            (Takes::Letter, _) => {
                let all = [Breakdown::O, Breakdown::T, Breakdown::X].into_iter().map(letter);
                Ok(Query::Any(all.collect::<Result<_, _>>()?))
            }
            (_, Some(value)) => of(Some(NamePattern::whole(value)?), None),
            (_, None) => of(Some(NamePattern::new("?*")?), None),
        }
    }

    /// For each of these turns, the values of a hit: of its call or segment if it is in one, or else of the turn. Of a
    /// list, those are its elements.
    fn values(
        &self,
        target: &Target<'_>,
        turns: Range<usize>,
        hit: Option<&Hit>,
    ) -> Vec<BTreeSet<String>> {
        // Labels are counted themselves, and not their texts.
        let is_label = self.key.name == LABEL;
        let is_here = |found: &Found<'_>| {
            let is_of = |own: Option<usize>, other: Option<usize>| {
                own.is_none() || other.is_none() || own == other
            };
            hit.is_none_or(|hit| {
                is_of(hit.call, found.place.call()) && is_of(hit.segment, found.segment)
            })
        };
        let asked = Asked { key: self.key, name: self.name.as_ref(), wants_values: false };
        let value = &mut |found: &Found<'_>| {
            let text = match found.value {
                _ if is_label => found.path,
                Value::Text(text) => text,
                Value::Open(text) if !text.starts_with('[') => text,
                _ => return None,
            };
            // A member may be empty, and a dialog has no name then.
            let has_name = self.name.is_some() || !text.is_empty();
            (has_name && is_here(found)).then(|| text.to_owned())
        };
        let kept = asked.kept(target, turns, value);
        kept.into_iter().map(|values| values.into_iter().collect()).collect()
    }
}

/// How many hits have which value.
#[derive(Debug, Default)]
pub struct ValueCounts {
    counts: HashMap<String, usize>,
    /// The number of hits without any value.
    pub without: usize,
    /// The number of hits.
    pub hits: usize,
}

/// Returns a value as tables show it: in quotes if it is empty, or has spaces at an end, which cannot be seen.
pub fn shown_value(value: &str) -> Cow<'_, str> {
    if value.is_empty() || value.trim() != value {
        Cow::Owned(format!("\"{value}\""))
    } else {
        Cow::Borrowed(value)
    }
}

impl ValueCounts {
    /// Counts the hits in a dialog. A hit counts once for each of its values.
    pub fn add(&mut self, key: &CountKey, target: &Target<'_>, hits: &[Hit]) {
        // What a name means is the same in all turns of a dialog.
        let whole = (key.key.scope == Scope::Dialog)
            .then(|| key.values(target, 0..target.dialog.turns.len(), None));
        for hit in hits {
            self.hits += 1;
            let values = match &whole {
                Some(whole) => whole[hit.turn].clone(),
                None => key.values(target, hit.turn..hit.turn + 1, Some(hit)).remove(0),
            };
            if values.is_empty() {
                self.without += 1;
            }
            for value in values {
                *self.counts.entry(value).or_default() += 1;
            }
        }
    }

    /// True if there are hits, and none has a value.
    pub fn lack_values(&self) -> bool {
        self.hits > 0 && self.counts.is_empty()
    }

    /// Adds the counts of other dialogs.
    pub fn join(&mut self, other: Self) {
        self.hits += other.hits;
        self.without += other.without;
        for (value, count) in other.counts {
            *self.counts.entry(value).or_default() += count;
        }
    }

    /// Returns the values and the numbers of their hits: the most frequent first, and then by value.
    pub fn sorted(&self) -> Vec<(&str, usize)> {
        let counts = self.counts.iter();
        let mut sorted: Vec<_> = counts.map(|(value, count)| (value.as_str(), *count)).collect();
        sorted.sort_unstable_by_key(|(value, count)| (Reverse(*count), *value));
        sorted
    }
}
