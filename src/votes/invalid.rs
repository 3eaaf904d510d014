//! Votes that do not count, or count twice.

use serde::{Deserialize, Serialize};

use crate::dialog::{Breakdown, Dialog, Short, Vote};

/// Counts of invalid votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InvalidVotes {
    /// Votes with a label other than O, T and X; they do not count.
    pub unlabelled: u64,
    /// Votes on user turns; they do not count.
    pub on_user_turns: u64,
    /// Votes of an annotator who already has one on the same turn; they count.
    pub repeated: u64,
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
    /// Counts those of a dialog.
    pub fn of(dialog: &Dialog) -> Self {
        let mut all = Self::default();
        for turn in &dialog.turns {
            if !turn.is_judgeable() {
                all.on_user_turns += turn.votes.len() as u64;
                continue;
            }
            let mut by: Vec<_> = turn.votes.iter().filter_map(labelled).collect();
            all.unlabelled += (turn.votes.len() - by.len()) as u64;
            by.retain(|(id, _)| !id.is_empty());
            by.sort_unstable();
            let named = by.len();
            by.dedup_by(|one, other| one.0 == other.0);
            all.repeated += (named - by.len()) as u64;
        }
        all
    }

    /// Returns the number of votes that do not count.
    pub fn left_out(self) -> u64 {
        self.unlabelled + self.on_user_turns
    }

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
