//! A call uses a value that nobody mentioned and no earlier call returned.
//!
//! The value was made up, and a model trained on the call learns to make up values too.
//!
//! The rule checks different values in different families:
//!
//! * In Taskmaster, times, numbers, names of movies and theaters, and ids that programs assign.
//!   People shorten and misspell names, so a name counts as mentioned if at least half of its
//!   distinctive words were. For a time, it is enough that its hour was mentioned; for a number, that
//!   a smaller one was, which may be part of the sum. Where earlier segments have the name of the argument as
//!   their label, a time must be one of theirs, or its hour be written in digits; a number must be one of
//!   theirs or a sum of them; and other values, such as dates, or words in place of a time or number, must
//!   share half of their distinctive words with what was said. An id must have been returned exactly as it is.
//! * In corpora whose states keep their slots, such as SGD, every text. An act, its canonical values, a
//!   state, a result, another call or an utterance must have it earlier.
//! * In chats with tools, ids: values of `user_id`, `flight_number` and the like that mix letters and digits.
//!   A message, an answer, a call before or a declaration of a tool must have it. Other arguments of chats
//!   are not checked: assistants often compute or reword them.
//!
//! The fix, which is unsafe, replaces an id with the similar one that was returned, or with the one that the turn
//! names if it does not name the similar one. Another
//! value is replaced with the words of the last segment of its label (of numbers, all segments must have the
//! same), with the only value that a call returned under its name, or with that of an earlier call. In corpora
//! with states, it sets the argument to the canonical value that an act had last for the slot of this name,
//! or to the value in the state.
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
use super::last_value::{last_argument, last_value, only_returned, similar_id};
use crate::dialog::{CallPart, Content, Field};
use crate::json::Parser;
use crate::lint::engine::{Applicability, Check, Findings, Rule, Severity};
use crate::lint::facts::first_occurrence::FirstOccurrences;
use crate::lint::facts::transcript::lower;
use crate::lint::facts::value::{Time, ValueKind, agree, number, words};
use crate::lint::facts::{Call, Mention, Subject};

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
    if subject.format.is_described() && subject.format.keeps_state() {
        earlier_values::of_states(subject, found);
        return;
    }
    let arguments = || {
        let calls = subject.calls().iter();
        calls.flat_map(|call| call.arguments.fields().iter().map(move |field| (call, field)))
    };
    let is_checked = |call: &Call<'_>, field: &Field, kind: ValueKind| match kind {
        ValueKind::Id => false,
        ValueKind::Other => last_labelled(subject, call, field).is_some(),
        ValueKind::Time | ValueKind::Number | ValueKind::Name => true,
    };
    let texts = arguments().filter_map(|(call, field)| {
        let (_, value) = text_of(field).filter(|(kind, _)| is_checked(call, field, *kind))?;
        Some(lower(value).into())
    });
    let texts: Vec<_> = texts.collect();
    let said = FirstOccurrences::new(subject.said(), texts);
    for (call, field) in arguments() {
        match (&field.content, text_of(field)) {
            (_, Some((ValueKind::Id, value))) => {
                id(subject, call, field, &field.name, value, found);
            }
            (_, Some((kind, value)))
                if is_checked(call, field, kind)
                    && !said.has_text(&lower(value), call.turn)
                    && !is_meant(subject, call, field, &said, kind, value) =>
            {
                let (name, api) = (&field.name, &call.of.name);
                let message = format!(
                    "{name} of {api} is {value}, which is not mentioned earlier in the dialog"
                );
                let diagnostic = found.add(subject.location_at(call.turn, field.at), message);
                if let Some(meant) = meant(subject, call, field, kind)
                    && let Some(edit) = call.set(CallPart::Arguments, name, &meant)
                {
                    let title = format!("change to {meant}");
                    diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
                }
            }
            (Content::Raw(raw), _) if raw.contains("_id\"") => {
                ids(subject, call, field, raw, found);
            }
            _ => {}
        }
    }
}

/// Returns the value of an argument that may have been mentioned, and its kind.
fn text_of(field: &Field) -> Option<(ValueKind, &str)> {
    match &field.content {
        Content::Text(value) if !value.is_empty() && value.len() <= LONGEST => {
            Some((ValueKind::of(&field.name), value))
        }
        _ => None,
    }
}

/// Returns the value that an argument should have: the one that was mentioned or returned last under its name, or
/// that of the last call before. Numbers may add up, so all that were mentioned must be the same.
fn meant(subject: &Subject<'_>, call: &Call<'_>, field: &Field, kind: ValueKind) -> Option<String> {
    let mut labelled = labelled(subject, call, field);
    let first = labelled.next();
    let is_sum = kind == ValueKind::Number
        && first.is_some_and(|first| !labelled.all(|other| other.text() == first.text()));
    if is_sum {
        return None;
    }
    let name = &field.name;
    let mentioned = match first {
        Some(_) => last_value(subject, call, name),
        None => only_returned(subject, call, name),
    };
    let earlier = || last_argument(subject, call, name).map(str::to_owned);
    let value = field.content.as_str();
    mentioned.or_else(earlier).filter(|meant| meant != value)
}

