//! Indexes values by their meaning, to find values that agree without comparing all pairs.

use foldhash::{HashMap, HashMapExt as _};

use super::mention::Mention;
use super::subject::Subject;
use super::value::{Time, ValueKind, number, plain};
use crate::dialog::Role;

/// The meaning of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    Time(u32, Option<bool>),
    Number(u32),
    Text(String),
}

impl Meaning {
    /// Returns the meaning of a value of this kind; None if it cannot be read.
    pub fn of(kind: ValueKind, text: &str) -> Option<Self> {
        match kind {
            ValueKind::Time => {
                Time::read(text).map(|time| Self::Time(time.minutes, time.afternoon))
            }
            ValueKind::Number => number(text).map(Self::Number),
            _ => Some(Self::Text(plain(text))),
        }
    }

    /// Returns the meanings that agree with this one, see [`super::value::agree`].
    pub fn agreeing(self) -> Vec<Self> {
        match self {
            Self::Time(minutes, Some(_)) => vec![Self::Time(minutes, None), self],
            Self::Time(minutes, None) => {
                let halves = [None, Some(true), Some(false)];
                halves.map(|half| Self::Time(minutes, half)).into()
            }
            _ => vec![self],
        }
    }
}

/// An index by meaning that keeps the first entry, or the first two.
#[derive(Debug)]
pub struct Meanings<K, V>(HashMap<(K, Meaning), V>);

impl<K: Clone + Eq + std::hash::Hash, V> Default for Meanings<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Clone + Eq + std::hash::Hash, V: Default> Meanings<K, V> {
    /// Returns the entry for values of `key` with this meaning.
    pub fn entry(&mut self, key: K, meaning: Meaning) -> &mut V {
        self.0.entry((key, meaning)).or_default()
    }

    /// Returns the entries for values of `key` that agree with a text.
    pub fn agreeing(&self, key: &K, kind: ValueKind, text: &str) -> impl Iterator<Item = &V> {
        let meanings = Meaning::of(kind, text).map_or_else(Vec::new, Meaning::agreeing);
        let keys = meanings.into_iter().map(|meaning| (key.clone(), meaning));
        keys.filter_map(|key| self.0.get(&key))
    }
}

/// The first segment by each speaker role with a label and a meaning; positions among all mentions.
pub type FirstByRole = [Option<usize>; Role::COUNT];

pub fn role_of(subject: &Subject<'_>, mention: &Mention<'_>) -> Role {
    subject.dialog.turns[mention.turn].speaker.role
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::facts::value::agree;

    #[test]
    fn values_agree_if_their_meanings_do() {
        let texts = [
            "9:10pm",
            "9.10",
            "21:10",
            "9:10 am",
            "nine",
            "9",
            "three",
            "3 tickets",
            "Dune",
            "dune.",
            "",
            "DUNE!",
            "…",
        ];
        for kind in [ValueKind::Time, ValueKind::Number, ValueKind::Name, ValueKind::Other] {
            for one in texts {
                let agreeing = Meaning::of(kind, one).map_or_else(Vec::new, Meaning::agreeing);
                for other in texts {
                    let meaning = Meaning::of(kind, other);
                    let found = meaning.is_some_and(|meaning| agreeing.contains(&meaning));
                    assert_eq!(found, agree(kind, one, other), "{kind:?} {one} {other}");
                }
            }
        }
    }
}
