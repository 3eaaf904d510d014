//! The parts of a chat message: texts, the model's reasoning, calls of tools and answers to them, and anything else.
//!
//! A part is read by what it holds, because the names of its kinds differ: `tool_use`, `server_tool_use` and
//! `mcp_tool_use` are calls alike.

use std::borrow::Cow;

use crate::dialog::{ApiCall, Content, Extent, Field, LOST_ANSWER, Payload, Role, Short, Turn};
use crate::format::answers::{Answers, ToldAnswer};
use crate::format::engine::read::{Reader, extent, field, known_field};
use crate::format::families::homes::{ARGUMENTS, CONTENT, CONTENTS};
use crate::format::families::taskmaster::all_fields;
use crate::format::texts::json::calls_in;
use crate::format::texts::reasoning::REASONING_FIELD;
use crate::format::texts::tags::id_text;
use crate::json::{NodeKind, Value};

/// The types of parts that are text.
pub const TEXTS: [&str; 3] = ["text", "input_text", "output_text"];

/// Those and the types of parts that say nothing.
const NO_UNREAD: [&str; 4] = [TEXTS[0], TEXTS[1], TEXTS[2], "step-start"];

/// The members with the text of a part; the second is that of LLaMA-Factory.
pub const TEXT_KEYS: [&str; 2] = ["text", "value"];

/// The types of parts with the model's reasoning, and the members with its text.
const REASONING: [[&str; 2]; 4] = [
    ["thinking", "thinking"],
    ["reasoning", "reasoning"],
    ["reasoning", "value"],
    ["reasoning", "text"],
];

/// The member of a part of the reasoning with its summary, all that people can read of a redacted one.
const SUMMARY: &str = "summary";

/// The name of the field with an answer that belongs to no call, beside what its turn says.
pub const LOST_FIELD: &str = "response";

/// The end of the types of parts that are calls.
const CALL: &str = "tool_use";

/// The members in which Inspect has the answer to a call beside it, and the reason why it failed.
const RESULT: &str = "result";
pub const ERROR: &str = "error";

/// The members beside an answer that say whether the call failed, whatever their values are.
const MARKS: [&str; 4] = [ERROR, "is_error", "isError", "exit_code"];

/// The member that says so by these values alone; it may be about something else.
const STATUS: (&str, [&str; 2]) = ("status", ["error", "failed"]);

/// The member in which Vercel's AI SDK has the id of a call, and the one around older calls.
const CALL_ID: &str = "toolCallId";
const INVOCATION: &str = "toolInvocation";

/// The types of parts whose text is JSON of calls.
const CALLS_IN_TEXT: [&str; 2] = ["tool_call", "function_call"];

/// The member of an answer with the id of its call.
pub const ANSWERS: &str = "tool_use_id";

/// The parts of a message that are more than text.
#[derive(Default)]
pub struct Parts<'a> {
    /// Its calls with their ids.
    pub calls: Vec<(ApiCall, Option<Cow<'a, str>>)>,
    /// The number of its answers that belong to a call.
    answers: usize,
    /// The number of parts of other kinds.
    others: usize,
}

impl<'a> Parts<'a> {
    /// Reads the parts of a message in the list `said` into its turn, and its answers into the calls of earlier
    /// `turns`. Parts that are not read become fields, and their kinds are noted as unread.
    pub fn read(
        reader: &mut Reader,
        said: Value<'a>,
        turn: &mut Turn,
        waiting: &mut Answers<'_>,
        turns: &mut [Turn],
    ) -> Self {
        let mut parts = Self::default();
        let mut texts = Vec::new();
        let ids: Vec<_> = said.elements().filter_map(answered_id).collect();
        let told = ids.iter().map(|id| ToldAnswer { id, name: "" });
        waiting.expect(told, turns);
        // What a tool says may be of any type.
        let is_answer = turn.speaker.role == Role::Context;
        let other_text = |part: Value<'a>| text_of(part).filter(|_| is_answer)?.as_str();
        for part in said.elements() {
            if let Some(text) = part_text(reader, part).or_else(|| other_text(part)) {
                texts.push(text);
                turn.fields.extend(beside_text(part));
                continue;
            }
            let kind = part.get("type").and_then(Value::as_str);
            let kind = kind.unwrap_or_default();
            if let Some(text) = reasoning(part, &kind) {
                parts.others += 1;
                turn.fields.push(known_field(REASONING_FIELD, text));
                let summary = summary(part).filter(|it| extent(*it).start != extent(text).start);
                turn.fields.extend(summary.map(|it| known_field(SUMMARY, it)));
            } else if let Some(call) = call(part, &kind).or_else(|| invocation(part)) {
                parts.calls.push(call);
            } else if let Some(calls) = calls_in_part(part, &kind) {
                parts.calls.extend(calls.into_iter().map(|call| (call, None)));
            } else if let Some(call) = parts.call_answered_by(part, waiting, turns) {
                answer(part, turn, call);
                parts.answers += 1;
            } else {
                parts.others += 1;
                // A text that is not there is an issue, and so is a missing type.
                if part.get(ANSWERS).is_some() {
                    turn.unread.add(LOST_ANSWER.into(), 1);
                } else if part.get("type").is_some() && !NO_UNREAD.contains(&&*kind) {
                    turn.unread.add((&*kind).into(), 1);
                }
                turn.fields.push(known_field("content", part));
            }
        }
        turn.text = texts.join("\n");
        parts
    }

