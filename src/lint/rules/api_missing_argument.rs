//! A call lacks an argument that its API needs, or the argument is empty.
//!
//! The call could not have been made so; what it should have said was said in the dialog.
//!
//! The fix adds what was said or returned last under this name, if that was one thing (unsafe).
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

use crate::dialog::{Content, Field, Part};
use crate::lint::{Applicability, Call, Findings, Look, Mention, Rule, Severity, Subject};
use crate::ontology::without_number;

pub static RULE: Rule = Rule {
    name: "api-missing-argument",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_missing_argument.rs"),
    look: Look::Dialog(look),
};

fn look(subject: &Subject<'_>, found: &mut Findings<'_>) {
    for call in subject.calls() {
        let Some(api) = call.api.filter(|_| call.arguments.is_whole()) else {
            continue;
        };
        let fields = call.arguments.fields();
        for required in &api.required {
            let mut same = fields.iter().filter(|field| is(field, required));
            let name = &call.of.name;
            let message = match same.next() {
                None => format!("{name} has no {required}"),
                Some(first) if is_empty(first) && same.all(is_empty) => {
                    format!("{required} of {name} is empty")
                }
                Some(_) => continue,
            };
            let diagnostic = found.add(call.spot(), message);
            if let Some(value) = last_value(subject, call, required)
                && let Some(edit) = call.set(Part::Arguments, required, &value)
            {
                let title = format!("{required}={value}");
                diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
            }
        }
    }
}

fn is(field: &Field, name: &str) -> bool {
    field.name == name || without_number(&field.name) == Some(name)
}

fn is_empty(field: &Field) -> bool {
    match &field.content {
        Content::Text(text) => text.trim().is_empty(),
        Content::Raw(raw) => raw == "null",
    }
}

/// What was said or returned last under this name before the call, if that was one thing.
fn last_value(subject: &Subject<'_>, call: &Call<'_>, name: &str) -> Option<String> {
    if name == "attribute" {
        // The one argument that is the name of what is returned.
        let mut returned = call.response.fields().iter().map(|f| f.name.as_str());
        let name = returned.next()?;
        return Some(without_number(name).unwrap_or(name).to_owned());
    }
    let said = subject.mentions().iter().rev();
    let mut said = said.filter(|m| m.turn <= call.turn && m.label() == name);
    if let Some(last) = said.next() {
        let mut same_turn = said.take_while(|m| m.turn == last.turn);
        let value = without_signs(last);
        return same_turn
            .all(|m| without_signs(m) == value)
            .then(|| value.to_owned());
    }
    let calls = subject.calls().iter().rev();
    let calls = calls.filter(|c| (c.turn, c.call) < (call.turn, call.call));
    let mut returned = calls
        .flat_map(|c| c.response.fields())
        .filter(|f| is(f, name));
    match &returned.next()?.content {
        Content::Text(text) => Some(text.to_string()),
        Content::Raw(_) => None,
    }
}

/// What a segment covers without the signs that edges often take along.
fn without_signs<'a>(mention: &Mention<'a>) -> &'a str {
    mention.text().trim_end_matches(['.', ':', ',', '!', '?'])
}
