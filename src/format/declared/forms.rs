//! The forms that the values of a description may have: one or several, a place or a table.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};

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
        struct Tables<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Tables<T> {
            type Value = Several<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table or an array of tables")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|one| Several(vec![one]))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                T::deserialize(text.into_deserializer()).map(|one| Several(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                let tables = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                if tables.len() > MOST_TABLES {
                    let reason = "a description has at most 100 tables of a kind";
                    return Err(serde::de::Error::custom(reason));
                }
                Ok(Several(tables))
            }
        }
        deserializer.deserialize_any(Tables(PhantomData))
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
        struct Values<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Values<T> {
            type Value = OneOf<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or an array of texts")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                T::deserialize(text.into_deserializer()).map(|one| OneOf(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
                let values = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                if !(1..=MOST_VALUES).contains(&values.len()) {
                    let reason = "expected one to 100 texts";
                    return Err(serde::de::Error::custom(reason));
                }
                Ok(OneOf(values))
            }
        }
        deserializer.deserialize_any(Values(PhantomData))
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
        struct Places;
        impl<'de> Visitor<'de> for Places {
            type Value = Parts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a place or an array of places")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Parts, E> {
                text.parse().map_err(E::custom).map(|one| Parts(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Parts, A::Error> {
                let places = Vec::deserialize(SeqAccessDeserializer::new(list))?;
                if !(1..=MOST_PARTS).contains(&places.len()) {
                    let reason = "expected one to 16 places";
                    return Err(serde::de::Error::custom(reason));
                }
                Ok(Parts(places))
            }
        }
        deserializer.deserialize_any(Places)
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

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
                text.parse().map_err(E::custom).map(PlaceOr::Place)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(PlaceOr::Table)
            }
        }
        deserializer.deserialize_any(Either(PhantomData))
    }
}
