//! The form of new messages and calls, in which a dialog shows its own.

use crate::dialog::{ApiCall, CallPart, Content, Dialog, Extent, Field, Payload, Role, Turn};
use crate::format::engine::read::extent;
use crate::format::engine::values::{append, embed, written_payload};
use crate::format::families::homes::{ARGUMENTS, CONTENT, CONTENTS};
use crate::format::families::message_parts::{TEXT_KEYS, TEXTS, arguments_in, content_in};
use crate::format::families::messages::call_id;
use crate::json::{Editor, NewValue, NodeKind, Splice, Value};

/// The member with the calls of a message, and the one from before there were several.
const TOOL_CALLS: &str = "tool_calls";
const OLD_CALL: &str = "function_call";

/// The member with what is called, or with its name in logs of Inspect.
const FUNCTION: &str = "function";

/// Returns the member with the text of a new message, written as in the message that it is like.
pub fn new_text(like: Option<Value<'_>>, said: &str) -> (String, NewValue) {
    let text = |key: &str, text: &str| (key.to_owned(), NewValue::String(text.to_owned()));
    let own = like.and_then(|like| Some((CONTENTS.of(like, |_| true)?.0, content_in(like)?)));
    let home = own.map_or(CONTENT, |(home, _)| home);
    let part = own.and_then(|(_, own)| own.elements().next());
    let kind = part.and_then(|part| part.get("type")?.as_str());
    let Some(kind) = kind.filter(|kind| TEXTS.contains(&kind.as_ref())) else {
        return text(home, said);
    };
    let mut keys = TEXT_KEYS.into_iter().chain([CONTENT]);
    let has = |key: &&str| part.is_some_and(|part| part.get(key).is_some());
    let key = keys.find(has).unwrap_or(TEXT_KEYS[0]);
    let part = NewValue::Object(vec![text("type", &kind), text(key, said)]);
    (home.to_owned(), NewValue::Array(vec![part]))
}

/// Gives a new call the members and the kind of arguments that other calls of the dialog have. Without others, it
/// has an id, a type, and arguments that are JSON in a string.
pub fn complete_call(before: &Turn, after: &mut Dialog, turn: usize) {
    let new = after.turns.get(turn).filter(|turn| turn.calls.len() > before.calls.len());
    let new = new.and_then(|turn| turn.calls.last());
    if new.is_none_or(|call| call.in_text || call.at.is_placed()) {
        return;
    }
    let calls = |turns: &[Turn]| -> Vec<ApiCall> {
        let calls = turns.iter().flat_map(|turn| &turn.calls);
        calls.cloned().collect()
    };
    let Some((_, later)) = after.turns.split_at_checked(turn + 1) else {
        return;
    };
    let later = calls(later);
    let mut earlier = calls(&after.turns[..=turn]);
    earlier.pop();
    let like = earlier.last().or(later.first());
    let text =
        |name: &str, text: &str| Field::known(name, Content::Text(text.into()), Extent::default());
    let ids: Vec<&str> = earlier.iter().chain(&later).filter_map(call_id).collect();
    let free = |number: &usize| !ids.contains(&format!("call_{number}").as_str());
    let id = (1..=ids.len() + 1).find(free).unwrap_or(1);
    let id = text("id", &format!("call_{id}"));
    let number = after.turns[turn].calls.len() - 1;
    let fields = match like {
        None => vec![id, text("type", "function")],
        Some(like) => {
            let known = like.fields.iter().filter_map(|field| match field.name.as_str() {
                "id" => Some(id.clone()),
                "type" => Some(field.clone()),
                "index" => Some(Field {
                    content: Content::Raw(number.to_string().into()),
                    ..field.clone()
                }),
                _ => None,
            });
            known.collect()
        }
    };
    let are_fields = matches!(like.map(|like| &like.arguments), Some(Some(Payload::Fields(_))));
    if let Some(call) = after.turns[turn].calls.last_mut() {
        call.fields = fields;
    }
    if !are_fields {
        embed(after, turn, CallPart::Arguments);
    }
}

/// Returns the splice that adds a call to a message, in the form of other calls of the dialog; None if it cannot have it:
/// only messages of the assistant have calls, a response would be a message of its own, and calls that are parts of messages
/// have another form.
pub fn add_call<'a>(
    editor: &Editor<'a>,
    message: Value<'a>,
    turns: &[Turn],
    turn: &Turn,
    call: &ApiCall,
) -> Option<Splice> {
    if turn.speaker.role != Role::System || call.response.is_some() {
        return None;
    }
    let is_part = |turn: &Turn, call: &ApiCall| {
        let said = editor.tree().value_at(turn.at.start).and_then(content_in);
        said.is_some_and(|said| extent(said).holds(call.at))
    };
    let are_parts = turns.iter().any(|turn| turn.calls.iter().any(|call| is_part(turn, call)));
    let is_there = |value: &Value<'_>| value.kind() != NodeKind::Null;
    // A message has at most one `function_call`.
    if are_parts || message.get(OLD_CALL).as_ref().is_some_and(is_there) {
        return None;
    }
    let own = message.get(TOOL_CALLS).filter(is_there);
    let others = call.fields.iter();
    let others = others.map(|field| (field.name.to_string(), NewValue::from(&field.content)));
    let mut members: Vec<_> = others.collect();
    let list = own.filter(|own| own.elements().next().is_some());
    let list = list.or_else(|| editor.namesake(TOOL_CALLS, message));
    let old = editor.holder(OLD_CALL, message);
    let old =
        old.filter(|like| like.get(OLD_CALL).is_some_and(|old| old.kind() == NodeKind::Object));
    let like = list.and_then(|list| list.elements().next());
    let inner = like.and_then(|like| like.get(FUNCTION));
    let is_object = |inner: &Value<'_>| inner.kind() == NodeKind::Object;
    let holder = inner.filter(is_object).or(like).or(old.and_then(|old| old.get(OLD_CALL)));
    let key = holder.and_then(arguments_in).map_or(ARGUMENTS.first(), |(key, _)| key);
    let arguments = call.arguments.as_ref().map(|own| (key.to_owned(), written_payload(own)));
    let called = |key: &str| {
        let name = (key.to_owned(), NewValue::String(call.name.to_string()));
        [name].into_iter().chain(arguments.clone())
    };
    if let (None, Some(old)) = (list, old) {
        members.extend(called("name"));
        return Some(editor.add_member(message, OLD_CALL, &NewValue::Object(members), Some(old)));
    }
    match (like, inner.map(Value::kind)) {
        (Some(_), None) => members.extend(called("name")),
        (_, Some(NodeKind::String)) => members.extend(called(FUNCTION)),
        _ => {
            let function = NewValue::Object(called("name").collect());
            members.push((FUNCTION.to_owned(), function));
        }
    }
    append(editor, message, TOOL_CALLS, vec![NewValue::Object(members)])
}
