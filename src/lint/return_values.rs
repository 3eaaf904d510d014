//! Looks up which call first returned a value, without going through all calls for each argument.

use std::collections::{HashMap, HashSet};

use super::Call;
use super::value::{telling, words};
use super::vocabulary::Vocabulary;
use crate::dialog::{Content, Field, Payload};
use crate::json::{NodeKind, Parser};
use crate::ontology::without_number;

/// What calls have returned. Calls are known by their positions among all calls of the dialog.
#[derive(Debug, Default)]
pub struct ReturnValues {
    /// The call and the position in its response, in their order; by names with and without numbers.
    by_name: HashMap<String, Vec<(usize, usize)>>,
    /// The first call that has returned a value, in any case.
    by_value: HashMap<String, usize>,
    /// The values, each with the first call that has returned it, and the words in them.
    values: Vec<usize>,
    words: Vocabulary,
    /// The first call whose response has a text in quotation marks, or says just this.
    quoted: HashMap<String, usize>,
    /// The ids in responses that are texts of JSON, by the names of their members.
    ids: HashMap<String, Ids>,
}

impl ReturnValues {
    pub fn new(calls: &[Call<'_>]) -> Self {
        let mut returned = Self::default();
        for (number, call) in calls.iter().enumerate() {
            for (place, field) in call.response.fields().iter().enumerate() {
                returned.add(number, place, field);
            }
            match &call.of.response {
                Some(Payload::Embedded { text, .. }) => {
                    // Even a text that is broken shows what it holds.
                    returned.add_quoted(number, text);
                    returned.add_ids(number, text);
                }
                Some(Payload::Fields(fields)) => {
                    for field in fields {
                        match &field.content {
                            Content::Text(text) => {
                                returned.quoted.entry(text.to_string()).or_insert(number);
                            }
                            Content::Raw(raw) => returned.add_quoted(number, raw),
                        }
                    }
                }
                None => {}
            }
        }
        returned
    }

    fn add(&mut self, call: usize, place: usize, field: &Field) {
        let short = without_number(&field.name);
        for name in std::iter::once(field.name.as_str()).chain(short) {
            let places = self.by_name.entry(name.to_owned()).or_default();
            places.push((call, place));
        }
        let value = field.content.as_str().to_ascii_lowercase();
        if !self.by_value.contains_key(&value) {
            for word in words(&value) {
                self.words.add(word, self.values.len());
            }
            self.values.push(call);
            self.by_value.insert(value, call);
        }
    }

    fn add_quoted(&mut self, call: usize, json: &str) {
        for (start, _) in json.match_indices('"') {
            let rest = &json[start + 1..];
            if let Some(end) = rest.find(['"', '\\']) {
                self.quoted.entry(rest[..end].to_owned()).or_insert(call);
            }
        }
    }

    fn add_ids(&mut self, call: usize, json: &str) {
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_str(json) else {
            return;
        };
        for object in tree.values().filter(|v| v.kind() == NodeKind::Object) {
            let mut seen = HashMap::new();
            seen.extend(
                object
                    .members()
                    .filter_map(|(key, value)| Some((key.as_str()?, value))),
            );
            for (name, value) in seen {
                if let Some(id) = value.as_str() {
                    let ids = self.ids.entry(name.into_owned()).or_default();
                    if ids.known.insert(id.to_string()) {
                        ids.first.push((call, id.into_owned()));
                    }
                }
            }
        }
    }

    /// The last field of this name, or the first of several of that call, that was returned before a call:
    /// the call and the position in its response.
    pub fn last(&self, name: &str, before: usize) -> Option<(usize, usize)> {
        let places = self.by_name.get(name)?;
        let places = &places[..places.partition_point(|(call, _)| *call < before)];
        let (call, _) = places.last()?;
        places
            .iter()
            .rev()
            .take_while(|(other, _)| other == call)
            .last()
            .copied()
    }

    /// True if a value was returned before a call, in any case.
    pub fn has_value(&self, value: &str, before: usize) -> bool {
        let first = self.by_value.get(&value.to_ascii_lowercase());
        first.is_some_and(|first| *first < before)
    }

    /// True if a value that was returned before a call has half of the telling words of a name, or more.
    pub fn has_half(&self, name: &str, before: usize) -> bool {
        let telling = telling(name);
        if telling.is_empty() {
            return self.values.first().is_some_and(|first| *first < before);
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for word in &telling {
            let mut values: Vec<usize> = self.words.places_alike(word).flatten().copied().collect();
            values.sort_unstable();
            values.dedup();
            for value in values {
                if self.values[value] < before {
                    let count = counts.entry(value).or_default();
                    *count += 1;
                    if *count * 2 >= telling.len() {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// True if an id stands in what was returned before a call.
    pub fn has_id(&self, id: &str, before: usize) -> bool {
        let first = self.quoted.get(id);
        // What is no id cannot be told from what stands between two texts.
        id.contains(['"', '\\']) || first.is_some_and(|first| *first < before)
    }

    /// The ids that were returned before a call as members called `name`, each once, in the order of their
    /// letters; None if there are more than `most`.
    pub fn ids(&self, name: &str, before: usize, most: usize) -> Option<Vec<&str>> {
        let ids = self.ids.get(name).map_or(&[][..], |ids| &ids.first);
        let ids = &ids[..ids.partition_point(|(call, _)| *call < before)];
        if ids.len() > most {
            return None;
        }
        let mut ids: Vec<_> = ids.iter().map(|(_, id)| id.as_str()).collect();
        ids.sort_unstable();
        Some(ids)
    }
}

/// Ids, each with the first call that has returned it.
#[derive(Debug, Default)]
struct Ids {
    first: Vec<(usize, String)>,
    known: HashSet<String>,
}