/// True if the value was mentioned in other words, or returned by an earlier call.
fn is_meant(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    said: &FirstOccurrences<'_>,
    kind: ValueKind,
    value: &str,
) -> bool {
    let (returned, place) = (subject.returned(), subject.place_of(call));
    if returned.has_value(value, place)
        || kind == ValueKind::Name && returned.has_half(value, place)
    {
        return true;
    }
    if kind != ValueKind::Time
        && value.contains(':')
        && let Some(time) = Time::read(value)
    {
        let mut labelled = labelled(subject, call, field).peekable();
        return match labelled.peek() {
            Some(_) => labelled.any(|m| agree(ValueKind::Time, m.text(), value)),
            None => said.has_hour_in_digits(time, call.turn),
        };
    }
    // Without segments to compare with, a value that cannot be read may be anything.
    let is_vague = || {
        let has_half = || said.has_half(value, call.turn) || returned.has_half(value, place);
        last_labelled(subject, call, field).is_none() || has_half()
    };
    match kind {
        ValueKind::Name => said.has_half(value, call.turn) || is_shortened(value, said, call.turn),
        ValueKind::Time => Time::read(value).map_or_else(is_vague, |time| {
            let mut labelled = labelled(subject, call, field).peekable();
            if labelled.peek().is_none() {
                return said.has_hour(time, call.turn);
            }
            labelled.any(|m| agree(kind, m.text(), value))
                || said.has_hour_in_digits(time, call.turn)
        }),
        ValueKind::Number => number(value).map_or_else(is_vague, |n| {
            // A number that another turn repeats counts once.
            let mut parts: Vec<(usize, u32)> = Vec::new();
            for mention in labelled(subject, call, field) {
                if let Some(part) = number(mention.text())
                    && !parts.iter().any(|(turn, of)| *turn != mention.turn && *of == part)
                {
                    parts.push((mention.turn, part));
                }
            }
            match parts.as_slice() {
                _ if n <= 2 => true,
                [] => said.has_part(n, call.turn),
                some => is_sum(some.iter().map(|(_, part)| *part), n),
            }
        }),
        ValueKind::Other => said.has_half(value, call.turn) || returned.has_half(value, place),
        ValueKind::Id => true,
    }
}

/// Returns the segments up to a call that have the name of its argument as their label.
fn labelled<'s, 'a>(
    subject: &'s Subject<'a>,
    call: &Call<'_>,
    field: &Field,
) -> impl DoubleEndedIterator<Item = &'s Mention<'a>> {
    let labelled = subject.labelled(&field.name, call.turn);
    labelled.map(|(_, mention)| mention)
}

fn last_labelled<'s, 'a>(
    subject: &'s Subject<'a>,
    call: &Call<'_>,
    field: &Field,
) -> Option<&'s Mention<'a>> {
    labelled(subject, call, field).next_back()
}

/// The largest number whose summands are searched for.
const LARGEST_SUM: u32 = 64;

/// True if `sum` is one of the numbers or the sum of some of them.
fn is_sum(numbers: impl Iterator<Item = u32>, sum: u32) -> bool {
    if sum > LARGEST_SUM {
        return true;
    }
    // The bit `n` is set if `n` is a sum of the numbers so far.
    let mut sums: u128 = 1;
    for number in numbers.filter(|number| *number <= sum) {
        sums |= sums << number;
    }
    sums >> sum & 1 == 1
}

/// Returns the calls before `call`.
fn is_shortened(name: &str, said: &FirstOccurrences<'_>, until: usize) -> bool {
    let initials: String = words(name).filter_map(|w| w.chars().next()).collect();
    initials.len() > 1 && said.has_word(&initials, until)
}

/// Ids in lists, such as `[{"addon_id": "caramel-015", "option": "ADD"}]`.
fn ids(subject: &Subject<'_>, call: &Call<'_>, field: &Field, raw: &str, found: &mut Findings<'_>) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_str(raw) else {
        return;
    };
    for value in tree.objects() {
        for (key, value) in value.members() {
            let (Some(name), Some(value)) = (key.as_str(), value.as_str()) else {
                continue;
            };
            if ValueKind::of(&name) == ValueKind::Id {
                id(subject, call, field, &name, &value, found);
            }
        }
    }
}

fn id(
    subject: &Subject<'_>,
    call: &Call<'_>,
    field: &Field,
    name: &str,
    value: &str,
    found: &mut Findings<'_>,
) {
    if !subject.returned().has_id(value, subject.place_of(call)) {
        let api = &call.of.name;
        let message = format!("{name} of {api} is {value}, which no earlier call returned");
        let diagnostic = found.add(subject.location_at(call.turn, field.at), message);
        if let Some(meant) = similar_id(subject, call, name, value)
            && let Some(edit) = call.replace_text(&field.name, value, meant)
        {
            let title = format!("change to {meant}");
            diagnostic.fix(title, Applicability::Unsafe, vec![edit]);
        }
    }
}
