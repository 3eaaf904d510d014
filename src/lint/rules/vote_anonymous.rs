//! Votes that do not say whose they are.
//!
//! Without annotators nobody's bias can be seen and agreement cannot be computed; a single vote cannot
//! be changed either. It is told once a dialog. Where no vote of the dialog is named, the corpus was
//! published so, and it is only worth knowing.
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

use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "vote-anonymous",
    severity: Severity::Warning,
    on: true,
    source: include_str!("vote_anonymous.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let votes = || {
        subject
            .turns()
            .flat_map(|(number, turn)| turn.votes.iter().map(move |v| (number, v)))
    };
    let mut nameless = votes().filter(|(_, vote)| vote.annotator.trim().is_empty());
    let Some((turn, first)) = nameless.next() else {
        return;
    };
    let (nameless, all) = (nameless.count() + 1, votes().count());
    let most = if nameless == all {
        Severity::Info
    } else {
        Severity::Error
    };
    let message = format!("{nameless} of {all} votes do not name their annotator");
    found.add_at_most(most, subject.spot_at(turn, first.at), message);
}
