//! A user turn has votes.
//!
//! Only the system can break a dialog down, so only its turns are judged. Most often a speaker is
//! wrong, or the votes shifted by one turn.
//!
//! The fix withdraws the votes. It is manual, because they may belong to the turn before.
//!
//! ```json bad
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```
//!
//! ```json good
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "U", "utterance": "Hi.", "annotations": []}]}
//! ```

use crate::dialog::{Edit, Role};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::counted;

pub static RULE: Rule = Rule {
    name: "vote-on-user-turn",
    severity: Severity::Error,
    on: true,
    source: include_str!("vote_on_user_turn.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        if turn.speaker.role != Role::User || turn.votes.is_empty() {
            continue;
        }
        let count = turn.votes.len();
        let votes = counted(count as u64, "vote");
        let message = format!("{votes} on a user turn");
        let diagnostic = found.add(subject.location_of(number), message);
        let withdraw = |vote: &crate::dialog::Vote| Edit::WithdrawVote {
            turn: number,
            annotator: vote.annotator.to_string(),
        };
        let edits = turn.votes.iter().map(withdraw).collect();
        diagnostic.fix("withdraw the votes", Applicability::Display, edits);
    }
}
