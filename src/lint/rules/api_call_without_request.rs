//! A call without its request or response, or one of these without its call.
//!
//! The pieces of a call are tied by their context (`api_call_3`, `api_response_3`). Where one is
//! missing, or its context slipped, the call cannot be put together; programs that look up the
//! arguments of every call stop.
//!
//! A response has two pieces, the name of the call and what it returned. That one of them is missing is
//! told where the other is there; that both are, where all other calls of the dialog have them. Both
//! pieces have to say the name of the call.
//!
//! The fix adds a request with the arguments that the API needs, as they were said or returned last
//! (unsafe), or the empty one where the API takes none (safe). There is none where a request in the same
//! turn belongs to no call: it is likely to be the one. A response that names another call is made to
//! name its own (safe if there is no such API as it names, else for display).
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

use std::collections::HashSet;

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
    // What a published schema objects to has been said.
    let issues: HashSet<u32> = subject.issues.iter().map(|issue| issue.at.start).collect();
    let strays = subject.calls().iter().filter(|c| is_stray(c));
    let strays: HashSet<usize> = strays.map(|c| c.turn).collect();
    let unanswered = subject.calls().iter().filter(|c| !is_answered(c)).count();
    for call in subject.calls() {
        let told = || issues.contains(&call.of.at.start);
        let name = &call.of.name;
        if call.of.arguments.is_none() && !name.is_empty() {
            if !told() {
                let diagnostic = found.add(call.spot(), format!("{name} has no request"));
                let slipped = strays.contains(&call.turn);
                if let Some((request, applicability)) = request(subject, call)
                    && !slipped
                {
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
        if !name.is_empty() {
            response(subject, call, unanswered, found);
        }
    }
}

/// True if a call is only a request that belongs to none.
fn is_stray(call: &Call<'_>) -> bool {
    call.of.name.is_empty() && call.of.arguments.is_some()
}

/// True if a call has its response, in a family whose responses have pieces.
fn is_answered(call: &Call<'_>) -> bool {
    let embedded = matches!(call.of.response, Some(Payload::Embedded { .. }));
    call.of.answered_as.is_some() && embedded
}

/// What is wrong with the pieces of a response, in a family that has them. So many calls of the dialog are
/// `unanswered`.
fn response(subject: &Subject<'_>, call: &Call<'_>, unanswered: usize, found: &mut Findings<'_>) {
    let name = &call.of.name;
    match (&call.of.answered_as, &call.of.response) {
        (Some(_), None) => {
            let message = format!("the response of {name} says nothing");
            found.add(call.spot(), message);
        }
        (None, Some(Payload::Embedded { .. })) => {
            let message = format!("the response of {name} does not say its name");
            found.add(call.spot(), message);
        }
        (None, None) => {
            if subject.calls().len() > 1 && unanswered == 1 {
                found.add(call.spot(), format!("{name} has no response"));
            }
        }
        // What is wrong with the name of the call is api-unknown-name's, whose fix is for both.
        (Some(other), _)
            if other != name && (call.api.is_some() || subject.ontology.apis.is_empty()) =>
        {
            let message = format!("the response of {name} says that it is of {other}");
            let diagnostic = found.add(call.spot(), message);
            let is_api = subject.ontology.api(other).is_some();
            let applicability = if is_api || call.api.is_none() {
                Applicability::Display
            } else {
                Applicability::Safe
            };
            let title = format!("name {name} in the response");
            diagnostic.fix(title, applicability, vec![call.set_api(name)]);
        }
        _ => {}
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
