//! A request or response is not a valid JSON object.
//!
//! Some corpora store requests and responses as JSON in a string. Programs that parse a broken one
//! fail or continue without the arguments. Common mistakes are doubled quotation marks
//! (`""cortado-5426""`) and unescaped tabs and line breaks; the rule reports everything that JSON
//! does not allow. Valid JSON that is not an object is only a warning.
//!
//! The fix, which is safe, removes doubled quotation marks and escapes tabs and line breaks if the
//! result is a JSON object.
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

use crate::dialog::{CallPart, Payload};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Call, Subject, Values};
use crate::lint::repair::undoubled_object;

pub static RULE: Rule = Rule {
    name: "api-json-broken",
    severity: Severity::Error,
    on: true,
    source: include_str!("api_json_broken.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    // The rules on chats check this.
    if subject.is_chat() {
        return;
    }
    for call in subject.calls() {
        for part in [CallPart::Arguments, CallPart::Response] {
            if let Some(Payload::Embedded { text, at }) = call.payload(part)
                && let Some(why) = why(call.values(part))
            {
                let location = subject.location_at(call.turn, *at);
                let most = match call.values(part) {
                    Values::Broken(_) => Severity::Error,
                    _ => Severity::Warning,
                };
                let message = format!("{} is {why}", what(part, call));
                let diagnostic = found.add_at_most(most, location, message);
                if let Some(repaired) = undoubled_object(text) {
                    let edit = call.set_json(part, repaired);
                    diagnostic.fix("repair the JSON", Applicability::Safe, vec![edit]);
                }
            }
        }
    }
}

fn what(part: CallPart, call: &Call<'_>) -> String {
    let part = match part {
        CallPart::Arguments => "request",
        CallPart::Response => "response",
    };
    if call.of.name.is_empty() {
        format!("the {part}")
    } else {
        format!("the {part} of {}", call.of.name)
    }
}

fn why(values: &Values<'_>) -> Option<String> {
    match values {
        Values::Broken(why) => Some(format!("not valid JSON: {why}")),
        Values::NoObject(kind) => Some(format!("{kind}, not an object")),
        _ => None,
    }
}
