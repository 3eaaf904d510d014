//! Votes do not name their annotator.
//!
//! Without annotators, you cannot see anyone's bias, compute agreement or change a single vote. The
//! rule reports such votes once per dialog. If most votes of the dialog have no annotator, the corpus
//! was published that way, and it is only a note.
//!
//! There is no fix, because the annotators are unknown.
//!
//! ```json bad
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""},
//!   {"annotator-id": "", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```
//!
//! ```json good
//! {"dialogue-id": "d", "turns": [{"turn-index": 0, "speaker": "S", "utterance": "Hi.", "annotations": [
//!   {"annotator-id": "a", "breakdown": "O", "comment": "", "ungrammatical-sentence": ""}]}]}
//! ```

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "vote-anonymous",
    severity: Severity::Warning,
    on: true,
    source: include_str!("vote_anonymous.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let votes =
        || subject.turns().flat_map(|(number, turn)| turn.votes.iter().map(move |v| (number, v)));
    let mut nameless = votes().filter(|(_, vote)| vote.annotator.trim().is_empty());
    let Some((turn, first)) = nameless.next() else {
        return;
    };
    let (nameless, all) = (nameless.count() + 1, votes().count());
    let most = if nameless * 2 > all { Severity::Note } else { Severity::Error };
    let message = format!("no annotator id on {nameless} of {all} votes");
    found.add_at_most(most, subject.location_at(turn, first.at), message);
}
