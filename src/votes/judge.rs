//! Figures of a judge, such as a model: how well it tells yes from no, and whether it can take a person's place.
//!
//! The corrected rate is Rogan and Gladen's (1978) estimate, as the package `judgy` computes it. The alternative
//! annotator test is that of Calderon, Reichart and Dror, "The Alternative Annotator Test for LLM-as-a-Judge" (2025).

use super::confusion::Confusion;
use super::ratings::{RatedItem, Ratings};
use super::student::student_t;
use super::undefined::{Statistic, UndefinedReason, ratio};

/// The answers of a judge, each no or yes, in this order, beside those that are right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgeRates {
    /// The items by the right answer, then by the judge's.
    pub labelled: [[u64; 2]; 2],
    /// All items that the judge answered, by its answer.
    pub judged: [u64; 2],
}

impl JudgeRates {
    /// The share of the items whose right answer is yes to which the judge says yes.
    ///
    /// # Errors
    /// If there are none.
    pub fn true_positive(&self) -> Statistic {
        self.right(1)
    }

    /// As [`JudgeRates::true_positive`], for no.
    ///
    /// # Errors
    /// If there are none.
    pub fn true_negative(&self) -> Statistic {
        self.right(0)
    }

    /// Cohen's kappa of the judge and the right answers.
    ///
    /// # Errors
    /// If it is undefined.
    pub fn kappa(&self) -> Statistic {
        let mut confusion = Confusion::new(2);
        for (sums, counts) in confusion.turns.iter_mut().zip(self.labelled) {
            *sums = counts.to_vec();
        }
        confusion.kappa()
    }

    /// The share of all items to which the judge says yes.
    ///
    /// # Errors
    /// If the judge has answered nothing.
    pub fn observed(&self) -> Statistic {
        let [no, yes] = self.judged;
        ratio(yes as f64, no + yes, UndefinedReason::NoAnswers)
    }

    /// The share of all items whose right answer would be yes, from 0 to 1.
    ///
    /// # Errors
    /// If the judge is not better than chance, or its rates are undefined.
    pub fn corrected(&self) -> Statistic {
        let (positive, negative) = (self.true_positive()?, self.true_negative()?);
        let better = positive + negative - 1.0;
        if better <= 0.0 {
            return Err(UndefinedReason::NotBetterThanChance);
        }
        Ok(((self.observed()? + negative - 1.0) / better).clamp(0.0, 1.0))
    }

    /// The share of the items with this right answer to which the judge gives it.
    fn right(&self, answer: usize) -> Statistic {
        let items = self.labelled[answer];
        ratio(items[answer] as f64, items.iter().sum(), UndefinedReason::NoSuchAnswer)
    }
}

/// The fewest items that a person must have judged to be compared.
pub const FEWEST: u64 = 30;
/// The share of people that a judge has to beat.
pub const ENOUGH: f64 = 0.5;
/// The most false discoveries among the people beaten, as a share.
const DISCOVERIES: f64 = 0.05;

/// A person whose place the judge could take.
#[derive(Clone, Debug, PartialEq)]
pub struct Replaced {
    /// The number of the annotator.
    pub annotator: usize,
    /// The items that they, others, and the judge have judged.
    pub items: u64,
    /// The items on which the judge agrees with the others as well as they do, or better.
    pub judge: u64,
    /// The items on which they agree with the others as well as the judge does, or better.
    pub person: u64,
    /// The probability of a difference like this, or a clearer one, if the judge were worse by epsilon.
    pub p: f64,
    pub beaten: bool,
}

/// The alternative annotator test of a judge.
#[derive(Clone, Debug, PartialEq)]
pub struct AltTest {
    pub people: Vec<Replaced>,
    /// Those who have judged too little.
    pub left_out: Vec<usize>,
}

impl AltTest {
    /// Tests a judge against `people`, who are annotators of `ratings`. `epsilon` is how much worse than a person it may
    /// be, because it costs less.
    pub fn new(ratings: &Ratings, judge: usize, people: &[usize], epsilon: f64) -> Self {
        let each = people.iter().map(|person| {
            let others = ratings.items.iter();
            let compared = others.filter_map(|item| compared(item, judge, *person, people));
            Replaced::new(*person, compared, epsilon)
        });
        let (mut compared, few): (Vec<_>, Vec<_>) = each.partition(|one| one.items >= FEWEST);
        let mut order: Vec<usize> = (0..compared.len()).collect();
        order.sort_by(|one, other| compared[*one].p.total_cmp(&compared[*other].p));
        // Benjamini and Yekutieli: the people depend on each other.
        let all = compared.len() as f64;
        let harmonic: f64 = (1..=compared.len()).map(|rank| 1.0 / rank as f64).sum();
        let is_low = |(rank, place): &(usize, &usize)| {
            compared[**place].p <= (rank + 1) as f64 / all * (DISCOVERIES / harmonic)
        };
        let last = order.iter().enumerate().rfind(is_low);
        let beaten = last.map_or(0, |(rank, _)| rank + 1);
        for place in &order[..beaten] {
            compared[*place].beaten = true;
        }
        Self { people: compared, left_out: few.into_iter().map(|one| one.annotator).collect() }
    }

    /// The share of people that the judge beats.
    ///
    /// # Errors
    /// If nobody has judged enough.
    pub fn winning_rate(&self) -> Statistic {
        let beaten = self.people.iter().filter(|one| one.beaten).count();
        self.mean(beaten as f64)
    }

    /// The share of items on which the judge agrees with the others as well as a person does, or better; the mean over
    /// people.
    ///
    /// # Errors
    /// If nobody has judged enough.
    pub fn advantage(&self) -> Statistic {
        let shares = self.people.iter();
        self.mean(shares.map(|one| one.judge as f64 / one.items as f64).sum())
    }

    fn mean(&self, sum: f64) -> Statistic {
        ratio(sum, self.people.len() as u64, UndefinedReason::TooFewItems)
    }
}

/// Returns whether the judge, and whether a person, agrees with the other people on an item at least as well as the other
/// of the two; None unless all have judged it.
fn compared(item: &RatedItem, judge: usize, person: usize, people: &[usize]) -> Option<[bool; 2]> {
    let by_judge = item.category_by(judge)?;
    let by_person = item.category_by(person)?;
    let others = people.iter().filter(|other| **other != person);
    let others: Vec<usize> = others.filter_map(|other| item.category_by(*other)).collect();
    if others.is_empty() {
        return None;
    }
    let hits = |category: usize| others.iter().filter(|other| **other == category).count();
    let (judge, person) = (hits(by_judge), hits(by_person));
    Some([judge >= person, person >= judge])
}

impl Replaced {
    fn new(annotator: usize, compared: impl Iterator<Item = [bool; 2]>, epsilon: f64) -> Self {
        let mut one = Self { annotator, items: 0, judge: 0, person: 0, p: 1.0, beaten: false };
        let mut unequal = 0_u64;
        for [judge, person] in compared {
            one.items += 1;
            one.judge += u64::from(judge);
            one.person += u64::from(person);
            unequal += u64::from(judge != person);
        }
        if one.items > 1 {
            let items = one.items as f64;
            let mean = (one.person as f64 - one.judge as f64) / items;
            let variance = (unequal as f64 - items * mean * mean) / (items - 1.0);
            // Where all items are alike, only the sign counts.
            one.p = if variance > 0.0 {
                student_t((mean - epsilon) / (variance / items).sqrt(), items - 1.0)
            } else if mean < epsilon {
                0.0
            } else {
                1.0
            };
        }
        one
    }
}
