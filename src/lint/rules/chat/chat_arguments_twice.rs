//! The arguments of a call are encoded as JSON twice.
//!
//! They are a string with JSON inside a string, so programs that decode them once get a text instead of
//! an object. The usual cause is a conversion that encodes what is already encoded.
//!
//! The fix, which is safe, decodes the arguments once. It is unsafe if the JSON inside has to be
//! repaired too.
//!
//! ```json bad
//! {"messages": [
//!   {"role": "user", "content": "when is high tide in Porto?"},
//!   {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function",
//!      "function": {"name": "get_tide", "arguments": "\"{\\\"port\\\": \\\"Porto\\\"}\""}}]},
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
use crate::json::{NodeKind, Parser};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::Subject;
use crate::lint::facts::call_faults::CallFaultKind;
use crate::lint::repair::mended_objects;

pub static RULE: Rule = Rule {
    name: "chat-arguments-twice",
    severity: Severity::Error,
    on: true,
    source: include_str!("chat_arguments_twice.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for (call, fault) in faults(subject) {
        let CallFaultKind::Twice(inside) = fault else {
            continue;
        };
        let message = format!("the arguments of {} are encoded twice", call.of.name);
        let diagnostic = found.add(location(subject, call), message);
        let mut parser = Parser::new();
        let is_object = |text: &str| {
            let tree = parser.parse_str(text);
            tree.is_ok_and(|tree| tree.root().kind() == NodeKind::Object)
        };
        let title = "decode the arguments once";
        if { is_object }(inside) {
            let edit = set_json(call, inside.clone());
            diagnostic.fix(title, Applicability::Safe, vec![edit]);
        } else if let Some(mended) = mended_objects(inside).into_iter().next() {
            let title = format!("{title} and repair the JSON: {}", mended.what);
            let edit = set_json(call, mended.text);
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}
