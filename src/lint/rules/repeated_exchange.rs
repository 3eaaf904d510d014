//! An exchange of a simulated dialogue stands there twice in a row.
//!
//! The system says what it has just said, the user answers in the same words, and the state is the same:
//! an element of `turns` was doubled when the corpus was collected or converted. It counts twice in
//! training and in every statistic.
//!
//! A question that is put again is no repeated exchange if the answer, what is meant by it, or the state
//! differs.
//!
//! There is no fix: no edit removes a turn.
//!
//! ```json bad
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [{"type": "GREETING"}], "user_intents": [], "dialogue_state": [],
//!    "user_utterance": {"text": "hi", "tokens": ["hi"], "slots": []}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
//!    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
//!    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
//!    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
//!    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}}]}
//! ```
//!
//! ```json good
//! {"dialogue_id": "d", "turns": [
//!   {"user_acts": [{"type": "GREETING"}], "user_intents": [], "dialogue_state": [],
//!    "user_utterance": {"text": "hi", "tokens": ["hi"], "slots": []}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
//!    "user_acts": [{"type": "CANT_UNDERSTAND"}], "dialogue_state": [],
//!    "user_utterance": {"text": "what ?", "tokens": ["what", "?"], "slots": []}},
//!   {"system_acts": [{"type": "OTHER"}],
//!    "system_utterance": {"text": "what movie ?", "tokens": ["what", "movie", "?"], "slots": []},
//!    "user_acts": [{"type": "OTHER"}], "dialogue_state": [],
//!    "user_utterance": {"text": "any", "tokens": ["any"], "slots": []}}]}
//! ```

use crate::dialog::Turn;
use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "repeated-exchange",
    severity: Severity::Warning,
    on: true,
    source: include_str!("repeated_exchange.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut before: &[Turn] = &[];
    let mut position = 0;
    // The turns of an exchange have one number.
    for exchange in subject.dialog.turns.chunk_by(|a, b| a.index == b.index) {
        if is_repeated(before, exchange) {
            let message = format!(
                "turns {position} and {} repeat turns {} and {}",
                position + 1,
                position - 2,
                position - 1
            );
            found.add(subject.spot_of(position), message);
        }
        position += exchange.len();
        before = exchange;
    }
}

/// True if both are a question and its answer, and say the same. One that is the user's alone is a turn
/// that is repeated.
fn is_repeated(first: &[Turn], second: &[Turn]) -> bool {
    let [_, answer] = second else {
        return false;
    };
    let same = |(one, other): (&Turn, &Turn)| {
        one.speaker == other.speaker
            && one.text == other.text
            && one.acts == other.acts
            && one.state == other.state
    };
    answer.state.is_some()
        && first.len() == second.len()
        && second.iter().any(|turn| !turn.text.trim().is_empty())
        && first.iter().zip(second).all(same)
}
