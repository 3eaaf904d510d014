//! Arguments whose value the JSON of the dialog does not have before their call: not in an act or a state, not
//! in a result or another call, and not in an utterance.

use super::last_value::{similar_id, value_of_dialog};
use crate::dialog::{CallPart, Content, Field};
use crate::json::Parser;
use crate::lint::engine::{Applicability, Findings};
use crate::lint::facts::first_occurrence::{FirstOccurrences, first_ends};
use crate::lint::facts::transcript::lower;
use crate::lint::facts::{Call, Subject};

/// Values of more bytes are not checked: they are not names or numbers.
pub const LONGEST: usize = 200;

/// A value in the arguments of a call.
struct Argument<'s> {
    call: &'s Call<'s>,
    field: &'s Field,
    /// The name next to the value, which may be that of a member inside the field.
    name: String,
    value: String,
}

/// Reports the arguments of a corpus whose acts and states have all values that calls use.
pub fn of_states(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let text = subject.tree.text();
    let mut all = Vec::new();
    for call in subject.calls() {
        for field in call.arguments.fields() {
            // As the file writes it, with its quotation marks.
            let token = text.get(field.at.start as usize..field.at.end as usize);
            if let (Content::Text(value), Some(token)) = (&field.content, token)
                && (1..=LONGEST).contains(&value.len())
                && token.starts_with('"')
            {
                all.push((call, field, value, token));
            }
        }
    }
    let tokens = all.iter().map(|(.., token)| (*token).to_owned());
    let first = first_ends(text, tokens.collect());
    all.retain(|(call, _, _, token)| !is_before(first.get(*token), call));
    if all.is_empty() {
        return;
    }
    let texts = all.iter().map(|(_, _, value, _)| lower(value).into());
    let said = FirstOccurrences::new(subject.said(), texts.collect());
    for (call, field, value, _) in all {
        if said.has_text(&lower(value), call.turn) {
            continue;
        }
        let message = message(call, &field.name, value);
        let diagnostic = found.add(subject.location_at(call.turn, field.at), message);
        if let Some(right) = value_of_dialog(subject, call, &field.name)
            && let Some(edit) = call.set(CallPart::Arguments, &field.name, &right)
        {
            let title = format!("change to {right}");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}

/// Reports the ids in the calls of a chat. Ids have digits and no spaces, and their names say that they are
/// ids.
pub fn of_chat(subject: &Subject<'_>, found: &mut Findings<'_>) {
    let mut all = Vec::new();
    for call in subject.calls() {
        for field in call.arguments.fields() {
            let mut add = |name: &str, value: &str| {
                if is_id(name, value) {
                    all.push(Argument {
                        call,
                        field,
                        name: name.to_owned(),
                        value: value.to_owned(),
                    });
                }
            };
            match &field.content {
                Content::Text(value) => add(&field.name, value),
                Content::Raw(raw) if raw.starts_with(['[', '{']) => each_member(raw, add),
                Content::Raw(_) => {}
            }
        }
    }
    if all.is_empty() {
        return;
    }
    let text = subject.tree.text();
    let first = first_ends(text, all.iter().map(|a| a.value.clone()).collect());
    all.retain(|a| !is_before(first.get(&a.value), a.call));
    if all.is_empty() {
        return;
    }
    let texts = all.iter().map(|a| lower(&a.value).into()).collect();
    let said = FirstOccurrences::new(subject.said(), texts);
    let last = subject.dialog.turns.last();
    // Tools may be declared after the messages.
    let declared = last.and_then(|turn| text.get(turn.at.end as usize..));
    for argument in all {
        let Argument { call, field, name, value } = &argument;
        if said.has_text(&lower(value), call.turn)
            || declared.is_some_and(|text| text.contains(value.as_str()))
        {
            continue;
        }
        let message = message(call, name, value);
        let diagnostic = found.add(subject.location_at(call.turn, field.at), message);
        if let Some(right) = similar_id(subject, call, name, value)
            && let Some(edit) = call.replace_text(&field.name, value, right)
        {
            let title = format!("change to {right}");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}

fn message(call: &Call<'_>, name: &str, value: &str) -> String {
    let api = &call.of.name;
    format!("{name} of {api} is {value}, which is not mentioned earlier in the dialog")
}

/// True if a text first ends before the call.
fn is_before(end: Option<&usize>, call: &Call<'_>) -> bool {
    end.is_some_and(|end| *end <= call.of.at.start as usize)
}

/// Calls `visit` with the texts that the objects in a JSON text have, and their names.
fn each_member(json: &str, mut visit: impl FnMut(&str, &str)) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(json) else {
        return;
    };
    for object in tree.objects() {
        for (key, value) in object.members() {
            if let (Some(name), Some(value)) = (key.as_str(), value.as_str()) {
                visit(&name, &value);
            }
        }
    }
}

/// The fewest bytes of an id: shorter numbers may be counts.
const SHORTEST: usize = 4;

/// True if a value is an id that a person or a program assigned, such as `W-1042`.
fn is_id(name: &str, value: &str) -> bool {
    let is_named = ["_id", "Id", "ID", "_number", "_code"];
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'#');
    (SHORTEST..=LONGEST).contains(&value.len())
        && (name == "id" || is_named.iter().any(|end| name.ends_with(end)))
        && value.bytes().all(is_part)
        && value.bytes().any(|byte| byte.is_ascii_digit())
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}
