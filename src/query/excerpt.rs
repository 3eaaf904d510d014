//! The text around a hit, for lists of hits.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation as _;

use super::Hit;
use super::expression::Query;
use super::places::{InJson, TextPlace, any_text};
use super::value::NamePattern;
use crate::dialog::{Dialog, Field, Payload, Turn};
use crate::format::embedded;

/// The most graphemes before and after a hit.
const BEFORE: usize = 16;
const AFTER: usize = 96;

/// A hit with the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitExcerpt {
    /// Position of the turn.
    pub turn: usize,
    /// The beginning of the turn, the text around the hit, or the call.
    pub text: Box<str>,
    /// The range of the hit in `text`, in bytes; may be empty.
    pub hit: Range<usize>,
    /// The values of the variables of the query, in one line; empty without variables.
    pub values: Box<str>,
}

impl HitExcerpt {
    /// Returns the excerpt for a hit of `query` in a dialog.
    pub fn of(query: &Query, dialog: &Dialog, hit: &Hit) -> Self {
        let turn = dialog.turns.get(hit.turn);
        let (text, hit_in_text) = match turn {
            None => (String::new(), 0..0),
            Some(turn) if hit.place == TextPlace::Turn => around(&turn.text, &hit.bytes),
            Some(turn) => elsewhere(query, dialog, turn, hit),
        };
        Self {
            turn: hit.turn,
            text: text.into_boxed_str(),
            hit: hit_in_text,
            values: hit.values_shown().into_boxed_str(),
        }
    }
}

/// Returns the excerpt for a hit in another text than the turn's own: a sign or name, and the text around the hit.
fn elsewhere(query: &Query, dialog: &Dialog, turn: &Turn, hit: &Hit) -> (String, Range<usize>) {
    let place = hit.place;
    let call = place.call().and_then(|call| turn.calls.get(call));
    let kind = place.kind(turn);
    let sought = query.sought().into_iter();
    let sought: Vec<_> = sought.filter(|sought| sought.looks_into(kind)).collect();
    let mut shown = match (place, call) {
        (TextPlace::Arguments(_), Some(call)) => {
            listed(&names_in(query, place), &pairs(call.arguments.as_ref()))
        }
        (TextPlace::Result(_), Some(call)) => {
            let mut all = pairs(call.response.as_ref());
            all.extend(call.failures().chain(call.unknown()).map(pair));
            listed(&names_in(query, place), &all)
        }
        (TextPlace::Comment(vote), _) => Shown::of(
            turn.votes.get(vote).map_or_else(String::new, |vote| vote.comment.to_string()),
        ),
        (TextPlace::Note(judgement), _) => {
            let judgement = dialog.judgements.get(judgement);
            Shown::of(judgement.map_or_else(String::new, |judgement| judgement.note.clone()))
        }
        (TextPlace::TurnField(_) | TextPlace::Field(_), _) => {
            let field = field_at(dialog, turn, place);
            Shown::of(field.map_or_else(String::new, |field| embedded::shown(&field.content)))
        }
        _ => Shown::default(),
    };
    let in_text = |text: &str| {
        let mut found = sought.iter().flat_map(|sought| sought.find_all(text));
        found.next()
    };
    let found = in_text(&shown.text).or_else(|| {
        // A string with escapes, or another value than those that are shown.
        let mut found = None;
        any_text(dialog, hit.turn, place, InJson::Values, &mut |text| {
            found = in_text(text).map(|range| (text.to_owned(), range));
            found.is_some()
        });
        let (text, range) = found?;
        shown.text = text;
        Some(range)
    });
    let (text, range) = around(&shown.text, &found.unwrap_or(shown.queried));
    let before = match place {
        TextPlace::Arguments(_) => {
            let name = call.map(|call| call.name.as_str());
            format!("↳ {}(", name.unwrap_or_default())
        }
        TextPlace::Result(_) => "→ ".to_owned(),
        TextPlace::TurnField(_) | TextPlace::Field(_) => {
            let name = field_at(dialog, turn, place).map(|field| field.name.as_str());
            format!("{}: ", name.unwrap_or_default())
        }
        TextPlace::Comment(vote) => {
            let who = turn.votes.get(vote).map(|vote| vote.annotator.as_str());
            format!("{}: ", who.filter(|who| !who.is_empty()).unwrap_or("comment"))
        }
        TextPlace::Note(judgement) => {
            let judgement = dialog.judgements.get(judgement);
            judgement.map_or_else(String::new, |judgement| format!("{}: ", judgement.by))
        }
        TextPlace::Turn => String::new(),
    };
    let after = match place {
        TextPlace::Arguments(_) => ")",
        _ => "",
    };
    let shift = before.len();
    let range = range.start + shift..range.end + shift;
    ([&before, &text, after].concat(), range)
}

