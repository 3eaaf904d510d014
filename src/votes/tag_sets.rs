//! Distances of sets of tags, for agreement.

use std::collections::BTreeSet;

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
    /// Returns the distance of two different sets, from 0 to 1.
    fn of(self, one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
        let (common, all) = (one.intersection(other).count(), one.union(other).count());
        let jaccard = common as f64 / all as f64;
        match self {
            Self::Jaccard => 1.0 - jaccard,
            Self::Masi if common == one.len().min(other.len()) => 1.0 - jaccard * 2.0 / 3.0,
            Self::Masi => 1.0 - jaccard / 3.0,
        }
    }

    /// Returns the distances of each of `sets`, which are all different, to those before it.
    pub fn of_all(self, sets: &[BTreeSet<String>]) -> Vec<Vec<f64>> {
        let rows = sets.iter().enumerate();
        rows.map(|(number, set)| {
            let before = sets[..number].iter();
            before.map(|other| self.of(set, other)).collect()
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_as_far_apart_as_in_nltk() {
        let set = |tags: &str| tags.split_whitespace().map(str::to_owned).collect();
        let sets: Vec<BTreeSet<String>> = ["a b", "a", "a c", "d", ""].map(set).into();
        let jaccard = SetDistance::Jaccard.of_all(&sets);
        assert_eq!(jaccard[1], [0.5]);
        assert_eq!(jaccard[2], [1.0 - 1.0 / 3.0, 0.5]);
        assert_eq!((&jaccard[3], &jaccard[4]), (&vec![1.0; 3], &vec![1.0; 4]));
        let masi = SetDistance::Masi.of_all(&sets);
        assert_eq!(masi[1], [1.0 - 0.5 * 2.0 / 3.0]);
        assert_eq!(masi[2], [1.0 - 1.0 / 3.0 / 3.0, 1.0 - 0.5 * 2.0 / 3.0]);
        assert_eq!((&masi[3], &masi[4]), (&vec![1.0; 3], &vec![1.0; 4]));
    }
}