    /// Returns the call that a part answers: one before it in the same message, as those of the service's own tools
    /// are answered, or one of earlier `turns`. None if the part is not an answer, or if no call waits for it.
    fn call_answered_by<'c>(
        &'c mut self,
        part: Value<'_>,
        waiting: &mut Answers<'_>,
        turns: &'c mut [Turn],
    ) -> Option<&'c mut ApiCall> {
        let id = answered_id(part)?;
        let is_open = |(call, own): &&mut (ApiCall, Option<Cow<'_, str>>)| {
            call.response.is_none() && own.as_ref() == Some(&id)
        };
        if let Some((call, _)) = self.calls.iter_mut().rfind(is_open) {
            return Some(call);
        }
        let (asked, call) = waiting.take(&id, turns)?;
        Some(&mut turns[asked].calls[call])
    }

    /// True if a turn of the user holds answers to calls and nothing else.
    pub fn are_answers(&self, turn: &Turn) -> bool {
        self.answers > 0
            && self.others == 0
            && self.calls.is_empty()
            && turn.text.is_empty()
            && turn.speaker.role == Role::User
    }
}

/// Returns the members of a part beside its text, such as the texts that it cites; those that hold nothing are left out.
fn beside_text(part: Value<'_>) -> impl Iterator<Item = Field> + use<'_> {
    let text = said_by(part).map(|text| extent(text).start);
    let others = part.members().filter(move |(key, value)| {
        let holds_nothing = match value.kind() {
            NodeKind::Null => true,
            NodeKind::Array => value.elements().next().is_none(),
            NodeKind::Object => value.members().next().is_none(),
            _ => false,
        };
        !holds_nothing && !key.is_text("type") && Some(extent(*value).start) != text
    });
    others.map(|(key, value)| known_field(key.as_str().unwrap_or_default(), value))
}

/// Returns the summary of a part with reasoning, if it says something.
fn summary(part: Value<'_>) -> Option<Value<'_>> {
    let summary = part.get(SUMMARY)?;
    summary.as_str().is_some_and(|text| !text.is_empty()).then_some(summary)
}

/// Returns the reasoning that a part holds: of one that is redacted, its summary is what people can read.
fn reasoning<'a>(part: Value<'a>, kind: &str) -> Option<Value<'a>> {
    let is_redacted = part.get("redacted").is_some_and(|it| it.raw() == "true");
    let summary = summary(part).filter(|_| is_redacted);
    let mut all = REASONING.iter().filter(|[known, _]| *known == kind);
    let text = all.find_map(|[_, key]| part.get(key))?;
    let text = Some(text).filter(|text| text.kind() == NodeKind::String);
    text.and(summary).or(text)
}