/// Returns the field of a turn or of its dialog that is at a place.
fn field_at<'d>(dialog: &'d Dialog, turn: &'d Turn, place: TextPlace) -> Option<&'d Field> {
    match place {
        TextPlace::TurnField(field) => turn.fields.get(field),
        TextPlace::Field(field) => dialog.fields.get(field),
        _ => None,
    }
}

/// A text in one line, and what a query asks for in it.
#[derive(Default)]
struct Shown {
    text: String,
    queried: Range<usize>,
}

impl Shown {
    fn of(text: String) -> Self {
        Self { text, queried: 0..0 }
    }
}

/// Returns the names of arguments or of members of results in the conditions that show why a turn matches.
fn names_in(query: &Query, place: TextPlace) -> Vec<&NamePattern> {
    let mut conditions = Vec::new();
    query.shown(None, &mut conditions);
    let conditions = conditions.into_iter();
    conditions
        .filter_map(|(condition, _)| {
            let key = match place {
                TextPlace::Arguments(_) => "arg",
                _ => "result",
            };
            condition.wanted().filter(|wanted| wanted.key.name == key)?.name.as_ref()
        })
        .collect()
}

fn pair(field: &Field) -> (String, String) {
    (field.name.to_string(), embedded::shown(&field.content))
}

/// Returns the names and values of the members of a payload.
fn pairs(payload: Option<&Payload>) -> Vec<(String, String)> {
    match payload {
        None => Vec::new(),
        Some(Payload::Fields(fields)) => fields.iter().map(pair).collect(),
        Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
            match embedded::arguments(text) {
                Ok(pairs) => pairs,
                Err(_) => vec![(String::new(), text.to_string())],
            }
        }
    }
}

/// Returns members in one line, those with one of these names first.
fn listed(names: &[&NamePattern], pairs: &[(String, String)]) -> Shown {
    let pair = |(name, value): &(String, String)| match name.as_str() {
        "" => value.clone(),
        name => format!("{name}={value}"),
    };
    // The closest names, as the conditions understand them.
    let mut closest = Vec::new();
    for wanted in names {
        let close = pairs.iter().filter_map(|(name, _)| wanted.closeness(name));
        closest.extend(close.min().map(|close| (wanted, close)));
    }
    let is_queried = |name: &str| {
        let mut closest = closest.iter();
        closest.any(|(wanted, close)| wanted.closeness(name) == Some(*close))
    };
    let said = pairs.iter().filter(|(name, value)| !(name.is_empty() && value.is_empty()));
    let (queried, others): (Vec<_>, Vec<_>) = said.partition(|(name, _)| is_queried(name));
    let all = |pairs: Vec<_>| pairs.into_iter().map(pair).collect::<Vec<_>>().join(", ");
    let (queried, others) = (all(queried), all(others));
    let between = if queried.is_empty() || others.is_empty() { "" } else { ", " };
    Shown { queried: 0..queried.len(), text: [&queried, between, &others].concat() }
}

/// Returns the text around a range, cut between words, and the range in it. All ranges are in bytes.
fn around(text: &str, hit: &Range<usize>) -> (String, Range<usize>) {
    let before = &text[..hit.start];
    let start = match before.grapheme_indices(true).rev().nth(BEFORE) {
        None => 0,
        Some((cut, _)) => before[cut..].find(' ').map_or(cut, |space| cut + space + 1),
    };
    let after = &text[hit.end..];
    let end = match after.grapheme_indices(true).nth(AFTER) {
        None => text.len(),
        Some((cut, _)) => hit.end + after[..cut].rfind(' ').unwrap_or(cut),
    };
    let sign = if start > 0 { "…" } else { "" };
    let shift = |byte: usize| byte - start + sign.len();
    let end_sign = if end < text.len() { "…" } else { "" };
    let excerpt = [sign, &text[start..end], end_sign].concat();
    (excerpt, shift(hit.start)..shift(hit.end))
}
