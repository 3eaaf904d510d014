//! Finds the call that first returned a value, without going through all calls for each argument.

use std::cell::OnceCell;
use std::collections::hash_map::Entry;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::call::Call;
use super::value::{telling, words};
use super::vocabulary::Vocabulary;
use crate::dialog::{Content, Field, Payload, Short};
use crate::json::Parser;
use crate::ontology::without_number;

/// The values that calls have returned. Calls are identified by position among all calls of the dialog.
#[derive(Debug, Default)]
pub struct ReturnValues {
    /// Calls and positions in their responses, in order, by names with and without numbers.
    by_name: HashMap<Short, Vec<(usize, usize)>>,
    /// The positions of values in `values`, by value in lower case.
    by_value: HashMap<Short, usize>,
    /// The first call that returned each value.
    values: Vec<usize>,
    /// The words in the values. Built when a value is first not found as a whole.
    words: OnceCell<Vocabulary>,
    /// The first call whose response contains a text in quotation marks, or is exactly this text.
    quoted: HashMap<Short, usize>,
    /// The ids in responses that are JSON texts, by the names of their members.
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
                Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) => {
                    // Even a broken text may contain the value.
                    returned.add_quoted(number, text);
                    returned.add_ids(number, text);
                }
                Some(Payload::Fields(fields)) => {
                    for field in fields {
                        match &field.content {
                            Content::Text(text) => {
                                returned.quoted.entry(text.clone()).or_insert(number);
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
            let places = self.by_name.entry(name.into()).or_default();
            places.push((call, place));
        }
        let mut value = Short::from(field.content.as_str());
        value.make_ascii_lowercase();
        if let Entry::Vacant(entry) = self.by_value.entry(value) {
            entry.insert(self.values.len());
            self.values.push(call);
        }
    }

    fn add_quoted(&mut self, call: usize, json: &str) {
        for (start, _) in json.match_indices('"') {
            let rest = &json[start + 1..];
            if let Some(end) = rest.find(['"', '\\']) {
                self.quoted.entry(rest[..end].into()).or_insert(call);
            }
        }
    }

    fn add_ids(&mut self, call: usize, json: &str) {
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_str(json) else {
            return;
        };
        for object in tree.objects() {
            let mut seen = HashMap::new();
            seen.extend(object.members().filter_map(|(key, value)| Some((key.as_str()?, value))));
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

    /// Returns the last field with this name that was returned before a call, or the first of several from the same
    /// call: the call and the position in its response.
    pub fn last(&self, name: &str, before: usize) -> Option<(usize, usize)> {
        let places = self.by_name.get(name)?;
        let places = &places[..places.partition_point(|(call, _)| *call < before)];
        let (call, _) = places.last()?;
        places.iter().rev().take_while(|(other, _)| other == call).last().copied()
    }

    /// True if a value was returned before a call, ignoring case.
    pub fn has_value(&self, value: &str, before: usize) -> bool {
        let first = self.by_value.get(value.to_ascii_lowercase().as_str());
        first.is_some_and(|first| self.values[*first] < before)
    }

    fn words(&self) -> &Vocabulary {
        self.words.get_or_init(|| {
            let mut values: Vec<_> = self.by_value.iter().collect();
            values.sort_unstable_by_key(|(_, place)| **place);
            let mut vocabulary = Vocabulary::default();
            for (value, place) in values {
                for word in words(value) {
                    vocabulary.add(word, *place);
                }
            }
            vocabulary
        })
    }

    /// True if a value that was returned before a call contains at least half of the distinctive words of a
    /// name.
    pub fn has_half(&self, name: &str, before: usize) -> bool {
        let telling = telling(name);
        if telling.is_empty() {
            return self.values.first().is_some_and(|first| *first < before);
        }
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for word in &telling {
            let mut values: Vec<usize> =
                self.words().places_alike(word).flatten().copied().collect();
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

    /// True if a response before a call contains an id.
    pub fn has_id(&self, id: &str, before: usize) -> bool {
        let first = self.quoted.get(id);
        // Only ids can be distinguished from the text between two quoted texts.
        id.contains(['"', '\\']) || first.is_some_and(|first| *first < before)
    }

    /// Returns the distinct ids that calls before `before` returned as members called `name`, in alphabetical order;
    /// None if there are more than `most`.
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

/// Ids, each with the first call that returned it.
#[derive(Debug, Default)]
struct Ids {
    first: Vec<(usize, String)>,
    known: HashSet<String>,
}
