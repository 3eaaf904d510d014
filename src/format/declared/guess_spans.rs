//! Guesses which members of turns are spans of their texts.

use std::collections::{BTreeMap, BTreeSet};

use super::guess::{Side, place};
use super::place::{Place, Step};
use super::trail::{Found, Trail};
use crate::json::{NodeKind, Value};

/// Members of a turn that look like spans.
pub struct SpanGuess {
    /// The place of the list of spans, from the turn.
    pub at: String,
    pub start: String,
    pub end: String,
    pub ends: &'static str,
    /// True if a quote shows what the end means.
    pub is_known: bool,
    pub label: Option<String>,
    /// True if some elements of the list have no end.
    pub is_partial: bool,
    pub quote: Option<String>,
}

/// How deep to look in a turn, in members.
const DEPTH: usize = 3;

/// Returns the lists of spans in `turns`, whose text is that of `side`.
pub fn find_spans(turns: &[Value<'_>], side: &Side) -> Vec<SpanGuess> {
    let mut found: BTreeMap<String, SpanGuess> = BTreeMap::new();
    let mut partial = BTreeSet::new();
    let text_at = side.text.parse::<Place>().ok();
    for turn in turns {
        let trail = Trail::new(*turn, None);
        let text = text_at.as_ref().and_then(|place| trail.find(place));
        let text = text.and_then(Found::value).and_then(Value::as_str);
        let text = text.unwrap_or_default();
        lists(*turn, &mut Vec::new(), &mut |path, list| {
            let at = place(path);
            for element in list.elements() {
                let Some(span) = span_of(&at, element, &text) else {
                    partial.insert(at.clone());
                    continue;
                };
                match found.get(&at) {
                    Some(known) if known.is_known || !span.is_known => {}
                    _ => {
                        found.insert(at.clone(), span);
                    }
                }
            }
        });
    }
    let all = found
        .into_values()
        .map(|span| SpanGuess { is_partial: partial.contains(&span.at), ..span });
    all.collect()
}

/// Calls `visit` with every array in an object, down to some depth.
fn lists<'a>(value: Value<'a>, at: &mut Vec<Step>, visit: &mut dyn FnMut(&[Step], Value<'a>)) {
    for (key, member) in value.members() {
        at.push(Step::Member(key.as_str().unwrap_or_default().into_owned()));
        match member.kind() {
            NodeKind::Array => visit(at, member),
            NodeKind::Object if at.len() < DEPTH => lists(member, at, visit),
            _ => {}
        }
        at.pop();
    }
}

fn has_part(name: &str, parts: &[&str]) -> bool {
    let name = name.to_lowercase();
    parts.iter().any(|part| name.contains(part))
}

/// Returns an object that looks like a span of `text`.
fn span_of(at: &str, object: Value<'_>, text: &str) -> Option<SpanGuess> {
    let integer = |names: &[&str]| {
        let mut members = object.members();
        members.find_map(|(key, value)| {
            let name = key.as_str()?.into_owned();
            (value.as_integer().is_some() && has_part(&name, names))
                .then_some((name, value.as_integer()?))
        })
    };
    let (start, from) = integer(&["start", "begin", "from"])?;
    let (end, to) = integer(&["end", "stop", "length", "to"]).filter(|(end, _)| *end != start)?;
    let characters: Vec<char> = text.chars().collect();
    let slice = |from: i64, to: i64| -> Option<String> {
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        Some(characters.get(from..to)?.iter().collect())
    };
    let mut guess = SpanGuess {
        at: at.to_owned(),
        ends: if has_part(&end, &["length"]) { "length" } else { "exclusive" },
        start,
        end,
        is_known: false,
        label: None,
        is_partial: false,
        quote: None,
    };
    for (key, value) in object.members() {
        let Some(name) = key.as_str() else {
            continue;
        };
        let Some(value) = value.as_str() else {
            // Labels in a list, such as `annotations[*].name`.
            let mut inner = value.elements().flat_map(Value::members);
            let inside = inner.find_map(|(key, value)| value.as_str().and(key.as_str()));
            if let Some(inside) = inside.filter(|_| guess.label.is_none()) {
                let list = [Step::Member(name.into_owned()), Step::Elements];
                let inside = Step::Member(inside.into_owned());
                guess.label = Some(place(&[&list[..], &[inside]].concat()));
            }
            continue;
        };
        let ways = [
            ("exclusive", slice(from, to)),
            ("inclusive", slice(from, to + 1)),
            ("length", slice(from, from + to)),
        ];
        let fits = ways.into_iter().find(|(_, slice)| slice.as_deref() == Some(&*value));
        if let Some((ends, _)) = fits.filter(|_| !value.is_empty()) {
            (guess.ends, guess.is_known, guess.quote) = (ends, true, Some(name.into_owned()));
        } else if guess.label.is_none()
            || has_part(&name, &["label", "slot", "type", "tag", "entity", "name"])
        {
            guess.label = Some(name.into_owned());
        }
    }
    Some(guess)
}
