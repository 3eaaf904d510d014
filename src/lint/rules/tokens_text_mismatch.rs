//! The tokens of an utterance are not its text, cut at blanks.
//!
//! Slots count tokens. Where the tokens say something else than the text, what a slot covers is not
//! what people read.
//!
//! The fixes make the text from the tokens, or cut the text at its blanks again (both unsafe); the
//! first leaves slots where they are.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "four", "ouija"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [{"user_acts": [], "user_intents": [], "dialogue_state": [],
//!   "user_utterance": {"text": "two for ouija", "tokens": ["two", "for", "ouija"], "slots": []}}]}
//! ```

use crate::dialog::{Edit, Turn};
use crate::lint::{Applicability, Findings, Look, Rule, Severity, Subject};
use crate::text::Units;

pub static RULE: Rule = Rule {
    name: "tokens-text-mismatch",
    severity: Severity::Error,
    on: true,
    source: include_str!("tokens_text_mismatch.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.dialog.units != Units::Tokens {
        return;
    }
    for (number, turn) in subject.turns() {
        let Some(place) = first_difference(turn) else {
            continue;
        };
        let message = match turn.tokens.get(place) {
            Some(token) => {
                format!("token {place} is \"{token}\", which the text does not say there")
            }
            None => format!("the text says more than its {place} tokens"),
        };
        let diagnostic = found.add(subject.spot_of(number), message);
        let set = |text: String| {
            vec![Edit::SetText {
                turn: number,
                text,
                drop: false,
                shrink: false,
            }]
        };
        let joined = turn.tokens.join(" ");
        let title = format!("make the text \"{joined}\"");
        diagnostic.fix(title, Applicability::Unsafe, set(joined));
        let title = "cut the text at its blanks";
        diagnostic.fix(title, Applicability::Unsafe, set(turn.text.clone()));
    }
}

/// Position of the first token that is not in its place; the number of tokens if the text goes on.
fn first_difference(turn: &Turn) -> Option<usize> {
    let mut rest = turn.text.as_str();
    for (place, token) in turn.tokens.iter().enumerate() {
        match rest.trim_start().strip_prefix(token.as_str()) {
            Some(after) => rest = after,
            None => return Some(place),
        }
    }
    (!rest.trim_start().is_empty()).then_some(turn.tokens.len())
}
