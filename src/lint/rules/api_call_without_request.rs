//! A call without its request, or a request or response without its call.
//!
//! The pieces of a call are tied by their context (`api_call_3`, `api_response_3`). Where one is
//! missing, or its context slipped, the call cannot be put together; programs that look up the
//! arguments of every call stop.
//!
//! The fix adds a request with the arguments that the API needs, as they were said or returned last
//! (unsafe), or the empty one where the API takes none (safe).
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
//!     {"name": "api_call", "value": "show_menu", "context": "api_call_0"},
//!     {"name": "response", "value": "{}", "context": "api_response_0"}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "what have you got?", "annotations": [
//!     {"name": "api_call", "value": "show_menu", "context": "api_call_0"},
//!     {"name": "request", "value": "{}", "context": "api_call_0"}]}]}
//! ```

use super::last_value::last_value;
use crate::dialog::{Part, Payload};
use crate::lint::{Applicability, Call, Findings, Look, Rule, Severity, Subject};

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
                let diagnostic = found.add(call.spot(), format!("{name} has no request"));
                if let Some((request, applicability)) = request(subject, call) {
                    let title = format!("add {request}");
                    let edit = call.set_json(Part::Arguments, request);
                    diagnostic.fix(title, applicability, vec![edit]);
                }
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

/// The request that a call should have, if it is known what it needs. Nothing can be said of one whose
/// response is missing too: what its family writes is not seen.
fn request(subject: &Subject<'_>, call: &Call<'_>) -> Option<(String, Applicability)> {
    let api = call.api?;
    let Some(Payload::Embedded { .. }) = call.payload(Part::Response) else {
        return None;
    };
    let member = |name: &String| {
        let value = last_value(subject, call, name)?;
        Some(format!("{}: {}", quoted(name), quoted(&value)))
    };
    let members: Vec<String> = api.required.iter().map(member).collect::<Option<_>>()?;
    let applicability = if api.required.is_empty() && api.optional.is_empty() {
        Applicability::Safe
    } else {
        Applicability::Unsafe
    };
    Some((format!("{{{}}}", members.join(", ")), applicability))
}

/// A text as JSON has it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
