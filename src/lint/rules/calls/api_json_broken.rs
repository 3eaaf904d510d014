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
use crate::json::{NodeKind, Parser};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Call, Subject, Values};

pub static RULE: Rule = Rule {
    name: "api-json-broken",
    severity: Severity::Error,
    on: true,
    source: include_str!("api_json_broken.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        for part in [CallPart::Arguments, CallPart::Response] {
            if let Some(Payload::Embedded { text, at }) = call.payload(part)
                && let Some(why) = why(call.values(part))
            {
                let spot = subject.spot_at(call.turn, *at);
                let most = match call.values(part) {
                    Values::Broken(_) => Severity::Error,
                    _ => Severity::Warning,
                };
                let message = format!("{} is {why}", what(part, call));
                let diagnostic = found.add_at_most(most, spot, message);
                if let Some(repaired) = repaired(text) {
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

/// The text with single instead of doubled quotation marks and with control characters escaped, if
/// that makes it a JSON object.
fn repaired(text: &str) -> Option<String> {
    let repaired = escaped(&undoubled(text));
    let mut parser = Parser::new();
    let tree = parser.parse_str(&repaired).ok()?;
    (tree.root().kind() == NodeKind::Object && repaired != text).then_some(repaired)
}

/// Turns `""word""` into `"word"`; keeps an empty string, after which JSON goes on.
fn undoubled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\"\"") {
        let inside = &rest[start + 2..];
        let word = inside.split('"').next().unwrap_or_default();
        let doubled = !word.starts_with([',', '}', ']', ':', ' ']) && !word.is_empty();
        if doubled && inside[word.len()..].starts_with("\"\"") {
            out.push_str(&rest[..=start]);
            out.push_str(word);
            out.push('"');
            rest = &inside[word.len() + 2..];
        } else {
            out.push_str(&rest[..start + 2]);
            rest = inside;
        }
    }
    out + rest
}

/// Escapes tabs and line breaks inside strings.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut inside, mut escape) = (false, false);
    for char in text.chars() {
        match char {
            '\t' if inside => out.push_str("\\t"),
            '\n' if inside => out.push_str("\\n"),
            '\r' if inside => out.push_str("\\r"),
            _ => out.push(char),
        }
        inside ^= char == '"' && !escape;
        escape = inside && char == '\\' && !escape;
    }
    out
}
