//! A request or response that should be a JSON object in a string, and is not.
//!
//! Whatever reads the corpus stops here, or goes on without the arguments. Found are doubled quotation
//! marks (`""cortado-5426""`), tabs and line breaks that are not escaped, and whatever else JSON does
//! not allow.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "a mocha", "annotations": [
//!     {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
//!     {"name": "request", "value": "{\"query\": \"\"mocha\"\"}", "context": "api_call_0"}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Coffee", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "a mocha", "annotations": [
//!     {"name": "api_call", "value": "get_menu_items", "context": "api_call_0"},
//!     {"name": "request", "value": "{\"query\": \"mocha\"}", "context": "api_call_0"}]}]}
//! ```

use crate::dialog::Payload;
use crate::lint::{Call, Findings, Look, Rule, Severity, Subject, Values};

pub static RULE: Rule = Rule {
    name: "api-json-broken",
    severity: Severity::Error,
    on: true,
    source: include_str!("api_json_broken.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        let parts = [
            ("request", &call.of.arguments, &call.arguments),
            ("response", &call.of.response, &call.response),
        ];
        for (part, payload, values) in parts {
            if let Some(Payload::Embedded { text, at }) = payload
                && let Some(why) = why(values)
            {
                let what = what(part, call);
                let spot = subject.spot_at(call.turn, *at);
                found.add(spot, format!("{what} is {why}"));
                let _ = text;
            }
        }
    }
}

fn what(part: &str, call: &Call<'_>) -> String {
    if call.of.name.is_empty() {
        format!("the {part}")
    } else {
        format!("the {part} of {}", call.of.name)
    }
}

fn why(values: &Values<'_>) -> Option<String> {
    match values {
        Values::Broken(why) => Some(format!("no JSON: {why}")),
        Values::NoObject(kind) => Some(format!("{kind}, not an object")),
        _ => None,
    }
}
