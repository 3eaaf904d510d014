//! Agreement of copies about sets: the acts of a turn, its state, the words of its text.
//!
//! Copies are compared pair by pair: whether the sets are the same, and how close they are by Jaccard and by MASI (see
//! [`SetDistance`]). Krippendorff's alpha is computed with both as distances.

use std::collections::{BTreeSet, HashMap};

use super::agreement::Distances;
use super::figure::Figure;
use super::ratings::{Drawable, RatedItem, Rating, Ratings};
use super::tag_sets::{Closeness, SetDistance};
use super::undefined::{Statistic, UndefinedReason, ratio};

/// The most different sets of which all pairs are compared, for what chance would give.
const MOST: usize = 1000;

/// The same turns in several copies, as sets.
#[derive(Clone, Debug, Default)]
pub struct SetTable {
    pub copies: usize,
    pub dialogs: usize,
    sets: Vec<BTreeSet<String>>,
    numbers: HashMap<BTreeSet<String>, usize>,
    /// For each turn, its dialog and the number of the set of each copy.
    items: Vec<(usize, Vec<usize>)>,
}

/// How close the sets of two copies are, or those of all pairs of copies on average, from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Close {
    same: f64,
    jaccard: f64,
    masi: f64,
}

/// The turns of a dialog that are compared, and the sum of how close they are.
#[derive(Clone, Copy, Debug, Default)]
struct DialogClose {
    turns: u64,
    sum: Close,
}

/// The texts of a dialog in two copies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogTexts {
    /// How many are the same.
    pub same: u64,
    /// Those that differ; empty where a copy has none.
    pub other: Vec<[String; 2]>,
}

/// The figures of sets.
#[derive(Debug)]
pub struct SetCounts {
    /// By dialog.
    close: Vec<DialogClose>,
    /// For alpha, unless only pairs are compared.
    alphas: Option<Alphas>,
}

#[derive(Debug)]
struct Alphas {
    drawable: Drawable,
    /// None if there are too many different sets.
    distances: Option<[Distances; 2]>,
}

impl SetTable {
    /// Returns an empty table.
    pub fn new(copies: usize, dialogs: usize) -> Self {
        Self { copies, dialogs, ..Self::default() }
    }

    /// Adds the sets of a turn, one for each copy; `dialog` is the number of its dialog.
    pub fn add(&mut self, dialog: usize, sets: Vec<BTreeSet<String>>) {
        let sets = sets.into_iter().map(|set| match self.numbers.get(&set) {
            Some(number) => *number,
            None => {
                self.sets.push(set.clone());
                self.numbers.insert(set, self.sets.len() - 1);
                self.sets.len() - 1
            }
        });
        self.items.push((dialog, sets.collect()));
    }

    /// Returns what is needed for the figures of some of the copies, over the turns of which one of them says anything.
    pub fn counts(&self, copies: &[usize]) -> SetCounts {
        let items = self.items.iter().map(|(dialog, sets)| {
            let own: Vec<usize> = copies.iter().map(|copy| sets[*copy]).collect();
            (*dialog, own)
        });
        let says = |sets: &[usize]| sets.iter().any(|set| !self.sets[*set].is_empty());
        let items: Vec<_> = items.filter(|(_, sets)| says(sets)).collect();
        let rated = items.iter().map(|(dialog, sets)| RatedItem {
            dialog: *dialog as u32,
            // Agreement does not depend on it.
            turn: None,
            ratings: (sets.iter().zip(0..))
                .map(|(category, annotator)| Rating { annotator, category: *category as u32 })
                .collect(),
            gold: None,
        });
        let ratings = Ratings {
            annotators: copies.len(),
            categories: self.sets.len(),
            dialogs: self.dialogs,
            items: rated.collect(),
        };
        let distances = [SetDistance::Jaccard, SetDistance::Masi].map(|distance| {
            let few = self.sets.len() <= MOST;
            let close: Option<Vec<Closeness>> = few.then(|| distance.closeness(&self.sets));
            close.map(Distances::Given)
        });
        let [jaccard, masi] = distances;
        let mut close = vec![DialogClose::default(); self.dialogs];
        for (dialog, sets) in &items {
            close[*dialog].add(self.close(sets), 1);
        }
        SetCounts {
            close,
            alphas: Some(Alphas {
                drawable: Drawable::of(&ratings),
                distances: jaccard.zip(masi).map(<[Distances; 2]>::from),
            }),
        }
    }

