//! A call lacks a required argument, or the argument is empty.
//!
//! Such a call cannot have worked; the value that it lacks was mentioned in the dialog.
//!
//! An argument with a misspelled name is not missing; api-unknown-argument reports it.
//!
//! The fix, which is unsafe, adds the value that was mentioned or returned last under this name,
//! unless several values qualify.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0, "args": {"name.movie": "Dune"}}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0,
//!      "args": {"name.movie": "Dune", "name.theater": "the Roxie"}}]}]}
//! ```

use super::last_value::{is_of, last_value};
use crate::dialog::{CallPart, Content, Field};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::{Call, Subject};
use crate::lint::rules::names::{is_checked, near_values};
use crate::ontology::Api;

pub static RULE: Rule = Rule {
    name: "api-missing-argument",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_missing_argument.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if !is_checked(subject) {
        return;
    }
    for call in subject.calls() {
        let Some(api) = call.api.filter(|_| call.arguments.is_whole()) else {
            continue;
        };
        let fields = call.arguments.fields();
        for required in &api.required {
            let mut same = fields.iter().filter(|field| is_of(field, required));
            let name = &call.of.name;
            let message = match same.next() {
                None if has_misspelt(subject, call, api, required) => continue,
                None => format!("{name} lacks {required}"),
                Some(first) if is_empty(first) && same.all(is_empty) => {
                    format!("{required} of {name} is empty")
                }
                Some(_) => continue,
            };
            let diagnostic = found.add(call.location(), message);
            if let Some(value) = last_value(subject, call, required)
                && let Some(edit) = call.set(CallPart::Arguments, required, &value)
            {
                let title = format!("set {required}={value}");
                diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

/// True if the call has an argument that the API does not accept and that probably misspells `required`;
/// api-unknown-argument reports that one.
fn has_misspelt(subject: &Subject<'_>, call: &Call<'_>, api: &Api, required: &str) -> bool {
    let fields = call.arguments.fields();
    let mut unknown = fields.iter().filter(|field| !api.takes(&field.name));
    unknown.any(|field| {
        let known = api.required.iter().chain(&api.optional);
        let near = near_values(subject.ontology, field, known);
        near.iter().any(|near| near.name == required)
    })
}

fn is_empty(field: &Field) -> bool {
    match &field.content {
        Content::Text(text) => text.trim().is_empty(),
        Content::Raw(raw) => raw == "null",
    }
}
