//! A segment ends before it starts.
//!
//! Such a segment covers nothing, and programs that slice by it get an empty text or stop. Mostly the
//! two numbers were swapped, or somebody selected from right to left.
//!
//! The fix swaps the numbers, or puts the segment where its quoted text stands; safe if the text is
//! there just as it is quoted. A slot of the simulated dialogues quotes nothing: it goes where the turn
//! says what an act or the state has for it, which is safe if the swapped numbers do just that.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 12, "end_index": 8, "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::lint::misplaced::{Misplaced, misplaced};
use crate::lint::repair::offer_places;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "span-reversed",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_reversed.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let problem = Misplaced::Reversed;
    for mention in subject.mentions() {
        let Some(span) = mention.of.span else {
            continue;
        };
        if misplaced(subject, mention) != Some(problem) {
            continue;
        }
        let message = format!("{span} ends before it starts");
        let diagnostic = found.add(mention.spot(), message);
        offer_places(diagnostic, subject, mention, problem);
    }
}
