//! An annotator voted more than once on the same turn.
//!
//! One person counts twice, and agreement between annotators cannot be computed. If the votes
//! differ, it is unclear which one is valid.
//!
//! There is no fix, because only a person can tell which vote is meant.
//!
//! ```json bad
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
//!   {"annotator-id": "a", "breakdown": "T", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```
//!
//! ```json good
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
//!   {"annotator-id": "b", "breakdown": "T", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```

use foldhash::{HashMap, HashMapExt as _};

use crate::dialog::{Breakdown, Vote};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "vote-repeated-annotator",
    severity: Severity::Error,
    on: true,
    source: include_str!("vote_repeated_annotator.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        for (vote, before) in repeated(&turn.votes) {
            let letter = |vote: &Vote| vote.breakdown.map_or("?", Breakdown::letter);
            let message = format!(
                "annotator {} voted twice on this turn ({}, then {})",
                vote.annotator,
                letter(before),
                letter(vote)
            );
            found.add(subject.location_at(number, vote.at), message);
        }
    }
}

/// Up to this number of votes, comparing each with each is fastest.
const FEW: usize = 64;

/// Votes whose annotator has already voted, each with the first vote of that annotator.
fn repeated(votes: &[Vote]) -> Vec<(&Vote, &Vote)> {
    let mut repeated = Vec::new();
    let mut seen: HashMap<&str, &Vote> = HashMap::new();
    for (place, vote) in votes.iter().enumerate() {
        let before = if votes.len() <= FEW {
            let own = |other: &&Vote| other.annotator == vote.annotator;
            votes[..place].iter().find(own)
        } else {
            let first = *seen.entry(&vote.annotator).or_insert(vote);
            Some(first).filter(|first| !std::ptr::eq(*first, vote))
        };
        if let Some(before) = before.filter(|_| !vote.annotator.is_empty()) {
            repeated.push((vote, before));
        }
    }
    repeated
}
