//! An annotator has voted on one turn more than once.
//!
//! One person counts twice, and agreement between annotators cannot be computed; where the votes
//! differ, nobody can tell which one holds.
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

use crate::dialog::{Breakdown, Vote};
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "vote-repeated-annotator",
    severity: Severity::Error,
    on: true,
    source: include_str!("vote_repeated_annotator.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        for (place, vote) in turn.votes.iter().enumerate() {
            let own = |other: &&Vote| other.annotator == vote.annotator;
            let before = turn.votes[..place].iter().find(own);
            if let Some(before) = before.filter(|_| !vote.annotator.is_empty()) {
                let letter = |vote: &Vote| vote.breakdown.map_or("?", Breakdown::letter);
                let message = format!(
                    "{} has voted {} here, and {} before",
                    vote.annotator,
                    letter(vote),
                    letter(before)
                );
                found.add(subject.spot_at(number, vote.at), message);
            }
        }
    }
}
