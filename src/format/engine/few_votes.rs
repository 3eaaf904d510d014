//! Hides the other votes of a turn while one annotator's vote is cast.
//!
//! Casting a vote looks the annotator up among all votes of the turn several times, so thousands of votes on
//! one turn would take quadratic time. For the edit, the turn holds only the vote that counts.

use std::collections::HashMap;
use std::mem;

use crate::dialog::{Dialog, Edit, Short, Turn, Vote};
use crate::format::engine::edit_queue::EditGroup;

/// The most votes of a turn that are looked up without hiding any, because that is as fast.
const FEW: usize = 32;

/// The position of each annotator's vote in turns with many votes; None for an annotator with several.
#[derive(Default)]
pub struct VotePlaces {
    of_turns: HashMap<usize, HashMap<Short, Option<usize>>>,
}

/// The votes of a turn that are hidden in the dialog before an edit and after it.
pub struct HiddenVotes {
    turn: usize,
    annotator: Short,
    /// The place of the annotator's vote.
    own: Option<usize>,
    before: Vec<Vote>,
    after: Vec<Vote>,
}

impl VotePlaces {
    /// Hides the other votes if `group` only casts a vote on a turn with many votes. Otherwise forgets
    /// what is known of its turns.
    pub fn hide(
        &mut self,
        group: EditGroup<'_>,
        before: &mut Dialog,
        after: &mut Dialog,
    ) -> Option<HiddenVotes> {
        let [Edit::CastVote { turn, annotator, .. }] = group.edits else {
            for edit in group.edits {
                self.of_turns.remove(&edit.turn());
            }
            return None;
        };
        let turns = (before.turns.get_mut(*turn)?, after.turns.get_mut(*turn)?);
        if turns.0.votes.len() <= FEW || turns.0.votes.len() != turns.1.votes.len() {
            return None;
        }
        let known = self.of_turns.entry(*turn);
        let known = known.or_insert_with(|| places(&turns.0.votes));
        let own = match known.get(annotator.as_str()) {
            Some(None) => return None,
            Some(place) => *place,
            None => None,
        };
        let hide = |turn: &mut Turn| {
            let one = turn.votes[own.unwrap_or(0)].clone();
            mem::replace(&mut turn.votes, vec![one])
        };
        Some(HiddenVotes {
            turn: *turn,
            annotator: annotator.as_str().into(),
            own,
            before: hide(turns.0),
            after: hide(turns.1),
        })
    }

    /// Puts hidden votes back, beside the one that was cast.
    pub fn show(&mut self, hidden: HiddenVotes, before: &mut Dialog, after: &mut Dialog) {
        let (turn, own) = (hidden.turn, hidden.own);
        let show = |dialog: &mut Dialog, mut votes: Vec<Vote>| {
            let mut shown = mem::take(&mut dialog.turns[turn].votes).into_iter();
            if let Some(first) = shown.next() {
                votes[own.unwrap_or(0)] = first;
            }
            votes.extend(shown);
            dialog.turns[turn].votes = votes;
        };
        let count = hidden.before.len();
        show(before, hidden.before);
        show(after, hidden.after);
        if before.turns[turn].votes.len() > count
            && let Some(known) = self.of_turns.get_mut(&turn)
        {
            known.insert(hidden.annotator, Some(count));
        }
    }
}

fn places(votes: &[Vote]) -> HashMap<Short, Option<usize>> {
    let mut places = HashMap::new();
    for (place, vote) in votes.iter().enumerate() {
        let known = places.entry(vote.annotator.clone());
        known.and_modify(|place| *place = None).or_insert(Some(place));
    }
    places
}
