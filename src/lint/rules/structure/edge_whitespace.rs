//! An utterance starts or ends with whitespace.
//!
//! Nobody hears the whitespace, but it makes otherwise equal utterances differ, and models learn
//! that some turns start with a space. Many corpora contain such whitespace and keep it. The rule does not
//! check instructions, such as the system prompt of a chat.
//!
//! The fix removes the whitespace (safe). Segments move with their words, and a segment that covers
//! such whitespace is shortened.
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

use crate::dialog::{Edit, Role};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::whitespace::{is_blank, trim};

pub static RULE: Rule = Rule {
    name: "edge-whitespace",
    severity: Severity::Note,
    on: true,
    source: include_str!("edge_whitespace.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (position, turn) in subject.turns() {
        // Nobody utters instructions, such as the system prompt of a chat.
        if turn.speaker.role == Role::Context || !has_blank_edge(&turn.text) {
            continue;
        }
        let kept = trim(&turn.text, 0..turn.text.len());
        // empty-utterance reports a turn of only whitespace. If the span of a segment is wrong, the text
        // may have been cut short, and it is unclear where the segment should move.
        if kept.is_empty() || !subject.mentions_of(position).iter().all(|m| m.is_valid) {
            continue;
        }
        let message = match (kept.start > 0, kept.end < turn.text.len()) {
            (true, true) => "the utterance starts and ends with whitespace",
            (true, false) => "the utterance starts with whitespace",
            (false, _) => "the utterance ends with whitespace",
        };
        let diagnostic = found.add(subject.location_of(position), message);
        let title = "remove the whitespace at the edges";
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
    // Fast path: most utterances start and end with a visible ASCII character.
    let visible = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    let bytes = text.as_bytes();
    !(visible(bytes.first()) && visible(bytes.last()))
        && (text.starts_with(is_blank) || text.ends_with(is_blank))
}
