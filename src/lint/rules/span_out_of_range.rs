//! A segment reaches beyond the end of its turn's text.
//!
//! Its numbers point at characters that are not there, so whatever reads the corpus takes the wrong
//! text for it, or stops. Numbers are counted in code points; slots of the simulated dialogues, which
//! count tokens, are the business of slot-out-of-range.
//!
//! The fix puts the segment where its quoted text stands, if it stands there once (safe); else it
//! ends the segment with the turn (unsafe).
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [{"index": 0, "speaker": "USER",
//!   "text": "two for Dune", "segments": [{"start_index": 8, "end_index": 15, "text": "Dune",
//!   "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::dialog::{Edit, Span};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::{Units, count};

pub static RULE: Rule = Rule {
    name: "span-out-of-range",
    severity: Severity::Error,
    on: true,
    source: include_str!("span_out_of_range.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let units = subject.dialog.units;
    if units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions() {
        let Some(Span { start, end }) = mention.of.span.filter(|span| span.start < span.end) else {
            continue;
        };
        if mention.bytes.is_some() {
            continue;
        }
        let turn = &subject.dialog.turns[mention.turn];
        let length = turn.length(units) as u32;
        let message = format!(
            "{start}..{end} reaches beyond the turn, which has {length} {}",
            units.name()
        );
        let diagnostic = found.add(mention.spot(), message);
        let set = |start, end| {
            vec![Edit::SetSpan {
                turn: mention.turn,
                segment: mention.segment,
                start,
                end,
            }]
        };
        let quote = mention.of.quote.as_deref().unwrap_or_default();
        let mut places = mention.said.match_indices(quote);
        if let (false, Some((byte, _)), None) = (quote.is_empty(), places.next(), places.next()) {
            let from = count(&mention.said[..byte]) as u32;
            let to = from + count(quote) as u32;
            let title = format!("move to {from}..{to}, where \"{quote}\" is");
            diagnostic.fix(title, Applicability::Safe, set(from, to));
        }
        if start < length {
            let title = format!("end at {length}, with the turn");
            diagnostic.fix(title, Applicability::Unsafe, set(start, length));
        }
    }
}
