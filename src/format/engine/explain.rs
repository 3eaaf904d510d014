//! Says what a changed text would say otherwise than was meant.

use crate::dialog::{ApiCall, Dialog, EditError, Field, Turn};

/// Returns the refusal of edits whose text is read as `found` and not as the dialog that was `meant`. `before` is the
/// dialog before the edits, with a turn for each of the one that was meant. Turns are named by their numbers in the text
/// before the edits, where they begin at `starts`.
pub fn explain(meant: &Dialog, found: &Dialog, before: &Dialog, starts: &[u32]) -> EditError {
    if meant.turns.len() != found.turns.len() {
        return EditError::ChangesMore("the number of turns".to_owned());
    }
    let mut unmade = None;
    for (position, (meant, found)) in meant.turns.iter().zip(&found.turns).enumerate() {
        let before = before.turns.get(position).filter(|_| meant.at.is_placed());
        let changed = before.map(|was| differing(was, meant));
        let number = starts.iter().position(|start| *start == meant.at.start);
        let number = number.filter(|_| meant.at.is_placed()).unwrap_or(position);
        for part in differing(meant, found) {
            let is_more = changed.as_ref().is_some_and(|all| !all.contains(&part));
            let stays = before.is_some_and(|was| !differing(was, found).contains(&part));
            if is_more {
                return EditError::ChangesMore(format!("{part} of turn {number}"));
            }
            unmade.get_or_insert_with(|| {
                if stays {
                    no_place(&part, before.unwrap_or(meant), number)
                } else {
                    EditError::ReadsBackDifferently(format!("{part} of turn {number} differs"))
                }
            });
        }
    }
    if let Some(unmade) = unmade {
        return unmade;
    }
    EditError::ChangesMore(match differing_field(&meant.fields, &found.fields) {
        Some(name) => format!("`{name}` of the dialog"),
        None => "the dialog elsewhere".to_owned(),
    })
}

/// Returns the refusal of an edit that changes a turn, given by its number, from one of two states to the other, and
/// nothing of the text.
pub fn unwritten(both: Option<(&Turn, &Turn)>, turn: usize) -> EditError {
    let part = both.and_then(|(was, is)| Some((differing(was, is).into_iter().next()?, was)));
    match part {
        Some((part, was)) => no_place(&part, was, turn),
        None => EditError::NoPlace { part: "this".to_owned(), why: NOWHERE.to_owned() },
    }
}

const NOWHERE: &str = "it has no place in the file";

fn no_place(part: &str, was: &Turn, turn: usize) -> EditError {
    let is_in_text = part.contains("call") && was.calls.iter().any(|call| call.in_text);
    let in_text = "it is written in the text of the turn; edit the text";
    let why = if is_in_text { in_text } else { NOWHERE };
    EditError::NoPlace { part: format!("{part} of turn {turn}"), why: why.to_owned() }
}

/// Returns the parts in which two turns differ.
fn differing(one: &Turn, other: &Turn) -> Vec<String> {
    let mut parts = Vec::new();
    let mut add = |name: &str, differs: bool| parts.extend(differs.then(|| name.to_owned()));
    add("the speaker", one.speaker != other.speaker);
    add("the text", one.text != other.text);
    add("the number", one.index != other.index);
    add("the tokens", one.tokens != other.tokens);
    add("the intents", one.intents != other.intents);
    add("the state", one.state != other.state);
    parts.extend(one_of("segment", &one.segments, &other.segments));
    parts.extend(one_of("act", &one.acts, &other.acts));
    if one.calls.len() == other.calls.len() {
        let calls = one.calls.iter().zip(&other.calls).enumerate();
        parts.extend(calls.filter_map(|(call, (one, other))| part_of_call(call, one, other)));
    } else {
        parts.push("the calls".to_owned());
    }
    parts.extend(differing_field(&one.fields, &other.fields).map(|name| format!("`{name}`")));
    if parts.is_empty() && one != other {
        parts.push("another part".to_owned());
    }
    parts
}

fn part_of_call(call: usize, one: &ApiCall, other: &ApiCall) -> Option<String> {
    let part = match () {
        () if one == other => return None,
        () if one.response != other.response => "the result",
        () if one.arguments != other.arguments => "the arguments",
        () if one.name != other.name => "the name",
        () => "a mark",
    };
    Some(format!("{part} of call {call}"))
}

/// Returns the first elements that differ, as messages call them.
fn one_of<T: PartialEq>(name: &str, one: &[T], other: &[T]) -> Option<String> {
    if one.len() != other.len() {
        return Some(format!("the {name}s"));
    }
    let place = one.iter().zip(other).position(|(one, other)| one != other)?;
    Some(format!("{name} {place}"))
}

/// Returns the name of the first field that only one of both has.
fn differing_field<'f>(one: &'f [Field], other: &'f [Field]) -> Option<&'f str> {
    let missing = |all: &'f [Field], from: &[Field]| all.iter().find(|field| !from.contains(field));
    let field = missing(one, other).or_else(|| missing(other, one))?;
    Some(field.name.as_str())
}
