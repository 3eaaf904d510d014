//! Queries with names, from the table `[queries]` of the settings or of `turnwise.toml`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::query::Query;

/// The texts of queries by name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>")]
pub struct SavedQueries(BTreeMap<String, String>);

impl TryFrom<BTreeMap<String, String>> for SavedQueries {
    type Error = String;

    fn try_from(queries: BTreeMap<String, String>) -> Result<Self, String> {
        for (name, query) in &queries {
            if let Err(error) = query.parse::<Query>() {
                return Err(format!("the query `{name}`: {}", error.at_place(query)));
            }
        }
        Ok(Self(queries))
    }
}

impl SavedQueries {
    /// Takes over the queries of `other`, which replace those of the same names.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the names and texts, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let queries = self.0.iter();
        queries.map(|(name, query)| (name.as_str(), query.as_str()))
    }

    /// Returns the text of the query called `name`.
    pub fn of_name(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the name of a query in messages: its name here, or else its text.
    pub fn title(&self, query: &Query) -> String {
        let is = |text: &str| text.parse::<Query>().is_ok_and(|saved| saved == *query);
        match self.iter().find(|(_, text)| is(text)) {
            Some((name, _)) => format!("“{name}”"),
            None => query.to_string().trim_end_matches(':').to_owned(),
        }
    }
}
