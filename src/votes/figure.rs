//! Statistics with names, as commands and reports show them.

use std::borrow::Cow;

use super::bootstrap::{Bootstrap, Interval};
use super::undefined::{Statistic, UndefinedReason};

/// A statistic with a name that is stable across versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    pub name: Cow<'static, str>,
    pub value: Statistic,
    /// How much it would vary had other dialogs been judged; None if that was not asked for.
    pub interval: Option<Interval>,
}

impl Figure {
    /// Makes one without an interval.
    pub fn new(name: impl Into<Cow<'static, str>>, value: Statistic) -> Self {
        Self { name: name.into(), value, interval: None }
    }

    /// Makes one of copies of a corpus, without an interval.
    pub fn of_copies(name: &'static str, value: Statistic) -> Self {
        Self::new(name, value.map_err(UndefinedReason::of_copies))
    }
}

impl Bootstrap {
    /// Returns the figures of all `dialogs` with intervals. `draw` computes the same ones of several draws, each of which
    /// says how many times it has each dialog; figures behind those that it computes get no interval.
    pub fn with_intervals(
        self,
        dialogs: usize,
        mut total: Vec<Figure>,
        draw: impl Fn(&[Vec<u64>]) -> Vec<Vec<Figure>> + Sync,
    ) -> Vec<Figure> {
        let values = |figures: Vec<Figure>| figures.iter().map(|figure| figure.value).collect();
        let intervals =
            self.intervals(dialogs, |draws| draw(draws).into_iter().map(values).collect());
        for (figure, mut interval) in total.iter_mut().zip(intervals) {
            // Without a figure, there is nothing that the draws in which it is defined could surround.
            interval.bounds = interval.bounds.filter(|_| figure.value.is_ok());
            figure.interval = Some(interval);
        }
        total
    }
}
