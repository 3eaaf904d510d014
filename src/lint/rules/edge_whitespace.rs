//! An utterance begins or ends with a blank.
//!
//! Nobody hears it, but it counts: two utterances that read the same are not equal, and models learn
//! that some turns begin with a blank. Many corpora have it, and many leave it so.
//!
//! The fix takes the blanks away (safe); the segments behind them move with their words, and one that
//! covers such a blank is made shorter.
//!
//! ```json bad
//! {"conversation_id": "d", "instruction_id": "i", "utterances": [
//!   {"index": 0, "speaker": "USER", "text": " two for Dune", "segments": [{"start_index": 9,
//!    "end_index": 13, "text": "Dune", "annotations": [{"name": "movie"}]}]}]}
//! ```
//!
//! ```text good
//! user: two for «Dune»{movie}
//! ```

use crate::dialog::Edit;
use crate::lint::repair::{is_blank, trim};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "edge-whitespace",
    severity: Severity::Info,
    on: true,
    source: include_str!("edge_whitespace.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        if !has_blank_edge(&turn.text) {
            continue;
        }
        let kept = trim(&turn.text, 0..turn.text.len());
        // A turn of nothing but blanks is empty-utterance's. Where a segment is wrong by itself, the
        // text may have been cut short, and nobody knows how the segment is to move.
        if kept.is_empty() || !subject.mentions_of(position).iter().all(|m| m.sound) {
            continue;
        }
        let message = match (kept.start > 0, kept.end < turn.text.len()) {
            (true, true) => "the utterance begins and ends with blanks",
            (true, false) => "the utterance begins with a blank",
            (false, _) => "the utterance ends with a blank",
        };
        let diagnostic = found.add(subject.spot_of(position), message);
        let title = "take away the blanks at the edges";
        let edit = Edit::SetText {
            turn: position,
            text: turn.text[kept].to_owned(),
            drop: false,
            shrink: true,
        };
        diagnostic.fix(title, Applicability::Safe, vec![edit]);
    }
}

fn has_blank_edge(text: &str) -> bool {
    // Nearly always a letter and a full stop.
    let seen = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    !(seen(bytes.first()) && seen(bytes.last()))
        && (text.starts_with(is_blank) || text.ends_with(is_blank))
}
