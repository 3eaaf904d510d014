//! Two calls of a chat have the same id.
//!
//! Programs that look up the call of an answer by its id take the wrong one. If every call has its own
//! answer, the order still tells which belongs to which, so this is only a note.
//!
//! There is no fix, because turnwise has no edit that changes the id of a call.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto and Faro?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}, {"id": "call_1",
//!      "type": "function", "function": {"name": "get_tide",
//!      "arguments": "{\"port\": \"Faro\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}]}
//! ```

use foldhash::{HashMap, HashMapExt as _};

use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::text::quoted;

pub static RULE: Rule = Rule {
    name: "chat-call-id-repeated",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_call_id_repeated.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let Some(chat) = subject.chat() else {
        return;
    };
    if chat.calls.len() < 2 {
        return;
    }
    let mut by_id: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, call) in chat.calls.iter().enumerate() {
        if let Some(id) = call.id {
            by_id.entry(id).or_default().push(number);
        }
    }
    for (id, calls) in by_id.into_iter().filter(|(_, calls)| calls.len() > 1) {
        let answered = calls.iter().all(|call| chat.calls[*call].answer.is_some());
        let most = if answered { Severity::Note } else { Severity::Error };
        let first = chat.calls[calls[0]].turn;
        for call in calls.into_iter().skip(1).map(|call| &chat.calls[call]) {
            let location = subject.location_at(call.turn, call.of.at);
            let message = format!("a call in turn {first} also has the id {}", quoted(id));
            found.add_at_most(most, location, message);
        }
    }
}
