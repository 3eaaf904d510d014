//! A segment begins or ends inside a word.
//!
//! What it quotes is no word that anybody said, and a model trained on it learns to cut words. Most
//! often somebody let go of the mouse one character early.
//!
//! A word is what Unicode's word segmentation (UAX #29) makes one; where a script writes no blanks
//! between words, nothing is found.
//!
//! The fix takes the rest of the word in, or leaves the piece of it out where that is shorter (unsafe).
//!
//! ```text bad
//! user: at «Thursday Kitche»{name.restaurant}n tonight
//! ```
//!
//! ```text good
//! user: at «Thursday Kitchen»{name.restaurant} tonight
//! ```

use crate::dialog::Edit;
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "span-cuts-word",
    severity: Severity::Warning,
    on: true,
    source: include_str!("span_cuts_word.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::CodePoints {
        return;
    }
    for mention in subject.mentions() {
        let (Some(bytes), Some(span)) = (mention.bytes.clone(), mention.of.span) else {
            continue;
        };
        let before = letters(mention.said[..bytes.start].chars().rev());
        let after = letters(mention.said[bytes.end..].chars());
        let inside = mention.text();
        let starts = before > 0 && letters(inside.chars()) > 0;
        let ends = after > 0 && letters(inside.chars().rev()) > 0;
        if !starts && !ends {
            continue;
        }
        let start = span.start - if starts { before } else { 0 };
        let end = span.end + if ends { after } else { 0 };
        let whole = crate::text::slice(mention.said, start as usize, end as usize);
        let message = format!("\"{inside}\" cuts a word: {}", whole.unwrap_or_default());
        let edit = Edit::SetSpan {
            turn: mention.turn,
            segment: mention.segment,
            start,
            end,
        };
        let title = format!("{start}..{end} \"{}\"", whole.unwrap_or_default());
        found
            .add(mention.spot(), message)
            .fix(title, Applicability::Unsafe, vec![edit]);
    }
}

/// How many letters and digits there are before anything else.
fn letters(chars: impl Iterator<Item = char>) -> u32 {
    chars.take_while(|c| c.is_alphanumeric()).count() as u32
}
