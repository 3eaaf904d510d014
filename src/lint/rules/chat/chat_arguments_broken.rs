//! The arguments of a call are not a JSON object.
//!
//! Programs that parse them fail or call the tool without arguments, and a model learns to write broken
//! JSON. Common mistakes are a missing bracket, colon or quotation mark, a comma before the closing bracket,
//! quotation marks of Python, and line breaks inside strings.
//!
//! The fix changes as few characters as possible. It is safe if there is only one way to read the text,
//! and unsafe if a bracket is missing, or a mark at an end of a text: then more may have been lost. A
//! whole message that should be a call, in the `ShareGPT` form, has no fix.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{'port': 'Porto',}"}}]},
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

use super::call_arguments::{faults, location, set_json};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::{CallFaultKind, arguments};
use crate::lint::repair::mended_objects;

pub static RULE: Rule = Rule {
    name: "chat-arguments-broken",
    severity: Severity::Error,
    on: true,
    source: include_str!("chat_arguments_broken.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let call_role = subject.format.chat().and_then(|form| form.call_role);
    for (position, turn) in subject.turns() {
        if call_role == Some(&turn.speaker.name) && turn.calls.is_empty() && !turn.text.is_empty() {
            let message = "the message is not a call: JSON with a `name` and `arguments`";
            found.add(subject.location_of(position), message);
        }
    }
    for (call, fault) in faults(subject) {
        let why = match fault {
            CallFaultKind::Broken(why) => format!("not valid JSON: {why}"),
            CallFaultKind::NoObject(kind) => format!("{kind}, not an object"),
            _ => continue,
        };
        let message = format!("the arguments of {} are {why}", call.of.name);
        let diagnostic = found.add(location(subject, call), message);
        let text = arguments(call).unwrap_or_default();
        for mended in mended_objects(&text) {
            let applicability =
                if mended.is_sure { Applicability::Safe } else { Applicability::Unsafe };
            let title = format!("repair the JSON: {}", mended.what);
            diagnostic.fix(title, applicability, vec![set_json(call, mended.text)]);
        }
    }
}
