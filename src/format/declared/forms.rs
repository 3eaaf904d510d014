//! The forms that the values of a description may have: one or several, a place or a table.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor};

use super::place::Place;

/// The most places that are joined.
const MOST_PARTS: usize = 16;

/// The most values of which one counts.
const MOST_VALUES: usize = 100;

/// The most tables of a kind.
const MOST_TABLES: usize = 100;

/// A place, or a table with one.
#[derive(Clone, Debug)]
pub enum PlaceOr<T> {
    Place(Place),
    Table(T),
}

/// One place, or several whose texts are joined by dots.
#[derive(Clone, Debug)]
pub struct Parts(pub Vec<Place>);

/// One table, or an array of tables.
#[derive(Clone, Debug)]
pub struct Several<T>(pub Vec<T>);

impl<T> Default for Several<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Several<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = OneOrSeveral {
            expected: "a table or an array of tables",
            may_be_table: true,
            counts: 0..=MOST_TABLES,
            otherwise: "a description has at most 100 tables of each kind",
            of: PhantomData,
        };
        deserializer.deserialize_any(all).map(Self)
    }
}

/// One value, or several, of which the one that fits a file counts.
#[derive(Clone, Debug)]
pub struct OneOf<T>(pub Vec<T>);

impl<T: Default> Default for OneOf<T> {
    fn default() -> Self {
        Self(vec![T::default()])
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = OneOrSeveral {
            expected: "a text or an array of texts",
            may_be_table: false,
            counts: 1..=MOST_VALUES,
            otherwise: "expected one to 100 texts",
            of: PhantomData,
        };
        deserializer.deserialize_any(all).map(Self)
    }
}

/// Reads one value, or an array of them.
struct OneOrSeveral<T> {
    expected: &'static str,
    /// One may be a table, too.
    may_be_table: bool,
    /// How many there may be in an array.
    counts: RangeInclusive<usize>,
    /// The error if there are more or fewer.
    otherwise: &'static str,
    of: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrSeveral<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Vec<T>, A::Error> {
        if !self.may_be_table {
            return Err(Error::invalid_type(Unexpected::Map, &self));
        }
        T::deserialize(MapAccessDeserializer::new(map)).map(|one| vec![one])
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<T>, E> {
        T::deserialize(text.into_deserializer()).map(|one| vec![one])
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<T>, A::Error> {
        let values = Vec::deserialize(SeqAccessDeserializer::new(list))?;
        if !self.counts.contains(&values.len()) {
            return Err(Error::custom(self.otherwise));
        }
        Ok(values)
    }
}

/// Places, and the values that each may have.
#[derive(Clone, Debug, Default)]
pub struct Is(pub Vec<(Place, OneOf<String>)>);

impl<'de> Deserialize<'de> for Is {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Conditions;
        impl<'de> Visitor<'de> for Conditions {
            type Value = Is;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table of places and their values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Is, A::Error> {
                let mut all = Vec::new();
                while let Some((place, values)) = map.next_entry()? {
                    all.push((place, values));
                }
                Ok(Is(all))
            }
        }
        deserializer.deserialize_map(Conditions)
    }
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let all = OneOrSeveral {
            expected: "a place or an array of places",
            may_be_table: false,
            counts: 1..=MOST_PARTS,
            otherwise: "expected one to 16 places",
            of: PhantomData,
        };
        deserializer.deserialize_any(all).map(Self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for PlaceOr<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Either<T> {
            type Value = PlaceOr<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a place or a table with `at`")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                text.parse().map_err(E::custom).map(PlaceOr::Place)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(PlaceOr::Table)
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}
