//! A call uses a value that nobody mentioned and no earlier call returned.
//!
//! The value was made up, and a model trained on the call learns to make up values too.
//!
//! The rule checks different values in different families:
//!
//! * In Taskmaster, times, numbers, names of movies and theaters, and ids that programs assign.
//!   People shorten and misspell names, so a name counts as mentioned if at least half of its
//!   distinctive words were. For a time, it is enough that its hour was mentioned; for a number, that
//!   a smaller one was, which may be part of the sum. An id must have been returned exactly as it is.
//! * In corpora whose states keep their slots, such as SGD, every text. An act, its canonical values, a
//!   state, a result, another call or an utterance must have it earlier.
//! * In chats with tools, ids: values of `user_id`, `flight_number` and the like that mix letters and digits.
//!   A message, an answer, a call before or a declaration of a tool must have it. Other arguments of chats
//!   are not checked: assistants often compute or reword them.
//!
//! The fix, which is unsafe, replaces an id with the similar one that was returned, if there is
//! one. In corpora with states, it sets the argument to the canonical value that an act had last for
//! the slot of this name, or to the value in the state.
//!
//! ```json bad
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is Dune on at the Roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0,
//!      "args": {"name.movie": "The Lodger Below", "name.theater": "The Roxie"}}]}]}
//! ```
//!
//! ```json bad
//! {"dialogue_id": "d", "services": ["Gardens_1"], "turns": [
//!   {"speaker": "USER", "utterance": "a garden in Ghent, please", "frames": [{"service": "Gardens_1",
//!     "slots": [], "actions": [],
//!     "state": {"active_intent": "FindGardens", "requested_slots": [], "slot_values": {"city": ["Ghent"]}}}]},
//!   {"speaker": "SYSTEM", "utterance": "There is none.", "frames": [{"service": "Gardens_1",
//!     "slots": [], "actions": [],
//!     "service_call": {"method": "FindGardens", "parameters": {"city": "Gent"}}, "service_results": []}]}]}
//! ```
//!
//! ```json good
//! {"conversation_id": "d", "vertical": "Movie Tickets", "utterances": [
//!   {"index": 0, "speaker": "user", "text": "when is dune on at the roxie?", "apis": [
//!     {"name": "find_showtimes", "index": 0,
//!      "args": {"name.movie": "Dune", "name.theater": "The Roxie"}}]}]}
//! ```

use super::earlier_values::{self, LONGEST};
use super::last_value::similar_id;
use crate::dialog::{Content, Field};
use crate::json::{NodeKind, Parser};
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::first_occurrence::FirstOccurrences;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::value::{Time, ValueKind, number, words};
use crate::lint::facts::{Call, Subject};

pub static RULE: Rule = Rule {
    name: "api-argument-unsupported",
    severity: Severity::Warning,
    on: true,
    source: include_str!("api_argument_unsupported.rs"),
    check: Check::Dialog(check),
};

fn check(subject: &Subject<'_>, found: &mut Findings<'_>) {
    if subject.is_chat() {
        earlier_values::of_chat(subject, found);
        return;
    }
    if subject.format.declared().is_some() && subject.format.keeps_state() {
        earlier_values::of_states(subject, found);
        return;
    }
    let arguments = || {
        let calls = subject.calls().iter();
        calls.flat_map(|call| {
            call.arguments
                .fields()
                .iter()
                .map(move |field| (call, field))
        })
    };
    let texts = arguments().filter_map(|(_, field)| text_of(field));
    let texts = texts.filter(|(sort, _)| !matches!(sort, ValueKind::Id | ValueKind::Other));
    let texts: Vec<_> = texts.map(|(_, value)| lower(value).into()).collect();
    let said = FirstOccurrences::new(subject.said(), texts);
    for (call, field) in arguments() {
        match (&field.content, text_of(field)) {
            (_, Some((ValueKind::Id, value))) => {
                id(subject, call, (field, &field.name, value), found);
            }
            (_, Some((sort, value)))
                if sort != ValueKind::Other
                    && !said.has_text(&lower(value), call.turn)
                    && !is_meant(subject, call, &said, (sort, value)) =>
            {
                let (name, api) = (&field.name, &call.of.name);
                let message = format!(
                    "{name} of {api} is {value}, which is not mentioned earlier in the dialog"
                );
                found.add(subject.spot_at(call.turn, field.at), message);
            }
            (Content::Raw(raw), _) if raw.contains("_id\"") => {
                ids(subject, call, (field, raw), found);
            }
            _ => {}
        }
    }
}

/// The value of an argument that may have been mentioned, and its kind.
fn text_of(field: &Field) -> Option<(ValueKind, &str)> {
    match &field.content {
        Content::Text(value) if !value.is_empty() && value.len() <= LONGEST => {
            Some((ValueKind::of(&field.name), value))
        }
        _ => None,
    }
}

/// True if the value was mentioned in other words, or returned by an earlier call.
fn is_meant(
    subject: &Subject<'_>,
    call: &Call<'_>,
    said: &FirstOccurrences<'_>,
    (sort, value): (ValueKind, &str),
) -> bool {
    let (returned, place) = (subject.returned(), subject.place_of(call));
    if returned.has_value(value, place)
        || sort == ValueKind::Name && returned.has_half(value, place)
    {
        return true;
    }
    match sort {
        ValueKind::Name => said.has_half(value, call.turn) || is_shortened(value, said, call.turn),
        ValueKind::Time => Time::read(value).is_none_or(|time| said.has_hour(time, call.turn)),
        ValueKind::Number => number(value).is_none_or(|n| n <= 2 || said.has_part(n, call.turn)),
        ValueKind::Id | ValueKind::Other => true,
    }
}

/// The calls before `call`.
fn is_shortened(name: &str, said: &FirstOccurrences<'_>, until: usize) -> bool {
    let initials: String = words(name).filter_map(|w| w.chars().next()).collect();
    initials.len() > 1 && said.has_word(&initials, until)
}

/// Ids in lists, such as `[{"addon_id": "caramel-015", "option": "ADD"}]`.
fn ids(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, raw): (&Field, &str),
    found: &mut Findings<'_>,
) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(raw) else {
        return;
    };
    for value in tree.values().filter(|v| v.kind() == NodeKind::Object) {
        for (key, value) in value.members() {
            let (Some(name), Some(value)) = (key.as_str(), value.as_str()) else {
                continue;
            };
            if ValueKind::of(&name) == ValueKind::Id {
                id(subject, call, (field, &name, &value), found);
            }
        }
    }
}

fn id(
    subject: &Subject<'_>,
    call: &Call<'_>,
    (field, name, value): (&Field, &str, &str),
    found: &mut Findings<'_>,
) {
    if !subject.returned().has_id(value, subject.place_of(call)) {
        let api = &call.of.name;
        let message = format!("{name} of {api} is {value}, which no earlier call returned");
        let diagnostic = found.add(subject.spot_at(call.turn, field.at), message);
        if let Some(meant) = similar_id(subject, call, name, value)
            && let Some(edit) = call.replace_text(&field.name, value, meant)
        {
            let title = format!("change to {meant}");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}
