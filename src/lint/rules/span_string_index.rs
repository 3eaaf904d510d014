//! A segment's offset is a string, but the corpus uses numbers.
//!
//! `"8"` is not `8`: comparing, slicing and sorting by such an offset fail, sometimes silently
//! (`"10"` sorts before `"8"`). Taskmaster-4 writes all its offsets as strings, so they are not
//! reported there.
//!
//! The fix writes the offset as a number (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": "8", "end_index": "12", "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::dialog::{Edit, Issue, IssueKind};
use crate::lint::{Applicability, Check, Findings, Mention, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-string-index",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_string_index.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut last = None;
    for issue in subject.issues {
        let Some(mention) = mention_of(subject, issue) else {
            continue;
        };
        // Usually both offsets of a segment are strings; report them once.
        let place = (mention.turn, mention.segment);
        if last.replace(place) == Some(place) {
            continue;
        }
        let Some(span) = mention.of.span else {
            continue;
        };
        let message = format!("the offsets {span} are written as strings");
        let edit = Edit::SetSpan {
            turn: mention.turn,
            segment: mention.segment,
            start: span.start,
            end: span.end,
        };
        let diagnostic = found.add(mention.spot(), message);
        // Other rules fix wrong offsets, and those fixes write numbers too.
        if mention.sound {
            diagnostic.fix("write them as numbers", Applicability::Safe, vec![edit]);
        }
    }
}

/// True if this rule reports an issue, so that schema does not have to.
pub fn is_string_index(subject: &Subject<'_>, issue: &Issue) -> bool {
    mention_of(subject, issue).is_some()
}

/// The segment whose offset is a string of digits.
fn mention_of<'s, 'a>(subject: &'s Subject<'a>, issue: &Issue) -> Option<&'s Mention<'a>> {
    let IssueKind::Wrong { field, found, .. } = &issue.problem else {
        return None;
    };
    if !matches!(*field, "start_index" | "end_index") || !found.starts_with('"') {
        return None;
    }
    let spot = subject.spot_in(issue.at);
    let mention = subject.mentions_of(spot.turn?).get(spot.segment?)?;
    mention.of.span.is_some().then_some(mention)
}
