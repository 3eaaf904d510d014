//! The answers to a question as numbers: items, and the category that each annotator gave them.
//!
//! All figures are computed from this table, or from tallies of it.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::annotator::Annotator;
use super::confusion::Confusion;
use super::counted::CategoryCounts;
use super::tallies::Tallies;

/// The number of nobody in particular, who is compared with nobody.
pub const ANONYMOUS: u32 = u32::MAX;

/// The category that an annotator gave an item, both as numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u32; 2]", into = "[u32; 2]")]
pub struct Rating {
    pub annotator: u32,
    pub category: u32,
}

impl From<[u32; 2]> for Rating {
    fn from([annotator, category]: [u32; 2]) -> Self {
        Self { annotator, category }
    }
}

impl From<Rating> for [u32; 2] {
    fn from(rating: Rating) -> Self {
        [rating.annotator, rating.category]
    }
}

/// An item that was judged: a dialog, a turn, or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatedItem {
    /// The number of its dialog, from 0.
    pub dialog: u32,
    /// The position of its turn; None for a whole dialog.
    pub turn: Option<u32>,
    /// One for each annotator who judged it; votes may be several.
    pub ratings: Box<[Rating]>,
    /// The category that was decided for it.
    pub gold: Option<u32>,
}

/// Items and their ratings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ratings {
    pub annotators: usize,
    pub categories: usize,
    pub dialogs: usize,
    /// In the order of their dialogs.
    pub items: Vec<RatedItem>,
}

impl RatedItem {
    pub fn counts(&self) -> CategoryCounts {
        self.ratings.iter().map(|rating| rating.category as usize).collect()
    }

    /// Returns the categories that an annotator gave it: several if they voted again.
    pub fn categories_by(&self, annotator: usize) -> Vec<usize> {
        let own = self.ratings.iter().filter(|rating| rating.annotator as usize == annotator);
        own.map(|rating| rating.category as usize).collect()
    }

    /// Returns the category that an annotator gave it first, if any.
    pub fn category_by(&self, annotator: usize) -> Option<usize> {
        let own = self.ratings.iter().find(|rating| rating.annotator as usize == annotator);
        own.map(|rating| rating.category as usize)
    }
}

impl Ratings {
    /// Returns these items alone.
    #[must_use]
    pub fn with(&self, items: Vec<RatedItem>) -> Self {
        Self { items, ..*self }
    }

    /// Returns how often each combination of judgements occurs.
    pub fn tallies(&self) -> Tallies<CategoryCounts> {
        self.items.iter().map(RatedItem::counts).collect()
    }

    /// Compares each annotator with all others.
    pub fn by_annotator(&self) -> Vec<Annotator> {
        let mut all = vec![Annotator::default(); self.annotators];
        for item in &self.items {
            for own in &item.ratings {
                let Some(annotator) = all.get_mut(own.annotator as usize) else {
                    continue;
                };
                let rest = item.ratings.iter();
                let rest = rest.filter(|other| other.annotator != own.annotator);
                let rest = rest.map(|other| other.category as usize);
                annotator.add(own.category as usize, rest.collect());
            }
        }
        all
    }

    /// Compares two annotators.
    pub fn confusion(&self, first: usize, second: usize) -> Confusion {
        self.compared(|item| item.categories_by(first), |item| item.categories_by(second))
    }

    /// Compares the categories that items have in one way with those in another. An item that has several in one way,
    /// and any in the other, is left out.
    pub fn compared(
        &self,
        first: impl Fn(&RatedItem) -> Vec<usize>,
        second: impl Fn(&RatedItem) -> Vec<usize>,
    ) -> Confusion {
        let mut confusion = Confusion::new(self.categories);
        for item in &self.items {
            match (&first(item)[..], &second(item)[..]) {
                ([first], [second]) => confusion.add(*first, *second),
                ([], _) | (_, []) => {}
                _ => confusion.left_out += 1,
            }
        }
        confusion
    }
}

/// Items by their tallies, for computing figures of many draws of their dialogs.
#[derive(Debug)]
pub struct Drawable {
    tallies: Vec<CategoryCounts>,
    /// The dialog of each item, and the number of its tally.
    items: Vec<(usize, usize)>,
}

impl Drawable {
    pub fn of(ratings: &Ratings) -> Self {
        let counted: Vec<_> =
            ratings.items.iter().map(|item| (item.dialog as usize, item.counts())).collect();
        let different: BTreeSet<_> = counted.iter().map(|(_, tally)| tally).collect();
        let tallies: Vec<_> = different.into_iter().cloned().collect();
        let number = |tally: &CategoryCounts| tallies.partition_point(|other| other < tally);
        Self {
            items: counted.iter().map(|(dialog, tally)| (*dialog, number(tally))).collect(),
            tallies,
        }
    }

    /// Returns the tallies of a draw, which has each dialog this many times.
    pub fn drawn(&self, times: &[u64]) -> Tallies<&CategoryCounts> {
        let mut all = vec![0; self.tallies.len()];
        for (dialog, tally) in &self.items {
            all[*tally] += times[*dialog];
        }
        self.tallies.iter().zip(all).collect()
    }
}
