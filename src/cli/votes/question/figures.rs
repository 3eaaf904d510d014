//! The figures of the answers to a question as the cells of rows.

use super::Answered;
use crate::cli::votes::figures::{Cell, Cells};
use crate::judging::{AnswerFigures, Figure, ValueFigures};
use crate::votes::{Annotator, CategoryCounts, UndefinedReason};

impl ValueFigures {
    pub fn cells(&self) -> Cells {
        let mut cells: Cells = vec![
            ("value".into(), Cell::Name(self.name.clone())),
            ("answers".into(), Cell::Count(self.answers)),
        ];
        cells.extend(self.share.cells());
        cells.push(("majority".into(), Cell::Count(self.majority)));
        cells
    }
}

impl Figure {
    /// Returns it as cells: the value, and the bounds and the draws in which it was undefined, if there are any.
    pub fn cells(&self) -> Cells {
        let name = &self.name;
        let mut cells = vec![(name.clone().into(), Cell::Statistic(self.value))];
        if let Some(interval) = &self.interval {
            let bound = |of: usize| {
                let bounds = interval.bounds;
                let otherwise = self.value.err().unwrap_or(UndefinedReason::NoAnswers);
                Cell::Statistic(bounds.map(|bounds| bounds[of]).ok_or(otherwise))
            };
            let undefined = Cell::Count(u64::from(interval.undefined));
            cells.push((format!("{name}_low").into(), bound(0)));
            cells.push((format!("{name}_high").into(), bound(1)));
            cells.push((format!("{name}_undefined_draws").into(), undefined));
        }
        cells
    }
}

impl AnswerFigures {
    /// Returns all figures, in the order of the machine-readable output.
    pub fn cells(&self) -> Cells {
        let count = |name: &'static str, count: u64| (name.into(), Cell::Count(count));
        let mut cells: Cells = vec![
            count("items", self.items),
            count("answers", self.answers),
            count("annotators", self.annotators),
        ];
        let values = self.values.iter();
        cells.extend(
            values.clone().map(|value| {
                (format!("answers_{}", value.name).into(), Cell::Count(value.answers))
            }),
        );
        cells.extend(values.map(|value| {
            let name = format!("majority_{}", value.name);
            (name.into(), Cell::Count(value.majority))
        }));
        cells.push(count("ties", self.ties));
        cells.push(count("no_absolute_majority", self.no_absolute_majority));
        cells.extend(self.statistics.iter().flat_map(Figure::cells));
        cells
    }
}

/// Returns the row of an annotator.
pub fn annotator_cells(
    answered: &Answered<'_>,
    id: &str,
    annotator: &Annotator<CategoryCounts>,
) -> Cells {
    let mut cells: Cells = vec![
        ("annotator".into(), Cell::Name(id.to_owned())),
        ("answers".into(), Cell::Count(annotator.votes())),
    ];
    if !answered.rated.is_of_tags() {
        let mut counts = vec![0; answered.rated.table.categories.len()];
        for (category, _, times) in annotator.iter() {
            counts[category] += times;
        }
        let values = answered.rated.values().into_iter().zip(counts);
        cells.extend(values.map(|(name, count)| {
            let name = format!("answers_{name}");
            (name.into(), Cell::Count(count))
        }));
    }
    let statistics = [
        Figure::new("agreement_with_rest", annotator.with_rest()),
        Figure::new("agreement_with_majority", annotator.with_most()),
    ];
    cells.extend(statistics.iter().flat_map(Figure::cells));
    cells
}
