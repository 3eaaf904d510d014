//! Surveys as plain numbers that programs add, exactly: counts of tallies, and of votes beside tallies.
//!
//! All statistics are computed from these counts, so that the sums of the parts of a corpus give the figures of
//! the whole, to the last digit.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::annotator::Annotator;
use super::survey::{InvalidVotes, Survey};
use super::tallies::Tallies;
use super::tally::Tally;
use crate::dialog::Breakdown;

/// The label of a vote, the others' votes for O, T and X on the turn, and the number of such votes.
type VoteSum = (String, u32, u32, u32, u64);

/// The numbers of a [`Survey`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurveySums {
    /// Votes for O, T and X on a turn, and the number of turns that have them.
    tallies: Vec<(u32, u32, u32, u64)>,
    /// The votes of each annotator.
    annotators: BTreeMap<String, Vec<VoteSum>>,
    /// Votes for O, T and X without an annotator id.
    anonymous: [u64; 3],
    unlabelled: u64,
    on_user_turns: u64,
    repeated: u64,
}

impl From<&Survey> for SurveySums {
    fn from(survey: &Survey) -> Self {
        let row = |(&Tally { counts: [o, t, x] }, turns)| (o, t, x, turns);
        let votes = |annotator: &Annotator| {
            let met = annotator.iter().map(|(vote, rest, times)| {
                let [o, t, x] = rest.counts;
                (Breakdown::ALL[vote].letter().to_owned(), o, t, x, times)
            });
            met.collect()
        };
        let annotators = survey.annotators.iter();
        Self {
            tallies: survey.tallies.iter().map(row).collect(),
            annotators: annotators
                .map(|(id, annotator)| (id.to_string(), votes(annotator)))
                .collect(),
            anonymous: survey.anonymous,
            unlabelled: survey.invalid.unlabelled,
            on_user_turns: survey.invalid.on_user_turns,
            repeated: survey.invalid.repeated,
        }
    }
}

impl SurveySums {
    /// Returns the survey with these numbers; None if a label is not O, T or X.
    pub fn survey(&self) -> Option<Survey> {
        let mut tallies = Tallies::default();
        for &(o, t, x, turns) in &self.tallies {
            tallies.add_times(Tally { counts: [o, t, x] }, turns);
        }
        let mut annotators = BTreeMap::new();
        for (id, votes) in &self.annotators {
            let mut annotator = Annotator::default();
            for (label, o, t, x, times) in votes {
                let rest = Tally { counts: [*o, *t, *x] };
                annotator.add_times(Breakdown::from_letter(label)? as usize, rest, *times);
            }
            annotators.insert(id.as_str().into(), annotator);
        }
        Some(Survey {
            tallies,
            annotators,
            anonymous: self.anonymous,
            invalid: InvalidVotes {
                unlabelled: self.unlabelled,
                on_user_turns: self.on_user_turns,
                repeated: self.repeated,
            },
        })
    }
}
