//! Collects the votes of dialogs for statistics.
//!
//! Every vote for O, T or X on a turn that is not a user turn counts. A vote without an annotator id is
//! anonymous: it counts on its turn like any other, but two anonymous votes are never taken for votes of
//! the same person. An annotator who voted twice on a turn counts twice there, as in the challenge's
//! evaluation script, but is not compared with themselves.

use std::collections::BTreeMap;

use super::annotator::Annotator;
use super::judgeable::is_judgeable;
use super::tallies::Tallies;
use super::tally::Tally;
use crate::dialog::{Breakdown, Dialog, Short, Turn, Vote};

/// The votes of any number of dialogs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    pub tallies: Tallies,
    /// The annotators with an id.
    pub annotators: BTreeMap<Short, Annotator>,
    /// Votes for O, T and X without an annotator id.
    pub anonymous: [u64; 3],
    pub invalid: InvalidVotes,
}

/// Counts of invalid votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidVotes {
    /// Votes with a label other than O, T and X; they do not count.
    pub unlabelled: u64,
    /// Votes on user turns; they do not count.
    pub on_user_turns: u64,
    /// Votes of an annotator who already has one on the same turn; they count.
    pub repeated: u64,
}

impl Survey {
    /// Returns the survey of one dialog.
    pub fn of(dialog: &Dialog) -> Self {
        let mut survey = Self::default();
        survey.add_dialog(dialog);
        survey
    }

    /// Adds the votes of a dialog.
    pub fn add_dialog(&mut self, dialog: &Dialog) {
        for turn in &dialog.turns {
            self.add_turn(turn);
        }
    }

    /// Adds the votes on one turn.
    pub fn add_turn(&mut self, turn: &Turn) {
        if !is_judgeable(turn) {
            self.invalid.on_user_turns += turn.votes.len() as u64;
            return;
        }
        let tally = Tally::of(&turn.votes);
        self.tallies.add(tally);
        self.invalid.unlabelled += turn.votes.len() as u64 - u64::from(tally.total());
        let mut votes: Vec<_> = turn.votes.iter().filter_map(labelled).collect();
        votes.sort_unstable();
        for own in votes.chunk_by(|(one, _), (other, _)| one == other) {
            let (id, _) = own[0];
            if id.is_empty() {
                for (_, label) in own {
                    self.anonymous[*label as usize] += 1;
                }
                continue;
            }
            self.invalid.repeated += own.len() as u64 - 1;
            let rest = own.iter().fold(tally, |rest, (_, label)| rest.without(Tally::one(*label)));
            let annotator = self.annotators.entry(id.clone()).or_default();
            for (_, label) in own {
                annotator.add(*label as usize, rest);
            }
        }
    }

    /// Adds all votes of `other`.
    pub fn merge(&mut self, other: Self) {
        self.tallies.merge(&other.tallies);
        for (id, votes) in other.annotators {
            self.annotators.entry(id).or_default().merge(&votes);
        }
        for (sum, count) in self.anonymous.iter_mut().zip(other.anonymous) {
            *sum += count;
        }
        self.invalid += other.invalid;
    }
}

fn labelled(vote: &Vote) -> Option<(&Short, Breakdown)> {
    Some((&vote.annotator, vote.breakdown?))
}

impl std::ops::AddAssign for InvalidVotes {
    fn add_assign(&mut self, other: Self) {
        self.unlabelled += other.unlabelled;
        self.on_user_turns += other.on_user_turns;
        self.repeated += other.repeated;
    }
}

impl InvalidVotes {
    /// One message for each kind of invalid vote; empty if all votes are valid.
    pub fn messages(&self) -> Vec<String> {
        let message = |count: u64, one: &str, many: &str| {
            let words = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{count} {words}"))
        };
        let each = [
            message(
                self.unlabelled,
                "vote is not O, T or X and does not count",
                "votes are not O, T or X and do not count",
            ),
            message(
                self.on_user_turns,
                "vote is on a user turn and does not count",
                "votes are on user turns and do not count",
            ),
            message(
                self.repeated,
                "vote is by an annotator who had already voted on that turn; it counts too",
                "votes are by annotators who had already voted on those turns; they count too",
            ),
        ];
        each.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::Speaker;
    use crate::text::Units;

    fn turn(speaker: &str, votes: &[(&str, &str)]) -> Turn {
        let vote = |(annotator, label): &(&str, &str)| Vote {
            annotator: (*annotator).into(),
            breakdown: Breakdown::from_letter(label),
            ..Vote::default()
        };
        Turn {
            speaker: Speaker::named(speaker.into()),
            votes: votes.iter().map(vote).collect(),
            ..Turn::default()
        }
    }

    fn survey(turns: Vec<Turn>) -> Survey {
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.turns = turns;
        Survey::of(&dialog)
    }

    #[test]
    fn only_votes_for_a_label_on_system_turns_count() {
        let survey = survey(vec![
            turn("U", &[("a", "X")]),
            turn("S", &[("a", "O"), ("b", "?"), ("", "T")]),
            turn("S", &[]),
        ]);
        assert_eq!((survey.tallies.turns(), survey.tallies.votes()), (1, 2));
        assert_eq!((survey.invalid.on_user_turns, survey.invalid.unlabelled), (1, 1));
        assert_eq!(survey.annotators.len(), 1);
        assert_eq!(survey.invalid.messages().len(), 2);
    }

    #[test]
    fn votes_without_an_id_are_never_one_persons() {
        let survey = survey(vec![
            turn("S", &[("", "O"), ("", "O"), ("a", "O")]),
            turn("S", &[("", "X"), ("", "T")]),
        ]);
        assert_eq!(survey.anonymous, [2, 1, 1]);
        assert_eq!(survey.invalid, InvalidVotes::default());
        assert_eq!(survey.annotators["a"].with_rest(), Ok(1.0));
        assert_eq!(survey.tallies.agreement(), Ok(0.5));
    }

    #[test]
    fn nobody_agrees_with_oneself() {
        let survey = survey(vec![turn("S", &[("a", "O"), ("b", "X"), ("a", "O")])]);
        assert_eq!(survey.invalid.repeated, 1);
        assert_eq!(survey.annotators["a"].with_rest(), Ok(0.0));
        assert_eq!(survey.annotators["a"].votes(), 2);
        assert_eq!(survey.annotators["b"].with_rest(), Ok(0.0));
    }
}
