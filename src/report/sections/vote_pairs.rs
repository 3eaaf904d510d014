//! How far each two annotators agree on the turns that both voted on, where they are few.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::questions::{AnnotatorPair, pairs_of};
use crate::dialog::{Breakdown, Short, Turn};
use crate::report::document::{Block, short};
use crate::votes::Confusion;

/// The most annotators of whom pairs are compared: of more, hardly any two judge the same turns.
const MOST: usize = 40;

/// The turns that each two annotators judged.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VotePairs(Option<FewAnnotators>);

/// The turns of few annotators; [`VotePairs`] has none if they are too many.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct FewAnnotators {
    ids: BTreeSet<Short>,
    /// By the first of two, then by the second.
    turns: BTreeMap<Short, BTreeMap<Short, Confusion>>,
}

impl Default for VotePairs {
    fn default() -> Self {
        Self(Some(FewAnnotators::default()))
    }
}

impl VotePairs {
    /// Adds the votes on a turn. Those of an annotator who judged it several times are left out.
    pub fn add(&mut self, turn: &Turn) {
        let named = turn.votes.iter().filter(|vote| !vote.annotator.is_empty());
        self.note(named.map(|vote| vote.annotator.clone()));
        if let Some(few) = &mut self.0 {
            few.add(turn);
        }
    }

    /// Notes annotators before any pairs with them are counted.
    fn note(&mut self, ids: impl Iterator<Item = Short>) {
        if let Some(few) = &mut self.0 {
            few.ids.extend(ids);
        }
        self.0.take_if(|few| few.ids.len() > MOST);
    }

    /// Adds those of another part.
    pub fn join(&mut self, other: Self) {
        let Some(other) = other.0 else {
            self.0 = None;
            return;
        };
        self.note(other.ids.iter().cloned());
        if let Some(few) = &mut self.0 {
            few.join(other);
        }
    }

    /// Returns the table; None without turns of two annotators.
    pub fn block(&self) -> Option<Block> {
        let turns = self.0.iter().flat_map(|few| &few.turns);
        let pairs = turns.flat_map(|(one, others)| {
            others.iter().map(move |(other, turns)| AnnotatorPair {
                names: [one, other].map(|id| short(id)),
                turns: turns.clone(),
            })
        });
        pairs_of("Pairs of annotators".to_owned(), pairs.collect())
    }
}

impl FewAnnotators {
    fn add(&mut self, turn: &Turn) {
        let mut labels: BTreeMap<&Short, Vec<Breakdown>> = BTreeMap::new();
        for vote in turn.votes.iter().filter(|vote| !vote.annotator.is_empty()) {
            let label = vote.breakdown.into_iter();
            labels.entry(&vote.annotator).or_default().extend(label);
        }
        let single = labels.iter().filter(|(_, labels)| labels.len() == 1);
        let single: Vec<_> = single.map(|(id, labels)| (*id, labels[0])).collect();
        for (place, (one, first)) in single.iter().enumerate() {
            for (other, second) in &single[place + 1..] {
                let of_one = self.turns.entry((*one).clone()).or_default();
                let both = of_one.entry((*other).clone()).or_default();
                both.add(*first as usize, *second as usize);
            }
        }
    }

    fn join(&mut self, other: Self) {
        for (one, others) in other.turns {
            let of_one = self.turns.entry(one).or_default();
            for (other, turns) in others {
                of_one.entry(other).or_default().merge(&turns);
            }
        }
    }
}
