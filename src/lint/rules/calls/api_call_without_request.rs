//! A call lacks its request or response, or one of these lacks its call.
//!
//! The pieces of a call are linked by their context (`api_call_3`, `api_response_3`). If a piece is
//! missing or has the wrong context, the call cannot be put together, and programs that look up the
//! arguments of every call fail.
//!
//! A response has two pieces: the name of the API and the result. If only one of them is there, the
//! other is reported as missing; if both are missing, that is reported only if all other calls of
//! the dialog have them. The name in the response must be that of the call.
//!
//! The fix adds a request with the required arguments, using the values mentioned or returned last
//! (unsafe), or an empty request if the API takes no arguments (safe). There is no fix if a request
//! in the same turn belongs to no call, because that is probably the missing one. If a response
//! names another API, the fix changes the name to that of the call (safe if the ontology does not
//! have that other API, otherwise manual).
//!
//! The rule does not apply to chats: chat-call-unanswered and chat-arguments-broken check those.
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

use foldhash::HashSet;

use super::last_value::last_value;
use crate::dialog::{CallPart, Payload};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Call, Subject};

pub static RULE: Rule = Rule {
    name: "api-call-without-request",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_call_without_request.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // The rules on chats check this.
    if subject.is_chat() {
        return;
    }
    // Do not repeat what schema reports for a published schema.
    let issues: HashSet<u32> = subject.issues.iter().map(|issue| issue.at.start).collect();
    let strays = subject.calls().iter().filter(|c| is_stray(c));
    let strays: HashSet<usize> = strays.map(|c| c.turn).collect();
    let unanswered = subject.calls().iter().filter(|c| !is_answered(c)).count();
    for call in subject.calls() {
        let reported = || issues.contains(&call.of.at.start);
        let name = &call.of.name;
        if call.of.arguments.is_none() && !name.is_empty() {
            if !reported() {
                let diagnostic = found.add(call.location(), format!("{name} has no request"));
                let stray = strays.contains(&call.turn);
                if let Some((request, applicability)) = request(subject, call)
                    && !stray
                {
                    let title = format!("add the request {request}");
                    let edit = call.set_json(CallPart::Arguments, request);
                    diagnostic.fix(title, applicability, vec![edit]);
                }
            }
        } else if name.is_empty() && !reported() {
            let part = if call.of.arguments.is_some() { "request" } else { "response" };
            found.add(call.location(), format!("{part} without a call"));
        }
        // Responses of declared formats do not repeat the names of their APIs.
        if !name.is_empty() && !subject.format.is_described() {
            response(subject, call, unanswered, found);
        }
    }
}

/// True if `call` is only a request, without the name of an API.
fn is_stray(call: &Call<'_>) -> bool {
    call.of.name.is_empty() && call.of.arguments.is_some()
}

/// True if a call has its response, in a family whose responses have pieces.
fn is_answered(call: &Call<'_>) -> bool {
    let embedded = matches!(call.of.response, Some(Payload::Embedded { .. }));
    call.of.answered_as.is_some() && embedded
}

/// Checks the pieces of a response, in a family that has them. `unanswered` is the number of calls in the
/// dialog that have no response.
fn response(subject: &Subject<'_>, call: &Call<'_>, unanswered: usize, found: &mut Findings<'_>) {
    let name = &call.of.name;
    match (&call.of.answered_as, &call.of.response) {
        (Some(_), None) => {
            let message = format!("the response of {name} has no content");
            found.add(call.location(), message);
        }
        (None, Some(Payload::Embedded { .. })) => {
            let message = format!("the response of {name} does not name its API");
            found.add(call.location(), message);
        }
        (None, None) if subject.calls().len() > 1 && unanswered == 1 => {
            found.add(call.location(), format!("{name} has no response"));
        }
        // api-unknown-name reports a wrong name of the call, and its fix corrects both names.
        (Some(other), _)
            if other != name && (call.api.is_some() || subject.ontology.apis.is_empty()) =>
        {
            let message = format!("the response of {name} names {other} instead");
            let diagnostic = found.add(call.location(), message);
            let is_api = subject.ontology.api(other).is_some();
            let applicability = if is_api || call.api.is_none() {
                Applicability::Display
            } else {
                Applicability::Safe
            };
            let title = format!("change the name in the response to {name}");
            diagnostic.fix(title, applicability, vec![call.set_api(name)]);
        }
        _ => {}
    }
}

/// Returns the request that a call should have, if the ontology knows its arguments. None if the response is
/// missing too, because then the call does not show how its family writes requests.
fn request(subject: &Subject<'_>, call: &Call<'_>) -> Option<(String, Applicability)> {
    let api = call.api?;
    let Some(Payload::Embedded { .. }) = call.payload(CallPart::Response) else {
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

/// `text` as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
