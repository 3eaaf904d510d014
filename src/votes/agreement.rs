//! Agreement among all annotators: percent agreement, Fleiss' kappa, Krippendorff's alpha.
//!
//! All of them compare the votes on a turn with each other and do not depend on who cast them. So an
//! anonymous vote counts as the vote of another person on that turn, and it does not matter whether two
//! anonymous votes on different turns are by the same person.
//!
//! Sources of the formulas: Fleiss 1971, "Measuring nominal scale agreement among many raters";
//! Krippendorff 2011, "Computing Krippendorff's alpha-reliability". The results equal those of the Python
//! packages `statsmodels` and `krippendorff`.

use super::counted::Counted;
use super::tag_sets::Closeness;
use super::tallies::Tallies;
use super::undefined::{Statistic, UndefinedReason, mean};

/// How far apart two categories are, for Krippendorff's alpha.
#[derive(Clone, Debug, PartialEq)]
pub enum Distances {
    /// All pairs of different categories are equally far apart.
    Nominal,
    /// By the judgements from one category to the other, as for O < T < X: X is further from O than from T.
    Ordinal,
    /// By the difference of these numbers, one for each category.
    Interval(Vec<f64>),
    /// From 0 to 1: 1 minus the closeness, which is given for each category and those before it.
    Given(Vec<Closeness>),
}

impl Distances {
    /// Returns the distance of two categories, the first before the second, by which their disagreements weigh:
    /// squared, if it is one of numbers. `votes` are the numbers of judgements by category.
    fn weight(&self, votes: &[f64], first: usize, second: usize) -> f64 {
        match self {
            Self::Nominal => 1.0,
            Self::Ordinal => {
                // Half of their own judgements count.
                let between: f64 = votes[first..=second].iter().sum();
                (between - f64::midpoint(votes[first], votes[second])).powi(2)
            }
            Self::Interval(numbers) => (numbers[first] - numbers[second]).powi(2),
            Self::Given(close) => {
                let found = close[second].binary_search_by_key(&first, |(other, _)| *other);
                found.map_or(1.0, |place| 1.0 - close[second][place].1)
            }
        }
    }

    /// Returns the sum of the weights of all pairs of different judgements.
    fn expected(&self, votes: &[f64]) -> f64 {
        let nominal = || {
            let (sum, squares): (f64, f64) =
                (votes.iter().sum(), votes.iter().map(|count| count.powi(2)).sum());
            (sum.powi(2) - squares) / 2.0
        };
        match self {
            Self::Nominal => nominal(),
            Self::Ordinal | Self::Interval(_) => {
                let pairs = (0..votes.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
                let of = |(a, b): (usize, usize)| votes[a] * votes[b] * self.weight(votes, a, b);
                pairs.map(of).sum()
            }
            // Of many sets of tags, few pairs have anything in common.
            Self::Given(close) => {
                let rows = votes.iter().zip(close).filter(|(count, _)| **count > 0.0);
                let near = rows.map(|(count, close)| {
                    let each = close.iter().map(|(other, share)| votes[*other] * share);
                    count * each.sum::<f64>()
                });
                nominal() - near.sum::<f64>()
            }
        }
    }
}

impl<T: Counted> Tallies<T> {
    /// Percent agreement as a share from 0 to 1: the share of the pairs of votes on a turn that agree,
    /// averaged over the turns with two or more votes.
    ///
    /// # Errors
    /// If no turn has two votes.
    pub fn agreement(&self) -> Statistic {
        let shares =
            self.iter().filter_map(|(tally, times)| Some((tally.agreeing_pairs()?, times)));
        mean(shares, self.no_pairs())
    }

    /// Fleiss' kappa: agreement beyond chance, given how often all annotators together vote for each
    /// category. 1 is perfect, 0 is chance, below 0 is worse than chance.
    ///
    /// # Errors
    /// If turns have different numbers of votes, for which it is not defined; if no turn has two votes;
    /// or if all votes have the same label.
    pub fn fleiss_kappa(&self) -> Statistic {
        if let Some((fewest, most)) = self.votes_a_turn()
            && fewest != most
        {
            return Err(UndefinedReason::UnequalAnswers { fewest, most });
        }
        let observed = self.agreement()?;
        let votes = self.votes() as f64;
        let share = |count: u64| (count as f64 / votes).powi(2);
        let expected: f64 = self.categories(|_| true).into_iter().map(share).sum();
        if expected >= 1.0 {
            return Err(UndefinedReason::OneAnswer);
        }
        Ok((observed - expected) / (1.0 - expected))
    }

    /// Krippendorff's alpha: 1 minus the ratio of the observed disagreement to that expected by chance.
    /// 1 is perfect, 0 is chance, below 0 is worse than chance. Turns may have any number of votes;
    /// turns with a single vote do not count.
    ///
    /// # Errors
    /// If no turn has two votes, or if all votes on turns with several have the same label.
    pub fn alpha(&self, distances: &Distances) -> Statistic {
        let labels = self.categories(|tally| tally.total() > 1);
        let labels: Vec<f64> = labels.into_iter().map(|count| count as f64).collect();
        let votes: f64 = labels.iter().sum();
        if votes == 0.0 {
            return Err(self.no_pairs());
        }
        let expected = distances.expected(&labels);
        let mut observed = 0.0;
        for (tally, times) in self.iter().filter(|(tally, _)| tally.total() > 1) {
            let given: Vec<_> = tally.counts().filter(|(_, count)| *count > 0).collect();
            for (number, (a, of_a)) in given.iter().enumerate() {
                for (b, of_b) in &given[number + 1..] {
                    let pairs = f64::from(*of_a) * f64::from(*of_b);
                    observed += times as f64 * pairs / f64::from(tally.total() - 1)
                        * distances.weight(&labels, *a, *b);
                }
            }
        }
        if expected == 0.0 {
            let all = self.categories(|_| true).into_iter();
            return Err(match all.filter(|count| *count > 0).count() {
                1 => UndefinedReason::OneAnswer,
                _ => UndefinedReason::OneAnswerCompared,
            });
        }
        Ok(1.0 - (votes - 1.0) * observed / expected)
    }

    fn no_pairs(&self) -> UndefinedReason {
        match self.turns() {
            0 => UndefinedReason::NoAnswers,
            _ => UndefinedReason::NoPairs,
        }
    }
}
