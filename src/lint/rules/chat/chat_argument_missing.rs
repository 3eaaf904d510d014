//! A call lacks an argument that its tool requires.
//!
//! The declaration of a tool lists the arguments that are `required`. A call without one of them fails,
//! and a model learns to leave it out. An argument with a misspelled name is not missing;
//! chat-argument-unknown reports it.
//!
//! There is no fix, because only a person can tell the value.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"days\": 2}"}}]},
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

use super::call_arguments::{faults, location};
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::CallFaultKind;

pub static RULE: Rule = Rule {
    name: "chat-argument-missing",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_argument_missing.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        if let CallFaultKind::Missing(name) = fault {
            let message = format!("{} lacks {name}", call.of.name);
            found.add(location(subject, call), message);
        }
    }
}
