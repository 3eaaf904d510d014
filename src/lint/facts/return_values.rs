//! The values that calls have returned. Calls are identified by position among all calls of the dialog.

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::call::Call;
use super::subject::Subject;
use super::value::{alike, telling, words};
use crate::dialog::{Content, Field, Payload};
use crate::json::Parser;
use crate::ontology::without_number;

impl<'a> Subject<'a> {
    /// Returns the fields that calls before the one at `before` returned, in order.
    fn returned(&self, before: usize) -> impl DoubleEndedIterator<Item = &Field> {
        self.calls()[..before].iter().flat_map(|call| call.response.fields())
    }

    /// Returns the last call before the one at `before` that returned a field with this name, with or without a number,
    /// and the first such field.
    pub fn last_returned(&self, name: &str, before: usize) -> Option<(&Call<'a>, &Field)> {
        let is_named =
            |field: &&Field| field.name == name || without_number(&field.name) == Some(name);
        let calls = self.calls()[..before].iter().rev();
        calls.filter_map(|call| Some((call, call.response.fields().iter().find(is_named)?))).next()
    }

    /// True if a value was returned before a call, ignoring case.
    pub fn was_returned(&self, value: &str, before: usize) -> bool {
        self.returned(before).any(|field| field.content.as_str().eq_ignore_ascii_case(value))
    }

    /// True if a value that was returned before a call contains at least half of the distinctive words of a
    /// name; in doubt, there is one.
    pub fn was_half_returned(&self, name: &str, before: usize) -> bool {
        let telling = telling(name);
        self.returned(before).any(|field| {
            let value = field.content.as_str();
            let has = |word: &&&str| words(value).any(|other| alike(word, other));
            telling.iter().filter(has).count() * 2 >= telling.len()
                || self.said().effort.is_spent(value.len() * telling.len())
        })
    }

    /// True if a response before a call contains an id, as a text or between quotation marks in one.
    pub fn was_id_returned(&self, id: &str, before: usize) -> bool {
        let is_in = |json: &str| {
            let mut hits = json.match_indices(id);
            hits.any(|(at, _)| {
                json[..at].ends_with('"') && json[at + id.len()..].starts_with(['"', '\\'])
            })
        };
        let is_content = |field: &Field| match &field.content {
            Content::Text(text) => text == id,
            Content::Raw(raw) => is_in(raw),
        };
        let mut responses = self.calls()[..before].iter().filter_map(|c| c.of.response.as_ref());
        // Only ids can be distinguished from the text between two quoted texts.
        id.contains(['"', '\\'])
            || responses.any(|response| match response {
                // Even a broken text may contain the value.
                Payload::Embedded { text, .. } | Payload::Text { text, .. } => is_in(text),
                Payload::Fields(fields) => fields.iter().any(is_content),
            })
    }

    /// Returns the distinct ids that calls before `before` returned as members called `name`, in alphabetical order;
    /// None if there are more than `most`.
    pub fn returned_ids(&self, name: &str, before: usize, most: usize) -> Option<Vec<&str>> {
        let ids = self.lookup.ids.get_or_init(|| ReturnedIds::new(self.calls()));
        let ids = ids.of.get(name).map_or(&[][..], |ids| &ids.first);
        let ids = &ids[..ids.partition_point(|(call, _)| *call < before)];
        if ids.len() > most {
            return None;
        }
        let mut ids: Vec<_> = ids.iter().map(|(_, id)| id.as_str()).collect();
        ids.sort_unstable();
        Some(ids)
    }
}

/// The ids in responses that are JSON texts, by the names of their members.
#[derive(Debug, Default)]
pub(super) struct ReturnedIds {
    of: HashMap<String, Ids>,
}

/// Ids, each with the first call that returned it.
#[derive(Debug, Default)]
struct Ids {
    first: Vec<(usize, String)>,
    known: HashSet<String>,
}

impl ReturnedIds {
    fn new(calls: &[Call<'_>]) -> Self {
        let mut all = Self::default();
        for (number, call) in calls.iter().enumerate() {
            if let Some(Payload::Embedded { text, .. } | Payload::Text { text, .. }) =
                &call.of.response
            {
                all.add(number, text);
            }
        }
        all
    }

    fn add(&mut self, call: usize, json: &str) {
        let mut parser = Parser::new();
        let Ok(tree) = parser.parse_str(json) else {
            return;
        };
        for object in tree.objects() {
            // Of a repeated member, the last one counts.
            let mut seen = HashMap::new();
            seen.extend(object.members().filter_map(|(key, value)| Some((key.as_str()?, value))));
            for (name, value) in seen {
                if let Some(id) = value.as_str() {
                    let ids = self.of.entry(name.into_owned()).or_default();
                    if ids.known.insert(id.to_string()) {
                        ids.first.push((call, id.into_owned()));
                    }
                }
            }
        }
    }
}