    /// Returns how close the sets with these numbers are, on average of all pairs.
    fn close(&self, sets: &[usize]) -> Close {
        let mut sum = Close::default();
        let mut pairs = 0.0;
        for (number, one) in sets.iter().enumerate() {
            for other in &sets[number + 1..] {
                let close = Close::of(one == other, &self.sets[*one], &self.sets[*other]);
                sum.same += close.same;
                sum.jaccard += close.jaccard;
                sum.masi += close.masi;
                pairs += 1.0;
            }
        }
        Close { same: sum.same / pairs, jaccard: sum.jaccard / pairs, masi: sum.masi / pairs }
    }
}

impl DialogClose {
    fn add(&mut self, close: Close, times: u64) {
        self.turns += times;
        self.sum.same += close.same * times as f64;
        self.sum.jaccard += close.jaccard * times as f64;
        self.sum.masi += close.masi * times as f64;
    }
}

impl Close {
    const SAME: Self = Self { same: 1.0, jaccard: 1.0, masi: 1.0 };

    fn of(is_same: bool, one: &BTreeSet<String>, other: &BTreeSet<String>) -> Self {
        Self {
            same: f64::from(u8::from(is_same)),
            jaccard: SetDistance::Jaccard.close(one, other),
            masi: SetDistance::Masi.close(one, other),
        }
    }
}

impl SetCounts {
    /// Returns what is needed for the figures of texts in two copies, which are the same or not, and whose words are
    /// compared as sets.
    pub fn of_texts(texts: &[DialogTexts], words: impl Fn(&str) -> BTreeSet<String>) -> Self {
        let close = texts.iter().map(|dialog| {
            let mut sum = DialogClose::default();
            sum.add(Close::SAME, dialog.same);
            for [one, other] in &dialog.other {
                sum.add(Close::of(false, &words(one), &words(other)), 1);
            }
            sum
        });
        Self { close: close.collect(), alphas: None }
    }

    /// Returns the number of dialogs, from which draws are made.
    pub fn dialogs(&self) -> usize {
        self.close.len()
    }

    /// Returns the number of turns that are compared.
    pub fn turns(&self) -> u64 {
        self.close.iter().map(|dialog| dialog.turns).sum()
    }

    /// Returns the figures of all dialogs.
    pub fn total(&self) -> Vec<Figure> {
        self.figures(&vec![1; self.dialogs()])
    }

    /// Returns the figures of a draw that has each dialog this many times.
    pub fn figures(&self, times: &[u64]) -> Vec<Figure> {
        let mean = |of: fn(&Close) -> f64| -> Statistic {
            let drawn = self.close.iter().zip(times);
            let (sum, turns) = drawn.fold((0.0, 0), |(sum, turns), (dialog, times)| {
                (sum + *times as f64 * of(&dialog.sum), turns + times * dialog.turns)
            });
            ratio(sum, turns, UndefinedReason::NothingCompared)
        };
        let mut all = vec![
            Figure::of_copies("exact", mean(|close| close.same)),
            Figure::of_copies("jaccard", mean(|close| close.jaccard)),
            Figure::of_copies("masi", mean(|close| close.masi)),
        ];
        if let Some(Alphas { drawable, distances }) = &self.alphas {
            let tallies = drawable.drawn(times);
            let by = |number: usize| match distances {
                Some(distances) => tallies.alpha(&distances[number]),
                None => Err(UndefinedReason::TooManySets { most: MOST as u32 }),
            };
            let nominal = tallies.alpha(&Distances::Nominal);
            all.push(Figure::of_copies("alpha_nominal", nominal));
            all.push(Figure::of_copies("alpha_jaccard", by(0)));
            all.push(Figure::of_copies("alpha_masi", by(1)));
        }
        all
    }
}
