//! A call names a tool that the chat does not declare.
//!
//! A model cannot know a tool that is not among the `tools` of its chat, and learns to invent tools.
//! Chats without declarations are not checked.
//!
//! The fix is a declared name that resembles the one in the call: safe if only capitalization or
//! separators differ, unsafe if letters differ, manual if several are equally close.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tides", "arguments": "{\"port\": \"Porto\"}"}}]},
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

use super::call_arguments::faults;
use crate::dialog::Edit;
use crate::lint::engine::{Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::CallFaultKind;
use crate::lint::rules::names::{applicability, title};
use crate::ontology::near;

pub static RULE: Rule = Rule {
    name: "chat-tool-undeclared",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_tool_undeclared.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Undeclared(resembling) = fault else {
            continue;
        };
        let message = format!("the tool {} is not declared", call.of.name);
        let diagnostic = found.add(subject.location_at(call.turn, call.of.at), message);
        let near = near(&call.of.name, resembling.iter().map(String::as_str));
        for this in &near {
            let edit =
                Edit::SetApi { turn: call.turn, call: call.call, name: this.name.to_owned() };
            diagnostic.fix(title(this), applicability(&near, this), vec![edit]);
        }
    }
}
