//! Bootstrap intervals: how much a figure would vary had other dialogs been judged.
//!
//! Whole dialogs are drawn, because the judgements within one are not independent; the annotators stay the same.
//! (The bootstrap of Krippendorff's own program draws pairs of judgements instead, and gives narrower intervals.)

use rayon::prelude::*;

use super::undefined::Statistic;

/// How many draws are computed at once.
const BLOCK: u32 = 32;

/// The draws of dialogs, with replacement, from which intervals are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    pub draws: u32,
    pub seed: u64,
}

/// The middle 95 % of a figure over the draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The percentiles 2.5 and 97.5; None if the figure was undefined in every draw.
    pub bounds: Option<[f64; 2]>,
    /// The number of draws in which it was undefined; they do not count.
    pub undefined: u32,
}

impl Bootstrap {
    /// Returns the intervals of `figures`, in their order. They are computed for several draws at once, from the number of
    /// times that each has each of `dialogs`.
    pub fn intervals(
        self,
        dialogs: usize,
        figures: impl Fn(&[Vec<u64>]) -> Vec<Vec<Statistic>> + Sync,
    ) -> Vec<Interval> {
        let blocks = (0..self.draws.div_ceil(BLOCK)).into_par_iter();
        let draws: Vec<_> = blocks
            .flat_map_iter(|block| {
                let draws = block * BLOCK..self.draws.min((block + 1) * BLOCK);
                let times: Vec<_> = draws.map(|draw| self.times(draw, dialogs)).collect();
                figures(&times)
            })
            .collect();
        let count = draws.first().map_or(0, Vec::len);
        let of = |figure: usize| draws.iter().map(move |values| values[figure]);
        (0..count).map(|figure| Interval::of(of(figure))).collect()
    }

    /// Returns how often a draw has each of `dialogs`. It depends only on the seed and the number of the draw.
    pub fn times(self, draw: u32, dialogs: usize) -> Vec<u64> {
        let mut times = vec![0; dialogs];
        let mut random = Random::new(self.seed ^ Random::new(u64::from(draw)).next());
        for _ in 0..dialogs {
            times[random.below(dialogs)] += 1;
        }
        times
    }
}

impl Interval {
    /// Returns the bounds, unless every draw gave the same: that says nothing of the dialogs that were not judged.
    pub fn spread(&self) -> Option<[f64; 2]> {
        self.bounds.filter(|[low, high]| high > low)
    }

    fn of(values: impl Iterator<Item = Statistic>) -> Self {
        let (mut known, mut undefined) = (Vec::new(), 0);
        for value in values {
            match value {
                Ok(value) => known.push(value),
                Err(_) => undefined += 1,
            }
        }
        known.sort_unstable_by(f64::total_cmp);
        let bounds =
            (!known.is_empty()).then(|| [percentile(&known, 0.025), percentile(&known, 0.975)]);
        Self { bounds, undefined }
    }
}

/// Returns a percentile of sorted values, as a share of them; between two, it is interpolated.
pub fn percentile(sorted: &[f64], share: f64) -> f64 {
    let place = share * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

/// Pseudo-random numbers: the generator `SplitMix64`.
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }
}
