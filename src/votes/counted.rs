//! Counts the judgements of one item by category: the votes on a turn, or the answers to a question at a place.
//!
//! Figures of many items are computed from such counts, see [`super::Tallies`].

/// The judgements of one item by category.
///
/// Categories are numbers from 0; of several with equally many judgements, the lower one is taken.
pub trait Counted: Ord {
    /// Returns the categories, in order, with the numbers of their judgements; some may have none.
    fn counts(&self) -> impl Iterator<Item = (usize, u32)>;

    /// Returns the number of judgements.
    fn total(&self) -> u32 {
        self.counts().map(|(_, count)| count).sum()
    }

    /// Returns the categories with the most judgements: several in a tie, none without judgements.
    fn most(&self) -> Vec<usize> {
        let most = self.counts().map(|(_, count)| count).max();
        let most = most.filter(|most| *most > 0);
        let these = self.counts().filter(|(_, count)| Some(*count) == most);
        these.map(|(category, _)| category).collect()
    }

    /// Returns the category with the most judgements, the first of several; category 0 if its share is below
    /// `threshold`. None without judgements.
    fn majority(&self, threshold: f64) -> Option<usize> {
        let first = *self.most().first()?;
        let is_enough = self.share_of(first)? >= threshold;
        Some(if is_enough { first } else { 0 })
    }

    /// True if no category has more than half of the judgements.
    fn lacks_absolute_majority(&self) -> bool {
        let total = self.total();
        self.counts().all(|(_, count)| 2 * count <= total)
    }

    /// Shannon entropy of the shares in bits, 0 if all agree; None without judgements.
    fn entropy(&self) -> Option<f64> {
        let total = f64::from(self.total());
        let shares = self.counts().map(|(_, count)| f64::from(count) / total);
        let sum = |share: f64| share * share.log2();
        let sum: f64 = shares.filter(|share| *share > 0.0).map(sum).sum();
        (total > 0.0).then_some(0.0 - sum)
    }

    /// Returns the share of a category, from 0 to 1; None without judgements.
    fn share_of(&self, category: usize) -> Option<f64> {
        let total = self.total();
        let same = self.counts().find(|(other, _)| *other == category);
        let same = same.map_or(0, |(_, count)| count);
        (total > 0).then(|| f64::from(same) / f64::from(total))
    }

    /// Returns the share of the pairs of judgements that agree, from 0 to 1; None without pairs.
    fn agreeing_pairs(&self) -> Option<f64> {
        let pairs = |count: u32| f64::from(count) * (f64::from(count) - 1.0);
        let total = self.total();
        let agreeing: f64 = self.counts().map(|(_, count)| pairs(count)).sum();
        (total > 1).then(|| agreeing / pairs(total))
    }
}

/// The counts of an item with any number of categories; those without judgements are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CategoryCounts(Box<[(usize, u32)]>);

impl FromIterator<usize> for CategoryCounts {
    /// Counts judgements by their categories.
    fn from_iter<I: IntoIterator<Item = usize>>(categories: I) -> Self {
        let mut categories: Vec<_> = categories.into_iter().collect();
        categories.sort_unstable();
        let same = categories.chunk_by(|one, other| one == other);
        Self(same.map(|same| (same[0], same.len() as u32)).collect())
    }
}

impl Counted for CategoryCounts {
    fn counts(&self) -> impl Iterator<Item = (usize, u32)> {
        self.0.iter().copied()
    }
}

impl<T: Counted> Counted for &T {
    fn counts(&self) -> impl Iterator<Item = (usize, u32)> {
        (*self).counts()
    }
}