/// Returns the call that a part is, with its id.
fn call<'a>(part: Value<'a>, kind: &str) -> Option<(ApiCall, Option<Cow<'a, str>>)> {
    let is_call = kind.ends_with(CALL);
    let name = part.get("name").filter(|_| is_call)?.as_str()?;
    let mut call = ApiCall { name: name.into(), at: extent(part), ..ApiCall::default() };
    let arguments = arguments_in(part).map(|(_, value)| extent(value).start);
    for (key, value) in part.members() {
        match (&*key.as_str().unwrap_or_default(), value.kind()) {
            ("type" | "name", _) | (RESULT | ERROR, NodeKind::Null) => {}
            (_, NodeKind::Object) if arguments == Some(extent(value).start) => {
                call.arguments = Some(Payload::Fields(all_fields(value)));
            }
            (_, NodeKind::String) if arguments == Some(extent(value).start) => {
                call.arguments =
                    Some(Payload::Embedded { text: value.as_str()?.into(), at: extent(value) });
            }
            (RESULT, NodeKind::String) => {
                call.response =
                    Some(Payload::Text { text: value.as_str()?.into(), at: extent(value) });
            }
            (name, _) => call.fields.push(field(key, value, ["id", ERROR].contains(&name))),
        }
    }
    Some((call, part.get("id").and_then(id_text)))
}

/// Returns the call that a part of a message of Vercel's AI SDK is, with its id. What the tool returned is beside it. The type
/// of most parts has the name of the tool.
fn invocation(part: Value<'_>) -> Option<(ApiCall, Option<Cow<'_, str>>)> {
    let own = part.get(INVOCATION).unwrap_or(part);
    let id = id_text(own.get(CALL_ID)?)?;
    let name = own.get("toolName").or_else(|| own.get("type"))?;
    let mut call = ApiCall { name: name.as_str()?.into(), at: extent(own), ..ApiCall::default() };
    let payload = |value: Value<'_>| match value.kind() {
        NodeKind::Object => Payload::Fields(all_fields(value)),
        _ => match value.as_str() {
            Some(text) => Payload::Text { text: text.into(), at: extent(value) },
            None => Payload::of_value(Content::of(value), extent(value)),
        },
    };
    for (key, value) in
        own.members().filter(|(_, value)| extent(*value).start != extent(name).start)
    {
        match (&*key.as_str()?, value.kind()) {
            ("input" | "args", NodeKind::Object) => call.arguments = Some(payload(value)),
            ("output" | RESULT, _) => call.response = Some(payload(value)),
            (other, _) => call.fields.push(field(key, value, other == "errorText")),
        }
    }
    Some((call, Some(id)))
}

/// Returns the member of a call with its arguments.
pub fn arguments_in(call: Value<'_>) -> Option<(&'static str, Value<'_>)> {
    ARGUMENTS.of(call, |value| matches!(value.kind(), NodeKind::Object | NodeKind::String))
}

/// Returns what a message says, or an answer: a text, or a list of parts in which nothing is wrong.
pub fn content_in(message: Value<'_>) -> Option<Value<'_>> {
    let is_part = |part: Value<'_>| {
        let mut reader = Reader::default();
        part_text(&mut reader, part);
        reader.finish().is_empty()
    };
    let content = CONTENTS.of(message, |value| match value.kind() {
        NodeKind::String => true,
        NodeKind::Array => value.elements().all(is_part),
        _ => false,
    });
    content.map(|(_, content)| content)
}

