//! The label of a vote is not O, T or X.
//!
//! No script counts such a vote, so the turn has one vote fewer than it seems.
//!
//! The fix, which is unsafe, changes the label to the intended letter if the label is that letter
//! in another spelling or one of the signs ○, △, ×.
//!
//! ```json bad
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "o", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```
//!
//! ```json good
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```

use crate::dialog::{Breakdown, Edit, Vote};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "vote-unknown-label",
    severity: Severity::Error,
    on: true,
    source: include_str!("vote_unknown_label.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (number, turn) in subject.turns() {
        for vote in turn.votes.iter().filter(|vote| vote.breakdown.is_none()) {
            unknown(subject, number, vote, found);
        }
    }
}

#[cold]
fn unknown(subject: &Subject<'_>, turn: usize, vote: &Vote, found: &mut Findings<'_>) {
    let value = subject.tree.value_at(vote.at.start);
    // schema reports a vote without any label.
    let Some(label) = value.and_then(|vote| vote.get("breakdown")) else {
        return;
    };
    let location = subject.location_at(turn, vote.at);
    let message = format!("vote label {} is not O, T or X", label.raw());
    let diagnostic = found.add(location, message);
    if let Some(meant) = label.as_str().and_then(|label| meant(&label)) {
        let edit = Edit::CastVote {
            turn,
            annotator: vote.annotator.to_string(),
            breakdown: meant,
            comment: None,
            ungrammatical: None,
        };
        let title = format!("change to {}", meant.letter());
        diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
    }
}

fn meant(label: &str) -> Option<Breakdown> {
    Some(match label.trim() {
        "o" | "O" | "Ｏ" | "○" | "〇" => Breakdown::O,
        "t" | "T" | "Ｔ" | "△" => Breakdown::T,
        "x" | "X" | "Ｘ" | "×" => Breakdown::X,
        _ => return None,
    })
}
