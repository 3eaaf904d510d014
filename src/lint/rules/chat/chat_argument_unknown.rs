//! A call has an argument that its tool does not declare.
//!
//! The declaration of a tool lists the `properties` of its arguments. Either the name of the argument
//! is misspelled, or it was made up. If the declaration allows `additionalProperties`, nothing is
//! reported.
//!
//! The fix is a declared name that the call lacks and that resembles the one in the call: safe if only
//! capitalization or separators differ, unsafe if letters differ, manual if several are equally close.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"ports\": \"Porto\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}],
//!  "tools": [{"type": "function", "function": {"name": "get_tide",
//!      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
//!      "days": {"type": "integer"}}, "required": ["port"]}}}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10"},
//!   {"role": "assistant", "content": "At 14:10."}],
//!  "tools": [{"type": "function", "function": {"name": "get_tide",
//!      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
//!      "days": {"type": "integer"}}, "required": ["port"]}}}]}
//! ```

use super::call_arguments::{faults, location_of, rename};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::CallFaultKind;
use crate::lint::rules::names::{applicability, title};
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "chat-argument-unknown",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_argument_unknown.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Unknown { name, near: known } = fault else {
            continue;
        };
        let message = format!("{} does not accept \"{name}\"", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        let near = near(name, known.iter().map(String::as_str));
        for this in &near {
            if let Some(edit) = rename(call, name, this.name) {
                diagnostic.fix(title(this), applicability(&near, this), vec![edit]);
            }
        }
    }
}
