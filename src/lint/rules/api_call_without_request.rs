//! A call without its request, or a request or response without its call.
//!
//! The pieces of a call are tied by their context (`api_call_3`, `api_response_3`). Where one is
//! missing, or its context slipped, the call cannot be put together; programs that look up the
//! arguments of every call stop.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
//!     {"name": "api_call", "value": "show_menu", "context": "api_call_0"}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
//!     {"name": "api_call", "value": "show_menu", "context": "api_call_0"},
//!     {"name": "request", "value": "{}", "context": "api_call_0"}]}]}
//! ```

use crate::lint::{Findings, Look, Rule, Severity, Subject};

pub static RULE: Rule = Rule {
    name: "api-call-without-request",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_call_without_request.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        // What a published schema objects to has been said.
        let at = call.of.at.start;
        let told = || subject.issues.iter().any(|issue| issue.at.start == at);
        let name = &call.of.name;
        if call.of.arguments.is_none() && !name.is_empty() {
            if !told() {
                found.add(call.spot(), format!("{name} has no request"));
            }
        } else if name.is_empty() && !told() {
            let part = if call.of.arguments.is_some() {
                "request"
            } else {
                "response"
            };
            found.add(call.spot(), format!("a {part} that belongs to no call"));
        }
    }
}
