//! The members of rows and of objects in them, by their places, for drafts.

use std::collections::BTreeMap;

use crate::json::Value;

/// How deep members of rows are, in members.
const DEPTH: usize = 2;
/// The most different values of a member that says what a row is.
const KINDS: usize = 24;
/// The longest of these values, in bytes.
const LONGEST: usize = 48;

/// Values at a place of objects, each with the position of its object.
pub type Values<'a> = Vec<(usize, Value<'a>)>;

/// The members of some objects, by their places.
pub struct Members<'a> {
    /// The number of objects.
    pub count: usize,
    pub all: BTreeMap<String, Values<'a>>,
}

impl<'a> Members<'a> {
    pub fn of(objects: &[Value<'a>]) -> Self {
        let mut all = BTreeMap::new();
        for (number, object) in objects.iter().enumerate() {
            add(*object, "", number, 0, &mut all);
        }
        Self { count: objects.len(), all }
    }

    /// Returns the places whose values are short names without spaces, and few different ones.
    pub fn kinds(&self) -> impl Iterator<Item = (&String, Vec<String>)> {
        self.all.iter().filter_map(|(place, values)| {
            let names: Option<Vec<_>> = values.iter().map(|(_, value)| word(*value)).collect();
            let names = distinct(names?);
            let is_few = names.len() <= KINDS && (names.len() < values.len() || values.len() < 3);
            is_few.then_some((place, names))
        })
    }

    /// Returns the first of these places, by their order, that has a value which `fits`.
    pub fn first(&self, places: &[&str], fits: impl Fn(Value<'a>) -> bool) -> Option<String> {
        let has = |place: &&&str| {
            let values = self.all.get(**place);
            values.is_some_and(|values| values.iter().any(|(_, value)| fits(*value)))
        };
        places.iter().find(has).map(|place| (*place).to_owned())
    }

    /// Returns the value of an object at a place.
    pub fn at(&self, place: &str, number: usize) -> Option<Value<'a>> {
        let values = self.all.get(place)?;
        let at = values.binary_search_by_key(&number, |(own, _)| *own).ok()?;
        Some(values[at].1)
    }
}

fn add<'a>(
    value: Value<'a>,
    at: &str,
    number: usize,
    depth: usize,
    all: &mut BTreeMap<String, Values<'a>>,
) {
    for (key, member) in value.members() {
        let key = key.as_str().unwrap_or_default();
        if key.is_empty() || key.contains(['.', '[', ']', '{', '}', '^', '@', ' ', '|', '"']) {
            continue;
        }
        let place = if at.is_empty() { key.into_owned() } else { format!("{at}.{key}") };
        if depth + 1 < DEPTH {
            add(member, &place, number, depth + 1, all);
        }
        let own = all.entry(place).or_default();
        // Of repeated names, the first counts.
        if own.last().is_none_or(|(last, _)| *last < number) {
            own.push((number, member));
        }
    }
}

/// Returns a short text without spaces, or a whole number.
pub fn word(value: Value<'_>) -> Option<String> {
    match value.as_str() {
        Some(text) => {
            (!text.is_empty() && text.len() <= LONGEST && !text.contains(char::is_whitespace))
                .then(|| text.into_owned())
        }
        None => value.as_integer().map(|number| number.to_string()),
    }
}

/// Sorts names, and leaves each once.
pub fn distinct(mut all: Vec<String>) -> Vec<String> {
    all.sort_unstable();
    all.dedup();
    all
}
