//! An exchange of a simulated dialogue occurs twice in a row.
//!
//! The system repeats its last turn, the user answers in the same words, and the acts and the state
//! are the same: an element of `turns` was duplicated when the corpus was collected or converted.
//! It counts twice in training and in every statistic.
//!
//! If the system asks a question again, but the answer, its acts or the state differ, the exchange
//! is not reported.
//!
//! There is no fix, because turnwise has no edit that removes a turn.
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
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;

pub static RULE: Rule = Rule {
    name: "repeated-exchange",
    severity: Severity::Warning,
    on: true,
    source: include_str!("repeated_exchange.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut before: &[Turn] = &[];
    let mut position = 0;
    // The turns of an exchange share an index.
    for exchange in subject.dialog.turns.chunk_by(|a, b| a.index == b.index) {
        if is_repeated(before, exchange) {
            let message = format!(
                "turns {position} and {} repeat turns {} and {}",
                position + 1,
                position - 2,
                position - 1
            );
            found.add(subject.location_of(position), message);
        }
        position += exchange.len();
        before = exchange;
    }
}

/// True if both exchanges are a question with its answer, and are the same. If an exchange is
/// only a user turn, repeated-turn checks it.
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
