//! An argument has a type or a value that its tool does not declare.
//!
//! The declaration of a tool gives the `type` of each argument, and may list its values in `enum`: a
//! number in quotation marks is not an integer. Values inside lists and objects are checked too.
//! Declarations with `anyOf` and the like are not.
//!
//! The fix writes the same value in the declared type, which is safe, or the listed value that
//! resembles it, which is unsafe.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "tides in Porto for two days?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\", \"days\": \"2\"}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10, 14:55"},
//!   {"role": "assistant", "content": "At 14:10 and 14:55."}],
//!  "tools": [{"type": "function", "function": {"name": "get_tide",
//!      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
//!      "days": {"type": "integer"}}, "required": ["port"]}}}]}
//! ```
//!
//! ```json good
//! {"messages": [
//!   {"role": "user", "content": "tides in Porto for two days?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "{\"port\": \"Porto\", \"days\": 2}"}}]},
//!   {"role": "tool", "tool_call_id": "call_1", "content": "14:10, 14:55"},
//!   {"role": "assistant", "content": "At 14:10 and 14:55."}],
//!  "tools": [{"type": "function", "function": {"name": "get_tide",
//!      "parameters": {"type": "object", "properties": {"port": {"type": "string"},
//!      "days": {"type": "integer"}}, "required": ["port"]}}}]}
//! ```

use super::call_arguments::{faults, location_of, replace};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::CallFaultKind;

pub static RULE: Rule = Rule {
    name: "chat-argument-type",
    severity: Severity::Warning,
    on: true,
    source: include_str!("chat_argument_type.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Type { name, expected, found: value, better } = fault else {
            continue;
        };
        let message = format!("{name} of {} should be {expected}, found {value}", call.of.name);
        let diagnostic = found.add(location_of(subject, call, name), message);
        if let Some((place, new)) = better
            && let Some(edit) = replace(call, name, place, new)
        {
            let applicability = if expected.starts_with("one of") {
                Applicability::Unsafe
            } else {
                Applicability::Safe
            };
            diagnostic.fix(format!("change to {new}"), applicability, vec![edit]);
        }
    }
}