/// Returns the id of the call that a part answers, which is empty if the part has null there; None if it is not an answer.
fn answered_id(part: Value<'_>) -> Option<Cow<'_, str>> {
    let id = part.get(ANSWERS)?;
    let is_null = id.kind() == NodeKind::Null;
    id_text(id).or(is_null.then_some(Cow::Borrowed("")))
}

/// Returns the calls in the text of a part, as LLaMA-Factory writes them.
fn calls_in_part(part: Value<'_>, kind: &str) -> Option<Vec<ApiCall>> {
    let text = text_of(part).filter(|_| CALLS_IN_TEXT.contains(&kind))?;
    let calls = calls_in(&text.as_str()?, Some(extent(text)));
    Some(calls).filter(|calls| !calls.is_empty())
}

/// Gives the answer that a part of a turn is to its call.
fn answer(part: Value<'_>, turn: &mut Turn, call: &mut ApiCall) {
    let said = content_in(part);
    let mut texts = Vec::new();
    let mut at = extent(part);
    match said.map(|said| (said.kind(), said)) {
        Some((NodeKind::String, said)) => {
            texts.extend(said.as_str());
            at = extent(said);
        }
        Some((NodeKind::Array, said)) if !is_value(said) => {
            for inner in said.elements() {
                let text = inner.get("text").and_then(|text| Some((text, text.as_str()?)));
                if let Some((value, text)) = text {
                    texts.push(text);
                    at = extent(value);
                    // Beside a call, they would be marks of a failure.
                    turn.fields.extend(beside_text(inner));
                } else {
                    let kind = inner.get("type").and_then(Value::as_str);
                    turn.unread.add(kind.unwrap_or(Cow::Borrowed("content")).as_ref().into(), 1);
                    turn.fields.push(known_field("content", inner));
                }
            }
            if texts.len() > 1 {
                at = extent(part);
            }
        }
        _ => {}
    }
    let has_text = !texts.is_empty();
    let text = texts.join("\n").into();
    let text = has_text.then_some(Payload::Text { text, at });
    call.response = text.or_else(|| content_of(part, at));
    for (key, value) in part.members() {
        let is_text = said.is_some_and(|said| extent(said).start == extent(value).start);
        if !is_text && !["type", ANSWERS].iter().any(|name| key.is_text(name)) {
            let mark = field(key, value, true);
            let known = is_mark(&mark);
            call.fields.push(Field { known, ..mark });
        }
    }
}

/// True for a member beside an answer that says whether the call failed.
pub fn is_mark(field: &Field) -> bool {
    let (status, failed) = STATUS;
    let is_failed = || failed.contains(&field.content.as_str());
    MARKS.contains(&field.name.as_str()) || field.name == status && is_failed()
}

/// Returns a string; None if it is missing or null.
pub fn optional_text<'a>(
    reader: &mut Reader,
    value: Option<Value<'a>>,
    field: &'static str,
) -> Option<Cow<'a, str>> {
    let value = value.filter(|value| value.kind() != NodeKind::Null)?;
    let text = value.as_str();
    if text.is_none() {
        reader.report(value, field, "a string or null");
    }
    text
}

/// Returns the text of a part of a message; None if it is not text.
fn part_text<'a>(reader: &mut Reader, part: Value<'a>) -> Option<Cow<'a, str>> {
    if !reader.is_object_in(part, "content") {
        return None;
    }
    let kind = reader.required(part.get("type"), part, "the part", "type")?;
    let kind: Short = reader.text(Some(kind), "type");
    if !TEXTS.contains(&kind.as_str()) {
        return None;
    }
    let text = reader.required(said_by(part), part, "the part", TEXT_KEYS[0])?;
    if text.kind() != NodeKind::String {
        reader.report(text, "text", "a string");
    }
    text.as_str()
}

/// Returns the value with the text of a part that is one: in some programs, it is called as that of a message.
fn said_by(part: Value<'_>) -> Option<Value<'_>> {
    text_of(part).or_else(|| part.get(CONTENT).filter(|it| it.kind() == NodeKind::String))
}

/// Returns the value with the text of a part.
pub fn text_of(part: Value<'_>) -> Option<Value<'_>> {
    TEXT_KEYS.iter().find_map(|key| part.get(key))
}

/// True for a list that is an answer itself: its elements say of what type they are nowhere.
pub fn is_value(list: Value<'_>) -> bool {
    let mut all = list.elements().peekable();
    let is_part = |part: Value<'_>| part.get("type").is_some() || text_of(part).is_some();
    all.peek().is_some() && !all.any(is_part)
}

/// Returns the values with the text of a message, which is joined from them.
pub fn texts_in(message: Value<'_>) -> Vec<Value<'_>> {
    let is_text = |part: &Value<'_>| part_text(&mut Reader::default(), *part).is_some();
    match content_in(message) {
        Some(said) if said.kind() == NodeKind::String => vec![said],
        Some(said) => said.elements().filter(is_text).filter_map(said_by).collect(),
        None => Vec::new(),
    }
}

/// Returns the content of a message at `at` that is not text, such as null, or a list that is a value itself; None if it
/// is a text, or has a part that is.
pub fn content_of(message: Value<'_>, at: Extent) -> Option<Payload> {
    let said = content_in(message);
    match said.map(|said| (said.kind(), said)) {
        Some((NodeKind::String, _)) => None,
        Some((NodeKind::Array, said)) if said.elements().any(|part| text_of(part).is_some()) => {
            None
        }
        Some((NodeKind::Array, said)) if is_value(said) => {
            Some(Payload::of_value(Content::of(said), extent(said)))
        }
        None | Some((NodeKind::Array, _)) => {
            Some(Payload::of_value(Content::Raw("null".into()), at))
        }
        Some((NodeKind::Object, said)) => Some(Payload::Fields(all_fields(said))),
        Some((_, said)) => Some(Payload::of_value(Content::of(said), at)),
    }
}
