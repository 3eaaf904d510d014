//! Two segments of a turn cover the same text with the same label.
//!
//! The value is counted twice. Usually two workers marked it, or an annotator added a segment again
//! instead of changing it. If the corpus says that the segments are by two different annotators,
//! they show agreement and are not reported.
//!
//! The fix deletes the second segment, or the one with fewer labels (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]},
//!     {"start_index": 8, "end_index": 12, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::lint::meeting::by_two_annotators;
use crate::lint::repair::{offer_removal, quoted};
use crate::lint::{Applicability, Findings, Look, Mention, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-duplicate",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_duplicate.rs"),
    check: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut told = Vec::new();
    for (first, second) in subject.meeting() {
        if first.bytes != second.bytes || by_two_annotators(first, second) {
            continue;
        }
        let (spare, kept) = if has_all_labels_of(first, second) {
            (second, first)
        } else if has_all_labels_of(second, first) {
            (first, second)
        } else {
            continue;
        };
        // Of three equal ones two are too many, not three pairs.
        let place = (spare.turn, spare.segment);
        if told.contains(&place) {
            continue;
        }
        told.push(place);
        let text = quoted(spare.text());
        let message = format!("{text} is also labelled in segment {}", kept.segment);
        let diagnostic = found.add(spare.spot(), message);
        offer_removal(diagnostic, spare, Applicability::Safe);
    }
}

fn has_all_labels_of(more: &Mention<'_>, less: &Mention<'_>) -> bool {
    let has = |name: &str| more.of.labels.iter().any(|l| l.name.trim() == name.trim());
    less.of.labels.iter().all(|label| has(&label.name))
}
