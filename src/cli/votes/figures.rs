//! The figures in the output, with their machine-readable names.

use std::borrow::Cow;

use crate::dialog::Breakdown;
use crate::votes::{
    Annotator, Distances, InvalidVotes, Majorities, Statistic, Survey, UndefinedReason,
};

/// The figures of a set of turns.
#[derive(Clone, Debug)]
pub struct Figures {
    pub turns: u64,
    pub votes: u64,
    pub votes_a_turn: Option<(u32, u32)>,
    pub annotators: u64,
    pub anonymous: u64,
    pub labels: [u64; 3],
    pub majorities: Majorities,
    pub ties: u64,
    pub no_absolute_majority: u64,
    /// In bits.
    pub entropy: Statistic,
    pub agreement: Statistic,
    pub fleiss_kappa: Statistic,
    pub alpha_nominal: Statistic,
    pub alpha_ordinal: Statistic,
    pub invalid: InvalidVotes,
}

/// A figure or a name in a row.
#[derive(Clone, Debug)]
pub enum Cell {
    Name(String),
    Count(u64),
    Statistic(Statistic),
}

/// Named cells of a row.
pub type Cells = Vec<(Cow<'static, str>, Cell)>;

impl Figures {
    pub fn of(survey: &Survey, threshold: f64) -> Self {
        let tallies = &survey.tallies;
        Self {
            turns: tallies.turns(),
            votes: tallies.votes(),
            votes_a_turn: tallies.votes_a_turn(),
            annotators: survey.annotators.len() as u64,
            anonymous: survey.anonymous.iter().sum(),
            labels: tallies.labels(),
            majorities: tallies.majorities(threshold),
            ties: tallies.ties(),
            no_absolute_majority: tallies.without_absolute_majority(),
            entropy: tallies.entropy(),
            agreement: tallies.agreement(),
            fleiss_kappa: tallies.fleiss_kappa(),
            alpha_nominal: tallies.alpha(&Distances::Nominal),
            alpha_ordinal: tallies.alpha(&Distances::Ordinal),
            invalid: survey.invalid,
        }
    }

    /// Returns all figures, in the order of the machine-readable output.
    pub fn cells(&self) -> Cells {
        let [o, t, x] = self.labels;
        let [strict_o, strict_t, strict_x] = self.majorities.strict;
        let [lenient_o, lenient_tx] = self.majorities.lenient;
        let counts = [
            ("turns", self.turns),
            ("votes", self.votes),
            ("annotators", self.annotators),
            ("anonymous", self.anonymous),
            ("O", o),
            ("T", t),
            ("X", x),
            ("majority_O", strict_o),
            ("majority_T", strict_t),
            ("majority_X", strict_x),
            ("lenient_O", lenient_o),
            ("lenient_TX", lenient_tx),
            ("ties", self.ties),
            ("no_absolute_majority", self.no_absolute_majority),
            ("unlabelled", self.invalid.unlabelled),
            ("on_user_turns", self.invalid.on_user_turns),
            ("repeated", self.invalid.repeated),
        ];
        let statistics = [
            ("entropy", self.entropy),
            ("agreement", self.agreement),
            ("fleiss_kappa", self.fleiss_kappa),
            ("alpha_nominal", self.alpha_nominal),
            ("alpha_ordinal", self.alpha_ordinal),
        ];
        let counts = counts.map(|(name, count)| (name.into(), Cell::Count(count)));
        let statistics =
            statistics.map(|(name, statistic)| (name.into(), Cell::Statistic(statistic)));
        counts.into_iter().chain(statistics).collect()
    }
}

/// Returns the row of one annotator. Votes without an annotator id cannot be compared with the rest.
pub fn annotator(id: &str, annotator: &Annotator, threshold: f64) -> Cells {
    let statistics = [annotator.with_rest(), annotator.with_majority(threshold)];
    annotator_cells(id, annotator.labels(), statistics)
}

/// Returns the row of all votes without an annotator id.
pub fn anonymous(labels: [u64; 3]) -> Cells {
    annotator_cells("", labels, [Err(UndefinedReason::Anonymous); 2])
}

fn annotator_cells(id: &str, labels: [u64; 3], statistics: [Statistic; 2]) -> Cells {
    let mut cells = vec![
        ("annotator".into(), Cell::Name(id.to_owned())),
        ("votes".into(), Cell::Count(labels.iter().sum())),
    ];
    let each = Breakdown::ALL.map(Breakdown::letter).into_iter().zip(labels);
    cells.extend(each.map(|(letter, count)| (letter.into(), Cell::Count(count))));
    let names = ["agreement_with_rest", "agreement_with_majority"];
    let each = names.into_iter().zip(statistics);
    cells.extend(each.map(|(name, statistic)| (name.into(), Cell::Statistic(statistic))));
    cells
}
