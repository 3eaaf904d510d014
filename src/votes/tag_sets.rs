//! Distances of sets of tags, for agreement.

use std::collections::{BTreeMap, BTreeSet};

/// How two sets of tags are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetDistance {
    /// 1 minus the share of their tags that both have.
    Jaccard,
    /// The same, with the share multiplied by 2/3 if one set is part of the other, else by 1/3: Passonneau 2006,
    /// "Measuring agreement on set-valued items (MASI)".
    Masi,
}

impl SetDistance {
    /// Returns how close each of `sets`, which are all different, is to those before it, as [`Closeness`].
    pub fn closeness(self, sets: &[BTreeSet<String>]) -> Vec<Closeness> {
        let mut with_tag: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut all = Vec::with_capacity(sets.len());
        for (number, set) in sets.iter().enumerate() {
            // Sets without a common tag need not be compared.
            let mut common: BTreeMap<usize, usize> = BTreeMap::new();
            for tag in set {
                let others = with_tag.entry(tag).or_default();
                for other in &*others {
                    *common.entry(*other).or_default() += 1;
                }
                others.push(number);
            }
            let close = common.into_iter();
            let close = close.map(|(other, common)| {
                let sizes = [set.len(), sets[other].len()];
                (other, self.of(common, sizes))
            });
            all.push(close.collect());
        }
        all
    }

    /// Returns how close two sets are, from 0 to 1.
    pub fn close(self, one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
        if one == other {
            return 1.0;
        }
        match one.intersection(other).count() {
            0 => 0.0,
            common => self.of(common, [one.len(), other.len()]),
        }
    }

    /// Returns how close two different sets of these sizes are that have `common` tags in common.
    fn of(self, common: usize, [one, other]: [usize; 2]) -> f64 {
        let jaccard = common as f64 / (one + other - common) as f64;
        match self {
            Self::Jaccard => jaccard,
            Self::Masi if common == one.min(other) => jaccard * 2.0 / 3.0,
            Self::Masi => jaccard / 3.0,
        }
    }
}

/// Categories that are not wholly apart from one, in order, and 1 minus their distance from it.
pub type Closeness = Vec<(usize, f64)>;
